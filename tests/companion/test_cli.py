import pytest

from companion.cli import main
from companion.paths import CompanionError, Layout
from tests.companion.toy import command, make_book


@pytest.fixture
def root(tmp_path, monkeypatch):
    make_book(tmp_path)
    monkeypatch.setenv("COMPANION_ROOT", str(tmp_path))
    return tmp_path


def test_root_is_found_upward_or_named(tmp_path, monkeypatch):
    monkeypatch.delenv("COMPANION_ROOT", raising=False)
    root = make_book(tmp_path / "book").resolve()
    monkeypatch.chdir(root / "src" / "toy")
    assert Layout.find().root == root
    monkeypatch.chdir(tmp_path)
    with pytest.raises(CompanionError, match="no book found here or above"):
        Layout.find()
    monkeypatch.setenv("COMPANION_ROOT", str(tmp_path))
    with pytest.raises(CompanionError, match=r"holds no notebooks/ folder"):
        Layout.find()
    monkeypatch.setenv("COMPANION_ROOT", str(root))
    assert Layout.find().root == root


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["execute", "plums"], "unknown notebook 'plums'; known: apples, pears"),
        (["figure", "grwoth"], "unknown figure 'grwoth'; similar: growth; all are in"),
        (["figure", "plums"], "unknown figure 'plums'; all are in data/figures.yml"),
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


def test_without_asserts_no_command_runs(root):
    for arguments in (["execute"], ["digest"]):
        done = command(root, *arguments, PYTHONOPTIMIZE="1")
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr.startswith("error: this Python skips every assert")


@pytest.mark.parametrize("jobs", ["0", "two"])
def test_a_number_of_notebooks_is_at_least_one(root, jobs, capsys):
    with pytest.raises(SystemExit):
        main(["build", "--jobs", jobs])
    assert (
        f"must be a whole number, at least 1, got '{jobs}'" in capsys.readouterr().err
    )
