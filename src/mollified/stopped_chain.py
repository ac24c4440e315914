r"""Exact laws of Metropolis-Hastings chains that are stopped after n steps, and the privacy that they keep.

Rationals throughout. A chain that leaves Q invariant, started from a draw of Q_0, has a law between
$e^{-2s}Q_0$ and $e^{2s}Q_0$ after any number of steps, where $Q\propto vQ_0$ with $e^{-s}\le v\le e^s$: since
$Q_0\le(Z/v)Q\le Ze^sQ$ and Q is invariant, $L_n\le Ze^sQ=e^svQ_0$, and so below. For outputs of MBDE, with
$s=\varepsilon/4$, that is the relative mollifier; for arbitrary members of it, with $s=\varepsilon/2$, it is twice as
wide. "Random walk Metropolis-Hastings is used to sample from Q_(t-1)" (v1, v2 and v3, section 5).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from flint import ctx

from mollified._validate import check_count, check_fraction
from mollified.ball_mbde import ball
from mollified.exact_level import Law, exact_probabilities

__all__ = [
    "Kernel",
    "extreme_pair",
    "hockey_stick",
    "independence_proposal",
    "independence_ratio",
    "metropolis_rows",
    "point_start",
    "steps_needed",
    "stopped_laws",
    "worst_ratio",
]

#: The rows of a stochastic matrix, in rationals.
Kernel = tuple[Law, ...]

ZERO, ONE = Fraction(0), Fraction(1)
#: Working precision of `steps_needed`, in bits.
BITS = 256


def _rows(name: str, value: object, size: int | None = None) -> Kernel:
    """Return a square matrix of rational rows that sum to one exactly, else raise an error naming it."""
    if not isinstance(value, Sequence) or isinstance(value, str) or not value:
        raise TypeError(f"{name} must be a non-empty sequence of rows, got {value!r}")
    wanted = len(value) if size is None else size
    if len(value) != wanted:
        raise ValueError(f"{name} must have {wanted} rows, got {value!r}")
    try:
        return tuple(exact_probabilities(name, row, size=wanted) for row in value)
    except (TypeError, ValueError) as error:
        raise type(error)(f"{error}, in {value!r}") from error


def independence_proposal(reference: Sequence[Fraction]) -> Kernel:
    """Return the proposals of the independence sampler: from every point a fresh draw of `reference`.

    Raises TypeError or ValueError where `reference` is not a rational probability vector.
    """
    law = exact_probabilities("reference", reference)
    return (law,) * len(law)


def metropolis_rows(target: Sequence[Fraction], proposal: Sequence[Sequence[Fraction]]) -> Kernel:
    r"""Return the Metropolis-Hastings kernel $M_{ij}=\min(K_{ij},q_jK_{ji}/q_i)$ for $j\ne i$, the rest at i. Exact.

    `target` is q, positive on all points; `proposal` is K, one row for each point. The kernel leaves q invariant.
    Raises TypeError or ValueError where they are not rational probabilities, or q is zero somewhere.
    """
    law = exact_probabilities("target", target)
    if 0 in law:
        raise ValueError(f"target must be positive at all points, got {target!r}")
    k = _rows("proposal", proposal, len(law))
    kernel = []
    for i, row in enumerate(k):
        moves = [min(row[j], law[j] * k[j][i] / law[i]) if j != i else ZERO for j in range(len(law))]
        moves[i] = 1 - sum(moves, ZERO)
        kernel.append(tuple(moves))
    return tuple(kernel)


def point_start(size: int, at: int) -> Law:
    """Return the law that puts all mass on the point `at` of 0..size-1; ValueError where there is none such."""
    count, place = check_count("size", size), check_count("at", at, minimum=0)
    if place >= count:
        raise ValueError(f"at must be below {count}, got {at!r}")
    return tuple(ONE if x == place else ZERO for x in range(count))


def stopped_laws(kernel: Sequence[Sequence[Fraction]], start: Sequence[Fraction], steps: int) -> list[Law]:
    """Return the laws after 0, 1, ..., `steps` steps of `kernel`, from the law `start`. Exact.

    Raises TypeError or ValueError where they are not rational probabilities that fit, or steps < 0.
    """
    law = exact_probabilities("start", start)
    rows, count = _rows("kernel", kernel, len(law)), check_count("steps", steps, minimum=0)
    laws = [law]
    for _ in range(count):
        before = laws[-1]
        laws.append(
            tuple(sum((p * row[j] for p, row in zip(before, rows, strict=True)), ZERO) for j in range(len(law)))
        )
    return laws


def worst_ratio(one: Sequence[Fraction], two: Sequence[Fraction]) -> Fraction | None:
    r"""Return $e^{\text{level}}$: the largest of one/two and two/one over all points, None where it is infinite. Exact.

    Raises TypeError or ValueError where they are not rational probability vectors of one length.
    """
    first = exact_probabilities("one", one)
    second = exact_probabilities("two", two, size=len(first))
    if any((a == 0) != (b == 0) for a, b in zip(first, second, strict=True)):
        return None
    return max(max(a / b, b / a) for a, b in zip(first, second, strict=True) if a)


def hockey_stick(one: Sequence[Fraction], two: Sequence[Fraction], factor: Fraction) -> Fraction:
    r"""Return the smallest $\delta$ with $L(A)\le e^\varepsilon L'(A)+\delta$ for all events, both ways. Exact.

    `factor` is $e^\varepsilon\ge1$; the value is the larger of $\sum_x(L(x)-e^\varepsilon L'(x))_+$ and the same with
    the laws exchanged. Raises TypeError or ValueError for bad laws or a factor below 1.
    """
    first = exact_probabilities("one", one)
    second = exact_probabilities("two", two, size=len(first))
    scale = check_fraction("factor", factor, minimum=1)
    pairs = list(zip(first, second, strict=True))
    return max(
        sum((max(a - scale * b, ZERO) for a, b in pairs), ZERO),
        sum((max(b - scale * a, ZERO) for a, b in pairs), ZERO),
    )


def extreme_pair(root: Fraction, atom: Fraction) -> tuple[Law, Law, Law]:
    r"""Return $Q_0=(a,1-a)$ and the two members of the mollifier with $Q=ra$ and $Q'=a/r$ at the first point.

    Raises TypeError or ValueError for a root that is not a rational above 1, or an atom outside $(0,1/(r+1)]$, where
    the second point would leave the mollifier.
    """
    r, a = check_fraction("root", root, above=1), check_fraction("atom", atom, above=0)
    if a * (r + 1) > 1:
        raise ValueError(f"atom must be at most 1/(root + 1), got {atom!r} with root {root!r}")
    return (a, 1 - a), (r * a, 1 - r * a), (a / r, 1 - a / r)


def independence_ratio(root: Fraction, steps: int) -> Fraction:
    r"""Return $e^{\varepsilon_n}$, the level of the independence sampler from a draw of Q_0 after n steps. Exact.

    $e^{\varepsilon_n}=r^2(1-(1-1/r)^{n+1})$ for $n\ge1$ with $r=e^{\varepsilon/2}$ = `root`, and 1 for n = 0: the least
    number that serves all references Q_0 and all pairs of $\mathcal M_{\varepsilon,Q_0}$. Raises TypeError or
    ValueError for a root that is not a rational above 1 or steps < 0.
    """
    r, n = check_fraction("root", root, above=1), check_count("steps", steps, minimum=0)
    return r**2 * (1 - (1 - 1 / r) ** (n + 1)) if n else ONE


def steps_needed(eps: Fraction, delta: Fraction) -> int:
    r"""Return the smallest n with $(1-e^{-\varepsilon/2})^n\le\delta$, certified in ball arithmetic.

    For rational $\varepsilon>0$ and $0<\delta<1$ equality is impossible ($e^{-\varepsilon/2}$ is transcendental), so
    the comparison is decided. Raises TypeError or ValueError for other arguments, ArithmeticError where 256 bits do
    not decide.
    """
    level, bound = check_fraction("eps", eps, above=0), check_fraction("delta", delta, above=0)
    if bound >= 1:
        raise ValueError(f"delta must be < 1, got {delta!r}")
    with ctx.workprec(BITS):
        quotient = ball(bound).log() / (1 - (-ball(level) / 2).exp()).log()
        found = quotient.ceil().unique_fmpz()
        if found is None:
            raise ArithmeticError(f"eps = {eps!r}, delta = {delta!r} not decided at {BITS} bits")
        return int(found)
