"""Read the claims ledger, collect evidence, and compute verdicts."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from importlib import resources
from pathlib import Path
from typing import Any

import yaml

from companion import __version__
from companion.ledger import strict_yaml
from companion.ledger.verdicts import (
    OURS,
    UNSETTLED,
    VERDICTS,
    Evidence,
    Judgement,
    judge,
)
from companion.paths import CompanionError

#: How the ids of claims begin that are not of the five texts: they are judged alike,
#: and counted apart.
BEYOND = ("PARK-", "GHO-", "ZAM-", OURS)
#: Kinds of claims that a text states as a result, with a name; the others are said on
#: the way.
NAMED = ("theorem", "lemma", "proposition", "corollary")
#: A display: a paragraph between two lines that are $$, for else it is not read as one.
_DISPLAY = re.compile(r"\$\$\n[^$]*\n\s*\$\$")

#: Words that say too little to be tested: a remark with one of them has to be read
#: first. *Can* says "there is a way".
LOOSE = re.compile(
    r"\b(?:almost|around|best|big|closer?|could|difficult|easily|easy|efficiently|essentially|fat|good|harder|hard|large"
    r"|likely|little|many|may|might|minor|much|often|probable|proper|quite|rare|reasonable|seems?|significant|small"
    r"|somehow|substantial|suggests?|typically|usually|well)\b"
)
#: What says what it means: phrases with such a word, and commands of LaTeX.
EXACT = re.compile(r"could not|as well|arbitrarily (small|large)|\\[a-z]+")

#: Fields of an entry: what the printed proof rests on, and what the book's own proof
#: rests on.
RELATIONS = ("uses", "stands_on")
#: Verdicts under which a statement is true, with or without a condition.
_TRUE = ("holds", "holds-with-condition")


def scoreboard_lines(counts: Mapping[str, int]) -> list[str]:
    """Return the counts of claims by verdict as lines for a terminal."""
    width = max(len(VERDICTS[verdict].words) for verdict in counts)
    rows = [
        f"  {VERDICTS[verdict].words:<{width}}  {count:>4}"
        for verdict, count in counts.items()
    ]
    return [f"Claims in the ledger: {sum(counts.values())}", *rows]


def load_sources(root: Path) -> dict[str, Any]:
    """Return the five source texts by id, from `data/sources.yml`."""
    sources = yaml.safe_load(
        (root / "data" / "sources.yml").read_text(encoding="utf-8")
    )
    return {str(source["id"]): source for source in sources}


def loose_words(statement: str) -> list[str]:
    """Return the words of a statement that say too little to be tested, each where it stands."""
    return LOOSE.findall(EXACT.sub("", statement.lower()))


def false_grounds(entry: Mapping[str, Any], false: Iterable[str]) -> list[str]:
    """Return the false claims that the printed proof of a true claim rests on; none where the claim is not true."""
    known = set(false)
    true = (entry.get("verdict") or entry["expected"]) in _TRUE
    return (
        [str(other) for other in entry.get("uses", []) if other in known]
        if true
        else []
    )


def faults_of_uses(entries: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return what is wrong with `uses` and `stands_on`: a circle, a proof that is missing."""
    known = {str(entry["id"]): entry for entry in entries}
    faults = []
    graph = {
        name: [other for field in RELATIONS for other in entry.get(field, [])]
        for name, entry in known.items()
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        faults.append(
            f"proofs rest on each other in a circle: {' <- '.join(error.args[1])}"
        )
    false = {name for name, entry in known.items() if entry["expected"] == "false"}
    for name, entry in known.items():
        broken = false_grounds(entry, false)
        if broken and "stands_on" not in entry:
            faults.append(
                f"{name}: its printed proof rests on {broken[0]}, which is false, and it has no `stands_on`"
            )
    return faults


def depths(entries: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """Return how many proofs lie below each claim: each rests, by its printed proof, on claims of less depth only."""
    here = {str(entry["id"]): entry for entry in entries}
    graph = {
        name: [other for other in entry.get("uses", []) if other in here]
        for name, entry in here.items()
    }
    depth: dict[str, int] = {}
    for name in TopologicalSorter(graph).static_order():
        depth[name] = 1 + max((depth[other] for other in graph[name]), default=-1)
    return depth


def _faults(entries: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield what the schema cannot see: ids, formulas, and what an entry says of another."""
    ids = Counter(
        name for entry in entries for name in (entry["id"], *entry.get("formerly", []))
    )
    yield from (
        f"{name}: this id is given {count} times"
        for name, count in ids.items()
        if count > 1
    )
    known = {entry["id"] for entry in entries}
    proved = {entry["id"] for entry in entries if "short_proof" in entry}
    for entry in entries:
        name = entry["id"]
        values = [*entry.values(), *entry["hypotheses"]]
        texts = [value for value in values if isinstance(value, str) and "$" in value]
        if any(text.count("$") % 2 for text in texts):
            yield f"{name}: a $ is not closed"
        parts = [
            part.strip()
            for text in texts
            for part in re.split(r"\n\s*\n", text)
            if "$$" in part
        ]
        if not all(_DISPLAY.fullmatch(part) for part in parts):
            yield f"{name}: $$ must open and close a paragraph of its own"
        others = {
            other
            for field in ("counterparts", *RELATIONS)
            for other in entry.get(field, [])
        }
        yield from (
            f"{name}: it names {other}, which is not in the ledger"
            for other in sorted(others - known)
        )
        tested = entry["kind"] == "remark" and entry["expected"] != "outside"
        if (
            tested
            and "reading" not in entry
            and (loose := loose_words(entry["statement"]))
        ):
            yield f"{name}: *{loose[0]}* has to be read before it is tested: give `reading`, or put it outside"
        if "cause" in entry and entry["cause"] not in proved:
            yield f"{name}: its cause {entry['cause']} is no claim with a short proof"
    yield from faults_of_uses(entries)


def load_claims(root: Path) -> list[dict[str, Any]]:
    """Return all claims of `data/claims.yml`, validated; raise CompanionError that lists every fault.

    What the schema refuses is told first, and the rest where it refuses nothing.
    """
    schema = json.loads(
        resources.files("companion.ledger")
        .joinpath("claims.schema.json")
        .read_text(encoding="utf-8")
    )
    entries, faults = strict_yaml.read_yaml(root / "data" / "claims.yml", schema)
    if faults := faults or [f"claims.yml: {fault}" for fault in _faults(entries)]:
        raise CompanionError("\n".join(["the ledger is not as it must be:", *faults]))
    return list(entries)


def read_evidence(directories: Iterable[Path]) -> list[Evidence]:
    """Return all evidence under the given directories, in a stable order; raise CompanionError that lists the bad."""
    evidence: list[Evidence] = []
    faults: list[str] = []
    for path in (
        path for directory in directories for path in sorted(directory.glob("*.json"))
    ):
        try:
            evidence.append(
                Evidence.from_record(json.loads(path.read_text(encoding="utf-8")))
            )
        except (KeyError, TypeError, ValueError) as error:
            faults.append(f"{path.name}: {error!r}")
    if faults:
        raise CompanionError("\n".join(["evidence is not as it must be:", *faults]))
    return evidence


def _disagreement(
    claim: Mapping[str, Any], found: Judgement, tested: bool, errata: bool
) -> str | None:
    """Return where an entry and the judgement on it do not agree, None where they do."""
    if found.verdict != claim["expected"]:
        return f"expected '{claim['expected']}', computed '{found.verdict}' ({found.reason})"
    if found.proof_gap != claim.get("proof_gap", False):
        return f"proof_gap is {not found.proof_gap} in the ledger, {found.proof_gap} computed"
    if tested and not found.corrected and "correction" in claim:
        return "the ledger prints a correction that no evidence has tested"
    if found.corrected and "correction" not in claim:
        return "a correction was tested that the ledger does not print"
    if found.verdict == "false" and "conclusion" not in claim and errata:
        return "it is false, and the ledger has no `breaks` and `conclusion` for the errata"
    return None


def examine(
    claims: Sequence[Mapping[str, Any]],
    evidence: Sequence[Evidence],
    pages: Collection[str],
    errata: Collection[str] = (),
) -> tuple[dict[str, Judgement], list[str]]:
    """Compute every verdict, and list where the ledger and the evidence do not agree.

    `pages` are the notebooks that were executed: a claim whose notebook is among them
    must have evidence, and evidence must come from the notebook that the ledger names.
    A correction that the ledger prints must have been tested wherever the claim has
    evidence, and a correction that was tested must be printed. For a false claim of the
    texts named in `errata` the ledger must say what breaks and what becomes of what is
    drawn from it.
    """
    own: dict[str, list[Evidence]] = {claim["id"]: [] for claim in claims}
    strangers = sorted({item.claim for item in evidence} - own.keys())
    faults = [
        f"{name}: evidence for a claim that is not in the ledger" for name in strangers
    ]
    for item in evidence:
        own.setdefault(item.claim, []).append(item)
    judgements: dict[str, Judgement] = {}
    for claim in claims:
        name = claim["id"]
        home = claim["notebook"]
        elsewhere = [item.notebook for item in own[name] if item.notebook != home]
        faults += [
            f"{name}: evidence from {page}, the ledger names {home}"
            for page in elsewhere
        ]
        found = judge(
            own[name], outside=claim["expected"] == "outside", fails=claim.get("fails")
        )
        judgements[name] = found
        printed = not {place["source"] for place in claim["places"]}.isdisjoint(errata)
        if found.verdict != "not-yet-checked":
            fault = _disagreement(claim, found, bool(own[name]), printed)
        else:
            fault = (
                f"notebook {home} recorded no evidence for it"
                if home in pages
                else None
            )
        faults += [f"{name}: {fault}"] if fault else []
    return judgements, faults


def count_verdicts(judgements: Mapping[str, Judgement]) -> dict[str, int]:
    """Count the claims of the five texts by verdict: those that a sound ledger can have, and others that came out."""
    counts = Counter(
        judgement.verdict
        for name, judgement in judgements.items()
        if not name.startswith(BEYOND)
    )
    return {
        verdict: counts[verdict]
        for verdict in VERDICTS
        if verdict not in UNSETTLED or verdict in counts
    }


def judged(
    root: Path, evidence_dirs: Iterable[Path]
) -> tuple[dict[str, Any], list[str]]:
    """Return the machine-readable ledger, each claim with its verdict and evidence, and what does not agree.

    The parent folder of each evidence directory need not be named after its page: the
    evidence says which notebook wrote it. Raises CompanionError where the ledger or a
    piece of evidence cannot be read.
    """
    claims = load_claims(root)
    evidence = read_evidence(evidence_dirs)
    sources = load_sources(root)
    pages = {path.stem for path in (root / "notebooks").glob("*.md")}
    errata = [
        name
        for name, source in sources.items()
        if "series" in source or "errata" in source
    ]
    judgements, faults = examine(claims, evidence, pages, errata)
    for claim in claims:
        found = judgements[claim["id"]]
        home = claim["notebook"]
        claim |= {
            name: getattr(found, name)
            for name in ("verdict", "grade", "proof_gap", "corrected")
        }
        claim |= {"sizes": found.sizes} if found.sizes else {}
        claim |= {"sharpness": found.sharpness.to_record()} if found.sharpness else {}
        claim |= {"reach": dict(found.reach)} if found.reach else {}
        claim |= {"small": found.small} if found.small else {}
        claim["page"] = f"notebooks/{home}" if home in pages else None
        claim["evidence"] = [
            item.to_record() for item in evidence if item.claim == claim["id"]
        ]
    counts = count_verdicts(judgements)
    return {
        "version": __version__,
        "scoreboard": counts,
        "sources": sources,
        "claims": claims,
    }, faults
