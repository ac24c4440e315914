"""Take off the built pages what no reader meets, so that the site is light: nothing that is seen or read changes."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from companion.site.slim_svg import DARK, both_themes, tidy

#: What no page loads: maps for the authors of scripts, translations, fonts for browsers of 2015, and the executed
#: notebooks, for which `downloads/` has those that run outside the book.
UNUSED = (
    "_static/**/*.map", "_static/scripts/fontawesome.js", "_static/locales", "_static/vendor/**/*.ttf",
    "_sources/notebooks",
)  # fmt: skip
#: An entry of the sidebar, which stands on over a thousand pages; no rule of the theme asks for its classes there.
_ENTRY = '<li class="toctree-l1"><a class="reference internal" href='
_KEPT = re.compile(r"(<pre.*?</pre>|<textarea.*?</textarea>|<script.*?</script>|<style.*?</style>)", re.DOTALL)
_RULE = re.compile(r"^(.*)\.highlight \.(\w+) \{ (.*) \}", re.MULTILINE)
_BASE = re.compile(r"^(.*)\.highlight \{.*(color: #\w+) \}", re.MULTILINE)


def _remove(html: Path) -> None:
    for pattern in UNUSED:
        for path in sorted(html.glob(pattern)):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    for path in [*html.glob("_static/**/*.js"), *html.glob("_static/**/*.css")]:
        text = path.read_text(encoding="utf-8")
        short = re.sub(r"\n?(//|/\*)# sourceMappingURL=\S+?\.map(\*/)?", "", text)
        short = re.sub(r',url\([^)]*\.ttf\) format\("truetype"\)', "", short)
        if short != text:
            path.write_text(short, encoding="utf-8", newline="\n")


def _pictures(html: Path) -> dict[str, str]:
    """Make pictures small, and one of two; return the addresses that changed, seen from the root of the site."""
    moved: dict[str, str] = {}
    downloads = {path.name: path for path in html.glob("_downloads/*/*.svg")}
    for path in sorted(html.glob("_images/*.svg")):
        if path.name.endswith(".dark.svg"):
            continue
        light, night = path.read_text(encoding="utf-8"), path.with_suffix(f".{DARK}.svg")
        if path.name in downloads and downloads[path.name].read_text(encoding="utf-8") == light:
            offered = downloads[path.name].relative_to(html).as_posix()
            shutil.rmtree(downloads[path.name].parent)
            moved[offered] = f"_images/{path.name}"
        if not night.is_file():
            continue
        dark = night.read_text(encoding="utf-8")
        both = both_themes(light, dark)
        if both is not None:
            night.unlink()
            moved[f"_images/{night.name}"] = f"_images/{path.name}#{DARK}"
        else:
            night.write_text(tidy(dark), encoding="utf-8", newline="\n")
        path.write_text(both or tidy(light), encoding="utf-8", newline="\n")
    return moved


def _plain_classes(css: str) -> set[str]:
    """Return the classes of code that have, in each theme, the colour of all code."""
    base = dict(_BASE.findall(css))
    rules: dict[str, list[bool]] = {}
    for theme, name, rule in _RULE.findall(css):
        rules.setdefault(name, []).append(base.get(theme) == rule)
    return {name for name, same in rules.items() if all(same) and len(same) == len(base)}


def slim(html: Path) -> None:
    """Make the built pages of a site smaller, in place: unused files, pictures, blanks, and colours that are none."""
    _remove(html)
    moved = _pictures(html)
    css = html / "_static" / "pygments.css"
    classes = _plain_classes(css.read_text(encoding="utf-8")) if css.is_file() else set()
    span = re.compile(rf'<span class="(?:{"|".join(sorted(classes)) or "-"})">([^<]*)</span>')
    address = re.compile("|".join(map(re.escape, sorted(moved, key=len, reverse=True))) or r"\b\B")
    for page in sorted(html.rglob("*.html")):
        before, main, after = page.read_text(encoding="utf-8").partition("<main")
        parts = _KEPT.split(before.replace(_ENTRY, "<li><a href=") + main + after)
        for index, part in enumerate(parts):
            if index % 2 == 0:
                part = re.sub(r"<!--.*?-->", "", part, flags=re.DOTALL)
                parts[index] = address.sub(lambda match: moved[match[0]], re.sub(r"\s*\n\s*", "\n", part))
            elif part.startswith("<pre"):
                parts[index] = span.sub(r"\1", part)
        page.write_text("".join(parts), encoding="utf-8", newline="\n")
