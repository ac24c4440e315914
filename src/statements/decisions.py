r"""Decide single instances exactly, and give those near equality that are worth it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from statements.arithmetic import BITS, Mode, Undecided, mode, number
from statements.batches import Batch
from statements.comparison import Truth
from statements.problem import REFUSALS, Problem
from statements.space import Coordinate, Raw, Raws

#: Denominators at which the narrowest instances are tried, and how many instances of
#: each batch.
DENOMINATORS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 20, 50, 100)
NARROWEST = 4
#: What the score of an instance counts as that is no number, beside margins up to 1.
UNDEFINED = 2.0


@dataclass(frozen=True)
class Decision:
    """Hold how one instance was decided, and in which arithmetic.

    The `outcome` is holds, fails, unmet, undecided or undefined; the arithmetic exact,
    certified (in balls) or float, which decides nothing. Sides that agree to all bits
    may have been counted as `equal`.
    """

    outcome: str
    margin: float = 0.0
    arithmetic: str = "exact"
    equal: bool = False
    why: str = ""

    @property
    def refutes(self) -> bool:
        """Whether it shows that the statement is false."""
        return self.outcome == "fails" and self.arithmetic != "float"


def decide(problem: Problem, raws: Raws | None) -> Decision:
    """Decide an instance given by its raw numbers, or without them the example.

    What the first precision leaves open is computed again with more bits, and the
    problem keeps how many an equality needs.
    """
    why = ""
    for bits in BITS:
        if bits < problem.least:
            continue
        with mode("exact", bits) as at_work:
            try:
                margins = problem.margins(problem.instance(raws))
            except Undecided as error:
                why = str(error)
                problem.least = max(problem.least, error.least)
                continue
            except REFUSALS as error:
                return Decision("undefined", why=f"{type(error).__name__}: {error}")
            if margins is None:
                return Decision("unmet")
            return _decision(margins[1], at_work)
    return Decision("undecided", why=why)


def _decision(statement: Truth, at_work: Mode) -> Decision:
    """Return how a statement came out, and what took part in it."""
    outcome = "holds" if statement else "fails"
    margin = float(statement.margin)
    if at_work.floats:
        why = f"{at_work.floats[0]} is a float"
        return Decision(outcome, margin, "float", why=why)
    arithmetic = "certified" if "balls" in at_work.notes else "exact"
    equal = "equal" in at_work.notes
    return Decision(outcome, margin, arithmetic, equal)


def _rounded(item: Coordinate, raw: Raw) -> list[Raw]:
    """Return a coordinate at each small denominator, as it is where that leaves it."""
    if item.whole:
        return [raw] * len(DENOMINATORS)
    if item.kind not in ("range", "choice"):
        simpler = list(item.simpler(raw)) or [raw]
        last = len(simpler) - 1
        return [simpler[min(at, last)] for at in range(len(DENOMINATORS))]
    rounded = []
    with mode("exact"):
        for parts in DENOMINATORS:
            near = tuple(Fraction(round(x * parts), parts) for x in raw)
            value = item.value(np.array([number(x) for x in near], dtype=object))
            if not item.contains(value):
                near = raw
            rounded.append(near)
    return rounded


def nearby(problem: Problem, batches: Sequence[Batch]) -> Iterator[Raws]:
    """Give the narrowest instances at small denominators, of vectors that are short.

    Equality is often at one of them, and no float meets it.
    """
    names = list(problem.space.coordinates)
    for batch in batches:
        if batch.size not in problem.space.sizes:
            continue
        narrowest = np.argsort(batch.ranked(UNDEFINED), kind="stable")[:NARROWEST]
        for column in narrowest:
            raws = batch.raws(int(column))
            rounded = [
                _rounded(item, raws[name])
                for name, item in problem.space.coordinates.items()
            ]
            for entries in zip(*rounded, strict=True):
                yield dict(zip(names, entries, strict=True))
