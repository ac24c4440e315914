r"""Look at many instances in floats: all of a batch at once, or one after the other."""

import math
from collections.abc import Container, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.random import Generator

from statements.arithmetic import Bools, Floats, mode
from statements.problem import REFUSALS, Problem, Values
from statements.rewrite import Unit
from statements.space import Raws, SpaceType, raws_of

#: What the number of points is called, beside the names of integers.
POINTS = "points"
#: Instances on which both ways to look are compared, what a gap that is not computed
#: counts as there, and how far two gaps may differ, relative to their size or at all.
PROBES = 12
UNDEFINED = 1e300
SAME = 1e-6


@dataclass(eq=False)
class Batch:
    """Hold instances of one size as floats, and what they showed.

    `cube` is where they lie, `drawn` are their raw numbers, a column for each instance.
    `values` are what names stand for, of all instances at once, or of one after the
    other. Of the margins of `hypotheses`, and of the `gaps`, each row is that of one
    comparison.
    """

    size: int
    cube: Floats
    drawn: dict[str, Floats]
    values: list[Values]
    hypotheses: Floats
    margin: Floats
    gaps: Floats

    @property
    def feasible(self) -> Bools:
        """Which instances meet all hypotheses; a NaN is not held against them."""
        return np.logical_not((self.hypotheses < 0).any(axis=0))

    @property
    def score(self) -> Floats:
        """What an attack makes small: the mean of margin and least gap.

        Either may be what comes near zero. Where the statement fails it is the margin.
        """
        least = self.gaps.min(axis=0)
        with np.errstate(all="ignore"):
            near = np.nan_to_num(least / (1 + np.abs(least)), nan=1.0)
        return np.where(self.margin >= 0, (self.margin + near) / 2, self.margin)

    def ranked(self, undefined: float) -> Floats:
        """Return the scores: infinity where infeasible, and a number for NaN."""
        score = np.nan_to_num(self.score, nan=undefined)
        return np.where(self.feasible, score, np.inf)

    def raws(self, column: int) -> Raws:
        """Return one instance as rationals."""
        return raws_of(self.drawn, column)


def look(
    problem: Problem,
    size: int,
    cube: Floats,
    before: Batch | None = None,
    touched: Container[str | Unit] = (),
) -> Batch:
    """Compute all margins of a batch in floats.

    An instance is a column of the cube. Names and hypotheses keep the values that they
    have in `before`, unless `touched`.
    """
    values: list[Values] = []
    if before:
        drawn = before.drawn
        for row in before.values:
            values.append({key: row[key] for key in row if key not in touched})
    else:
        drawn = problem.space.draw(cube, size)
    if problem.one_at_a_time:
        table = _one_by_one(problem, drawn, values)
        first_hypothesis = 2
    else:
        with mode("vector"):
            values = values or [problem.space.values(drawn)]
            margins = problem.margins(values[0])
        assert margins is not None, "floats leave no hypothesis open"
        hypotheses, outcome = margins
        rows = [outcome.margin, *outcome.gaps, *hypotheses]
        first_hypothesis = 1 + len(outcome.gaps)
        shape = cube.shape[1:]
        table = np.array(
            [np.broadcast_to(np.asarray(row, float), shape) for row in rows]
        )
    gaps = table[1:first_hypothesis]
    return Batch(size, cube, drawn, values, table[first_hypothesis:], table[0], gaps)


def _one_by_one(
    problem: Problem,
    drawn: Mapping[str, Floats],
    values: list[Values],
) -> Floats:
    """Return margins, least gaps, and margins of hypotheses, a row each.

    Equal instances are computed once. What they give a value is put into `values`.
    Raises what the statement raised where no instance is defined.
    """
    _, first, where = np.unique(
        np.concatenate([*drawn.values()]),
        axis=1,
        return_index=True,
        return_inverse=True,
    )
    columns = []
    refused = None
    with mode("scalar"):
        if not values:
            for at in first:
                raws = {name: part[:, at] for name, part in drawn.items()}
                values.append(problem.space.values(raws, float))
        for known in values:
            try:
                margins = problem.margins(known)
                assert margins is not None, "floats leave no hypothesis open"
                hypotheses, outcome = margins
                least = np.min(outcome.gaps)
                columns.append([outcome.margin, least, *hypotheses])
            except REFUSALS as error:
                columns.append([math.nan] * (2 + len(problem.hypotheses)))
                refused = error
    table = np.array(columns, float)[where.ravel()].T
    if refused is not None and np.isnan(table[0]).all():
        raise refused
    return table


def prepare(problem: Problem, rng: Generator) -> None:
    """Find whether a text means the same for many instances at once as for one.

    Where it does not, instances of the problem are taken one at a time.
    """
    size = problem.space.sizes[0]
    cube = rng.random((problem.space.cube_width(size), PROBES))
    together, alone = (
        _least_gaps(replace(problem, one_at_a_time=single), size, cube)
        for single in (False, True)
    )
    apart = np.abs(together - alone) > SAME * (1 + np.abs(alone))
    refused = together == UNDEFINED
    problem.one_at_a_time = bool(refused.all() or apart.any())


def _least_gaps(problem: Problem, size: int, cube: Floats) -> Floats:
    try:
        least: Floats = look(problem, size, cube).gaps.min(axis=0)
    except REFUSALS:
        least = np.full(cube.shape[1], UNDEFINED)
    return np.nan_to_num(least, nan=UNDEFINED)


def reached(space: SpaceType, batch: Batch) -> dict[str, int]:
    """Return how far the instances go that meet the hypotheses and could be computed.

    That is the number of points of their vectors, and for each integer, and each vector
    of counts, the largest (sum).
    """
    feasible = batch.feasible & ~np.isnan(batch.margin)
    if not feasible.any():
        return {}
    reach = {}
    if space.length is None and space.vectors():
        reach[POINTS] = batch.size
    for name, item in space.coordinates.items():
        if item.integer:
            drawn = batch.drawn[name][:, feasible]
            reach[name] = int(drawn.sum(axis=0).max())
    return reach
