"""The page of a notebook: its downloads, what it costs, a link to Binder where one works, labels of folded code."""

import json
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from docutils import nodes
from docutils.utils import new_document

from companion.publish.publication import find_publication
from companion.site.notebook_pages import fold_label, label_folds, launch_of
from tests.companion.toy import commit_all, environment, write
from tests.repository import ROOT, tracked

ADDRESS = "https://github.com/someone/book"
BOOK = replace(find_publication(ROOT), repository=ADDRESS)
LINK = f"https://mybinder.org/v2/gh/someone/book/{BOOK.tag}?urlpath=lab%2Ftree%2Fnotebooks%2Fone.md"


@pytest.fixture
def root(tmp_path):
    """A book of one notebook with measured costs, committed and tagged, and a notebook that came after the tag."""
    settings = "extensions = ['myst_parser']\nexclude_patterns = ['out', 'notebooks/late.md']\n"
    settings += "from companion.site.notebook_pages import complete\n"
    settings += "def setup(app): app.connect('doctree-read', complete)\n"
    record = {"seconds": 12, "peak_mib": 410, "measured": "2026-01-02"}
    for name, text in {
        "notebooks/one.md": "# One\n\nText.\n",
        "index.md": "# Root\n\n```{toctree}\nnotebooks/one\n```\n",
        "conf.py": settings,
        "data/results/costs.json": json.dumps({"pages": {"one": {"quick": record}}}),
    }.items():
        write(tmp_path, name, text)
    shutil.copy(ROOT / "CITATION.cff", tmp_path)
    commit_all(tmp_path)
    subprocess.run(["git", "-C", str(tmp_path), "tag", BOOK.tag], check=True)
    shutil.copy(tmp_path / "notebooks/one.md", tmp_path / "notebooks/late.md")
    return tmp_path


def test_a_link_opens_its_page_at_the_release_and_only_where_binder_finds_it(root):
    assert launch_of(BOOK, root, "one") == launch_of(replace(BOOK, repository=f"{ADDRESS}.git"), root, "one") == LINK
    assert launch_of(BOOK, root, "late") is None
    assert launch_of(replace(BOOK, version="9.9.9"), root, "one") is None
    for at in ("gitlab.com/a/b", "github.com.example.org/a/b", "github.com/a", "github.com/a/b/c"):
        assert launch_of(replace(BOOK, repository=f"https://{at}"), root, "one") is None
    assert {f".binder/{name}" for name in ("environment.yml", "requirements.txt", "postBuild")} <= set(tracked())


def built(root: Path, builder: str) -> str:
    """Build a book with Sphinx and return the page, or the whole book for print."""
    command = [sys.executable, "-m", "sphinx", "-W", "-q", "-b", builder, str(root), str(root / "out")]
    told = {**environment(root), "COMPANION_REPOSITORY": ADDRESS}
    answer = subprocess.run(command, env=told, capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stderr
    if builder == "latex":
        return next((root / "out").glob("*.tex")).read_text(encoding="utf-8")
    assert "mf-run" not in (root / "out/index.html").read_text(encoding="utf-8"), "only notebooks have the line"
    return (root / "out/notebooks/one.html").read_text(encoding="utf-8")


def test_a_page_has_its_download_its_costs_and_in_print_the_cost_alone(root):
    cost = "uick: 12 s, 410 MiB, as last measured."
    page = built(root, "html")
    (line,) = re.findall(r'<p class="mf-run">(.*?)</p>', page, re.DOTALL)
    assert page.index("</h1>") < page.index("mf-run") < page.index("<p>Text.</p>"), "right under the title"
    assert re.findall(r'href="(.*?)"', line) == ["../downloads/one.ipynb", LINK]
    assert re.sub(r"<.*?>", "", line) == f"Run this page: download it as a notebook, or run on Binder. Q{cost}"
    text = " ".join(built(root, "latex").split())
    assert text.count(f"To run this page: q{cost}") == 1
    assert "downloads/one" not in text


# Labels of folded cells

LABELS = {
    'import math\n\npage = Page("x", profile=profile)': "Setup",
    'page.value("n", 3)\npage.figure("two-laws", table, draw).show()': "Figure: code of two-laws",
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
    cell, box = nodes.container("", code, prompt_show="Show code cell {type}", prompt_hide=""), nodes.container()
    tree += [cell, box]
    label_folds(tree)
    assert cell["prompt_show"] == cell["prompt_hide"] == "Numbers in the text: code"
    assert "prompt_show" not in box
