"""Read the claims ledger, collect evidence, and compute verdicts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from itertools import chain
from pathlib import Path
from typing import cast

from companion import __version__
from companion.ledger import strict_yaml
from companion.ledger.claim import Claim
from companion.ledger.evidence import Evidence
from companion.ledger.records import ClaimRecord, LedgerRecord, SourceRecord
from companion.ledger.verdicts import OURS, UNSETTLED, VERDICTS, Judgement, judge
from companion.paths import CompanionError, read_json

#: How the ids of claims begin that are not of the five texts: they are judged alike,
#: and counted apart.
BEYOND = ("PARK-", "GHO-", "ZAM-", OURS)
#: Kinds of claims that a text states as a result, with a name; the others are said on
#: the way.
NAMED = ("theorem", "lemma", "proposition", "corollary")
#: Verdicts under which a statement is true, with or without a condition.
TRUE = ("holds", "holds-with-condition")
#: A display: a paragraph between two lines that are $$, for else it is not read as one.
_DISPLAY = re.compile(r"\$\$\n[^$]*\n\s*\$\$")

#: Words that say too little to be tested: a remark with one of them has to be read
#: first. *Can* says "there is a way".
LOOSE = re.compile(
    r"\b(?:almost|around|best|big|closer?|could|difficult|easily|easy|efficiently"
    r"|essentially|fat|good|harder|hard|large|likely|little|many|may|might|minor|much"
    r"|often|probable|proper|quite|rare|reasonable|seems?|significant|small|somehow"
    r"|substantial|suggests?|typically|usually|well)\b"
)
#: What says what it means: phrases with such a word, and commands of LaTeX.
EXACT = re.compile(r"could not|as well|arbitrarily (small|large)|\\[a-z]+")


@dataclass(frozen=True)
class JudgedClaim:
    """Hold a claim with its judgement and evidence; `page` is None where none is."""

    claim: Claim
    judgement: Judgement
    evidence: tuple[Evidence, ...]
    page: str | None

    def to_record(self) -> ClaimRecord:
        """Return the entry of the claim with what was computed, as JSON has it."""
        record = {
            **self.claim.record,
            **self.judgement.to_record(),
            "page": self.page,
            "evidence": [item.to_record() for item in self.evidence],
        }
        return cast(ClaimRecord, record)


@dataclass(frozen=True)
class Ledger:
    """Hold the judged claims, the texts they are of, and how many have each verdict."""

    scoreboard: Mapping[str, int]
    sources: Mapping[str, SourceRecord]
    claims: tuple[JudgedClaim, ...]

    def to_record(self) -> LedgerRecord:
        """Return the machine-readable ledger, as JSON has it."""
        return {
            "version": __version__,
            "scoreboard": self.scoreboard,
            "sources": self.sources,
            "claims": [claim.to_record() for claim in self.claims],
        }


def scoreboard_lines(counts: Mapping[str, int]) -> list[str]:
    """Return the counts of claims by verdict as lines for a terminal."""
    width = max(len(VERDICTS[verdict].words) for verdict in counts)
    rows = [
        f"  {VERDICTS[verdict].words:<{width}}  {count:>4}"
        for verdict, count in counts.items()
    ]
    return [f"Claims in the ledger: {sum(counts.values())}", *rows]


# ---- reading


def load_sources(root: Path) -> dict[str, SourceRecord]:
    """Return the source texts by id, from `data/sources.yml`.

    Raises CompanionError where the file cannot be read.
    """
    sources, faults = strict_yaml.read(root / "data" / "sources.yml", {"type": "array"})
    if faults:
        raise CompanionError("\n".join(["the texts are not as they must be:", *faults]))
    return {str(source["id"]): source for source in sources}


def false_grounds(
    uses: Iterable[str],
    verdict: str,
    false: Collection[str],
) -> list[str]:
    """Return the false claims that the printed proof of a true claim rests on.

    `uses` are those that it rests on; there is none where the claim is not true.
    """
    if verdict not in TRUE:
        return []
    return [name for name in uses if name in false]


def faults_of_uses(claims: Sequence[Claim]) -> list[str]:
    """Return the faults of `uses` and `stands_on`: circles, and proofs that lack."""
    faults = []
    graph = {claim.id: claim.rests_on for claim in claims}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        circle = " <- ".join(error.args[1])
        faults.append(f"proofs rest on each other in a circle: {circle}")
    false = {claim.id for claim in claims if claim.expected == "false"}
    for claim in claims:
        broken = false_grounds(claim.uses, claim.expected, false)
        if broken and claim.stands_on is None:
            faults.append(
                f"{claim.id}: its printed proof rests on {broken[0]}, "
                "which is false, and it has no `stands_on`"
            )
    return faults


def depths(uses: Mapping[str, Iterable[str]]) -> dict[str, int]:
    """Return how many proofs lie below each claim.

    `uses` are by claim those that its printed proof rests on; each is of less depth
    than the claim. Others than the claims that are named do not count.
    """
    graph = {
        name: [other for other in others if other in uses]
        for name, others in uses.items()
    }
    depth: dict[str, int] = {}
    for name in TopologicalSorter(graph).static_order():
        depth[name] = 1 + max((depth[other] for other in graph[name]), default=-1)
    return depth


def _repeated(claims: Sequence[Claim]) -> Iterator[str]:
    """Give the ids that are given to more than one claim, now or formerly."""
    ids = Counter(chain.from_iterable([claim.id, *claim.formerly] for claim in claims))
    for name, count in ids.items():
        if count > 1:
            yield f"{name}: this id is given {count} times"


def _faults_of_formulas(claim: Claim) -> Iterator[str]:
    texts = [text for text in claim.texts if "$" in text]
    if any(text.count("$") % 2 for text in texts):
        yield f"{claim.id}: a $ is not closed"
    paragraphs = re.split(r"\n\s*\n", "\n\n".join(texts))
    displays = [text.strip() for text in paragraphs if "$$" in text]
    if not all(map(_DISPLAY.fullmatch, displays)):
        yield f"{claim.id}: $$ must open and close a paragraph of its own"


def _faults_of_reading(claim: Claim) -> Iterator[str]:
    """Give the fault of a remark that nobody can test as it is printed."""
    if claim.kind != "remark" or claim.expected == "outside":
        return
    loose = LOOSE.search(EXACT.sub("", claim.statement.lower()))
    if loose and claim.reading is None:
        yield (
            f"{claim.id}: *{loose[0]}* has to be read before it is tested: "
            "give `reading`, or put it outside"
        )


def _fault_of_errata(claim: Claim, proved: Collection[str]) -> str | None:
    """Return what a false claim lacks whose consequence is lost or weaker."""
    if claim.cause is not None:
        if claim.cause not in proved:
            return f"its cause {claim.cause} is no claim with a short proof"
        return None
    lost = claim.expected == "false" and claim.conclusion != "survives"
    if lost and claim.short_proof is None:
        return (
            f"its conclusion is {claim.conclusion!r}: give `short_proof`, of its "
            "correction, and `follows`; or `cause`, the claim that has them"
        )
    return None


def _faults(claims: Sequence[Claim]) -> Iterator[str]:
    """Give what the schema cannot see: ids, formulas, what an entry says of another."""
    yield from _repeated(claims)
    known = {claim.id for claim in claims}
    proved = {claim.id for claim in claims if claim.short_proof is not None}
    for claim in claims:
        yield from _faults_of_formulas(claim)
        for other in sorted(claim.others - known):
            yield f"{claim.id}: it names {other}, which is not in the ledger"
        yield from _faults_of_reading(claim)
        fault = _fault_of_errata(claim, proved)
        if fault:
            yield f"{claim.id}: {fault}"
    yield from faults_of_uses(claims)


def load_claims(root: Path) -> list[Claim]:
    """Return all claims of `data/claims.yml`, validated.

    Raises CompanionError that lists every fault: what the schema refuses, and the rest
    where it refuses nothing.
    """
    path = root / "data" / "claims.yml"
    entries, faults = strict_yaml.read(
        path, strict_yaml.schema_of("claims.schema.json")
    )
    claims: list[Claim] = []
    if not faults:
        claims = [Claim.from_record(entry) for entry in entries]
        faults = [f"claims.yml: {fault}" for fault in _faults(claims)]
    if faults:
        raise CompanionError("\n".join(["the ledger is not as it must be:", *faults]))
    return claims


def read_evidence(directories: Iterable[Path]) -> list[Evidence]:
    """Return all evidence under the given directories, in a stable order.

    Raises CompanionError that lists the files that are not as they must be.
    """
    evidence: list[Evidence] = []
    faults: list[str] = []
    files = (sorted(directory.glob("*.json")) for directory in directories)
    for path in chain.from_iterable(files):
        try:
            evidence.append(Evidence.from_record(read_json(path)))
        except (KeyError, TypeError, ValueError) as error:
            faults.append(f"{path.name}: {error!r}")
    if faults:
        raise CompanionError("\n".join(["evidence is not as it must be:", *faults]))
    return evidence


# ---- judging


def _disagreement(claim: Claim, judgement: Judgement) -> str | None:
    """Return where an entry and the judgement on it differ in what both state."""
    if judgement.verdict != claim.expected:
        return (
            f"expected '{claim.expected}', "
            f"computed '{judgement.verdict}' ({judgement.reason})"
        )
    if judgement.proof_gap != claim.proof_gap:
        return (
            f"proof_gap is {claim.proof_gap} in the ledger, "
            f"{judgement.proof_gap} computed"
        )
    return None


def _fault_of_correction(
    claim: Claim,
    judgement: Judgement,
    tested: bool,
) -> str | None:
    """Return what is wrong with the correction of a claim."""
    printed = claim.correction is not None
    if tested and printed and not judgement.corrected:
        return "the ledger prints a correction that no evidence has tested"
    if judgement.corrected and not printed:
        return "a correction was tested that the ledger does not print"
    return None


def _evidence_by_claim(
    claims: Iterable[Claim],
    evidence: Iterable[Evidence],
) -> dict[str, list[Evidence]]:
    own: dict[str, list[Evidence]] = {claim.id: [] for claim in claims}
    for item in evidence:
        own.setdefault(item.claim, []).append(item)
    return own


def _faults_of_claim(
    claim: Claim,
    judgement: Judgement,
    evidence: Sequence[Evidence],
    pages: Collection[str],
) -> Iterator[str]:
    """Give where one entry and what its evidence says do not agree."""
    home = claim.notebook
    for item in evidence:
        if item.notebook != home:
            yield f"evidence from {item.notebook}, the ledger names {home}"
    if judgement.verdict == "not-yet-checked":
        if home in pages:
            yield f"notebook {home} recorded no evidence for it"
        return
    fault = _disagreement(claim, judgement) or _fault_of_correction(
        claim, judgement, bool(evidence)
    )
    if fault:
        yield fault


def examine(
    claims: Sequence[Claim],
    evidence: Sequence[Evidence],
    pages: Collection[str],
) -> tuple[dict[str, Judgement], list[str]]:
    """Compute every verdict, and list where the ledger and the evidence do not agree.

    `pages` are the notebooks that were executed: a claim whose notebook is among them
    must have evidence, and evidence must come from the notebook that the ledger names.
    A correction that the ledger prints must have been tested wherever the claim has
    evidence, and a correction that was tested must be printed.
    """
    own = _evidence_by_claim(claims, evidence)
    strangers = own.keys() - {claim.id for claim in claims}
    faults = [
        f"{name}: evidence for a claim that is not in the ledger"
        for name in sorted(strangers)
    ]
    judgements = {
        claim.id: judge(
            own[claim.id], outside=claim.expected == "outside", fails=claim.fails
        )
        for claim in claims
    }
    for claim in claims:
        differences = _faults_of_claim(
            claim, judgements[claim.id], own[claim.id], pages
        )
        faults += [f"{claim.id}: {difference}" for difference in differences]
    return judgements, faults


def count_verdicts(judgements: Mapping[str, Judgement]) -> dict[str, int]:
    """Count the claims of the five texts by verdict.

    There is a count for each verdict that a sound ledger can have, and for others that
    came out.
    """
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
    root: Path,
    evidence_dirs: Iterable[Path],
    executed: Collection[str] | None = None,
) -> tuple[Ledger, list[str]]:
    """Return the ledger, each claim with its verdict and evidence, and its faults.

    `executed` are the pages whose claims must have evidence; None is for all. The
    parent folder of each evidence directory need not be named after its page: the
    evidence says which notebook wrote it. Raises CompanionError where the ledger or a
    piece of evidence cannot be read.
    """
    claims = load_claims(root)
    evidence = read_evidence(evidence_dirs)
    sources = load_sources(root)
    pages = {path.stem for path in (root / "notebooks").glob("*.md")}
    if executed is None:
        executed = pages
    judgements, faults = examine(claims, evidence, executed)
    own = _evidence_by_claim(claims, evidence)
    rows = [
        JudgedClaim(
            claim,
            judgements[claim.id],
            tuple(own[claim.id]),
            f"notebooks/{claim.notebook}" if claim.notebook in pages else None,
        )
        for claim in claims
    ]
    return Ledger(count_verdicts(judgements), sources, tuple(rows)), faults
