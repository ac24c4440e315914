r"""Probabilities that take too long to sum term by term, in the arithmetic that is at work: floats, or balls.

Instances of statements call these functions, whose text is not theirs: one value for floats, and for numbers that
decide a ball of 160 bits or more, whatever precision is asked for.
"""

from __future__ import annotations

import operator
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
from flint import arb, ctx
from scipy.special import bdtrc

from mollified.bootstrap.accountant import bootstrap_delta, certified_delta
from mollified.privacy.exact_level import ball
from statements.arithmetic import MODE, Number, number

__all__ = ["binomial_tail", "least_delta"]

BITS = 160


def _fraction(value: Any) -> Fraction:
    """Return a number that is rational; TypeError for any other."""
    found = number(value)
    if not found.rational:
        raise TypeError(f"value must be rational, got {value!r}")
    return Fraction(int(found.value.p), int(found.value.q))


def binomial_tail(m: Any, p: Any, v: Any) -> Any:
    r"""Return $P[N\ge v]$ for $N\sim\operatorname{Bin}(m,p)$: an incomplete beta function."""
    if MODE.kind != "exact":
        inside = np.clip(np.asarray(v, float) - 1, 0, None)
        found = bdtrc(np.minimum(inside, m), np.asarray(m), np.asarray(p, float))
        return np.where(np.asarray(v) <= 0, 1.0, np.where(np.asarray(v) > m, 0.0, found))
    m, v = operator.index(m), operator.index(v)
    if not 0 < v <= m:
        return Number(arb(int(v <= 0)))
    with ctx.workprec(BITS):
        return Number(ball(_fraction(p)).beta_lower(v, m - v + 1, regularized=True))


def least_delta(ε: Any, n: Any, S: Any, k: Any, m: Any) -> Any:
    r"""Return the least $\delta$ at which the mechanism is $(\epsilon,\delta)$-private; for balls an upper end of it.

    For S = 2 and more than 256 records it is that of three symbols, which is not smaller.
    """
    if MODE.kind != "exact":
        return _rough_delta(float(ε), int(n), int(S), int(k), int(m))
    sizes, level = [operator.index(x) for x in (n, S, k, m)], number(ε)
    upper = _upper_delta if level.rational else _upper_delta.__wrapped__
    return Number(upper(level.value, ctx.prec, *sizes))


#: Both keep what they gave: the near misses of a statement ask for the same again and again.
_rough_delta = lru_cache(20_000)(bootstrap_delta)


@lru_cache(20_000)
def _upper_delta(level: Any, bits: int, *sizes: int) -> arb:
    """Return the upper end for a level that is a rational, or a ball, at so many bits, those at work."""
    return certified_delta(arb(level), *sizes)[1]
