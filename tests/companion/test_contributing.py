"""CONTRIBUTING is followed to the letter, on a copy of the real ledger and a page."""

import json
import re
import shlex
import shutil
import subprocess
import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pandas as pd
import pytest

from companion.cli import COMMANDS
from companion.ledger.registry import FigureSpec, load_registry
from companion.paths import Layout
from companion.publish.note import parts_of
from companion.run.cache import newest
from companion.snapshots.compare import distance_from_reference
from companion.snapshots.update import verify_manifest
from tests.companion.test_addresses import all_addresses
from tests.companion.toy import command
from tests.repository import ROOT, program, text_of

PAGE = "private-sampling"
NOTEBOOK = f"notebooks/{PAGE}.md"
#: The claims of the two examples, and what is said of each.
VERDICTS = {"MBDE-Z1": "holds, exact", "MBDE-Z2": "false, exact"}
FIGURE = "tv-bound"
FILES = ("_config.yml", "requirements.lock", "data", NOTEBOOK)
#: What the command that accepts a figure writes.
ACCEPTED = {
    "data/results/manifest.json",
    "data/results/CHANGES.md",
    f"data/results/figures/quick/{FIGURE}.csv",
    f"data/results/figures/paper/{FIGURE}.csv",
}


def section(title):
    """Return the text of a section of CONTRIBUTING."""
    return (
        text_of("CONTRIBUTING.md").partition(f"\n## {title}\n")[2].partition("\n## ")[0]
    )


def blocks(title, language):
    """Return the fenced blocks of a section that are in a language."""
    pattern = rf"(?ms)^(`{{3,}}){language}\n(.*?)^\1$"
    return [match[2] for match in re.finditer(pattern, section(title))]


@pytest.fixture
def root(tmp_path):
    """Copy what the page needs; the sources are those of this repository."""
    book = tmp_path / "book"
    for name in FILES:
        path = book / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, path)
        else:
            shutil.copyfile(ROOT / name, path)
    (book / "src").symlink_to(ROOT / "src")
    return book


def contents(root):
    """Return the files of the book that are committed, by name."""
    folders = (root / "data", root / "notebooks")
    files: list[Path] = []
    for folder in folders:
        files += folder.rglob("*")
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in files
        if path.is_file()
    }


def touched(before, root):
    return {name for name, _ in before.items() ^ contents(root).items()}


def append(path, text):
    path.write_text(path.read_text(encoding="utf-8") + "\n" + text, encoding="utf-8")


def run(root, line):
    """Run a command of CONTRIBUTING on the copy, which has no Makefile."""
    program, *words = shlex.split(line.removeprefix("$ "))
    if program == ".venv/bin/python":
        assert words[:2] == ["-m", "companion"]
        return command(root, *words[2:])
    assert program == "make"
    values = dict(word.split("=", 1) for word in words[1:])
    arguments = [words[0], values["FIG"], "--profile", values.get("PROFILE", "quick")]
    if "WHY" in values:
        arguments += ["--why", values["WHY"]]
    return command(root, *arguments)


def lines(title):
    return "".join(blocks(title, "console")).splitlines()


@pytest.mark.slow
def test_a_true_and_a_false_claim_touch_the_ledger_and_their_page(root):
    before = contents(root)
    examples = ("A claim", "A false claim")
    for title in examples:
        (entry,) = blocks(title, "yaml")
        append(root / "data/claims.yml", entry)
    (line,) = lines("A claim")
    done = run(root, line)
    assert done.returncode == 1, "the control: the entries alone are not enough"
    for name in VERDICTS:
        assert f"  {name}: notebook {PAGE} recorded no evidence for it" in done.stdout
    for title in examples:
        (cell,) = blocks(title, "md")
        append(root / NOTEBOOK, cell)
    done = run(root, line)
    assert done.returncode == 0, done.stderr
    for title, (name, verdict) in zip(examples, VERDICTS.items(), strict=True):
        assert f"\n  {name}: {verdict}\n" in done.stdout
        assert f"`{name}: {verdict}`" in section(title)
    notebook = newest(Layout(root), PAGE, "quick").notebook
    assert "As printed.* No counterexample" in notebook.read_text(encoding="utf-8")
    assert touched(before, root) == {"data/claims.yml", NOTEBOOK}
    released = text_of("data/addresses.txt").split()
    new = {f"claims/{name}" for name in VERDICTS}
    assert set(all_addresses(root)) - set(released) >= new
    told = [claim["id"] for part in parts_of(root) for claim in part.claims]
    assert "MBDE-Z2" in told, "the errata note tells it"
    assert "MBDE-Z1" not in told


@pytest.mark.slow
def test_a_figure_touches_its_page_the_registry_and_accepted_data(root):
    before = contents(root)
    entry, tolerance = blocks("A figure", "yaml")
    (cell,) = blocks("A figure", "md")
    append(root / NOTEBOOK, cell)
    append(root / "data/figures.yml", entry)
    look, *accept = lines("A figure")
    done = run(root, look)
    assert done.returncode == 3, done.stderr
    assert "has no accepted data yet" in done.stdout
    for line in accept:
        done = run(root, line)
        assert done.returncode == 0, done.stderr
    assert run(root, look).returncode == 0
    assert verify_manifest(root) == []
    assert touched(before, root) == {"data/figures.yml", NOTEBOOK, *ACCEPTED}
    registry = root / "data/figures.yml"
    accepted = Layout(root).reference("quick", FIGURE)
    table = pd.read_csv(accepted).assign(tv=lambda rows: rows["tv"] * (1 + 1e-5))
    assert far(root, table).changed
    old = re.search(r"(?m)^  tolerance: .*\n", entry)[0]
    text = registry.read_text(encoding="utf-8")
    registry.write_text(text.replace(entry, entry.replace(old, tolerance)))
    assert not far(root, table).changed


def far(root, table):
    layout = Layout(root)
    spec = load_registry(layout.registry)[FIGURE]
    return distance_from_reference(layout, spec, "quick", table)


def commands():
    """Return every command that CONTRIBUTING prints, in a line or in a block."""
    fenced = r"(?ms)^(`{3,}).*?^\1$"
    text = text_of("CONTRIBUTING.md")
    inline = re.findall(
        r"`((?:make|python|\.venv\S*/python|reuse|tools/\S+\.py)\b[^`]*)`",
        re.sub(fenced, "", text),
    )
    return sorted({*inline, *re.findall(r"(?m)^\$ (.*)$", text)})


@cache
def collects(*arguments):
    """Return whether pytest has a test for its arguments."""
    options = ["-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [sys.executable, *options, *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode == 0


def steps_of_make(words):
    """Return the commands that `make` would run."""
    done = subprocess.run(
        [*words, "--dry-run"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return [
        line.partition(".venv/bin/python ")[2]
        for line in done.stdout.splitlines()
        if ".venv/bin/python -m" in line
    ]


def assert_selects(words):
    """Assert that a command of CONTRIBUTING exists, and has something to work on."""
    match words:
        case ["make", *_]:
            for step in steps_of_make(words):
                assert_selects(["python", *shlex.split(step)])
        case ["reuse", *_]:
            program("reuse")
        case [_, "-m", "pytest", *arguments]:
            if arguments[:1] == ["--numprocesses"]:
                arguments = arguments[2:]
            assert collects(*arguments), words
        case [_, "-m", "companion", name, *_]:
            assert name in COMMANDS
        case [_, "-m", module, *_]:
            assert find_spec(module) is not None
        case [_, tool, *_] if tool.startswith("tools/"):
            assert (ROOT / tool).is_file()
        case [tool, *_]:
            assert tool.startswith("tools/")
            assert (ROOT / tool).is_file()


@pytest.mark.slow
@pytest.mark.parametrize("line", commands())
def test_every_command_exists_and_selects_something(line):
    assert_selects(shlex.split(line))


@pytest.mark.slow
def test_a_command_that_selects_no_test_is_seen():
    """The control of the test above."""
    with pytest.raises(AssertionError):
        assert_selects(shlex.split("python -m pytest tests/test_style.py -k circle"))
    with pytest.raises(AssertionError):
        assert_selects(["make", "bok"])


def test_commands_in_lines_and_in_blocks_are_seen():
    assert {"make walk", "make test-fast", "tools/style.py FILES"} <= set(commands())
    assert len(commands()) > 20


def test_series_rooms_and_tolerances_are_those_of_the_code():
    schema = json.loads(text_of("src/companion/ledger/claims.schema.json"))
    pattern = schema["items"]["properties"]["id"]["pattern"]
    series = re.findall(r"\w+", pattern.partition(")")[0])
    assert len(series) > 5
    assert [name for name in series if f"`{name}-" not in section("A claim")] == []
    rooms = [path.parent.name for path in ROOT.glob("src/mollified/*/__init__.py")]
    assert [name for name in rooms if f"`{name}`" not in section("The house")] == []
    bare = FigureSpec("growth", "apples", ("step",)).default_tolerance
    assert (bare.rtol, bare.atol) == (1e-9, 1e-12)
    assert "has rtol 1e-9 and atol 1e-12" in " ".join(section("A figure").split())
