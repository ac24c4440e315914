r"""Checks of what the Bernstein mechanism protects: its noise, groups of records, a learned bandwidth, dimension.

The noise is Laplace noise, so the level of a pair of data sets is the L1 distance of their lattice values over the
scale, reached far out; distances of Gaussian kernels are taken in balls.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Literal

from flint import arb, ctx

from mollified._validate import check_count, check_each, check_eps, check_fraction
from mollified.ball_mbde import ball
from mollified.bernstein_release import Calibration
from mollified.checks import Check, Tally
from mollified.lattice_sensitivity import lattice_sensitivity

__all__ = ["bandwidth_leaks", "dimension_growth", "group_scaling", "noise_protects"]

BITS = 192
ONE = Fraction(1)
#: Degrees, dimensions and bandwidths, in units of the cube, that the page uses; all are exact as floats.
SETTINGS = tuple((k, d, h) for k in (5, 20) for d in (1, 2) for h in (1 / 512, 1 / 64, 1 / 16))
#: Ten records for ten folds; the second data set has 4/5 in place of the last.
RECORDS = tuple(Fraction(2 * i + 1, 10) for i in range(5) for _ in range(2))
MOVED = (*RECORDS[:-1], Fraction(4, 5))
BANDWIDTHS = (Fraction(1, 50), Fraction(1, 5))


def _check_calibration(calibration: object) -> None:
    if calibration not in ("published", "exact"):
        raise ValueError(f"calibration must be published or exact, got {calibration!r}")


def noise_protects(*, share: Fraction = ONE, calibration: Calibration = "exact", records: int = 10_000) -> Check:
    r"""Check that `share` times the noise of a calibration keeps the release within its level. Certified.

    One instance for each degree, dimension and bandwidth of `SETTINGS`, at the level 1, one record of n replaced: the
    upper bound of the L1 sensitivity over the scale is at most 1. A violation is certified by two records
    whose L1 distance, bounded from below, over the scale exceeds 1. Raises ArithmeticError where neither is so.
    """
    share, records = check_fraction("share", share, above=0), check_count("records", records)
    _check_calibration(calibration)
    tally = Tally("certified", keep="first")
    for degree, dim, bandwidth in SETTINGS:
        found = lattice_sensitivity(degree, dim, bandwidth)
        whole = Fraction(found.published if calibration == "published" else found.upper)
        scale = share * whole / records
        most, least = Fraction(found.upper) / records / scale, Fraction(found.lower) / records / scale
        if most > 1 >= least:
            raise ArithmeticError(f"degree {degree}, dim {dim}, bandwidth {bandwidth}: not decided at share {share}")
        values = {"K": degree, "d": dim, "h": Fraction(bandwidth), "n": records, "scale": scale}
        tally.add(float(1 - most), decided=most <= 1, **values, level_at_least=least)
    return tally.check()


def _values(records: Sequence[Fraction], bandwidth: Fraction, degree: int) -> list[arb]:
    """Return the kernel density estimate at the nodes of the unit interval, as balls."""
    width = ball(bandwidth)
    height = 1 / (len(records) * width * (2 * arb.pi()).sqrt())
    return [
        height * sum(((-((ball(Fraction(v, degree) - x) / width) ** 2) / 2).exp() for x in records), arb(0))
        for v in range(degree + 1)
    ]


def _distance(one: Sequence[arb], two: Sequence[arb]) -> arb:
    return sum((abs(a - b) for a, b in zip(one, two, strict=True)), arb(0))


def group_scaling(
    *, by: Literal["draws", "records"], sizes: Sequence[int] = (2, 3, 10), draws: Sequence[int] = (1, 2, 3, 10)
) -> Check:
    r"""Check that the noise for one record times k (`by` "draws"), or times m, protects the whole input. Certified.

    Inputs of m equal records at 1/4 against m at 3/4, K = 20, h = 1/64, level 1, the noise exact for one
    record of m. Multiplied by k the level is at most 1 only for $k\ge m$; multiplied by m it always is. The first
    instance is m = 2, k = 1. Source: v1, v2 section 5 and v3 section 5 ("multiplies the sensitivity by k").
    """
    if by not in ("draws", "records"):
        raise ValueError(f"by must be draws or records, got {by!r}")
    sizes, draws = check_each("sizes", list(sizes), check_count), check_each("draws", list(draws), check_count)
    degree, bandwidth, tally = 20, Fraction(1, 64), Tally("certified", keep="first")
    single = Fraction(lattice_sensitivity(degree, 1, float(bandwidth)).upper)
    with ctx.workprec(BITS):
        for size in sizes:
            ends = [_values((Fraction(x, 4),) * size, bandwidth, degree) for x in (1, 3)]
            moved = _distance(*ends)
            for count in draws:
                scale = (size if by == "records" else count) * single / size
                level = moved / ball(scale)
                tally.add(float((1 - level).mid()), decided=bool(level <= 1), m=size, k=count, K=degree, h=bandwidth)
    return tally.check()


def _score(records: Sequence[Fraction], bandwidth: Fraction) -> arb:
    """Return the sum of held-out log-likelihoods with one record a fold."""
    width, total = ball(bandwidth), arb(0)
    for i, x in enumerate(records):
        others = [y for j, y in enumerate(records) if j != i]
        mean = sum(((-((ball(x - y) / width) ** 2) / 2).exp() for y in others), arb(0)) / len(others)
        total += (mean / (width * (2 * arb.pi()).sqrt())).log()
    return total


def _chosen_bandwidth(records: Sequence[Fraction]) -> Fraction:
    """Return which of the two candidates ten-fold cross-validation picks from ten records; certified."""
    first, second = (_score(records, bandwidth) for bandwidth in BANDWIDTHS)
    if not (first > second or second > first):
        raise ArithmeticError("the two scores cannot be told apart")
    return BANDWIDTHS[0] if first > second else BANDWIDTHS[1]


def bandwidth_leaks(*, learned: bool = True, scale: Literal["own", "common"] = "own") -> Check:
    r"""Check that noise calibrated at the bandwidth in use keeps the release within its level. Certified.

    Ten records, ten folds (one record each), two candidates; two data sets that differ in one record and for which
    cross-validation picks different bandwidths. K = 10, level 1. `scale` "own": each data set has the exact noise for
    the bandwidth that it picks; the log-ratio of the densities of the released values is evaluated at 100 in
    all coordinates, and grows without bound. "common": both have the larger of the two noises; the log-ratio is the
    L1 distance over the scale. With `learned` False both use the same bandwidth, each candidate in turn.
    """
    if scale not in ("own", "common"):
        raise ValueError(f"scale must be own or common, got {scale!r}")
    degree, tally = 10, Tally("certified", keep="first")
    with ctx.workprec(BITS):
        picks = [(_chosen_bandwidth(RECORDS), _chosen_bandwidth(MOVED))]
        if picks[0][0] == picks[0][1]:
            raise ArithmeticError("the two data sets pick the same bandwidth")
        for pair in picks if learned else [(h, h) for h in BANDWIDTHS]:
            # the sensitivity of a sum of ten kernels, over ten, at level one
            noise = [Fraction(lattice_sensitivity(degree, 1, float(h)).upper) / len(RECORDS) for h in pair]
            if scale == "common":
                noise = [max(noise)] * 2
            tables = [_values(data, h, degree) for data, h in zip((RECORDS, MOVED), pair, strict=True)]
            if noise[0] == noise[1]:
                ratio = _distance(*tables) / ball(noise[0])
            else:
                logs = []
                for table, b in zip(tables, noise, strict=True):
                    far = sum((abs(100 - value) for value in table), arb(0))
                    logs.append(-far / ball(b) - len(table) * ball(2 * b).log())
                ratio = abs(logs[0] - logs[1])
            tally.add(
                float((1 - ratio).mid()),
                decided=bool(ratio <= 1),
                K=degree,
                D=RECORDS,
                D2=MOVED,
                h=pair[0],
                h2=pair[1],
                log_ratio=Fraction(int(float(ratio.mid()) * 1000), 1000),
            )
    return tally.check()


def dimension_growth(*, bandwidths: Sequence[float] = (1 / 64, 1 / 16), degree: int = 20, factor: int = 2) -> Check:
    r"""Check that each further dimension multiplies the sensitivity of the lattice values by at least `factor`.

    d = 1..7, both for the certified L1 sensitivity and for the published $(K+1)^dS$. Certified: the lower
    bound in d + 1 dimensions against the upper bound in d. Fails for a kernel much wider than the cube, whose values
    are small everywhere. Source: v2, section 1, third contribution, (i).
    """
    widths = check_each("bandwidths", list(bandwidths), check_eps)
    degree, factor = check_count("degree", degree), check_count("factor", factor)
    tally = Tally("certified", keep="first")
    for width in widths:
        found = [lattice_sensitivity(degree, dim, width) for dim in range(1, 9)]
        for low, high in pairwise(found):
            grows = [high.lower / low.upper / factor, high.published / low.published / factor]
            values = {"K": degree, "d": low.dim, "h": Fraction(width)}
            tally.add(min(grows) - 1, decided=min(grows) >= 1, **values, ratios=tuple(grows))
    return tally.check()
