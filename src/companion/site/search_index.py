"""Write what scripts need for the search and for previews of links.

They find a statement by its number and a page by its words. Words of the glossary
become links where a page says them first, and what they lead to is known to the search.
"""

from __future__ import annotations

import html
import json
import posixpath
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple, TypedDict

import yaml
from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.nodes import make_refnode

from companion.compat import rendered
from companion.ledger.numbering import KINDS, STATEMENTS, rows_of
from companion.ledger.records import ClaimRecord
from companion.paths import write_whole
from companion.plain_text import plain_html
from companion.site.ledger_view import CLAIMS, Claims, anchor, load_claims
from companion.site.nodes import badge_classes, badge_text, first_above
from companion.site.permalinks import FOLDER

#: What the search and the links know of words, beside the pages.
WORDS = "book/words.yml"
#: The texts of a claim in which a reader may search.
TEXTS = (
    "statement",
    "condition",
    "breaks",
    "counterexample",
    "correction",
    "reason",
    "note",
)
#: A display or a formula of the ledger.
_MATH = re.compile(r"\$\$(?P<display>.+?)\$\$|\$(?P<line>[^$]+?)\$", re.DOTALL)


class Words(TypedDict):
    """Hold what the search and the links know of words.

    `search` are more words of a page, by page; `plain` those that are no links.
    """

    search: dict[str, list[str]]
    plain: list[str]


class Term(NamedTuple):
    """Hold a word of the glossary, its page and its address there."""

    name: str
    page: str
    address: str


def _names(claims: Claims, source: str) -> list[str]:
    """Return the words that name a text.

    They are its id, how the ids of its claims begin, its authors, where it appeared.
    """
    entry = claims.sources[source]
    words = [claim["id"].partition("-")[0] for claim in claims.first(source)]
    words += [
        author.rpartition(" ")[2]
        for author in entry.get("authors", [])
        if "uthors" not in author
    ]
    words += re.findall(r"\((\w+)\)", entry.get("venue") or "")
    lower = [word.lower() for word in words]
    own = [word for word in lower if word not in claims.sources]
    return list(dict.fromkeys([source, *own]))


def table_of_numbers(claims: Claims) -> dict[str, object]:
    """Return what the search knows of numbers.

    It is the kinds of numbers, the texts with their names and rows, and title and
    verdict of each claim.
    """
    texts = []
    for source in claims.sources:
        rows = []
        for row in rows_of(claims.all, source):
            mention = row.mention
            if row.here and mention.number:
                ids = [claim["id"] for claim in row.here]
                rows.append([mention.kind, mention.number, mention.label, ids])
        title = claims.source_name(source)
        texts.append({"title": title, "words": _names(claims, source), "rows": rows})
    named = {claim["id"]: [claim["title"], badge_text(claim)] for claim in claims.all}
    return {
        "kinds": list(KINDS),
        "statements": list(STATEMENTS),
        "texts": texts,
        "claims": named,
    }


def _formula(match: re.Match[str]) -> str:
    display = match["display"]
    text = rf"\[{display}\]" if display else rf"\({match['line']}\)"
    return f'<span class="math">{text}</span>'


def claim_preview(claims: Claims, claim: ClaimRecord) -> str:
    """Return the HTML of a preview.

    It has name and title, verdict, the statement, and where it is printed.
    """
    places = "; ".join(
        f"{claims.source_name(place['source'])}: {place['at']}"
        for place in claim["places"]
    )
    statement = _MATH.sub(_formula, plain_html(" ".join(claim["statement"].split())))
    return (
        f"<p><strong>{claim['id']}</strong> {html.escape(claim['title'])} "
        f'<span class="{" ".join(badge_classes(claim))}">{badge_text(claim)}</span></p>'
        f'<p>{statement}</p><p class="mf-places">{html.escape(places)}</p>'
    )


def _glossaries(env: BuildEnvironment) -> dict[str, list[Term]]:
    """Return the words of the glossary, by page."""
    terms: dict[str, list[Term]] = {}
    for name, _, kind, page, address, _ in env.get_domain("std").get_objects():
        if kind == "term":
            term = Term(name.partition(",")[0], page, address)
            terms.setdefault(page, []).append(term)
    return terms


def _take_links(text: nodes.Element, page: str) -> str:
    """Take the links to other pages out of a text; return the page of the last one.

    Without one it is the page itself.
    """
    links = [
        link
        for link in text.findall(nodes.reference)
        if not link.get("refuri", "#").startswith("#")
    ]
    for link in links:
        link.parent.remove(link)
    if not links:
        return page
    target = links[-1]["refuri"].partition("#")[0].removesuffix(".html")
    return posixpath.normpath(posixpath.join(posixpath.dirname(page), target))


def glossary(app: Sphinx) -> Iterator[tuple[Term, str, str]]:
    """Yield the words of the glossary.

    Each is followed by what the glossary says of it, in HTML without links, and by the
    page that introduces it.
    """
    for page, terms in _glossaries(app.env).items():
        known = {term.address: term for term in terms}
        tree = app.env.get_and_resolve_doctree(page, app.builder)
        for item in tree.findall(nodes.definition_list_item):
            names = item.next_node(nodes.term)["ids"]
            term = next((known[name] for name in names if name in known), None)
            if term is None:
                continue
            text = item.next_node(nodes.definition)
            introduced = _take_links(text, page)
            says = "".join(rendered(app, part) for part in text.children)
            head = f"<p><strong>{html.escape(term.name)}</strong></p>"
            yield term, head + re.sub(r"</?a\b[^>]*>", "", says), introduced


@cache
def _words(path: Path) -> Words:
    """Return the words of the search and the links, none where there is no file."""
    words: Words = {"search": {}, "plain": []}
    if path.is_file():
        words.update(yaml.safe_load(path.read_text(encoding="utf-8")))
    return words


class LinkWords(SphinxPostTransform):
    """Let a page lead to the glossary where it first says one of its words.

    Only words in a paragraph, and not in a link, count.
    """

    default_priority = 890
    formats = ("html",)

    def run(self, **_: object) -> None:
        """Replace the first mention of each word by a link."""
        here = self.env.docname
        glossaries = _glossaries(self.env)
        if not glossaries or here in glossaries or here.startswith(f"{FOLDER}/"):
            return
        plain = _words(Path(self.env.srcdir) / WORDS)["plain"]
        left: dict[str, Term] = {}
        for terms in glossaries.values():
            for term in terms:
                if term.name not in plain:
                    left[term.name.lower().removesuffix("s")] = term
        known = "|".join(map(re.escape, sorted(left, key=len, reverse=True)))
        word = re.compile(rf"(?<![\w-])({known})s?(?![\w-])", re.IGNORECASE)
        for text in list(self.document.findall(nodes.Text)):
            # One in a table, a figure, a note or a claim is no prose.
            in_paragraph = isinstance(text.parent, nodes.paragraph)
            if in_paragraph and first_above(text, _BOXED) is None:
                self._link(text, word, left)

    def _link(
        self,
        text: nodes.Text,
        word: re.Pattern[str],
        left: dict[str, Term],
    ) -> None:
        """Replace the words in a text that are left by links."""
        parts: list[nodes.Node] = []
        end = 0
        for match in word.finditer(text):
            term = left.pop(match[1].lower(), None)
            if term is None:
                continue
            shown = nodes.inline(match[0], match[0], classes=["mf-word"])
            parts.append(nodes.Text(text[end : match.start()]))
            parts.append(
                make_refnode(
                    self.app.builder, self.env.docname, term.page, term.address, shown
                )
            )
            end = match.end()
        if parts:
            text.parent.replace(text, [*parts, nodes.Text(text[end:])])


#: Where words are no links.
_BOXED = (nodes.table, nodes.figure, nodes.Admonition, nodes.container, addnodes.only)


def write_tables(app: Sphinx) -> None:
    """Write the tables beside the scripts that read them.

    They are scripts too, since a page from a folder may fetch no file.
    """
    if not (Path(app.srcdir) / CLAIMS).is_file():
        return
    claims = load_claims(app.env)
    search = dict(_words(Path(app.srcdir) / WORDS)["search"])
    previews = {claim["id"]: claim_preview(claims, claim) for claim in claims.all}
    for term, text, introduced in glossary(app):
        previews[term.address] = text
        for page in (introduced, f"{term.page}#{term.address}"):
            search[page] = [*search.get(page, []), term.name]
    numbers = {**table_of_numbers(claims), "words": search}
    hidden = {}
    for claim in claims.all:
        # What its line in the ledger does not show, for the filter there.
        words = [str(claim.get(key) or "") for key in ("kind", *TEXTS)]
        words += claim["hypotheses"]
        hidden[anchor(claim["id"])] = " ".join(" ".join(words).lower().split())
    tables: dict[str, object] = {
        "numbers-table.js": numbers,
        "preview-texts.js": previews,
        "ledger-words.js": hidden,
    }
    for file, table in tables.items():
        # A script, which holds the table for the script that loads it.
        text = json.dumps(table, ensure_ascii=False, separators=(",", ":"))
        path = Path(app.outdir) / "_static" / file
        write_whole(path, f"document.currentScript.mfData = {text};\n")
