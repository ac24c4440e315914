r"""Names as symbols.

θ is \theta, c_star is c^*, γ_P is \gamma_P, P_1hat is \hat P_1, and one_record is one
word.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, replace

#: How tightly a formula binds, from a quantifier to a letter; what is SIGNED begins
#: with a minus, and what is REACHING is a sum or a maximum, which takes all that is
#: right of it.
FREE = 0
OR = 1
AND = 2
NOT = 3
RELATION = 4
SUM = 5
SIGNED = 6
REACHING = 7
PRODUCT = 8
FUNCTION = 9
POWER = 10
ATOM = 11
#: Ends of names that are marks over a letter.
MARKS = {"hat": r"\hat", "tilde": r"\tilde", "til": r"\tilde", "bar": r"\bar"}
VARIANTS = {"phi": "varphi", "epsilon": "varepsilon", "lamda": "lambda"}
TALL = re.compile(r"\\frac|\\sum|\\prod|\\begin|\\max_|\\min_|\\binom")
#: One letter with what stands below and above it: its command, subscript and power.
LETTER = (
    r"(?:\\(?!left|log|sum|frac|sqrt|math|max|min|text)[a-zA-Z]+|[a-zA-Z])"
    r"(?:_(?:\w|\{[\w,]*\}|\\[a-z]+))?"
    r"(?:\^\w)?"
)
#: Names that begin with one letter, and those that begin with a word and digits.
HEADS = (
    re.compile(r"([^\W\d])(\d*|[^\x00-\x7f])"),
    re.compile(r"([^\x00-\x7f])([A-Z])"),
    re.compile(r"([^\W\d]+)(\d+)"),
)


@dataclass(frozen=True)
class Symbol:
    """Hold a name as it is typeset.

    That is a letter or a word, what stands below it, and whether a star is beside it.
    """

    core: str
    below: tuple[str, ...] = ()
    star: bool = False

    def at(self, index: str) -> Symbol:
        """Return the symbol of an entry."""
        return replace(self, below=(*self.below, index))

    def tex(self, power: str = "") -> str:
        """Return the formula of the symbol, or of one of its powers."""
        text = self.core
        if self.below:
            text += script("_", ",".join(self.below))
        if self.star and power:
            text = f"({text}^*)"
        elif self.star:
            text = f"{text}^*"
        if power:
            text += script("^", power)
        return text


def script(mark: str, text: str) -> str:
    """Return text above or below the line, in braces where it is more than one sign."""
    if len(text) == 1 or re.fullmatch(r"\\[a-zA-Z]+", text):
        return f"{mark}{text}"
    return f"{mark}{{{text}}}"


def word(text: str) -> str:
    """Return letters that are one word, not a product."""
    return rf"\mathrm{{{text}}}"


def _letter(text: str) -> str:
    """Return one letter, a Greek one as its command; Python reads ℓ as l."""
    if text == "l":
        return r"\ell"
    words = unicodedata.name(text, "").split()
    if words[:1] != ["GREEK"]:
        return text
    letter = words[-1].lower()
    letter = VARIANTS.get(letter, letter)
    if "SMALL" not in words:
        letter = letter.capitalize()
    return "\\" + letter


def _indices(text: str) -> tuple[str, ...]:
    """Return what stands below a symbol: a number, one or two letters, or a word."""
    if text.isdigit():
        return (text,)
    if len(text) <= 2:
        return tuple(map(_letter, text))
    return (word(text),)


def _head(text: str) -> tuple[str, str]:
    """Return a letter or a word, and what stands below it."""
    for pattern in HEADS:
        if match := pattern.fullmatch(text):
            return match[1], match[2]
    return text, ""


def _tail(text: str) -> tuple[str, str]:
    """Return what stands before a mark at the end of a text, and the mark."""
    for mark in (*MARKS, "star"):
        if text.endswith(mark):
            return text.removesuffix(mark), mark
    return text, ""


def _marked(core: str, marks: Iterable[str]) -> str:
    """Return a letter or a word with marks over it."""
    if len(core) == 1:
        return "".join(f"{mark} " for mark in reversed([*marks])) + _letter(core)
    shown = word(core)
    for mark in marks:
        shown = f"{mark}{{{shown}}}"
    return shown


def symbol(name: str) -> Symbol:
    """Return a name as a symbol."""
    whole = name.strip("_")
    head, *tails = whole.split("_")
    core, below = _head(head)
    indices = [*_indices(below)]
    star = False
    marks: list[str] = []
    for tail in tails:
        rest, mark = _tail(tail)
        if mark == "star":
            star = True
        elif mark:
            marks.append(MARKS[mark])
        if len(core) > 1 and len(rest) > 1 and not rest.isdigit():
            return Symbol(word(whole.replace("_", r"\_")))
        indices += _indices(rest)
    return Symbol(_marked(core, marks), tuple(indices), star)


def bracketed(text: str) -> str:
    """Return text in brackets that are as tall as it is."""
    if TALL.search(text):
        return rf"\left({text}\right)"
    return f"({text})"


def applied(function: str, arguments: str) -> str:
    """Return a function of its arguments."""
    inside = bracketed(arguments)
    if inside.startswith(r"\left"):
        return rf"{function}\!{inside}"
    return function + inside


def between(left: str, right: str) -> str:
    """Return what stands between two factors.

    A dot stands between numbers, nothing between letters, else a little room.
    """
    number = re.fullmatch(r"[\d.]+", left)
    if right[:1].isdigit() or (number and right.startswith(r"\frac")):
        return r" \cdot "
    if number:
        if right.startswith((r"\mathrm", r"\log", r"\sum", r"\#")):
            return r"\,"
        return ""
    if re.search(rf"(?:^|[\s\d-]){LETTER}$", left) and re.fullmatch(LETTER, right):
        return " "
    return r"\,"
