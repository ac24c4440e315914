"""Add to pages of the theme: names for a screen reader, how to cite and to run a page, and no script without use."""

from __future__ import annotations

import html
import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import nbformat
from docutils import nodes
from sphinx.addnodes import only
from sphinx.application import Sphinx
from sphinx.builders import Builder
from sphinx.environment import BuildEnvironment
from sphinx.jinja2glue import BuiltinTemplateLoader
from sphinx.theming import Theme
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from companion.paths import ROOT_VARIABLE, CompanionError, Layout
from companion.publish.citation import Cited, bibtex, load_papers, plain
from companion.publish.downloads import FOLDER, parameters
from companion.publish.launch import Launch, files_at, launch_of
from companion.publish.publication import Publication, find_publication
from companion.run.costs import costs_of_page, load_costs, told
from companion.run.provenance import commit
from companion.site.links import to_page
from companion.site.nodes import Nodes, paragraph, table
from companion.site.render import toc_documents

__all__ = [
    "KEEP",
    "MENDS",
    "NEEDED_BY",
    "THEME",
    "_NOTEBOOKS",
    "Downloads",
    "KeepTogether",
    "Mend",
    "Templates",
    "connect_access",
    "connect_cite",
    "connect_downloads",
    "connect_run",
    "connect_slim",
    "downloads",
    "keep_together",
    "mend_page",
    "note_cited",
    "page_key",
    "page_title",
    "run_line",
    "without",
]

THEME = "sphinx_book_theme"
SCRIPT = "access.js"

_logger = logging.getLogger(__name__)


class Mend(NamedTuple):
    """What is wrong, where the theme says it, what it says instead, and whether every page must have it."""

    fault: str
    pattern: re.Pattern[str]
    instead: str
    always: bool = True


def _plain(text: str) -> re.Pattern[str]:
    return re.compile(re.escape(text))


MENDS = (
    Mend(
        "the sidebar is outside every landmark",
        _plain('<div id="pst-primary-sidebar" class='),
        '<div id="pst-primary-sidebar" role="complementary" aria-label="Book" class=',
    ),
    Mend(
        "the menu of a phone has no name",
        _plain('<dialog id="pst-primary-sidebar-modal">'),
        '<dialog id="pst-primary-sidebar-modal" aria-label="Contents of the book">',
    ),
    Mend(
        "the list of sections of a phone has no name",
        _plain('<dialog id="pst-secondary-sidebar-modal">'),
        '<dialog id="pst-secondary-sidebar-modal" aria-label="Contents of this page">',
        always=False,
    ),
    Mend(
        "the box of the search has no name",
        _plain('<dialog id="pst-search-dialog">'),
        '<dialog id="pst-search-dialog" aria-label="Search this book">',
    ),
    Mend(
        "without a script a page has no colours, and shows its figures twice, light and dark",
        re.compile(r'(<html[^>]*?) data-theme="auto"'),
        r"\1",
    ),
    Mend(
        "until the theme's script has run a page has no colours, and shows its figures twice",
        _plain('localStorage.getItem("theme") || "auto"'),
        'localStorage.getItem("theme") || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")',
    ),
    Mend(
        "an entry of a list has a role that is not allowed there",
        _plain(' role="doc-biblioentry"'),
        ' role="listitem"',
        always=False,
    ),
    Mend("the footer of the theme is empty", re.compile(r'<footer class="bd-footer">\s*</footer>'), ""),
    Mend(
        "the width of the window is said three times",
        _plain('<meta name="viewport" content="width=device-width, initial-scale=1" />'),
        "",
        always=False,
    ),
    Mend(
        "the width of the window is said twice",
        _plain('<meta name="viewport" content="width=device-width, initial-scale=1"/>'),
        "",
    ),
)


def mend_page(page: str) -> tuple[str, list[str]]:
    """Return the page mended, and the faults that every page of the theme has and that were not found."""
    missing = []
    for mend in MENDS:
        page, found = mend.pattern.subn(mend.instead, page)
        if mend.always and not found:
            missing.append(mend.fault)
    return page, missing


class Templates(BuiltinTemplateLoader):
    """Render as Sphinx does, then mend pages of the theme."""

    def init(self, builder: Builder, theme: Theme | None = None, dirs: list[str] | None = None) -> None:
        """Note whether the pages are those of the theme."""
        super().init(builder, theme, dirs)
        self._mends = theme is not None and theme.name == THEME

    def render(self, template: str, context: dict[str, Any]) -> str:  # type: ignore[override]
        """Return what the template says, mended where it is a page."""
        text = str(super().render(template, context))
        if not self._mends or "</html>" not in text or 'id="pst-primary-sidebar"' not in text:
            return text
        text, missing = mend_page(text)
        for fault in missing:
            _logger.warning("%s: the theme has changed, look again at: %s", context.get("pagename"), fault)
        return text


def connect_access(app: Sphinx) -> None:
    """Let pages be rendered by `Templates`, and add the script for what only a browser knows."""
    app.connect("config-inited", lambda _app, config: setattr(config, "template_bridge", f"{__name__}.Templates"))
    app.add_js_file(SCRIPT, loading_method="defer")


#: What a file, by its name in the head, is for: it is loaded where the text of a page has one of the words.
NEEDED_BY = {
    "mathjax/": ('class="math',),
    "clipboard.min.js": ('class="highlight',),
    "copybutton.": ('class="highlight',),
    "design-tabs.js": ("sd-tab",),
    "sphinx-design.min.css": ('class="sd-', " sd-"),
    "mystnb.": ('class="cell', "cell_output"),
    "exercise.css": ("exercise", "solution"),
    "togglebutton.": ("toggle", "dropdown", "tag_hide"),
}
#: Scripts that the theme names in its templates and that no page needs: icons come from a font, and a search is made
#: on the page of its own.
ICON_SCRIPT, SEARCH_SCRIPTS = "fontawesome.js", ("searchtools.js", "language_data.js", "searchindex.js")


def without(text: str, *scripts: str) -> str:
    """Return a piece of a head without the scripts named; raise CompanionError where one is not there."""
    for name in scripts:
        text, count = re.subn(rf'[ \t]*<script[^>]*\bsrc="[^"]*{re.escape(name)}[^"]*"[^>]*></script>\n?', "", text)
        if count != 1:
            raise CompanionError(f"the theme is expected to load {name} once on a page, it does so {count} times")
    return text


def _is_needed(asset: Any, body: str) -> bool:
    name = str(getattr(asset, "filename", None) or "")
    inline = str(getattr(asset, "attributes", {}).get("body") or "")
    if inline.startswith("window.MathJax"):
        name = "mathjax/"
    return all(any(word in body for word in words) for part, words in NEEDED_BY.items() if part in name)


def _slim_page(_app: Sphinx, page: str, _template: str, context: dict[str, Any], _tree: Any) -> None:
    """Leave out of the head of a page what its text has no use for."""
    body = str(context.get("body", ""))
    for key in ("script_files", "css_files"):
        context[key] = [asset for asset in context[key] if _is_needed(asset, body)]
    left_out = () if page == "search" else SEARCH_SCRIPTS
    context["slim_icons"] = lambda text: without(text, ICON_SCRIPT)
    context["slim_search"] = lambda text: without(text, *left_out)


def connect_slim(app: Sphinx) -> None:
    """Do so for every page, after all others have said what they want to load."""
    app.connect("html-page-context", _slim_page, priority=900)


#: The class of what stays on one line; the style sheet says so.
KEEP = "mf-keep"

_OPENING = re.compile(r"[(\[“‘]+\Z")
_CLOSING = re.compile(r"[.,;:!?)\]”’-]+")


def _is_box(node: Any) -> bool:
    """Return whether a browser sees a box in the line: a formula, a verdict, or a link that ends in a verdict."""
    if isinstance(node, nodes.math) or (isinstance(node, nodes.inline) and "mf-badge" in node["classes"]):
        return True
    link = isinstance(node, nodes.reference) or (isinstance(node, nodes.inline) and "mf-claim-link" in node["classes"])
    return link and bool(node.children) and _is_box(node.children[-1])


def keep_together(parent: Any) -> None:
    """Wrap each formula and each verdict among the children of a node with the punctuation that touches it."""
    left, made = list(reversed(parent.children)), []
    while left:
        node, before, after = left.pop(), "", ""
        if not _is_box(node):
            made.append(node)
            continue
        if made and isinstance(made[-1], nodes.Text) and (found := _OPENING.search(made[-1])):
            before, text = found[0], str(made.pop())
            made += [nodes.Text(text[: found.start()])] if found.start() else []
        if left and isinstance(left[-1], nodes.Text) and (found := _CLOSING.match(left[-1])):
            after, text = found[0], str(left.pop())
            left += [nodes.Text(text[found.end() :])] if text[found.end() :] else []
        parts = [*([nodes.Text(before)] if before else []), node, *([nodes.Text(after)] if after else [])]
        made.append(nodes.inline("", "", *parts, classes=[KEEP]) if len(parts) > 1 else node)
    parent.children = []
    parent.extend(made)


class KeepTogether(SphinxPostTransform):
    """Do so on every page for a browser, when the links are resolved."""

    default_priority = 900
    formats = ("html",)

    def run(self, **_: Any) -> None:
        """Wrap throughout the page."""
        parents = {id(node.parent): node.parent for node in self.document.findall(_is_box)}
        for parent in parents.values():
            keep_together(parent)


#: The bibliography, from the root of the sources; what the sources must hold for pages to be cited at all.
BIBLIOGRAPHY, CITATION = "book/references.bib", "CITATION.cff"


def note_cited(
    env: BuildEnvironment, key: str, title: str, printed: Sequence[tuple[str, str]] = (), *, on: str = ""
) -> None:
    """Remember how the current page is cited; `on` is the page that its title is completed with, if any."""
    known: dict[str, Any] = getattr(env, "companion_cited", {})
    known[env.docname] = (key, title, tuple(printed), on)
    env.companion_cited = known  # type: ignore[attr-defined]


def page_title(title: Any) -> str:
    """Return the text of a title node, formulas between dollar signs."""
    parts = [f"${part.astext()}$" if isinstance(part, nodes.math) else part.astext() for part in title.children]
    return "".join(parts)


def page_key(docname: str) -> str:
    """Return the key of a page that is no claim and no figure."""
    return f"mollified-{docname.rpartition('/')[2]}"


def _cited(app: Sphinx, publication: Publication, docname: str) -> Cited:
    titles, root = app.env.titles, app.config.root_doc
    key, title, printed, on = getattr(app.env, "companion_cited", {}).get(
        docname, (page_key(docname), page_title(titles[docname]), (), "")
    )
    if docname == root:
        key, title = "mollified", publication.title
    if on in titles:
        title += f" of ‘{page_title(titles[on])}’"
    return Cited(key, title, docname, printed)


def _code(app: Sphinx, language: str, text: str) -> str:
    marked = app.builder.highlighter.highlight_block(text, language)  # type: ignore[attr-defined]
    return f'<div class="highlight-{language} notranslate">{marked}</div>'


def _add_citation(app: Sphinx, docname: str, _template: str, context: dict[str, Any], doctree: Any) -> None:
    known: tuple[Publication, dict[str, Any]] | None = getattr(app, "companion_publication", None)
    if known is None or doctree is None or "body" not in context:
        return
    publication, papers = known
    cited = _cited(app, publication, docname)
    try:
        parts = [
            ("Text", "text", plain(publication, cited, papers)),
            ("BibTeX", "bibtex", bibtex(publication, cited, papers)),
        ]
    except KeyError as error:
        _logger.warning("%s: no entry %s in %s", docname, error, BIBLIOGRAPHY)
        return
    codes = "".join(
        f'<p class="mf-label"><strong>{html.escape(label)}</strong></p>\n{_code(app, language, text)}\n'
        for label, language, text in parts
    )
    context["body"] += (
        '<details class="mf-fold mf-cite"><summary>Cite this page</summary>\n'
        f'<div class="mf-fold-body docutils container">\n{codes}</div></details>\n'
    )


def _read_citation(app: Sphinx) -> None:
    """Read once what all citations say; sources without a CITATION.cff, as in a test, have none."""
    if app.builder.format != "html" or not (Path(app.srcdir) / CITATION).is_file():
        return
    root = Path(os.environ.get(ROOT_VARIABLE, app.srcdir))
    publication = find_publication(root)
    if commit(root)["modified"]:  # then no commit holds what the pages show
        publication = replace(publication, commit=None)
    papers = load_papers(Path(app.srcdir) / BIBLIOGRAPHY, publication.title)
    app.companion_publication = (publication, papers)  # type: ignore[attr-defined]


def _purge_cited(_app: Sphinx, env: BuildEnvironment, docname: str) -> None:
    getattr(env, "companion_cited", {}).pop(docname, None)


def _merge_cited(_app: Sphinx, env: BuildEnvironment, docnames: Iterable[str], other: BuildEnvironment) -> None:
    theirs: dict[str, Any] = getattr(other, "companion_cited", {})
    ours: dict[str, Any] = getattr(env, "companion_cited", {})
    env.companion_cited = {**ours, **{name: theirs[name] for name in docnames if name in theirs}}  # type: ignore[attr-defined]


def connect_cite(app: Sphinx) -> None:
    """Have every page end with its citation."""
    app.connect("builder-inited", _read_citation)
    app.connect("env-purge-doc", _purge_cited)
    app.connect("env-merge-info", _merge_cited)
    app.connect("html-page-context", _add_citation)


#: The folder of the notebooks, among the documents.
_NOTEBOOKS = "notebooks/"
#: What a page can be had as: the words, and how the file's name ends.
FORMS = (("notebook", "ipynb"), ("text", "md"))


def downloads(page: str) -> list[tuple[str, str]]:
    """Return the words and the address, seen from a page under `notebooks/`, of each form of a notebook."""
    return [(words, f"../downloads/{page}.{suffix}") for words, suffix in FORMS]


def _link(words: str, address: str, title: str) -> Any:
    return nodes.reference("", words, refuri=address, internal=False, reftitle=title)


def run_line(page: str, cost: str | None, launch: Launch | None) -> Nodes:
    """Return the line for a browser, with links, and the line for print, which says only what it costs."""
    (first, ipynb), (second, md) = downloads(page)
    parts: list[Any] = [
        nodes.strong("", "Run this page:"),
        " download it as a ",
        _link(first, ipynb, "Download this page as a Jupyter notebook"),
        " or as ",
        _link(second, md, "Download this page as MyST text, which jupytext opens as a notebook"),
    ]
    if launch is not None:
        parts += [", or ", _link(launch.text.lower().replace("binder", "Binder"), launch.address, launch.text)]
    parts.append(f". {cost[0].upper()}{cost[1:]}." if cost else ".")
    shown: Nodes = [only("", paragraph(*parts, classes=["mf-run"]), expr="html")]
    if cost:
        shown.append(only("", paragraph(nodes.emphasis("", f"To run this page: {cost}.")), expr="latex"))
    return shown


def _add_line(app: Sphinx, tree: Any) -> None:
    """Put the line under the title of a notebook; a page that is no notebook stays as it is."""
    name, root = app.env.docname, os.environ.get(ROOT_VARIABLE)
    if not name.startswith(_NOTEBOOKS) or not root:
        return
    page, layout = name.removeprefix(_NOTEBOOKS), Layout(Path(root).resolve())
    launch = None
    try:
        costs = costs_of_page(load_costs(layout), page)
        if (layout.root / "CITATION.cff").is_file():
            publication = find_publication(layout.root)
            launch = launch_of(publication, page, files_at(layout.root, publication.tag))
    except CompanionError as error:
        _logger.warning("%s", error, location=name)
        return
    section = next(iter(tree.findall(nodes.section)), None)
    if section is None or not isinstance(section[0], nodes.title):
        _logger.warning("no title to put the line under that says how to run the page", location=name)
        return
    section[1:1] = run_line(page, told(costs) if costs else None, launch)


def connect_run(app: Sphinx) -> None:
    """Have the line put on each page as it is read."""
    app.connect("doctree-read", _add_line, priority=910)


_read_notebook: Any = nbformat.read


class Downloads(SphinxDirective):
    """Print a list of all notebooks with links to both forms of their download, and with their parameters."""

    def run(self) -> Nodes:
        """Return the table, or a report where a notebook cannot be read."""
        source = Path(self.env.srcdir)
        here, on_site = "../" * self.env.docname.count("/"), self.env.app.builder.format == "html"
        rows = []
        try:
            for document in toc_documents(source / "_toc.yml"):
                if not document.startswith(_NOTEBOOKS):
                    continue
                page = document.removeprefix(_NOTEBOOKS)
                self.env.note_dependency(f"{document}.ipynb")
                given = parameters(_read_notebook(source / f"{document}.ipynb", as_version=4))
                title = paragraph(to_page(document, "", self.env.docname, nodes.Text(page)))
                links: list[Any] = []
                for suffix in (".ipynb", ".md"):
                    link = nodes.reference(suffix, suffix, refuri=f"{here}{FOLDER}/{page}{suffix}")
                    links += [" ", link if on_site else suffix]
                named: list[Any] = []
                for name, value in given.items():
                    text = f"{name} = {value!r}"
                    named += [", ", nodes.literal(text, text)]
                rows.append([[title], [paragraph(*links[1:])], [paragraph(*named[1:])]])
        except (OSError, ValueError, CompanionError) as error:
            return [self.state.document.reporter.warning(f"no list of downloads: {error!r}", line=self.lineno)]
        return [table(("Page", "Download", "Parameters"), rows)]


def _lead_to_downloads(_app: Sphinx, page: str, _template: str, context: dict[str, Any], _tree: Any) -> None:
    """Replace the link to the executed source, which has MyST that only the book shows, by the two downloads."""
    if not page.startswith(_NOTEBOOKS):
        return
    groups = [button for button in context.get("header_buttons", []) if button.get("label") == "download-buttons"]
    for group in groups:
        kept = [button for button in group["buttons"] if button["type"] != "link"]
        links = [
            {
                "type": "link",
                "url": context["pathto"](f"{FOLDER}/{page.removeprefix(_NOTEBOOKS)}{suffix}", 1),
                "text": suffix,
                "icon": "fas fa-code",
                "tooltip": tooltip,
                "label": label,
            }
            for suffix, tooltip, label in (
                (".ipynb", "Download the notebook, to run it yourself", "download-notebook-button"),
                (".md", "Download the notebook as text (jupytext)", "download-source-button"),
            )
        ]
        group["buttons"] = [*links, *kept]


def connect_downloads(app: Sphinx) -> None:
    """Know the directive, and have the buttons replaced after the theme made them."""
    app.add_directive("downloads", Downloads)
    app.connect("html-page-context", _lead_to_downloads, priority=900)
