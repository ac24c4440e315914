"""Let Sphinx's autodoc read the docstrings of this repository, where formulas and code are written as in Markdown."""

from __future__ import annotations

import re
from typing import Any

from sphinx.application import Sphinx

#: A formula, or code: what stands between is words.
_MARKED = re.compile(
    r"\$\$(?P<display>.+?)\$\$|\$(?P<math>[^$]+?)\$|(?P<ticks>`+)(?P<code>.+?)(?P=ticks)",
    re.DOTALL,
)
#: What has a meaning in reStructuredText and none in these docstrings; `*words*` are
#: stressed in both.
_SPECIAL = re.compile(r"(?<![\w*])(\*\*?)[^\s*][^*]*\1(?![\w*])|[*|\\]|(?<=\w)_(?!\w)")
#: Types as Python spells them, and as a reader does.
_TYPES = (
    (
        re.compile(r"~?numpy\.ndarray\[tuple\[[^]]*\], ~?numpy\.dtype\[[^]]*\]\]"),
        "~numpy.ndarray",
    ),
    (re.compile(r"(?<![\w.])IntegrationSpace\b"), "~mollified.laws.IntegrationSpace"),
)


def _words(text: str) -> str:
    return _SPECIAL.sub(
        lambda match: match[0] if len(match[0]) > 1 else "\\" + match[0], text
    )


def _role(name: str, text: str, before: str, after: str) -> str:
    inner = " ".join(text.split())
    marked = f":{name}:`{inner}`" if name else f"``{inner}``"
    return (
        ("" if not before or before.isspace() else "\\ ")
        + marked
        + ("" if not after or after.isspace() else "\\ ")
    )


def _block(text: str) -> str:
    made = []
    end = 0
    for match in _MARKED.finditer(text):
        made.append(_words(text[end : match.start()]))
        before = text[match.start() - 1 : match.start()]
        after = text[match.end() : match.end() + 1]
        formula = match["display"] or match["math"]
        made.append(
            _role("math" if formula else "", formula or match["code"], before, after)
        )
        end = match.end()
    return "".join(made) + _words(text[end:])


def to_rst(text: str) -> str:
    """Return a docstring as reStructuredText; an indented block is code, and examples (`>>>`) stay as they are."""
    made: list[str] = []
    for block in re.split(r"\n[ \t]*\n", text):
        if block.startswith("    "):
            made += [block] if made and made[-1].startswith("    ") else ["::", block]
        else:
            made.append(block if block.startswith(">>>") else _block(block))
    return "\n\n".join(made)


def convert(
    _app: Sphinx, _what: str, _name: str, _object: Any, _options: Any, lines: list[str]
) -> None:
    """Convert a docstring that autodoc reads."""
    lines[:] = to_rst("\n".join(lines)).split("\n")


def shorten(
    _app: Sphinx,
    _what: str,
    name: str,
    _object: Any,
    _options: Any,
    arguments: str | None,
    result: str | None,
) -> tuple[str | None, str | None]:
    """Return the parts of a signature with types as a reader writes them."""

    def short(text: str | None) -> str | None:
        for pattern, word in _TYPES if text and name.startswith("mollified.") else ():
            text = pattern.sub(word, text or "")
        return text and text.replace(
            "<factory>", "..."
        )  # else Sphinx cannot read the line

    return short(arguments), short(result)
