r"""Sweeps and searches for settings in which the corrected recipe for k and m fails. Floats, all settings at once."""

from __future__ import annotations

from typing import Literal

import numpy as np

from mollified._validate import Array, check_count, check_finite, check_trials
from mollified.adversary import search_worst
from mollified.checks import Check

__all__ = ["recipe_climb", "recipe_sweep"]

#: What rounding may take from a margin that is relative to m: a few ulps in L, U and the root.
ROUNDING = 1e-12
Kind = Literal["integer", "least", "quarter"]


def _claimed(value: object) -> float:
    number = check_finite("claimed", value)
    if number <= 0:
        raise ValueError(f"claimed must be > 0, got {value!r}")
    return number


def _root(gamma: Array, low: Array, eps: Array, n: Array, size: Array) -> Array:
    """Return the positive root of the quadratic of Corollary 3 with `low` for L, without cancellation."""
    a2, a1, a0 = eps * size, eps * n - 2 * size * gamma * low, -(2 * n * gamma + 1) * low
    root = np.sqrt(a1 * a1 - 4 * a2 * a0)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(a1 <= 0, (root - a1) / (2 * a2), -2 * a0 / (root + a1)))


def _margin(gamma: Array, delta: Array, eps: Array, n: Array, size: Array, kind: Kind, share: float) -> Array:
    """Return the margins of the statements, relative to m; k is the real root, or the root rounded up."""
    low = 2 / gamma**2 * np.log(2 / delta)

    def upper(k: Array) -> Array:
        return np.asarray(eps / ((1 / (n + k * size) + 2 * gamma) * np.log1p(1 / k)))

    if kind == "integer":  # at the real root, the least k >= k0 there is
        whole = np.ceil(low)
        return np.asarray(upper(share * _root(gamma, whole, eps, n, size)) / whole - 1)
    k = np.ceil(_root(gamma, low, eps, n, size))
    if kind == "quarter":
        return np.asarray(np.floor(upper(k) * (1 + 1e-12)) / (share * low / 4) - 1)

    def simple(k: Array) -> Array:
        return np.asarray(eps * k / (1 / (n + k * size) + 2 * gamma))

    return np.asarray(
        np.where(k > 1, np.minimum(simple(k) / low - 1, share - simple(k - 1) / low), simple(k) / low - 1)
    )


def _kind(kind: object) -> None:
    if not isinstance(kind, str) or kind not in ("integer", "least", "quarter"):
        raise ValueError(f"kind must be integer, least or quarter, got {kind!r}")


def _check(margin: Array, names: dict[str, Array], tolerance: float = ROUNDING) -> Check:
    worst, failed = int(margin.argmin()), int((margin < -tolerance).sum())
    return Check(
        instances=len(margin),
        violations=failed,
        worst_slack=float(margin[worst]),
        arithmetic="float",
        tolerance=tolerance,
        counterexample={name: repr(float(value[worst])) for name, value in names.items()} if failed else None,
    )


def recipe_sweep(rng: np.random.Generator, instances: int, *, kind: Kind, claimed: float = 1.0) -> Check:
    r"""Check a statement about the recipe on random settings; tolerance 1e-12, relative to m.

    "integer": $\lceil L\rceil\le U$ at the root of the corrected quadratic, k real; "least": $\lceil k_0\rceil$ is the
    least integer with $L\le U_L$; "quarter": $\lfloor U\rfloor\ge L/4$ at the printed $\lceil k_0\rceil$. `claimed`
    scales the root, or the bound, down or up. gamma uniform in (0.001, 0.999); delta from 1e-12 to 0.99, eps from 1e-3
    to 50, n up to 1e9 and |Sigma| up to 1e5 with uniform logs.
    """
    rng, instances = check_trials(rng, instances)
    _kind(kind)
    share = _claimed(claimed)

    def logs(low: float, high: float) -> Array:
        return np.asarray(np.exp(rng.uniform(np.log(low), np.log(high), instances)))

    names = {
        "gamma": rng.uniform(0.001, 0.999, instances),
        "delta": logs(1e-12, 0.99),
        "eps": logs(1e-3, 50.0),
        "n": np.floor(logs(1.0, 1e9)),
        "size": np.floor(logs(2.0, 1e5)),
    }
    return _check(_margin(**names, kind=kind, share=share), names)


def recipe_climb(
    rng: np.random.Generator, instances: int, *, kind: Kind, claimed: float = 1.0, starts: int = 4000
) -> Check:
    """Search for the smallest margin of `recipe_sweep`: Nelder-Mead from the `instances` best starts."""
    rng, instances = check_trials(rng, instances)
    _kind(kind)
    share, starts = _claimed(claimed), check_count("starts", starts)

    def decode(z: Array) -> dict[str, Array]:
        unit = 1 / (1 + np.exp(-np.clip(z, -12, 12)))
        return {
            "gamma": 0.001 + 0.998 * unit[:, 0],
            "delta": np.exp(np.log(1e-12) * (1 - unit[:, 1]) + np.log(0.99) * unit[:, 1]),
            "eps": np.exp(np.log(1e-3) + np.log(5e4) * unit[:, 2]),
            "n": np.floor(np.exp(np.log(1e9) * unit[:, 3])),
            "size": np.floor(2 * np.exp(np.log(5e4) * unit[:, 4])),
        }

    found = search_worst(
        lambda z: _margin(**decode(z), kind=kind, share=share), 5, rng, starts=max(starts, instances), refine=instances
    )
    point = decode(found.point[np.newaxis, :])
    single = _check(np.array([found.margin]), point)
    failed = int((found.refined < -ROUNDING).sum())
    return Check(len(found.refined), failed, found.margin, "float", ROUNDING, counterexample=single.counterexample)
