r"""Run the facts of a proof, and find whether they are the statement.

If they are not, they are a step of its proof, which has to be named. `a <= b` has the
slack b - a. The facts prove a statement where each of its slacks is what a fact calls
nonnegative: SymPy finds the identity, or both agree as numbers at random points of the
space; and where the ranges of the proof cover the space.
"""

import ast
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.random import Generator

from statements import proof as facts
from statements.arithmetic import Function, Value, mode, number
from statements.batches import look
from statements.challenge import Challenge, Tried
from statements.edits import edits
from statements.outcome import Outcome, Span
from statements.precision import ONE_AT_A_TIME
from statements.problem import OPEN, Problem, Values
from statements.render.texts import proved
from statements.rewrite import Unit, make, read, with_used
from statements.space import Raws

#: Changed texts of a proof that are tried at most, and how many are enough that are
#: refuted.
MOST_EDITS = 10
ENOUGH = 3
#: Points at which a slack and the quantity of a fact are compared as numbers, and
#: points whose range is looked at.
COMPARED = 8
SEEN = 400


class Relation(NamedTuple):
    """Hold one comparison of a statement as its slack, and which facts prove it."""

    slack: ast.expr
    proved_by: tuple[str, ...]


#: Which facts prove an equation, an inequality, and a strict one.
EQUATION = ("zero",)
STRICT = ("boxes",)
INEQUALITY = ("nonnegative", "single_zero", "double_zero", "concave_between", "boxes")
PROVED_BY: dict[type[ast.cmpop], tuple[str, ...]] = {
    ast.Eq: EQUATION,
    ast.LtE: INEQUALITY,
    ast.GtE: INEQUALITY,
    ast.Lt: STRICT,
    ast.Gt: STRICT,
}


#: Gives a slack where the arguments of a statement have some values.
Slack = Callable[[Values], Value]


def _comparisons(node: ast.expr) -> Iterator[Relation]:
    """Give the comparisons of a conjunction; raise LookupError where a part is none."""
    match node:
        case ast.BoolOp(op=ast.And(), values=parts) | ast.Tuple(elts=parts):
            for part in parts:
                yield from _comparisons(part)
        case ast.Compare(left=left, ops=hows, comparators=sides):
            for how, (first, second) in zip(
                hows, pairwise([left, *sides]), strict=True
            ):
                slack = ast.BinOp(second, ast.Sub(), first)
                if isinstance(how, ast.GtE | ast.Gt):
                    slack = ast.BinOp(first, ast.Sub(), second)
                yield Relation(slack, PROVED_BY[type(how)])
        case _:
            raise LookupError("no comparison")


def relations(statement: Unit) -> list[Relation]:
    """Return all comparisons of a statement, none where it is not their conjunction."""
    match statement.tree.body:
        case [ast.Return(value=ast.expr() as value)]:
            with suppress(LookupError):
                return list(_comparisons(value))
    return []


def _slack(problem: Problem, relation: Relation) -> Slack:
    """Return a function that gives one of the slacks of a statement."""
    body = problem.statement.tree.body[0]
    assert isinstance(body, ast.Return)
    assert body.value is not None
    functions = make(problem.functions, problem.statement, body.value, relation.slack)
    changed = replace(problem, functions=functions)
    return lambda values: changed.of(problem.statement, values)


@dataclass(frozen=True)
class Tie:
    """Compare the facts of a proof, once it has run, with the slacks of a statement."""

    proof: Unit
    functions: Mapping[Unit, Function]
    problem: Problem
    stated: Sequence[facts.Fact]

    def open_slacks(self, rng: Generator) -> list[str]:
        """Return, as text, the slacks that are the quantity of no fact.

        It is the whole statement where that has no slacks.
        """
        slacks = relations(self.problem.statement)
        known = {*self.problem.quantities, *self.problem.space.coordinates}
        if not slacks or not known.issuperset(self.proof.parameters):
            return [self.problem.statement.text]
        points = [*self._points(rng)]
        covering = [
            at for at, fact in enumerate(self.stated) if self._covers(fact, points)
        ]
        return [
            ast.unparse(relation.slack)
            for relation in slacks
            if not any(self._same(at, relation, points[:COMPARED]) for at in covering)
        ]

    def _points(self, rng: Generator) -> Iterator[Raws]:
        """Give the raw numbers of random instances that meet the hypotheses."""
        size = self.problem.space.sizes[0]
        cube = rng.random((self.problem.space.cube_width(size), SEEN))
        batch = look(self.problem, size, cube)
        for column in np.flatnonzero(batch.feasible):
            yield batch.raws(int(column))

    def _covers(self, fact: facts.Fact, points: Sequence[Raws]) -> bool:
        """Tell whether the values that the space gives lie in the ranges of a fact."""
        free = {str(symbol) for symbol in fact.quantity.free_symbols}
        spans = {}
        for symbol, span in fact.ranges.items():
            name = str(symbol)
            if name in free and name in self.proof.parameters:
                spans[name] = span
        for raws in points:
            with mode("exact"):
                known = self.problem.instance(raws)
                for name, span in spans.items():
                    if not _inside(self.problem.value(name, known), span):
                        return False
        return True

    def _same(self, at: int, relation: Relation, points: Sequence[Raws]) -> bool:
        """Tell whether the quantity of a fact is a slack.

        An identity of SymPy tells, or equal numbers at random points. The slack of an
        equation is zero wherever it holds, which numbers cannot tell from another zero:
        SymPy has to find that it vanishes.
        """
        fact = self.stated[at]
        if fact.name not in relation.proved_by:
            return False
        slack = _slack(self.problem, relation)
        if fact.name == "zero":
            return self._vanishes(fact, slack, 0)
        if self._vanishes(fact, slack, fact.quantity):
            return True
        return self._agree(at, slack, points)

    def _vanishes(self, fact: facts.Fact, slack: Slack, less: facts.Expression) -> bool:
        """Tell whether SymPy finds that a slack is an expression of the arguments."""
        with mode("symbolic"), suppress(*OPEN):
            known: Values = {str(symbol): symbol for symbol in fact.ranges}
            return facts.vanishes(slack(known) - less)
        return False

    def _agree(self, at: int, slack: Slack, points: Sequence[Raws]) -> bool:
        """Tell whether a slack and what a fact is about are equal at random points."""
        proof = self.functions[self.proof]
        for raws in points:
            with mode("exact"):
                try:
                    known = self.problem.instance(raws)
                    arguments = [
                        self.problem.value(name, known)
                        for name in self.proof.parameters
                    ]
                    theirs = facts.listen(proof, arguments)[at]
                    if number(slack(known)).sign_to(theirs) != 0:
                        return False
                except OPEN:
                    return False
        return len(points) == COMPARED


def _inside(value: Value, span: facts.Range) -> bool:
    low, high = span
    above = low is None or value >= facts.fraction(low)
    below = high is None or value <= facts.fraction(high)
    return bool(above and below)


def _run(unit: Unit, *change: Value) -> dict[Unit, Function]:
    """Run the facts of a proof, perhaps changed; return what its texts make."""
    functions = make(with_used(unit), *change)
    with mode("symbolic"):
        functions[unit](*facts.symbols(unit.ranges))
    return functions


def prove(
    proof: Function,
    part: str = "",
    problem: Problem | None = None,
    rng: Generator | None = None,
) -> Outcome:
    """Run the facts of a proof, and mutants of it, and say what they prove.

    That is the statement of `problem`, where each of its slacks is the quantity of a
    fact, or a step of its proof that `part` names. Raises `Unproved` where a fact is
    not found, and where the facts are less than the statement and no part is named.
    """
    unit = read(proof, "the proof")
    with ONE_AT_A_TIME:
        functions = _run(unit)
        if not part and problem is not None:
            tie = Tie(unit, functions, problem, [*facts.WORK.facts])
            open_slacks = tie.open_slacks(rng or np.random.default_rng(1))
            if open_slacks:
                raise facts.Unproved(
                    "the facts are not the statement: none of them is"
                    f" {' or '.join(open_slacks)}; say in part= which step they prove"
                )
        controls = _mutants(unit)
    statement = problem.statement.text if problem else unit.text
    return Outcome(
        "proof",
        part or statement,
        proved(unit),
        looked=1,
        drawn=1,
        decided=Counter(holds=1),
        controls=controls,
        universal=True,
        step=part,
        over=[Span(*span) for span in unit.spans()],
    )


def _mutants(unit: Unit) -> Challenge:
    """Try changed texts of a proof until enough are refuted.

    One that is true was not to be refuted, and is not counted.
    """
    result = Challenge()
    near = edits(unit, "")
    for edit in near[:: max(1, len(near) // MOST_EDITS)]:
        if len(result.refuted) == ENOUGH:
            break
        outcome = "survived"
        try:
            _run(unit, *edit.change)
        except (ArithmeticError, ValueError, TypeError, AttributeError):
            outcome = "refuted"
        if not facts.still_true():
            result.tries.append(Tried(edit.words, "variant", outcome))
    return result
