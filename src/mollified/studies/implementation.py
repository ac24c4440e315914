r"""Studies for the page on hazards of implementation: outputs in floats, and the level after rounding to integers."""

from __future__ import annotations

from fractions import Fraction
from math import comb, exp, expm1

import numpy as np
import pandas as pd

from mollified._validate import check_count, check_each, check_finite, check_fraction
from mollified.exact_level import ExactLevel
from mollified.finite_sampler import FiniteSampler, nearest_weights, smallest_bits, weight_ratio
from mollified.floating_point import counts_delta, double_release, impossible_share, is_possible, textbook_law
from mollified.laplace_mechanism import hockey_stick

__all__ = ["attack_shares", "float_outputs", "rounded_levels"]


def _answer(name: str, value: object) -> int:
    """Return an answer from 0 to 127 (so that 7 bits hold it and the next one)."""
    number = check_count(name, value, minimum=0)
    if number > 127:
        raise ValueError(f"{name} must be at most 127, got {value!r}")
    return number


def float_outputs(
    bits: int, answers: list[int], low: float, high: float, quarters: int
) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return the possible outputs in [low, high] for answers 0 and 1, and $\delta(\varepsilon)$ of implementations.

    Textbook sampler, b = 1, in floats of `bits` digits, all uniforms tried. Rows of kind "output": at, series = the
    answer, value = 1 where possible under both. Rows of kind "delta": at = $\varepsilon$ = 0, 1/4, ..., `quarters`/4;
    series "real" (the formula), "integer" (noise $P[x]\propto e^{-|x|}$ on the X
    /(1+e^{-1})$), or the answer f, textbook, f against f + 1 and the worse of both ways; value is delta (exact,
    rounded). Facts: share_f, the probability that a release for f is impossible for f + 1; outputs and common of the
    first pair, and the total of uniforms. Raises ValueError or TypeError for low >= high, and as `textbook_law`.
    """
    quarters, low, high = check_count("quarters", quarters), check_finite("low", low), check_finite("high", high)
    if low >= high:
        raise ValueError(f"high must exceed low, got {high!r} for {low!r}")
    answers = check_each("answers", answers, _answer)
    laws = {f: textbook_law(f, 1, bits) for f in sorted({0, 1, *answers, *(f + 1 for f in answers)})}
    rows: list[tuple[str, str, float, float]] = []
    for f in (0, 1):
        inside = laws[f].values[(laws[f].values >= low) & (laws[f].values <= high)]
        shared = np.isin(inside, laws[1 - f].values)
        rows += [("output", str(f), at, float(both)) for at, both in zip(inside.tolist(), shared.tolist(), strict=True)]
    for step in range(quarters + 1):
        eps = Fraction(step, 4)
        rows.append(("delta", "real", float(eps), hockey_stick(float(eps), 1.0)))
        rows.append(("delta", "integer", float(eps), max(0.0, -expm1(float(eps) - 1)) / (1 + exp(-1))))
        for f in answers:
            both_ways = (counts_delta(laws[f + i], laws[f + 1 - i], eps) for i in (0, 1))
            rows.append(("delta", str(f), float(eps), max(float(ball.mid()) for ball in both_ways)))
    facts = {f"share_{f}": float(impossible_share(laws[f], laws[f + 1])) for f in answers}
    facts["outputs"], facts["total"] = float(laws[0].values.size), float(laws[0].total)
    facts["common"] = float(np.isin(laws[0].values, laws[1].values).sum())
    return pd.DataFrame(rows, columns=["kind", "series", "at", "value"]), facts


def attack_shares(
    answers: list[int], bits: int, tries: int, rng: np.random.Generator
) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return how often a textbook release for f betrays that the answer was not f + 1: by enumeration, and in doubles.

    Columns answer, exact (floats of `bits` digits, every uniform), doubles (of `tries` releases in double precision,
    each decided exactly). Facts: the number of tries. Raises ValueError or TypeError as `textbook_law`.
    """
    answers, tries = check_each("answers", answers, _answer), check_count("tries", tries)
    if not isinstance(rng, np.random.Generator):
        raise TypeError(f"rng must be a numpy.random.Generator, got {rng!r}")
    rows = []
    for f in answers:
        released = [double_release(float(f), int(k)) for k in rng.integers(1, 1 << 53, tries)]
        seen = sum(not is_possible(value, float(f + 1)) for value in released) / tries
        share = impossible_share(textbook_law(f, 1, bits), textbook_law(f + 1, 1, bits))
        rows.append((f, float(share), seen))
    return pd.DataFrame(rows, columns=["answer", "exact", "doubles"]), {"tries": float(tries)}


def rounded_levels(points: int, root: str, most: int) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return the exact level of two members after rounding to weights of total $2^b$, and the distance to them.

    $Q_0$ is binomial(points - 1, 1/2) and $e^{\varepsilon/2}$ = `root`, a fraction as text. The members take
    $Q_0e^{\pm\varepsilon/2}$ at the two ends, opposite signs, and share the rest in proportion to $Q_0$. Columns rule
    ("nearest", "inside"), bits (from the least that serves to `most`), level (nats; inf where a point is possible under
    one only), distance (total variation, the larger of the two), bound = points/2^b. Facts: eps, least bits, points.
    Raises ValueError or TypeError for points < 3 or a root that is no fraction > 1, or too large for the ends.
    """
    k, most = check_count("points", points, minimum=3), check_count("most", most)
    if not isinstance(root, str):
        raise TypeError(f"root must be a fraction as text, got {root!r}")
    try:
        r = check_fraction("root", Fraction(root), above=1)
    except (ValueError, ZeroDivisionError) as error:
        raise ValueError(f"root must be a fraction > 1 as text, got {root!r}") from error
    base = tuple(Fraction(comb(k - 1, x), 2 ** (k - 1)) for x in range(k))
    middle = 1 - 2 * base[0]
    rest = (1 - base[0] * (r + 1 / r)) / middle
    if not 1 / r <= rest <= r:
        raise ValueError(f"root must leave the middle within the bounds, got {root!r}")
    one = (base[0] * r, *(rest * q for q in base[1:-1]), base[-1] / r)
    two = one[::-1]
    level = ExactLevel(exp_eps=r**2)
    least = smallest_bits(base, level)
    rows = []
    for bits in range(least, max(most, least) + 1):
        sampler, total = FiniteSampler(base, level, bits), 1 << bits
        for rule, weigh in (("nearest", lambda law: nearest_weights(law, bits)), ("inside", sampler.weights)):  # noqa: B023
            pair = [weigh(law) for law in (one, two)]
            ratio = weight_ratio(*pair)
            off = max(
                sum((abs(Fraction(w, total) - q) for w, q in zip(weights, law, strict=True)), Fraction(0)) / 2
                for weights, law in zip(pair, (one, two), strict=True)
            )
            attained = float("inf") if ratio is None else float(np.log(float(ratio)))
            rows.append((rule, bits, attained, float(off), k / total))
    table = pd.DataFrame(rows, columns=["rule", "bits", "level", "distance", "bound"])
    return table, {"eps": float(level), "least": float(least), "points": float(k)}
