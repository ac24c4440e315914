r"""The privacy of the bootstrapping mechanism by counting: no walk, no tilt, no dominating pair.

`brute_delta` and `exact_delta` go through all data sets of n records, all their neighbours and all outputs (counts; the
order of the records carries no information), in integers. `summed_delta` trusts the pairs of `bootstrap_accountant` and
adds up whole trinomial or binomial laws in integers, for m up to a few thousand. They are what the accountant is
checked against. Not in the bootstrapping paper.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction

from flint import arb, ctx

from mollified.bootstrap.type_laws import compositions
from mollified.privacy.exact_level import ball

#: e^eps is enclosed between neighbouring multiples of 2^-BITS.
BITS = 512

#: Two laws as integers over their common denominators: (weights, total) of the first and of the second.
Pair = tuple[Sequence[int], int, Sequence[int], int]


def output_weights(counts: Sequence[int], m: int) -> list[int]:
    r"""Return $\frac{m!}{\prod x_i!}\prod c_i^{x_i}$ for all outputs x in the order of `compositions`.

    Their sum is $(\sum c_i)^m$.
    """
    found = []
    for output in compositions(m, len(counts)):
        weight = math.factorial(m)
        for count, times in zip(counts, output, strict=True):
            weight = weight // math.factorial(times) * count**times
        found.append(weight)
    return found


def trinomial_weights(up: int, down: int, stay: int, m: int) -> list[int]:
    r"""Return the coefficients of $(down+stay\,x+up\,x^2)^m$: the walk's values -m..m, times $(up+down+stay)^m$.

    By the recurrence $a(j+1)f_{j+1}=b(m-j)f_j+c(2m-j+1)f_{j-1}$ from either end, where all terms are positive.
    """
    halves = []
    for a, c in ((down, up), (up, down)):
        row = [a**m]
        for j in range(m):
            before = c * (2 * m - j + 1) * row[j - 1] if j else 0
            row.append((stay * (m - j) * row[j] + before) // (a * (j + 1)))
        halves.append(row)
    return [*halves[0], *reversed(halves[1][:-1])]


def _enclosure(eps: Fraction) -> tuple[int, int, int]:
    """Return integers low, high, scale with low/scale < e^eps < high/scale."""
    with ctx.workprec(2 * BITS + 64):
        scaled = ball(eps).exp() * 2**BITS
        low = int(scaled.floor().unique_fmpz())
    return low, low + 1, 2**BITS


def _excess(pair: Pair, bounds: tuple[int, int, int]) -> tuple[Fraction, Fraction]:
    """Return both laws' masses of the set where the first is more than e^eps times the second."""
    one, total, two, other = pair
    low, high, scale = bounds
    common = math.gcd(total, other)
    up, down = scale * (other // common), total // common
    first = second = 0
    for a, b in zip(one, two, strict=True):
        left, right = a * up, b * down
        if left > right * high:
            first, second = first + a, second + b
        elif left > right * low:
            raise ArithmeticError(f"{a}/{total} and {b}/{other} are not told apart at {BITS} bits")
    return Fraction(first, total), Fraction(second, other)


def _all_pairs(n: int, size: int, k: int, m: int, neighbours: str) -> Iterator[Pair]:
    """Return the laws of all pairs of neighbours, each in the direction asked for."""
    laws = {}
    for records in {n} if neighbours == "replace" else {n, n + 1}:
        total = (records + k * size) ** m
        for data in compositions(records, size):
            laws[data] = (output_weights([count + k for count in data], m), total)
    for data in compositions(n, size):
        for gains in range(size):
            more = (*data[:gains], data[gains] + 1, *data[gains + 1 :])
            if neighbours == "add":
                yield (*laws[data], *laws[more])
            elif neighbours == "remove":
                yield (*laws[more], *laws[data])
            else:
                for loses in range(size):
                    if loses != gains and data[loses]:
                        yield (*laws[data], *laws[(*more[:loses], more[loses] - 1, *more[loses + 1 :])])


def _largest(pairs: Iterator[Pair], eps: Fraction) -> arb:
    bounds, best = _enclosure(eps), None
    with ctx.workprec(BITS):
        level = ball(eps).exp()
        for pair in pairs:
            first, second = _excess(pair, bounds)
            delta = ball(first) - level * ball(second)
            best = delta if best is None else best.max(delta)
    assert best is not None
    return best


def brute_delta(eps: Fraction, n: int, size: int, k: int, m: int, *, neighbours: str = "replace") -> arb:
    """Return delta(eps) over all pairs of neighbours and all outputs, as a ball of width about 2^-500.

    Cost grows with all arguments: for n, m up to about 6 and up to 4 symbols.
    """
    if eps == 0:
        return ball(exact_delta(Fraction(1), n, size, k, m, neighbours=neighbours))
    return _largest(_all_pairs(n, size, k, m, neighbours), eps)


def exact_delta(exp_eps: Fraction, n: int, size: int, k: int, m: int, *, neighbours: str = "replace") -> Fraction:
    """Return delta over all pairs of neighbours and all outputs for a rational e^eps >= 1, exactly."""
    bounds = exp_eps.numerator, exp_eps.numerator, exp_eps.denominator
    excesses = (_excess(pair, bounds) for pair in _all_pairs(n, size, k, m, neighbours))
    return max(first - exp_eps * second for first, second in excesses)


def summed_delta(eps: Fraction, n: int, size: int, k: int, m: int, *, neighbours: str = "replace") -> arb:
    """Return delta(eps) of the worst pair by adding up whole laws in integers, as a ball of width about 2^-500.

    For two symbols and "replace" all n pairs. For m up to a few thousand and eps > 0.
    """
    total = n + k * size

    def binomial(success: int, out_of: int) -> list[int]:
        row, failure = [(out_of - success) ** m], out_of - success
        for x in range(m):
            row.append(row[x] * (m - x) * success // ((x + 1) * failure))
        return row

    if neighbours != "replace":
        one, two = (binomial(k, total), total**m), (binomial(k + 1, total + 1), (total + 1) ** m)
        pairs: list[Pair] = [(*one, *two) if neighbours == "add" else (*two, *one)]
    elif size == 2:
        pairs = [(binomial(c, total), total**m, binomial(c - 1, total), total**m) for c in range(k + 1, k + n + 1)]
    else:
        law = trinomial_weights(k + 1, k, total - 2 * k - 1, m)
        pairs = [(law, total**m, law[::-1], total**m)]
    return _largest(iter(pairs), eps)
