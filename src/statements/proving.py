r"""Run the facts of a proof, and find whether they are the statement, or a step of its proof, which has to be named.

`a <= b` has the slack b - a. The facts prove a statement where each of its slacks is
what a fact calls nonnegative: SymPy finds the identity, or both agree as numbers at
random points of the space; and where the ranges of the proof cover the space.
"""

import ast
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from statements import proof as facts
from statements.arithmetic import mode, number, simplest
from statements.edits import edits
from statements.mutants import Challenge, Tried
from statements.outcome import Outcome, Span
from statements.render import proved
from statements.rewrite import Unit, make, read, used
from statements.search import OPEN, Problem, look

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


def _relations(node: ast.expr) -> Iterator[Relation | None]:
    """Give the comparisons of a conjunction; None for a part that is none."""
    match node:
        case ast.BoolOp(op=ast.And(), values=parts) | ast.Tuple(elts=parts):
            for part in parts:
                yield from _relations(part)
        case ast.Compare(left=left, ops=hows, comparators=sides):
            for how, first, second in zip(
                hows, [left, *sides[:-1]], sides, strict=True
            ):
                low, high = (
                    (second, first)
                    if isinstance(how, ast.GtE | ast.Gt)
                    else (first, second)
                )
                slack = ast.BinOp(high, ast.Sub(), low)
                yield (
                    Relation(slack, PROVED_BY[type(how)])
                    if type(how) in PROVED_BY
                    else None
                )
        case _:
            yield None


def relations(statement: Unit) -> list[Relation]:
    """Return all comparisons of a statement, or none where it is not a conjunction of comparisons."""
    body = statement.tree.body
    if len(body) != 1 or not isinstance(body[0], ast.Return) or body[0].value is None:
        return []
    found = list(_relations(body[0].value))
    return [] if None in found else [item for item in found if item is not None]


def _slack(problem: Problem, relation: Relation) -> Callable[[dict[Any, Any]], Any]:
    """Return a function that gives one of the slacks of a statement where its arguments have some values."""
    body = problem.statement.tree.body[0]
    assert isinstance(body, ast.Return)
    assert body.value is not None
    slack = replace(
        problem, made=make(problem.made, problem.statement, body.value, relation.slack)
    )
    return lambda values: slack.of(problem.statement, values)


class Tie:
    """Compare the facts of a proof, once it has run, with the slacks of a statement."""

    def __init__(
        self, proof: Unit, made: Mapping[Unit, Callable[..., Any]], problem: Problem
    ) -> None:
        self.proof = proof
        self.made = made
        self.problem = problem
        self.stated = list(facts.RECORDED)

    def open_slacks(self, rng: np.random.Generator) -> list[str]:
        """Return, as text, the slacks that are the quantity of no fact; the whole statement where it has none."""
        found = relations(self.problem.statement)
        known = {*self.problem.quantities, *self.problem.space.coordinates}
        if not found or not known.issuperset(self.proof.parameters):
            return [self.problem.statement.text]
        points = [*self._points(rng, SEEN)]
        covering = [
            at for at, fact in enumerate(self.stated) if self._covers(fact, points)
        ]
        return [
            ast.unparse(relation.slack)
            for relation in found
            if not any(self._same(at, relation, points[:COMPARED]) for at in covering)
        ]

    def _points(self, rng: np.random.Generator, count: int) -> Iterator[dict[str, Any]]:
        """Give the raw numbers of random instances that meet the hypotheses."""
        size = self.problem.space.sizes[0]
        cube = rng.random((sum(self.problem.space.widths(size)), count))
        batch = look(self.problem, size, cube)
        for column in np.flatnonzero(batch.feasible):
            yield batch.raws(int(column))

    def _covers(self, fact: facts.Fact, points: Sequence[Mapping[str, Any]]) -> bool:
        """Tell whether the values that the space gives lie in the ranges of a fact."""
        spans = {
            str(symbol): span
            for symbol, span in fact.ranges.items()
            if str(symbol) in self.proof.parameters
        }
        free = {str(symbol) for symbol in fact.quantity.free_symbols}
        wanted = [name for name in spans if name in free]
        for raws in points:
            with mode("exact"):
                known = dict(self.problem.instance(raws))
                if not all(
                    _inside(self.problem.value(name, known), *spans[name])
                    for name in wanted
                ):
                    return False
        return True

    def _same(
        self, at: int, relation: Relation, points: Sequence[Mapping[str, Any]]
    ) -> bool:
        """Tell whether the quantity of a fact is a slack: an identity of SymPy, or equal numbers at random points.

        The slack of an equation is zero wherever it holds, which numbers cannot tell
        from another zero: SymPy has to find that it vanishes.
        """
        fact = self.stated[at]
        if fact.name not in relation.proved_by:
            return False
        slack = _slack(self.problem, relation)
        if fact.name == "zero":
            return self._vanishes(fact, slack, 0)
        return self._vanishes(fact, slack, fact.quantity) or self._agree(
            at, slack, points
        )

    def _vanishes(self, fact: facts.Fact, slack: Callable[..., Any], less: Any) -> bool:
        """Tell whether SymPy finds that a slack is an expression in the arguments of the proof."""
        with mode("symbolic"), suppress(*OPEN):
            known = {str(symbol): symbol for symbol in fact.ranges}
            return facts.vanishes(slack(known) - less)
        return False

    def _agree(
        self, at: int, slack: Callable[..., Any], points: Sequence[Mapping[str, Any]]
    ) -> bool:
        """Tell whether a slack and the quantity of a fact are equal as numbers at random points."""
        for raws in points:
            with mode("exact"):
                try:
                    known = dict(self.problem.instance(raws))
                    given = [
                        self.problem.value(name, known)
                        for name in self.proof.parameters
                    ]
                    theirs = facts.listen(self.made[self.proof], given)[at]
                    if number(slack(known)).sign_to(theirs) != 0:
                        return False
                except OPEN:
                    return False
        return len(points) == COMPARED


def _inside(value: Any, low: Any, high: Any) -> bool:
    above = low is None or value >= facts.fraction(low)
    below = high is None or value <= facts.fraction(high)
    return bool(above and below)


def _spans(unit: Unit) -> list[Span]:
    """Say for which arguments a proof holds, by its defaults."""
    spans = ((name, *(span or (None, None))) for name, span in unit.ranges.items())
    return [Span(name, _end(low), _end(high)) for name, low, high in spans]


def _end(value: Any) -> str:
    return "" if value is None else str(simplest(value))


def prove(
    proof: Any,
    part: str = "",
    problem: Problem | None = None,
    rng: np.random.Generator | None = None,
) -> Outcome:
    """Run the facts of a proof, and changed texts of it; say that they prove the statement of `problem` if they do.

    `part` names the step that they prove; without it each slack of the statement must
    be the quantity of a fact. Raises `Unproved` where a fact is not found, and where
    the facts are less than the statement and no part is named.
    """
    unit = read(proof, "the proof")
    helpers = [helper for _, helper, _ in used([unit])]
    texts = [unit, *helpers]

    def run(*change: Any) -> Mapping[Unit, Callable[..., Any]]:
        made = make(texts, *change)
        with mode("symbolic"):
            made[unit](*facts.symbols(unit.ranges))
        return made

    made = run()
    if not part and problem is not None:
        open_slacks = Tie(unit, made, problem).open_slacks(
            rng or np.random.default_rng(1)
        )
        if open_slacks:
            raise facts.Unproved(
                f"the facts are not the statement: none of them is {' or '.join(open_slacks)}; say in part= which step "
                "they prove"
            )
    shown = proved(unit)
    said = part or (problem.statement.text if problem else unit.text)
    outcome = Outcome(
        "proof",
        said,
        shown,
        1,
        1,
        Counter(holds=1),
        universal=True,
        step=part,
        over=_spans(unit),
    )
    outcome.controls = _changed(unit, run)
    return outcome


def _changed(unit: Unit, run: Callable[..., Any]) -> Challenge:
    """Try changed texts of a proof until enough are refuted; one that is true was not to be refuted."""
    found = Challenge()
    near = edits(unit, "")
    for edit in near[:: max(1, len(near) // MOST_EDITS)]:
        if len(found.refuted) == ENOUGH:
            break
        try:
            run(*edit[:3])
            outcome = "survived"
        except (ArithmeticError, ValueError, TypeError, AttributeError):
            outcome = "refuted"
        if not facts.still_true():
            found.tries.append(Tried(edit.words, "variant", outcome))
    return found
