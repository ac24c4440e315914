import json
import re
import subprocess
import sys
import warnings
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
from IPython.core.formatters import DisplayFormatter

from companion import paths
from companion.ledger.evidence import Counts, Evidence
from companion.ledger.registry import load_registry
from companion.page import Page
from companion.paths import CompanionError, Layout
from companion.snapshots.update import accept_table
from tests.companion.test_verdicts import GOOD
from tests.companion.toy import make_book, write


@pytest.fixture
def root(tmp_path, monkeypatch):
    make_book(tmp_path)
    monkeypatch.setenv("COMPANION_ROOT", str(tmp_path))
    monkeypatch.delenv("COMPANION_RUN", raising=False)
    monkeypatch.delenv("COMPANION_GATE", raising=False)
    monkeypatch.syspath_prepend(str(tmp_path / "src"))
    monkeypatch.chdir(tmp_path / "notebooks")
    for name in ("toy", "toy.grow", "toy.draw", "toy.constants"):
        monkeypatch.delitem(__import__("sys").modules, name, raising=False)
    return tmp_path


@pytest.fixture
def run(root, monkeypatch):
    folder = root / "_build" / "running" / "apples.1" / "run"
    monkeypatch.setenv("COMPANION_RUN", str(folder))
    return folder


GROWN = pd.DataFrame({"step": range(4), "size": [3.0, 6.0, 12.0, 24.0]})


def drawn():
    from matplotlib.figure import Figure

    return Figure()


def accept(root):
    layout = Layout(root)
    accept_table(
        layout, load_registry(layout.registry)["growth"], "quick", GROWN, "for the test"
    )


def test_no_page_is_made_where_asserts_are_switched_off(root):
    program = "from companion.page import Page; Page('apples')"
    for options, told in (
        (["-O"], "CompanionError: this Python skips every assert"),
        ([], ""),
    ):
        done = subprocess.run(
            [sys.executable, *options, "-c", program],
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode == 0, told in done.stderr) == (not told, True)


def test_what_is_kept_is_what_the_ledger_reads(run):
    page = Page("apples")
    page.keep(
        replace(
            GOOD,
            check=Counts(8, 1, -0.25, case={"x": "3"}, seed=5),
            control=Counts(8, 0),
            note="so",
        )
    )
    page.keep(GOOD)
    names = sorted(path.name for path in (run / "evidence").iterdir())
    assert names == ["MBDE-L1.as-printed.1.json", "MBDE-L1.as-printed.2.json"]
    record = json.loads((run / "evidence" / names[0]).read_text())
    read = Evidence.from_record(record)
    assert read.to_record() == record
    assert (read.notebook, read.check.seed, read.note, read.check.case) == (
        "apples",
        5,
        "so",
        {"x": "3"},
    )
    assert (read.control_note, read.control.violations) == ("half of it", 0)


def test_values_are_kept_as_text_once(run):
    page = Page("apples")
    assert page.value("sup-ring", 0.12345, "{:.3f}") == "0.123"
    assert page.value("count", 1234567, "{:,}") == "1,234,567"
    assert page.value("word", "ring") == "ring"
    assert json.loads((run / "values.json").read_text()) == {
        "count": "1,234,567",
        "sup-ring": "0.123",
        "word": "ring",
    }
    with pytest.raises(
        ValueError,
        match=r"key must be new on this page, got 'count' again \(it is '1,234,567'\)",
    ):
        page.value("count", 2)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        *(
            (lambda page, key=key: page.value(key, 1), "key must be words")
            for key in ("", "a b", "a:b", "a--b", 3)
        ),
        (lambda page: page.value("a", 1, "one"), "template must have a field"),
        *(
            (lambda _, name=name: Page(name), "name must be lower-case words")
            for name in ("", "Apples", "a_b", 3)
        ),
        (lambda page: page.table(pd.DataFrame({"n": []}), caption="c"), "1 to 60 rows"),
        (
            lambda page: page.table(pd.DataFrame({"n": range(61)}), caption="c"),
            "1 to 60 rows",
        ),
        (
            lambda page: page.figure("grwoth", GROWN, drawn),
            "unknown figure 'grwoth'; similar: growth",
        ),
        (
            lambda _: Page("pears").figure("growth", GROWN, drawn),
            "belongs to page 'apples', this is 'pears'",
        ),
        (
            lambda page: page.figure("growth", GROWN, "draw"),
            "draw must be a function without arguments, got 'draw'",
        ),
        (
            lambda page: page.figure("growth", [1], drawn),
            "table must be a pandas.DataFrame, got [1]",
        ),
        (
            lambda page: page.figure("growth", GROWN.drop(columns="step"), drawn),
            "key column(s) step not in the table",
        ),
        (
            lambda page: page.figure("growth", GROWN, lambda: None),
            "must return a matplotlib Figure, got NoneType",
        ),
    ],
)
def test_what_a_page_cannot_take_is_refused(root, run, call, message):
    with pytest.raises(
        (ValueError, TypeError, CompanionError), match=re.escape(message)
    ):
        call(Page("apples"))
    assert not list(run.rglob("*.svg"))


def test_a_page_begins_empty(run):
    page = Page("apples")
    page.value("a", 1)
    page.keep(GOOD)
    Page("apples")
    assert json.loads((run / "values.json").read_text()) == {}
    assert list((run / "evidence").iterdir()) == []


def test_figure_in_a_build_shows_no_time(root, run):
    accept(root)
    figure = Page("apples").figure("growth", GROWN, drawn)
    assert figure.table.equals(GROWN)
    assert (run / "figures" / "apples" / "growth.svg").is_file()
    shown = figure.show(caption="It **grows**:\n```x```", alt="A line\nthat rises")
    bundle, _ = DisplayFormatter().format(shown)
    assert bundle["text/markdown"] == (
        "````{bookfigure} apples/growth\n:alt: A line that rises\n\nIt **grows**: "
        "```x```\n````\n"
    )
    assert (
        '<img src="../figures/apples/growth.svg" alt="A line that rises"'
        in bundle["text/html"]
    )
    assert bundle["text/plain"] == "Figure growth: A line that rises"
    for caption, alt in (("", "x"), ("x", " "), (None, "x"), ("x", None)):
        with pytest.raises(ValueError, match="must be a non-empty text"):
            figure.show(caption=caption, alt=alt)


def test_at_the_keyboard_a_change_is_a_warning(root):
    page = Page("apples")
    assert page.directory == root / "_build" / "interactive" / "apples"
    with pytest.warns(UserWarning, match="no accepted data yet"):
        figure = page.figure("growth", GROWN, drawn)
    assert 'src="data:image/png;base64,' in figure.show("c", "a").markup
    accept(root)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        page.figure("growth", GROWN, drawn)
    with pytest.warns(UserWarning, match=r"size at step=3 is 48.0, accepted was 24.0"):
        page.figure("growth", GROWN.assign(size=[3.0, 6.0, 12.0, 48.0]), drawn)


def test_somebody_else_s_book_is_not_taken_for_this_one(root, monkeypatch):
    other = root.parent / (root.name + "-other")
    for name in ("_config.yml", "notebooks/mine.md"):
        write(other, name, "x")
    monkeypatch.delenv("COMPANION_ROOT")
    monkeypatch.chdir(other / "notebooks")
    assert Layout.find().root == other
    assert Layout.for_page().root == Path(paths.__file__).resolve().parents[2]
    assert Layout.for_page().build == other / "notebooks" / "mollified-output"
    monkeypatch.setattr(paths, "__file__", str(other / "packages/companion/paths.py"))
    with pytest.raises(
        CompanionError,
        match=r"the data that it needs .* install the package again, by `pip install`",
    ):
        Layout.for_page()
    write(other, "data/figures.yml", "")
    assert Layout.for_page() == Layout(other)


def test_table_aligns_formats_and_escapes(run):
    table = pd.DataFrame(
        {"name": ["a|b", "$x$"], "n": [1, 20], "share": [0.123456, 2.0]}
    )
    shown = Page("apples").table(table, caption="Some\nnumbers", floatfmt=".2f")
    assert shown.markdown == (
        "````{table} Some numbers\n| name | n | share |\n| :-- | --: | --: |\n"
        "| a\\|b | 1 | 0.12 |\n| $x$ | 20 | 2.00 |\n````\n"
    )
    counts = Page("apples").table(pd.DataFrame({"n": [24094, 7]}), caption="Counts")
    assert (
        counts.markdown
        == "````{table} Counts\n| n |\n| --: |\n| 24,094 |\n| 7 |\n````\n"
    )
    assert "<td>0.12</td>" in shown.markup
    assert repr(shown).startswith("Some numbers\nname  n  share")
