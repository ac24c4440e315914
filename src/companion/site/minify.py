"""Mend the built pages, and take off them what no reader meets, so that the site is light.

A picture gets the colours of both themes: the dark ones apply where it is asked for by
`#dark`, and a program that knows no `:target` shows the light ones. Matplotlib writes
six decimals and a style on every element; here numbers have two, the steps of a line
are relative, and styles are classes.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from companion.drawing import in_the_dark
from companion.site.theme import mend_page

#: A picture that a dark page shows.
_NIGHT = re.compile(r'<img [^>]*\bonly-dark\b[^>]* src="[^"]*\.svg(?=")')
#: The name by which a page asks for the dark colours of a picture.
DARK = "dark"
#: What of `_static` no page loads: maps for authors, translations, old fonts, brands,
#: all of TeX in one file.
UNUSED = (
    "**/*.map",
    "**/fontawesome.js",
    "locales",
    "**/*.ttf",
    "**/fa-brands*",
    "**/all-*.js",
)
#: What of an SVG draws nothing.
_SILENT = re.compile(
    r'<\?xml.*?\?>|<!.*?>|<metadata>.*?</metadata>|(?<=<g) id="[^"]*"', re.DOTALL
)
_NAME = re.compile(r'(?<= id=")[^"]*|(?<=url\(#)[^)]*|(?<=href="#)[^"]*')
#: The data of a path of matplotlib; a step of it; a number.
_PATH = re.compile(r' d="([MLQCz\d\s.-]+)"')
_STEP = re.compile(r"([MLQCz])([^MLQCz]*)")
_NUMBER = re.compile(r"-?\d*\.?\d+")
#: A number with more decimals than two; styles and the scale of letters stay as they
#: are.
_LONG = re.compile(r'(style="[^"]*"|scale\([^)]*\))|-?\d+\.\d{3,}')
_STYLE = re.compile(r' style="([^"]*)"')
#: Where blanks mean something.
_KEPT = re.compile(
    r"(<pre.*?</pre>|<textarea.*?</textarea>|<script.*?</script>|<style.*?</style>)",
    re.DOTALL,
)
#: Names, punctuation and blanks in code, which both themes show in the colour of all
#: code.
_PLAIN = re.compile(r'<span class="(?:n|nn|p|w)">([^<]*)</span>')


def _short(hundredths: int) -> str:
    text = f"{abs(hundredths) / 100:.2f}".rstrip("0").rstrip(".").lstrip("0") or "0"
    return f"-{text}" if hundredths < 0 else text


def _relative(match: re.Match[str]) -> str:
    """Return the data of a path with steps relative to the point before, in hundredths, so that no error adds up."""
    made = ""
    at = (0, 0)
    start = (0, 0)
    for letter, text in _STEP.findall(match[1]):
        given = [round(float(number) * 100) for number in _NUMBER.findall(text)]
        if letter == "z":
            made, at = f"{made}z", start
            continue
        shown = [number - at[index % 2] for index, number in enumerate(given)]
        at = (given[-2], given[-1])
        if letter == "M":
            shown = given
            start = at
        made += ("M" if letter == "M" else letter.lower()) + " ".join(
            map(_short, shown)
        )
    return f' d="{made.replace(" -", "-")}"'


def tidy(text: str) -> str:
    """Return an SVG of matplotlib with what draws nothing left out, short names, and numbers to two decimals."""
    text = _SILENT.sub("", text)
    names = {
        name: f"a{index}"
        for index, name in enumerate(dict.fromkeys(re.findall(r' id="([^"]*)"', text)))
    }
    text = _NAME.sub(lambda match: names.get(match[0], match[0]), text)
    text = _PATH.sub(_relative, text)
    text = _LONG.sub(
        lambda match: match[1] or _short(round(float(match[0]) * 100)), text
    )
    return re.sub(r">\s+<", "><", text).strip() + "\n"


def both_themes(text: str) -> str:
    """Return an SVG of matplotlib, tidy, with the colours of both themes."""
    text = re.sub(
        r' fill="(#\w+)"', r' style="fill: \1"', tidy(text)
    )  # the ground of a hatch
    # A marker has the style of those who use it, who say it again.
    text = re.sub(r'(<path id="\w+" d="[^"]*") style="[^"]*"', r"\1", text)
    classes = {
        style: f"a{index}"
        for index, style in enumerate(dict.fromkeys(_STYLE.findall(text)))
    }
    rules = ""
    for style, name in classes.items():
        rules += f".{name}{{{style}}}"
        if changed := [
            dark for part in style.split("; ") if (dark := in_the_dark(part)) != part
        ]:
            rules += f":target .{name}{{{';'.join(changed)}}}"
    text = _STYLE.sub(lambda match: f' class="{classes[match[1]]}"', text)
    return re.sub(
        "<svg( [^>]*>)", rf'<svg id="{DARK}"\1<style>{rules}</style>', text, count=1
    )


def slim(html: Path) -> None:
    """Mend the pages of a site, in place, and make them smaller: unused files, pictures, colours of code.

    A figure is offered for download as the file that the page shows. Raises
    CompanionError where the theme has changed, so that a mend does nothing.
    """
    for path in {
        path for pattern in UNUSED for path in html.glob(f"_static/{pattern}")
    }:
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    for path in html.glob("_downloads/*/*.svg"):
        shutil.rmtree(path.parent)
    for path in html.glob("_images/*.svg"):
        path.write_text(
            both_themes(path.read_text(encoding="utf-8")),
            encoding="utf-8",
            newline="\n",
        )
    for page in sorted(html.rglob("*.html")):
        text = mend_page(
            page.read_text(encoding="utf-8"), search=page.name == "search.html"
        )
        parts = _KEPT.split(text)
        parts[1::2] = [_PLAIN.sub(r"\1", part) for part in parts[1::2]]
        parts[::2] = [re.sub(r"\s*\n\s*", "\n", part) for part in parts[::2]]
        text = "".join(parts)
        text = re.sub(r"_downloads/\w+/([\w.-]+\.svg)", r"_images/\1", text)
        text = _NIGHT.sub(rf"\g<0>#{DARK}", text)
        page.write_text(text, encoding="utf-8", newline="\n")
