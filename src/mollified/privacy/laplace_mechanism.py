r"""The Laplace mechanism, and the chance that the first of many counts stays first.

Idealised numerics: a law is that of a real number; the low bits of a float can leak the
answer. Source: lecture, section "DP algorithms via output perturbation"; the chance is
ours, in units of the noise scale b.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from flint import acb, arb

from mollified._validate import (
    Array,
    check_array,
    check_count,
    check_eps,
    check_rng,
    echo,
)
from mollified.privacy.exact_level import ball, float_above
from statements.precision import working_precision

__all__ = ["laplace_mechanism", "top_probability"]

#: Scales in floats, and the answers in scales beside which floats keep ten bits of the
#: noise.
LEAST_SCALE = 2.0**-900
MOST_SCALE = 2.0**900
ROOM = 2.0**43
#: Enough for exp(-200) beside one.
BITS = 320


def laplace_mechanism(
    answer: Array,
    sensitivity: float,
    eps: float,
    rng: np.random.Generator,
) -> Array:
    r"""Return $f(D)+Y$ with independent Laplace noise; shape (K,), idealised numerics.

    $Y_k\sim\mathrm{Lap}(\Delta_1/\varepsilon)$. $\varepsilon$-DP as a statement on real
    numbers, for an $\ell_1$ sensitivity of at most `sensitivity`; the floats that come
    out do not keep it. Raises ValueError or TypeError for bad arguments, a scale
    (rounded up) outside [2^-900, 2^900], and answers above 2^43 scales in size, beside
    which floats have no room for the noise.
    """
    values = check_array("answer", answer, ndim=1)
    eps = check_eps("eps", eps)
    scale = float_above(Fraction(check_eps("sensitivity", sensitivity)) / Fraction(eps))
    if not LEAST_SCALE <= scale <= MOST_SCALE:
        shown = f"{echo('sensitivity', sensitivity)} and eps = {echo('eps', eps)}"
        raise ValueError(f"sensitivity must lie in [2^-900, 2^900] eps, got {shown}")
    if float(np.abs(values).max()) > ROOM * scale:
        raise ValueError(
            f"answer must not exceed {ROOM * scale:.4g} in size,"
            f" got {echo('answer', answer)}"
        )
    return values + check_rng("rng", rng).laplace(0.0, scale, values.shape)


def top_probability(gap: Fraction | arb, others: int) -> arb:
    r"""Return the probability that a count stays first, as a ball.

    It lies s scales above m equal others. $\int p(y)F(y+s)^m\,dy$ with
    $w=\frac12e^{-(y+s)}$: $\frac{e^s(1-(1-w_0)^{m+1})+e^{-s}2^{-m-1}}{m+1}
    +\frac{e^{-s}}4\int_{w_0}^{1/2}(1-w)^mw^{-2}dw$, $w_0=\frac12e^{-s}$. Certified.
    Raises ValueError or TypeError for a gap that is no rational or ball >= 0, or m < 1.
    """
    if not isinstance(gap, Fraction | arb):
        raise TypeError(
            f"gap must be a fractions.Fraction or a ball, got {echo('gap', gap)}"
        )
    if gap < 0 or (isinstance(gap, arb) and not gap.is_finite()):
        raise ValueError(f"gap must be >= 0, got {echo('gap', gap)}")
    m = check_count("others", others)
    with working_precision(BITS):
        s = ball(gap) if isinstance(gap, Fraction) else gap
        edge = (-s).exp() / 2
        up = s.exp()
        first = up * (1 - (1 - edge) ** (m + 1))
        last = arb(2) ** (-m - 1) / up
        outer = (first + last) / (m + 1)

        def integrand(x: acb, _: bool) -> acb:
            # in x = log w it is smooth on a scale of one
            return (1 - x.exp()) ** m * (-x).exp()

        inner = acb.integral(integrand, acb(edge.log()), -acb(2).log())
        return outer + inner.real / up / 4
