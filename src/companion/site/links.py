"""Link claims, figures and numbers, and remember which page has the card of which claim."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.nodes import make_refnode

from companion.site.addresses import claim_address, figure_address
from companion.site.computed import anchor

__all__ = ["connect_links", "link", "note_card", "note_page", "page_of"]


#: Kinds of links: to the page of a claim or, where there is none, its line in the ledger; to that line; to its card on
#: a page; to all claims of one verdict; to the card or, where there is none, as the first; to a number of a text; to a
#: figure on the page that shows it; to the page of a figure; to the proof in a section of a page. What a target lacks
#: in this book leaves plain text or a warning; after `@` stand the claim whose card is meant, and the page of a claim.
KINDS = ("entry", "line", "card", "filter", "claim", "number", "figure", "address", "proof")


ENTRY, LINE, CARD, FILTER, CLAIM, NUMBER, FIGURE, ADDRESS, PROOF = (f"companion-{name}" for name in KINDS)


def link(kind: str, target: str, docname: str, *content: Any) -> Any:
    """Return a link of one of the `KINDS`; a page and a figure give it their title."""
    target, _, other = target.partition("@")
    wanted = {"refdomain": "", "reftype": f"companion-{kind}", "reftarget": target, "refdoc": docname, "refwarn": True}
    return pending_xref("", *content, companion_other=other, **wanted)


def note_card(env: BuildEnvironment, claim: str, line: int) -> bool:
    """Remember that the current page has the card of a claim; return False where it has one already."""
    cards: dict[str, dict[str, int]] = getattr(env, "companion_cards", {})
    here = cards.setdefault(env.docname, {})
    if claim in here:
        return False
    here[claim] = line
    env.companion_cards = cards  # type: ignore[attr-defined]
    return True


def note_page(env: BuildEnvironment, role: str) -> None:
    """Remember that the current page is the ledger, the errata or the numbering."""
    env.companion_pages = {**_pages(env), role: env.docname}  # type: ignore[attr-defined]


def page_of(env: BuildEnvironment, role: str) -> str | None:
    """Return the page that is the ledger, the errata or the numbering, or None."""
    return _pages(env).get(role)


def _pages(env: BuildEnvironment) -> dict[str, str]:
    found: dict[str, str] = getattr(env, "companion_pages", {})
    return found


def _resolve(app: Sphinx, env: BuildEnvironment, node: Any, content: Any) -> Any:
    """Resolve a link; None leaves it a warning."""
    kind, target, source = node["reftype"], node["reftarget"], node["refdoc"]
    if kind not in (ENTRY, LINE, CARD, FILTER, CLAIM, NUMBER, FIGURE, ADDRESS, PROOF):
        return None
    cards: dict[str, dict[str, int]] = getattr(env, "companion_cards", {})
    ledger = page_of(env, "ledger")
    if kind == NUMBER:
        numbering = page_of(env, "numbering")
        return content if numbering is None else make_refnode(app.builder, source, numbering, target, content)
    if kind == CLAIM and target in cards.get(node["companion_other"], {}):
        return make_refnode(app.builder, source, node["companion_other"], anchor(target), content)
    if kind in (FIGURE, ADDRESS):
        return _to_figure(app, env, node, content)
    if kind == PROOF:
        return _to_proof(app, env, node, content)
    if kind in (ENTRY, CLAIM) and app.builder.format == "html" and claim_address(target) in env.all_docs:
        return make_refnode(app.builder, source, claim_address(target), "", content)
    if kind in (ENTRY, LINE, FILTER, CLAIM):
        if ledger is None:
            return content if kind == LINE else None
        place = "" if kind == FILTER else anchor(target)
        link = make_refnode(app.builder, source, ledger, place, content)
        if kind == FILTER and app.builder.format == "html":
            link["refuri"] += f"?verdict={target}"
        return link
    if target not in env.all_docs:
        return None
    claim = node["companion_other"]
    where = anchor(claim) if claim in cards.get(target, {}) else ""
    title = env.titles[target].astext()
    return make_refnode(app.builder, source, target, where, nodes.inline(title, title))


def _to_figure(app: Sphinx, env: BuildEnvironment, node: Any, content: Any) -> Any:
    source, (page, _, name) = node["refdoc"], node["reftarget"].partition("/")
    if node["reftype"] == ADDRESS:
        there = app.builder.format == "html" and figure_address(name) in env.all_docs
        return make_refnode(app.builder, source, figure_address(name), "", content) if there else content
    docname = f"notebooks/{page}"
    if docname not in env.all_docs:
        return None
    title = env.titles[docname].astext()
    return make_refnode(app.builder, source, docname, f"fig-{page}-{name}", nodes.inline(title, title))


def _note_proofs(app: Sphinx, doctree: Any) -> None:
    """Give the first paragraph of a section that begins with the word Proof the address `proof-<section>`."""
    found = {name: name for section in doctree.findall(nodes.section) for name in section["ids"]}
    for part in doctree.findall(nodes.paragraph):
        first = next(iter(part.children), None)
        if isinstance(first, nodes.emphasis | nodes.strong) and first.astext().startswith("Proof"):
            above = part.parent
            while not isinstance(above, nodes.section | nodes.document):
                above = above.parent
            name = above["ids"][0] if above["ids"] else ""
            if found.get(name) == name:
                found[name] = f"proof-{name}"
                part["ids"].append(found[name])
    app.env.companion_proofs = {**_proofs(app.env), app.env.docname: found}  # type: ignore[attr-defined]


def _proofs(env: BuildEnvironment) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = getattr(env, "companion_proofs", {})
    return found


def _to_proof(app: Sphinx, env: BuildEnvironment, node: Any, content: Any) -> Any:
    """Return a link to a proof or, in print, to its section; plain text where the book lacks the page."""
    page, _, section = node["reftarget"].partition("#")
    docname = f"notebooks/{page}"
    if docname not in env.all_docs:
        return content
    known = _proofs(env).get(docname, {})
    if section not in known:
        return None
    place = known[section] if app.builder.format == "html" else section
    return make_refnode(app.builder, node["refdoc"], docname, place, content)


def _purge(_app: Sphinx, env: BuildEnvironment, docname: str) -> None:
    getattr(env, "companion_cards", {}).pop(docname, None)
    _proofs(env).pop(docname, None)
    left = {role: page for role, page in _pages(env).items() if page != docname}
    env.companion_pages = left  # type: ignore[attr-defined]


def _merge(_app: Sphinx, env: BuildEnvironment, docnames: Iterable[str], other: BuildEnvironment) -> None:
    read = set(docnames)
    cards: dict[str, dict[str, int]] = getattr(env, "companion_cards", {})
    theirs: dict[str, dict[str, int]] = getattr(other, "companion_cards", {})
    cards.update({name: theirs[name] for name in read if name in theirs})
    env.companion_cards = cards  # type: ignore[attr-defined]
    proofs = {name: found for name, found in _proofs(other).items() if name in read}
    env.companion_proofs = {**_proofs(env), **proofs}  # type: ignore[attr-defined]
    pages = {role: page for role, page in _pages(other).items() if page in read}
    env.companion_pages = {**_pages(env), **pages}  # type: ignore[attr-defined]


def _also_updated(_app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Write the ledger, the errata and the numbering again after any change, because their links follow the cards."""
    return sorted(set(_pages(env).values()))


def connect_links(app: Sphinx) -> None:
    """Have links resolved, and what the environment keeps kept in step with the pages."""
    app.connect("missing-reference", _resolve)
    app.connect("doctree-read", _note_proofs)
    app.connect("env-purge-doc", _purge)
    app.connect("env-merge-info", _merge)
    app.connect("env-updated", _also_updated)
