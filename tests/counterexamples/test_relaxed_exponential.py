"""The claims of the page on the relaxed exponential mechanism that fail as printed, from rationals alone."""

from __future__ import annotations

from fractions import Fraction as F
from itertools import product
from math import factorial

from tests.counterexamples.rational import ball, is_law, precision, sign

VERIFIED = {
    "BS-D2-posed": "test_the_definition_leaves_several_mechanisms_or_none",
    "BS-T4": "test_a_set_that_is_probable_under_one_data_set_does_not_give_privacy",
    "BS-T4-37": "test_the_final_bound_fails_for_the_first_output",
    "BS-T4-31": "test_the_ratio_is_not_that_of_the_sums_over_typical_outputs",
    "BS-T4-32": "test_the_last_factor_is_upside_down",
    "BS-T4-sym": "test_the_ratio_is_below_the_printed_lower_bound",
    "BS-T5": "test_the_sensitivity_of_the_definition_gives_another_law",
    "BS-T5-64": "test_with_the_sensitivity_of_the_definition_64_is_another_law",
    "BS-T5-63": "test_the_weights_are_no_probabilities_for_another_factor",
    "BS-T5-mode": "test_a_constant_data_set_is_more_probable_than_one_of_the_right_type",
    "BS-T5-43": "test_the_sensitivity_is_smaller_and_larger_than_the_maximum_over_two_shares",
    "BS-T5-62": "test_the_sensitivity_is_smaller_and_larger_than_the_formula",
    "BS-T5-48": "test_the_logarithm_is_bounded_on_the_wrong_side",
}

E = F(4)  # e^eps, so e^(eps/2) = 2


def law(scores, root=F(2)):
    """Return the law with weights root^score, the sensitivity being 1."""
    weights = [root**u for u in scores]
    found = [w / sum(weights) for w in weights]
    assert is_law(found)
    return found


def needed(one, two, factor):
    """Return the least delta for one order: the sum of the positive parts."""
    return sum(max(p - factor * q, 0) for p, q in zip(one, two, strict=True))


def test_the_definition_leaves_several_mechanisms_or_none():
    one, two, delta = (0, -10), (-1, 10), F(1, 1000)
    change = [abs(a - b) for a, b in zip(one, two, strict=True)]
    assert change == [1, 20]
    # the set {r1}: sensitivity 1, weights 2^u
    first = law(one)
    assert first[0] == F(1024, 1025) >= 1 - delta
    # the set {r1, r2}: sensitivity 20, weights 2^(u/20), and all the mass
    with precision():
        ratio = (ball(F(one[1] - one[0], 20)) * ball(2).log()).exp()
        second = 1 / (1 + ratio)
        assert sign(ball(F(59, 100)) - second) == 1
        assert sign(second - ball(F(58, 100))) == 1
    assert first[0] > F(59, 100)
    # given the set, the law is determined: the weights are
    assert law(one) == first
    # none: weights x^r with x^(j+1) = 1/2 under D; {0..j} has mass (1 - x^(j+1)) / (1 - x) * (1 - x) = 1/2
    for j in range(30):
        mass = 1 - F(1, 2)
        with precision():
            x = (ball(F(-1, j + 1)) * ball(2).log()).exp()
            partial = sum((x**r for r in range(j + 1)), ball(0)) * (1 - x)
            assert partial.overlaps(ball(mass))
        assert mass < 1 - F(1, 10)
    assert sum(law((0, -1, -2))) == 1  # a finite range has all the mass, and qualifies


def two_outputs(score):
    """Return the laws of D and D', the score of the second output under D' being free."""
    return law((0, -10)), law((-1, score))


def test_a_set_that_is_probable_under_one_data_set_does_not_give_privacy():
    one, two = two_outputs(10)
    delta = F(1, 1000)
    assert one[0] >= 1 - delta  # the set {r1} qualifies for D; its sensitivity is |0 - (-1)| = 1
    assert two[0] < 1 - delta
    assert needed(one, two, E) > delta
    # sound: {r1} has the mass 1 - delta under both
    one, two = two_outputs(-12)
    assert min(one[0], two[0]) >= 1 - delta
    assert max(needed(one, two, E), needed(two, one, E)) <= delta


def test_the_final_bound_fails_for_the_first_output():
    one, two = two_outputs(10)
    assert one[0] == F(1024, 1025)
    assert two[0] == F(1, 2049)
    assert E * two[0] + F(1, 1000) < F(3, 1000) < one[0]
    one, two = two_outputs(-12)
    for event in ([], [0], [1], [0, 1]):  # sound: A = {r1} is probable under both; the right side counts A only
        for p, q in ((one, two), (two, one)):
            assert sum(p[r] for r in event) <= E * sum(q[r] for r in event if r == 0) + F(1, 1000)


def test_the_ratio_is_not_that_of_the_sums_over_typical_outputs():
    one, two = two_outputs(10)
    over_typical = (F(1) / F(1)) / (F(1, 2) / F(1, 2))  # weights 1 and 1/2, each over itself
    assert over_typical == 1
    assert one[0] / two[0] == F(1024, 1025) * 2049 > 2046
    # sound: the probabilities given {r1} are 1 and 1
    assert (one[0] / one[0]) / (two[0] / two[0]) == over_typical


def test_the_last_factor_is_upside_down():
    w, w2 = F(1), F(2)  # the only typical output
    right_of_31 = (w / w) / (w2 / w2)
    assert right_of_31 == 1
    assert (w / w2) * (w / w2) == F(1, 4) != right_of_31  # printed: sum for D over sum for D'
    assert (w / w2) * (w2 / w) == right_of_31  # sound


def test_the_ratio_is_below_the_printed_lower_bound():
    u, u2, delta = (-6, 0, -4), (-5, -1, -10), F(1, 10)
    assert [abs(a - b) for a, b in zip(u, u2, strict=True)][:2] == [1, 1]
    one, two = law(u), law(u2)
    assert one[0] + one[1] == F(65, 69) >= 1 - delta
    assert two[0] + two[1] == F(544, 545) >= 1 - delta
    assert one[0] / two[0] == F(545, 2208) < 1 / E
    assert min(one[r] / two[r] for r in (0, 1)) >= (1 - delta) / E  # corrected


def smoothed(counts, k):
    total = sum(counts) + k * len(counts)
    return [F(c + k, total) for c in counts]


def typical(counts, k, gamma, m):
    """Return the counts of all outputs of m records whose type is within gamma of the smoothed data."""
    found = smoothed(counts, k)
    rows = [row for row in product(range(m + 1), repeat=len(counts)) if sum(row) == m]
    return [row for row in rows if all(abs(F(j, m) - h) <= gamma for j, h in zip(row, found, strict=True))]


def exp_change(one, two, drawn):
    """Return e to m times the change of the score: the product of the ratios of the laws, >= 1."""
    ratio = F(1)
    for a, b, j in zip(one, two, drawn, strict=True):
        ratio *= (a / b) ** j
    return max(ratio, 1 / ratio)


def test_the_sensitivity_of_the_definition_gives_another_law():
    # n = k = 1, two symbols, gamma = 5/6, m = 3; the data sets (d1) and (d2) are the only ones
    k, gamma, m = 1, F(5, 6), 3
    share = 2 * gamma + F(1, 3)
    assert share == 2  # formula (62) is 2 log 2
    one, two = smoothed([1, 0], k), smoothed([0, 1], k)
    outputs = typical([1, 0], k, gamma, m)
    assert len(outputs) == m + 1  # all are typical
    largest = max(exp_change(one, two, row) for row in outputs)
    assert largest == F(2) ** m  # the sensitivity is log 2
    # eps = 2 m share log 2 makes the printed m whole; the exponents are eps/(2 * sensitivity)
    power = {"definition": 2 * m * share / 2, "formula": 2 * m * share / (2 * share)}
    assert power == {"definition": 6, "formula": 3}
    bootstrap = {row: one[0] ** row[0] * one[1] ** row[1] for row in outputs}
    number = {row: factorial(m) // (factorial(row[0]) * factorial(row[1])) for row in outputs}
    assert sum(number[row] * bootstrap[row] for row in outputs) == 1
    for scale, expected in (("definition", F(64, 125)), ("formula", F(8, 27))):
        weights = {row: p ** int(power[scale] / m) for row, p in bootstrap.items()}  # e^(-t [H + KL]) = P^(t/m)
        total = sum(number[row] * weights[row] for row in outputs)
        assert weights[(3, 0)] / total == expected
    assert F(64, 125) != bootstrap[(3, 0)] == F(8, 27)
    with precision():  # and m is at least L at delta = 9/10
        assert sign(ball(m) - ball(2 / gamma**2) * ball(2 / F(9, 10)).log()) == 1


def test_with_the_sensitivity_of_the_definition_64_is_another_law():
    one, m = smoothed([1, 0], 1), 3
    by_64 = one[0] ** m
    squared = (one[0] ** 2) ** m / (one[0] ** 2 + one[1] ** 2) ** m  # weights P^2, as in the test before
    assert by_64 == F(8, 27) != squared == F(64, 125)
    assert one[0] ** m / sum(one) ** m == by_64  # with the scale set to (62)


def test_the_weights_are_no_probabilities_for_another_factor():
    one, factor = smoothed([1, 0], 1), 2  # m = 1
    weights = [h**factor for h in one]
    assert weights[0] == F(4, 9)
    assert sum(weights) == F(5, 9)
    assert weights[0] / sum(weights) == F(4, 5) != weights[0]
    assert sum(h**1 for h in one) == 1  # the factor equal to m


def test_a_constant_data_set_is_more_probable_than_one_of_the_right_type():
    h, m = smoothed([1, 0], 1), 3
    assert h == [F(2, 3), F(1, 3)]
    own, constant = h[0] ** 2 * h[1], h[0] ** 3
    assert own == F(4, 27) < constant == F(8, 27)
    classes = {j: factorial(m) // (factorial(j) * factorial(m - j)) * h[0] ** j * h[1] ** (m - j) for j in range(m + 1)}
    assert sum(classes.values()) == 1
    assert max(classes, key=classes.get) == 2  # under the condition, type classes: the one of the smoothed data


def neighbours(counts):
    for giver, taker in product(range(len(counts)), repeat=2):
        if giver != taker and counts[giver]:
            yield [c - (i == giver) + (i == taker) for i, c in enumerate(counts)]


def smaller():
    """Return e^(m sensitivity) and e^(m formula) where outputs are typical for one of the pair."""
    k, gamma, m = 1, F(5, 6), 3
    found = max(
        exp_change(smoothed(counts, k), smoothed(other, k), row)
        for counts in ([1, 0], [0, 1])
        for other in neighbours(counts)
        for row in typical(counts, k, gamma, m)
    )
    return found, F(2) ** int(m * (2 * gamma + F(1, 3)))


def larger():
    """Return the same for the outputs typical for (d1, d1), over all pairs; the powers are 4 m times the numbers."""
    k, gamma, m = 1, F(1, 4), 32
    rows = typical([2, 0], k, gamma, m)
    assert (32, 0) in rows
    found = max(
        exp_change(smoothed(counts, k), smoothed(other, k), (32, 0))
        for counts in ([2, 0], [1, 1], [0, 2])
        for other in neighbours(counts)
    )
    return found, F(2) ** int(m * (2 * gamma + F(1, 4)))


def bounded():
    """Tell whether (62) with k = 1 bounds the changes on the outputs typical for one of the pair."""
    for n, gamma, m in ((1, F(5, 6), 3), (2, F(1, 4), 32), (2, F(1, 4), 8), (3, F(1, 5), 5)):
        share = 2 * gamma + F(1, n + 2)
        for first in range(n + 1):
            counts = [first, n - first]
            for other in neighbours(counts):
                for row in typical(counts, 1, gamma, m):
                    change = exp_change(smoothed(counts, 1), smoothed(other, 1), row)
                    if change**share.denominator > F(2) ** (m * share.numerator):
                        return False
    return True


def attained():
    """Tell whether it is attained: three symbols, n = k = 1, gamma = 1/4 = k a, m = 4, and the type (3, 0, 1)/4."""
    one, two = smoothed([1, 0, 0], 1), smoothed([0, 1, 0], 1)
    assert (3, 0, 1) in typical([1, 0, 0], 1, F(1, 4), 4)
    return exp_change(one, two, (3, 0, 1)) == F(2) ** int(4 * (2 * F(1, 4) + F(1, 4)))


def test_the_sensitivity_is_smaller_and_larger_than_the_formula():
    found, formula = smaller()
    assert (found, formula) == (F(2) ** 3, F(2) ** 6)
    found, formula = larger()
    assert (found, formula) == (F(2) ** 32, F(2) ** 24)
    assert bounded()
    assert attained()


def test_the_sensitivity_is_smaller_and_larger_than_the_maximum_over_two_shares():
    # the right side of (43) for n = k = 1: x1 = 2/3, x2 = 1/3 is the only point, -f = (x1 + gamma - x2 + gamma) log 2
    gamma = F(5, 6)
    right = (F(2, 3) + gamma) - (F(1, 3) - gamma)
    assert right == 2 * gamma + F(1, 3) == 2
    found, formula = smaller()
    assert found < F(2) ** int(3 * right) == formula
    # for n = 2: at the lower corner x1 = 2/4, x2 = 1/4, where -f = 3/4 log 2
    gamma = F(1, 4)
    right = (F(2, 4) + gamma) - (F(1, 4) - gamma)
    found, formula = larger()
    assert found > F(2) ** int(32 * right) == formula
    assert bounded()
    assert attained()


def test_the_logarithm_is_bounded_on_the_wrong_side():
    x, a, gamma = F(2, 3), F(1, 3), F(1, 10)
    with precision():
        log = ball((x - a) / x).log()
        assert sign(log + ball(a / x)) == -1  # printed: log >= -a/x
        assert sign(log + ball(a / (x - a))) == 1  # corrected
        slope = ball((x + gamma) * a / (x * (x - a))) + log
        assert sign(slope - ball(gamma * a / (x * (x - a)))) == 1
