"""Add to pages of the theme: names for a screen reader, how to cite and to run a page, and no script without use."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.builders import Builder
from sphinx.jinja2glue import BuiltinTemplateLoader
from sphinx.theming import Theme
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging

from companion.paths import CompanionError

THEME = "sphinx_book_theme"


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


_PART = re.compile(
    r'<p [^>]*class="caption"[^>]*>(?P<name><span class="caption-text">.*?</span>)</p>\s*'
    r'(?P<pages><ul class="(?P<here>current )?nav bd-sidenav">.*?</ul>)',
    re.DOTALL,
)


def fold_parts(page: str) -> str:
    """Return the page with the parts of the sidebar as folds: open is that of the page, else the first."""
    parts = list(_PART.finditer(page))
    opened = next((part.start() for part in parts if part["here"]), parts[0].start() if parts else None)

    def fold(part: re.Match[str]) -> str:
        state = " open" if part.start() == opened else ""
        return f'<details class="mf-book-part"{state}><summary>{part["name"]}</summary>\n{part["pages"]}</details>'

    return _PART.sub(fold, page)


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
        return fold_parts(text)


def connect_theme(app: Sphinx) -> None:
    """Let pages be rendered by `Templates`, and load on each the scripts that it has use for."""
    app.connect("config-inited", lambda _app, config: setattr(config, "template_bridge", f"{__name__}.Templates"))
    app.add_post_transform(KeepTogether)
    app.connect("html-page-context", _choose_files, priority=900)  # after all others have said what they want to load


#: The scripts of the book, in order, and what says in the name and the text of a page that it needs them.
SCRIPTS = (
    ("access.js", ""),
    ("copy-claim.js", 'class="mf-copy'),
    ("numbers.js", r'\Asearch\n|id="mf-go"'),
    ("numbers-table.js", r"\Asearch\n"),
    ("search.js", r"\Asearch\n"),
    ("preview.js", r'href="[^"]*(?:\bclaims/[^"]*\.html"|#term-)'),
    ("ledger.js", 'id="mf-filters"'),
    ("ring-explorer.js", 'id="ring-explorer"'),
)
#: What another file, by its name in the head, is for: it is loaded where the text of a page has one of the words.
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


def _choose_files(app: Sphinx, page: str, _template: str, context: dict[str, Any], _tree: Any) -> None:
    """Add the scripts of the book to the head of a page, and leave out what its text has no use for."""
    body = str(context.get("body", ""))
    widgets = re.findall(r'data-widget="([\w-]+)"', body)
    wanted = [name for name, sign in SCRIPTS if re.search(sign, f"{page}\n{body}")] + [f"{name}.js" for name in widgets]
    for name in [*wanted, *(["widget.js"] if widgets else [])]:
        app.add_js_file(name, loading_method="defer")
    for key in ("script_files", "css_files"):
        context[key] = [asset for asset in context[key] if _is_needed(asset, body)]
    left_out = () if page == "search" else SEARCH_SCRIPTS
    context["slim_icons"] = lambda text: without(text, ICON_SCRIPT)
    context["slim_search"] = lambda text: without(text, *left_out)


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
