"""Mend the pages of the theme for whoever has a screen reader or no script.

Scripts are loaded only where they serve.
"""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from sphinx.addnodes import toctree
from sphinx.application import Sphinx

from companion.paths import CompanionError

#: What every page of the theme says, and what it says instead.
MENDS = {
    # The sidebar is outside every landmark; the boxes that open have no names.
    'id="pst-primary-sidebar" class=': (
        'id="pst-primary-sidebar" role="complementary" aria-label="Book" class='
    ),
    'id="pst-primary-sidebar-modal">': (
        'id="pst-primary-sidebar-modal" aria-label="Contents of the book">'
    ),
    'id="pst-search-dialog">': 'id="pst-search-dialog" aria-label="Search this book">',
    # Until the theme's script has run, or without it, a page has no colours and shows
    # its figures twice.
    ' data-theme="auto"': "",
    '("theme") || "auto"': (
        '("theme") || '
        '(matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")'
    ),
}
#: The same for what only some pages have: a list of sections, and entries of a list
#: with a role not allowed there.
SOME_MENDS = {
    'id="pst-secondary-sidebar-modal">': (
        'id="pst-secondary-sidebar-modal" aria-label="Contents of this page">'
    ),
    ' role="doc-biblioentry"': ' role="listitem"',
}
#: Scripts of icons, which come from a font, and of the search, which only its page
#: needs.
_SCRIPT = r"<script [^>]*\b(?:{})\.js[^>]*></script>\n?"
ICONS = re.compile(_SCRIPT.format("fontawesome"))
SEARCH = re.compile(_SCRIPT.format("searchtools|language_data|searchindex"))
_EMPTY_FOOTER = re.compile(r'<footer class="bd-footer">\s*</footer>')


def mend_page(page: str, *, search: bool = False) -> str:
    """Return a page mended; one that is not of the theme stays.

    Raises CompanionError where the theme has changed.
    """
    if 'id="pst-primary-sidebar"' not in page:
        return page
    for old in MENDS:
        if old not in page:
            raise CompanionError(
                f"the theme of the pages has changed and no longer says: {old}"
            )
    for old, new in (MENDS | SOME_MENDS).items():
        page = page.replace(old, new)
    page = _EMPTY_FOOTER.sub("", ICONS.sub("", page))
    if search:
        return page
    return SEARCH.sub("", page)


#: The scripts of the book, in order, and what says in the name and the text of a page
#: that it needs them.
SCRIPTS = (
    ("access.js", ""),
    ("copy-claim.js", 'class="mf-copy'),
    ("numbers.js", 'id="mf-go"'),
    ("numbers-table.js", r"\Asearch\n"),
    ("search.js", r"\Asearch\n"),
    ("preview.js", r'href="[^"]*(?:\bclaims/[^"]*\.html"|#term-)'),
    ("ledger.js", 'id="mf-filters"'),
    ("ring-explorer.js", 'id="ring-explorer"'),
)

#: What says in the text of a page that it needs a script of somebody else; the others
#: of theirs are on all pages.
OTHERS = {
    "mathjax": 'class="math',
    "togglebutton": r'class="(?:[^"]* )?(?:toggle|dropdown)[ "]',
    "design-tabs": 'class="sd-tab-set',
}

#: What is different without scripts, and what says in the text of a page that it is.
#: The theme says it of the search.
WITHOUT = (
    ("formulas are shown as LaTeX", 'class="math'),
    ("figures cannot be moved", 'data-widget="|id="ring-explorer"'),
    ("claims cannot be filtered", 'id="mf-filters"'),
    ("statements cannot be found by their numbers", 'id="mf-go"'),
)

_MARK = r'<span class="(?:math|mf-badge)\b[^>]*>[^<]*</span>'
_CLAIM_LINK = rf'(?:<a [^>]*>)?<span class="mf-claim-link">[^<]*{_MARK}</span>(?:</a>)?'
#: What a browser sees as a box in a line, a formula, a verdict or a link to a claim,
#: with the punctuation around it.
_BOX = re.compile(rf"[(\[“‘]*(?P<box>{_MARK}|{_CLAIM_LINK})[.,;:!?)\]”’-]*")


def _kept_together(match: re.Match[str]) -> str:
    """Return a box with the punctuation that touches it, on one line."""
    if match[0] == match["box"]:
        return match[0]
    return f'<span class="mf-keep">{match[0]}</span>'


def without_scripts(body: str) -> str:
    """Return a line for readers whose browser runs no scripts.

    It says what is different for them; there is none where nothing is.
    """
    differences = [words for words, sign in WITHOUT if re.search(sign, body)]
    if not differences:
        return ""
    words = "; ".join(differences)
    return f"<noscript><p>This page without JavaScript: {words}.</p></noscript>\n"


def scripts_of(page: str, body: str) -> list[str]:
    """Return the scripts of the book that a page has use for, in order."""
    named = f"{page}\n{body}"
    scripts = [name for name, sign in SCRIPTS if re.search(sign, named)]
    widgets = re.findall(r'data-widget="([\w-]+)"', body)
    return scripts + [f"{name}.js" for name in widgets]


def complete_page(
    app: Sphinx,
    page: str,
    _template: str,
    context: dict[str, Any],
    _tree: nodes.document | None,
) -> None:
    """Complete a page once all others have said what they want.

    A box stays on one line with the punctuation that touches it. A page loads the
    scripts that it has use for; it says what is different without them. The sidebar has
    the parts of the book with their pages.
    """
    body = _BOX.sub(_kept_together, str(context.get("body", "")))
    if "body" in context:
        context["body"] = without_scripts(body) + body
    for name in scripts_of(page, body):
        app.add_js_file(name, loading_method="defer")
    for part in [part for part, sign in OTHERS.items() if not re.search(sign, body)]:
        context["script_files"] = [
            script
            for script in context["script_files"]
            if part not in f"{script.filename}{script.attributes}".lower()
        ]
    tree = app.env.tocs[app.env.config.root_doc]
    context["book_parts"] = list(tree.findall(toctree))
    context["book_titles"] = app.env.titles
