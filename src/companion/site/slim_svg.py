"""Make the pictures of a figure small: one SVG with the colours of both themes, drawn to a hundredth of a point.

Matplotlib writes six decimals, and a style on every element. Here numbers have two, lines are relative to the point
before, styles are classes, and the dark colours apply where the picture is asked for by `#dark`; a program that knows
no `:target` shows the light ones.
"""

from __future__ import annotations

import re

#: The name by which a page asks for the dark colours.
DARK = "dark"
_NUMBER = re.compile(r"-?\d*\.?\d+")
_STEP = re.compile(r"([MLQCZz])([^MLQCZz]*)")
_STYLE = re.compile(r' style="([^"]*)"')
_LONG = re.compile(r"-?\d+\.\d{3,}")


def _short(hundredths: int) -> str:
    text = f"{abs(hundredths) / 100:.2f}".rstrip("0").rstrip(".").lstrip("0") or "0"
    return f"-{text}" if hundredths < 0 else text


def _path(match: re.Match[str]) -> str:
    """Return the data of a path with relative steps; what is no path of matplotlib stays as it is."""
    if not re.fullmatch(r"[MLQCZz\d\s.-]*", match[1]):
        return match[0]
    made, at, start = "", (0, 0), (0, 0)
    for letter, text in _STEP.findall(match[1]):
        given = [round(float(number) * 100) for number in _NUMBER.findall(text)]
        if letter in "Zz":
            made, at = f"{made}z", start
            continue
        if letter == "M":
            shown, start = given, (given[0], given[1])
        else:
            shown = [number - at[index % 2] for index, number in enumerate(given)]
            letter = letter.lower()
        made, at = f"{made}{letter}{' '.join(map(_short, shown))}", (given[-2], given[-1])
    return f' d="{made.replace(" -", "-")}"'


def tidy(text: str) -> str:
    """Return an SVG of matplotlib with what draws nothing left out, short names, and numbers to two decimals."""
    for pattern in (r"<\?xml.*?\?>", r"<!DOCTYPE.*?>", r"<!--.*?-->", r"<metadata>.*?</metadata>"):
        text = re.sub(pattern, "", text, flags=re.DOTALL)
    text = re.sub(r'<g id="[^"]*"', "<g", text)
    names = {name: f"a{index}" for index, name in enumerate(dict.fromkeys(re.findall(r' id="([^"]*)"', text)))}
    text = re.sub(
        r'(?<= id=")[^"]*|(?<=url\(#)[^)]*|(?<=href="#)[^"]*', lambda match: names.get(match[0], match[0]), text
    )
    text = re.sub(r' d="([^"]*)"', _path, text)
    text = re.sub(
        r"(?<=translate\()[^)]*(?=\))|(?<=<use )[^>]*?(?= style| ?/?>)",
        lambda match: _LONG.sub(lambda number: _short(round(float(number[0]) * 100)), match[0]),
        text,
    )
    return re.sub(r">\s+<", "><", text).strip() + "\n"


def _plain_marks(text: str) -> str | None:
    """Leave the style of a marker to those who use it, who say the same; None where one does not."""
    for mark in re.findall(r'<path id="(\w+)" d="[^"]*" style="([^"]*)"', text):
        said = {part.strip() for part in mark[1].split(";")}
        for use in re.findall(rf'<use [^>]*href="#{mark[0]}"[^>]*>', text):
            style = _STYLE.search(use)
            if style is None or not said <= {part.strip() for part in style[1].split(";")}:
                return None
    return re.sub(r'(<path id="\w+" d="[^"]*") style="[^"]*"', r"\1", text)


def both_themes(light: str, dark: str) -> str | None:
    """Return one SVG that has the colours of both; None where the two differ in more than these.

    Asked for with `#dark` it has the colours of the second.
    """
    day, night = (_plain_marks(tidy(text)) for text in (light, dark))
    if not day or not night or _STYLE.sub(" style", day) != _STYLE.sub(" style", night) or "</style>" not in day:
        return None
    pairs = list(zip(_STYLE.findall(day), _STYLE.findall(night), strict=True))
    classes = {pair: f"a{index}" for index, pair in enumerate(dict.fromkeys(pairs))}
    following = iter(pairs)
    text = _STYLE.sub(lambda _: f' class="{classes[next(following)]}"', day)
    rules = ""
    for (one, other), name in classes.items():
        rules += f".{name}{{{one}}}"
        if changed := [part for part in other.split("; ") if part not in one.split("; ")]:
            rules += f":target .{name}{{{';'.join(changed)}}}"
    return text.replace("<svg ", f'<svg id="{DARK}" ', 1).replace("</style>", f"{rules}</style>", 1)
