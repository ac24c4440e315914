"""Read what a run left beside the pages, link claims, figures and numbers, and say what is not as accepted."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.nodes import make_refnode

from companion.ledger.claims import BEYOND
from companion.ledger.numbering import mentions
from companion.site.addresses import claim_address, figure_address

__all__ = [
    "CLAIMS",
    "Claims",
    "anchor",
    "connect_links",
    "filtered",
    "linked_place",
    "load_claims",
    "load_json",
    "note_card",
    "note_page",
    "page_of",
    "printed_at",
    "reference",
    "to_address",
    "to_claim",
    "to_figure",
    "to_line",
    "to_number",
    "to_page",
]


#: The computed ledger, at the root of the sources.
CLAIMS = "claims.json"


#: The order in which the texts are shown.
ORDER = ("v1", "v2", "v3", "lecture", "bootstrapping")


_cache: dict[Path, tuple[int, Any]] = {}


def anchor(claim: str) -> str:
    """Return the stable address of a claim within a page."""
    return f"claim-{claim.lower()}"


def load_json(env: BuildEnvironment, name: str) -> Any:
    """Return a JSON document under the source folder, and have the current page depend on it.

    Raises OSError where there is no such file and ValueError where it is no JSON.
    """
    path = Path(env.srcdir) / name
    env.note_dependency(name)
    stamp = path.stat().st_mtime_ns
    if path not in _cache or _cache[path][0] != stamp:
        _cache[path] = (stamp, json.loads(path.read_text(encoding="utf-8")))
    return _cache[path][1]


class Claims:
    """Give the claims of the computed ledger by id."""

    def __init__(self, document: dict[str, Any]) -> None:
        self.all: list[dict[str, Any]] = document["claims"]
        given: dict[str, dict[str, Any]] = document["sources"]
        known = [name for name in ORDER if name in given]
        self.sources = {name: given[name] for name in [*known, *(name for name in given if name not in ORDER)]}
        self.five = [claim for claim in self.all if not claim["id"].startswith(BEYOND)]
        self.counts: dict[str, int] = document["scoreboard"]
        self.by_id = {str(claim["id"]): claim for claim in self.all}

    @property
    def pages(self) -> list[str]:
        """The names of all pages that check a claim, or will, in order of first mention."""
        return list(dict.fromkeys(claim["notebook"] for claim in self.all if claim["notebook"]))

    def source_name(self, source: str) -> str:
        """Return the short name of a source text."""
        return str(self.sources.get(source, {}).get("short", source))


def load_claims(env: BuildEnvironment) -> Claims:
    """Return the computed ledger, and have the current page depend on it.

    Raises OSError where it was not computed.
    """
    return Claims(load_json(env, CLAIMS))


#: Kinds of links: to the page of a claim or, where there is none, its line in the ledger; to that line; to its card on
#: a page; to all claims of one verdict; to the card or, where there is none, as the first; to a number of a text; to a
#: figure on the page that shows it; to the page of a figure.
KINDS = ("entry", "line", "card", "filter", "claim", "number", "figure", "address")


ENTRY, LINE, CARD, FILTER, CLAIM, NUMBER, FIGURE, ADDRESS = (f"companion-{name}" for name in KINDS)


def _pending(kind: str, target: str, docname: str, *content: Any, claim: str = "", page: str = "") -> Any:
    wanted = {"refdomain": "", "reftype": kind, "reftarget": target, "refdoc": docname, "refwarn": True}
    return pending_xref("", *content, companion_claim=claim, companion_page=page, **wanted)


def reference(claim: str, docname: str, *content: Any) -> Any:
    """Return a link to the page of a claim, or to its line in the ledger where it has no page."""
    return _pending(ENTRY, claim, docname, *content)


def to_line(claim: str, docname: str, *content: Any) -> Any:
    """Return a link to a claim's line in the ledger; plain text where the book has no such page."""
    return _pending(LINE, claim, docname, *content)


def to_figure(figure: str, docname: str) -> Any:
    """Return a link to a figure, `page/id`, on the page that shows it; its text is the page's title."""
    return _pending(FIGURE, figure, docname, nodes.inline("", figure))


def to_address(figure: str, docname: str, *content: Any) -> Any:
    """Return a link to the page of a figure; plain text where the book has no such page."""
    return _pending(ADDRESS, figure, docname, *content)


def filtered(verdict: str, docname: str, *content: Any) -> Any:
    """Return a link to the claims of one verdict in the ledger."""
    return _pending(FILTER, verdict, docname, *content)


def to_page(page: str, claim: str, docname: str, *content: Any) -> Any:
    """Return a link to a claim's card on a page, or to the page where it has no card; its text is the page's title."""
    return _pending(CARD, page, docname, *content, claim=claim)


def to_claim(claim: dict[str, Any], docname: str, *content: Any) -> Any:
    """Return a link to a claim's card on its page, or to the page of the claim where it has no card."""
    return _pending(CLAIM, str(claim["id"]), docname, *content, page=claim["page"] or "")


def to_number(address: str, docname: str, *content: Any) -> Any:
    """Return a link to a number of a text, for example `v1-theorem-7`; plain text where the book has no such page."""
    return _pending(NUMBER, address, docname, *content)


def linked_place(claims: Claims, source: str, at: str, docname: str) -> list[Any]:
    """Return a place with its numbers as links, where the text is one of a series; else as it is."""
    if "series" not in claims.sources.get(source, {}):
        return [nodes.Text(at)]
    parts: list[Any] = []
    done = 0
    shown = [(item.span, item) for item in mentions(at) if item.span and not item.only_where]
    for (start, end), item in sorted(shown, key=lambda pair: pair[0]):
        if start > done:
            parts.append(nodes.Text(at[done:start]))
        words = nodes.inline(at[start:end], at[start:end])
        parts.append(to_number(f"{source}-{item.anchor}", docname, words))
        done = end
    return [*parts, nodes.Text(at[done:])] if done < len(at) else parts


def printed_at(claims: Claims, claim: dict[str, Any], docname: str) -> list[Any]:
    """Return where a claim is printed in every text, with links to the numbers."""
    parts: list[Any] = []
    for place in claim["places"]:
        before = "; " if parts else ""
        parts.append(nodes.Text(f"{before}{claims.source_name(place['source'])}: "))
        parts += linked_place(claims, place["source"], place["at"], docname)
    return parts


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
    if kind not in (ENTRY, LINE, CARD, FILTER, CLAIM, NUMBER, FIGURE, ADDRESS):
        return None
    cards: dict[str, dict[str, int]] = getattr(env, "companion_cards", {})
    ledger = page_of(env, "ledger")
    if kind == NUMBER:
        numbering = page_of(env, "numbering")
        return content if numbering is None else make_refnode(app.builder, source, numbering, target, content)
    if kind == CLAIM and target in cards.get(node["companion_page"], {}):
        return make_refnode(app.builder, source, node["companion_page"], anchor(target), content)
    if kind in (FIGURE, ADDRESS):
        return _to_figure(app, env, node, content)
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
    claim = node["companion_claim"]
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


def _purge(_app: Sphinx, env: BuildEnvironment, docname: str) -> None:
    getattr(env, "companion_cards", {}).pop(docname, None)
    left = {role: page for role, page in _pages(env).items() if page != docname}
    env.companion_pages = left  # type: ignore[attr-defined]


def _merge(_app: Sphinx, env: BuildEnvironment, docnames: Iterable[str], other: BuildEnvironment) -> None:
    read = set(docnames)
    cards: dict[str, dict[str, int]] = getattr(env, "companion_cards", {})
    theirs: dict[str, dict[str, int]] = getattr(other, "companion_cards", {})
    cards.update({name: theirs[name] for name in read if name in theirs})
    env.companion_cards = cards  # type: ignore[attr-defined]
    pages = {role: page for role, page in _pages(other).items() if page in read}
    env.companion_pages = {**_pages(env), **pages}  # type: ignore[attr-defined]


def _also_updated(_app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Write the ledger, the errata and the numbering again after any change, because their links follow the cards."""
    return sorted(set(_pages(env).values()))


def connect_links(app: Sphinx) -> None:
    """Have links resolved, and what the environment keeps kept in step with the pages."""
    app.connect("missing-reference", _resolve)
    app.connect("env-purge-doc", _purge)
    app.connect("env-merge-info", _merge)
    app.connect("env-updated", _also_updated)
