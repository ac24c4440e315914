r"""Checks about the modes of the papers' mixture on the line: how many it has, and what mass an output can put on one.

In units $x=\frac35+\frac v{10}$ the derivative of three times the density, in the reading of 0.1 and 0.01 as standard
deviations, is $-200e^{-1/2}\phi(v)\,v^3S(v)-10^4u\phi(u)$ with $S(v)=\sum_{k\ge1}\frac{2k}{(2k+1)!}v^{2k-2}>0$ and
$u=10(v+3)$. Both terms are >= 0 for $v\le-3$ and <= 0 for $v\ge0$; between, their balance decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Literal

import pandas as pd
from flint import arb, ctx

from mollified._validate import check_count, check_fraction, check_fractions, check_interval
from mollified.ball_mbde import BITS, ball
from mollified.bounds import gain_upper
from mollified.checks import Check, Tally
from mollified.interval_proof import combine, prove_positive

__all__ = [
    "Reading",
    "is_density",
    "mass_on_mode",
    "needs_flexibility",
    "second_mode",
    "target_modes",
]

Reading = Literal["standard-deviation", "variance"]

F = Fraction
TWO, THIRD = Fraction(2), Fraction(1, 3)
#: Terms of the series S; for |v| <= 3 the rest is below 1e-40.
TERMS = 40


def check_reading(reading: object) -> None:
    """Raise ValueError for what is no reading of the mixture."""
    if reading not in ("standard-deviation", "variance"):
        raise ValueError(f"reading must be standard-deviation or variance, got {reading!r}")


def _series(v: arb) -> tuple[arb, arb]:
    """Return S(v) and S'(v) for |v| <= 3, with the rest of the series enclosed."""
    value, slope, power, below, factorial = arb(0), arb(0), arb(1), arb(0), arb(6)
    for k in range(1, TERMS):
        value += 2 * k * power / factorial
        slope += 2 * k * (2 * k - 2) * below / factorial
        power, below, factorial = power * v * v, power * v, factorial * (2 * k + 2) * (2 * k + 3)
    rest = arb(0, 1e-40)
    return value + rest, slope + rest


def _balance(w: arb) -> arb:
    """Return G: the log of the slope of the wide pair over that of the narrow component, at v = w - 3."""
    z, u = 3 - w, 10 * w
    return (
        arb(2).log()
        - arb(100).log()
        - arb(1) / 2
        - z * z / 2
        + 3 * z.log()
        + _series(-z)[0].log()
        - u.log()
        + u * u / 2
    )


def _trend(w: arb) -> arb:
    """Return w (3 - w) G'(w), which is finite at both ends."""
    z = 3 - w
    value, slope = _series(-z)
    return w * z * z - 3 * w + w * z * slope / value - z + 100 * w * w * z


def _two_modes() -> Check:
    """Prove that G falls to its one zero, stays below, rises to one zero, stays above, and falls to one zero."""
    a, b, c, d = F(8, 100), F(12, 100), F(29, 10), F(2995, 1000)
    return combine(
        prove_positive(lambda w: -_trend(w), [(F(0), a)]),
        prove_positive(lambda w: -_balance(w), [(a, b)]),
        prove_positive(_trend, [(b, c)]),
        prove_positive(_balance, [(c, d)]),
        prove_positive(lambda w: -_trend(w), [(d, F(3))]),
    )


def _slopes(x: arb) -> tuple[arb, arb]:
    """Return first and second derivative, up to one positive factor, in the reading as variances."""
    first, second = arb(0), arb(0)
    for mean, variance in ((F(3, 10), F(1, 100)), (F(1, 2), F(1, 10)), (F(7, 10), F(1, 10))):
        gap, spread = x - ball(mean), ball(variance)
        density = (-gap * gap / (2 * spread)).exp() / spread.sqrt()
        first -= gap / spread * density
        second += (gap * gap / spread - 1) / spread * density
    return first, second


def _one_mode() -> Check:
    """Prove that the derivative is positive at 0.3, falls on [0.3, 0.33], and is negative on [0.33, 0.7]."""
    low, middle, high = F(3, 10), F(33, 100), F(7, 10)
    return combine(
        prove_positive(lambda x: _slopes(x)[0], [(low, low)]),
        prove_positive(lambda x: -_slopes(x)[1], [(low, middle)]),
        prove_positive(lambda x: -_slopes(x)[0], [(middle, high)]),
    )


def target_modes(*, reading: Reading, claimed: int) -> Check:
    """Check that the density of the mixture has as many local maxima as claimed. Certified, on the whole line.

    Left of 0.3 it rises and right of 0.7 (of 0.6 for standard deviations) it falls, component by component; between,
    the signs are proved by subdivision. Two for standard deviations, one for variances. Raises ValueError or
    TypeError for another reading or a number below 1.
    """
    check_reading(reading)
    claimed = check_count("claimed", claimed)
    found, proof = (2, _two_modes()) if reading == "standard-deviation" else (1, _one_mode())
    if not proof.passed or found == claimed:
        return proof
    values = {"reading": reading, "modes": str(found), "claimed": str(claimed)}
    return Check(proof.instances, 1, -abs(found - claimed), "certified", scope="universal", counterexample=values)


def _normal_mass(low: arb, high: arb) -> arb:
    root = arb(2).sqrt()
    return ((high / root).erf() - (low / root).erf()) / 2


def mass_on_mode(*, eps: Sequence[Fraction], share: Fraction, width: Fraction = TWO, rounds: int = 3) -> Check:
    r"""Check that no output puts `share` of the target's mass on its narrow mode. Certified, for every network.

    The mode is $B=[0.3-0.01w,\,0.3+0.01w]$ with w the `width`, the target has 0.01 as standard deviation and $Q_0$ is
    the standard Gaussian. An output with $\log Q_T/Q_0$ in an interval of length $\omega$ has
    $Q_T(B)\le\frac{rq}{1+(r-1)q}$, $r=e^\omega$, $q=Q_0(B)$; $\omega=\frac\varepsilon2(1-\theta_T)$. Raises ValueError
    or TypeError for values that are not positive rationals.
    """
    budgets = check_fractions("eps", eps)
    share, width = check_fraction("share", share, above=0), check_fraction("width", width, above=0)
    rounds = check_count("rounds", rounds)
    tally = Tally("certified")
    with ctx.workprec(BITS):
        spread, centre = F(1, 100), F(3, 10)
        low, high = centre - width * spread, centre + width * spread
        start = _normal_mass(ball(low), ball(high))
        target = sum(
            (
                _normal_mass(ball((low - mean) / s), ball((high - mean) / s)) / 3
                for mean, s in ((centre, spread), (F(1, 2), F(1, 10)), (F(7, 10), F(1, 10)))
            ),
            arb(0),
        )
        for level in budgets:
            reach = gain_upper(ball(check_fraction("eps", level, above=0)), rounds, form="corrected").exp()
            most = reach * start / (1 + (reach - 1) * start)
            slack = ball(share) * target - most
            tally.add(
                float(slack.mid()),
                decided=bool(slack > 0),
                eps=level,
                most=float(most.mid()),
                target=float(target.mid()),
            )
    return tally.check()


def is_density(*, weight: Fraction = THIRD) -> Check:
    """Check that three components of that weight make a density in both readings. Exact.

    A mixture of densities has the sum of its weights as mass; each component needs a variance above 0. Raises TypeError
    or ValueError for a weight that is not a positive rational.
    """
    weight = check_fraction("weight", weight, above=0)
    tally = Tally("exact")
    for reading, power in (("standard-deviation", 2), ("variance", 1)):
        variances = [F(spread) ** power for spread in (F(1, 100), F(1, 10), F(1, 10))]
        miss = abs(len(variances) * weight - 1)
        tally.add(-float(miss), decided=miss == 0 and min(variances) > 0, reading=reading, mass=3 * weight)
    return tally.check()


def second_mode(*, exponent: int) -> Check:
    r"""Check that the mode at 0.6 (standard deviations) lies left of it by less than 10 to minus `exponent`. Certified.

    The slope at 0.6 is that of the narrow component, negative; at $0.6-10^{-e}$ it is the sign of the balance of both.
    Raises ValueError or TypeError for an exponent below 2.
    """
    exponent = check_count("exponent", exponent, minimum=2)
    tally = Tally("certified")
    with ctx.workprec(BITS + 4 * exponent):
        slack = _balance(3 - arb(10) ** (1 - exponent))
        tally.add(float(slack.mid()), decided=bool(slack > 0), exponent=exponent)
    return tally.check()


def needs_flexibility(gains: pd.DataFrame, *, learner: str, share: float = 0.5) -> Check:
    """Check that a simple logit shows less than `share` of what the log-odds gain from budget 5 to budget 20.

    `gains` has columns reading, learner, eps, gain; an instance is a reading. Deterministic, in floats. Raises
    ValueError or TypeError for another table, an unknown learner or a share outside (0, 1].
    """
    columns = {"reading", "learner", "eps", "gain"}
    if not isinstance(gains, pd.DataFrame) or not columns <= set(gains.columns):
        raise TypeError(f"gains must be a DataFrame with columns {sorted(columns)}, got {gains!r:.120}")
    if learner not in set(gains["learner"]):
        raise ValueError(f"learner must be one of {sorted(set(gains['learner']))}, got {learner!r}")
    share = check_interval("share", share, 0.0, 1.0, open_low=True)
    tally = Tally("float", tolerance=1e-9)
    for reading, rows in gains.groupby("reading"):
        table = rows.pivot_table(index="learner", columns="eps", values="gain")
        more = table[20.0] - table[5.0]
        tally.add(float(share * more["log-odds"] - more[learner]), reading=reading, learner=learner, more=more[learner])
    return tally.check()
