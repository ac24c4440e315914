from pathlib import Path

import pytest

from companion.run.dependencies import closure_of, code_of_notebook
from tests.companion.toy import make_book, write


def names(root, cells):
    files = closure_of(cells, root / "src", root / "notebooks")
    return {path.relative_to(root).as_posix().removeprefix("src/") for path in files}


@pytest.fixture
def book(tmp_path):
    """A package whose `__init__` takes a name from a module, which needs more, and not
    from the other one.
    """
    book = make_book(tmp_path)
    write(book, "src/fruit/__init__.py", "from .plum import PLUM\n")
    write(
        book,
        "src/fruit/plum.py",
        "def plum():\n    from fruit.deep import leaf\n    from toy import pear",
    )
    write(book, "src/fruit/deep/__init__.py", "")
    write(
        book,
        "src/fruit/deep/leaf.py",
        "from ..alone import ALONE\nfrom toy.constants import RATE as R",
    )
    write(book, "src/fruit/alone.py", "ALONE = 1")
    write(book, "src/fruit/other.py", "")
    write(book, "src/fruit/look.mplstyle", "font.size: 9")
    (book / "notebooks" / "near.py").write_text("import fruit.other\n")
    return book


FRUIT = {
    "fruit/__init__.py",
    "fruit/plum.py",
    "fruit/deep/__init__.py",
    "fruit/deep/leaf.py",
    "fruit/look.mplstyle",
}
FRUIT |= {"fruit/alone.py", "toy/__init__.py", "toy/constants.py", "toy/pear.py"}


@pytest.mark.parametrize(
    ("cell", "more"),
    [
        ("from fruit import PLUM", set()),
        ("import fruit.plum as p", set()),
        ("def f():\n    import fruit\nmodel.eval()", set()),
        ("if TYPE_CHECKING:\n    import fruit.other\nimport fruit.plum", set()),
        ("from fruit import *", {"fruit/other.py"}),
        ("from fruit import other", {"fruit/other.py"}),
        ("from fruit.other import OTHER", {"fruit/other.py"}),
        ("import near", {"fruit/other.py", "notebooks/near.py"}),
    ],
)
def test_a_module_counts_with_its_packages_and_all_that_they_import(book, cell, more):
    assert names(book, [cell]) == FRUIT | more


@pytest.mark.parametrize(
    "cell",
    [
        "importlib.import_module('toy.pear')",
        "__import__(name)",
        "exec(text)",
        "%run it",
        "def (:",
    ],
)
def test_what_cannot_be_resolved_takes_the_whole_of_src(book, cell):
    assert FRUIT | {"toy/unused.py", "fruit/other.py"} <= names(book, [cell])


def test_code_of_notebook_reads_code_cells_only(book):
    cells = code_of_notebook(book / "notebooks" / "pears.md")
    assert len(cells) == 2
    assert "SWEETNESS" in cells[1]


def test_a_page_of_this_book_does_not_depend_on_the_builder():
    found = names(Path(__file__).parents[2], ["from companion.page import Page"])
    needed = {
        f"companion/{name}.py"
        for name in ("page", "figures", "ledger/registry", "drawing")
    }
    assert needed <= found
    assert (
        not {f"companion/{name}.py" for name in ("build", "cli", "site/render")} & found
    )
    assert not [name for name in found if name.startswith("mollified/")]
