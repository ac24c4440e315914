"""Accounting for private GANs: brackets from both sides, and the noise for a level."""

import pytest

from mollified.training import low_noise_bracket, noise_for_level, whole_run_level
from mollified.training.gan_accounting import published_noise

RATE, DELTA = 0.0128, 0.1


def test_levels_from_both_sides_enclose_each_other():
    """The lower side loses up to the step of the grid in each step of the run."""
    low, high = (whole_run_level(RATE, 1.0, 200, 1e-3, side) for side in ("lower", "upper"))
    assert low <= high <= low + 200 * 1e-4


def test_the_bracket_holds_the_accountant():
    for noise in (0.3, 0.4):
        low, high = low_noise_bracket(RATE, noise, 10_000, DELTA)
        assert low <= whole_run_level(RATE, noise, 10_000, DELTA) <= high


def test_the_bracket_is_narrow_for_tiny_noise_and_zero_for_few_steps():
    noise = published_noise(5000, RATE, 5, DELTA)
    low, high = low_noise_bracket(RATE, noise, 10_000, DELTA)
    assert 2e11 < low < high < 1.01 * low
    # eight steps need no noise, nine do
    assert low_noise_bracket(RATE, noise, 8, DELTA)[0] == 0.0
    assert low_noise_bracket(RATE, noise, 9, DELTA)[0] > 1e9


@pytest.mark.slow
def test_noise_for_a_level_is_enough_and_not_much_more():
    noise = noise_for_level(3.0, RATE, 1000, 1e-3)
    assert whole_run_level(RATE, noise, 1000, 1e-3) <= 3.0 < whole_run_level(RATE, noise / 1.04, 1000, 1e-3)
    large = noise_for_level(5000.0, RATE, 10_000, DELTA)
    assert low_noise_bracket(RATE, large, 10_000, DELTA)[1] <= 5000.0
