"""Say what the computed ledger, `claims.json`, holds of a claim and of a text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Required, TypedDict

Evidence = dict[str, object]


class PlaceRecord(TypedDict):
    """Hold where a text states a claim."""

    source: str
    at: str


class SharpnessRecord(TypedDict):
    """Hold how near to the truth the right side of an inequality is."""

    attained: bool
    factor: float | None
    share: float | None
    side: str


class EntryRecord(TypedDict, total=False):
    """Hold what the ledger says of a claim, which is an entry of `data/claims.yml`."""

    id: Required[str]
    kind: Required[str]
    title: Required[str]
    places: Required[list[PlaceRecord]]
    statement: Required[str]
    hypotheses: Required[list[str]]
    notebook: Required[str | None]
    expected: Required[str]
    breaks: str
    cause: str
    conclusion: str
    condition: str
    correction: str
    counterexample: str
    counterparts: list[str]
    formerly: list[str]
    note: str
    program: str
    reading: str
    reason: str
    short_proof: str
    uses: list[str]


class ClaimRecord(EntryRecord, total=False):
    """Hold a claim: what the ledger says of it, and the verdict of the run."""

    verdict: Required[str]
    grade: Required[str | None]
    corrected: Required[bool]
    evidence: list[Evidence]
    reach: dict[str, int]
    sharpness: SharpnessRecord
    sizes: str
    small: str


class SourceRecord(TypedDict, total=False):
    """Hold a text of the ledger."""

    id: str
    short: Required[str]
    title: str
    authors: list[str]
    year: int | None
    venue: str
    bibtex: str
    series: str
    errata: str


class LedgerRecord(TypedDict):
    """Hold the computed ledger."""

    claims: Sequence[ClaimRecord]
    sources: Mapping[str, SourceRecord]
    scoreboard: Mapping[str, int]
    version: str
