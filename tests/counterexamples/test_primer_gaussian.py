"""The counterexamples of the page on the Gaussian mechanism, each with a sound variant."""

from fractions import Fraction as F
from math import comb, prod

import pytest

from tests.counterexamples.rational import ball, precision

VERIFIED = {
    "LEC-gauss": "test_half_of_the_outputs_tell_the_records_apart",
    "LEC-gauss-pf1": "test_the_loss_exceeds_its_bound",
    "LEC-gauss-pf2": "test_a_noise_below_the_threshold_with_a_large_loss",
    "LEC-gauss-pf3": "test_the_tail_bound_of_the_slides_exceeds_delta",
    "LEC-gauss-pf4": "test_the_two_sided_condition_fails",
    "LEC-gaussinf": "test_the_printed_threshold_is_reached_too_often",
    "LEC-gaussinf-pf": "test_the_union_bound_at_the_printed_threshold",
    "LEC-gauss-sum": "test_a_sum_of_dependent_gaussians",
}


def beyond(x):
    """Return P[N > x], a ball."""
    return (x / ball(2).sqrt()).erfc() / 2


def multiple(delta):
    """Return sqrt(2 log(1.25/delta)), a ball; the printed sigma is this over eps at sensitivity 1."""
    return (2 * ball(F(5, 4) / delta).log()).sqrt()


def least_delta(eps, sigma):
    return beyond(eps * sigma - 1 / (2 * sigma)) - eps.exp() * beyond(eps * sigma + 1 / (2 * sigma))


def gain(eps, sigma, level):
    """Return P[A(D) >= level] - e^eps P[A(D') >= level] for answers 1 and 0."""
    return beyond((level - 1) / sigma) - eps.exp() * beyond(level / sigma)


@pytest.mark.parametrize(("eps", "delta"), [(20, F(1, 100)), (5, F(1, 2)), (4, F(9, 10)), (9, F(1, 10**5))])
def test_half_of_the_outputs_tell_the_records_apart(eps, delta):
    with precision():
        printed = multiple(delta) / eps
        assert least_delta(ball(eps), printed) > ball(delta)
        if eps == 20:
            # the event of the text: one half on one side, below 0.03 on the other
            found = gain(ball(eps), printed, ball(1))
            assert found > ball(F(47, 100)) > ball(delta)
            assert ball(F(15537, 10**5)) < printed < ball(F(15538, 10**5))
            assert ball(eps).exp() * beyond(1 / printed) < ball(F(3, 100))
            assert ball(F(48276, 10**5)) < least_delta(ball(eps), printed) < ball(F(48278, 10**5))
        # sound: the same rule at eps = 1, and at 3.78
        for small in (F(1), F(378, 100)):
            assert least_delta(ball(small), multiple(delta) / ball(small)) < ball(delta)


def test_the_loss_exceeds_its_bound():
    sensitivity, variance, y = F(1), F(1), F(-1, 2)
    losses = {d: abs((y + d) ** 2 - y**2) / (2 * variance) for d in (F(-1), F(1, 2), F(1))}
    printed = abs(2 * y * sensitivity + sensitivity**2) / (2 * variance)
    assert printed == 0
    assert losses[F(-1)] == 1
    assert losses[F(1, 2)] == F(1, 8)
    # sound: the difference that attains the sensitivity, and the bound with |y|
    assert losses[F(1)] == printed
    assert max(losses.values()) <= (2 * abs(y) * sensitivity + sensitivity**2) / (2 * variance)


def test_a_noise_below_the_threshold_with_a_large_loss():
    sensitivity, variance, eps = F(1), F(1), F(1)
    threshold = variance * eps / sensitivity - sensitivity / 2

    def loss(y):
        return abs(2 * y * sensitivity + sensitivity**2) / (2 * variance)

    assert F(-2) < threshold
    assert loss(F(-2)) == F(3, 2) > eps
    # sound: |y| at most the threshold
    assert all(loss(y) <= eps for y in (threshold, -threshold, F(0)))


def test_the_tail_bound_of_the_slides_exceeds_delta():
    eps, delta = F(1, 2), F(1, 10**5)
    with precision():
        c = multiple(delta)
        t = c - ball(eps) / (2 * c)
        assert t > 0
        bound = 2 * (-t * t / 2).exp()
        assert ball(F(205, 10**7)) < bound < ball(F(206, 10**7))
        assert bound > ball(delta)
        # sound: a quarter of it, for one side; and the probability itself
        assert bound / 4 < ball(delta)
        assert beyond(t) < bound / 4
        assert 2 * beyond(t) < ball(F(165, 10**8))


@pytest.mark.parametrize(("eps", "delta"), [(F(5), F(1, 10**5)), (F(1), F(96, 100))])
def test_the_two_sided_condition_fails(eps, delta):
    def outside(eps, delta):
        c = multiple(delta)
        t = c - ball(eps) / (2 * c)
        return 2 * beyond(t) if t > 0 else ball(1)

    with precision():
        assert outside(eps, delta) > ball(delta)
        # sound: within the condition
        for fair in (F(1, 10**5), F(1, 2), F(95, 100)):
            assert outside(F(1), fair) < ball(fair)


@pytest.mark.parametrize(("size", "low", "high"), [(1, 9165, 9166), (10, 8059, 8060), (10_000, 85, 86)])
def test_the_printed_threshold_is_reached_too_often(size, low, high):
    beta = F(1, 20)
    with precision():
        square = ball(size / beta).log()
        printed = (1 - 2 * beyond(square.sqrt())) ** size
        assert ball(F(low, 10**4)) < printed < ball(F(high, 10**4))
        assert printed < ball(1 - beta)
        # sound: the threshold times the root of 2
        assert (1 - 2 * beyond((2 * square).sqrt())) ** size > ball(1 - beta)


def test_the_union_bound_at_the_printed_threshold():
    size, beta = 1, F(1, 4)
    # 2 K e^{-u^2/2} with u^2 = log(K/beta) is 2 K sqrt(beta/K), here 2 * 1/2
    root = F(1, 2)
    assert root**2 == beta / size
    assert 2 * size * root == 1 > beta
    # sound: u^2 = 2 log(2 K/beta) gives beta
    assert 2 * size * (beta / (2 * size)) == beta


def test_a_sum_of_dependent_gaussians():
    """S X with a fair sign S is standard normal; X + S X is 0 half of the time and 2 X else."""

    def moment(order):
        return prod(range(1, 2 * order, 2))

    half = F(1, 2)
    second, fourth = half * 4 * moment(1), half * 16 * moment(2)
    assert (second, fourth) == (2, 24)
    assert fourth != 3 * second**2
    # sound: the moments of X + Y for independent variables
    independent = [sum(comb(2 * m, 2 * j) * moment(j) * moment(m - j) for j in range(m + 1)) for m in (1, 2)]
    assert independent[1] == 3 * independent[0] ** 2
