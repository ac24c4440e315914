"""Give the template of the map: draw which claims a proof rests on, and list what falls with a false one."""

from __future__ import annotations

from typing import Any

from companion.ledger.claims import depths
from companion.site.ledger_view import Claims
from companion.site.permalinks import claim_address
from companion.site.template_directives import Generated

#: Width of the drawing, height of a row, width and height of a box, width of a letter.
WIDTH = 690
ROW = 34
BOX = 170
HIGH = 24
LETTER = 6.8


def claim_map(directive: Generated) -> dict[str, Any]:
    """Return, for each paper that has proofs in the ledger, their graph, and the addresses of the claims."""
    claims = directive.claims
    env = directive.env
    papers: dict[str, list[str]] = {}
    for name, source in claims.sources.items():
        papers.setdefault(
            source.get("series") or source.get("errata") or claims.source_name(name), []
        ).append(name)
    drawn = [_paper(claims, title, sorted(texts)) for title, texts in papers.items()]
    builder = env.app.builder
    # In print claims have no pages of their own, and the map is its list.
    linked = claims.by_id if builder.format == "html" else ()
    addresses = {
        name: builder.get_relative_uri(env.docname, claim_address(name))
        for name in linked
    }
    return {"papers": [paper for paper in drawn if paper], "addresses": addresses}


def _paper(claims: Claims, title: str, texts: list[str]) -> tuple[Any, ...] | None:
    """Return title, address, drawing, the claims that have a proof, in order, and the first false ones."""
    rows = [
        item
        for item in claims.all
        if item.get("uses") and item["places"][0]["source"] in texts
    ]
    if not rows:
        return None
    depth = depths({row["id"]: row["uses"] for row in rows})
    placed: list[str] = []
    for row in sorted(rows, key=lambda item: -depth[item["id"]]):
        _place(claims, row["id"], depth, placed)
    roots = [
        item
        for item in claims.all
        if item["verdict"] == "false"
        and item["places"][0]["source"] in texts
        and claims.users(item["id"])
        and not any(
            claims.by_id[other]["verdict"] == "false" for other in item.get("uses", [])
        )
    ]
    drawing = _drawing(claims, placed, depth)
    return (
        title,
        "-".join(texts),
        drawing,
        [claims.by_id[name] for name in placed],
        roots,
    )


def _place(claims: Claims, name: str, depth: dict[str, int], placed: list[str]) -> None:
    """Add a claim after all that it rests on."""
    if name in depth and name not in placed:
        for other in claims.by_id[name]["uses"]:
            _place(claims, other, depth, placed)
        placed.append(name)


def _drawing(
    claims: Claims, placed: list[str], depth: dict[str, int]
) -> dict[str, Any]:
    """Return where all stands: a row for each proof, lines to those that it supports, single steps beside it."""
    left = {name: 90 + 22 * depth[name] for name in placed}
    top = {}
    boxes = []
    lines = []
    y = 6
    for name in placed:
        top[name] = y
        boxes.append((claims.by_id[name], left[name], y, True))
        x: float = left[name] + BOX + 14
        for other in (
            other for other in claims.by_id[name]["uses"] if other not in left
        ):
            wide = LETTER * (len(other.partition("-")[2]) + 2) + 14
            if x + wide > WIDTH:
                x, y = left[name] + BOX + 14, y + ROW * 2 // 3
            boxes.append((claims.by_id[other], round(x), y, False))
            x += wide
        y += ROW
        for other in (other for other in claims.by_id[name]["uses"] if other in left):
            (x1, y1), (x2, y2) = (
                (left[end], top[end] + HIGH / 2) for end in (other, name)
            )
            bend = round(max(2.0, min(x1, x2) - 20 - (y2 - y1) / 9))
            lines.append(
                (
                    claims.by_id[other]["verdict"],
                    f"M{x1} {y1}C{bend} {y1} {bend} {y2} {x2} {y2}",
                )
            )
    return {"boxes": boxes, "lines": lines, "wide": WIDTH, "high": y}
