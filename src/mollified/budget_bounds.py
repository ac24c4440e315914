r"""Budgets of samples and of groups: what k draws of MBDE spend, and the noise that protects groups of k records.

A section of `mollified.bounds`, with its conventions: floats, arrays or balls (`arb`), logs natural, levels in nats.
`form="printed"` is what a paper states, `form="corrected"` what this book proves.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Literal

import numpy as np
from flint import arb

from mollified._validate import check_array, check_count
from mollified.bounds import Form, gain_upper

__all__ = ["divided_level", "geometric_variance", "laplace_variance", "level_of_draws", "variance_ratio"]


def _positive(name: str, value: Any, *, above: int = 0) -> Any:
    """Return a number, a fraction, an array or a ball, all entries > `above`, or raise an error that names it."""
    if isinstance(value, bool | str) or value is None:
        raise TypeError(f"{name} must be a number, an array or a ball, got {value!r}")
    entries = np.asarray(value)
    if entries.dtype != object:
        value = check_array(name, value)
        good = bool((value > above).all())
        value = value if value.ndim else float(value)
    else:
        if not all(isinstance(entry, arb | Fraction) for entry in entries.flat):
            raise TypeError(f"{name} must be a number, an array or a ball, got {value!r}")
        good = not any(entry <= above or entry != entry for entry in entries.flat)
    if not good:
        raise ValueError(f"{name} must be > {above}, got {value!r}")
    return value


def level_of_draws(eps: Any, rounds: int, draws: int, *, form: Form) -> Any:
    r"""Return the level of k independent draws from the output of T rounds of MBDE.

    Printed: $k\varepsilon$. Corrected: $k\varepsilon(1-\theta_T(\varepsilon))$, below it and the least that serves all
    inputs. Raises ValueError or TypeError for eps <= 0, rounds < 1, draws < 1 or an unknown form.
    Source: v1 section 5 and 6, v2 section 1 and Figure 1, v3 section 5.
    """
    return 2 * check_count("draws", draws) * gain_upper(eps, rounds, form=form)


def divided_level(eps: Any, rounds: int, *, eps_by: Any = 1, classifiers_by: Any = 1) -> Any:
    r"""Return the level of one draw, $\frac1b\frac\varepsilon a(1-\theta_T(\varepsilon/a))$, in nats.

    The budget is divided by a = `eps_by` before the run, the bound $\log2$ on the classifiers by b =
    `classifiers_by`. The least level that serves all inputs. Raises as `level_of_draws`, and for divisors <= 0.
    Source: v1 section 6, (ii), which names the two ways and no level.
    """
    a, b = _positive("eps_by", eps_by), _positive("classifiers_by", classifiers_by)
    return 2 * gain_upper(_positive("eps", eps) / a, rounds, form="corrected") / b


def laplace_variance(sensitivity: Any, eps: Any) -> Any:
    r"""Return $2(\Delta/\varepsilon)^2$, the variance of the Laplace noise for sensitivity $\Delta$ and level eps.

    Also for fractions. Raises ValueError or TypeError for arguments that are not > 0. Source: none; v1 cites Dwork and
    Roth (2014), section 3.3.
    """
    return 2 * (_positive("sensitivity", sensitivity) / _positive("eps", eps)) ** 2


def geometric_variance(ratio: Any) -> Any:
    r"""Return $2q/(q-1)^2=1/(2\sinh^2(\varepsilon/2))$, the variance of two-sided geometric noise of level log q.

    The noise on the integers with weights proportional to $q^{-|n|}$, q > 1: what Laplace noise is on the line. Also
    for fractions. Raises ValueError or TypeError for q <= 1. Source: none of the papers.
    """
    ratio = _positive("ratio", ratio, above=1)
    return 2 * ratio / (ratio - 1) ** 2


def variance_ratio(group: Any, *, form: Literal["printed", "corrected"]) -> Any:
    r"""Return the factor on the variance of Laplace noise that protects groups of k: printed k, corrected $k^2$.

    Raises ValueError or TypeError for k <= 0 or an unknown form. Source: v1 section 1 (printed); v2 abstract, section 1
    and Figure 1 print $k^2$.
    """
    if form not in ("printed", "corrected"):
        raise ValueError(f"form must be printed or corrected, got {form!r}")
    group = _positive("group", group)
    return group if form == "printed" else group**2
