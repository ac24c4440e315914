"""Let Sphinx's autodoc read docstrings whose formulas and code are in Markdown."""

from __future__ import annotations

import re

from sphinx.application import Sphinx

from companion.plain_text import rewritten

#: A formula, or code: what stands between is words.
_MARKED = re.compile(
    r"\$\$(?P<display>.+?)\$\$|\$(?P<math>[^$]+?)\$"
    r"|(?P<ticks>`+)(?P<code>.+?)(?P=ticks)",
    re.DOTALL,
)
#: What has a meaning in reStructuredText and none in these docstrings; `*words*` are
#: stressed in both.
_SPECIAL = re.compile(r"(?<![\w*])(\*\*?)[^\s*][^*]*\1(?![\w*])|[*|\\]|(?<=\w)_(?!\w)")
#: Types as Python spells them, and as a reader does; `Space` names two classes of this
#: repository.
_TYPES = (
    (
        re.compile(r"~?numpy\.ndarray\[tuple\[[^]]*\], ~?numpy\.dtype\[[^]]*\]\]"),
        "~numpy.ndarray",
    ),
    (re.compile(r"(?<![\w.])Space\b"), "~mollified.laws.Space"),
)
#: How a block of code begins.
_INDENT = " " * 4
#: What parts a role from the letter beside it, and is not printed.
_SEPARATOR = "\\ "


def _words(text: str) -> str:
    """Escape letters that are special; words that are stressed stay."""
    return _SPECIAL.sub(lambda match: match[0] if match[1] else rf"\{match[0]}", text)


def _separator(neighbour: str) -> str:
    """Return what stands between a role and the letter beside it, if there is one."""
    return _SEPARATOR if neighbour.strip() else ""


def _role(match: re.Match[str]) -> str:
    """Return a formula or code as reStructuredText, parted from its neighbours."""
    text = match.string
    before = _separator(text[match.start() - 1 : match.start()])
    after = _separator(text[match.end() : match.end() + 1])
    formula = match["display"] or match["math"]
    inner = " ".join((formula or match["code"]).split())
    marked = f":math:`{inner}`" if formula else f"``{inner}``"
    return f"{before}{marked}{after}"


def to_rst(text: str) -> str:
    """Return a docstring as reStructuredText.

    An indented block is code, and examples (`>>>`) stay as they are.
    """
    blocks: list[str] = []
    in_code = False
    for block in re.split(r"\n[ \t]*\n", text):
        is_code = block.startswith(_INDENT)
        if is_code and not in_code:
            blocks.append("::")
        verbatim = is_code or block.startswith(">>>")
        rst = block if verbatim else rewritten(block, _MARKED, _role, _words)
        blocks.append(rst)
        in_code = is_code
    return "\n\n".join(blocks)


def convert(
    _app: Sphinx,
    _what: str,
    _name: str,
    _object: object,
    _options: object,
    lines: list[str],
) -> None:
    """Convert a docstring that autodoc reads."""
    lines[:] = to_rst("\n".join(lines)).split("\n")


def shorten(
    _app: Sphinx,
    _what: str,
    name: str,
    _object: object,
    _options: object,
    arguments: str | None,
    result: str | None,
) -> tuple[str | None, str | None]:
    """Return the parts of a signature with types as a reader writes them."""

    def short(text: str | None) -> str | None:
        if not text:
            return text
        if name.startswith("mollified."):
            for pattern, word in _TYPES:
                text = pattern.sub(word, text)
        return text.replace("<factory>", "...")  # else Sphinx cannot read the line

    return short(arguments), short(result)
