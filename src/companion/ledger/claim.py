"""Hold one claim of the ledger, an entry of `data/claims.yml`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields

from companion.paths import Record


@dataclass(frozen=True)
class Place:
    """Hold where a text states a claim: the id of the text, and the place in it."""

    source: str
    at: str


@dataclass(frozen=True)
class Claim:
    """Hold an entry as its schema, `claims.schema.json`, describes it.

    A text that the entry does not have is None, a list that it does not have is empty.
    `stands_on` alone may be there and empty: then the proof of this book rests on
    nothing. `record` is the entry as it was read.
    """

    id: str
    kind: str
    title: str
    places: tuple[Place, ...]
    statement: str
    hypotheses: tuple[str, ...]
    notebook: str | None
    expected: str
    formerly: tuple[str, ...] = ()
    proof_gap: bool = False
    condition: str | None = None
    correction: str | None = None
    breaks: str | None = None
    slip: str | None = None
    stands: str | None = None
    proof: str | None = None
    short_proof: str | None = None
    follows: str | None = None
    cause: str | None = None
    program: str | None = None
    fails: str | None = None
    words: str | None = None
    reading: str | None = None
    counterexample: str | None = None
    conclusion: str | None = None
    counterparts: tuple[str, ...] = ()
    uses: tuple[str, ...] = ()
    stands_on: tuple[str, ...] | None = None
    outside: str | None = None
    reason: str | None = None
    note: str | None = None
    record: Record = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def from_record(cls, record: Record) -> Claim:
        """Return the claim of an entry that its schema allows."""
        values: Record = {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in record.items()
        }
        values["places"] = tuple(Place(**place) for place in record["places"])
        return cls(**values, record=record)

    @property
    def texts(self) -> Iterator[str]:
        """Every text of the entry, in the order of the fields."""
        for one in fields(self):
            value = getattr(self, one.name)
            if isinstance(value, str):
                yield value
        yield from self.hypotheses

    @property
    def rests_on(self) -> tuple[str, ...]:
        """What the printed proof and the proof of this book rest on."""
        return self.uses + (self.stands_on or ())

    @property
    def others(self) -> set[str]:
        """The claims that the entry names, its cause aside."""
        return {*self.counterparts, *self.rests_on}
