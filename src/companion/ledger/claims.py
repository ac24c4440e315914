"""Read the claims ledger, collect evidence, and compute verdicts."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import yaml

from companion import __version__
from companion.ledger import strict_yaml
from companion.ledger.uses import faults_of_uses
from companion.ledger.verdicts import OURS, VERDICTS, Evidence, Judgement, judge
from companion.paths import CompanionError

__all__ = [
    "BEYOND",
    "TEXTS",
    "Claim",
    "LedgerError",
    "Scoreboard",
    "count_verdicts",
    "errata_of",
    "examine",
    "judged",
    "load_claims",
    "load_sources",
    "read_evidence",
]

#: The fields that hold text with mathematics.
TEXTS = (
    "statement", "condition", "correction", "breaks", "counterexample", "note", "title", "words", "reading",
    "slip", "stands", "short_proof", "follows",
)  # fmt: skip
#: The order in which verdicts are shown.
SHOWN = tuple(VERDICTS)[:9]

#: How the ids of claims begin that are not of the five texts: they are judged alike, and counted apart.
BEYOND = ("PARK-", "GHO-", "ZAM-", OURS)


class LedgerError(CompanionError):
    """Say what is wrong with the ledger, its evidence or its verdicts, one line a fault."""

    def __init__(self, faults: Iterable[str], head: str = "the ledger is not as it must be") -> None:
        self.faults = list(faults)
        super().__init__("\n".join([f"{head}:", *self.faults]))


class Claim:
    """Hold one entry of the ledger.

    `notebook` is the page that checks it, or will; `sources` are the texts that state it; `expected` is the verdict,
    and `proof_gap` whether a step of the printed proof breaks, that the ledger prints.
    """

    def __init__(self, entry: dict[str, Any]) -> None:
        self.entry = entry
        self.id: str = entry["id"]
        self.kind: str = entry["kind"]
        self.notebook: str | None = entry["notebook"]
        self.sources: set[str] = {place["source"] for place in entry["places"]}
        self.expected: str = entry["expected"]
        self.proof_gap: bool = entry.get("proof_gap", False)


@dataclass(frozen=True)
class Scoreboard:
    """Count claims by verdict, and list where the ledger and the evidence do not agree."""

    counts: dict[str, int]
    total: int
    faults: tuple[str, ...] = ()

    def lines(self) -> list[str]:
        """Return the scoreboard as lines for a terminal."""
        width = max(len(VERDICTS[verdict]) for verdict in self.counts)
        rows = [f"  {VERDICTS[verdict]:<{width}}  {count:>4}" for verdict, count in self.counts.items()]
        return [f"Claims in the ledger: {self.total}", *rows]


@cache
def _schema() -> dict[str, Any]:
    text = resources.files("companion.ledger").joinpath("claims.schema.json").read_text(encoding="utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema


def load_sources(root: Path) -> dict[str, Any]:
    """Return the five source texts by id, from `data/sources.yml`."""
    sources = yaml.safe_load((root / "data" / "sources.yml").read_text(encoding="utf-8"))
    return {str(source["id"]): source for source in sources}


def _displays_stand_alone(text: str) -> bool:
    """Say whether each display is a paragraph of its own, between two lines that are $$: else it is not read as one."""
    marked = [part.strip().split("\n") for part in re.split(r"\n\s*\n", text) if "$$" in part]
    return all(
        lines[0].strip() == lines[-1].strip() == "$$" and sum("$$" in line for line in lines) == 2 for lines in marked
    )


def load_claims(root: Path) -> list[Claim]:
    """Return all claims of `data/claims.yml`, validated; raise LedgerError that lists every fault."""
    document, faults = strict_yaml.read(root / "data" / "claims.yml", _schema())
    entries = [entry for entry in document if isinstance(entry, dict)] if isinstance(document, list) else []
    more = []
    for entry in entries:
        hypotheses = entry.get("hypotheses")
        given = [entry.get(key) for key in TEXTS] + (hypotheses if isinstance(hypotheses, list) else [])
        texts = [text for text in given if isinstance(text, str)]
        if any(text.count("$") % 2 for text in texts):
            more.append(f"{entry.get('id')}: a $ is not closed")
        if not all(map(_displays_stand_alone, texts)):
            more.append(f"{entry.get('id')}: $$ must open and close a paragraph of its own")
    if not faults and not more:
        known, proved = {entry["id"] for entry in entries}, {e["id"] for e in entries if "short_proof" in e}
        for entry in entries:
            strangers = sorted(set(entry.get("counterparts", [])) - known)
            more += [f"{entry['id']}: its counterpart {other} is not in the ledger" for other in strangers]
            if "cause" in entry and entry["cause"] not in proved:
                more.append(f"{entry['id']}: its cause {entry['cause']} is no claim with a short proof")
        more += faults_of_uses(entries)
    given = [str(name) for entry in entries for name in (entry.get("id"), *entry.get("formerly", []))]
    faults += [f"claims.yml: {fault}" for fault in more]
    faults += [f"{name}: this id is given {count} times" for name, count in Counter(given).items() if count > 1]
    if faults:
        raise LedgerError(faults)
    return [Claim(entry) for entry in entries]


def read_evidence(directories: Iterable[Path]) -> list[Evidence]:
    """Return all evidence under the given directories, in a stable order."""
    evidence: list[Evidence] = []
    faults: list[str] = []
    for directory in directories:
        for path in sorted(directory.glob("*.json")):
            try:
                evidence.append(Evidence.from_record(json.loads(path.read_text(encoding="utf-8"))))
            except (KeyError, TypeError, ValueError) as error:
                faults.append(f"{path.name}: not a valid piece of evidence: {error!r}")
    if faults:
        raise LedgerError(faults)
    return evidence


def examine(
    claims: Sequence[Claim], evidence: Sequence[Evidence], pages: Iterable[str], errata: Collection[str] = ()
) -> tuple[dict[str, Judgement], list[str]]:
    """Compute every verdict, and list where the ledger and the evidence do not agree.

    `pages` are the notebooks that were executed: a claim whose notebook is among them must have evidence,
    and evidence must come from the notebook that the ledger names. A correction that the ledger prints must have
    been tested wherever the claim has evidence, and a correction that was tested must be printed. For a false claim
    of the texts named in `errata` the ledger must say what breaks and what becomes of what is drawn from it.
    """
    executed = set(pages)
    known = {claim.id: claim for claim in claims}
    faults = [
        f"{name}: evidence for a claim that is not in the ledger"
        for name in sorted({item.claim for item in evidence} - set(known))
    ]
    judgements: dict[str, Judgement] = {}
    for claim in claims:
        own = [item for item in evidence if item.claim == claim.id]
        for item in own:
            if item.notebook != claim.notebook:
                faults.append(f"{claim.id}: evidence from {item.notebook}, the ledger names {claim.notebook}")
        judgement = judge(own, outside=claim.expected == "outside", fails=claim.entry.get("fails"))
        judgements[claim.id] = judgement
        if judgement.verdict == "not-yet-checked":
            if claim.notebook in executed:
                faults.append(f"{claim.id}: notebook {claim.notebook} recorded no evidence for it")
            continue
        if judgement.verdict != claim.expected:
            faults.append(
                f"{claim.id}: expected '{claim.expected}', computed '{judgement.verdict}' ({judgement.reason})"
            )
        elif judgement.proof_gap != claim.proof_gap:
            faults.append(f"{claim.id}: proof_gap is {claim.proof_gap} in the ledger, {judgement.proof_gap} computed")
        elif own and not judgement.corrected and "correction" in claim.entry:
            faults.append(f"{claim.id}: the ledger prints a correction that no evidence has tested")
        elif judgement.corrected and "correction" not in claim.entry:
            faults.append(f"{claim.id}: a correction was tested that the ledger does not print")
        elif judgement.verdict == "false" and "conclusion" not in claim.entry and claim.sources & set(errata):
            faults.append(f"{claim.id}: it is false, and the ledger has no `breaks` and `conclusion` for the errata")
    return judgements, faults


def count_verdicts(judgements: Mapping[str, Judgement]) -> tuple[dict[str, int], int]:
    """Count the claims of the five texts by verdict, those that a sound ledger can have and any other that came out."""
    own = {name: judgement for name, judgement in judgements.items() if not name.startswith(BEYOND)}
    counts = Counter(judgement.verdict for judgement in own.values())
    others = [verdict for verdict in VERDICTS if verdict not in SHOWN and verdict in counts]
    return {verdict: counts[verdict] for verdict in (*SHOWN, *others)}, len(own)


def errata_of(sources: Mapping[str, Any]) -> list[str]:
    """Return the sources whose false claims must say what breaks."""
    return [name for name, source in sources.items() if "series" in source or "errata" in source]


def judged(root: Path, evidence_dirs: Iterable[Path]) -> tuple[dict[str, Any], Scoreboard]:
    """Return the machine-readable ledger, each claim with its verdict and evidence, and the scoreboard with its faults.

    The parent folder of each evidence directory need not be named after its page: the evidence says which notebook
    wrote it. Raises LedgerError where the ledger or a piece of evidence cannot be read.
    """
    claims, evidence, sources = load_claims(root), read_evidence(evidence_dirs), load_sources(root)
    pages = {path.stem for path in (root / "notebooks").glob("*.md")}
    judgements, faults = examine(claims, evidence, pages, errata_of(sources))
    entries = []
    for claim in claims:
        judgement = judgements[claim.id]
        entries.append(
            {
                **claim.entry,
                **{name: getattr(judgement, name) for name in ("verdict", "grade", "proof_gap", "corrected")},
                "page": f"notebooks/{claim.notebook}" if claim.notebook in pages else None,
                "evidence": [item.to_record() for item in evidence if item.claim == claim.id],
            }
        )
    board = Scoreboard(*count_verdicts(judgements), tuple(faults))
    return {"version": __version__, "scoreboard": board.counts, "sources": sources, "claims": entries}, board
