import json

import pytest

from companion.cli import main
from companion.paths import CompanionError, Layout, find_root
from companion.run.figures import PRINTED, SUFFIXES
from tests.companion.toy import command, make_book, replace


@pytest.fixture
def root(tmp_path, monkeypatch):
    make_book(tmp_path)
    monkeypatch.setenv("COMPANION_ROOT", str(tmp_path))
    return tmp_path


def test_root_is_found_upward_or_named(tmp_path, monkeypatch):
    monkeypatch.delenv("COMPANION_ROOT", raising=False)
    root = make_book(tmp_path / "book").resolve()
    assert find_root(root / "src" / "toy") == root
    with pytest.raises(CompanionError, match="no book found here or above"):
        find_root(tmp_path)
    monkeypatch.setenv("COMPANION_ROOT", str(tmp_path))
    with pytest.raises(CompanionError, match=r"holds no notebooks/ folder"):
        find_root(root)
    monkeypatch.setenv("COMPANION_ROOT", str(root))
    assert find_root(tmp_path) == root


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["execute", "plums"], "unknown notebook 'plums'; known: apples, pears"),
        (["figure", "grwoth"], "unknown figure 'grwoth'; known: growth"),
        (["accept", "growth", "--why", " "], "needs a reason in one line"),
        (["accept", "grwoth", "--why", "so"], "unknown figure 'grwoth'"),
    ],
)
def test_mistakes_are_named_and_exit_with_one(root, capsys, arguments, message):
    assert main(arguments) == 1
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.err.startswith("error: ")
    assert "Traceback" not in captured.err


@pytest.mark.parametrize(
    "arguments", ["", "bake", "figure", "accept growth", "build --jobs two", "build --jobs 0", "build --profile full"]
)
def test_bad_usage_exits_with_two(root, arguments, capsys):
    with pytest.raises(SystemExit) as caught:
        main(arguments.split())
    assert caught.value.code == 2
    assert "usage:" in capsys.readouterr().err


@pytest.mark.slow
def test_a_changed_figure_exits_with_three_until_it_is_accepted(root):
    made = command(root, "figure", "growth")
    assert made.returncode == 3, made.stderr
    folder = Layout(root).build / "figures" / "apples"
    assert {str(folder / f"growth{suffix}") for suffix in (*SUFFIXES, *PRINTED)} <= set(made.stdout.splitlines())
    assert 'make accept FIG=growth WHY="..."' in made.stdout
    accepted = command(root, "accept", "growth", "--why", "it doubles")
    assert accepted.returncode == 0, accepted.stderr
    assert "it doubles" in (root / "data/results/CHANGES.md").read_text()
    assert list(json.loads((root / "data/results/manifest.json").read_text())) == ["figures/quick/growth.csv"]
    again = command(root, "figure", "growth")
    assert (again.returncode, "the data are the accepted ones" in again.stdout) == (0, True)
    replace(root, "src/toy/constants.py", "3", "4")
    assert command(root, "figure", "growth").returncode == 3
