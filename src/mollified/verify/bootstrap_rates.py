r"""Checks of Theorem 6 and Table 1: rates refuted by certified lower bounds, and the corrected rates with constants.

Lower bounds, for the uniform density and s a power of an even side unless said otherwise. "floor": $\operatorname E\rho
\ge\operatorname E|\hat F(x)-F(x)|\ge\frac1{2\sqrt{2n}}$ at x = (1/2, 1, .., 1), n even, for all k and m. "noise": half
the mean absolute error of the release at x, by $\operatorname E|X|\ge(\operatorname EX^2)^{3/2}(\operatorname
EX^4)^{-1/2}$, at k = 1, hence at every k. "private": the same at the least k that (1) and (2) allow. "minimax":
$\frac1{10\sqrt n}$ for the worse of two densities and any estimator whatsoever. Proofs: page bootstrap-rates.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from flint import arb, ctx

from mollified._validate import check_count, check_each, check_fraction, check_trials
from mollified.ball_mbde import ball
from mollified.bootstrap_parameters import largest_m
from mollified.checks import Check, Tally
from mollified.histogram_rates import RateChoice, binomial_deviation, distance_bound, rate_choice, rate_exponent
from mollified.verify.rate_steps import exact_expectations

__all__ = [
    "columns",
    "floor_value",
    "lower_bound",
    "minimizes",
    "necessary_records",
    "noise_at_node",
    "printed_choice",
    "rate_refuted",
    "vanishes",
]

ONE, HALF, CENT = Fraction(1), Fraction(1, 2), Fraction(1, 100)
BITS = 256
#: The share of $(1+ks/n)/\sqrt m$ that the error at a node has at least: n >= 4, q >= 2, density 1/2 + x_1.
NODE_SHARE = Fraction(29, 1000)


def _dimensions(dimensions: object) -> list[int]:
    return check_each("dimensions", dimensions, lambda name, value: check_count(name, value))


def printed_choice(base: int, dimension: int, eps: Fraction, delta: Fraction) -> tuple[int, RateChoice]:
    r"""Return n and the choice of Theorem 6 at $n=r^{d+4}$: $q=r^2$, $m=r^8$, and a lower bound on k.

    (1) and (2) force $2\sqrt{2m\log(2/\delta)}\le\varepsilon/\lambda<\varepsilon(k+1)$; k is the whole number below
    $2\sqrt{2m\log(2/\delta)}/\varepsilon$, at least 1, so at most the least k allowed. Raises TypeError or ValueError
    for r or d < 1, eps <= 0, delta <= 0.
    """
    r, d = check_count("base", base), check_count("dimension", dimension)
    eps, delta = check_fraction("eps", eps, above=0), check_fraction("delta", delta, above=0)
    with ctx.workprec(BITS + 8 * r.bit_length()):
        low = 2 * (2 * r**8 * ball(2 / delta).log()).sqrt() / ball(eps) - 1
        k = low.lower().floor().unique_fmpz()
    return r ** (d + 4), RateChoice(r * r, max(1, int(k or 1)), r**8)


def lower_bound(bound: str, n: int, dimension: int, choice: RateChoice) -> arb:
    """Return a certified lower bound on the expected distance: "floor", "noise" or "minimax" (see the module).

    "noise" takes k and m from the choice, and grows with k. Raises TypeError or ValueError for an odd n or side, or
    another bound.
    """
    n, d = check_count("n", n), check_count("dimension", dimension)
    if not isinstance(choice, RateChoice) or choice.side % 2 or n % 2:
        raise ValueError(f"choice must be a RateChoice with an even side, and n even, got {choice!r}")
    with ctx.workprec(BITS + 4 * n.bit_length()):
        if bound == "floor":
            return 1 / (2 * arb(2 * n).sqrt())
        if bound == "minimax":
            return 1 / (10 * arb(n).sqrt())
        if bound != "noise":
            raise ValueError(f"bound must be floor, noise or minimax, got {bound!r}")
        total, m = n + choice.k * choice.side**d, choice.m
        spread = ball(Fraction(1, 4) - Fraction(n, 4 * total * total))  # E[p(1-p)] of the box, exact
        least = spread * spread.sqrt() / ball(Fraction(3, 16) + Fraction(1, 4 * m)).sqrt()
        return ball(Fraction(total, n)) * least / arb(m).sqrt() / 2


def rate_refuted(
    *,
    column: str,
    bound: str,
    dimensions: Sequence[int],
    eps: Fraction = HALF,
    delta: Fraction = CENT,
    constants: Sequence[int] = (1, 10, 100),
) -> Check:
    r"""Check $\operatorname E\rho\le C\sqrt{\log n}\,n^{-a}$, a by `rate_exponent`, at the printed m and s. Certified.

    For each C: at $n=r^{d+4}$, $r=2^{10},2^{15},..,2^{160}$, a violation is a lower bound above the right side. A
    statement that passes is not proved, only not refuted by this bound, which is "floor", "noise", "private" or
    "minimax".
    """
    dims = _dimensions(dimensions)
    tally = Tally("certified", keep="first")
    for d in dims:
        exponent = rate_exponent(column, d)
        for constant in check_each("constants", list(constants), lambda name, value: check_count(name, value)):
            worst = None
            for power in range(10, 161, 5):
                n, choice = printed_choice(2**power, d, eps, delta)
                if bound == "noise":
                    choice = RateChoice(choice.side, 1, choice.m)
                low = lower_bound("noise" if bound == "private" else bound, n, d, choice)
                with ctx.workprec(BITS + 4 * n.bit_length()):
                    rate = constant * arb(n).log().sqrt() * arb(n) ** ball(-exponent)
                    slack = (rate / low).log()
                    if worst is None or slack < worst[0]:
                        worst = slack, f"2^{power * (d + 4)}", float((low / rate).mid())
                    if slack < 0:
                        break
            assert worst is not None
            tally.add(
                float(worst[0].mid()),
                decided=not bool(worst[0] < 0),
                d=d,
                C=constant,
                exponent=exponent,
                n=worst[1],
                distance_at_least_times_the_rate=worst[2],
            )
    return tally.check()


def minimizes(*, dimensions: Sequence[int], eps: Fraction = HALF, delta: Fraction = CENT) -> Check:
    r"""Check that no private choice has a smaller expected distance than the printed one. Certified.

    At $n=2^{40(d+4)}$. The other choice is that of `rate_choice` "theorem", private by Theorem 2, with its upper bound
    (L = 1; for the uniform density any L will do); the printed one has its lower bound under (1) and (2).
    """
    tally = Tally("certified", keep="first")
    for d in _dimensions(dimensions):
        n, printed = printed_choice(2**40, d, eps, delta)
        low = lower_bound("noise", n, d, printed).max(lower_bound("floor", n, d, printed))
        other = rate_choice("theorem", n, d, eps, delta)
        with ctx.workprec(BITS + 4 * n.bit_length()):
            high = distance_bound(arb(n), arb(other.side), arb(other.k), arb(other.m), d, arb(1))
            slack = (high / low).log()
            tally.add(
                float(slack.mid()),
                decided=not bool(slack < 0),
                d=d,
                n=f"2^{40 * (d + 4)}",
                printed_at_least=float(low.mid()),
                other_at_most=float(high.mid()),
            )
    return tally.check()


def vanishes(
    *, choice: str, dimensions: Sequence[int], target: Fraction = CENT, eps: Fraction = HALF, delta: Fraction = CENT
) -> Check:
    r"""Check $\operatorname E\rho<\text{target}$ at $n=2^{60(d+4)}$: by upper bounds, refuted by lower. Certified.

    `choice` "printed" (m and s of Theorem 6, k least by (1) and (2)), "theorem" or "exact" (the corrected ones); L = 1.
    """
    target = check_fraction("target", target, above=0)
    if choice not in ("printed", "theorem", "exact"):
        raise ValueError(f"choice must be printed, theorem or exact, got {choice!r}")
    tally = Tally("certified", keep="first")
    for d in _dimensions(dimensions):
        n, printed = printed_choice(2**60, d, eps, delta)
        chosen = printed
        if choice != "printed":
            chosen = rate_choice("theorem" if choice == "theorem" else "exact", n, d, eps, delta)
        with ctx.workprec(BITS + 4 * n.bit_length()):
            # 2k + 4 meets (2) at the printed choice: m/N <= 2 sqrt(2 m log(2/delta)) there
            k = 2 * chosen.k + 4 if choice == "printed" else chosen.k
            high = distance_bound(arb(n), arb(chosen.side), arb(k), arb(chosen.m), d, arb(1))
            low = lower_bound("noise", n, d, printed) if choice == "printed" else arb(0)
            if not (high < ball(target) or low > ball(target)):
                raise ArithmeticError(f"target {target} is not decided at d = {d}: {low}, {high}")
            slack = ball(target) - (low if low > ball(target) else high)
            tally.add(
                float(slack.mid()), decided=bool(slack > 0), d=d, n=f"2^{60 * (d + 4)}", at_least=float(low.mid())
            )
    return tally.check()


def columns(
    *, first: str, second: str, dimensions: Sequence[int], relation: str = "greater", cap: bool = False
) -> Check:
    r"""Check that the exponent of one column is greater than (or "equal" to) another's in every dimension. Exact.

    `cap` puts the minimum with 1/2 in place of the second column.
    """
    if relation not in ("greater", "equal", "at least"):
        raise ValueError(f"relation must be greater, equal or at least, got {relation!r}")
    for name, value in (("first", first), ("second", second)):
        try:
            rate_exponent(value, 1)
        except ValueError as error:
            raise ValueError(f"{name} must be a column of rate_exponent, got {value!r}") from error
    tally = Tally("exact", keep="first")
    for d in _dimensions(dimensions):
        one, two = rate_exponent(first, d), rate_exponent(second, d)
        two = min(two, HALF) if cap else two
        holds = {"greater": one > two, "equal": one == two, "at least": one >= two}[relation]
        tally.add(
            float(-abs(one - two) if relation == "equal" else one - two), decided=holds, d=d, first=one, second=two
        )
    return tally.check()


def floor_value(*, constant: Fraction = Fraction(1, 8), most: int = 600, sloped: bool = False) -> Check:
    r"""Check $\operatorname E|\hat F(x)-F(x)|\ge\sqrt{c/n}$ at a node for n up to `most`. Exact, by de Moivre.

    Uniform density, x = 1/2, even n: $\frac12\binom n{n/2}2^{-n}$, c = 1/8; for all even n by induction, as
    $n\binom n{n/2}^24^{-n}$ rises from 1/2 at n = 2. The limit of $n(\cdot)^2$ is $\frac1{2\pi}$. `sloped`: density
    1/2 + x_1, every n, the node with $\lfloor q/2\rfloor$ of q = 2..12 cells; c = 14/243 by moments, for all n and q.
    """
    constant, most = check_fraction("constant", constant, above=0), check_count("most", most, minimum=4)
    tally = Tally("exact", keep="first")
    if sloped:
        for share in {Fraction(side // 2, side) for side in range(2, 13)}:
            mass = (share + share * share) / 2
            for n in range(1, most + 1):
                scaled = binomial_deviation(n, mass) ** 2 / n
                tally.add(float(scaled - constant), decided=scaled >= constant, n=n, mass=mass)
        return tally.check()
    before = Fraction(0)
    for n in range(2, most + 1, 2):
        value = binomial_deviation(n, HALF) / n
        scaled = n * value * value
        rises = scaled > before and value == Fraction(math.comb(n, n // 2), 2 ** (n + 1))
        tally.add(float(scaled - constant), decided=scaled >= constant and rises, n=n, value=value)
        before = scaled
    return tally.check()


def noise_at_node(rng: np.random.Generator, instances: int, *, share: Fraction = NODE_SHARE) -> Check:
    r"""Check $\operatorname E|\hat F^c(x)-F(x)|\ge c(1+\frac{ks}n)/\sqrt m$ at a node, density $\frac12+x_1$. Exact.

    n = 4 or 5, q = 2 or 3, d = 1, by enumeration; c = 0.029.
    """
    rng, instances = check_trials(rng, instances)
    share = check_fraction("share", share, above=0)
    tally = Tally("exact")
    for _ in range(instances):
        side, d = ((2, 1), (3, 1))[int(rng.integers(2))]
        n, k, m = int(rng.integers(4, 6)), int(rng.integers(1, 12)), int(rng.integers(1, 5))
        node = exact_expectations(n, k, m, side, d, ONE)["node"]
        wanted = share**2 * Fraction(n + k * side**d, n) ** 2 / m
        tally.add(float(node**2 - wanted), decided=node**2 >= wanted, n=n, k=k, m=m, side=side, d=d, error=node)
    return tally.check()


def necessary_records(rng: np.random.Generator, instances: int, *, factor: Fraction = Fraction(12)) -> Check:
    r"""Check $m\le12(1+e^\varepsilon)kN/(1-\delta)$ for the largest private m of the exact accountant, s >= 3. Float.

    The largest m is certified from below; the tolerance is that of floats, with a slack of a factor of several.
    """
    rng, instances = check_trials(rng, instances)
    factor = check_fraction("factor", factor, above=0)
    tally = Tally("float", tolerance=1e-9)
    for _ in range(instances):
        eps, delta = float(np.exp(rng.uniform(-3, 1.5))), float(np.exp(rng.uniform(-12, -0.1)))
        n, size, k = (int(np.exp(rng.uniform(low, high))) for low, high in ((1, 9), (1.1, 8), (0, 6)))
        m = largest_m(eps, delta, n, size, k)
        most = float(factor) * (1 + math.exp(eps)) * k * (n + k * size) / (1 - delta)
        tally.add(math.log(most / max(m, 1)), n=n, size=size, k=k, m=m, eps=eps, delta=delta)
    return tally.check()
