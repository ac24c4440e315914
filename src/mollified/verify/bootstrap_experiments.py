r"""Checks for the page on the bootstrapping experiments: the setting, and the privacy of every release in Figure 1.

Neighbours replace one record, n is public, one release is made; levels are natural logarithms.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, pairwise

import numpy as np
from flint import arb, ctx

from mollified._validate import check_count, check_each, check_eps, check_fraction, check_interval, check_rng
from mollified.ball_mbde import ball
from mollified.bootstrap_accountant import certified_delta
from mollified.bootstrap_parameters import choose_parameters
from mollified.checks import Check, Tally
from mollified.histogram_release import (
    discrete_gaussian_scale,
    discrete_laplace_scale,
    gaussian_scale,
    laplace_scale,
    opendp_scale,
)
from mollified.paper_parameters import recipe_parameters, smoothed_parameters, theorem_parameters

__all__ = ["beta_bins", "exponential_is_private", "exponential_reaches", "raw_records", "releases_are_private"]

BITS = 192
#: 19!/(9!)^2, the constant of the Beta(10, 10) density.
CONSTANT = Fraction(math.factorial(19), math.factorial(9) ** 2)


def _binned(first: int, second: int, size: int) -> list[Fraction]:
    """Return the integrals of CONSTANT x^(first-1) (1-x)^(second-1) over the bins, exactly."""
    terms = [
        (first + power, CONSTANT * (-1) ** power * Fraction(math.comb(second - 1, power), first + power))
        for power in range(second)
    ]
    edges = [
        sum((factor * Fraction(j, size) ** power for power, factor in terms), Fraction(0)) for j in range(size + 1)
    ]
    return [right - left for left, right in pairwise(edges)]


def beta_bins(bins: Sequence[int], *, second: int = 10) -> Check:
    r"""Check that Beta(10, 10) with constant 923780 is a density: on each grid the masses are > 0 and sum to 1.

    `second` is the second exponent plus one, with the constant unchanged. Exact; an instance is a number of bins.
    Raises ValueError or TypeError for other bins or second < 1.
    """
    second = check_count("second", second)
    tally = Tally("exact")
    for size in check_each("bins", bins, lambda name, value: check_count(name, value, minimum=2)):
        masses = _binned(10, second, size)
        total = sum(masses)
        good = total == 1 and min(masses) > 0
        tally.add(-float(abs(total - 1)), decided=good, bins=Fraction(size), second=Fraction(second), total=total)
    return tally.check()


def _phi(x: arb) -> arb:
    return (-x / arb(2).sqrt()).erfc() / 2


def _gaussian(eps: arb, scale: arb) -> arb:
    """Return the exact delta of the Gaussian mechanism, l2 sensitivity sqrt 2 (Balle and Wang, 2018)."""
    half, shift = 1 / (arb(2).sqrt() * scale), eps * scale / arb(2).sqrt()
    return _phi(half - shift) - eps.exp() * _phi(-half - shift)


def _discrete_gaussian(eps: arb, scale: arb) -> arb:
    """Return a ball that lies above the exact delta: sums over noise within 13 scales, and all the rest as a loss."""
    reach = math.ceil(13 * float(scale.mid())) + 1
    masses = [(-((arb(x) / scale) ** 2) / 2).exp() for x in range(-reach, reach + 1)]
    total = sum(masses, arb(0))
    outside = (arb.pi() / 2).sqrt() * scale * (arb(reach) / (arb(2).sqrt() * scale)).erfc() * 2 / total
    delta = 2 * outside
    for step in range(-2 * reach, 2 * reach + 1):
        rest = 1 - (eps - (1 + arb(step)) / scale**2).exp()
        if rest < 0:
            continue
        pairs = zip(masses[max(0, -step) :], masses[max(0, step) :], strict=False)
        delta += rest.max(arb(0)) * sum((one * two for one, two in pairs), arb(0)) / total**2
    return delta


def _discrete_laplace(eps: arb, scale: arb) -> arb:
    return (1 - (eps - 2 / scale).exp()).max(arb(0)) / (1 + (-1 / scale).exp()) ** 2


def _bounds(
    eps: float, delta: float, n: int, bins: Sequence[int], gamma: float, stretch: Fraction
) -> Iterator[tuple[str, Fraction, arb, arb]]:
    """Yield (release, bins or scale, upper bound on what it spends, what it may spend)."""
    level, allowed = ball(Fraction(eps)), ball(Fraction(delta))
    for size in bins:
        chosen = choose_parameters(n, size, eps, delta)
        for name, (k, m) in (
            ("recipe", recipe_parameters(gamma, eps, delta, n, size)),
            ("theorem", theorem_parameters(eps, delta, n, size)),
            ("exact", (chosen.k, chosen.m)),
        ):
            yield name, Fraction(size), certified_delta(eps, n, size, k, math.floor(m * stretch))[1], allowed
        k, m = smoothed_parameters(eps, n, size)
        yield "smoothed", Fraction(size), math.ceil(m * stretch) * ball(Fraction(k + 1, k)).log(), level
    shrunk = {
        "perturbed": laplace_scale(eps),
        "discrete-laplace": discrete_laplace_scale(eps, delta),
        "gaussian": gaussian_scale(eps, delta),
        "discrete-gaussian": discrete_gaussian_scale(eps, delta),
        "opendp": opendp_scale(eps, delta),
    }
    for name, scale in shrunk.items():
        exact = Fraction(scale) / stretch
        wide = ball(exact)
        if name == "perturbed":
            yield name, exact, 2 / wide, level
        else:
            spend = {"gaussian": _gaussian, "discrete-laplace": _discrete_laplace}.get(name, _discrete_gaussian)
            yield name, exact, spend(level, wide), allowed


def releases_are_private(
    n: int, delta: float, eps: Sequence[float], bins: Sequence[int], gamma: float, *, stretch: Fraction = Fraction(1)
) -> Check:
    r"""Check by balls that every release of the figure is (eps, delta)-DP, those at pure DP (eps, 0)-DP.

    An instance is a release at one level (and number of bins, for the mechanism). `stretch` multiplies the records
    and divides the noise. Margins are deltas, or nats at pure DP. The exponential mechanism has a check of its own.
    Raises ValueError or TypeError for bad arguments.
    """
    n, stretch = check_count("n", n), check_fraction("stretch", stretch)
    delta = check_interval("delta", delta, 0, 1, open_low=True, open_high=True)
    if stretch <= 0:
        raise ValueError(f"stretch must be > 0, got {stretch!r}")
    sizes = check_each("bins", bins, lambda name, value: check_count(name, value, minimum=2))
    tally = Tally("certified")
    for level in check_each("eps", eps, check_eps):
        with ctx.workprec(BITS):
            for name, where, spent, allowed in _bounds(level, delta, n, sizes, gamma, stretch):
                good = bool(spent <= allowed)
                slack = float((allowed - spent).mid())
                slack = max(slack, 0.0) if good else min(slack, 0.0)
                tally.add(slack, decided=good, release=name, eps=Fraction(level), setting=where)
    return tally.check()


def _law(counts: tuple[int, ...], records: int, eps: Fraction) -> list[arb]:
    """Return the law of the exponential mechanism on ordered lists, by their counts: a ball for each."""
    n, size, weights = sum(counts), len(counts), []
    aims = np.cumsum(counts).tolist()
    many = []
    for drawn in combinations_with_replacement(range(size), records):
        table = [drawn.count(symbol) for symbol in range(size)]
        sums = np.cumsum(table).tolist()
        score = max(abs(Fraction(one, records) - Fraction(two, n)) for one, two in zip(sums, aims, strict=True))
        weights.append((-ball(n * eps * score / 2)).exp())
        many.append(math.factorial(records) // math.prod(math.factorial(count) for count in table))
    total = sum((weight * number for weight, number in zip(weights, many, strict=True)), arb(0))
    return [weight / total for weight in weights]


def exponential_is_private(rng: np.random.Generator, tries: int, *, claimed: Fraction = Fraction(1)) -> Check:
    r"""Check by enumeration that the exponential mechanism with the KS score changes by at most `claimed` eps nats.

    Random data sets of at most 6 records on 2 or 3 symbols, at most 4 released ones, rational eps; an instance is a
    data set with all its neighbours (one record replaced) and all outputs. Raises ValueError or TypeError for a bad
    rng, tries < 1, or claimed <= 0.
    """
    rng, tries, claimed = check_rng("rng", rng), check_count("tries", tries), check_fraction("claimed", claimed)
    if claimed <= 0:
        raise ValueError(f"claimed must be > 0, got {claimed!r}")
    tally = Tally("certified")
    with ctx.workprec(BITS):
        for _ in range(tries):
            size, n, records = int(rng.integers(2, 4)), int(rng.integers(1, 7)), int(rng.integers(1, 5))
            eps = Fraction(int(rng.integers(1, 41)), 8)
            counts = tuple(int(c) for c in rng.multinomial(n, np.full(size, 1 / size)))
            laws, worst = _law(counts, records, eps), arb(0)
            for one in range(size):
                for two in range(size):
                    if one != two and counts[one]:
                        moved = list(counts)
                        moved[one] -= 1
                        moved[two] += 1
                        for p, q in zip(laws, _law(tuple(moved), records, eps), strict=True):
                            worst = worst.max(abs((p / q).log()))
            slack = ball(claimed * eps) - worst
            shown = [Fraction(count) for count in counts]
            tally.add(float(slack.mid()), decided=bool(slack >= 0), counts=shown, records=Fraction(records), eps=eps)
    return tally.check()


def exponential_reaches(records: Sequence[int], *, share: Fraction = Fraction(99, 100)) -> Check:
    r"""Check that n equal records, two bins and one released record lose at least `share` of eps = 2 log 2.

    The data (n, 0) and (n - 1, 1) release the second bin with odds $2^{-n}$ and $2^{2-n}$, so the loss of that
    release is $\log\frac{4(1+2^{-n})}{1+2^{2-n}}$. Exact, by powers; an instance is an n. Raises ValueError or
    TypeError for other records, or a share outside (0, 1).
    """
    share = check_fraction("share", share)
    if not 0 < share < 1:
        raise ValueError(f"share must lie in (0, 1), got {share!r}")
    tally = Tally("exact", keep="first")
    for n in check_each("records", records, check_count):
        ratio = 4 * (1 + Fraction(1, 2**n)) / (1 + Fraction(4, 2**n))
        good = ratio**share.denominator >= Fraction(4) ** share.numerator
        tally.add(float(math.log(ratio) / math.log(4) - share), decided=good, n=Fraction(n), ratio=ratio, share=share)
    return tally.check()


def raw_records(most: int, *, fewer: int = 0) -> Check:
    r"""Check that publishing j of n records as they are, chosen at random, is (0, j/n)-DP for replaced records.

    Exact, over all 1 <= j <= n <= `most`, all data sets on two symbols and all neighbours: the laws are
    hypergeometric. The record that changes is published with probability j/n. `fewer` lowers the claimed
    delta by that many n-ths. Raises ValueError or TypeError for most < 1 or fewer < 0.
    """
    most, fewer = check_count("most", most), check_count("fewer", fewer, minimum=0)
    tally = Tally("exact", keep="first")
    for n in range(1, most + 1):
        for drawn in range(1, n + 1):
            worst = Fraction(0)
            for ones in range(n):
                laws = [
                    [
                        Fraction(math.comb(held, seen) * math.comb(n - held, drawn - seen), math.comb(n, drawn))
                        for seen in range(drawn + 1)
                    ]
                    for held in (ones, ones + 1)
                ]
                distance = sum((abs(p - q) for p, q in zip(*laws, strict=True)), Fraction(0)) / 2
                worst = max(worst, distance)
            slack = Fraction(drawn - fewer, n) - worst
            tally.add(float(slack), decided=slack >= 0, n=Fraction(n), published=Fraction(drawn), delta=worst)
    return tally.check()
