"""What a reader is told where a run is not as accepted, without a build; with one it is
in test_build.
"""

import json

import pandas as pd
import pytest
from matplotlib.figure import Figure

from companion.figures import save_figure
from companion.ledger.registry import load_registry
from companion.paths import Layout
from companion.run.cache import Entry
from companion.run.deviations import distances, notices_of, strict
from companion.snapshots.update import accept_table, read_manifest
from tests.companion.toy import make_book


@pytest.fixture
def ran(tmp_path):
    """A book and the execution of its page with the figure, whose accepted data are
    those of the run.
    """
    layout = Layout(make_book(tmp_path / "book"))
    spec = load_registry(layout.registry)["growth"]
    table = pd.DataFrame({"step": range(4), "size": [3.0, 6.0, 12.0, 24.0]})
    save_figure(
        layout,
        spec,
        "quick",
        tmp_path / "one" / "run" / "figures" / "apples",
        table,
        Figure,
    )
    accept_table(layout, spec, "quick", table, "first")
    return layout, spec, table, Entry(tmp_path / "one", {}, 1.0)


def test_the_variable_of_continuous_integration_makes_it_strict(monkeypatch):
    for value, expected in (("", False), ("true", True)):
        monkeypatch.setenv("CI", value)
        assert strict() is expected


def told(layout, entry):
    entries = {"apples": entry}
    return notices_of(
        layout, "quick", entries, distances(layout, entries, "quick"), [], {}
    )


def test_a_notice_names_what_computed_differently_or_says_that_it_is_not_known(ran):
    layout, spec, table, entry = ran
    accept_table(
        layout, spec, "quick", table.assign(size=table["size"] * (1 + 1e-7)), "moved"
    )
    (text,) = told(layout, entry).figures.values()
    assert text.startswith(
        "4 values are more than one tolerance away from the accepted data; the "
        "furthest: size at "
    )
    assert text.endswith(
        "Versions, instruction set, threads and builds are those that computed "
        "the accepted data."
    )
    manifest = read_manifest(layout)
    entry_of = manifest["figures/quick/growth.csv"]
    entry_of["numerics"]["instructions"] = "ABACUS"
    entry_of["versions"]["numpy"] = "0.1"
    layout.manifest.write_text(json.dumps(manifest))
    (text,) = told(layout, entry).figures.values()
    assert ", there ABACUS; numpy " in text
    assert text.endswith(", there 0.1.")
    del entry_of["numerics"], entry_of["versions"]
    layout.manifest.write_text(json.dumps(manifest))
    (text,) = told(layout, entry).figures.values()
    assert text.endswith("What computed the accepted data was not recorded.")
