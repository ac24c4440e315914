"""Link claims, figures and numbers.

A link has one of these kinds. To a claim: `entry`, its page or, where there is none,
its line in the ledger; `line`, that line; `claim`, the card on the page after `@`, else
as `entry`. To a page, by its title: `card`, at the card of the claim after `@`. To all
claims of a verdict, or of a verdict and a grade or kind (`holds&grade=proved`):
`filter`. To a number of a text: `number`. To a figure: `figure`, on the page that shows
it; `address`, on its own. To a proof in a section of a page: `proof`. In print a claim
is its card, where it has one. What a target lacks in this book leaves plain text or a
warning.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.nodes import make_refnode

from companion.site.ledger_view import anchor
from companion.site.nodes import first_above
from companion.site.notes import Notes, notes_of
from companion.site.permalinks import claim_address, figure_address, figure_anchor

#: What the type of a node begins with that is one of these links.
_OURS = "companion-"
#: What a link becomes: a link of the document, its words alone, or a warning.
Resolved: TypeAlias = "nodes.Element | None"


def link(
    kind: str,
    target: str,
    docname: str,
    *content: nodes.Node | str,
) -> pending_xref:
    """Return a link of a kind; a page and a figure give it their title."""
    target, _, other = target.partition("@")
    return pending_xref(
        "",
        *content,
        companion_other=other,
        refdomain="",
        reftype=f"{_OURS}{kind}",
        reftarget=target,
        refdoc=docname,
        refwarn=True,
    )


@dataclass(frozen=True)
class Link:
    """Hold a link that is to be resolved: its builder, its words, what it names.

    `other` is what follows the `@`, and `here` the page on which it stands. Claims have
    pages where the book is made `in_html`, for the web.
    """

    app: Sphinx
    notes: Notes
    in_html: bool
    words: nodes.Element
    here: str
    kind: str
    target: str
    other: str

    def has_page(self, page: str) -> bool:
        """Return whether the book has a page."""
        return page in self.app.env.all_docs

    def has_card(self, page: str, claim: str) -> bool:
        """Return whether a page has the card of a claim."""
        return claim in self.notes.cards.get(page, ())

    def to(
        self,
        page: str,
        place: str = "",
        words: nodes.Element | None = None,
    ) -> nodes.reference:
        """Return the link to a place on a page, with its own words or others."""
        content = self.words if words is None else words
        return make_refnode(self.app.builder, self.here, page, place, content)

    def titled(self, page: str, place: str = "") -> Resolved:
        """Return the link to a place on a page, with the title of the page."""
        if not self.has_page(page):
            return None
        title = self.app.env.titles[page].astext()
        return self.to(page, place, nodes.inline(title, title))

    def into(self, directive: str, place: str) -> Resolved:
        """Return the link to a place on the page that has a directive."""
        page = self.notes.pages.get(directive)
        return None if page is None else self.to(page, place)

    def to_web_page(self, page: str) -> Resolved:
        """Return the link to a page that only the book on the web has."""
        return self.to(page) if self.in_html and self.has_page(page) else None


def _card(link: Link) -> Resolved:
    page = link.target
    has_card = link.has_card(page, link.other)
    return link.titled(page, anchor(link.other) if has_card else "")


def _figure(link: Link) -> Resolved:
    page = link.target.partition("/")[0]
    return link.titled(f"notebooks/{page}", figure_anchor(link.target))


def _address(link: Link) -> Resolved:
    page = figure_address(link.target.partition("/")[2])
    return link.to_web_page(page) or link.words


def _proof(link: Link) -> Resolved:
    name, _, section = link.target.partition("#")
    page = f"notebooks/{name}"
    if not link.has_page(page):
        return link.words
    place = link.notes.proofs.get(page, {}).get(section)
    if not place:
        return None
    return link.to(page, place if link.in_html else section)


def _claim(link: Link) -> Resolved:
    if link.has_card(link.other, link.target):
        return link.to(link.other, anchor(link.target))
    return _entry(link)


def _entry(link: Link) -> Resolved:
    return link.to_web_page(claim_address(link.target)) or _in_ledger(link)


def _in_ledger(link: Link) -> Resolved:
    return link.into("ledger", anchor(link.target))


def _filter(link: Link) -> Resolved:
    reference = link.into("ledger", "")
    if reference and link.in_html:
        reference["refuri"] += f"?verdict={link.target}"
    return reference


RESOLVERS: dict[str, Callable[[Link], Resolved]] = {
    "number": lambda link: link.into("numbering", link.target) or link.words,
    "card": _card,
    "figure": _figure,
    "address": _address,
    "proof": _proof,
    "claim": _claim,
    "entry": _entry,
    "line": lambda link: _in_ledger(link) or link.words,
    "filter": _filter,
}


def resolve(
    app: Sphinx,
    env: BuildEnvironment,
    node: pending_xref,
    content: nodes.Element,
) -> Resolved:
    """Resolve a link; None leaves it a warning."""
    kind = node["reftype"]
    if not kind.startswith(_OURS):
        return None
    link = Link(
        app,
        notes_of(env),
        app.builder.format == "html",
        content,
        node["refdoc"],
        kind.removeprefix(_OURS),
        node["reftarget"],
        node["companion_other"],
    )
    if not link.in_html:
        cards = link.notes.cards
        holders = sorted(page for page in cards if link.target in cards[page])
        if holders:
            page = link.here if link.here in holders else holders[0]
            return link.to(page, anchor(link.target))
    return RESOLVERS[link.kind](link)


def note_proofs(app: Sphinx, doctree: nodes.document) -> None:
    """Give the proof of each section the address `proof-<section>`.

    It is the first paragraph that begins with the word Proof.
    """
    places: dict[str, str] = {}
    for section in doctree.findall(nodes.section):
        for name in section["ids"]:
            places[name] = name
    for part in doctree.findall(nodes.paragraph):
        match part.children:
            case [nodes.emphasis() | nodes.strong() as first, *_]:
                section = first_above(part, nodes.section)
                name = next(iter(section["ids"]), "") if section else ""
                if first.astext().startswith("Proof") and places.get(name) == name:
                    places[name] = f"proof-{name}"
                    part["ids"].append(places[name])
    notes_of(app.env).proofs[app.env.docname] = places
