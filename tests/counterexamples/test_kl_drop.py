"""The counterexamples of the pages on exponential moments and the KL drop, from rationals alone."""

from __future__ import annotations

from fractions import Fraction as F

from flint import arb

from tests.counterexamples.rational import ball, divergence, is_law, precision, sign

VERIFIED = {
    "MBDE-T6-low": "test_low_regime",
    "MBDE-T6-high": "test_high_regime",
    "MBDE-E58": "test_inserted_lemma",
    "MBDE-L14": "test_moment_at_one",
    "MBDE-E49": "test_edge_inserted",
    "MBDE-L13-ab": "test_centred_interval",
    "MBDE-conc-opt": "test_no_best_step",
}

#: P, Q, the values of c as logarithms of rationals, theta, both edges.
LOW = ((F(2, 3), F(1, 3)), (F(1, 3), F(2, 3)), (F(2), F(1, 2)), F(1, 2), F(3, 10))
HIGH = ((F(4, 5), F(1, 5)), (F(1, 5), F(4, 5)), (F(11, 10), F(10, 11)), F(1, 2), F(1, 2))
#: The same laws with classifiers of full size, for which the bound of the high regime is sound.
SOUND = ((F(4, 5), F(1, 5)), (F(1, 5), F(4, 5)), (F(2), F(1, 2)), F(1, 2), F(1, 2))


def edges(p, q):
    """Return the edges of (c*, -c*)."""
    return p[0] - p[1], q[1] - q[0]


def meets_assumption(p, q, values, gamma):
    assert is_law(p)
    assert is_law(q)
    assert values[0] * values[1] == 1
    assert 1 < values[0] <= 2
    return all(0 < gamma < edge for edge in edges(p, q))


def true_drop(p, q, values, theta):
    """Return KL(P, Q) - KL(P, Q_theta), each from its definition, with Q_theta of balls."""
    raised = [ball(b) * (ball(theta) * ball(v).log()).exp() for b, v in zip(q, values, strict=True)]
    total = raised[0] + raised[1]
    after = sum((ball(a) * (ball(a) * total / r).log() for a, r in zip(p, raised, strict=True)), arb(0))
    return divergence(p, q) - after


def claimed_low(values, theta, gamma):
    c_star = ball(values[0]).log()
    return ball(theta) * (ball(2 * gamma) - c_star * ball(theta) / 2)


def claimed_43(values, theta, gamma):
    return ball(values[0]).log() * claimed_low(values, theta, gamma)


def claimed_high(values, theta, gamma):
    c_star = ball(values[0]).log()
    return ball(theta) * (c_star * ball(gamma) + (4 / ball(5 - 3 * gamma)).log())


def refutes(example, claim):
    p, q, values, theta, gamma = example
    assert meets_assumption(p, q, values, gamma)
    with precision():
        return sign(true_drop(p, q, values, theta) - claim(values, theta, gamma)) < 0


def test_low_regime():
    assert LOW[-1] < F(1, 3)
    assert refutes(LOW, claimed_low)
    assert not refutes(LOW, claimed_43)
    with precision():  # the closed form of the text
        gap = true_drop(*LOW[:4]) - (ball(3).log() - ball(F(4, 3)) * ball(2).log())
        assert gap.contains(0)
        assert float(gap.rad()) < 1e-60


def test_high_regime():
    assert HIGH[-1] >= F(1, 3)
    assert refutes(HIGH, claimed_high)
    assert not refutes(SOUND, claimed_high)
    assert not refutes(HIGH, claimed_43)


def test_inserted_lemma():
    """(58) is the inequality of the theorem; with the corrected moment it holds."""

    def corrected(values, theta, gamma):
        moment = (ball(values[0]) + ball(values[1])) / 2 - ball(gamma) * (ball(values[0]) - ball(values[1])) / 2
        return ball(theta) * (ball(values[0]).log() * ball(gamma) - moment.log())

    assert refutes(HIGH, claimed_high)
    assert not refutes(HIGH, corrected)


def test_moment_at_one():
    """All rational: E_Q e^c against (5 - 3 gamma)/4, and against cosh c* - gamma sinh c*."""

    def too_large(example, bound):
        p, q, values, _, gamma = example
        assert meets_assumption(p, q, values, gamma)
        return sum(b * v for b, v in zip(q, values, strict=True)) > bound(values, gamma)

    def printed(values, gamma):
        return (5 - 3 * gamma) / 4

    def corrected(values, gamma):
        return (values[0] + values[1]) / 2 - gamma * (values[0] - values[1]) / 2

    assert sum(b * v for b, v in zip(HIGH[1], HIGH[2], strict=True)) == F(521, 550)
    assert too_large(HIGH, printed)
    assert not too_large(HIGH, corrected)
    assert not too_large(SOUND, printed)


def test_edge_inserted():
    """E_Q[-c] / log 2 against gamma, and against gamma c* / log 2."""

    def fails(example, *, scaled):
        p, q, values, _, gamma = example
        assert meets_assumption(p, q, values, gamma)
        with precision():
            scale = ball(values[0]).log() / ball(2).log()
            return sign(ball(edges(p, q)[1]) * scale - ball(gamma) * (scale if scaled else 1)) < 0

    assert fails(HIGH, scaled=False)
    assert not fails(HIGH, scaled=True)
    assert not fails(SOUND, scaled=False)


def test_centred_interval():
    """In units of c*: X = c - E_Q c lies in [-1, 1] moved by the mean, not in [-1, 1]."""
    p, q, values, _, _ = LOW
    assert meets_assumption(p, q, values, F(1, 4))
    mean = q[0] - q[1]
    centred = (1 - mean, -1 - mean)
    assert centred == (F(4, 3), F(-2, 3))
    assert q[0] * centred[0] + q[1] * centred[1] == 0
    assert not all(-1 <= x <= 1 for x in centred)
    assert all(-1 - mean <= x <= 1 - mean for x in centred)


def test_no_best_step():
    """The slope of the drop has the sign of sum_x Q(x) y^n(x) (E_P n - n(x)), y = 2^theta."""

    def grows_for_ever(p, q, n):
        assert is_law(p)
        assert is_law(q)
        mean = sum(a * k for a, k in zip(p, n, strict=True))
        terms = [b * (mean - k) for b, k in zip(q, n, strict=True)]
        return min(terms) >= 0 and max(terms) > 0

    def slope(p, q, n, y):
        mean = sum(a * k for a, k in zip(p, n, strict=True))
        return sum(b * F(y) ** k * (mean - k) for b, k in zip(q, n, strict=True))

    half, signs = (F(1, 2), F(1, 2)), (1, -1)
    assert grows_for_ever((F(1), F(0)), half, signs)
    inside = ((F(2, 3), F(1, 3)), (F(1, 3), F(2, 3)), signs)
    assert not grows_for_ever(*inside)
    assert slope(*inside, 1) > 0
    assert slope(*inside, 2) == 0
    assert slope(*inside, 3) < 0
