"""Add to the page of each notebook: how to run it, its downloads, labels of folded code, and where it failed."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.addnodes import only
from sphinx.application import Sphinx

from companion.paths import ROOT_VARIABLE, Layout
from companion.publish.downloads import FOLDER
from companion.publish.publication import Publication, find_publication
from companion.run.costs import load_costs, told
from companion.run.notices import read_notices
from companion.site.nodes import Nodes, paragraph

#: The folder of the notebooks, among the documents.
NOTEBOOKS = "notebooks/"
#: What a folded cell with this in it is called, the first that fits; what a group matches follows the words.
_KINDS = (
    (re.compile(r"^page = Page\(", re.M), "Setup"),
    (re.compile(r"\bpage\.figure\(\s*[\"']([\w.-]+)"), "Figure: code of"),
    (re.compile(r"\bpage\.table\("), "Table: code"),
    (re.compile(r"\bpage\.value\("), "Numbers in the text: code"),
    (re.compile(""), "Code for the cells below"),
)
PART = "The notebook of this page failed on the machine of this build: the page ends with the cell that failed."


def fold_label(source: str) -> str:
    """Return the label of a folded cell from its code."""
    match, words = next((match, words) for pattern, words in _KINDS if (match := pattern.search(source)))
    return " ".join((words, *match.groups()))


def launch_of(publication: Publication, root: Path, page: str) -> str | None:
    """Return the address that opens a notebook on Binder, through jupytext; None where it would lead nowhere.

    Binder knows a repository by its host, here GitHub, and builds it at the tag of the release, which must hold the
    page.
    """
    source = f"notebooks/{page}.md"
    name = re.fullmatch(r"https://github\.com/([\w.-]+/[\w.-]+?)(?:\.git)?", publication.repository or "")
    asked = ["git", "-C", str(root), "cat-file", "-e", f"refs/tags/{publication.tag}:{source}"]
    if name is None or subprocess.run(asked, capture_output=True, check=False).returncode:
        return None
    opened = f"lab/tree/{source}".replace("/", "%2F")
    return f"https://mybinder.org/v2/gh/{name[1]}/{publication.tag}?urlpath={opened}"


def _run_line(page: str, cost: str | None, launch: str | None) -> Nodes:
    """Return the line for a browser, with links, and the line for print, which says only what it costs."""

    def link(words: str, address: str, title: str) -> Any:
        return nodes.reference("", words, refuri=address, internal=False, reftitle=title)

    parts: list[Any] = [
        nodes.strong("", "Run this page:"),
        " download it as a ",
        link("notebook", f"../{FOLDER}/{page}.ipynb", "Download this page as a Jupyter notebook"),
    ]
    if launch is not None:
        parts += [", or ", link("run on Binder", launch, "Run on Binder")]
    parts.append(f". {cost[0].upper()}{cost[1:]}." if cost else ".")
    shown: Nodes = [only("", paragraph(*parts, classes=["mf-run"]), expr="html")]
    if cost:
        shown.append(only("", paragraph(nodes.emphasis("", f"To run this page: {cost}.")), expr="latex"))
    return shown


def _notice(title: str, *body: Any) -> Any:
    return nodes.admonition("", nodes.title(title, title), *body, classes=["warning", "mf-notice"])


def label_folds(tree: Any) -> None:
    """Label the folded cells of a page by what they are, instead of "Show code cell source"."""
    for cell in tree.findall(nodes.container):
        if "prompt_show" in cell and (code := next(iter(cell.findall(nodes.literal_block)), None)):
            cell["prompt_show"] = cell["prompt_hide"] = fold_label(code.astext())


def complete(app: Sphinx, tree: Any) -> None:
    """Say under the title of a notebook how to run it and, here and at its end, that it failed."""
    label_folds(tree)
    if not app.env.docname.startswith(NOTEBOOKS):
        return
    page, sections = app.env.docname.removeprefix(NOTEBOOKS), list(tree.findall(nodes.section))
    if root := os.environ.get(ROOT_VARIABLE):
        layout = Layout(Path(root).resolve())
        costs = load_costs(layout).get(page)
        launch = launch_of(find_publication(layout.root), layout.root, page)
        sections[0][1:1] = _run_line(page, told(costs) if costs else None, launch)
    if text := read_notices(Path(app.srcdir)).notebooks.get(page):
        sections[0].insert(1, _notice("Only a part of the page", paragraph(PART)))
        words = paragraph(nodes.literal(text, text), ". The rest was not run.")
        sections[-1].append(_notice("The notebook failed here", words))
