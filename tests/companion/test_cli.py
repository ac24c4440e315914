import pytest

from companion.cli import main
from companion.paths import CompanionError, Layout
from tests.companion.toy import command, make_book, replace


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


LEDGER = "data/claims.yml"
EXPECTED = "MBDE-L1: expected 'reproduced', computed 'holds'"


@pytest.mark.slow
def test_execute_judges_the_claims_of_its_pages(root, capsys):
    def execute(*pages):
        status = main(["execute", *pages])
        captured = capsys.readouterr()
        return status, captured.out.partition("executed\n")[2], captured.err

    status, said, _ = execute("apples")
    assert status == 3, "its figure has no accepted data"
    assert said.startswith("  MBDE-L1: holds, exact\n1 claim(s) judged\n")
    assert execute()[1].startswith("1 claim(s) judged\n"), "of all what differs"
    replace(root, LEDGER, "expected: holds", "expected: reproduced")
    status, said, _ = execute("apples")
    assert (status, said.count("MBDE-L1")) == (1, 1)
    assert f"not as the ledger expects: 1\n  {EXPECTED}" in said
    assert execute("pears") == (0, "0 claim(s) judged\n", "")
    replace(root, LEDGER, "MBDE-L1", "MBDE-L2")
    status, said, _ = execute()
    assert status == 1
    assert "  MBDE-L1: evidence for a claim that is not in the ledger" in said
    assert "  MBDE-L2: notebook apples recorded no evidence for it" in said
    replace(root, "notebooks/apples.md", "table = growth", "table = None / 0")
    status, said, error = execute()
    assert (status, "MBDE-L2" in said) == (1, False), "a page that fails has no verdict"
    assert "TypeError" in error


def test_execute_looks_at_the_ledger_first(root, capsys):
    replace(root, LEDGER, "kind: lemma", "kind: guess")
    assert main(["execute", "pears"]) == 1
    captured = capsys.readouterr()
    assert "the ledger is not as it must be" in captured.err
    assert captured.out == "", "nothing was executed"
