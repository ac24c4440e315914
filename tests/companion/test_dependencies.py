from pathlib import Path

import pytest

from companion.run.dependencies import closure_of, code_of_notebook
from tests.companion.toy import make_book, write


def names(root, cells):
    files, whole = closure_of(cells, root / "src", root / "notebooks")
    return {path.relative_to(root).as_posix() for path in files}, whole


@pytest.fixture
def book(tmp_path):
    return make_book(tmp_path)


def test_follows_imports_inside_functions_and_of_submodules(book):
    write(book, "src/toy/deep/__init__.py", "")
    write(book, "src/toy/deep/leaf.py", "from ..constants import RATE")
    write(book, "src/toy/top.py", "def f():\n    from .deep import leaf\n    return leaf")
    files, whole = names(book, ["import numpy\nfrom toy import top"])
    assert not whole
    assert files == {f"src/toy/{name}.py" for name in ("__init__", "top", "deep/__init__", "deep/leaf", "constants")}


@pytest.fixture
def orchard(book):
    """A package whose `__init__` takes its names from modules, of which one has the name of what it holds."""
    exports = "from fruit.quince import quince\nfrom .plum import PLUM, stone as pit\nfrom fruit.jam import *\n"
    write(
        book,
        "src/fruit/__init__.py",
        f'{exports}from fruit.knife import KNIFE\n\nCUT = KNIFE + 1\n__all__ = ["CUT", "alone"]',
    )
    write(book, "src/fruit/quince.py", "from fruit.plum import PLUM\n\n\ndef quince():\n    return PLUM")
    write(book, "src/fruit/plum.py", "from fruit import tree\nfrom toy import pear\nPLUM = stone = pear")
    for name in ("jam", "knife", "tree", "alone"):
        write(book, f"src/fruit/{name}.py", f"{name.upper()} = 1")
    write(book, "src/basket/__init__.py", "from fruit import pit as seed\nfrom fruit import KNIFE")
    return book


#: What every page with a name of the package needs: its star import, and what it computes with.
ALWAYS = {"__init__", "jam", "knife"}
PLUM = {"plum", "tree"}


@pytest.mark.parametrize(
    ("cell", "needed"),
    [
        ("from fruit import CUT", set()),
        ("from fruit import quince", {"quince", *PLUM}),
        ("from fruit import PLUM", PLUM),
        ("from fruit import pit", PLUM),
        ("from fruit import alone", {"alone"}),
        ("from fruit.alone import ALONE", {"alone"}),
        ("from basket import KNIFE", set()),
        ("from basket import seed", PLUM),
        ("import fruit", {"quince", "alone", *PLUM}),
        ("import fruit.tree as t", {"quince", "alone", *PLUM}),
        ("def f():\n    import basket", PLUM),
        ("from fruit import *", {"quince", "alone", *PLUM}),
    ],
)
def test_a_name_of_a_package_leads_to_the_module_that_defines_it(orchard, cell, needed):
    files, whole = names(orchard, [cell])
    assert not whole
    assert {Path(name).stem for name in files if name.startswith("src/fruit/")} == ALWAYS | needed
    assert ("src/toy/pear.py" in files) == ("plum" in needed)


def test_modules_beside_the_notebook_are_followed_and_data_files_of_a_package_count(book):
    """A method that is called eval imports nothing."""
    (book / "notebooks" / "near.py").write_text("from toy.pear import SWEETNESS\n")
    write(book, "src/toy/look.mplstyle", "font.size: 9")
    toy = {f"src/toy/{name}" for name in ("__init__.py", "pear.py", "look.mplstyle")}
    assert names(book, ["import near\nmodel.eval()"]) == ({"notebooks/near.py", *toy}, False)


@pytest.mark.parametrize(
    "cell",
    ["importlib.import_module('toy.pear')", "__import__(name)", "exec(text)", "import toy.absent", "%run it", "def (:"],
)
def test_what_cannot_be_resolved_takes_the_whole_of_src(book, cell):
    files, whole = names(book, [cell])
    assert whole
    assert {"src/toy/unused.py", "src/toy/pear.py", "src/toy/constants.py"} <= files


def test_code_of_notebook_reads_code_cells_only(book):
    cells = code_of_notebook(book / "notebooks" / "pears.md")
    assert len(cells) == 2
    assert "SWEETNESS" in cells[1]


def test_a_page_of_this_book_does_not_depend_on_the_builder():
    found, whole = names(Path(__file__).parents[2], ["from companion.page import Page"])
    assert not whole
    needed = {f"src/companion/{name}.py" for name in ("page", "run/figures", "ledger/registry", "style")}
    assert needed <= found
    assert not {f"src/companion/{name}.py" for name in ("run/build", "cli", "site/render")} & found
    assert not [name for name in found if name.startswith("src/mollified/")]
