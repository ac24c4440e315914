"""The comparison with the accepted results: a planted difference of each kind is told, and nothing else is."""

import json
import shutil
from pathlib import Path

import pytest

from companion.paths import CompanionError, Layout
from companion.run import compare
from tests.companion import toy

CHECK = "Counts(5, 0, 0.5)"


@pytest.fixture(scope="module")
def accepted(tmp_path_factory):
    """A book whose figure has accepted data."""
    root = toy.make_book(tmp_path_factory.mktemp("accepted"))
    answer = toy.command(root, "accept", "growth", "--why", "first")
    assert answer.returncode == 0, answer.stderr
    return root


@pytest.fixture
def book(accepted, tmp_path):
    root = tmp_path / "book"
    shutil.copytree(accepted, root)
    return root


def compared(root: Path, monkeypatch) -> tuple[int, dict, str]:
    """Run the command as the weekly workflow does; return its status, the report, and the report in words."""
    monkeypatch.setenv("COMPANION_ROOT", str(root))
    status = compare.main(["--jobs", "2"])
    folder = root / "_build/compare"
    return status, json.loads((folder / "report.json").read_text()), (folder / "report.md").read_text()


@pytest.mark.slow
def test_nothing_differs_where_nothing_changed(book, monkeypatch):
    status, found, text = compared(book, monkeypatch)
    assert (status, found["differs"], found["pages"]) == (0, False, 2)
    assert "Every verdict and every figure is as accepted." in text
    assert "python 3." in text


@pytest.mark.slow
def test_a_changed_figure_a_changed_verdict_and_a_failure_are_all_told(book, monkeypatch):
    toy.replace(book, "src/toy/constants.py", "RATE = 3", "RATE = 4")
    toy.replace(book, "notebooks/apples.md", CHECK, "Counts(5, 5, 0.5)")
    toy.replace(book, "notebooks/pears.md", "time.sleep(pause)", 'raise ValueError("no pears")')
    status, found, text = compared(book, monkeypatch)
    assert (status, found["differs"]) == (compare.DIFFERS, True)
    (verdict,) = found["verdicts"]
    assert verdict.startswith("MBDE-L1: expected 'holds', computed '")
    (figure,) = found["figures"]
    assert figure.startswith("figure growth (profile quick) changed in 4 cell(s); worst: size at step=")
    assert "make accept" not in text
    assert list(found["failures"]) == ["pears"]
    assert text.index("### Verdicts that changed (1)") < text.index("### Figures that changed (1)")
    assert "- `pears`: ValueError: no pears" in text
    assert "<details><summary>pears</summary>" in text


@pytest.mark.slow
def test_a_figure_that_is_not_made_is_told(book, monkeypatch):
    made = 'fig = page.figure("growth", table, lambda: draw_growth(table))'
    toy.replace(book, "notebooks/apples.md", made, "fig = None")
    toy.replace(book, "notebooks/apples.md", 'print("rows:", len(fig.table), object())', "")
    shown = 'fig.show(caption="How the apples **grow** in $n$ steps.", alt="A rising line.")'
    toy.replace(book, "notebooks/apples.md", shown, "1")
    toy.replace(book, "notebooks/apples.md", 'page.table(fig.table, caption="The first steps", floatfmt=".2f")', "1")
    status, found, _ = compared(book, monkeypatch)
    assert status == compare.DIFFERS
    assert found["figures"] == ["figure growth was not made by apples"]
    assert found["verdicts"] == []


@pytest.mark.slow
def test_a_last_digit_within_the_tolerance_is_no_difference(book, monkeypatch):
    toy.replace(book, "src/toy/grow.py", "RATE * rate**step for", "RATE * rate**step * (1 + 1e-15) for")
    status, found, _ = compared(book, monkeypatch)
    assert (status, found["figures"]) == (0, [])


def test_bad_requests_are_refused(book, monkeypatch, capsys):
    monkeypatch.setenv("COMPANION_ROOT", str(book))
    assert compare.main(["--jobs", "0"]) == 1
    assert compare.main(["plums"]) == 1
    assert compare.main(["--profile", "fast"]) == 1
    errors = capsys.readouterr().err
    for words in ("jobs must be at least 1, got 0", "unknown notebook 'plums'", "unknown profile 'fast'"):
        assert words in errors
    assert not (book / "_build/compare/report.json").exists()
    with pytest.raises(CompanionError, match="unknown notebook"):
        compare.compare_run(Layout(book), "quick", ["plums"])
