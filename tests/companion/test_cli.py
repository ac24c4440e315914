import pytest

from companion.cli import main
from companion.paths import CompanionError, find_root
from tests.companion.toy import make_book


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
