"""Mend the built pages, and take off them what no reader meets.

A picture gets the colours of both themes: the dark ones apply where it is asked for by
`#dark`, and a program that knows no `:target` shows the light ones. Matplotlib writes
six decimals and a style on every element; here numbers have two, the steps of a line
are relative, and styles are classes. (scour, tried at 0.38.2, takes four times as long
and leaves 15 % more.)
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable
from pathlib import Path

from companion.drawing import in_the_dark
from companion.paths import write_whole
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


def _hundredths(number: str) -> int:
    return round(float(number) * 100)


def _short(hundredths: int) -> str:
    """Return a number of hundredths with no letter that is not needed."""
    text = f"{abs(hundredths) / 100:.2f}".rstrip("0").rstrip(".").lstrip("0") or "0"
    return f"-{text}" if hundredths < 0 else text


def _relative(match: re.Match[str]) -> str:
    """Return the data of a path with steps relative to the point before.

    They are in hundredths, so that no error adds up.
    """
    steps = ""
    point = (0, 0)
    start = (0, 0)
    for letter, text in _STEP.findall(match[1]):
        if letter == "z":
            steps += "z"
            point = start
            continue
        numbers = [_hundredths(number) for number in _NUMBER.findall(text)]
        end = (numbers[-2], numbers[-1])
        if letter == "M":
            steps += "M"
            start = end
        else:
            steps += letter.lower()
            numbers = [
                number - point[index % 2] for index, number in enumerate(numbers)
            ]
        steps += " ".join(map(_short, numbers))
        point = end
    data = steps.replace(" -", "-")
    return f' d="{data}"'


def _numbered(names: Iterable[str]) -> dict[str, str]:
    """Return a short name for each name."""
    return {name: f"a{index}" for index, name in enumerate(dict.fromkeys(names))}


def tidy(text: str) -> str:
    """Return an SVG of matplotlib without what draws nothing.

    Names are short, and numbers have two decimals.
    """
    text = _SILENT.sub("", text)
    names = _numbered(re.findall(r' id="([^"]*)"', text))
    text = _NAME.sub(lambda match: names.get(match[0], match[0]), text)
    text = _PATH.sub(_relative, text)
    text = _LONG.sub(lambda match: match[1] or _short(_hundredths(match[0])), text)
    return re.sub(r">\s+<", "><", text).strip() + "\n"


def _rules(style: str, name: str) -> str:
    """Return the rules of a class: its style, and what of it changes in the dark."""
    rules = f".{name}{{{style}}}"
    dark = []
    for part in style.split("; "):
        other = in_the_dark(part)
        if other != part:
            dark.append(other)
    if dark:
        rules += f":target .{name}{{{';'.join(dark)}}}"
    return rules


def both_themes(text: str) -> str:
    """Return an SVG of matplotlib, tidy, with the colours of both themes."""
    # The ground of a hatch has its colour in no style.
    text = re.sub(r' fill="(#\w+)"', r' style="fill: \1"', tidy(text))
    # A marker has the style of those who use it, who say it again.
    text = re.sub(r'(<path id="\w+" d="[^"]*") style="[^"]*"', r"\1", text)
    classes = _numbered(_STYLE.findall(text))
    rules = "".join(_rules(style, name) for style, name in classes.items())
    text = _STYLE.sub(lambda match: f' class="{classes[match[1]]}"', text)
    return re.sub(
        "<svg( [^>]*>)", rf'<svg id="{DARK}"\1<style>{rules}</style>', text, count=1
    )


def _slim_page(page: Path) -> None:
    text = mend_page(
        page.read_text(encoding="utf-8"), search=page.name == "search.html"
    )
    parts = _KEPT.split(text)
    parts[1::2] = [_PLAIN.sub(r"\1", part) for part in parts[1::2]]
    parts[::2] = [re.sub(r"\s*\n\s*", "\n", part) for part in parts[::2]]
    text = "".join(parts)
    text = re.sub(r"_downloads/\w+/([\w.-]+\.svg)", r"_images/\1", text)
    text = _NIGHT.sub(rf"\g<0>#{DARK}", text)
    write_whole(page, text)


def slim(html: Path) -> None:
    """Mend the pages of a site, in place, and make them smaller.

    Unused files, pictures, and colours of code are what shrinks. A figure is offered
    for download as the file that the page shows. Raises CompanionError where the theme
    has changed, so that a mend does nothing.
    """
    for pattern in UNUSED:
        for path in list(html.glob(f"_static/{pattern}")):
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink(missing_ok=True)
    for path in html.glob("_downloads/*/*.svg"):
        shutil.rmtree(path.parent)
    for path in html.glob("_images/*.svg"):
        write_whole(path, both_themes(path.read_text(encoding="utf-8")))
    for page in sorted(html.rglob("*.html")):
        _slim_page(page)
