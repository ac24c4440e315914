r"""Studies for the primer's page on privacy: a count with Poisson noise, published records, the two relations."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pandas as pd
from scipy.stats import poisson

from mollified._validate import check_count, check_each, check_eps, check_interval
from mollified.exact_level import Law
from mollified.finite_mechanisms import (
    Relation,
    Table,
    data_sets,
    largest_excess,
    make_table,
    neighbour_pairs,
    pure_ratio,
    sharp_replacement,
    thinned_records,
    truncated_geometric,
)
from mollified.type_laws import Counts

__all__ = ["count_losses", "count_outputs", "exposed_records", "what_changes"]


def _both_orders(mean: float, eps: float, most: int) -> tuple[pd.DataFrame, dict[str, float]]:
    """Return, for each order, outputs with both probabilities, and what they add to delta."""
    mean, eps, most = check_eps("mean", mean), check_eps("eps", eps), check_count("most", most)
    outputs = np.arange(most + 2)
    less, more = poisson.pmf(outputs, mean), poisson.pmf(outputs - 1, mean)
    parts = []
    facts = {"eps": eps, "mean": mean}
    for order, own, other in (("added", less, more), ("removed", more, less)):
        counted = np.clip(own - math.exp(eps) * other, 0.0, None)
        parts.append(pd.DataFrame({"order": order, "output": outputs, "own": own, "other": other, "counted": counted}))
        facts[f"delta_{order}"] = float(counted.sum())
        facts[f"exceeds_{order}"] = float(own[counted > 0].sum())
    facts["infinite"] = math.exp(-mean)
    return pd.concat(parts, ignore_index=True), facts


def count_outputs(mean: float, eps: float, most: int) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return the laws of a count with Poisson noise, with and without one record, and where they leave (1).

    Outputs (less the count without that record) 0..most + 1; order "added": $D'$ has the record, "removed": D has it.
    Columns order, output, own, other, counted ($(P-e^\varepsilon P')_+$); facts: delta and
    $P[L>\varepsilon]$ for both orders, the mass of the infinite loss. Floats; what lies beyond `most` is missing,
    so delta errs on the small side. Raises TypeError or ValueError for mean, eps <= 0 or most < 1.
    """
    return _both_orders(mean, eps, most)


def count_losses(mean: float, eps: float, most: int) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return the law of the finite privacy losses of a count with Poisson noise, for both orders.

    Columns order, loss, probability, counted; the loss is $\log(\lambda/k)$ when a record is added, its negative when
    it is removed. Facts as in `count_outputs`; the infinite loss is among them, not in the table. Raises as that does.
    """
    table, facts = _both_orders(mean, eps, most)
    finite = table[(table["own"] > 0) & (table["other"] > 0)]
    loss = np.log(finite["own"]) - np.log(finite["other"])
    law = finite.assign(loss=loss).rename(columns={"own": "probability"})
    law = law.sort_values(["order", "loss"])[["order", "loss", "probability", "counted"]]
    return law.reset_index(drop=True), facts


def exposed_records(
    low: float, high: float, points: int, powers: Sequence[float], fixed: float
) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return $1-(1-\delta)^n$, the probability that some record is published, for several delta.

    Each record is published with probability delta: $n^{-p}$ for each p in `powers`, and a `fixed` one (power 0).
    Columns power, n, delta, probability, mean ($n\delta$); facts: the probabilities at the largest n. Raises TypeError
    or ValueError for 1 <= low < high not so, powers < 0.5, `fixed` outside (0, 1).
    """
    low = check_interval("low", low, 2, math.inf)
    high = check_interval("high", high, low, math.inf, open_low=True)
    points, fixed = check_count("points", points, minimum=2), check_interval("fixed", fixed, 0, 1, open_low=True)
    powers = check_each("powers", powers, lambda name, p: check_interval(name, p, 0.5, 10))
    sizes = np.unique(np.round(np.geomspace(low, high, points))).astype(int)
    rows = []
    for power in [*powers, 0.0]:
        for n in sizes:
            delta = float(n) ** -power if power > 0 else fixed
            rows.append((power, int(n), delta, -math.expm1(int(n) * math.log1p(-delta)), int(n) * delta))
    table = pd.DataFrame(rows, columns=["power", "n", "delta", "probability", "mean"])
    last = table[table["n"] == sizes[-1]]
    facts = {f"at_{power:g}": float(p) for power, p in zip(last["power"], last["probability"], strict=True)}
    return table, {**facts, "fixed": fixed, "largest": float(sizes[-1])}


def _steps(table: Table, relation: Relation, exp_eps: Fraction) -> str:
    """Return the pure level of a table in units of eps: an integer, or none."""
    ratio = pure_ratio(table, relation)
    if ratio is None:
        return "none"
    steps = 0
    while exp_eps**steps < ratio:
        steps += 1
    if exp_eps**steps != ratio:
        raise ArithmeticError(f"table must have a level that is a multiple of eps, got {ratio!r}")
    return {0: "0", 1: "ε"}.get(steps, f"{steps}ε")


def _norms(relation: Relation, power: int) -> int:
    """Return the largest l1 norm, or squared l2 norm, of the difference of two neighbouring histograms."""
    pairs = neighbour_pairs(data_sets(4, 2), relation)
    norms: list[int] = [sum(abs(a - b) ** power for a, b in zip(one, two, strict=True)) for one, two in pairs]
    return max(norms)


def what_changes() -> tuple[pd.DataFrame, dict[str, str]]:
    r"""Return what mechanisms on data sets of at most four records over two values satisfy under the two relations.

    Columns: mechanism or quantity, one record added or removed, one record replaced. Exact, at $e^\varepsilon=2$, over
    all neighbours; facts hold the least deltas of the sharp pair as text.
    """
    two, data = Fraction(2), data_sets(4, 2)
    count = truncated_geometric(range(5), 0, 4, two)
    lead = truncated_geometric(range(9), 0, 8, two)

    def cells(first: Counts) -> Law:
        return tuple(a * b for a in count[first[0]] for b in count[first[1]])

    tables = {
        "noisy count of one value, ε": make_table(data, lambda counts: count[counts[0]]),
        "noisy table, each cell with ε": make_table(data, cells),
        "noisy lead of one value over the other, ε": make_table(data, lambda c: lead[c[0] - c[1] + 4]),
        "the number of records, published": make_table(
            data, lambda c: tuple(Fraction(int(sum(c) == k)) for k in range(5))
        ),
    }
    rows = [(name, *(_steps(table, r, two) for r in ("add-remove", "replace"))) for name, table in tables.items()]
    sharp = sharp_replacement(two, Fraction(1, 10))
    small = largest_excess(sharp, two), largest_excess(sharp, two**2, "replace")
    rows.append(("a mechanism that is (ε, 1/10)-DP", f"(ε, {small[0]})", f"(2ε, {small[1]})"))
    few = thinned_records(3, Fraction(1, 10))
    published = [f"(0, {largest_excess(few, Fraction(1), r)})" for r in ("add-remove", "replace")]
    rows.append(("each record published with probability 1/10", *published))
    for words, power in (("sensitivity of the histogram, ℓ1", 1), ("the same, ℓ2, squared", 2)):
        rows.append((words, *(str(_norms(r, power)) for r in ("add-remove", "replace"))))
    frame = pd.DataFrame(rows, columns=["mechanism or quantity", "added or removed", "replaced"])
    return frame, {"added": str(small[0]), "replaced": str(small[1])}
