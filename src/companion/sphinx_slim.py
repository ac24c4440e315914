"""Have each page load only what it uses: no mathematics without formulas, no icons or styles that no page shows.

The theme gives every page a script of 1.5 MB with all icons there are, the search index, and styles for parts that the
book does not have. What a page does not use is left out of its head; what no page uses is left out of the folder.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

from companion.paths import CompanionError
from companion.slim_icons import code_points, cut_font, only_cut_fonts
from companion.slim_styles import class_names, prune_styles, script_words

__all__ = ["NEEDED_BY", "connect", "slim_folder", "without"]

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

#: Style sheets that are ours stay as they are written.
OURS = "companion.css"
_MAP = re.compile(r"\s*(//|/\*)# sourceMappingURL=\S+?( ?\*/)?\s*\Z")


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


def slim_folder(folder: Path) -> None:
    """Leave out of a folder of pages what none of them uses: icons, rules for classes, maps of scripts.

    Raises CompanionError where a style sheet cannot be read.
    """
    static = folder / "_static"
    named: set[str] = set()
    icons: set[int] = set()
    idle = [*static.rglob("*.map"), *static.rglob(f"{ICON_SCRIPT}*")]
    for path in folder.rglob("*.html"):
        if static in path.parents:  # templates that the theme leaves there
            continue
        text = path.read_text(encoding="utf-8")
        if ICON_SCRIPT in text:  # a page of another template, which draws its icons by the script
            idle = [*static.rglob("*.map")]
        named |= class_names(text)
        icons |= code_points(text)
    for path in dict.fromkeys(idle):
        path.unlink()
    used = set(named)
    for path in static.rglob("*.js"):
        if "mathjax" not in path.parts:
            text = path.read_text(encoding="utf-8")
            used |= script_words(text, named)
            _write(path, _MAP.sub("\n", text), text)
    for path in static.rglob("*.css"):
        text = path.read_text(encoding="utf-8")
        try:
            kept = text if path.name == OURS else prune_styles(_MAP.sub("\n", text), used)
        except ValueError as error:
            raise CompanionError(f"{path.relative_to(folder).as_posix()}: {error}") from error
        icons |= code_points(kept)
        _write(path, only_cut_fonts(kept), text)
    for path in static.rglob("*.ttf"):
        cut_font(path, icons)
        path.with_suffix(".woff2").unlink(missing_ok=True)


def _write(path: Path, text: str, before: str) -> None:
    if text != before:
        path.write_text(text, encoding="utf-8", newline="\n")


def _slim_site(app: Sphinx, error: Exception | None) -> None:
    if error is None and app.builder.name in ("html", "dirhtml"):
        slim_folder(Path(app.outdir))


def connect(app: Sphinx) -> None:
    """Do so for every page, after all others have said what they want to load."""
    app.connect("html-page-context", _slim_page, priority=900)
    app.connect("build-finished", _slim_site, priority=900)
