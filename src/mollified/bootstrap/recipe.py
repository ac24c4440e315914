r"""The three-step recipe of the bootstrapping paper for k and m, decided exactly.

No rounding changes k or m. Step 1: some gamma; step 2: $k=\lceil k_0\rceil$ of
Corollary 3; step 3: $m=\lfloor U\rfloor$. As printed an integer m with $L\le m\le U$
need not exist; with $\lceil L\rceil$ in place of L in the quadratic it does. gamma,
delta and eps are rational, so that L and U are irrational (Lindemann) and every
comparison is decided. Source: Corollary 3.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

from flint import arb

from mollified._validate import check_count, check_fraction, echo
from mollified.privacy.exact_level import ball
from mollified.privacy.smallest import smallest_count
from statements.precision import working_precision

__all__ = ["least_records", "most_records", "recipe", "root_rounded"]

Form = Literal["printed", "corrected"]
#: Bits beyond those of the numbers compared.
EXTRA_BITS = 192


def _unit(name: str, value: object) -> Fraction:
    number = check_fraction(name, value, above=0)
    if number >= 1:
        raise ValueError(f"{name} must be < 1, got {echo(name, value)}")
    return number


def _form(form: object) -> None:
    if not isinstance(form, str) or form not in ("printed", "corrected"):
        raise ValueError(f"form must be printed or corrected, got {echo('form', form)}")


def _whole(value: arb) -> int:
    """Return the integer part of a ball; ArithmeticError where it is not decided."""
    whole = value.floor().unique_fmpz()
    if whole is None:
        raise ArithmeticError(f"the integer part of {value} is not decided")
    return int(whole)


def _lower(gamma: Fraction, delta: Fraction) -> arb:
    r"""Return $L=\frac2{\gamma^2}\log\frac2\delta$ of (1)."""
    return 2 / ball(gamma) ** 2 * ball(2 / delta).log()


def _upper(gamma: Fraction, eps: Fraction, n: int, size: int, k: int) -> arb:
    r"""Return $U=\varepsilon/((\frac1{n+k|\Sigma|}+2\gamma)\log\frac{k+1}k)$ of (2)."""
    cells = Fraction(1, n + k * size) + 2 * gamma
    loss = ball(Fraction(k + 1, k)).log()
    return ball(eps / cells) / loss


def least_records(gamma: Fraction, delta: Fraction) -> int:
    r"""Return $\lceil L\rceil$, the least m that meets (1); L is no integer."""
    with working_precision(EXTRA_BITS):
        return _whole(_lower(gamma, delta)) + 1


def most_records(gamma: Fraction, eps: Fraction, n: int, size: int, k: int) -> int:
    r"""Return $\lfloor U\rfloor$, the largest m that meets (2)."""
    with working_precision(EXTRA_BITS + 2 * k.bit_length()):
        return _whole(_upper(gamma, eps, n, size, k))


def root_rounded(
    gamma: Fraction,
    delta: Fraction,
    eps: Fraction,
    n: int,
    size: int,
    form: Form = "printed",
) -> int:
    r"""Return $\lceil k_0\rceil$ with certainty.

    The least integer k >= 1 with the quadratic of Corollary 3 >= 0. "corrected": with
    $\lceil L\rceil$ in place of L.
    """
    with working_precision(EXTRA_BITS):
        low: arb | int = _lower(gamma, delta)
        if form == "corrected":
            low = least_records(gamma, delta)
        return smallest_count(lambda k: _reaches(gamma, eps, n, size, k, low))


def _reaches(
    gamma: Fraction,
    eps: Fraction,
    n: int,
    size: int,
    k: int,
    low: arb | int,
) -> bool:
    r"""Say whether $\varepsilon kN\ge\ell(2\gamma N+1)$, (30).

    For a whole low in rationals, as the difference can be zero.
    """
    total = n + k * size
    if isinstance(low, int):
        return eps * k * total >= low * (2 * gamma * total + 1)
    left = ball(eps * k * total)
    value = left - low * ball(2 * gamma * total + 1)
    if not (value > 0 or value < 0):
        raise ArithmeticError(f"the sign of {value} is not decided at k = {k}")
    return bool(value > 0)


def recipe(
    gamma: Fraction,
    delta: Fraction,
    eps: Fraction,
    n: int,
    size: int,
    form: Form = "printed",
) -> tuple[int, int]:
    r"""Return k and m of the three steps, for a given gamma, exactly.

    $k=\lceil k_0\rceil$, $m=\lfloor U\rfloor$. "printed": the result can miss (1).
    "corrected": $\lceil L\rceil$ in the quadratic, and k = 2 where the root is at most
    1; then $\lceil L\rceil\le m\le U$, so Theorem 2 applies. Raises TypeError or
    ValueError unless gamma and delta are rationals in (0, 1), eps a rational > 0, n >=
    1, size >= 2.

    >>> half = Fraction(1, 2)
    >>> recipe(half, half, Fraction(1, 10), 10, 2)
    (112, 11)
    >>> recipe(half, half, Fraction(1, 10), 10, 2, "corrected")
    (121, 12)
    """
    gamma = _unit("gamma", gamma)
    delta = _unit("delta", delta)
    eps = check_fraction("eps", eps, above=0)
    n = check_count("n", n)
    size = check_count("size", size, minimum=2)
    _form(form)
    k = root_rounded(gamma, delta, eps, n, size, form)
    if form == "corrected":
        k = max(2, k)
    return k, most_records(gamma, eps, n, size, k)
