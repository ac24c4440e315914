"""The data sets from the RAND experiment: made again from statsmodels, and used as it is; errors by simulation."""

from __future__ import annotations

import importlib.util
import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from mollified.bootstrap.mechanism import corrected_histogram, releases
from mollified.experiments.bootstrap_worth import (
    record_error,
)
from mollified.experiments.visits import squared_error

ROOT = Path(__file__).resolve().parents[2]
VISITS = ROOT / "data" / "datasets" / "visits.csv"


def counts() -> list[int]:
    return pd.read_csv(VISITS)["persons"].tolist()


@pytest.mark.parametrize("name", ["visits", "spending"])
def test_the_file_is_what_its_command_makes_from_statsmodels_byte_for_byte(name):
    spec = importlib.util.spec_from_file_location(f"{name}_tool", ROOT / "tools" / f"{name}.py")
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    assert VISITS.with_name(f"{name}.csv") == tool.TARGET
    assert tool.written().encode() == tool.TARGET.read_bytes()


def test_in_the_year_taken_a_person_has_one_row_and_in_the_whole_table_up_to_five():
    from importlib import resources

    source = resources.files("statsmodels.datasets.randhie") / "src" / "randhie.csv"
    with resources.as_file(source) as path:
        rows = pd.read_csv(path, usecols=["year", "zper"])
    assert len(rows) == 20190
    assert rows.groupby("zper").size().max() == 5
    first = rows[rows["year"] == 1]
    assert len(first) == first["zper"].nunique() == sum(counts()) == 5638


@pytest.mark.parametrize(("k", "m"), [(33, 5638), (581, 2906)])
def test_the_expected_error_is_that_of_a_simulation(k, m):
    table, draws = np.array(counts()), 4000
    n = int(table.sum())
    drawn = releases(table, k, m, draws, np.random.default_rng(k))
    shares = np.array([corrected_histogram(one, n, k) for one in drawn])
    errors = ((shares - table / n) ** 2).sum(axis=1)
    apart = abs(errors.mean() - squared_error(counts(), k, m)) / (errors.std() / math.sqrt(draws))
    assert apart < 4.9, "false alarms: one in a million"


def test_the_error_of_records_as_released_is_that_of_a_simulation():
    table, draws = np.array(counts()), 4000
    drawn = np.array(releases(table, 33, 5638, draws, np.random.default_rng(7))) / 5638
    errors = ((drawn - table / table.sum()) ** 2).sum(axis=1)
    apart = abs(errors.mean() - record_error(counts(), 33, 5638)) / (errors.std() / math.sqrt(draws))
    assert apart < 4.9, "false alarms: one in a million"
    assert record_error(counts(), 33, 5638) > 8 * squared_error(counts(), 33, 5638)
