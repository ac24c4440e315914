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
from companion.site.notes import Notes, notes_of
from companion.site.permalinks import claim_address, figure_address

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

    `other` is what follows the `@`, and `here` the page on which it stands.
    """

    app: Sphinx
    words: nodes.Element
    here: str
    kind: str
    target: str
    other: str

    @property
    def env(self) -> BuildEnvironment:
        """The environment of the build."""
        return self.app.env

    @property
    def notes(self) -> Notes:
        """What was noted as the pages were read."""
        return notes_of(self.env)

    @property
    def in_html(self) -> bool:
        """Whether the book is made for the web, where claims have pages."""
        return self.app.builder.format == "html"

    def has_page(self, page: str) -> bool:
        """Return whether the book has a page."""
        return page in self.env.all_docs

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
        title = self.env.titles[page].astext()
        return self.to(page, place, nodes.inline(title, title))


def _number(link: Link) -> Resolved:
    page = link.notes.pages.get("numbering")
    return link.words if page is None else link.to(page, link.target)


def _card(link: Link) -> Resolved:
    page = link.target
    if link.has_card(page, link.other):
        return link.titled(page, anchor(link.other))
    return link.titled(page)


def _figure(link: Link) -> Resolved:
    page = link.target.partition("/")[0]
    name = link.target.replace("/", "-")
    return link.titled(f"notebooks/{page}", f"fig-{name}")


def _address(link: Link) -> Resolved:
    page = figure_address(link.target.partition("/")[2])
    return link.to(page) if link.in_html and link.has_page(page) else link.words


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
    page = claim_address(link.target)
    if link.in_html and link.has_page(page):
        return link.to(page)
    return _in_ledger(link)


def _line(link: Link) -> Resolved:
    return _in_ledger(link) or link.words


def _in_ledger(link: Link) -> Resolved:
    page = link.notes.pages.get("ledger")
    return None if page is None else link.to(page, anchor(link.target))


def _filter(link: Link) -> Resolved:
    page = link.notes.pages.get("ledger")
    if page is None:
        return None
    reference = link.to(page)
    if link.in_html:
        reference["refuri"] += f"?verdict={link.target}"
    return reference


RESOLVERS: dict[str, Callable[[Link], Resolved]] = {
    "number": _number,
    "card": _card,
    "figure": _figure,
    "address": _address,
    "proof": _proof,
    "claim": _claim,
    "entry": _entry,
    "line": _line,
    "filter": _filter,
}


def resolve(
    app: Sphinx,
    _env: BuildEnvironment,
    node: pending_xref,
    content: nodes.Element,
) -> Resolved:
    """Resolve a link; None leaves it a warning."""
    kind = node["reftype"]
    if not kind.startswith(_OURS):
        return None
    link = Link(
        app,
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
            if link.here in holders:
                return link.to(link.here, anchor(link.target))
            return link.to(holders[0], anchor(link.target))
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
        if not _begins_a_proof(part):
            continue
        above = part.parent
        while not isinstance(above, nodes.section | nodes.document):
            above = above.parent
        name = next(iter(above["ids"]), "")
        if places.get(name) == name:
            places[name] = f"proof-{name}"
            part["ids"].append(places[name])
    notes_of(app.env).proofs[app.env.docname] = places


def _begins_a_proof(part: nodes.paragraph) -> bool:
    if not part.children:
        return False
    first = part.children[0]
    stressed = isinstance(first, nodes.emphasis | nodes.strong)
    return stressed and first.astext().startswith("Proof")
