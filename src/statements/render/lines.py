r"""How wide a formula is, and on how many lines it fits: a line ends before a relation, then before a sign.

Widths are estimates, in widths of the letter M; a test of the built book measures what
a browser shows.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

#: The widest line: the fold of a page, in a window of 1300 points, holds a little more.
WIDEST = 31.0
#: A beginning of a line that is not left alone on it.
SHORT = 6.0
#: Widths of commands and letters; of an operator with the room about it.
WIDTHS = {
    r"\sum": 1.45,
    r"\prod": 1.3,
    r"\max": 2.0,
    r"\min": 1.85,
    r"\log": 1.45,
    r"\exp": 1.75,
    r"\cosh": 2.05,
    r"\sinh": 1.9,
    r"\tanh": 2.05,
    r"\sin": 1.4,
    r"\cos": 1.5,
    r"\bmod": 2.3,
    r"\Longrightarrow": 2.2,
    r"\iff": 2.7,
    r"\quad": 1.0,
    r"\,": 0.17,
    r"\ ": 0.33,
    r"\!": -0.17,
    r"\left": 0.2,
    r"\right": 0.2,
    r"\lfloor": 0.5,
    r"\rfloor": 0.5,
    r"\lceil": 0.5,
    r"\rceil": 0.5,
    r"\{": 0.5,
    r"\}": 0.5,
    r"\dots": 1.35,
    r"\mapsto": 1.55,
    r"\le": 1.35,
    r"\ge": 1.35,
    r"\ne": 1.35,
    r"\in": 1.25,
    r"\cdot": 0.75,
    r"\times": 1.25,
    r"\ell": 0.42,
    r"\mathbf": 0.0,
    r"\mathbb": 0.1,
    r"\hat": 0.0,
    r"\tilde": 0.0,
    r"\bar": 0.0,
    r"\mathrm": 0.0,
    r"\operatorname": 0.1,
    r"\_": 0.5,
    r"\#": 0.85,
    r"\sqrt": 0.9,
    "+": 1.25,
    "-": 1.25,
    "=": 1.35,
    "<": 1.35,
    ">": 1.35,
    ",": 0.45,
    "(": 0.4,
    ")": 0.4,
    "|": 0.3,
    ".": 0.3,
    "/": 0.5,
    ":": 0.4,
    "M": 1.05,
    "m": 0.88,
    "w": 0.72,
    "W": 1.05,
    "i": 0.35,
    "j": 0.41,
    "l": 0.3,
    "&": 1.0,
    "[": 0.3,
    "]": 0.3,
    "!": 0.3,
    " ": 0.0,
}
TOKEN = re.compile(r"\\(?:begin|end)\{\w+\}|\\[a-zA-Z]+|\\.|.", re.DOTALL)
#: A formula in parts, each with the sign before it, and itself perhaps in parts;
#: between two a line may end.
Parts = str | Sequence[tuple[str, "Parts"]]
#: A formula in parts, and how tightly it binds.
Made = tuple[Parts, int]
#: Signs that a line does not begin with: a product is continued by a cross.
TIMES = {" ": r"\times ", r"\,": r"\times ", "": r"\times ", r" \cdot ": r"\times "}


def joined(parts: Parts) -> str:
    """Return a formula on one line."""
    return (
        parts
        if isinstance(parts, str)
        else "".join(sign + joined(part) for sign, part in parts)
    )


def display(parts: Parts) -> str:
    """Return a formula on as many lines as it needs, or "" where a line is too wide."""
    lines = _lines(parts, 0)
    if not _fit(lines):
        return ""
    if len(lines) == 1:
        return lines[0][1]
    rows = ["&" + r"\quad " * indent + text.strip() for indent, text in lines]
    return r"\begin{aligned}" + r"\\ ".join(rows) + r"\end{aligned}"


def _lines(parts: Parts, indent: int, before: str = "") -> list[tuple[int, str]]:
    """Return lines, each with how far it is indented, broken between the outermost parts where that is enough."""
    whole = before + joined(parts)
    if isinstance(parts, str) or width(whole) + indent <= WIDEST:
        return [(indent, whole)]
    found: list[tuple[int, str]] = []
    for sign, part in parts:
        if not found:
            found = _lines(part, indent, before + sign)
            continue
        room, last = found[-1]
        if width(last + sign + joined(part)) + room <= WIDEST:
            found[-1] = (room, last + sign + joined(part))
        elif sign.startswith(","):
            found[-1] = (room, last + ",")
            found += _lines(part, found[0][0], re.sub(r"^,(\\quad|\\ | )*", "", sign))
        elif (
            _short(last, sign)
            and not isinstance(part, str)
            and _fit(begun := _lines(part, room, last + sign))
        ):
            found[-1:] = begun
        else:
            found += _lines(
                part, indent + 1, TIMES.get(sign, sign.removeprefix(r"\quad"))
            )
    return found


def _short(text: str, sign: str) -> bool:
    """Tell whether the left side of a relation is too short for a line of its own; an implication begins a line."""
    return width(text) < SHORT and "Longrightarrow" not in sign


def _fit(lines: Sequence[tuple[int, str]]) -> bool:
    return all(width(text) + indent <= WIDEST for indent, text in lines)


def _group(
    tokens: Sequence[str], at: int, opens: str = "{", closes: str = "}"
) -> tuple[list[str], int]:
    """Return what is between the brackets that open at a place, or the one sign there, and where it ends."""
    while tokens[at] == " ":
        at += 1
    if tokens[at] != opens:
        return [tokens[at]], at + 1
    depth = 1
    end = at + 1
    while depth:
        depth += (tokens[end] == opens) - (tokens[end] == closes)
        end += 1
    return [*tokens[at + 1 : end - 1]], end


def _rows(tokens: Sequence[str]) -> list[list[str]]:
    """Return the rows of a table."""
    rows: list[list[str]] = [[]]
    depth = 0
    for token in tokens:
        depth += token.startswith(r"\begin") - token.startswith(r"\end")
        if token == r"\\" and not depth:
            rows.append([])
        else:
            rows[-1].append(token)
    return rows


def width(text: str | Sequence[str]) -> float:
    """Return about how wide a formula is."""
    tokens = TOKEN.findall(text) if isinstance(text, str) else text
    total = 0.0
    at = 0
    scripts = 0.0
    while at < len(tokens):
        sign, at = tokens[at], at + 1
        if sign in ("_", "^"):
            inside, at = _group(tokens, at)
            scripts = max(scripts, 0.72 * width(inside))
            if tokens[at : at + 1] not in (["_"], ["^"]):
                total, scripts = total + scripts + 0.05, 0.0
        elif sign in (r"\frac", r"\binom"):
            above, at = _group(tokens, at)
            below, at = _group(tokens, at)
            total += max(width(above), width(below)) + 0.25
        elif sign in (r"\sum", r"\prod", r"\max", r"\min") and tokens[at : at + 1] == [
            "_"
        ]:
            below, at = _group(tokens, at + 1)
            above, at = (
                _group(tokens, at + 1) if tokens[at : at + 1] == ["^"] else ([], at)
            )
            total += max(WIDTHS[sign], 0.75 * width(below), 0.75 * width(above)) + 0.17
        elif sign == r"\text":
            inside, at = _group(tokens, at)
            total += sum(0.3 if letter in " ilt.,:" else 0.52 for letter in inside)
        elif sign.startswith(r"\begin"):
            inside, at = _group(tokens, at - 1, sign, sign.replace("begin", "end"))
            total += max(map(width, _rows(inside))) + 1.5
        elif sign not in "{}":
            letter = 0.74 if sign.isupper() else 0.53
            total += WIDTHS.get(sign, letter if len(sign) == 1 else 0.62)
    return total
