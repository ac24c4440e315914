"""Give what a reader copies of a claim: its corrected statement, and a citation."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping, Sequence

from companion import __version__
from companion.citing.citation import escape, in_short
from companion.citing.publication import Publication
from companion.ledger.numbering import mentions
from companion.ledger.records import ClaimRecord, PlaceRecord, SourceRecord

_CONDITION = "holds-with-condition"
#: What a citation says after the place, by verdict, with and without a corrected
#: statement.
SAID = {
    ("false", True): "is false as printed; corrected in",
    ("false", False): "is false as printed; see",
    (_CONDITION, True): (
        "holds under a condition that is not printed; this, and a correction, in"
    ),
    (_CONDITION, False): "holds under a condition that is not printed; see",
    ("holds", True): "holds; a sharper statement is in",
}
_DISPLAY = re.compile(r"^\$\$\n(.*?)\n\$\$$", re.DOTALL | re.MULTILINE)
#: A formula, in which a star is one; stressed words, with formulas; code.
_MARKED = re.compile(
    r"\$[^$]+\$"
    r"|(?<![\w*])\*(?P<stressed>(?:[^*$\n]|\$[^$]+\$)+)\*(?!\*)"
    r"|`(?P<code>[^`\n]+)`"
)
#: What the authors of a text are called that names none.
_NOBODY = "Anonymous"


def _marked(match: re.Match[str]) -> str:
    if match["stressed"]:
        return rf"\emph{{{match['stressed']}}}"
    if match["code"]:
        return rf"\texttt{{{match['code']}}}"
    return match[0]  # a formula


def _text(text: str) -> str:
    """Return Markdown without displays as LaTeX."""
    return _MARKED.sub(_marked, escape(text))


def latex(claim: ClaimRecord) -> str:
    """Return the corrected statement in LaTeX.

    Where there is none, it is the printed one with the condition that it needs.
    """
    if "correction" in claim:
        parts = [claim["correction"]]
    else:
        needed = f"*Condition that is needed:* {claim['condition']}"
        parts = [claim["statement"], *claim["hypotheses"], needed]
    pieces = _DISPLAY.split("\n\n".join(part.strip() for part in parts))
    words = [_text(piece) for piece in pieces[::2]]
    body = words[0]
    for display, text in zip(pieces[1::2], words[1:], strict=True):
        body += f"\\[\n{display}\n\\]{text}"
    return f"% {claim['id']}, mollified {__version__}\n{body}\n"


def _numbered(places: Sequence[PlaceRecord]) -> list[PlaceRecord]:
    """Return the places that have a number of their own; all, where none has one."""
    numbered = [
        place
        for place in places
        if any(not item.near for item in mentions(place["at"])[:1])
    ]
    return numbered or list(places)


def _subject(at: str) -> str:
    """Return what a sentence calls a statement that is printed at a place."""
    at_start = (item for item in mentions(at) if item.span and item.span[0] == 0)
    first = next(at_start, None)
    if first is None or first.kind == "equation":
        return f"The statement at “{at}”"
    return f"{first.label[0].upper()}{first.label[1:]}"


def citation(
    claim: ClaimRecord,
    sources: Mapping[str, SourceRecord],
    publication: Publication,
) -> str:
    """Return a sentence that cites a claim.

    It says where a statement is printed last, what becomes of it, and where that is
    shown.
    """
    *others, place = _numbered(claim["places"])
    also = ""
    for other in others:
        number = other["at"].partition(",")[0]
        also += f"; {number} of {sources[other['source']]['short']}"
    source = sources[place["source"]]
    who = f"“{source.get('title', source['short'])}”"
    names = [
        name.split()[-1]
        for name in source.get("authors", ())
        if not name.startswith(_NOBODY)
    ]
    if names:
        who = f"{in_short(names)} ({source['short']}{also})"
    sentence = (
        f"{_subject(place['at'])} of {who} "
        f"{SAID[claim['verdict'], 'correction' in claim]} "
        f"{', '.join(publication.authors)}, “{publication.title}”, "
        f"mollified {__version__}, claim {claim['id']}"
    )
    if address := publication.address(f"claims/{claim['id']}"):
        sentence += f", {address}"
    return sentence


def copies(
    claim: ClaimRecord,
    sources: Mapping[str, SourceRecord],
    publication: Publication,
    page: str,
) -> str:
    """Return a hidden element with both texts, from which a script makes buttons.

    There is none where nothing is corrected. `page` is the address of the claim's page
    from where the element stands: the script adds it on a site that is read over the
    network, where the build was told no address.
    """
    corrected = "correction" in claim
    if (claim["verdict"], corrected) not in SAID:
        return ""
    texts = {
        "claim": claim["id"],
        "what": "corrected statement" if corrected else "statement and condition",
        "cite": citation(claim, sources, publication),
    }
    if corrected or "condition" in claim:
        texts["latex"] = latex(claim)
    if not publication.site:
        texts["page"] = page
    data = " ".join(
        f'data-{name}="{html.escape(text)}"' for name, text in texts.items()
    )
    return f'<div class="mf-copy" hidden {data}></div>'.replace("\n", "&#10;")
