"""What a change touches, shown by making it: a claim two files, a figure its page and
data, a tolerance one file.
"""

import shutil

import pandas as pd
import pytest

from companion.figures import PRINTED, SUFFIXES
from companion.ledger.registry import load_registry
from companion.paths import Layout
from companion.snapshots.compare import distance_from_reference
from companion.snapshots.update import verify_manifest
from tests.companion.toy import command, replace

CLAIM = """
- id: MBDE-L2
  kind: lemma
  title: Tripling is growth
  places: [{source: v1, at: "Lemma 2"}]
  statement: Thrice $x$ is more than $x$ for $x > 0$.
  hypotheses: []
  notebook: apples
  expected: holds
"""
CELL = """
```{code-cell} ipython3
page.keep(Evidence("MBDE-L2", "apples", "as-printed", Counts(7, 0, 0.5), Counts(7, 7), "a third of it"))
```
"""  # noqa: E501
FIGURE = """
```{code-cell} ipython3
other = page.figure("shrinking", growth(0.5, 3), lambda: draw_growth(growth(0.5, 3)))
```
"""
#: What the command that accepts a figure writes.
ACCEPTED = {"data/results/manifest.json", "data/results/CHANGES.md"}


@pytest.fixture
def root(accepted):
    """A toy book, whose figure has accepted data, with a copy of it."""
    shutil.copytree(accepted, accepted.with_name("first"))
    return accepted


def touched(root):
    """Return the files that differ from those at first, new ones included."""
    now, first = (
        {
            str(path.relative_to(book)): path.read_bytes()
            for path in book.rglob("*")
            if path.is_file()
        }
        for book in (root, root.with_name("first"))
    )
    changed = {name for name, _ in now.items() ^ first.items()}
    return {
        name
        for name in changed
        if not name.startswith("_build") and "__pycache__" not in name
    }


def append(root, name, text):
    path = root / name
    path.write_text(path.read_text(encoding="utf-8") + text, encoding="utf-8")


def judged(root, status):
    """Execute the page of the claims; return what is said of them."""
    done = command(root, "execute", "apples")
    assert done.returncode == status, done.stderr
    return done.stdout.partition("executed\n")[2].splitlines()


@pytest.mark.slow
def test_a_new_claim_touches_the_ledger_and_its_page(root):
    append(root, "data/claims.yml", CLAIM)
    assert judged(root, 1)[-1] == (
        "  MBDE-L2: notebook apples recorded no evidence for it"
    ), "the control: the ledger alone is not enough"
    append(root, "notebooks/apples.md", CELL)
    first, second, count = judged(root, 0)
    assert first.startswith("  MBDE-L1: holds")
    assert second.startswith("  MBDE-L2: holds")
    assert count == "2 claim(s) judged"
    assert touched(root) == {"data/claims.yml", "notebooks/apples.md"}


@pytest.mark.slow
def test_a_new_figure_touches_its_page_the_registry_and_what_is_accepted(root):
    append(root, "notebooks/apples.md", FIGURE)
    refused = command(root, "accept", "shrinking", "--why", "first")
    assert refused.returncode == 1, "the control: the page alone is not enough"
    assert "unknown figure 'shrinking'; all are in data/figures.yml" in refused.stderr
    append(root, "data/figures.yml", "shrinking:\n  page: apples\n  key: [step]\n")
    made = command(root, "figure", "shrinking")
    folder = root / "_build" / "figures" / "apples"
    assert (made.returncode, 'make accept FIG=shrinking WHY="..."' in made.stdout) == (
        3,
        True,
    ), made.stderr
    assert {
        str(folder / f"shrinking{suffix}") for suffix in (*SUFFIXES, *PRINTED)
    } <= set(made.stdout.splitlines())
    done = command(root, "accept", "shrinking", "--why", "it halves")
    assert done.returncode == 0, done.stderr
    assert "it halves" in (root / "data/results/CHANGES.md").read_text()
    assert verify_manifest(root) == []
    made = command(root, "figure", "shrinking")
    assert (made.returncode, "the data are the accepted ones" in made.stdout) == (
        0,
        True,
    )
    own = {
        "notebooks/apples.md",
        "data/figures.yml",
        "data/results/figures/quick/shrinking.csv",
    }
    assert touched(root) == own | ACCEPTED


@pytest.mark.slow
def test_a_tolerance_touches_the_registry_alone(root):
    layout = Layout(root)
    accepted = layout.reference("quick", "growth")
    table = pd.read_csv(accepted)
    moved = table.assign(size=table["size"] * (1 + 1e-4))
    assert (
        distance_from_reference(
            layout, load_registry(layout.registry)["growth"], "quick", moved
        ).cells
        == 4
    )
    replace(
        root,
        "data/figures.yml",
        "key: [step]",
        "key: [step]\n  tolerance: {rtol: 0.001, atol: 0}",
    )
    assert (
        distance_from_reference(
            layout, load_registry(layout.registry)["growth"], "quick", moved
        ).tolerances
        < 1
    )
    assert touched(root) == {"data/figures.yml"}
