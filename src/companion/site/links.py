"""Link claims, figures and numbers, and remember what the links need of the pages.

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

from typing import Any

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.nodes import make_refnode

from companion.site.ledger_view import anchor
from companion.site.permalinks import claim_address, figure_address


def noted(env: BuildEnvironment, kind: str) -> dict[str, Any]:
    """Return what was noted as the pages were read: `cards`, `proofs` and `cited` by page, `pages` by directive.

    What is cited is a key, a title, places in papers, and the page whose title
    completes it, if any. The book is always read as a whole, so that nothing is ever
    taken back.
    """
    found: dict[str, Any] = vars(env).setdefault("companion", {}).setdefault(kind, {})
    return found


def link(kind: str, target: str, docname: str, *content: Any) -> Any:
    """Return a link of a kind; a page and a figure give it their title."""
    target, _, other = target.partition("@")
    wanted = {
        "refdomain": "",
        "reftype": f"companion-{kind}",
        "reftarget": target,
        "refdoc": docname,
        "refwarn": True,
    }
    return pending_xref("", *content, companion_other=other, **wanted)


def resolve(app: Sphinx, env: BuildEnvironment, node: Any, content: Any) -> Any:
    """Resolve a link; None leaves it a warning."""
    ours, _, kind = node["reftype"].partition("-")
    if ours != "companion":
        return None
    target = node["reftarget"]
    other = node["companion_other"]
    cards = noted(env, "cards")
    pages = noted(env, "pages")
    html = app.builder.format == "html"

    def to(page: str, place: str = "", words: Any = content) -> Any:
        return make_refnode(app.builder, node["refdoc"], page, place, words)

    def titled(page: str, place: str) -> Any:
        if page not in env.all_docs:
            return None
        title = env.titles[page].astext()
        return to(page, place, nodes.inline(title, title))

    holders = [] if html else sorted(page for page in cards if target in cards[page])
    if holders:
        return to(
            node["refdoc"] if node["refdoc"] in holders else holders[0], anchor(target)
        )
    if kind == "number":
        return to(pages["numbering"], target) if "numbering" in pages else content
    if kind == "card":
        return titled(target, anchor(other) if other in cards.get(target, ()) else "")
    if kind == "figure":
        return titled(
            f"notebooks/{target.partition('/')[0]}", f"fig-{target.replace('/', '-')}"
        )
    if kind == "address":
        there = figure_address(target.partition("/")[2])
        return to(there) if html and there in env.all_docs else content
    if kind == "proof":
        page = f"notebooks/{target.partition('#')[0]}"
        section = target.partition("#")[2]
        place = noted(env, "proofs").get(page, {}).get(section)
        return (
            content
            if page not in env.all_docs
            else to(page, place if html else section)
            if place
            else None
        )
    if kind == "claim" and target in cards.get(other, ()):
        return to(other, anchor(target))
    if kind in ("entry", "claim") and html and claim_address(target) in env.all_docs:
        return to(claim_address(target))
    if "ledger" not in pages:
        return content if kind == "line" else None
    made = to(pages["ledger"], "" if kind == "filter" else anchor(target))
    if kind == "filter" and html:
        made["refuri"] += f"?verdict={target}"
    return made


def note_proofs(app: Sphinx, doctree: Any) -> None:
    """Give the first paragraph of a section that begins with the word Proof the address `proof-<section>`."""
    found = {
        name: name
        for section in doctree.findall(nodes.section)
        for name in section["ids"]
    }
    for part in doctree.findall(nodes.paragraph):
        first = next(iter(part.children), None)
        if isinstance(
            first, nodes.emphasis | nodes.strong
        ) and first.astext().startswith("Proof"):
            above = part.parent
            while not isinstance(above, nodes.section | nodes.document):
                above = above.parent
            name = above["ids"][0] if above["ids"] else ""
            if found.get(name) == name:
                found[name] = f"proof-{name}"
                part["ids"].append(found[name])
    noted(app.env, "proofs")[app.env.docname] = found
