"""Show figures with how they were made, pictures that lead to them, a page for each, and the one that can be moved."""

from __future__ import annotations

import html
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.addnodes import download_reference, only
from sphinx.util.docutils import SphinxDirective

from companion.publish.digest import TIME_CLASS
from companion.site.links import load_json, to_address, to_figure
from companion.site.nodes import Nodes, address_page, container, fold, paragraph, parse, table
from companion.site.page_ends import note_cited
from companion.site.page_notices import figure_notice

__all__ = ["BookFigure", "FigurePage", "Found", "Picture", "Stamp", "visit_stamp"]


#: What can be downloaded, in the order shown.
DOWNLOADS = {"csv": "data (CSV)", "svg": "SVG", "png": "PNG", "pdf": "PDF", "json": "provenance (JSON)"}


#: What holds the pictures: on a phone it scrolls sideways, by finger or, with the focus on it, by the arrow keys.
SCROLLS = '<div class="mf-picture" tabindex="0" role="group" aria-label="Picture, scrolls on a phone">'


def _pairs(values: dict[str, Any]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in values.items()) or "none"


def _commit(record: Any) -> str:
    if not isinstance(record, dict):
        return str(record)
    if not record.get("id"):
        return "not in a repository"
    return str(record["id"])[:12] + (", with changes that are not committed" if record.get("modified") else "")


class Stamp(nodes.General, nodes.Inline, nodes.Element):  # type: ignore[misc]
    """A time of provenance: marked on the page and no word of the search, for it differs between two builds."""


def visit_stamp(writer: Any, node: Stamp) -> None:
    """Write the time for a browser."""
    writer.body.append(f'<span class="{TIME_CLASS}">{html.escape(node["time"])}</span>')
    raise nodes.SkipNode


def _time(text: str) -> list[Any]:
    return [paragraph(Stamp(time=text))]


def _rows(record: dict[str, Any]) -> list[list[Any]]:
    code = {key: [paragraph(nodes.literal(record[key], record[key]))] for key in ("cells", "sha256")}
    machine = record["machine"]
    kind = _pairs(machine) if isinstance(machine, dict) else str(machine)
    return [
        ["Computed and drawn by the cells of", code["cells"]],
        ["Profile", str(record["profile"])],
        ["Versions", _pairs(record["versions"])],
        ["Commit", _commit(record["commit"])],
        ["Machine", kind],
        *([["Arithmetic", _pairs(record["numerics"])]] if "numerics" in record else []),
        ["Made", _time(str(record["made"]))],
        ["SHA-256 of the data", code["sha256"]],
    ]


@dataclass(frozen=True)
class Found:
    """Hold what is known of a figure: its files, text, caption, provenance; or a report of what is missing."""

    base: str = ""
    alt: str = ""
    caption: str = ""
    record: dict[str, Any] = field(default_factory=dict)
    rows: list[list[Any]] = field(default_factory=list)
    fault: Any = None


class BookFigure(SphinxDirective):
    """Print figure `<page>/<id>`; the body is the caption, `:alt:` the text for who cannot see it."""

    required_arguments = 1
    has_content = True
    option_spec = {"alt": directives.unchanged_required}  # noqa: RUF012

    def run(self) -> Nodes:
        """Return the figure and its fold-out, or a report."""
        found = self.read()
        if found.fault is not None:
            return [found.fault]
        page, _, name = self.arguments[0].strip().partition("/")
        words = f"claims/fig-{name}"
        cite = paragraph(
            "To cite it: ", to_address(f"{page}/{name}", self.env.docname, nodes.inline(words, words)), "."
        )
        grid = table(("What", "Value"), found.rows, classes=["mf-provenance"])
        body = fold("How this figure was made", grid, *self.downloads(found), cite)
        made = only("", container(*body, classes=["mf-made"]), expr="html")
        notice = figure_notice(self.env, self.arguments[0].strip())
        return [self.picture(found, f"fig-{page}-{name}", label=True), *notice, made]

    def read(self) -> Found:
        """Return the figure that the argument names with its provenance, or with a report."""
        page, _, name = self.arguments[0].strip().partition("/")
        base = f"figures/{page}/{name}"
        alt, caption = " ".join(self.options.get("alt", "").split()), "\n".join(self.content)
        if not alt or not caption.strip():
            return Found(fault=self._warn(f"figure {page}/{name} needs :alt: and a caption"))
        try:
            record = load_json(self.env, f"{base}.json")
            return Found(base, alt, caption, record, _rows(record))
        except (OSError, ValueError, KeyError) as error:
            return Found(fault=self._warn(f"figure {page}/{name}: no provenance: {error!r}"))

    def _warn(self, message: str) -> Any:
        return self.state.document.reporter.warning(message, line=self.lineno)

    def picture(self, found: Found, name: str, *, label: bool = False) -> Any:
        """Return the picture in both themes with its caption; with a label it can be named from other pages."""

        def image(suffix: str, *classes: str) -> Any:
            return nodes.image("", uri=f"/{found.base}{suffix}", alt=found.alt, classes=list(classes))

        figure = nodes.figure("", classes=["mf-figure"], **({"names": [name]} if label else {"ids": [name]}))
        # One block holds the pictures, because writers expect the caption to come second.
        light_and_dark = [image(".svg", "only-light"), image(".dark.svg", "only-dark")]
        opened, closed = (nodes.raw("", text, format="html") for text in (SCROLLS, "</div>"))
        pictures = [only("", opened, *light_and_dark, closed, expr="html"), only("", image(".pdf"), expr="latex")]
        figure += container(*pictures, classes=["mf-pictures"])
        first, *rest = parse(self, found.caption)
        if not isinstance(first, nodes.paragraph):
            return self._warn(f"the caption of {name} must begin with a paragraph")
        figure += nodes.caption(first.rawsource, "", *first.children)
        if rest:
            figure += nodes.legend("", *rest)
        if label:
            self.state.document.note_explicit_target(figure)
        self.set_source_info(figure)
        return figure

    def downloads(self, found: Found) -> Nodes:
        """Return links to the files of the figure, and the command that makes it again."""
        links: list[Any] = []
        for suffix, words in DOWNLOADS.items():
            target = f"/{found.base}.{suffix}"
            link = download_reference("", "", nodes.Text(words), reftarget=target, refdoc=self.env.docname)
            link["refexplicit"] = True
            links += [", ", link] if links else [link]
        command = str(found.record.get("command", f"make figure FIG={found.record['figure']}"))
        again = paragraph("To make it again: ", nodes.literal(command, command))
        return [paragraph("Download: ", *links, "."), again]


class Picture(SphinxDirective):
    """Print the picture at a path without suffix, for light and dark pages; the body says what is to be seen.

    `:alt:` is the text for who cannot see it, `:page:` the page that a click leads to, `:small:` for one of several
    side by side.
    """

    required_arguments = 1
    has_content = True
    option_spec = {  # noqa: RUF012
        "alt": directives.unchanged_required,
        "page": directives.unchanged_required,
        "small": directives.flag,
    }

    def run(self) -> Nodes:
        """Return the picture and the words, or a report."""
        base = self.arguments[0].strip()
        alt, page = (" ".join(self.options.get(name, "").split()) for name in ("alt", "page"))
        words = "\n".join(self.content)
        if not alt or not page or not words.strip():
            return [self._warn(f"picture {base} needs :alt:, :page: and a line of words")]
        suffixes = {".svg": "only-light", ".dark.svg": "only-dark"}
        missing = [name for name in suffixes if not (Path(self.env.srcdir) / f"{base}{name}").is_file()]
        if missing:
            return [self._warn(f"picture {base}: no file {base}{missing[0]}")]
        if page not in self.env.found_docs:
            return [self._warn(f"picture {base}: no page {page!r}")]
        for suffix in suffixes:
            self.env.note_dependency(f"{base}{suffix}")
        # The small ones are on the first page, where a browser is to fetch only those of the theme that is shown.
        lazy = {"loading": "lazy"} if "small" in self.options else {}
        images = [
            nodes.image("", uri=f"/{base}{name}", alt=alt, classes=[theme], **lazy) for name, theme in suffixes.items()
        ]
        shown: Nodes = [only("", self._link(page, images), expr="html")]
        if (Path(self.env.srcdir) / f"{base}.pdf").is_file():
            shown.append(only("", nodes.image("", uri=f"/{base}.pdf", alt=alt), expr="latex"))
        kind = "mf-teaser" if "small" in self.options else "mf-again"
        wide = ["mf-wide"] if base.startswith("figures/") else []
        box = container(*shown, *parse(self, words), classes=[kind, *wide])
        self.set_source_info(box)
        return [box]

    def _link(self, page: str, images: Nodes) -> Any:
        """Return a link around the images; in a paragraph, since a link stands in a line."""
        address = self.env.app.builder.get_relative_uri(self.env.docname, page) if self._is_html() else ""
        link = nodes.reference("", "", *images, refuri=address, internal=True)
        return nodes.paragraph("", "", link, classes=["mf-shown"])

    def _is_html(self) -> bool:
        return bool(self.env.app.builder.format == "html")

    def _warn(self, message: str) -> Any:
        return self.state.document.reporter.warning(message, line=self.lineno)


class FigurePage(BookFigure):
    """Print one figure with its caption and how it was made; the body is as for `bookfigure`."""

    option_spec = {"alt": directives.unchanged_required}  # noqa: RUF012

    def run(self) -> Nodes:
        """Return the page, or a report."""
        page, _, name = self.arguments[0].strip().partition("/")
        found = self.read()
        if found.fault is not None:
            return [found.fault]
        title = f"Figure {name}"
        note_cited(self.env, f"mollified-fig-{name}", title, on=f"notebooks/{page}")
        place = paragraph(
            "Shown on the page ", to_figure(f"{page}/{name}", self.env.docname), ".", classes=["mf-places"]
        )
        grid = table(("What", "Value"), found.rows, classes=["mf-provenance"])
        made = nodes.section("", nodes.title("", "How it was made"), grid, *self.downloads(found), ids=["made"])
        notice = figure_notice(self.env, f"{page}/{name}")
        return [address_page(f"fig-{name}", title, self.picture(found, f"fig-{name}"), *notice, place, made)]
