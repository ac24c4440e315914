r"""How wide a formula is, and on how many lines it fits.

A line ends before a relation, then before a sign. Widths are estimates, in widths of
the letter M; a test of the built book measures what a browser shows.
"""

import re
from collections.abc import Iterable, Sequence

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
#: Widths of a capital, of another letter, and of a command that is not listed.
CAPITAL = 0.74
SMALL = 0.53
COMMAND = 0.62
#: In words, widths of a narrow letter and of another one.
NARROW_IN_WORDS = 0.3
WIDE_IN_WORDS = 0.52
#: The size of what stands above or below the line, and the room after it.
SCRIPT = 0.72
AFTER_SCRIPT = 0.05
#: The size of what stands below or above a sum, and the room after its sign.
LIMIT = 0.75
AFTER_LIMITS = 0.17
#: By how much a fraction is wider than its wider part, and a table than its rows.
BAR = 0.25
TABLE = 1.5
#: Signs whose limits stand below and above them, and commands of two parts.
LIMITED = {r"\sum", r"\prod", r"\max", r"\min"}
STACKED = {r"\frac", r"\binom"}
TOKEN = re.compile(r"\\(?:begin|end)\{\w+\}|\\[a-zA-Z]+|\\.|.", re.DOTALL)
#: A formula in parts, each with the sign before it, and itself perhaps in parts;
#: between two a line may end.
Parts = str | Sequence[tuple[str, "Parts"]]
#: Several parts, each with the sign before it.
Pieces = list[tuple[str, Parts]]
#: A formula in parts, and how tightly it binds.
Typeset = tuple[Parts, int]
#: Signs that a line does not begin with: a product is continued by a cross.
TIMES = {" ": r"\times ", r"\,": r"\times ", "": r"\times ", r" \cdot ": r"\times "}
#: What a line that goes on begins with.
INDENT = r"\quad "
#: A line, and how far it is indented.
Line = tuple[int, str]


def joined(parts: Parts) -> str:
    """Return a formula on one line."""
    if isinstance(parts, str):
        return parts
    return "".join(sign + joined(part) for sign, part in parts)


def separated(sign: str, parts: Iterable[Parts]) -> Pieces:
    """Return a formula of several parts with a sign between two of them."""
    return [(sign if k else "", part) for k, part in enumerate(parts)]


def display(parts: Parts) -> str:
    """Return a formula on as many lines as it needs, or "" where one is too wide."""
    lines = _lines(parts, 0)
    if not _fit(lines):
        return ""
    if len(lines) == 1:
        return lines[0][1]
    rows = ["&" + indent * INDENT + text.strip() for indent, text in lines]
    return r"\begin{aligned}" + r"\\ ".join(rows) + r"\end{aligned}"


def _lines(
    parts: Parts,
    indent: int,
    before: str = "",
) -> list[Line]:
    """Return lines, broken between the outermost parts where that is enough."""
    whole = before + joined(parts)
    if isinstance(parts, str) or width(whole) + indent <= WIDEST:
        return [(indent, whole)]
    (sign, first), *rest = parts
    lines = _lines(first, indent, before + sign)
    for sign, part in rest:
        _continue(lines, sign, part, indent)
    return lines


def _continue(
    lines: list[Line],
    sign: str,
    part: Parts,
    indent: int,
) -> None:
    """Add a part to the last line where it fits, else on lines of its own."""
    room, last = lines[-1]
    one_line = last + sign + joined(part)
    if width(one_line) + room <= WIDEST:
        lines[-1] = (room, one_line)
        return
    if sign.startswith(","):
        lines[-1] = (room, last + ",")
        sign = re.sub(r"^,(\\quad|\\ | )*", "", sign)
        lines += _lines(part, lines[0][0], sign)
        return
    if _short(last, sign) and not isinstance(part, str):
        begun = _lines(part, room, last + sign)
        if _fit(begun):
            lines[-1:] = begun
            return
    lines += _lines(part, indent + 1, TIMES.get(sign, sign.removeprefix(r"\quad")))


def _short(text: str, sign: str) -> bool:
    """Tell whether the left side of a relation is too short for a line of its own.

    An implication begins a line.
    """
    return width(text) < SHORT and "Longrightarrow" not in sign


def _fit(lines: Sequence[Line]) -> bool:
    return all(width(text) + indent <= WIDEST for indent, text in lines)


def _group(
    tokens: Sequence[str],
    at: int,
    opens: str = "{",
    closes: str = "}",
) -> tuple[list[str], int]:
    """Return what is between the brackets that open at a place, and where it ends.

    Without brackets it is the one sign there.
    """
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
    """Return about how wide a formula is, in widths of the letter M."""
    tokens = TOKEN.findall(text) if isinstance(text, str) else text
    total = 0.0
    at = 0
    while at < len(tokens):
        if tokens[at] in ("_", "^"):
            size, at = _script_width(tokens, at)
        else:
            size, at = _sign_width(tokens, at)
        total += size
    return total


def _is_at(tokens: Sequence[str], at: int, *signs: str) -> bool:
    return at < len(tokens) and tokens[at] in signs


def _script_width(tokens: Sequence[str], at: int) -> tuple[float, int]:
    """Return the width of what stands below and above the line, and where it ends."""
    widest = 0.0
    while _is_at(tokens, at, "_", "^"):
        inside, at = _group(tokens, at + 1)
        widest = max(widest, SCRIPT * width(inside))
    return widest + AFTER_SCRIPT, at


def _sign_width(tokens: Sequence[str], at: int) -> tuple[float, int]:
    """Return the width of a sign with all that belongs to it, and where that ends."""
    sign = tokens[at]
    after = at + 1
    if sign in STACKED:
        above, after = _group(tokens, after)
        below, after = _group(tokens, after)
        return max(width(above), width(below)) + BAR, after
    if sign in LIMITED and _is_at(tokens, after, "_"):
        return _limited_width(sign, tokens, after)
    if sign == r"\text":
        inside, after = _group(tokens, after)
        return sum(map(_word_width, inside)), after
    if sign.startswith(r"\begin"):
        inside, after = _group(tokens, at, sign, sign.replace("begin", "end"))
        return max(map(width, _rows(inside))) + TABLE, after
    if sign in "{}":
        return 0.0, after
    return WIDTHS.get(sign, _letter_width(sign)), after


def _limited_width(
    sign: str,
    tokens: Sequence[str],
    at: int,
) -> tuple[float, int]:
    """Return the width of a sum with its limits, and where they end."""
    below, at = _group(tokens, at + 1)
    above: list[str] = []
    if _is_at(tokens, at, "^"):
        above, at = _group(tokens, at + 1)
    limits = LIMIT * width(below), LIMIT * width(above)
    return max(WIDTHS[sign], *limits) + AFTER_LIMITS, at


def _word_width(letter: str) -> float:
    if letter in " ilt.,:":
        return NARROW_IN_WORDS
    return WIDE_IN_WORDS


def _letter_width(sign: str) -> float:
    if len(sign) > 1:
        return COMMAND
    if sign.isupper():
        return CAPITAL
    return SMALL
