import json
import sys

import pandas as pd
import pytest

from companion.acceptance import accept_table
from companion.paths import CompanionError, Layout
from companion.registry import load_registry
from companion.verify_page import FIGURES, VerifiedPage
from tests.companion.toy import make_book, replace, write


@pytest.fixture
def root(tmp_path, monkeypatch):
    make_book(tmp_path)
    monkeypatch.setenv("COMPANION_ROOT", str(tmp_path))
    monkeypatch.setenv("COMPANION_RUN", str(tmp_path / "run"))
    monkeypatch.syspath_prepend(str(tmp_path / "src"))
    for name in ("toy", "toy.grow", "toy.draw", "toy.constants"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    from companion.figures import compute

    layout = Layout(tmp_path)
    spec = load_registry(layout.registry)["growth"]
    accept_table(layout, spec, "quick", compute(spec, "quick")[0], "for the test")
    return tmp_path


def noted(root):
    return json.loads((root / "run" / FIGURES).read_text())


def test_a_figure_is_computed_once_when_it_is_read_and_drawn_never(root, monkeypatch):
    calls = []
    grow = sys.modules["toy.grow"]
    growth = grow.growth
    monkeypatch.setattr(grow, "growth", lambda *, rate, n, seed: calls.append(n) or growth(rate=rate, n=n, seed=seed))
    page = VerifiedPage("apples")
    assert noted(root) == {}
    figure = page.figure("growth")
    shown = figure.show(caption="It grows.", alt="A line")
    assert (repr(shown), figure.params["n"], calls) == ("Figure growth: A line", 4, [])
    assert repr(figure) == "Figure growth; call .show(caption=..., alt=...)"
    assert noted(root) == {"growth": {"state": "not asked for"}}
    assert figure.facts == {"largest": 24.0}
    assert list(figure.table["size"]) == [3, 6, 12, 24]
    assert calls == [4]
    assert noted(root)["growth"]["state"] == "identical"
    assert not list(root.rglob("*.svg"))


def test_other_data_are_noted_and_the_page_goes_on(root):
    replace(root, "data/results/figures/quick/growth.csv", "24.0", "25.0")
    page = VerifiedPage("apples")
    assert page.figure("growth").facts == {"largest": 24.0}
    assert noted(root)["growth"]["state"] == "changed"
    assert "size at step=3 is 24.0, accepted was 25.0" in noted(root)["growth"]["message"]
    replace(root, "data/results/figures/quick/growth.csv", "25.0", "24.000000000001")
    assert page.figure("growth").table is not None
    assert noted(root)["growth"]["state"] == "changed", "asked for twice, it is as good as its worst"
    other = VerifiedPage("apples")
    assert other.figure("growth").table is not None
    assert noted(root)["growth"]["state"] == "within tolerance"
    assert other.figure("growth", n=3).table is not None
    assert "parameters that differ" in noted(root)["growth"]["message"]


def test_a_figure_of_cells_is_compared_and_drawn_never(root):
    write(root, "data/figures.yml", "growth:\n  page: apples\n  key: [step]\n")
    table = pd.DataFrame({"step": range(4), "size": [3.0, 6.0, 12.0, 24.0]})
    shown = VerifiedPage("apples").figure("growth", table, lambda: 1 / 0).show(caption="It grows.", alt="A line")
    assert (repr(shown), noted(root)["growth"]["state"]) == ("Figure growth: A line", "identical")


def test_mistakes_are_those_of_a_build(root):
    page = VerifiedPage("apples")
    with pytest.raises(CompanionError, match="unknown figure 'grwoth'; known: growth"):
        page.figure("grwoth")
    with pytest.raises(CompanionError, match="belongs to page 'apples', this is 'pears'"):
        VerifiedPage("pears").figure("growth")
    with pytest.raises(CompanionError, match="unknown parameter speed; known: n, rate, seed"):
        print(page.figure("growth", speed=1).table)
    with pytest.raises(AttributeError, match="figure 'growth' has no 'colour'"):
        print(page.figure("growth").colour)
    with pytest.raises(ValueError, match="alt must be a non-empty text"):
        page.figure("growth").show(caption="c", alt=" ")
