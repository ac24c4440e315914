"""Turn the MyST of a page into plain Markdown, which any notebook program shows."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from companion.ledger.records import ClaimRecord, SourceRecord
from companion.paths import CompanionError
from companion.plain_text import CODE_OR_MATH, TO_PAGE, plain_words, rewritten
from companion.site.nodes import badge_text
from companion.site.template_directives import MYST_TEMPLATES

#: A directive: its fence, name, title and body; a longer fence may hold others.
_BLOCK = re.compile(
    r"^(?P<fence>`{3,}|:{3,})\{(?P<name>[a-z-]+)\}[ \t]*(?P<title>[^\n]*?)[ \t]*\n"
    r"(?::[a-z]+:[^\n]*\n)*(?P<body>.*?)^(?P=fence)[ \t]*$",
    re.MULTILINE | re.DOTALL,
)
#: Directives that are boxes; one without a title has its name.
_BOXES = ("admonition", "note", "tip", "important", "warning", "dropdown")


def claim_text(claim: ClaimRecord, sources: Mapping[str, SourceRecord]) -> str:
    """Return a claim as the card on its page.

    That is statement, hypotheses, verdict and where it is printed.
    """
    template = MYST_TEMPLATES.get_template("plain_claim.md.j2")
    return template.render(claim=claim, sources=sources).strip()


@dataclass(frozen=True)
class Known:
    """Hold what the words of every page need from the rest of the book.

    `claims` and `sources` are those of claims.json, `values` the numbers in the prose
    by page, `titles` the titles by document, `cites` the words of a citation by key;
    `address` gives the address of a document in the site, or None.
    """

    claims: Mapping[str, ClaimRecord]
    sources: Mapping[str, SourceRecord]
    values: Mapping[str, Mapping[str, str]]
    titles: Mapping[str, str]
    cites: Mapping[str, str]
    address: Callable[[str], str | None]


class PlainPage:
    """Write one page as plain Markdown, and remember which claims it names and shows.

    `known` is what its words need.
    """

    def __init__(self, page: str, known: Known) -> None:
        self._page = page
        self._known = known
        self._named: set[str] = set()
        self._shown: set[str] = set()

    def markdown(self, text: str) -> str:
        """Return MyST that Sphinx could read as plain Markdown.

        Raises CompanionError for what has no such form.
        """
        return rewritten(text, _BLOCK, self._block, self._inline).strip("\n")

    def left_over(self) -> str:
        """Return a list of the claims that the page names without showing them."""
        names = sorted(self._named - self._shown)
        if not names:
            return ""
        text = "**Claims that this page names without their statement**\n"
        for name in names:
            claim = self._known.claims[name]
            line = f"**{name}** {claim['title']}: {badge_text(claim, graded=True)}"
            text += f"\n- {self._inline(line)}"
        return text

    def _block(self, block: re.Match[str]) -> str:
        name, title, body = block.group("name", "title", "body")
        match name:
            case "claim-card":
                self._shown.add(title)
                card = claim_text(self._known.claims[title], self._known.sources)
                return _quoted(self._inline(card))
            case "exercise":
                heading = f"**Exercise: {self._inline(title)}**"
                return f"{heading}\n\n{self.markdown(body)}"
            case "solution-start":
                return "**Solution.**"
            case "solution-end":
                return ""
            case "widget":
                here = self._inline(f"[on its page]({self._page}.md)")
                return (
                    f"*Here the book has an interactive figure ({here}); "
                    "the figure above is on the same matter.*"
                )
        if name in _BOXES:
            heading = self._inline(title) or name.capitalize()
            return _quoted(f"**{heading}**\n\n{self.markdown(body)}")
        raise CompanionError(f"no plain form is known of the directive {name!r}")

    def _inline(self, text: str) -> str:
        return plain_words(TO_PAGE.sub(self._link, text), self._role)

    def _role(self, match: re.Match[str]) -> str:
        role = match["role"]
        text = match["text"].strip()
        match role:
            case "claim":
                self._named.add(text)
                return text
            case "val":
                page, _, key = text.partition(":")
                return self._known.values[page][key]
            case "cite:t":
                return self._cites(text)
            case "cite" | "cite:p":
                return f"({self._cites(text)})"
        raise CompanionError(f"no plain form is known of the role {role!r}")

    def _cites(self, keys: str) -> str:
        return "; ".join(self._known.cites[key.strip()] for key in keys.split(","))

    def _link(self, match: re.Match[str]) -> str:
        """Return a link to the site where its address is known, else its words."""
        path = match["path"].removeprefix("../")
        document = path if "/" in path else f"notebooks/{path}"
        words = match["words"] or self._known.titles[document]
        address = self._known.address(document)
        return f"[{words}]({address}{match['place'] or ''})" if address else words


def _quoted(text: str) -> str:
    """Return a text as a quotation, with a blank line around it.

    Each formula stands on one line: notebook programs take formulas out before they
    read Markdown, and would take the sign of the quotation at the start of a line for
    "greater than".
    """
    whole = CODE_OR_MATH.sub(lambda match: " ".join(match[0].split()), text.strip("\n"))
    lines = "\n".join(f"> {line}".rstrip() for line in whole.split("\n"))
    return f"\n{lines}\n"
