"""Draw which claims a proof rests on, and list what falls with a false one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from companion.ledger.claims import depths
from companion.ledger.records import ClaimRecord
from companion.site.ledger_view import Claims
from companion.site.permalinks import claim_address
from companion.site.template_directives import Generated, Values

#: Width of the drawing, height of a row, width and height of a box, width of a letter.
WIDTH = 690
ROW = 34
BOX = 170
HIGH = 24
LETTER = 6.8
#: Where the first row begins, and the first box, and by how much a box of a claim is
#: further to the right for each proof below it.
TOP = 6
LEFT = 90
STEP = 22
#: What stands between two boxes.
GAP = 14


class Box(NamedTuple):
    """Hold a claim in the drawing: its corner, and whether it has an outline."""

    claim: ClaimRecord
    left: int
    top: int
    outlined: bool


@dataclass
class Drawing:
    """Hold where all stands: a row for each proof, single steps beside it.

    A line from a claim to one that it supports is a verdict and a path.
    """

    boxes: list[Box] = field(default_factory=list)
    lines: list[tuple[str, str]] = field(default_factory=list)
    high: int = TOP
    wide: int = WIDTH

    def add_steps(self, steps: Iterable[ClaimRecord], left: int) -> None:
        """Put claims without a proof beside the box at `left`, in as few rows."""
        first = left + BOX + GAP
        x: float = first
        for claim in steps:
            letters = len(claim["id"].partition("-")[2]) + 2
            wide = LETTER * letters + GAP
            if x + wide > WIDTH:
                x = first
                self.high += ROW * 2 // 3
            self.boxes.append(Box(claim, round(x), self.high, outlined=False))
            x += wide


class PaperMap(NamedTuple):
    """Hold what the map says of a paper.

    `claims` are those that have a proof, in order; `roots` the first false ones.
    """

    title: str
    address: str
    drawing: Drawing
    claims: list[ClaimRecord]
    roots: list[ClaimRecord]


def claim_map(directive: Generated) -> Values:
    """Return the graph of each paper that has proofs in the ledger.

    The addresses of the claims come with them.
    """
    claims = directive.claims
    papers: dict[str, list[str]] = {}
    for name, source in claims.sources.items():
        title = source.get("series") or source.get("errata") or claims.source_name(name)
        papers.setdefault(title, []).append(name)
    maps = [_paper(claims, title, sorted(texts)) for title, texts in papers.items()]
    addresses = {
        name: directive.address_of(claim_address(name)) for name in claims.by_id
    }
    return {"papers": [paper for paper in maps if paper], "addresses": addresses}


def _paper(claims: Claims, title: str, texts: Sequence[str]) -> PaperMap | None:
    """Return the map of a paper, None where it has no proofs in the ledger."""
    own = [claim for claim in claims.all if claim["places"][0]["source"] in texts]
    depth = depths({claim["id"]: claim["uses"] for claim in own if claim.get("uses")})
    if not depth:
        return None
    placed: list[str] = []
    for name in sorted(depth, key=lambda name: -depth[name]):
        _place(claims, name, depth, placed)
    return PaperMap(
        title,
        "-".join(texts),
        _drawing(claims, placed, depth),
        [claims.by_id[name] for name in placed],
        [claim for claim in own if _is_root(claims, claim)],
    )


def _is_root(claims: Claims, claim: ClaimRecord) -> bool:
    """Return whether others rest on a false claim whose own grounds are not false."""
    if claim["verdict"] != "false" or not claims.users(claim["id"]):
        return False
    grounds = [claims.by_id[name] for name in claim.get("uses", [])]
    return all(ground["verdict"] != "false" for ground in grounds)


def _place(claims: Claims, name: str, depth: dict[str, int], placed: list[str]) -> None:
    """Add a claim after all that it rests on."""
    if name in depth and name not in placed:
        for other in claims.by_id[name]["uses"]:
            _place(claims, other, depth, placed)
        placed.append(name)


def _drawing(claims: Claims, placed: list[str], depth: dict[str, int]) -> Drawing:
    """Return where all stands: a row for each proof, lines to those that it supports.

    Single steps stand beside it.
    """
    left = {name: LEFT + STEP * depth[name] for name in placed}
    middle: dict[str, float] = {}
    drawing = Drawing()
    for name in placed:
        claim = claims.by_id[name]
        drawing.boxes.append(Box(claim, left[name], drawing.high, outlined=True))
        middle[name] = drawing.high + HIGH / 2
        grounds = [claims.by_id[other] for other in claim["uses"]]
        steps = [ground for ground in grounds if ground["id"] not in left]
        drawing.add_steps(steps, left[name])
        drawing.high += ROW
        for ground in grounds:
            other = ground["id"]
            if other in left:
                start = (left[other], middle[other])
                path = _curve(start, (left[name], middle[name]))
                drawing.lines.append((ground["verdict"], path))
    return drawing


def _curve(start: tuple[int, float], end: tuple[int, float]) -> str:
    """Return the path of a line that bends to the left of both ends."""
    x1, y1 = start
    x2, y2 = end
    bend = round(max(2.0, min(x1, x2) - 20 - (y2 - y1) / 9))
    return f"M{x1} {y1}C{bend} {y1} {bend} {y2} {x2} {y2}"
