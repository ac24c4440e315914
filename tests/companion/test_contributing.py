"""CONTRIBUTING is followed to the letter, on a copy of the real ledger and a page."""

import re
import shlex
import shutil
from pathlib import Path

import pandas as pd
import pytest

from companion.ledger.claims import examine, load_claims, read_evidence
from companion.ledger.registry import load_registry
from companion.paths import Layout
from companion.run.cache import newest
from companion.snapshots.compare import distance_from_reference
from companion.snapshots.update import verify_manifest
from tests.companion.test_addresses import all_addresses
from tests.companion.toy import command
from tests.repository import ROOT, text_of

PAGE = "private-sampling"
NOTEBOOK = f"notebooks/{PAGE}.md"
CLAIM = "MBDE-Z1"
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


def verdict(root):
    """Return the verdict of the new claim, and what is not as the ledger says."""
    evidence = read_evidence([newest(Layout(root), PAGE, "quick").run / "evidence"])
    judgements, faults = examine(load_claims(root), evidence, {PAGE})
    return judgements[CLAIM].verdict, faults


@pytest.mark.slow
def test_a_claim_touches_the_ledger_and_its_page(root):
    before = contents(root)
    (entry,) = blocks("A claim", "yaml")
    append(root / "data/claims.yml", entry)
    (line,) = lines("A claim")
    done = run(root, line)
    assert done.returncode == 0, done.stderr
    recorded = f"notebook {PAGE} recorded no evidence for it"
    assert verdict(root) == ("not-yet-checked", [f"{CLAIM}: {recorded}"]), "the control"
    (cell,) = blocks("A claim", "md")
    append(root / NOTEBOOK, cell)
    done = run(root, line)
    assert done.returncode == 0, done.stderr
    assert verdict(root) == ("holds", [])
    notebook = newest(Layout(root), PAGE, "quick").notebook
    assert "As printed.* No counterexample" in notebook.read_text(encoding="utf-8")
    assert touched(before, root) == {"data/claims.yml", NOTEBOOK}
    released = text_of("data/addresses.txt").split()
    assert set(all_addresses(root)) - set(released) >= {f"claims/{CLAIM}"}


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
