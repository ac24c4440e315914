"""Turn the MyST of a page into plain Markdown, which any notebook program shows."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from companion.paths import CompanionError
from companion.plain_text import CODE_OR_MATH, TO_PAGE, plain_words
from companion.site.nodes import badge_text
from companion.site.records import ClaimRecord, SourceRecord

#: A directive: its fence, name, title and body; a longer fence may hold others.
_BLOCK = re.compile(
    r"^(?P<fence>`{3,}|:{3,})\{(?P<name>[a-z-]+)\}[ \t]*(?P<title>[^\n]*?)[ \t]*\n"
    r"(?::[a-z]+:[^\n]*\n)*(?P<body>.*?)^(?P=fence)[ \t]*$",
    re.MULTILINE | re.DOTALL,
)
#: Directives that are boxes; one without a title has its name.
_BOXES = ("admonition", "note", "tip", "important", "warning", "dropdown")

#: The parts of a claim after its statement, in the order of the card in the book.
_PARTS = {
    "breaks": "What breaks",
    "counterexample": "Counterexample",
    "condition": "Condition that is needed",
    "correction": "Corrected statement",
    "reason": "Why it is outside",
    "note": "Note",
}
#: The same for what an experiment showed that was run again.
_RERUN_PARTS = {**_PARTS, "correction": "What our rerun shows"}
#: Parts that say why the printed statement fails.
_REFUTING = ("breaks", "counterexample")


def claim_line(claim: ClaimRecord) -> str:
    """Return id, title and verdict of a claim in one line."""
    return f"**{claim['id']}** {claim['title']}: {badge_text(claim, graded=True)}"


def _list_item(text: str) -> str:
    return "- " + text.strip().replace("\n", "\n  ")


def _labelled_parts(claim: ClaimRecord) -> list[str]:
    """Return the parts of a claim after its statement, each with its label."""
    refuted = claim["verdict"] in ("false", "holds-with-condition")
    rerun = claim["verdict"] in ("variant-only", "not-reproduced")
    texts: Mapping[str, object] = claim
    parts = []
    for key, label in (_RERUN_PARTS if rerun else _PARTS).items():
        text = texts.get(key)
        if text and (refuted or key not in _REFUTING):
            parts.append(f"*{label}:* {str(text).strip()}")
    return parts


def claim_text(claim: ClaimRecord, sources: Mapping[str, SourceRecord]) -> str:
    """Return a claim as the card on its page.

    That is statement, hypotheses, verdict and where it is printed.
    """
    kind = claim["kind"].replace("-", " ")
    named = f"**{claim['id']}**, {kind}: **{claim['title']}**."
    parts = [
        f"{named} {badge_text(claim, graded=True)}",
        claim["statement"].strip(),
    ]
    if claim["hypotheses"]:
        listing = "\n".join(map(_list_item, claim["hypotheses"]))
        parts.append(f"*Hypotheses as printed:*\n\n{listing}")
    parts += _labelled_parts(claim)
    places = "; ".join(
        f"{sources[place['source']]['short']}: {place['at']}"
        for place in claim["places"]
    )
    if places:
        parts.append(f"*Printed at:* {places}.")
    return "\n\n".join(parts)


@dataclass
class PlainPage:
    """Hold what the words of one page need from the rest of the book.

    `claims` and `sources` are those of claims.json, `values` the numbers in the prose
    by page, `titles` the titles by document, `cites` the words of a citation by key;
    `address` gives the address of a document in the site, or None.
    """

    page: str
    claims: Mapping[str, ClaimRecord]
    sources: Mapping[str, SourceRecord]
    values: Mapping[str, Mapping[str, str]]
    titles: Mapping[str, str]
    cites: Mapping[str, str]
    address: Callable[[str], str | None]
    named: list[str] = field(default_factory=list)
    shown: list[str] = field(default_factory=list)

    def markdown(self, text: str) -> str:
        """Return MyST that Sphinx could read as plain Markdown.

        Raises CompanionError for what has no such form.
        """
        parts = []
        end = 0
        for match in _BLOCK.finditer(text):
            parts.append(self._inline(text[end : match.start()]))
            parts.append(self._block(match["name"], match["title"], match["body"]))
            end = match.end()
        return "".join([*parts, self._inline(text[end:])]).strip("\n")

    def left_over(self) -> str:
        """Return a list of the claims that the page names without showing them."""
        names = sorted(set(self.named) - set(self.shown))
        if not names:
            return ""
        lines = [f"- {self._inline(claim_line(self.claims[name]))}" for name in names]
        heading = "**Claims that this page names without their statement**"
        return f"{heading}\n\n" + "\n".join(lines)

    def _block(self, name: str, title: str, body: str) -> str:
        match name:
            case "claim-card":
                self.shown.append(title)
                card = claim_text(self.claims[title], self.sources)
                return _quoted(self._inline(card))
            case "exercise":
                heading = f"**Exercise: {self._inline(title)}**"
                return f"{heading}\n\n{self.markdown(body)}"
            case "solution-start":
                return "**Solution.**"
            case "solution-end":
                return ""
            case "widget":
                here = self._inline(f"[on its page]({self.page}.md)")
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
                self.named.append(text)
                return text
            case "val":
                page, _, key = text.partition(":")
                return self.values[page][key]
            case "cite:t":
                return self._cites(text)
            case "cite" | "cite:p":
                return f"({self._cites(text)})"
        raise CompanionError(f"no plain form is known of the role {role!r}")

    def _cites(self, keys: str) -> str:
        return "; ".join(self.cites[key.strip()] for key in keys.split(","))

    def _link(self, match: re.Match[str]) -> str:
        """Return a link to the site where its address is known, else its words."""
        path = match["path"].removeprefix("../")
        document = path if "/" in path else f"notebooks/{path}"
        words = match["words"] or self.titles[document]
        address = self.address(document)
        return f"[{words}]({address}{match['place'] or ''})" if address else words


def _on_one_line(match: re.Match[str]) -> str:
    return " ".join(match[0].split())


def _quoted(text: str) -> str:
    """Return a text as a quotation, with a blank line around it.

    Each formula stands on one line: notebook programs take formulas out before they
    read Markdown, and would take the sign of the quotation at the start of a line for
    "greater than".
    """
    whole = CODE_OR_MATH.sub(_on_one_line, text.strip("\n"))
    lines = "\n".join(f"> {line}".rstrip() for line in whole.split("\n"))
    return f"\n{lines}\n"
