"""The comparison with the accepted results: a planted difference of each kind is told, and nothing else is."""

import json
from pathlib import Path

import pytest

from companion.run import compare, portable
from tests.companion import toy

CHECK = "Counts(5, 0, 0.5)"


@pytest.fixture
def book(accepted):
    return accepted


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


@pytest.mark.parametrize(
    ("main", "arguments", "message"),
    [
        (compare.main, ["--jobs", "0"], "jobs must be at least 1, got 0"),
        (compare.main, ["plums"], "unknown notebook 'plums'"),
        (compare.main, ["--profile", "fast"], "unknown profile 'fast'"),
        (portable.main, ["--only", "mips"], "--only takes 'torch default', 'default'"),
        (portable.main, ["--jobs", "0"], "jobs must be at least 1, got 0"),
        (portable.main, ["--profile", "fast"], "unknown profile 'fast'"),
    ],
)
def test_bad_requests_are_refused(tmp_path, monkeypatch, capsys, main, arguments, message):
    monkeypatch.setenv("COMPANION_ROOT", str(toy.make_book(tmp_path)))
    assert main(arguments) == 1
    assert message in capsys.readouterr().err
    assert not list((tmp_path / "_build").rglob("report.json"))
