"""The gain: the product example and the studies against values found by other means."""

import math
from itertools import product

import numpy as np
import pytest

from mollified.studies import approximation as studies
from mollified.theta import LOG2, theta


def gain_by_listing(rounds, heads_p=0.9, heads_q=0.25):
    """KL(P, Q0) - KL(P, Q_T) on all points of {0,1}^T, Q_T in product form."""
    steps, points = theta(4 * LOG2, rounds), list(product((0, 1), repeat=rounds))

    def law(heads):
        return np.array([math.prod(heads if x else 1 - heads for x in point) for point in points])

    p, q0 = law(heads_p), law(heads_q)
    statistic = np.array([sum(w * LOG2 * (2 * x - 1) for w, x in zip(steps, point, strict=True)) for point in points])
    q = q0 * np.exp(statistic)
    q /= q.sum()
    return float((p * np.log(p / q0)).sum() - (p * np.log(p / q)).sum())


def test_the_gain_of_the_product_example():
    table, facts = studies.product_gains(6)
    for rounds in (1, 2, 3, 6):
        assert table["gain"].iloc[rounds - 1] == pytest.approx(gain_by_listing(rounds), rel=1e-12)
    assert facts["gain_first"] == pytest.approx(0.4 * LOG2 - math.log(5 * math.sqrt(2) / 8), rel=1e-14)


def test_the_table_of_gains_is_ordered():
    table, facts = studies.product_gains(6)
    assert (table["closed"] < table["gain"]).all()
    assert table["corrected"].to_numpy() == pytest.approx(table["gain"].to_numpy(), rel=1e-13)
    assert (table["gain"] < table["printed"]).all()
    assert (table["printed"] < table["barrier"]).all()
    assert table["barrier"].iloc[0] == pytest.approx(LOG2)
    assert facts["half"] == pytest.approx(2 * LOG2)


def test_gamma_against_the_line():
    table, facts = studies.gamma_line(11)
    assert (table["gamma"].iloc[:-1] < table["line"].iloc[:-1]).all()
    assert table["gamma"].iloc[-1] == pytest.approx(LOG2)
    assert facts["gap_high"] == pytest.approx(LOG2 / 3)
    assert facts["gamma_zero"] == pytest.approx(math.log(0.8))


def test_the_slack_of_random_runs():
    table, facts = studies.gain_slack(20_000, 32, 1)
    counts = table.groupby("bound")["count"].sum()
    assert counts["printed"] == counts["corrected"] == facts["runs_printed"] > 1000
    assert facts["below_corrected"] == 0
    assert facts["least_corrected"] >= 1
    assert facts["below_printed"] > 0.5 * facts["runs_printed"]
    beyond = table[(table["bound"] == "corrected") & (table["right"] < -1e-9)]
    assert beyond["count"].sum() == 0


def test_failures_by_rounds():
    table, facts = studies.failures_by_rounds([1, 3], 4000, 2)
    assert facts["corrected"] == 0
    one = table[table["T"] == 1]
    assert (one["printed"] > 0.8 * one["runs"]).all()  # strict Jensen; the rest is too close to see
    assert facts["printed_3_1"] < 0.1 * facts["runs_3_1"]


def test_real_runs_lie_between_the_bounds():
    table, facts = studies.run_gains([0.1, 0.5, 5.0], 3, 61)
    assert (table["corrected"] < table["gain"]).all()
    assert (table["gain"] < table["barrier"]).all()
    assert (table["printed"] < table["gain"]).all()  # the text says so of these runs
    assert facts["edge_q_ring_0.5"] > 0.9
