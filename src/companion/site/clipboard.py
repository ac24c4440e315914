"""Give what a reader copies from a claim: its corrected statement in LaTeX, and a sentence that cites it."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from typing import Any

from companion import __version__
from companion.citing.citation import escape
from companion.citing.publication import Publication
from companion.ledger.numbering import mentions

#: What a citation says after the place, by verdict, with and without a corrected
#: statement.
SAID = {
    ("false", True): "is false as printed; corrected in",
    ("false", False): "is false as printed; see",
    (
        "holds-with-condition",
        True,
    ): "holds under a condition that is not printed; this, and a correction, in",
    ("holds-with-condition", False): "holds under a condition that is not printed; see",
    ("holds", True): "holds; a sharper statement is in",
}
_DISPLAY = re.compile(r"^\$\$\n(.*?)\n\$\$$", re.DOTALL | re.MULTILINE)
#: A formula, in which a star is one; stressed words, with formulas; code.
_MARKED = re.compile(
    r"\$[^$]+\$|(?<![\w*])\*((?:[^*$\n]|\$[^$]+\$)+)\*(?!\*)|`([^`\n]+)`"
)


def _text(text: str) -> str:
    """Return Markdown without displays as LaTeX."""
    names = ("", "emph", "texttt")
    return _MARKED.sub(
        lambda m: (
            rf"\{names[m.lastindex]}{{{m[m.lastindex]}}}" if m.lastindex else m[0]
        ),
        escape(text),
    )


def latex(claim: Mapping[str, Any]) -> str:
    """Return the corrected statement in LaTeX, or the printed one with the condition that it needs."""
    if "correction" in claim:
        parts = [claim["correction"]]
    else:
        parts = [
            claim["statement"],
            *claim["hypotheses"],
            f"*Condition that is needed:* {claim['condition']}",
        ]
    pieces = _DISPLAY.split("\n\n".join(part.strip() for part in parts))
    body = "".join(
        f"\\[\n{piece}\n\\]" if place % 2 else _text(piece)
        for place, piece in enumerate(pieces)
    )
    return f"% {claim['id']}, mollified {__version__}\n{body}\n"


def _who(source: Mapping[str, Any], also: str) -> str:
    """Return who wrote a text, which text it is, and where it is printed in others."""
    names = [
        name.split()[-1]
        for name in source.get("authors", ())
        if not name.startswith("Anonymous")
    ]
    if not names:
        return f"“{source.get('title', source['short'])}”"
    who = f"{names[0]} et al." if len(names) > 2 else " and ".join(names)
    return f"{who} ({source['short']}{also})"


def citation(
    claim: Mapping[str, Any], sources: Mapping[str, Any], publication: Publication
) -> str:
    """Return a sentence that says where a statement is printed last, what becomes of it, and where that is shown."""
    numbered = [
        place
        for place in claim["places"]
        if (found := mentions(place["at"])) and not found[0].near
    ]
    *others, place = numbered or claim["places"]
    also = "".join(
        f"; {item['at'].partition(',')[0]} of {sources[item['source']]['short']}"
        for item in others
    )
    first = next(
        (item for item in mentions(place["at"]) if item.span and item.span[0] == 0),
        None,
    )
    at = (
        first.label
        if first and first.kind != "equation"
        else f"The statement at “{place['at']}”"
    )
    sentence = (
        f"{at[0].upper()}{at[1:]} of {_who(sources[place['source']], also)} "
        f"{SAID[claim['verdict'], 'correction' in claim]} {', '.join(publication.authors)}, "
        f"“{publication.title}”, mollified {__version__}, claim {claim['id']}"
    )
    return ", ".join(
        filter(None, (sentence, publication.address(f"claims/{claim['id']}")))
    )


def copies(
    claim: Mapping[str, Any],
    sources: Mapping[str, Any],
    publication: Publication,
    page: str,
) -> str:
    """Return a hidden element with both texts, from which a script makes buttons; none where nothing is corrected.

    `page` is the address of the claim's page from where the element stands: the script
    adds it on a site that is read over the network, where the build was told no
    address.
    """
    if (claim["verdict"], "correction" in claim) not in SAID:
        return ""
    what = "corrected statement" if "correction" in claim else "statement and condition"
    given = {
        "claim": claim["id"],
        "what": what,
        "cite": citation(claim, sources, publication),
    }
    if "correction" in claim or "condition" in claim:
        given["latex"] = latex(claim)
    if not publication.site:
        given["page"] = page
    data = " ".join(
        f'data-{name}="{html.escape(text)}"' for name, text in given.items()
    )
    return f'<div class="mf-copy" hidden {data}></div>'.replace("\n", "&#10;")
