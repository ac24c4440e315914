"""Leave out of a style sheet the rules for classes that no page and no script of the book names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

import tinycss2

__all__ = ["class_names", "prune_styles", "script_words"]

#: Blocks of rules that hold rules again; in all others (fonts, frames of an animation) nothing is left out.
_NESTED = ("media", "supports", "layer", "container")
#: Parts of pages that the script of the theme can drive; where no page has such a part its classes are of no use.
COMPONENTS = ("alert", "carousel", "dropdown", "modal", "offcanvas", "popover", "toast")
_CLASSES = re.compile(r"""\bclass=(?:"([^"]*)"|'([^']*)')""")
_WORDS = re.compile(r"[A-Za-z_][\w-]*")


def class_names(page: str) -> set[str]:
    """Return every class that a page names."""
    return {name for pair in _CLASSES.findall(page) for text in pair for name in text.split()}


def script_words(script: str, named: set[str]) -> set[str]:
    """Return every word of a script that may be a class which it sets; `bs-` stands for all that begin so.

    Words of a component that has no class in `named`, the classes of the pages, are left out.
    """
    there = {name.partition("-")[0] for name in named}
    idle = {name for name in COMPONENTS if name not in there}
    return {word for word in _WORDS.findall(script) if word.partition("-")[0] not in idle}


def _known(name: str, used: set[str]) -> bool:
    """Return whether a class is used, or put together by a script from a beginning that ends in a dash."""
    return name in used or any(name[: at + 1] in used for at, sign in enumerate(name) if sign == "-" and at + 1 > 2)


def _can_match(selector: Sequence[Any], used: set[str]) -> bool:
    """Return whether every class that a selector asks for is used; what stands in `:not(...)` is not asked for."""
    asked = (token.value for dot, token in pairwise(selector) if dot == "." and token.type == "ident")
    return all(_known(name, used) for name in asked)


def _selectors(prelude: Iterable[Any]) -> list[list[Any]]:
    """Return the selectors of a rule, which commas part."""
    found: list[list[Any]] = [[]]
    for token in prelude:
        if token == ",":
            found.append([])
        else:
            found[-1].append(token)
    return found


def _ascii(text: str) -> str:
    """Return a piece of a style sheet with its other signs as escapes, so that no reader has to guess the encoding."""
    return "".join(sign if sign.isascii() else f"\\{ord(sign):x} " for sign in text)


def _kept(rules: Iterable[Any], used: set[str]) -> str:
    parts: list[str] = []
    for rule in rules:
        if rule.type == "comment":
            parts += [rule.serialize() + "\n"] if rule.value.startswith("!") else []  # notices of licences
        elif rule.type == "qualified-rule":
            left = [selector for selector in _selectors(rule.prelude) if _can_match(selector, used)]
            if left:
                head = ",".join(tinycss2.serialize(selector).strip() for selector in left)
                parts.append(_ascii(f"{head}{{{tinycss2.serialize(rule.content)}}}"))
        elif rule.type == "at-rule" and rule.content is not None and rule.lower_at_keyword in _NESTED:
            inner = _kept(tinycss2.parse_rule_list(rule.content, skip_whitespace=True), used)
            if inner:
                parts.append(f"@{rule.at_keyword}{tinycss2.serialize(rule.prelude)}{{{inner}}}")
        elif rule.type != "whitespace":
            parts.append(_ascii(rule.serialize()))
    return "".join(parts)


def prune_styles(sheet: str, used: set[str]) -> str:
    """Return a style sheet without the selectors that ask for a class outside `used`.

    Raises ValueError where the sheet cannot be read, so that nothing is lost in silence.
    """
    rules = tinycss2.parse_stylesheet(sheet, skip_whitespace=True)
    wrong = next((rule for rule in rules if rule.type == "error"), None)
    if wrong is not None:
        raise ValueError(f"style sheet, line {wrong.source_line}: {wrong.message}")
    return _kept(rules, used)
