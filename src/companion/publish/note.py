"""Print the errata as a note of a few pages.

The ledger gives HTML, MathJax sets its formulas, a browser prints it. A false claim
with a `short_proof` in the ledger is told in full, those that name it as their `cause`
under it; what is left, slips from which the text draws nothing that falls, comes last.
"""

from __future__ import annotations

import argparse
import re
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import NamedTuple, TypedDict, cast

import matplotlib
from jinja2 import Environment, PackageLoader
from markupsafe import Markup

from companion.archive import epoch, write_zip
from companion.citing.citation import (
    BIBLIOGRAPHY,
    Cited,
    Paper,
    bibtex,
    entries,
    load_papers,
)
from companion.citing.publication import find_publication
from companion.ledger.claims import load_claims, load_sources
from companion.ledger.records import EntryRecord, SourceRecord
from companion.ledger.registry import load_registry
from companion.paths import CompanionError, Layout, write_whole
from companion.plain_text import plain_html
from companion.run.cache import Entry, find_entry, key_of
from companion.site.browser import open_page
from companion.site.ledger_page import of_series
from companion.site.mathjax import mathjax_folder

#: The most pages that the note may have.
PAGES = 8
#: What becomes of what a text draws from a statement, the gravest first.
CONSEQUENCES = {"fails": "lost", "weaker": "weaker", "survives": "intact"}
#: Sizes of type, in points: the first with which the note has so many pages is taken.
SIZES = (9.0, 8.75, 8.5)
#: A formula that is wider than its column is scaled down to it, to this share and no
#: further.
SCALED = 0.6
#: A formula in a line with what stands before or behind it without a space.
_TOUCHED = re.compile(r"(?<![^\s>])[(]?(?<!\$)\$[^$]+\$[^\s<$]+|[(]\$[^$]+\$")
#: Where the programs lie that are written by hand.
BY_HAND = "tests/counterexamples"

_FOOT = (
    '<div style="font: 8px serif; width: 100%; text-align: center">'
    '<span class="pageNumber"></span> / <span class="totalPages"></span></div>'
)


class FullEntry(NamedTuple):
    """Hold a claim that is told in full, and those of the same cause under it."""

    claim: EntryRecord
    others: list[EntryRecord]


@dataclass(frozen=True)
class Part:
    """Hold what the note says of one series of texts.

    `full` are claims told in full, with those of the same cause; `slips` are the rest.
    """

    title: str
    texts: Mapping[str, SourceRecord]
    full: Sequence[FullEntry]
    slips: Sequence[EntryRecord]

    @property
    def claims(self) -> list[EntryRecord]:
        """Every claim of this part, in the order of the note."""
        full = chain.from_iterable([entry.claim, *entry.others] for entry in self.full)
        return [*full, *self.slips]


def _part(
    title: str,
    texts: Mapping[str, SourceRecord],
    claims: Sequence[EntryRecord],
) -> Part:
    """Return the part on a series of texts; see `parts_of`."""
    slips = [claim for claim in claims if not {"short_proof", "cause"} & claim.keys()]
    full = []
    for claim in claims:
        if "short_proof" in claim:
            others = [other for other in claims if other.get("cause") == claim["id"]]
            full.append(FullEntry(claim, others))
    return Part(title, texts, full, slips)


def parts_of(root: Path) -> list[Part]:
    """Return every false claim of the texts that have errata, by series.

    The gravest come first.
    """
    claims = [claim for claim in load_claims(root) if claim.expected == "false"]
    false = [cast(EntryRecord, claim.record) for claim in claims]
    gravest = list(CONSEQUENCES)
    false.sort(key=lambda claim: gravest.index(claim["conclusion"]))
    parts = [_part(*series) for series in of_series(false, load_sources(root))]
    return [part for part in parts if part.claims]


def _all_claims(parts: Iterable[Part]) -> list[EntryRecord]:
    return list(chain.from_iterable(part.claims for part in parts))


def _line(text: str) -> Markup:
    """Return a line of the ledger as HTML; formulas keep what touches them."""
    return Markup(_TOUCHED.sub(r"<span>\g<0></span>", plain_html(text)))


def _text(text: str, label: str, end: str = "") -> Markup:
    """Return paragraphs of the ledger as HTML, the first with a label."""
    shown = [_line(part) for part in re.split(r"\n\s*\n", text.strip())]
    shown[0] = Markup("<b>{}.</b> ").format(label) + shown[0]
    shown[-1] += end
    return Markup().join(Markup("<p>{}</p>").format(part) for part in shown)


def source_of(layout: Layout) -> str:
    """Return the note as HTML, which names fonts and MathJax of this machine."""
    publication = find_publication(layout.root)
    parts = parts_of(layout.root)
    papers = load_papers(layout.root / BIBLIOGRAPHY, publication.title)
    book = bibtex(publication, Cited("mollified", publication.title, "index"), papers)
    named: dict[str, Paper] = {}
    for part in parts:
        for text in part.texts.values():
            if key := text.get("bibtex"):
                named[key] = papers[key]
    templates = Environment(
        loader=PackageLoader("companion.publish", "."),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.filters |= {"text": _text, "line": _line}
    return templates.get_template("note.html.j2").render(
        parts=parts,
        count=len(_all_claims(parts)),
        book=publication,
        consequences=CONSEQUENCES,
        references=[book, *entries(named)],
        fonts=Path(matplotlib.get_data_path(), "fonts", "ttf").as_uri(),
        mathjax=(mathjax_folder() / "tex-svg.js").as_uri(),
    )


class Fit(TypedDict):
    """Hold what the script of the note says once its formulas are set.

    `bad` are formulas that are not set, `formulas` is how many there are, and `least`
    the smallest share to which one is scaled.
    """

    bad: list[str]
    formulas: int
    least: float


def _faults(fit: Fit, pages: int) -> list[str]:
    """Return what is not as it must be in the note as it was printed."""
    faults = [f"not set: {text.strip()[:80]}" for text in fit["bad"]]
    if fit["least"] < SCALED:
        faults.append(
            f"a formula would be scaled to {fit['least']:.0%} to fit, "
            f"at least {SCALED:.0%} is legible"
        )
    if not fit["formulas"] or not 0 < pages <= PAGES:
        faults.append(
            f"{fit['formulas']} formulas on {pages} pages, at most {PAGES} are allowed"
        )
    return faults


def print_note(layout: Layout) -> tuple[Path, int]:
    """Write `_build/note/mollified-<version>-note.pdf`.

    Returns it with the number of its pages. Raises CompanionError where a formula is
    not set, or does not fit, or the note is too long; the old one stays.
    """
    folder = layout.build / "note"
    target = folder / f"mollified-{find_publication(layout.root).version}-note.pdf"
    write_whole(folder / "note.html", source_of(layout))
    with open_page() as page:
        page.emulate_media(media="print")
        page.goto((folder / "note.html").as_uri())
        for size in SIZES:
            fit: Fit = page.evaluate("fit", size)
            content = page.pdf(
                prefer_css_page_size=True,
                display_header_footer=True,
                header_template="<i></i>",
                footer_template=_FOOT,
                tagged=True,
                outline=True,
            )
            pages = len(re.findall(rb"/Type\s*/Page\b", content))
            if pages <= PAGES:
                break
    if faults := _faults(fit, pages):
        raise CompanionError("the note is not as it must be:\n" + "\n".join(faults))
    stamp = time.strftime("(D:%Y%m%d%H%M%S", time.gmtime(epoch(layout.root)))
    target.write_bytes(re.sub(rb"\(D:\d{14}", stamp.encode(), content))
    return target, pages


def pack_programs(layout: Layout, profile: str) -> tuple[Path | None, list[str]]:
    """Pack the programs that verify the counterexamples beside the note.

    Returns the zip, or None and the pages that are not executed.
    """
    claims = _all_claims(parts_of(layout.root))
    version = find_publication(layout.root).version
    target = layout.build / "note" / f"mollified-{version}-counterexamples.zip"
    target.unlink(missing_ok=True)
    registry = load_registry(layout.registry)
    # A claim that is false has a page.
    runs: dict[str, Entry | None] = {}
    for page in sorted({str(claim["notebook"]) for claim in claims}):
        key = key_of(layout, page, profile, registry).digest
        runs[page] = find_entry(layout, page, profile, key)
    lacking = [page for page, run in runs.items() if run is None]
    if lacking:
        return None, lacking
    programs: list[Path] = []
    for claim in claims:
        if run := runs[str(claim["notebook"])]:
            programs += run.run.glob(f"scripts/{claim['id']}.*.py")
        if "program" in claim:
            programs.append(layout.root / BY_HAND / claim["program"])
    files = {path.name: path for path in programs}
    write_zip(target, files, epoch(layout.root), f"{target.stem}/")
    return target, []


def run_note(layout: Layout, options: argparse.Namespace) -> int:
    """Run the command `note`.

    It prints where the note and the programs of its counterexamples are.
    """
    path, pages = print_note(layout)
    print(f"{path}: {pages} pages, {path.stat().st_size / 1e6:.1f} MB")
    packed, lacking = pack_programs(layout, options.profile)
    if packed:
        print(packed)
    else:
        print(
            "programs not packed, as these pages are not executed (make book): "
            + ", ".join(lacking)
        )
    return 0
