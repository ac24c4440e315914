"""The notebooks that the site offers for download."""

import re
import shutil

import jupytext
import nbformat
import pytest

from companion.paths import CompanionError, Layout
from companion.run.cache import Entry
from companion.site.downloads import write_downloads
from tests.companion.toy import make_book, replace, write

CLAIM = {
    "id": "MBDE-L1",
    "kind": "lemma",
    "title": "Doubling is growth",
    "verdict": "holds",
    "grade": "exact",
    "corrected": False,
    "statement": "Twice $x$ is more than $x$.",
    "hypotheses": [],
    "places": [{"source": "v1", "at": "Lemma 1"}],
}
LEDGER = {"claims": [CLAIM], "sources": {"v1": {"short": "version 1"}}}
CELL = '```{code-cell} ipython3\n:tags: [parameters]\n\nprofile = "quick"\n```\n'


@pytest.fixture
def book(tmp_path, monkeypatch):
    """A book whose pages were run: the values and the computed claims are there."""
    for name in ("COMPANION_REPOSITORY", "COMPANION_SITE"):
        monkeypatch.delenv(name, raising=False)
    root = make_book(tmp_path / "book")
    write(root, "kept/apples/run/values.json", '{"total": "24.0"}')
    replace(
        root,
        "notebooks/apples.md",
        "## Growing",
        "Of {val}`apples:total`, {claim}`MBDE-L1`: [](pears.md).\n\n## Growing",
    )
    return Layout(root)


def made(layout):
    entries = {
        page: Entry(layout.root / "kept" / page, {}, 0.0) for page in layout.pages()
    }
    site = layout.root / "html"
    assert write_downloads(layout, entries, LEDGER, site) == 2
    return site / "downloads"


def read(path):
    return nbformat.read(path, as_version=4)


def test_each_page_has_a_notebook_without_outputs_and_the_same_each_time(
    book,
):
    folder = made(book)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert set(before) == {"apples.ipynb", "pears.ipynb"}
    for name in before:
        notebook = read(folder / name)
        nbformat.validate(notebook)
        assert len({cell.id for cell in notebook.cells}) == len(notebook.cells)
        assert all(
            cell.outputs == [] and cell.execution_count is None
            for cell in notebook.cells
            if "outputs" in cell
        )
        back = jupytext.reads(jupytext.writes(notebook, fmt="md:myst"), fmt="md:myst")
        assert [(cell.cell_type, cell.source) for cell in notebook.cells] == [
            (cell.cell_type, cell.source) for cell in back.cells
        ]
    shutil.rmtree(folder)
    made(book)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_the_first_cell_says_where_it_is_from_and_how_to_run_it(book, monkeypatch):
    first = read(made(book) / "pears.ipynb").cells[0].source
    for words in (
        "the page *Pears* of *A toy* by Nobody (2020), version 1.2.3 (tag v1.2.3)",
        'pip install "PATH[notebook]"   # PATH: a checkout',
        "`profile` ('quick'), `pause` (0.0)",
        "papermill pears.ipynb my-pears.ipynb -p profile paper -p pause 0.0",
        "`mollified-output/pears`",
    ):
        assert words in first
    assert "http" not in first
    monkeypatch.setenv("COMPANION_REPOSITORY", "https://example.org/code/toy")
    monkeypatch.setenv("COMPANION_SITE", "https://example.org/toy")
    notebook = read(made(book) / "apples.ipynb")
    assert (
        'pip install "mollified[notebook] @ git+https://example.org/code/toy@v1.2.3"'
        in notebook.cells[0].source
    )
    assert (
        "[Apples](https://example.org/toy/notebooks/apples.html)"
        in notebook.cells[0].source
    )
    assert (
        "MBDE-L1: [Pears](https://example.org/toy/notebooks/pears.html)."
        in notebook.cells[3].source
    )


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            ":tags: [parameters]",
            ":tags: [other]",
            "no download of the page apples: not enough values to unpack",
        ),
        (
            "## Growing",
            f"{CELL}\n## Growing",
            "no download of the page apples: too many values to unpack",
        ),
        (
            'profile = "quick"',
            "profile = print()",
            "no download of the page apples: malformed node",
        ),
        (
            'profile = "quick"',
            "import os",
            "no download of the page apples: no parameter",
        ),
        (
            "## Growing",
            "{ref}`there`",
            "no download of the page apples: no plain form is known of the role 'ref'",
        ),
    ],
)
def test_a_page_that_cannot_be_offered_ends_the_build(book, old, new, message):
    replace(book.root, "notebooks/apples.md", old, new)
    with pytest.raises(CompanionError, match=re.escape(message)):
        made(book)
