r"""Studies for the primer's page on post-processing: tests, odds, and the map of the notions of privacy."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import product

import numpy as np
import pandas as pd
from scipy.stats import poisson

from mollified._validate import check_count, check_each, check_eps
from mollified.convex_hull import exact_mixture
from mollified.exact_level import Law
from mollified.finite_mechanisms import Relation, Table, data_sets, make_table, pure_ratio, truncated_geometric

__all__ = ["odds_range", "privacy_map", "test_curves"]


def test_curves(mean: float, eps: float, most: int, threshold: int) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return the best tests on a count with Poisson noise, and on what is left of it after post-processing.

    D' has one record more. A test says "D"; $\alpha$ is its probability under D', $\beta$ under D. Columns curve
    ("output": thresholds on the output; "bit": on whether it is at most `threshold`), alpha, beta; facts: the least
    delta at eps for both (the largest $\beta-e^\varepsilon\alpha$), and eps. Floats; outputs beyond `most` are left
    out. Raises TypeError or ValueError for mean, eps <= 0, most < 1 or threshold outside 0..most.
    """
    mean, eps, most = check_eps("mean", mean), check_eps("eps", eps), check_count("most", most)
    threshold = check_count("threshold", threshold, minimum=0)
    if threshold > most:
        raise ValueError(f"threshold must be at most most = {most}, got {threshold!r}")
    outputs = np.arange(most + 1)
    beta = np.concatenate([[0.0], poisson.cdf(outputs, mean), [1.0]])
    alpha = np.concatenate([[0.0], poisson.cdf(outputs - 1, mean), [1.0]])
    chosen = [0, threshold + 1, most + 2]
    parts = [("output", alpha, beta), ("bit", alpha[chosen], beta[chosen])]
    table = pd.concat(
        [pd.DataFrame({"curve": curve, "step": np.arange(len(a)), "alpha": a, "beta": b}) for curve, a, b in parts],
        ignore_index=True,
    )
    facts = {f"delta_{curve}": float((b - math.exp(eps) * a).max()) for curve, a, b in parts}
    return table, {"eps": eps, **facts}


def odds_range(levels: Sequence[float], points: int) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return the range of the posterior probability of D against a neighbour under $\varepsilon$-DP, by the prior.

    From $\frac{p}{p+e^{\varepsilon}(1-p)}$ to $\frac{e^{\varepsilon}p}{e^{\varepsilon}p+1-p}$. Columns eps, prior, low,
    high; facts: the ends at prior one half. Raises TypeError or ValueError for levels <= 0 or points < 2.
    """
    levels = check_each("levels", levels, check_eps)
    points = check_count("points", points, minimum=2)
    prior = np.linspace(0.0, 1.0, points)
    parts, facts = [], {}
    for eps in levels:
        factor = math.exp(eps)
        low, high = prior / (prior + factor * (1 - prior)), factor * prior / (factor * prior + 1 - prior)
        parts.append(pd.DataFrame({"eps": eps, "prior": prior, "low": low, "high": high}))
        facts[f"low_{eps:g}"], facts[f"high_{eps:g}"] = 1 / (1 + factor), factor / (1 + factor)
    return pd.concat(parts, ignore_index=True), facts


def _level(table: Table, relation: Relation, base: Fraction) -> float:
    """Return the pure level of a table in units of eps, base = exp(eps); -1 where it has none."""
    ratio = pure_ratio(table, relation)
    return -1.0 if ratio is None else math.log(ratio) / math.log(base)


def _response(level: Fraction) -> list[Law]:
    """Return randomised response on one bit."""
    return [(level / (1 + level), 1 / (1 + level)), (1 / (1 + level), level / (1 + level))]


def privacy_map(records: int) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return the arrows between notions of privacy, with their price and an example that pays it in full.

    Columns source, target, price (what a level $\varepsilon$ becomes, in units of $\varepsilon$; -1: no level),
    attained (the level of the example, exact up to one rounding), before (its level in the notion of the source), grows
    (1 where the price grows with the records, here n = N = `records`). At $e^\varepsilon=2$. Raises TypeError or
    ValueError for records < 1.
    """
    n, two = check_count("records", records), Fraction(2)
    data = data_sets(n, 2)
    answers = _response(two)
    empty = make_table(data, lambda c: answers[int(sum(c) > 0)])
    lead = truncated_geometric(range(2 * n + 1), 0, 2 * n, two)
    leads = make_table(data, lambda c: lead[c[0] - c[1] + n])
    count = truncated_geometric(range(n + 1), 0, n, two)
    counts = {c: count[c[0]] for c in data if sum(c) == n}
    sizes = make_table(data, lambda c: tuple(Fraction(int(sum(c) == k)) for k in range(n + 1)))
    empirical = {c: exact_mixture(answers, (Fraction(c[0], sum(c)), Fraction(c[1], sum(c)))) for c in data if sum(c)}
    single = {c: law for c, law in empirical.items() if sum(c) == 1}
    present = {c: answers[int(c[0] > 0)] for c in data if sum(c) == n}
    pair: Table = {(0,): answers[0], (1,): answers[1]}
    rows_by_record = {}
    for records_in_order in product((0, 1), repeat=n):
        law = [Fraction(1)]
        for record in records_in_order:
            law = [p * q for p in law for q in answers[record]]
        rows_by_record[records_in_order] = tuple(law)
    one_replaced = max(
        max(a / b for a, b in zip(rows_by_record[x], rows_by_record[y], strict=True))
        for x, y in product(rows_by_record, repeat=2)
        if sum(a != b for a, b in zip(x, y, strict=True)) == 1
    )
    arrows: list[tuple[str, str, float, float, float, int]] = [
        ("mollifier", "sampler", 1, _level(pair, "all", two), 1, 0),
        ("mollifier", "integral", 1, _level(empty, "all", two), 1, 0),
        ("sampler", "integral", 1, _level(empirical, "all", two), _level(pair, "all", two), 0),
        ("integral", "local", 1, _level(single, "replace", two), _level(empirical, "all", two), 0),
        ("integral", "add-remove", 1, _level(empty, "add-remove", two), _level(empty, "all", two), 0),
        ("integral", "replace", 1, _level(present, "replace", two), _level(present, "all", two), 0),
        ("add-remove", "replace", 2, _level(leads, "replace", two), _level(leads, "add-remove", two), 0),
        ("replace", "add-remove", -1, _level(sizes, "add-remove", two), _level(sizes, "replace", two), 0),
        ("local", "replace", 1, math.log2(one_replaced), _level(single, "replace", two), 0),
        ("local", "integral", n, _level(rows_by_record, "all", two), _level(single, "replace", two), 1),
        ("replace", "integral", n, _level(counts, "all", two), _level(counts, "replace", two), 1),
        ("add-remove", "integral", 2 * n, _level(leads, "all", two), _level(leads, "add-remove", two), 1),
    ]
    table = pd.DataFrame(arrows, columns=["source", "target", "price", "attained", "before", "grows"])
    return table.astype({"price": float, "before": float}), {"records": float(n)}
