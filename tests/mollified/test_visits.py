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
DATA = ROOT / "data" / "datasets"


@pytest.mark.parametrize("name", ["visits", "spending"])
def test_the_file_is_what_its_command_makes_from_statsmodels_byte_for_byte(name):
    spec = importlib.util.spec_from_file_location(f"{name}_tool", ROOT / "tools" / f"{name}.py")
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    assert DATA / f"{name}.csv" == tool.TARGET
    assert tool.written().encode() == tool.TARGET.read_bytes()


@pytest.mark.parametrize(("k", "m"), [(33, 5638), (581, 2906)])
def test_the_expected_errors_are_those_of_a_simulation(k, m):
    """Of the corrected shares and of the shares as released; false alarms: one in a million."""
    counts, draws = pd.read_csv(DATA / "visits.csv")["persons"].tolist(), 4000
    n = sum(counts)
    drawn = releases(np.array(counts), k, m, draws, np.random.default_rng(k))
    corrected = np.array([corrected_histogram(one, n, k) for one in drawn])
    for shares, error in ((corrected, squared_error), (np.array(drawn) / m, record_error)):
        errors = ((shares - np.array(counts) / n) ** 2).sum(axis=1)
        assert abs(errors.mean() - error(counts, k, m)) / (errors.std() / math.sqrt(draws)) < 4.9
