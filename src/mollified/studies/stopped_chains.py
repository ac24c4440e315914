r"""Studies for the page on stopped chains."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pandas as pd

from mollified._validate import Array, check_count, check_each, check_eps, check_interval
from mollified.exact_level import Law
from mollified.metropolis import law_after, metropolis_kernel
from mollified.stopped_chain import (
    extreme_pair,
    hockey_stick,
    independence_proposal,
    independence_ratio,
    metropolis_rows,
    point_start,
    steps_needed,
    stopped_laws,
    worst_ratio,
)

__all__ = ["costs", "fixed_start", "independence_levels", "walk_levels"]


def _fraction(name: str, value: object) -> Fraction:
    """Return a fraction given as text, else raise an error that names it."""
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a fraction as text, got {value!r}")
    try:
        return Fraction(value)
    except (ValueError, ZeroDivisionError) as error:
        raise ValueError(f"{name} must be a fraction as text, got {value!r}") from error


def _above(name: str, value: object, least: int) -> Fraction:
    """Return a fraction given as text that exceeds `least`."""
    found = _fraction(name, value)
    if found <= least:
        raise ValueError(f"{name} must be > {least}, got {value!r}")
    return found


def _atom(name: str, value: object, root: Fraction) -> Fraction:
    """Return a mass given as text, small enough for the pair that is extreme at it to lie in the mollifier."""
    found = _above(name, value, 0)
    if found * (root + 1) > 1:
        raise ValueError(f"{name} must be at most 1/(root + 1), got {value!r} with root {root}")
    return found


def _window(size: int, reach: int) -> Array:
    """Return proposals uniform on the points at most `reach` away; what falls off the lattice stays."""
    matrix = np.zeros((size, size))
    for x in range(size):
        for move in range(-reach, reach + 1):
            matrix[x, x + move if 0 <= x + move < size else x] += 1 / (2 * reach + 1)
    return matrix


def _levels(reference: Array, pair: Sequence[Array], proposal: Array, steps: Sequence[int]) -> list[float]:
    """Return the largest absolute log-ratio of the two stopped laws after each number of steps, from `reference`."""
    kernels = [metropolis_kernel(np.log(target), proposal) for target in pair]
    found = []
    for n in steps:
        one, two = (law_after(kernel, reference, n) for kernel in kernels)
        found.append(float(np.abs(np.log(one / two)).max()))
    return found


def walk_levels(eps: float, steps: Sequence[int], reach: int, tail: float) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return the level of a chain stopped after n steps from a draw of $Q_0$, a standard Gaussian on a lattice.

    The lattice is -5, -4.9, ..., 5. Members: $Q/Q_0=e^{\varepsilon/2}$ where |x| > `tail`, $e^{-\varepsilon/2}$ where
    1 < |x| <= `tail`, a constant in between, and Q' the other way round. Outputs of MBDE as T -> infinity:
    $v=e^{\pm\varepsilon/4}$ on the tails and $e^{\mp\varepsilon/4}$ elsewhere. The walk proposes one of the points
    within `reach` tenths; the independence sampler a draw of $Q_0$. Floats. Columns chain, n, level, share (of eps).
    """
    eps, tail = check_eps("eps", eps), check_interval("tail", tail, 1.0, 5.0, open_low=True, open_high=True)
    check_each("steps", steps, lambda name, n: check_count(name, n, minimum=0))
    reach = check_count("reach", reach)
    x = np.linspace(-5.0, 5.0, 101)
    reference: Array = np.exp(-(x**2) / 2)
    reference /= reference.sum()
    outer, inner = np.abs(x) > tail, np.abs(x) < 1.05
    members: list[Array] = []
    outputs: list[Array] = []
    for sign in (1.0, -1.0):
        ratio: Array = np.exp(sign * eps / 2 * np.where(outer, 1.0, -1.0))
        ratio[inner] = (1 - (ratio * reference)[~inner].sum()) / reference[inner].sum()
        if not math.exp(-eps / 2) <= ratio[inner][0] <= math.exp(eps / 2):
            raise ValueError(f"eps must leave room for the middle of a member, got {eps!r} with tail {tail!r}")
        members.append(ratio * reference)
        weight = np.exp(sign * eps / 4 * np.where(outer, 1.0, -1.0)) * reference
        outputs.append(weight / weight.sum())
    walk, draws = _window(x.size, reach), np.tile(reference, (x.size, 1))
    rows = []
    for chain, pair, proposal in (
        ("members, walk", members, walk),
        ("outputs, walk", outputs, walk),
        ("members, draws", members, draws),
    ):
        found = _levels(reference, pair, proposal, steps)
        rows += [(chain, n, level, level / eps) for n, level in zip(steps, found, strict=True)]
    table = pd.DataFrame(rows, columns=["chain", "n", "level", "share"])
    walked = table[table["chain"] == "members, walk"]
    over = walked[walked["share"].to_numpy() > 1.005]["n"]
    later = walked[walked["n"] > (over.max() if len(over) else -1)]["n"]
    facts = {
        "eps": eps,
        "most": float(walked["share"].max()),
        "back": float(later.min()) if len(later) else math.inf,
        "at": float(walked["n"].iloc[int(walked["share"].to_numpy().argmax())]),
        "most_output": float(table[table["chain"] == "outputs, walk"]["share"].max()),
    }
    return table, facts


def independence_levels(roots: Sequence[str], most: int, atom: str) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return the sharp level of the independence sampler from a draw of $Q_0$, and what a small atom reaches.

    `roots` are $e^{\varepsilon/2}$ as text, n = 0, ..., `most`. Columns root, n, eps, level, reached (nats), computed
    in rationals; reached is the level of the pair that is extreme at an atom of mass `atom`.
    """
    levels = check_each("roots", roots, lambda name, r: _above(name, r, 1))
    mass = _atom("atom", atom, max(levels))
    last = check_count("most", most)
    rows, facts = [], {}
    for text, root in zip(roots, levels, strict=True):
        base, one, two = extreme_pair(root, mass)
        runs = [stopped_laws(metropolis_rows(q, independence_proposal(base)), base, last) for q in (one, two)]
        eps = 2 * math.log(root)
        for n in range(last + 1):
            reached = worst_ratio(runs[0][n], runs[1][n])
            assert reached is not None
            rows.append((text, n, eps, math.log(independence_ratio(root, n)), math.log(reached)))
        facts[f"eps {text}"], facts[f"first {text}"] = eps, rows[-last][3]
    facts["shown"] = float(len(levels))
    facts["least_first"] = min(facts[f"first {text}"] / facts[f"eps {text}"] for text in roots)
    return pd.DataFrame(rows, columns=["root", "n", "eps", "level", "reached"]), facts


def fixed_start(root: str, atoms: Sequence[str], most: int) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return the level and the exact $\delta$ of the independence sampler from a fixed point with a small mass.

    $Q_0=(a,1-a)$, start at the first point, the pair that is extreme there; $\delta$ at $e^\varepsilon$ = `root`^2,
    n = 1, ..., `most`. Rationals. Columns atom, n, level (nats), delta, bound = $(1-1/r)^n$.
    """
    r = _above("root", root, 1)
    masses = check_each("atoms", atoms, lambda name, a: _atom(name, a, r))
    last = check_count("most", most)
    rows = []
    for text, mass in zip(atoms, masses, strict=True):
        base, one, two = extreme_pair(r, mass)
        start: Law = point_start(2, 0)
        runs = [stopped_laws(metropolis_rows(q, independence_proposal(base)), start, last) for q in (one, two)]
        for n in range(1, last + 1):
            reached = worst_ratio(runs[0][n], runs[1][n])
            assert reached is not None
            delta = hockey_stick(runs[0][n], runs[1][n], r**2)
            rows.append((text, n, math.log(reached), float(delta), float((1 - 1 / r) ** n)))
    table = pd.DataFrame(rows, columns=["atom", "n", "level", "delta", "bound"])
    return table, {"eps": 2 * math.log(r), "exp_eps": float(r**2), "shown": float(len(masses))}


def costs(eps: Sequence[str], delta: str) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return the proposals of exact rejection and the steps that the independence sampler needs for the same $\delta$.

    Columns eps, mean (proposals of rejection, $e^{\varepsilon/2}$), steps (the smallest n with
    $(1-e^{-\varepsilon/2})^n\le\delta$, certified; also what rejection exceeds with probability at most $\delta$),
    ratio. `eps` and `delta` are fractions as text.
    """
    levels, bound = check_each("eps", eps, lambda name, e: _above(name, e, 0)), _above("delta", delta, 0)
    if bound >= 1:
        raise ValueError(f"delta must be < 1, got {delta!r}")
    rows = []
    for level in levels:
        mean, needed = math.exp(level / 2), steps_needed(level, bound)
        rows.append((float(level), mean, needed, needed / mean))
    table = pd.DataFrame(rows, columns=["eps", "mean", "steps", "ratio"])
    least, most = float(table["ratio"].min()), float(table["ratio"].max())
    return table, {"delta": float(bound), "log": -math.log(bound), "least_ratio": least, "most_ratio": most}
