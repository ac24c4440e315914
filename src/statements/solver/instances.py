r"""The instances of a space as unknowns, and the runs of a statement's texts on them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from statements.arithmetic import mode, number
from statements.problem import Problem
from statements.rewrite import Unit
from statements.solver.questions import NotPolynomial, OutOfSteps
from statements.solver.runs import Run
from statements.solver.terms import Term, valued
from statements.solver.translation import Translator
from statements.space import Coordinate, Raw, Space

#: Runs of the texts, one for each answer that Python may get; digits of an irrational
#: instance that are tried.
RUNS = 200
DIGITS = (4, 12, 30)


def _entries(
    at: Run, name: str, item: Coordinate, size: int
) -> tuple[list[Any], list[Any], int | None]:
    """Return the unknowns of a coordinate, what is known of them, and their sign as `Term.least` says it."""
    z3 = at.z3
    context = at.context
    sort = z3.Int if item.whole else z3.Real
    found = [sort(f"{name}[{k}]", context) for k in range(size if item.vector else 1)]
    numbers = [z3.RealVal(str(end), context) for end in item.ends]
    least = min(item.ends, default=Fraction(-1))
    sign = None if least < 0 else int(least > 0)
    match item.kind:
        case "law":
            return found, [*(x >= 0 for x in found), z3.Sum(found) == 1], 0
        case "positive law":
            return found, [*(x > 0 for x in found), z3.Sum(found) == 1], 1
        case "shape":
            ends = z3.Or(*(x == end for x in found for end in (1, -1)))
            return found, [*(z3.And(x >= -1, x <= 1) for x in found), ends], None
        case "range":
            return (
                found,
                [z3.And(x >= numbers[0], x <= numbers[1]) for x in found],
                sign,
            )
        case "choice":
            return (
                found,
                [z3.Or(*(x == number for number in numbers)) for x in found],
                sign,
            )
    raise NotPolynomial(f"the coordinate {name} names no set that it ranges over")


def _lies_in(space: type[Space], raws: Mapping[str, Raw]) -> bool:
    """Tell whether raw numbers make an instance of a space."""
    with mode("exact"):
        values = space.values(raws, number)
        inside = all(
            item.contains(values[name]) for name, item in space.coordinates.items()
        )
    positive = [
        name for name, item in space.coordinates.items() if item.kind == "positive law"
    ]
    return inside and all(x > 0 for name in positive for x in raws[name])


class Instance:
    """Hold the unknowns of an instance of a size, the facts that make it one, and its coordinates as terms."""

    def __init__(self, at: Run, space: type[Space], size: int) -> None:
        self.at = at
        self.space = space
        self.unknowns: dict[str, list[Any]] = {}
        self.facts: list[Any] = []
        self.values: dict[Any, Any] = {}
        for name, item in space.coordinates.items():
            self.unknowns[name], facts, least = _entries(at, name, item, size)
            self.facts += facts
            terms = [Term(at, entry, least=least) for entry in self.unknowns[name]]
            self.values[name] = (
                np.array([*terms, None], dtype=object)[:-1] if item.vector else terms[0]
            )

    def raws(self, model: Any) -> Iterator[tuple[dict[str, Raw], bool]]:
        """Give the instance of a model in raw numbers and True, or where it is irrational some that are near."""
        for digits in (0, *DIGITS):
            found = {
                name: [valued(model, x, digits) for x in entries]
                for name, entries in self.unknowns.items()
            }
            if any(None in entries for entries in found.values()):
                continue
            raws = {
                name: tuple(x for x in entries if x is not None)
                for name, entries in found.items()
            }
            if digits == 0:
                yield raws, True
                return
            if _lies_in(self.space, raws):
                yield raws, False

    def is_at(self, raws: Mapping[str, Raw]) -> list[Any]:
        """Return the equations of an instance."""
        values = self.space.values(raws, Fraction)
        pairs = [
            (x, v)
            for name, xs in self.unknowns.items()
            for x, v in zip(xs, np.ravel(values[name]), strict=True)
        ]
        return [
            x == self.at.z3.RealVal(str(value), self.at.context) for x, value in pairs
        ]


@dataclass
class Case:
    """Hold one run of the texts: what is known of its instances, hypotheses included, and the statement."""

    facts: list[Any]
    holds: Any


def _run(
    problem: Problem, at: Translator, made: Mapping[Unit, Any], given: Mapping[Any, Any]
) -> Any:
    """Run the texts once, in the order in which exact arithmetic does; each hypothesis is on the path of the rest."""
    values = dict(given)
    run = replace(problem, functions=made)
    for unit in problem.hypotheses:
        at.facts.append(at.formula(at.truth(run.of(unit, values))))
    return at.formula(at.truth(run.of(problem.statement, values)))


def cases(problem: Problem, at: Translator, instance: Instance) -> list[Case]:
    """Return all runs of the texts, a run for each answer that Python may get."""
    made = at.functions(problem.functions)
    found = list[Case]()
    todo: list[list[tuple[bool, bool]]] = [[]]
    while todo:
        begin = todo.pop()
        at.restart(begin)
        at.facts += instance.facts
        holds = _run(problem, at, made, instance.values)
        found.append(Case(at.facts, holds))
        todo += [
            [*at.answers[:k], (not said, False)]
            for k, (said, only) in enumerate(at.answers)
            if k >= len(begin) and not only
        ]
        if len(found) + len(todo) > RUNS:
            raise OutOfSteps(f"there are more than {RUNS} cases")
    return found
