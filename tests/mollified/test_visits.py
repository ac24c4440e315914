"""The data sets from the RAND experiment: made again from statsmodels, and used as it is; errors by simulation."""

import importlib.util
import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from mollified.bootstrap import corrected_histogram
from mollified.bootstrap.mechanism import releases
from mollified.experiments.bootstrap_worth import record_error
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
def test_the_expected_errors_are_those_of_a_simulation(k, m):
    """Of the corrected shares and of the shares as released; false alarms: one in a million."""
    table, draws = np.array(counts()), 4000
    n = int(table.sum())
    drawn = releases(table, k, m, draws, np.random.default_rng(k))
    corrected = np.array([corrected_histogram(one, n, k) for one in drawn])
    for shares, error in ((corrected, squared_error), (np.array(drawn) / m, record_error)):
        errors = ((shares - table / n) ** 2).sum(axis=1)
        assert abs(errors.mean() - error(counts(), k, m)) / (errors.std() / math.sqrt(draws)) < 4.9
