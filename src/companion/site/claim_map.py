"""Draw which claims a proof rests on, list what falls with a false one, and say both on the page of a claim."""

from __future__ import annotations

import html
from typing import Any

from docutils import nodes
from sphinx.addnodes import only

from companion.ledger.uses import false_grounds, layers_of
from companion.site.addresses import claim_address
from companion.site.cards import ClaimsDirective
from companion.site.links import Claims, reference
from companion.site.nodes import LABELS, Nodes, badge, fold, paragraph, section

__all__ = ["ClaimMap", "grounds", "users_of"]

#: Width of the drawing, height of a row, width and height of a box, width of a letter.
WIDTH, ROW, BOX, HIGH, LETTER = 860, 34, 170, 24, 6.8
#: The outline of each kind of statement, in the box from (0, 0) to (BOX, HIGH); a step of a proof is dashed.
SHAPES = {
    "theorem": f'<path d="M0 0H{BOX}V{HIGH}H0Z"/>',
    "lemma": f'<rect width="{BOX}" height="{HIGH}" rx="12"/>',
    "corollary": f'<path d="M10 0H{BOX - 10}L{BOX} 12L{BOX - 10} {HIGH}H10L0 12Z"/>',
    "proposition": f'<path d="M0 0H{BOX}V{HIGH}H0ZM3 3H{BOX - 3}V{HIGH - 3}H3Z"/>',
}
STEP = f'<path stroke-dasharray="4 3" d="M0 0H{BOX}V{HIGH}H0Z"/>'


def users_of(claims: Claims, name: str) -> list[dict[str, Any]]:
    """Return the claims whose printed proof rests on this one."""
    return [claim for claim in claims.all if name in claim.get("uses", [])]


def _links(claims: Claims, names: list[str], docname: str) -> list[Any]:
    parts: list[Any] = []
    for name in names:
        mark = badge(claims.by_id[name]["verdict"], corrected=claims.by_id[name]["corrected"])
        content = nodes.inline("", "", nodes.Text(f"{name} "), mark, classes=["mf-claim-link"])
        parts += [*([", "] if parts else []), reference(name, docname, content)]
    return parts


def grounds(claims: Claims, claim: dict[str, Any], docname: str) -> Nodes:
    """Return what the printed proof of a claim rests on, what uses the claim, and whether another proof is needed."""
    false = [item["id"] for item in claims.all if item["verdict"] == "false"]
    own = claim.get("stands_on")
    lines: list[list[Any]] = []
    if claim.get("uses"):
        lines.append(["The printed proof rests on ", *_links(claims, claim["uses"], docname), "."])
    if broken := false_grounds(claim, false):
        lines.append(
            ["True, though the printed proof rests on a false statement: ", *_links(claims, broken, docname), "."]
        )
    if own is not None:
        rests = ["rests on ", *_links(claims, own, docname)] if own else ["needs no other claim"]
        lines.append(["Our own proof ", *rests, "."])
    if used := [item["id"] for item in users_of(claims, claim["id"])]:
        lines.append(["Used by ", *_links(claims, used, docname), "."])
    return [paragraph(*line, classes=["mf-places", "mf-grounds"]) for line in lines]


class ClaimMap(ClaimsDirective):
    """Print, for each paper, the graph of its proofs, the same as a list, and what falls with each false claim."""

    def build(self, claims: Claims) -> Nodes:
        """Return one section for each paper that has proofs in the ledger."""
        papers: dict[str, list[str]] = {}
        for name, source in claims.sources.items():
            papers.setdefault(source.get("series") or source.get("errata") or claims.source_name(name), []).append(name)
        return [part for title, texts in papers.items() for part in self._paper(claims, title, set(texts))]

    def _paper(self, claims: Claims, title: str, texts: set[str]) -> Nodes:
        rows = [item for item in claims.all if item.get("uses") and item["places"][0]["source"] in texts]
        if not rows:
            return []
        depth = {name: level for level, names in enumerate(layers_of(rows)) for name in names}
        placed: list[str] = []
        for row in sorted(rows, key=lambda item: -depth[item["id"]]):
            self._place(claims, row["id"], depth, placed)
        drawing = only("", nodes.raw("", self._drawing(claims, title, placed, depth), format="html"), expr="html")
        items = [self._row(claims, name) for name in placed]
        listed = nodes.bullet_list("", *(nodes.list_item("", item) for item in items))
        false = [item for item in claims.all if item["verdict"] == "false" and users_of(claims, item["id"])]
        roots = [
            item["id"] for item in false if item["places"][0]["source"] in texts and not self._fallen(claims, item)
        ]
        falls = nodes.bullet_list("", *(self._falls(claims, name) for name in roots))
        ask = [paragraph("If this is false, what falls, and what stands by another proof?"), falls] if roots else []
        name = "map-" + "-".join(sorted(texts))
        return [section(name, title, drawing, *fold("The same as a list", listed), *ask)]

    def _row(self, claims: Claims, name: str) -> Any:
        docname, uses = self.env.docname, claims.by_id[name]["uses"]
        return paragraph(*_links(claims, [name], docname), " rests on ", *_links(claims, uses, docname), ".")

    def _place(self, claims: Claims, name: str, depth: dict[str, int], placed: list[str]) -> None:
        """Add a claim after all that it rests on."""
        if name in depth and name not in placed:
            for other in claims.by_id[name]["uses"]:
                self._place(claims, other, depth, placed)
            placed.append(name)

    def _fallen(self, claims: Claims, claim: dict[str, Any]) -> bool:
        return any(claims.by_id[other]["verdict"] == "false" for other in claim.get("uses", []))

    def _falls(self, claims: Claims, name: str) -> Any:
        """Return a false claim, below it what its printed proofs support: false as well, or true by another proof."""
        docname, inner = self.env.docname, nodes.bullet_list("")
        for user in users_of(claims, name):
            if user["verdict"] == "false":
                inner += self._falls(claims, user["id"])
                continue
            own = user.get("stands_on", [])
            rests = [" that rests on ", *_links(claims, own, docname)] if own else [" that needs no other claim"]
            stands = (
                [" stands by another proof,", *rests, "."] if "stands_on" in user else [" is outside what we check."]
            )
            inner += nodes.list_item("", paragraph(*_links(claims, [user["id"]], docname), *stands))
        title = nodes.Text(f": {claims.by_id[name]['title']}.")
        return nodes.list_item("", paragraph(*_links(claims, [name], docname), title), *([inner] if len(inner) else []))

    def _drawing(self, claims: Claims, title: str, placed: list[str], depth: dict[str, int]) -> str:
        """Return the graph: a row for each proof, lines to the proofs that it supports, its single steps beside it."""
        left = {name: 90 + 22 * depth[name] for name in placed}
        top, boxes, lines, y = {}, [], [], 6
        for name in placed:
            top[name] = y
            boxes.append(self._node(claims, name, left[name], y, boxed=True))
            x: float = left[name] + BOX + 14
            for other in (other for other in claims.by_id[name]["uses"] if other not in left):
                wide = LETTER * (len(_short(other)) + 2) + 14
                if x + wide > WIDTH:
                    x, y = left[name] + BOX + 14, y + ROW * 2 // 3
                boxes.append(self._node(claims, other, x, y, boxed=False))
                x += wide
            y += ROW
            for other in (other for other in claims.by_id[name]["uses"] if other in left):
                (x1, y1), (x2, y2) = ((left[end], top[end] + HIGH / 2) for end in (other, name))
                bend = max(2.0, min(x1, x2) - 20 - (y2 - y1) / 9)
                false = ' stroke-dasharray="2 3" stroke-width="2"' if claims.by_id[other]["verdict"] == "false" else ""
                lines.append(f'<path{false} d="M{x1} {y1}C{bend:.0f} {y1} {bend:.0f} {y2} {x2} {y2}"/>')
        label = html.escape(f"{title}: which claims the proofs rest on; the same stands below as a list")
        return (
            '<div class="mf-map" tabindex="0" role="group" aria-label="Map, scrolls" style="overflow-x:auto">'
            f'<svg role="group" aria-label="{label}" viewBox="0 0 {WIDTH} {y}" width="{WIDTH}" height="{y}" '
            'font-family="sans-serif" font-size="12"><g fill="none" stroke="currentColor" opacity=".75">'
            + "".join(lines) + "</g>" + "".join(boxes) + "</svg></div>"
        )  # fmt: skip

    def _node(self, claims: Claims, name: str, x: float, y: float, *, boxed: bool) -> str:
        claim = claims.by_id[name]
        sign, words = LABELS.get(claim["verdict"], ("?", claim["verdict"]))
        address = self.env.app.builder.get_relative_uri(self.env.docname, claim_address(name))
        thick = 2.5 if claim["verdict"] == "false" else 1.2
        shape = SHAPES.get(claim["kind"], STEP) if boxed else ""
        told = html.escape(f"{name}, {claim['kind']}: {claim['title']} ({words})")
        text = html.escape(f"{sign} {name if boxed else _short(name)}")
        return (
            f'<a class="mf-{claim["verdict"]}" href="{html.escape(address)}" aria-label="{told}" '
            f'transform="translate({x:.0f} {y})"><title>{told}</title>'
            f'<g style="fill:var(--pst-color-background,Canvas)" stroke="currentColor" stroke-width="{thick}">'
            f"{shape}</g>"
            f'<text x="{8 if boxed else 0}" y="16" fill="currentColor">{text}</text></a>'
        )


def _short(name: str) -> str:
    """Return the name of a claim without that of its text."""
    return name.partition("-")[2]
