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
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def _short(hundredths: int) -> str:
    text = f"{abs(hundredths) / 100:.2f}".rstrip("0").rstrip(".").lstrip("0") or "0"
    return f"-{text}" if hundredths < 0 else text


def _joined(numbers: list[int]) -> str:
    texts = [_short(number) for number in numbers]
    return "".join(text if not index or text[0] == "-" else f" {text}" for index, text in enumerate(texts))


def _path(match: re.Match[str]) -> str:
    """Return the data of a path with relative steps; what is no path of matplotlib stays as it is."""
    if not re.fullmatch(r"[MLQCZz\d\s.-]*", match[1]):
        return match[0]
    made, last, (x, y), start = [], "", (0, 0), (0, 0)
    for step in _STEP.finditer(match[1]):
        given = [round(float(number) * 100) for number in _NUMBER.findall(step[2])]
        if step[1] == "M":
            made.append("M" + _joined(given))
            x, y = start = given[0], given[1]
        elif step[1] in "Zz":
            made.append("z")
            x, y = start
        else:
            moved = [number - (y if index % 2 else x) for index, number in enumerate(given)]
            letter = step[1].lower()
            text = _joined(moved)
            made.append(text if letter == last and text[0] == "-" else (" " if letter == last else letter) + text)
            x, y = given[-2], given[-1]
        last = step[1].lower() if step[1] in "LQC" else ""
    return f' d="{"".join(made)}"'


def _name(index: int) -> str:
    return "a" + (_name(index // 36)[1:] if index >= 36 else "") + _DIGITS[index % 36]


def tidy(text: str) -> str:
    """Return an SVG of matplotlib with what draws nothing left out, short names, and numbers to two decimals."""
    for pattern in (r"<\?xml.*?\?>", r"<!DOCTYPE.*?>", r"<!--.*?-->", r"<metadata>.*?</metadata>"):
        text = re.sub(pattern, "", text, flags=re.DOTALL)
    text = re.sub(r'<g id="[^"]*"', "<g", text)
    names = {name: _name(index) for index, name in enumerate(dict.fromkeys(re.findall(r' id="([^"]*)"', text)))}
    text = re.sub(r' id="([^"]*)"', lambda match: f' id="{names[match[1]]}"', text)
    text = re.sub(r"(?<=url\(#)[^)]*|(?<=href=\"#)[^\"]*", lambda match: names.get(match[0], match[0]), text)
    text = re.sub(r' d="([^"]*)"', _path, text)
    text = re.sub(
        r"(?<=translate\()[^)]*(?=\))|(?<=<use )[^>]*?(?= style| ?/?>)",
        lambda match: re.sub(r"-?\d+\.\d{3,}", lambda number: _short(round(float(number[0]) * 100)), match[0]),
        text,
    )
    text = re.sub(r">\s+<", "><", text)
    return text.strip() + "\n"


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
    made = [_plain_marks(tidy(text)) for text in (light, dark)]
    if made[0] is None or made[1] is None or _STYLE.sub("", made[0]) != _STYLE.sub("", made[1]):
        return None
    counts = [[match.start() for match in _STYLE.finditer(_STYLE.sub(' style=""', text))] for text in made if text]
    if counts[0] != counts[1]:
        return None
    pairs = list(zip(_STYLE.findall(made[0]), _STYLE.findall(made[1]), strict=True))
    classes = {pair: _name(index) for index, pair in enumerate(dict.fromkeys(pairs))}
    following = iter(pairs)
    text = _STYLE.sub(lambda _: f' class="{classes[next(following)]}"', made[0])
    rules = []
    for (day, night), name in classes.items():
        rules.append(f".{name}{{{day.replace(': ', ':').replace('; ', ';')}}}")
        changed = [part for part in night.split("; ") if part not in day.split("; ")]
        if changed:
            rules.append(f":target .{name}{{{';'.join(part.replace(': ', ':') for part in changed)}}}")
    text = text.replace("<svg ", f'<svg id="{DARK}" ', 1)
    return text.replace("</style>", "".join(rules) + "</style>", 1) if "</style>" in text else None
