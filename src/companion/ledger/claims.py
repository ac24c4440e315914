"""Read the claims ledger, collect evidence, and compute verdicts."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

import yaml

from companion import __version__
from companion.ledger import strict_yaml
from companion.ledger.uses import RELATIONS, faults_of_uses
from companion.ledger.verdicts import OURS, UNSETTLED, VERDICTS, Evidence, Judgement, judge
from companion.paths import CompanionError

#: How the ids of claims begin that are not of the five texts: they are judged alike, and counted apart.
BEYOND = ("PARK-", "GHO-", "ZAM-", OURS)
#: A display: a paragraph between two lines that are $$, for else it is not read as one.
_DISPLAY = re.compile(r"\$\$\n[^$]*\n\s*\$\$")


class LedgerError(CompanionError):
    """Say what is wrong with the ledger, its evidence or its verdicts, one line a fault."""

    def __init__(self, faults: Iterable[str], head: str = "the ledger is not as it must be") -> None:
        self.faults = list(faults)
        super().__init__("\n".join([f"{head}:", *self.faults]))


class Claim:
    """Hold one entry of the ledger; `sources` are the texts that state it, `expected` is the verdict that it prints."""

    def __init__(self, entry: dict[str, Any]) -> None:
        self.entry = entry
        self.id: str = entry["id"]
        self.kind: str = entry["kind"]
        self.notebook: str | None = entry["notebook"]
        self.sources = {place["source"] for place in entry["places"]}
        self.expected: str = entry["expected"]
        self.proof_gap: bool = entry.get("proof_gap", False)


@dataclass(frozen=True)
class Scoreboard:
    """Count claims by verdict, and list where the ledger and the evidence do not agree."""

    counts: dict[str, int]
    faults: tuple[str, ...] = ()

    def lines(self) -> list[str]:
        """Return the scoreboard as lines for a terminal."""
        width = max(len(VERDICTS[verdict]) for verdict in self.counts)
        rows = [f"  {VERDICTS[verdict]:<{width}}  {count:>4}" for verdict, count in self.counts.items()]
        return [f"Claims in the ledger: {sum(self.counts.values())}", *rows]


def load_sources(root: Path) -> dict[str, Any]:
    """Return the five source texts by id, from `data/sources.yml`."""
    sources = yaml.safe_load((root / "data" / "sources.yml").read_text(encoding="utf-8"))
    return {str(source["id"]): source for source in sources}


def _faults(entries: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield what the schema cannot see: ids, formulas, and what an entry says of another."""
    ids = Counter(name for entry in entries for name in (entry["id"], *entry.get("formerly", [])))
    yield from (f"{name}: this id is given {count} times" for name, count in ids.items() if count > 1)
    known, proved = {entry["id"] for entry in entries}, {entry["id"] for entry in entries if "short_proof" in entry}
    for entry in entries:
        name, values = entry["id"], [*entry.values(), *entry["hypotheses"]]
        texts = [value for value in values if isinstance(value, str) and "$" in value]
        if any(text.count("$") % 2 for text in texts):
            yield f"{name}: a $ is not closed"
        parts = [part.strip() for text in texts for part in re.split(r"\n\s*\n", text) if "$$" in part]
        if not all(_DISPLAY.fullmatch(part) for part in parts):
            yield f"{name}: $$ must open and close a paragraph of its own"
        others = {other for field in ("counterparts", *RELATIONS) for other in entry.get(field, [])}
        yield from (f"{name}: it names {other}, which is not in the ledger" for other in sorted(others - known))
        if "cause" in entry and entry["cause"] not in proved:
            yield f"{name}: its cause {entry['cause']} is no claim with a short proof"
    yield from faults_of_uses(entries)


def load_claims(root: Path) -> list[Claim]:
    """Return all claims of `data/claims.yml`, validated; raise LedgerError that lists every fault.

    What the schema refuses is told first, and the rest where it refuses nothing.
    """
    schema = json.loads(resources.files("companion.ledger").joinpath("claims.schema.json").read_text(encoding="utf-8"))
    entries, faults = strict_yaml.read(root / "data" / "claims.yml", schema)
    if faults := faults or [f"claims.yml: {fault}" for fault in _faults(entries)]:
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
    strangers = sorted({item.claim for item in evidence} - {claim.id for claim in claims})
    faults = [f"{name}: evidence for a claim that is not in the ledger" for name in strangers]
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


def count_verdicts(judgements: Mapping[str, Judgement]) -> dict[str, int]:
    """Count the claims of the five texts by verdict: those that a sound ledger can have, and others that came out."""
    counts = Counter(judgement.verdict for name, judgement in judgements.items() if not name.startswith(BEYOND))
    return {verdict: counts[verdict] for verdict in VERDICTS if verdict not in UNSETTLED or verdict in counts}


def judged(root: Path, evidence_dirs: Iterable[Path]) -> tuple[dict[str, Any], Scoreboard]:
    """Return the machine-readable ledger, each claim with its verdict and evidence, and the scoreboard with its faults.

    The parent folder of each evidence directory need not be named after its page: the evidence says which notebook
    wrote it. Raises LedgerError where the ledger or a piece of evidence cannot be read.
    """
    claims, evidence, sources = load_claims(root), read_evidence(evidence_dirs), load_sources(root)
    pages = {path.stem for path in (root / "notebooks").glob("*.md")}
    errata = [name for name, source in sources.items() if "series" in source or "errata" in source]
    judgements, faults = examine(claims, evidence, pages, errata)
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
    board = Scoreboard(count_verdicts(judgements), tuple(faults))
    return {"version": __version__, "scoreboard": board.counts, "sources": sources, "claims": entries}, board
