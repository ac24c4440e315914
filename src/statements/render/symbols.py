r"""Names as symbols: θ is \theta, c_star is c^*, γ_P is \gamma_P, P_1hat is \hat P_1, and one_record is one word."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace

#: How tightly a formula binds, from a quantifier to a letter; what is SIGNED begins
#: with a minus, and what is REACHING is a sum or a maximum, which takes all that is
#: right of it.
FREE, OR, AND, NOT, RELATION, SUM, SIGNED, REACHING, PRODUCT, FUNCTION, POWER, ATOM = (
    range(12)
)
#: Ends of names that are marks over a letter.
MARKS = {"hat": r"\hat", "tilde": r"\tilde", "til": r"\tilde", "bar": r"\bar"}
VARIANTS = {"phi": "varphi", "epsilon": "varepsilon", "lamda": "lambda"}
TALL = re.compile(r"\\frac|\\sum|\\prod|\\begin|\\max_|\\min_|\\binom")
#: One letter with what stands below and above it.
LETTER = r"(?:\\(?!left|log|sum|frac|sqrt|math|max|min|text)[a-zA-Z]+|[a-zA-Z])(?:_(?:\w|\{[\w,]*\}|\\[a-z]+))?(?:\^\w)?"


@dataclass(frozen=True)
class Symbol:
    """Hold a name as it is typeset: a letter or a word, what stands below it, and whether a star is beside it."""

    core: str
    below: tuple[str, ...] = ()
    star: bool = False

    def at(self, index: str) -> Symbol:
        """Return the symbol of an entry."""
        return replace(self, below=(*self.below, index))

    def tex(self, power: str = "") -> str:
        """Return the formula of the symbol, or of one of its powers."""
        text = self.core + (script("_", ",".join(self.below)) if self.below else "")
        if self.star:
            text = f"({text}^*)" if power else f"{text}^*"
        return text + (script("^", power) if power else "")


def script(mark: str, text: str) -> str:
    """Return text above or below the line, in braces where it is more than one sign."""
    alone = len(text) == 1 or re.fullmatch(r"\\[a-zA-Z]+", text)
    return f"{mark}{text}" if alone else f"{mark}{{{text}}}"


def _letter(text: str) -> str:
    """Return one letter, a Greek one as its command; Python reads ℓ as l."""
    if text == "l":
        return r"\ell"
    words = unicodedata.name(text, "").split()
    if words[:1] != ["GREEK"]:
        return text
    letter = VARIANTS.get(words[-1].lower(), words[-1].lower())
    return "\\" + (letter if "SMALL" in words else letter.capitalize())


def _indices(text: str) -> tuple[str, ...]:
    """Return what stands below a symbol: a number, one or two letters, or a word."""
    if text.isdigit():
        return (text,)
    if len(text) <= 2:
        return tuple(map(_letter, text))
    return (rf"\mathrm{{{text}}}",)


def symbol(name: str) -> Symbol:
    """Return a name as a symbol."""
    head, *tails = name.strip("_").split("_")
    letter = re.fullmatch(r"([^\W\d])(\d*|[^\x00-\x7f])", head) or re.fullmatch(
        r"([^\x00-\x7f])([A-Z])", head
    )
    split = letter or re.fullmatch(r"([^\W\d]+)(\d+)", head)
    core, below = split.groups() if split else (head, "")
    indices = [*_indices(below)]
    star = False
    marks = []
    for tail in tails:
        rest, mark = re.fullmatch(r"(.*?)(hat|tilde|til|bar|star|)", tail).groups()  # type: ignore[union-attr]
        star = star or mark == "star"
        marks += [MARKS[mark]] if mark in MARKS else []
        if not letter and len(rest) > 1 and not rest.isdigit():
            return Symbol(r"\mathrm{" + name.strip("_").replace("_", r"\_") + "}")
        indices += _indices(rest)
    shown = _letter(core) if len(core) == 1 else rf"\mathrm{{{core}}}"
    for mark in marks:
        shown = f"{mark} {shown}" if len(core) == 1 else f"{mark}{{{shown}}}"
    return Symbol(shown, tuple(indices), star)


def bracketed(text: str) -> str:
    """Return text in brackets that are as tall as it is."""
    return rf"\left({text}\right)" if TALL.search(text) else f"({text})"


def applied(function: str, arguments: str) -> str:
    """Return a function of its arguments."""
    inside = bracketed(arguments)
    return function + (r"\!" if inside.startswith(r"\left") else "") + inside


def between(left: str, right: str) -> str:
    """Return what stands between two factors: a dot between numbers, nothing between letters, or a little room."""
    number = re.fullmatch(r"[\d.]+", left)
    if right[:1].isdigit() or (number and right.startswith(r"\frac")):
        return r" \cdot "
    if number:
        return r"\," if right.startswith((r"\mathrm", r"\log", r"\sum", r"\#")) else ""
    if re.search(rf"(?:^|[\s\d-]){LETTER}$", left) and re.fullmatch(LETTER, right):
        return " "
    return r"\,"
