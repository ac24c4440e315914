r"""Studies for the page on the naive sampler: its hull, and its losses against those of projections."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pandas as pd

from mollified._validate import check_count, check_each, check_seed
from mollified.exact_level import Law
from mollified.instances import random_law
from mollified.naive_sampler import closest_in_hull, closest_in_relative, response_law
from mollified.studies.hulls import laws_on_simplex

__all__ = ["hulls_by_level", "losses_by_support", "losses_of_random_laws"]

ZERO, ONE = Fraction(0), Fraction(1)


def _root(name: str, value: object) -> Fraction:
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a fraction exp(eps/2) > 1 as text, got {value!r}")
    try:
        root = Fraction(value)
    except (ValueError, ZeroDivisionError) as error:
        raise ValueError(f"{name} must be a fraction exp(eps/2) > 1 as text, got {value!r}") from error
    if root <= 1:
        raise ValueError(f"{name} must be a fraction exp(eps/2) > 1 as text, got {value!r}")
    return root


def _loss(p: Law, q: Law) -> float:
    """Return KL(P, Q) in nats; errs by rounding, about 1e-15."""
    return math.fsum(float(a) * math.log(a / b) for a, b in zip(p, q, strict=True) if a > 0)


def hulls_by_level(roots: Sequence[str]) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return, on three points, the hull of randomised response and the mollifier around the uniform law, by level.

    `roots` are values of $e^{\varepsilon/2}$ as text. Columns root, shape, order, x1, x2, x3. The two shapes are equal
    for $e^{\varepsilon/2}=2$.
    """
    tables = []
    for root in check_each("roots", roots, _root):
        table, _ = laws_on_simplex(2 * math.log(root), [1 / 3] * 3)
        table.insert(0, "root", float(root))
        tables.append(table[table["shape"].isin(["hull", "relative"])])
    return pd.concat(tables, ignore_index=True), {"threshold": 2 * math.log(2)}


def losses_by_support(roots: Sequence[str], size: int) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return $\operatorname{KL}(P,\cdot)$ for P uniform on j of `size` points: naive sampler and mollification.

    Randomised response, the mollification around the uniform law, and the uniform law itself. Columns root, j, naive,
    relative, uniform (nats); facts: by root, the largest j for which the naive sampler is closer.
    """
    count = check_count("size", size, minimum=2)
    uniform = (Fraction(1, count),) * count
    rows, facts = [], {"size": float(count)}
    for root in check_each("roots", roots, _root):
        last = 0
        for j in range(1, count + 1):
            p = (Fraction(1, j),) * j + (ZERO,) * (count - j)
            naive, best = response_law(p, root**2), closest_in_relative(p, uniform, root)
            last = j if naive[0] > best[0] else last
            rows.append((float(root), j, _loss(p, naive), _loss(p, best), math.log(count / j)))
        facts[f"last_{float(root):g}"] = float(last)
    return pd.DataFrame(rows, columns=["root", "j", "naive", "relative", "uniform"]), facts


def losses_of_random_laws(root: str, size: int, laws: int, seed: int) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return, for random laws of three kinds, the losses of the naive sampler and of two projections at its level.

    Columns kind (even, uneven, concentrated), i, naive, own (closest in the hull of randomised response), relative
    (closest around the uniform law), in nats; facts: by kind, the number of laws for which the naive sampler is closer
    than the relative projection, and the mean losses.
    """
    r, count, many = _root("root", root), check_count("size", size, minimum=2), check_count("laws", laws)
    rng = np.random.default_rng(check_seed("seed", seed))
    uniform = (Fraction(1, count),) * count
    rows = []
    for kind, spread in (("even", 3), ("uneven", 12), ("concentrated", 50)):
        for index in range(many):
            p = random_law(rng, count, spread=spread)
            rows.append(
                (
                    kind,
                    index,
                    _loss(p, response_law(p, r**2)),
                    _loss(p, closest_in_hull(p, r**2)[1]),
                    _loss(p, closest_in_relative(p, uniform, r)),
                )
            )
    table = pd.DataFrame(rows, columns=["kind", "i", "naive", "own", "relative"])
    facts = {"eps": 2 * math.log(r), "laws": float(many), "size": float(count)}
    for kind in ("even", "uneven", "concentrated"):
        group = table[table["kind"] == kind]
        facts[f"naive_closer_{kind}"] = float((group["naive"] < group["relative"]).sum())
        for name in ("naive", "own", "relative"):
            facts[f"{name}_{kind}"] = float(group[name].mean())
    return table, facts
