"""The data set of the page on releasing data: made again from statsmodels, and used as it is; errors by simulation."""

from __future__ import annotations

import ast
import importlib.util
import math
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from mollified.bootstrap.mechanism import corrected_histogram, releases
from mollified.bootstrap.paper_parameters import paper_k
from mollified.experiments.bootstrap_worth import (
    compared_records,
    discrete_laplace_variance,
    doublings,
    noise_ratios,
    record_error,
)
from mollified.experiments.visits import release_errors, squared_error
from mollified.releases.histogram_release import discrete_laplace_scale, gaussian_scale, noisy_histogram

ROOT = Path(__file__).resolve().parents[2]
VISITS = ROOT / "data" / "datasets" / "visits.csv"
EPS, DELTA = 1.0, 1e-6


def counts() -> list[int]:
    return pd.read_csv(VISITS)["persons"].tolist()


def test_the_file_is_what_its_command_makes_from_statsmodels_byte_for_byte():
    spec = importlib.util.spec_from_file_location("visits_tool", ROOT / "tools" / "visits.py")
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    assert tool.written().encode() == VISITS.read_bytes()
    assert tool.TARGET == VISITS


def test_statsmodels_states_that_the_data_are_in_the_public_domain():
    import statsmodels
    from statsmodels.datasets import randhie

    assert "public domain" in randhie.COPYRIGHT
    assert statsmodels.__version__ in (ROOT / "data" / "README.md").read_text(encoding="utf-8")


def test_in_the_year_taken_a_person_has_one_row_and_in_the_whole_table_up_to_five():
    from importlib import resources

    source = resources.files("statsmodels.datasets.randhie") / "src" / "randhie.csv"
    with resources.as_file(source) as path:
        rows = pd.read_csv(path, usecols=["year", "zper"])
    assert len(rows) == 20190
    assert rows.groupby("zper").size().max() == 5
    first = rows[rows["year"] == 1]
    assert len(first) == first["zper"].nunique() == sum(counts()) == 5638


def test_the_page_uses_the_counts_of_the_file():
    text = (ROOT / "notebooks" / "bootstrap-release.md").read_text(encoding="utf-8")
    (written,) = re.findall(r"^visits = (\[.*\])$", text, re.MULTILINE)
    assert ast.literal_eval(written) == counts()
    assert f"n={sum(counts())}, size={len(counts())}" in text


@pytest.mark.parametrize(("k", "m"), [(33, 5638), (581, 2906)])
def test_the_expected_error_is_that_of_a_simulation(k, m):
    table, draws = np.array(counts()), 4000
    n = int(table.sum())
    drawn = releases(table, k, m, draws, np.random.default_rng(k))
    shares = np.array([corrected_histogram(one, n, k) for one in drawn])
    errors = ((shares - table / n) ** 2).sum(axis=1)
    apart = abs(errors.mean() - squared_error(counts(), k, m)) / (errors.std() / math.sqrt(draws))
    assert apart < 4.9, "false alarms: one in a million"


def test_the_error_of_noise_is_that_of_a_simulation():
    table, draws, rng = np.array(counts()), 4000, np.random.default_rng(1)
    errors = release_errors(counts(), EPS, DELTA, 0.1).set_index("key")
    scale = discrete_laplace_scale(EPS, DELTA)
    drawn = [noisy_histogram(table, "discrete-laplace", scale, rng, repair="centre") for _ in range(draws)]
    found = ((np.array(drawn) - table / table.sum()) ** 2).sum(axis=1)
    apart = abs(found.mean() - errors.loc["discrete-laplace", "rms"] ** 2) / (found.std() / math.sqrt(draws))
    assert apart < 4.9, "false alarms: one in a million"


def test_exact_parameters_beat_the_papers_and_stay_above_gaussian_noise():
    errors = release_errors(counts(), EPS, DELTA, 0.1).set_index("key")["rms"]
    assert errors["recipe"] > errors["theorem"] > 5 * errors["best"]
    assert errors["paper-n"] > 3 * errors["exact-n"]
    assert errors["recipe-k"] < errors["recipe"] / 9
    assert errors["best"] == pytest.approx(errors["discrete-gaussian"], rel=0.02)
    assert errors["discrete-gaussian"] > errors["discrete-laplace"]


def test_the_papers_k_is_the_smallest_that_its_bounds_allow():
    from mollified.bootstrap.typical_bounds import pure_records, theorem_records

    for m in (5, 300, 20000):
        k = paper_k(EPS, DELTA, 5638, 21, m)
        allowed = [max(theorem_records(EPS, DELTA, 5638, 21, j), pure_records(EPS, j)) for j in (k - 1, k) if j]
        assert allowed[-1] >= m
        assert all(a < m for a in allowed[:-1])


def test_ratios_of_noise_are_those_of_the_scales():
    ratio = noise_ratios([EPS], [DELTA])["1e-06"].iloc[0]
    variance = discrete_laplace_variance(discrete_laplace_scale(EPS, DELTA))
    assert ratio == pytest.approx(gaussian_scale(EPS, DELTA) ** 2 / variance, rel=1e-6)
    drawn = np.random.default_rng(1).geometric(1 - math.exp(-0.5), (2, 400_000))
    assert discrete_laplace_variance(2.0) == pytest.approx(np.var(drawn[0] - drawn[1]), rel=0.02)


def test_the_error_of_records_as_released_is_that_of_a_simulation():
    table, draws = np.array(counts()), 4000
    drawn = np.array(releases(table, 33, 5638, draws, np.random.default_rng(7))) / 5638
    errors = ((drawn - table / table.sum()) ** 2).sum(axis=1)
    apart = abs(errors.mean() - record_error(counts(), 33, 5638)) / (errors.std() / math.sqrt(draws))
    assert apart < 4.9, "false alarms: one in a million"
    assert record_error(counts(), 33, 5638) > 8 * squared_error(counts(), 33, 5638)


def test_records_drawn_from_noisy_counts_are_level_or_closer():
    """What the page says: the mechanism's records are not closer than those of the better noise, in any setting."""
    data = {"four": [3000, 1500, 900, 238], "visits": counts()}
    found = compared_records(data, [0.1, 1.0, 5.0], DELTA, [1, 20], 5638, 100, 3)
    assert (found["mechanism"] > 0.99 * found[["laplace", "gaussian"]].min(axis=1)).all()
    one = found.set_index(["data", "eps", "histograms"]).loc[("visits", 1.0, 1)]
    assert one["mechanism"] > 3 * one["laplace"] > 3 * one["sampling"]
    # Laplace noise, not clipped where no count is near 0: the variance of the scale 2/eps, and a draw of m records
    wide = compared_records({"even": [1000] * 5}, [1.0], 1e-9, [1], 100, 4000, 1).iloc[0]
    assert wide["laplace_shares"] == pytest.approx(math.sqrt(0.8 * discrete_laplace_variance(2.0)), rel=0.03)
    assert wide["laplace"] == pytest.approx(math.sqrt(wide["laplace_shares"] ** 2 + 5000**2 * 0.8 / 100 / 5), rel=1e-3)


def test_doubling_k_usually_lowers_the_error_above_sigma():
    found = doublings(np.random.default_rng(4), 40)
    assert found["above_falls"] >= 0.9 * found["above"] > 0
    assert found["below_falls"] <= found["below"]
