"""Say in plain words what MyST says with roles and links.

It is for whoever reads a notebook outside the book.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable

#: A role and its content: {claim}`MBDE-L9`, {claim}`the bound <MBDE-L9>`.
ROLE = re.compile(r"\{(?P<role>[a-z][a-z:-]*)\}`(?P<text>[^`]+)`")
#: A link to another page by its source: [words](page.md#place).
TO_PAGE = re.compile(
    r"\[(?P<words>[^\[\]]*)\]\((?P<path>[\w./-]+)\.md(?P<place>#[\w.-]+)?\)"
)
#: What is left as it is: code between backticks and formulas between dollar signs.
CODE_OR_MATH = re.compile(
    r"(?<!\\)(?P<code>`+)(?!`).+?(?<!`)(?P=code)(?!`)"
    r"|(?<!\\)\$\$.+?\$\$"
    r"|(?<!\\)\$[^$]+?\$",
    re.DOTALL,
)


def _content(match: re.Match[str]) -> str:
    """Return the words of a role: its title where it has one, else what it names."""
    text = match["text"].strip()
    titled = re.fullmatch(r"(?s)(?P<title>.+?)\s*<[^<>]+>", text)
    return titled["title"] if titled else text


def plain_words(text: str, role: Callable[[re.Match[str]], str] = _content) -> str:
    """Return MyST text with roles and links to other pages as their words.

    `role` gives the words of a role.
    """
    return TO_PAGE.sub(
        lambda match: match["words"] or match["path"].rpartition("/")[2],
        ROLE.sub(role, text),
    )


def plain_html(text: str) -> str:
    """Return a line of MyST as HTML.

    Roles and links are words, code and strong words marked, formulas for MathJax.
    """
    escaped = html.escape(plain_words(text), quote=False)
    return rewritten(escaped, CODE_OR_MATH, _marked, _strong)


def _marked(match: re.Match[str]) -> str:
    """Return code marked up; a formula stays."""
    ticks = match["code"]
    return f"<code>{match[0].strip(ticks)}</code>" if ticks else match[0]


def rewritten(
    text: str,
    pattern: re.Pattern[str],
    within: Callable[[re.Match[str]], str],
    between: Callable[[str], str],
) -> str:
    """Return a text with what matches a pattern, and what lies between, rewritten."""
    parts = []
    end = 0
    for match in pattern.finditer(text):
        parts += [between(text[end : match.start()]), within(match)]
        end = match.end()
    return "".join([*parts, between(text[end:])])


def _strong(text: str) -> str:
    """Return text with **words** and *words* marked up."""
    text = re.sub(r"\*\*(\S(?:[^*]*\S)?)\*\*", r"<strong>\1</strong>", text)
    return re.sub(r"\*(\S(?:[^*]*\S)?)\*", r"<em>\1</em>", text)
