"""The instances of a space as unknowns, and the runs of a statement's texts."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product

import numpy as np
import z3
from z3 import ArithRef, BoolRef, ModelRef

from statements.arithmetic import Value, mode, number
from statements.problem import Problem
from statements.solver.operations import least_of
from statements.solver.questions import NotPolynomial, OutOfSteps
from statements.solver.runs import Run
from statements.solver.terms import Term, valued
from statements.solver.translation import Translator
from statements.space import Coordinate, Raws, SpaceType

#: Runs of the texts, one for each answer that Python may get; digits of an irrational
#: instance that are tried.
RUNS = 200
DIGITS = (4, 12, 30)


def _facts(
    run: Run,
    name: str,
    item: Coordinate,
    entries: list[ArithRef],
) -> list[BoolRef]:
    """Return what is known of the unknowns of a coordinate."""
    ends = [z3.RealVal(str(end), run.context) for end in item.ends]
    match item.kind:
        case "law" | "positive law":
            return [*_atoms(item, entries), z3.Sum(entries) == 1]
        case "shape":
            attained = z3.Or(*_equations(entries, (1, -1)))
            return [*(z3.And(x >= -1, x <= 1) for x in entries), attained]
        case "range":
            low, high = ends[:2]
            return [z3.And(x >= low, x <= high) for x in entries]
        case "choice":
            return [z3.Or(*_equations([x], ends)) for x in entries]
    raise NotPolynomial(f"the coordinate {name} names no set that it ranges over")


def _atoms(item: Coordinate, entries: Iterable[ArithRef]) -> list[BoolRef]:
    """Return that the entries of a law are not negative, or positive."""
    if item.kind == "law":
        return [x >= 0 for x in entries]
    return [x > 0 for x in entries]


def _equations(
    entries: Iterable[ArithRef],
    values: Iterable[int | ArithRef],
) -> list[BoolRef]:
    """Return that an entry has a value, for each entry and each value."""
    return [entry == value for entry, value in product(entries, values)]


def _sign(item: Coordinate) -> int | None:
    """Return the sign of the entries of a coordinate as `Term.least` says it."""
    match item.kind:
        case "law":
            return 0
        case "positive law":
            return 1
        case "range" | "choice":
            return least_of(min(item.ends))
    return None


def _lies_in(space: SpaceType, raws: Raws) -> bool:
    """Tell whether raw numbers make an instance of a space."""
    with mode("exact"):
        values = space.values(raws, number)
        for name, item in space.coordinates.items():
            if not item.contains(values[name]):
                return False
            if item.kind == "positive law" and min(raws[name]) <= 0:
                return False
    return True


class Instance:
    """Hold the unknowns of an instance of a size.

    With them it holds the facts that make it one, and its coordinates as terms.
    """

    def __init__(
        self,
        run: Run,
        space: SpaceType,
        size: int,
    ) -> None:
        self.run = run
        self.space = space
        self.unknowns: dict[str, list[ArithRef]] = {}
        self.facts: list[BoolRef] = []
        self.values: dict[object, Value] = {}
        for name, item in space.coordinates.items():
            sort = z3.Int if item.whole else z3.Real
            places = range(item.entries(size))
            unknowns = [sort(f"{name}[{k}]", run.context) for k in places]
            self.unknowns[name] = unknowns
            self.facts += _facts(run, name, item, unknowns)
            least = _sign(item)
            terms = [Term(run, entry, least=least) for entry in unknowns]
            if item.vector:
                self.values[name] = np.array([*terms, None], dtype=object)[:-1]
            else:
                self.values[name] = terms[0]

    def raws(self, model: ModelRef) -> Iterator[tuple[Raws, bool]]:
        """Give the instance of a model in raw numbers, and True.

        Where it is irrational, give some that are near, and False.
        """
        exact = self._raws_at(model, 0)
        if exact is not None:
            yield exact, True
            return
        for digits in DIGITS:
            near = self._raws_at(model, digits)
            if near is not None and _lies_in(self.space, near):
                yield near, False

    def _raws_at(self, model: ModelRef, digits: int) -> Raws | None:
        """Return the raw numbers of a model, to so many digits where it is irrational.

        Without digits it is None where it is irrational.
        """
        raws = {}
        for name, entries in self.unknowns.items():
            values = [valued(model, entry, digits) for entry in entries]
            raws[name] = tuple(value for value in values if value is not None)
            if len(raws[name]) < len(entries):
                return None
        return raws

    def is_at(self, raws: Raws) -> list[BoolRef]:
        """Return the equations of an instance."""
        values = self.space.values(raws, Fraction)
        equations: list[BoolRef] = []
        for name, unknowns in self.unknowns.items():
            for unknown, value in zip(unknowns, np.ravel(values[name]), strict=True):
                known = z3.RealVal(str(value), self.run.context)
                equations.append(unknown == known)
        return equations


@dataclass
class Case:
    """Hold one run of the texts.

    `facts` are what is known of its instances, hypotheses included; `holds` is the
    statement.
    """

    facts: list[BoolRef]
    holds: BoolRef


def _run(
    problem: Problem,
    translator: Translator,
    values: Mapping[object, Value],
) -> BoolRef:
    """Run the texts once, in the order in which exact arithmetic does.

    Each hypothesis is on the path of the rest.
    """
    values = dict(values)
    for unit in problem.hypotheses:
        hypothesis = translator.truth(problem.of(unit, values))
        translator.facts.append(translator.formula(hypothesis))
    return translator.formula(translator.truth(problem.of(problem.statement, values)))


def cases(
    problem: Problem,
    translator: Translator,
    instance: Instance,
) -> list[Case]:
    """Return all runs of the texts, a run for each answer that Python may get."""
    translated = replace(problem, functions=translator.functions(problem.functions))
    runs: list[Case] = []
    todo: list[list[tuple[bool, bool]]] = [[]]
    while todo:
        begin = todo.pop()
        translator.restart(begin)
        translator.facts += instance.facts
        holds = _run(translated, translator, instance.values)
        runs.append(Case(translator.facts, holds))
        for k, (said, only) in enumerate(translator.answers):
            if k >= len(begin) and not only:
                todo.append([*translator.answers[:k], (not said, False)])
        if len(runs) + len(todo) > RUNS:
            raise OutOfSteps(f"there are more than {RUNS} cases")
    return runs
