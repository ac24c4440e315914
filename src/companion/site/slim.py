"""Mend the built pages, and take off them what no reader meets, so that the site is light."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from companion.site.slim_svg import DARK, both_themes, tidy
from companion.site.theme import mend_page

#: What no page loads: maps for the authors of scripts, translations, fonts for browsers of 2015.
UNUSED = ("_static/**/*.map", "_static/scripts/fontawesome.js", "_static/locales", "_static/vendor/**/*.ttf")
#: An entry of the sidebar, which stands on over a thousand pages; no rule of the theme asks for its classes there.
_ENTRY = '<li class="toctree-l1"><a class="reference internal" href='
#: Names, punctuation and blanks in code, which both themes show in the colour of all code.
_PLAIN = re.compile(r'<span class="(?:n|nn|p|w)">([^<]*)</span>')
_KEPT = re.compile(r"(<pre.*?</pre>|<textarea.*?</textarea>|<script.*?</script>|<style.*?</style>)", re.DOTALL)


def _pictures(html: Path) -> dict[str, str]:
    """Make pictures small, and one of two; return the addresses that changed, seen from the root of the site."""
    moved: dict[str, str] = {}
    downloads = {path.name: path for path in html.glob("_downloads/*/*.svg")}
    for path in sorted(html.glob("_images/*.svg")):
        if path.name.endswith(f".{DARK}.svg"):
            continue
        light, night = path.read_text(encoding="utf-8"), path.with_suffix(f".{DARK}.svg")
        if path.name in downloads and downloads[path.name].read_text(encoding="utf-8") == light:
            offered = downloads[path.name]
            shutil.rmtree(offered.parent)
            moved[offered.relative_to(html).as_posix()] = f"_images/{path.name}"
        both = None
        if night.is_file():
            dark = night.read_text(encoding="utf-8")
            both = both_themes(light, dark)
            if both is None:
                night.write_text(tidy(dark), encoding="utf-8", newline="\n")
            else:
                night.unlink()
                moved[f"_images/{night.name}"] = f"_images/{path.name}#{DARK}"
        path.write_text(both or tidy(light), encoding="utf-8", newline="\n")
    return moved


def slim(html: Path) -> None:
    """Mend the pages of a site, in place, and make them smaller: unused files, pictures, blanks, colours of code.

    Raises CompanionError where the theme has changed, so that a mend does nothing.
    """
    for path in [path for pattern in UNUSED for path in sorted(html.glob(pattern))]:
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    moved = _pictures(html)
    address = re.compile("|".join(map(re.escape, sorted(moved, key=len, reverse=True))) or r"\b\B")
    for page in sorted(html.rglob("*.html")):
        text = mend_page(page.read_text(encoding="utf-8"), search=page.name == "search.html")
        before, main, after = text.partition("<main")
        parts = _KEPT.split(before.replace(_ENTRY, "<li><a href=") + main + after)
        parts[1::2] = [_PLAIN.sub(r"\1", part) for part in parts[1::2]]
        for index in range(0, len(parts), 2):
            part = re.sub(r"<!--.*?-->", "", parts[index], flags=re.DOTALL)
            parts[index] = address.sub(lambda match: moved[match[0]], re.sub(r"\s*\n\s*", "\n", part))
        page.write_text("".join(parts), encoding="utf-8", newline="\n")
