"""Launch links: on the release tag, to files that exist, and none where they would lead nowhere."""

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from docutils import nodes
from docutils.utils import new_document

from companion.paths import Layout
from companion.publish.launch import NEEDED, files_at, launch_of
from companion.publish.publication import Publication, find_publication
from companion.site.notebook_pages import fold_label, label_folds
from tests.repository import tracked

ROOT = Path(__file__).resolve().parents[2]
ADDRESS = "https://github.com/someone/book"
BOOK = Publication("T", ("A",), 2026, "1.2.3", None, ADDRESS)
FILES = frozenset({"notebooks/one.md", *NEEDED})


def test_a_link_opens_its_page_at_the_version_and_leads_only_to_what_the_release_has():
    good = "https://mybinder.org/v2/gh/someone/book/v1.2.3?urlpath=lab%2Ftree%2Fnotebooks%2Fone.md"
    assert launch_of(BOOK, "one", FILES) == good
    assert launch_of(replace(BOOK, repository=f"{ADDRESS}.git"), "one", FILES) == good
    assert not any(launch_of(BOOK, "one", FILES - {name}) for name in FILES)


def test_this_tree_has_what_a_link_to_each_of_its_pages_needs():
    book = replace(find_publication(ROOT), repository=ADDRESS)
    assert all(launch_of(book, page, frozenset(tracked())) for page in Layout(ROOT).pages())


@pytest.mark.parametrize(
    "repository",
    [
        None,
        *(
            f"https://{at}"
            for at in ("gitlab.com/a/b", "github.com.example.org/a/b", "github.com/a", "github.com/a/b/c")
        ),
    ],
)
def test_no_link_where_binder_does_not_know_the_repository(repository):
    assert launch_of(replace(BOOK, repository=repository), "one", FILES) is None


def git(root: Path, *arguments: str) -> None:
    who = ["-c", "user.name=x", "-c", "user.email=x@example.org"]
    subprocess.run(["git", "-C", str(root), *who, *arguments], check=True, capture_output=True)


def test_files_are_those_of_the_tag_and_not_of_the_folder(tmp_path):
    git(tmp_path, "init", "-q")
    for name in ("a.md", "b.md"):
        (tmp_path / name).write_text(name, encoding="utf-8")
        git(tmp_path, "add", ".")
        git(tmp_path, "commit", "-qm", name)
        git(tmp_path, "tag", f"v-{name}")
    assert files_at(tmp_path, "v-a.md") >= {"a.md"}
    assert "b.md" not in files_at(tmp_path, "v-a.md")
    assert files_at(tmp_path, "v9.9.9") == files_at(tmp_path / "a.md", "v-a.md") == frozenset()


# On the pages


def book_at(root: Path, *, costs: bool) -> Path:
    """Write a book of one notebook, committed and tagged."""
    for name in NEEDED:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("x", encoding="utf-8")
    (root / "notebooks").mkdir()
    (root / "notebooks/one.md").write_text("# One\n\nText.\n", encoding="utf-8")
    (root / "index.md").write_text("# Root\n\n```{toctree}\nnotebooks/one\n```\n", encoding="utf-8")
    shutil.copy(ROOT / "CITATION.cff", root)
    settings = "extensions = ['myst_parser']\nexclude_patterns = ['out', '.binder']\n"
    settings += "from companion.site.notebook_pages import connect_notebooks as setup\n"
    (root / "conf.py").write_text(settings, encoding="utf-8")
    if costs:
        record = {"seconds": 12, "peak_mib": 410, "measured": "2026-01-02"}
        (root / "data/results").mkdir(parents=True)
        (root / "data/results/costs.json").write_text(json.dumps({"pages": {"one": {"quick": record}}}), "utf-8")
    git(root, "init", "-q")
    git(root, "add", ".")
    git(root, "commit", "-qm", "a")
    git(root, "tag", f"v{find_publication(ROOT).version}")
    return root


def built(root: Path, builder: str = "html", **told: str) -> str:
    """Build a book with Sphinx and return the page, or the whole book for print."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("COMPANION_")}
    command = [sys.executable, "-m", "sphinx", "-W", "-q", "-b", builder, str(root), str(root / "out")]
    environment = {**kept, **told, "COMPANION_ROOT": str(root)}
    answer = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stderr
    if builder == "latex":
        return next((root / "out").glob("*.tex")).read_text(encoding="utf-8")
    assert "mf-run" not in (root / "out/index.html").read_text(encoding="utf-8"), "only notebooks have the line"
    return (root / "out/notebooks/one.html").read_text(encoding="utf-8")


def line_of(page: str) -> str:
    (line,) = re.findall(r'<p class="mf-run">(.*?)</p>', page, re.DOTALL)
    assert page.index("</h1>") < page.index("mf-run") < page.index("<p>Text.</p>"), "right under the title"
    return line


def test_a_page_on_a_desk_has_downloads_and_costs_and_in_print_the_cost_alone(tmp_path):
    root = book_at(tmp_path, costs=True)
    line = line_of(built(root))
    assert re.findall(r'href="(.*?)"', line) == ["../downloads/one.ipynb", "../downloads/one.md"]
    told = "uick: 12 s, 410 MiB, as last measured."
    assert re.sub(r"<.*?>", "", line) == f"Run this page: download it as a notebook or as text. Q{told}"
    text = " ".join(built(root, "latex").split())
    assert text.count(f"To run this page: q{told}") == 1
    assert "downloads/one" not in text


def test_a_published_page_has_a_launch_link_on_the_tag_that_is_there(tmp_path):
    line = line_of(built(book_at(tmp_path, costs=False), COMPANION_REPOSITORY=ADDRESS))
    book = replace(BOOK, version=find_publication(ROOT).version)
    assert re.findall(r'href="(.*?)"', line)[2:] == [launch_of(book, "one", FILES)]
    assert re.sub(r"<.*?>", "", line) == "Run this page: download it as a notebook or as text, or run on Binder."


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
