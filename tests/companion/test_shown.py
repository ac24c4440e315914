"""Numbers as formulas."""

import pytest

from companion.shown import scientific


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1.7e-4, r"$1.7\times10^{-4}$"),
        (2.06e-10, r"$2.1\times10^{-10}$"),
        (-0.0345, r"$-3.5\times10^{-2}$"),
        (9.99e-5, r"$1.0\times10^{-4}$"),
        (24094.0, r"$2.4\times10^{4}$"),
        (1.25, "$1.2$"),
        (0, "$0.0$"),
    ],
)
def test_powers_of_ten_are_written_out(value, text):
    assert scientific(value) == text


def test_a_bound_is_never_rounded_downwards():
    assert scientific(1.718e-4) == r"$1.7\times10^{-4}$"
    assert scientific(1.718e-4, upward=True) == r"$1.8\times10^{-4}$"
    assert scientific(9.91e-6, upward=True) == r"$1.0\times10^{-5}$"
    assert scientific(-1.78, upward=True) == "$-1.7$"
    assert scientific(2.0, upward=True) == "$2.0$"


@pytest.mark.parametrize("value", [float("inf"), float("nan")])
def test_a_number_must_be_finite(value):
    with pytest.raises(ValueError, match="value must be finite"):
        scientific(value)
