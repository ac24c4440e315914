"""Have each page load only what it uses: no mathematics without formulas, no script of 1.5 MB with all icons."""

from __future__ import annotations

import re
from typing import Any

from sphinx.application import Sphinx

from companion.paths import CompanionError

__all__ = ["NEEDED_BY", "connect", "without"]

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


def connect(app: Sphinx) -> None:
    """Do so for every page, after all others have said what they want to load."""
    app.connect("html-page-context", _slim_page, priority=900)
