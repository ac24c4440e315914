r"""Attack a statement: search the cube for the instance of the least margin."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from statements.arithmetic import Floats
from statements.batches import Batch, look
from statements.problem import Problem
from statements.space import SpaceType

#: Multiples of it, without the integer part, are spread evenly.
GOLDEN = (math.sqrt(5) - 1) / 2
#: How many numbers say what a vector of many points is.
NUMBERS = 6
#: A step of differential evolution takes part of its coordinates from a new point, and
#: goes towards the best member of its island in part of the cases.
CROSSOVER = 0.8
PULLED = 0.5
LEAST_FACTOR = 0.3
LARGEST_FACTOR = 0.9
#: A margin that is less is a counterexample.
REFUTED = -1e-6
#: Islands agree, and have come to rest, where their least margins differ by less, and
#: where the last generations have won less.
RESTING = 1e-9
GENERATIONS = 10
#: What an attack takes a margin for that is no number, and where a hypothesis fails.
UNDEFINED = 1.5
UNMET = 2


@dataclass(frozen=True)
class Evolution:
    """Hold how much is tried: islands, members of each, and generations."""

    islands: int = 4
    members: int = 24
    generations: int = 60


@dataclass(frozen=True)
class ManyPoints:
    """Make instances of many points of a few numbers.

    A vector is made of two groups of points that are equal, or differ by up to a
    spread, and of two single points.
    """

    space: SpaceType
    size: int

    @property
    def width(self) -> int:
        """How many numbers say what an instance is."""
        coordinates = self.space.coordinates.values()
        return sum(item.entries(NUMBERS) for item in coordinates)

    def cube(self, numbers: Floats) -> Floats:
        """Return points of the cube, a column for each column of numbers."""
        parts: list[Floats] = []
        for item in self.space.coordinates.values():
            count = item.entries(NUMBERS)
            part = numbers[:count]
            if item.vector:
                part = _spread(part, self.size, item.extra)
            parts.append(part)
            numbers = numbers[count:]
        return np.concatenate(parts)


def _spread(numbers: Floats, size: int, extra: int) -> Floats:
    """Return points of the cube for one vector, a column for each column of numbers."""
    first, second, share, spread, one, other = numbers
    places = np.arange(size + extra)[:, None]
    noise = np.modf((places + 1) * GOLDEN)[0] - 0.5
    centre = np.where(places < share * size, first, second)
    cube: Floats = np.clip(centre + np.maximum(2 * spread - 1, 0) * noise, 0, 1 - 1e-9)
    cube[0] = one
    cube[1] = other
    return cube


def _height(batch: Batch) -> Floats:
    """Return what the search makes small: the score, or how far a hypothesis is off."""
    least = np.nan_to_num(batch.hypotheses, nan=-1.0).min(axis=0, initial=0.0)
    score = np.nan_to_num(batch.score, nan=UNDEFINED)
    return np.where(batch.feasible, score, UNMET - least)


def _proposed(
    cube: Floats,
    score: Floats,
    effort: Evolution,
    rng: Generator,
) -> Floats:
    """Return a new point for each member: a step between members of its island."""
    islands = score.reshape(effort.islands, effort.members)
    first = np.arange(effort.islands).repeat(effort.members) * effort.members
    best = cube[:, first + islands.argmin(axis=1).repeat(effort.members)]
    count = score.size
    a, b, c = (
        cube[:, first + rng.integers(effort.members, size=count)] for _ in range(3)
    )
    pull = np.where(rng.random(count) < PULLED, rng.random(count), 0.0)
    factor = rng.uniform(LEAST_FACTOR, LARGEST_FACTOR, count)
    step = a + pull * (best - a) + factor * (b - c)
    step = np.where((step < 0) | (step > 1), rng.random(step.shape), step)
    return np.where(rng.random(cube.shape) < CROSSOVER, step, cube)


def _ended(least: Sequence[float], score: Floats, islands: int) -> bool:
    """Tell whether a counterexample is found, or all islands have come to one value."""
    if least[-1] < REFUTED:
        return True
    apart = np.ptp(score.reshape(islands, -1).min(axis=1))
    before = len(least) - 1 - GENERATIONS
    if before <= 0 or not apart < RESTING:
        return False
    return least[before] - least[-1] < RESTING


def attack(
    problem: Problem,
    size: int,
    rng: Generator,
    effort: Evolution,
    many: ManyPoints | None = None,
) -> Batch:
    """Search the cube for the least margin by differential evolution.

    It ends once all islands have come to one value. With `many` the search is among the
    numbers that make instances of many points.
    """

    def seen(points: Floats) -> Batch:
        if many:
            points = many.cube(points)
        return look(problem, size, points)

    width = many.width if many else problem.space.cube_width(size)
    cube = rng.random((width, effort.islands * effort.members))
    score = _height(seen(cube))
    least = [math.inf]
    for _ in range(effort.generations):
        new = _proposed(cube, score, effort, rng)
        height = _height(seen(new))
        cube = np.where(height <= score, new, cube)
        score = np.minimum(height, score)
        least.append(score.min())
        if _ended(least, score, effort.islands):
            break
    return seen(cube)
