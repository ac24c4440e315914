"""Draw which claims a proof rests on, and list what falls with a false one."""

from __future__ import annotations

import html
from typing import Any

from companion.ledger.uses import depths
from companion.site.addresses import claim_address
from companion.site.computed import Claims
from companion.site.generated import Generated
from companion.site.nodes import LABELS, Nodes

#: Width of the drawing, height of a row, width and height of a box, width of a letter.
WIDTH, ROW, BOX, HIGH, LETTER = 690, 34, 170, 24, 6.8
#: The outline of each kind of statement, in the box from (0, 0) to (BOX, HIGH); a step of a proof is dashed.
SHAPES = {
    "theorem": f'<path d="M0 0H{BOX}V{HIGH}H0Z"/>',
    "lemma": f'<rect width="{BOX}" height="{HIGH}" rx="12"/>',
    "corollary": f'<path d="M10 0H{BOX - 10}L{BOX} 12L{BOX - 10} {HIGH}H10L0 12Z"/>',
    "proposition": f'<path d="M0 0H{BOX}V{HIGH}H0ZM3 3H{BOX - 3}V{HIGH - 3}H3Z"/>',
}
STEP = f'<path stroke-dasharray="4 3" d="M0 0H{BOX}V{HIGH}H0Z"/>'


class ClaimMap(Generated):
    """Print, for each paper, the graph of its proofs, the same as a list, and what falls with each false claim."""

    def run(self) -> Nodes:
        """Return one section for each paper that has proofs in the ledger."""
        claims = self.claims
        papers: dict[str, list[str]] = {}
        for name, source in claims.sources.items():
            papers.setdefault(source.get("series") or source.get("errata") or claims.source_name(name), []).append(name)
        drawn = [self._paper(claims, title, sorted(texts)) for title, texts in papers.items()]
        return self.fill("claim_map", papers=[paper for paper in drawn if paper])

    def _paper(self, claims: Claims, title: str, texts: list[str]) -> tuple[Any, ...] | None:
        """Return title, address, drawing, the claims that have a proof, in order, and the first false ones."""
        rows = [item for item in claims.all if item.get("uses") and item["places"][0]["source"] in texts]
        if not rows:
            return None
        depth = depths(rows)
        placed: list[str] = []
        for row in sorted(rows, key=lambda item: -depth[item["id"]]):
            self._place(claims, row["id"], depth, placed)
        roots = [
            item
            for item in claims.all
            if item["verdict"] == "false" and item["places"][0]["source"] in texts and claims.users(item["id"])
            and not any(claims.by_id[other]["verdict"] == "false" for other in item.get("uses", []))
        ]  # fmt: skip
        html_pages = self.env.app.builder.format == "html"
        drawing = self._drawing(claims, title, placed, depth) if html_pages else ""
        return title, "-".join(texts), drawing, [claims.by_id[name] for name in placed], roots

    def _place(self, claims: Claims, name: str, depth: dict[str, int], placed: list[str]) -> None:
        """Add a claim after all that it rests on."""
        if name in depth and name not in placed:
            for other in claims.by_id[name]["uses"]:
                self._place(claims, other, depth, placed)
            placed.append(name)

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
