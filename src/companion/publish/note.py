"""Print the errata as a note of a few pages: the ledger gives HTML, MathJax sets its formulas, a browser prints it.

A false claim with a `short_proof` in the ledger is told in full, those that name it as
their `cause` under it; what is left, slips from which the text draws nothing that
falls, comes last.
"""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib
from jinja2 import Environment, PackageLoader
from markupsafe import Markup

from companion.archive import epoch, write_zip
from companion.citing.citation import BIBLIOGRAPHY, Cited, bibtex, entry, load_papers
from companion.citing.publication import find_publication
from companion.ledger.claims import load_claims, load_sources
from companion.ledger.registry import load_registry
from companion.paths import CompanionError, Layout, write_whole
from companion.plain_text import plain_html
from companion.profiles import check_profile
from companion.run.cache import find_entry, key_of
from companion.site.browser import open_page
from companion.site.extension import mathjax_folder
from companion.site.ledger_page import of_series

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


@dataclass(frozen=True)
class Part:
    """Hold what the note says of one series of texts: claims told in full, with those of the same cause, and slips."""

    title: str
    texts: Mapping[str, Mapping[str, Any]]
    full: Sequence[tuple[dict[str, Any], list[dict[str, Any]]]]
    slips: Sequence[dict[str, Any]]

    @property
    def claims(self) -> list[dict[str, Any]]:
        """Every claim of this part, in the order of the note."""
        return [claim for one, others in self.full for claim in (one, *others)] + list(
            self.slips
        )


def parts_of(root: Path) -> list[Part]:
    """Return every false claim of the texts that have errata, by series, theorems first.

    Raises CompanionError for a claim whose consequence is lost or weaker and that has
    neither a proof nor a cause.
    """
    false = [claim.record for claim in load_claims(root) if claim.expected == "false"]
    false.sort(
        key=lambda claim: list(CONSEQUENCES).index(claim.get("conclusion", "survives"))
    )
    parts = []
    for title, texts, own in of_series(false, load_sources(root)):
        bare = [
            c["id"]
            for c in own
            if c["conclusion"] != "survives" and not c.keys() & {"short_proof", "cause"}
        ]
        if bare:
            raise CompanionError(
                f"the ledger has no proof, and no cause, for the note on {', '.join(bare)}"
            )
        full = [
            (c, [other for other in own if other.get("cause") == c["id"]])
            for c in own
            if "short_proof" in c
        ]
        parts.append(
            Part(
                title,
                texts,
                full,
                [c for c in own if not c.keys() & {"short_proof", "cause"}],
            )
        )
    return [part for part in parts if part.full or part.slips]


def _line(text: str) -> Markup:
    """Return a line of the ledger as HTML; a formula keeps what touches it on its line."""
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
    keys = dict.fromkeys(
        text["bibtex"]
        for part in parts
        for text in part.texts.values()
        if "bibtex" in text
    )
    book = bibtex(publication, Cited("mollified", publication.title, "index"), papers)
    templates = Environment(
        loader=PackageLoader("companion.publish", "."),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.filters |= {"text": _text, "line": _line}
    return templates.get_template("note.html.j2").render(
        parts=parts,
        count=sum(len(part.claims) for part in parts),
        book=publication,
        consequences=CONSEQUENCES,
        references=[
            book,
            *(entry(papers[key].kind, key, papers[key].fields) for key in keys),
        ],
        fonts=Path(matplotlib.get_data_path(), "fonts", "ttf").as_uri(),
        mathjax=(mathjax_folder() / "tex-svg.js").as_uri(),
    )


def print_note(layout: Layout) -> tuple[Path, int]:
    """Write `_build/note/mollified-<version>-note.pdf` and return it with the number of its pages.

    Raises CompanionError where a formula is not set, or does not fit, or the note is
    too long; the old one stays.
    """
    folder = layout.build / "note"
    made = f"mollified-{find_publication(layout.root).version}-note.pdf"
    write_whole(folder / "note.html", source_of(layout))
    with open_page() as page:
        page.emulate_media(media="print")
        page.goto((folder / "note.html").as_uri())
        for size in SIZES:
            found = page.evaluate("fit", size)
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
    faults = [f"not set: {text.strip()[:80]}" for text in found["bad"]]
    if found["least"] < SCALED:
        faults.append(
            f"a formula would be scaled to {found['least']:.0%} to fit, at least {SCALED:.0%} is legible"
        )
    if not found["formulas"] or not 0 < pages <= PAGES:
        faults.append(
            f"{found['formulas']} formulas on {pages} pages, at most {PAGES} are allowed"
        )
    if faults:
        raise CompanionError("the note is not as it must be:\n" + "\n".join(faults))
    stamp = time.strftime("(D:%Y%m%d%H%M%S", time.gmtime(epoch(layout.root)))
    (folder / made).write_bytes(re.sub(rb"\(D:\d{14}", stamp.encode(), content))
    return folder / made, pages


def pack_programs(layout: Layout, profile: str) -> tuple[Path | None, list[str]]:
    """Pack the programs that verify the counterexamples beside the note; return the zip, or the pages not executed."""
    registry = load_registry(layout.registry)
    claims = [claim for part in parts_of(layout.root) for claim in part.claims]
    pages = sorted({claim["notebook"] for claim in claims})
    keys = {page: key_of(layout, page, profile, registry).digest for page in pages}
    kept = {page: find_entry(layout, page, profile, key) for page, key in keys.items()}
    target = (
        layout.build
        / "note"
        / f"mollified-{find_publication(layout.root).version}-counterexamples.zip"
    )
    target.unlink(missing_ok=True)
    if lacking := [page for page, entry in kept.items() if entry is None]:
        return None, lacking
    runs = {page: entry.run for page, entry in kept.items() if entry}
    found = [
        path
        for c in claims
        for path in runs[c["notebook"]].glob(f"scripts/{c['id']}.*.py")
    ]
    found += [
        layout.root / BY_HAND / claim["program"]
        for claim in claims
        if "program" in claim
    ]
    write_zip(
        target,
        {path.name: path for path in found},
        epoch(layout.root),
        f"{target.stem}/",
    )
    return target, []


def run_note(layout: Layout, options: Any) -> int:
    """Run the command `note`: print where the note and the programs of its counterexamples are."""
    path, pages = print_note(layout)
    print(f"{path}: {pages} pages, {path.stat().st_size / 1e6:.1f} MB")
    packed, lacking = pack_programs(layout, check_profile(options.profile))
    print(
        packed
        or f"programs not packed, as these pages are not executed (make book): {', '.join(lacking)}"
    )
    return 0
