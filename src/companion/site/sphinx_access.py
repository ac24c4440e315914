"""Mend what the theme's pages lack for a keyboard, a screen reader, print, or a browser without scripts.

Written for sphinx-book-theme 1.3.0 on pydata-sphinx-theme 0.17.1. Each mend replaces a text of the theme; where the
theme no longer says it, the build warns (and fails, as it treats warnings as errors), so that somebody looks again.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from sphinx.application import Sphinx
from sphinx.builders import Builder
from sphinx.jinja2glue import BuiltinTemplateLoader
from sphinx.theming import Theme
from sphinx.util import logging

__all__ = ["MENDS", "THEME", "Mend", "Templates", "connect_access", "mend_page"]

THEME = "sphinx_book_theme"
SCRIPT = "access.js"

_LOGGER = logging.getLogger(__name__)


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
            _LOGGER.warning("%s: the theme has changed, look again at: %s", context.get("pagename"), fault)
        return text


def connect_access(app: Sphinx) -> None:
    """Let pages be rendered by `Templates`, and add the script for what only a browser knows."""
    app.connect("config-inited", lambda _app, config: setattr(config, "template_bridge", f"{__name__}.Templates"))
    app.add_js_file(SCRIPT, loading_method="defer")
