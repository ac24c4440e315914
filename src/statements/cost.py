r"""What a look at many points costs, and how many points a text can afford."""

import math
import sys
from types import FrameType

import numpy as np

from statements.batches import look
from statements.problem import REFUSALS, Problem

#: How many calls one look at instances of many points may take, and by what their
#: number may grow from 4 to 8 points.
MOST_CALLS = 4_000
MOST_GROWTH = 8
FEW_POINTS = 4
TWICE_AS_MANY = 8


class TooManyCalls(Exception):
    """Say that a look takes too many calls."""


def _resume(profiler: object) -> None:
    """Give the profiler that was at work, a function or an object, its place again."""
    sys.setprofile(None)
    if callable(profiler):
        sys.setprofile(profiler)
    elif hasattr(profiler, "enable"):  # one of the standard library
        profiler.enable()


def count_calls(problem: Problem, size: int) -> float:
    """Count the calls of one look at an instance, a measure of time of all machines.

    Where there are more than `MOST_CALLS` the look is given up, and their number is
    infinite.
    """
    count = 0
    counting = True

    def note(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")
        if counting and count > MOST_CALLS:
            raise TooManyCalls

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        look(problem, size, np.full((problem.space.cube_width(size), 1), 0.5))
    except (TooManyCalls, LookupError, *REFUSALS):
        return math.inf
    finally:
        counting = False
        _resume(before)
    return count


def affordable(problem: Problem) -> int:
    """Return how many points instances may have.

    It is the first of `sizes_far` that a look can afford, or the largest of `sizes`. A
    text that runs over subsets is seen by how its calls grow, and not tried there.
    """
    more = count_calls(problem, TWICE_AS_MANY)
    if more <= MOST_GROWTH * count_calls(problem, FEW_POINTS):
        for size in problem.space.sizes_far:
            if math.isfinite(count_calls(problem, size)):
                return size
    return max(problem.space.sizes)
