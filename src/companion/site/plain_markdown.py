"""Turn the MyST of a page into plain Markdown, which any notebook program shows: directives, roles, links."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.paths import CompanionError
from companion.plain_text import CODE_OR_MATH, TO_PAGE, plain_words
from companion.site.nodes import badge_text

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


def claim_line(claim: Mapping[str, Any]) -> str:
    """Return id, title and verdict of a claim in one line."""
    return f"**{claim['id']}** {claim['title']}: {badge_text(claim, graded=True)}"


def claim_text(
    claim: Mapping[str, Any], sources: Mapping[str, Mapping[str, Any]]
) -> str:
    """Return a claim as the card on its page: statement, hypotheses, verdict and where it is printed."""
    named = (
        f"**{claim['id']}**, {claim['kind'].replace('-', ' ')}: **{claim['title']}**."
    )
    parts = [f"{named} {badge_text(claim, graded=True)}"]
    parts.append(claim["statement"].strip())
    if claim["hypotheses"]:
        listing = "\n".join(
            "- " + item.strip().replace("\n", "\n  ") for item in claim["hypotheses"]
        )
        parts.append(f"*Hypotheses as printed:*\n\n{listing}")
    refuted = claim["verdict"] in ("false", "holds-with-condition")
    seen = (
        {"correction": "What our rerun shows"}
        if claim["verdict"] in ("variant-only", "not-reproduced")
        else {}
    )
    for key, words in (_PARTS | seen).items():
        if claim.get(key) and (refuted or key not in ("breaks", "counterexample")):
            parts.append(f"*{words}:* {claim[key].strip()}")
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
    claims: Mapping[str, Mapping[str, Any]]
    sources: Mapping[str, Mapping[str, Any]]
    values: Mapping[str, Mapping[str, str]]
    titles: Mapping[str, str]
    cites: Mapping[str, str]
    address: Callable[[str], str | None]
    named: list[str] = field(default_factory=list)
    shown: list[str] = field(default_factory=list)

    def markdown(self, text: str) -> str:
        """Return MyST that Sphinx could read as plain Markdown; raise CompanionError for what has no such form."""
        parts = []
        done = 0
        for match in _BLOCK.finditer(text):
            parts += [
                self._inline(text[done : match.start()]),
                self._block(*match.group("name", "title", "body")),
            ]
            done = match.end()
        return "".join([*parts, self._inline(text[done:])]).strip("\n")

    def left_over(self) -> str:
        """Return a list of the claims that the page names without showing them, or nothing."""
        rest = [name for name in dict.fromkeys(self.named) if name not in self.shown]
        if not rest:
            return ""
        lines = [
            f"- {self._inline(claim_line(self.claims[name]))}" for name in sorted(rest)
        ]
        return (
            "**Claims that this page names without their statement**\n\n"
            + "\n".join(lines)
        )

    def _block(self, name: str, title: str, body: str) -> str:
        if name == "claim-card":
            self.shown.append(title)
            return _quoted(self._inline(claim_text(self.claims[title], self.sources)))
        if name == "exercise":
            return f"**Exercise: {self._inline(title)}**\n\n{self.markdown(body)}"
        if name == "solution-start":
            return "**Solution.**"
        if name == "solution-end":
            return ""
        if name == "widget":
            here = self._inline(f"[on its page]({self.page}.md)")
            return f"*Here the book has an interactive figure ({here}); the figure above is on the same matter.*"
        if name in _BOXES:
            return _quoted(
                f"**{self._inline(title) or name.capitalize()}**\n\n{self.markdown(body)}"
            )
        raise CompanionError(f"no plain form is known of the directive {name!r}")

    def _inline(self, text: str) -> str:
        return plain_words(TO_PAGE.sub(self._link, text), self._role)

    def _role(self, match: re.Match[str]) -> str:
        role = match["role"]
        text = match["text"].strip()
        if role == "claim":
            self.named.append(text)
            return text
        if role == "val":
            page, _, key = text.partition(":")
            return self.values[page][key]
        if role in ("cite", "cite:t", "cite:p"):
            words = [self.cites[key.strip()] for key in text.split(",")]
            return "; ".join(words) if role == "cite:t" else f"({'; '.join(words)})"
        raise CompanionError(f"no plain form is known of the role {role!r}")

    def _link(self, match: re.Match[str]) -> str:
        """Return a link to the site where its address is known, else its words."""
        folder = match["path"].removeprefix("../")
        document = folder if "/" in folder else f"notebooks/{folder}"
        words = match["words"] or self.titles[document]
        address = self.address(document)
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
