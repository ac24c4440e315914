"""The page of a notebook: its download, and labels of folded code."""

from types import SimpleNamespace

import pytest
from docutils import nodes
from docutils.utils import new_document

from companion.site.notebook_pages import complete, fold_label, label_folds


def test_a_notebook_leads_to_its_download_right_under_the_title_and_no_other_page_does(
    tmp_path,
):
    for name in ("notebooks/one", "book/one"):
        tree = new_document("page")
        tree += nodes.section("", nodes.title("", "One"), nodes.paragraph("", "Text."))
        complete(
            SimpleNamespace(env=SimpleNamespace(docname=name), srcdir=tmp_path), tree
        )
        addresses = [link["refuri"] for link in tree[0][1].findall(nodes.reference)]
        assert addresses == (
            ["../downloads/one.ipynb"] if name == "notebooks/one" else []
        )


# Labels of folded cells

LABELS = {
    'import math\n\npage = Page("x", profile=profile)': "Setup",
    (
        'page.value("n", 3)\npage.figure("two-laws", table, draw).show()'
    ): "Figure: code of two-laws",
    'page.figure(\n    "two-laws", table, draw)': "Figure: code of two-laws",
    'page.value("n", 3)\npage.table(rows, caption="c")': "Table: code",
    'page.value("n", 3)': "Numbers in the text: code",
    "def f(x):\n    return x": "Code for the cells below",
}


@pytest.mark.parametrize("source", LABELS)
def test_label_says_what_the_code_makes(source):
    assert fold_label(source) == LABELS[source]


def test_cells_of_a_page_are_labelled_and_other_boxes_are_not():
    tree = new_document("page")
    code = nodes.container("", nodes.literal_block("", 'page.value("n", 3)'))
    cell = nodes.container(
        "", code, prompt_show="Show code cell {type}", prompt_hide=""
    )
    box = nodes.container()
    tree += [cell, box]
    label_folds(tree)
    assert cell["prompt_show"] == cell["prompt_hide"] == "Numbers in the text: code"
    assert "prompt_show" not in box
