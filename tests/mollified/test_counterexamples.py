"""Each printed counterexample, verified again from its strings alone, by code that shares nothing with the checks.

Only `fractions` and ball arithmetic are used: nothing of `mollified` but the function that prints the strings.
Each verification is shown to be able to fail: the same one, on a sound variant of the strings, says no.
"""

from __future__ import annotations

import json
import re
from fractions import Fraction

import numpy as np
from flint import arb, ctx, fmpq

from mollified.verify import closed_form, mbde, projection, ranges, sampling, spending

ONE = Fraction(1)


def parse(text):
    """Read "1/3", "(1, 0)" or a nesting of such as fractions and tuples."""
    if not text.startswith("("):
        return Fraction(text)
    items, depth, start = [], 0, 1
    for place, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if (letter == "," and depth == 1) or (letter == ")" and depth == 0):
            items.append(parse(text[start:place].strip()))
            start = place + 1
    assert depth == 0
    return tuple(items)


def rng():
    return np.random.default_rng(5)


def ball(value):
    return arb(fmpq(value.numerator, value.denominator))


def exceeds(value, exponent, bits=256):
    """Tell with certainty whether value > exp(exponent); fails where balls of 256 bits cannot tell."""
    saved, ctx.prec = ctx.prec, bits
    try:
        gap = ball(value) - ball(exponent).exp()
        assert gap > 0 or gap < 0
        return bool(gap > 0)
    finally:
        ctx.prec = saved


def is_law(law):
    return min(law) >= 0 and sum(law) == 1


def integral(polynomial):
    return sum(c / (k + 1) for k, c in enumerate(polynomial))


def value(polynomial, x):
    return sum(c * x**k for k, c in enumerate(polynomial))


def leaves_necessary_range(strings):
    """A mollifier of densities on [0, 1] at level eps, one of which has max >= e^eps or min <= e^-eps.

    Q' >= 0 on [0, 1] is checked on the coefficients (non-negative but for the constant one), so the extremes are at
    the ends. For a pair Q2 = Q1 l with a linear l >= 0: the ratio is l, monotone, so its ends bound it.
    """
    family, density, eps = parse(strings["mollifier"]), parse(strings["density"]), parse(strings["eps"])
    assert density in family
    assert all(integral(q) == 1 for q in family)
    assert all(min(q[1:]) >= 0 for q in family)
    assert all(q[0] >= 0 for q in family)
    if len(family) == 2:
        low, high = family
        ends = [value(high, x) / value(low, x) for x in (Fraction(0), ONE)]
        linear = (ends[0], ends[1] - ends[0])
        product = [Fraction(0)] * (len(low) + 1)
        for i, a in enumerate(low):
            for j, b in enumerate(linear):
                product[i + j] += a * b
        assert tuple(product[: len(high)]) == high  # the ratio is that line
        assert all(not exceeds(r, eps) and not exceeds(1 / r, eps) for r in ends)
    bottom, top = value(density, Fraction(0)), value(density, ONE)
    assert (parse(strings["min"]), parse(strings["max"])) == (bottom, top)
    return exceeds(top, eps) or bottom == 0 or exceeds(1 / bottom, eps)


def test_necessary_range():
    for singleton in (False, True):
        strings = ranges.necessary_refuted(sound=False, singleton=singleton).counterexample
        assert leaves_necessary_range(strings)
        tilt = "(19/20, 1/10)"
        sound = {"density": tilt, "mollifier": f"({tilt})", "min": "19/20", "max": "21/20", "eps": "1/5"}
        assert not leaves_necessary_range(sound)


def clipped_mass(p, q0, r, c):
    return sum(min(max(q / r, x / c), r * q) for x, q in zip(p, q0, strict=True))


def no_constant(strings):
    """The mass is decreasing in C, so it is enough that it is below one where C is below every breakpoint."""
    p, q0, r = (parse(strings[key]) for key in ("P", "Q0", "root"))
    assert is_law(p)
    assert is_law(q0)
    assert r > 1
    smallest = min(x / (r * q) for x, q in zip(p, q0, strict=True) if x > 0 and q > 0)
    largest = clipped_mass(p, q0, r, smallest)
    assert largest == clipped_mass(p, q0, r, smallest / 1000)
    assert all(clipped_mass(p, q0, r, smallest * k) <= largest for k in (1, 2, 10, 1000))
    return largest < 1


def test_constant_exists():
    strings = closed_form.constant_exists(rng(), 5, condition=False).counterexample
    assert no_constant(strings)
    assert parse(strings["mass"]) == Fraction(7, 8)
    assert not no_constant({"P": "(1, 0)", "Q0": "(1/3, 2/3)", "root": "2"})


def outside(strings):
    q0, r, released = (parse(strings[key]) for key in ("Q0", "root", "released"))
    assert is_law(q0)
    assert is_law(released)
    return any(not q / r <= x <= r * q for x, q in zip(released, q0, strict=True))


def test_plug_in_stays_inside():
    strings = closed_form.plug_in_stays_inside(rng(), 5, condition=False).counterexample
    assert outside(strings)
    p, q0, r = (parse(strings[key]) for key in ("P", "Q0", "root"))
    clipped = [min(max(q / r, x * 1000), r * q) for x, q in zip(p, q0, strict=True)]
    assert tuple(x / sum(clipped) for x in clipped) == parse(strings["released"])
    assert not outside({**strings, "released": "(1/2, 1/2)"})


def mode_moves(strings):
    """`best` is clip(P/C) for one C > 0 with mass one, hence (8), and its largest atom is not that of P."""
    p, q0, r, best = (parse(strings[key]) for key in ("P", "Q0", "root", "best"))
    assert all(map(is_law, (p, q0, best)))
    low, high = Fraction(0), None  # the constants that fit
    for x, q, b in zip(p, q0, best, strict=True):
        assert q / r <= b <= r * q
        if b > q / r:  # x / C >= b, where b is not above the upper bound
            high = x / b if high is None else min(high, x / b)
        if b < r * q:  # x / C <= b
            low = max(low, x / b)
    assert high is None or low <= high
    return best.index(max(best)) != p.index(max(p)) and best.count(max(best)) == 1


def test_mode_can_move():
    strings = projection.mode_can_move(rng(), 5, uniform=False).counterexample
    assert mode_moves(strings)
    uniform = {"P": "(2/5, 3/5)", "Q0": "(1/2, 1/2)", "root": "5/4", "best": "(2/5, 3/5)"}
    assert not mode_moves(uniform)


def beaten(strings):
    """KL((1, 0), (t, 1-t)) = -log t: a member with larger t below 1/2 is better."""
    p, t, better = (parse(strings[key]) for key in ("P", "t", "better"))
    assert p == (1, 0)
    return Fraction(1, 3) <= t < better < Fraction(1, 2)


def test_minimum_attained():
    strings = projection.minimum_attained(closed=False).counterexample
    assert beaten(strings)
    # the set is a mollifier at exp(eps) = 3/2: t runs from 1/3 to 1/2, and 1-t from 1/2 to 2/3
    assert Fraction(1, 2) / Fraction(1, 3) <= Fraction(3, 2)
    assert Fraction(2, 3) / Fraction(1, 2) <= Fraction(3, 2)
    # no t is the best: (t + 1/2)/2 beats every one
    assert all(
        beaten({**strings, "t": str(t), "better": str((t + Fraction(1, 2)) / 2)})
        for t in (Fraction(1, 3), Fraction(2, 5), Fraction(1, 2) - Fraction(1, 10**50))
    )
    assert not beaten({**strings, "t": "1/2", "better": "1/2"})


def updated(start, signs, eps):
    """One round from `start` with c = signs * log 2, in balls."""
    log2 = arb(2).log()
    step = eps / (eps + 4 * log2)
    weights = [ball(q) * (step * ball(s) * log2).exp() for q, s in zip(start, signs, strict=True)]
    total = sum(weights, arb(0))
    return [w / total for w in weights]


def leaves_absolute_range(strings):
    saved, ctx.prec = ctx.prec, 256
    try:
        q0, eps = parse(strings["Q0"]), ball(parse(strings["eps"]))
        assert is_law(q0)
        assert strings["c"] == "(-log 2, log 2)"
        assert strings["T"] == "1"
        learned = updated(q0, (-ONE, ONE), eps)
        densities = [2 * q for q in learned]  # the halves of [0, 1] have length 1/2
        if "Q1" in strings:
            printed = [float(x) for x in re.findall(r"[\d.]+", strings["Q1"])]
            assert all(abs(float(d.mid()) - x) < 1e-12 for d, x in zip(densities, printed, strict=True))
        gaps = [abs(d.log()) - eps / 2 for d in densities]
        assert all(gap > 0 or gap < 0 for gap in gaps)
        # what is true: the bound relative to Q0
        assert all(abs((q / ball(a)).log()) < eps / 2 for q, a in zip(learned, q0, strict=True))
        return any(gap > 0 for gap in gaps)
    finally:
        ctx.prec = saved


def test_absolute_range():
    strings = mbde.absolute_range(densities=(Fraction(1, 2), Fraction(3, 2))).counterexample
    assert leaves_absolute_range(strings)
    uniform = {"Q0": "(1/2, 1/2)", "c": strings["c"], "T": "1", "eps": "1/5"}
    assert not leaves_absolute_range(uniform)


def has_no_fixed_point(strings):
    """theta = 1/2, c = s (log 2, -log 2): the weights are in ratio 2^s : 1, and the learner answers sign(P - Q1)."""
    p, q0 = parse(strings["P"]), parse(strings["Q0"])
    assert parse(strings["theta"]) == Fraction(1, 2)
    for s in (1, -1):
        ratio = q0[0] / q0[1] * Fraction(2) ** s
        first = ratio / (1 + ratio)
        if (p[0] > first) - (p[0] < first) == s:
            return False
    return True


def test_circular_step():
    strings = mbde.circular_step(use_previous=False).counterexample
    assert has_no_fixed_point(strings)
    assert strings["answers"] == str({1: -1, -1: 1})
    assert not has_no_fixed_point({**strings, "P": "(4/5, 1/5)"})  # far enough: the classifier agrees with itself


def exceeds_level(strings):
    saved, ctx.prec = ctx.prec, 256
    try:
        starts, eps = (parse(strings["Q0"]), parse(strings["Q02"])), ball(parse(strings["eps"]))
        rows = (parse(strings["c"]), parse(strings["c2"]))
        assert all(map(is_law, starts))
        assert all(len(row) == 1 and all(abs(s) <= 1 for s in row[0]) for row in rows)
        one, two = (updated(q, row[0], eps) for q, row in zip(starts, rows, strict=True))
        gaps = [abs((a / b).log()) - eps for a, b in zip(one, two, strict=True)]
        assert all(gap > 0 or gap < 0 for gap in gaps)
        return any(gap > 0 for gap in gaps)
    finally:
        ctx.prec = saved


def test_data_dependent_start():
    strings = spending.data_dependent_start(rng(), 3, allow_start=False).counterexample
    assert exceeds_level(strings)
    assert not exceeds_level({**strings, "Q02": strings["Q0"]})


def chain_exceeds(strings):
    one, two, start = (parse(strings[key]) for key in ("Q", "Q2", "start"))
    assert all(map(is_law, (one, two, start)))
    level = max(max(a / b, b / a) for a, b in zip(one, two, strict=True))
    laws = []
    for law in (one, two):
        current = start
        for _ in range(int(strings["steps"])):
            leave = [min(ONE, law[1] / law[0]) / 2, min(ONE, law[0] / law[1]) / 2]
            current = (
                current[0] * (1 - leave[0]) + current[1] * leave[1],
                current[1] * (1 - leave[1]) + current[0] * leave[0],
            )
        laws.append(current)
    reached = max(max(a / b, b / a) for a, b in zip(*laws, strict=True))
    return reached, level


def test_metropolis_step():
    strings = sampling.metropolis_step(exact=False).counterexample
    reached, level = chain_exceeds(strings)
    assert (reached, level) == (parse(strings["ratio"]), Fraction(3, 2))
    assert reached > level
    reached, level = chain_exceeds({**strings, "steps": "60"})  # a long chain comes back to the level, from above
    assert level < reached < level + Fraction(1, 10**9)


def test_strings_survive_json():
    strings = spending.data_dependent_start(rng(), 3, allow_start=False).counterexample
    assert exceeds_level(json.loads(json.dumps(dict(strings))))
