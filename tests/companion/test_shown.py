"""Numbers as formulas."""

from __future__ import annotations

import pytest

from companion.shown import scientific


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (1.7e-4, 2, r"$1.7\times10^{-4}$"),
        (2.06e-10, 2, r"$2.1\times10^{-10}$"),
        (-0.0345, 2, r"$-3.5\times10^{-2}$"),
        (9.99e-5, 2, r"$1.0\times10^{-4}$"),
        (4e-12, 1, r"$4\times10^{-12}$"),
        (24094.0, 3, r"$2.41\times10^{4}$"),
        (1.25, 3, "$1.25$"),
        (0, 1, "$0$"),
    ],
)
def test_powers_of_ten_are_written_out(value, digits, text):
    assert scientific(value, digits) == text


def test_a_bound_is_never_rounded_downwards():
    assert scientific(1.718e-4) == r"$1.7\times10^{-4}$"
    assert scientific(1.718e-4, upward=True) == r"$1.8\times10^{-4}$"
    assert scientific(1.4437e-6, 1, upward=True) == r"$2\times10^{-6}$"
    assert scientific(9.91e-6, 1, upward=True) == r"$1\times10^{-5}$"
    assert scientific(-1.78, 2, upward=True) == "$-1.7$"
    assert scientific(2.0, 2, upward=True) == "$2.0$"


@pytest.mark.parametrize("value", [float("inf"), float("nan")])
def test_a_number_must_be_finite(value):
    with pytest.raises(ValueError, match="value must be finite"):
        scientific(value)


@pytest.mark.parametrize("digits", [0, -1, 1.5, True])
def test_digits_must_be_a_positive_integer(digits):
    with pytest.raises(ValueError, match="digits must be a positive integer"):
        scientific(1.0, digits)
