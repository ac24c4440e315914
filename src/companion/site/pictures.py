"""Show figures with how they were made, pictures that lead to them, a page for each, and the one that can be moved."""

from __future__ import annotations

import html
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.addnodes import only
from sphinx.util.docutils import SphinxRole

from companion.publish.digest import TIME_CLASS
from companion.site.computed import load_json
from companion.site.generated import Generated, parse
from companion.site.nodes import Nodes, container
from companion.site.page_ends import note_cited

__all__ = ["BookFigure", "FigurePage", "Found", "Picture", "Stamp", "StampRole", "visit_stamp"]


#: What can be downloaded, in the order shown; `make figure` writes PNG and PDF as well.
DOWNLOADS = {"csv": "data (CSV)", "svg": "SVG", "json": "provenance (JSON)"}


#: What holds the pictures: on a phone it scrolls sideways, by finger or, with the focus on it, by the arrow keys.
SCROLLS = '<div class="mf-picture" tabindex="0" role="group" aria-label="Picture, scrolls on a phone">'


class Stamp(nodes.General, nodes.Inline, nodes.Element):  # type: ignore[misc]
    """A time of provenance: marked on the page and no word of the search, for it differs between two builds."""


def visit_stamp(writer: Any, node: Stamp) -> None:
    """Write the time for a browser."""
    writer.body.append(f'<span class="{TIME_CLASS}">{html.escape(node["time"])}</span>')
    raise nodes.SkipNode


class StampRole(SphinxRole):
    """Print a time of provenance: {stamp}`2026-01-02T03:04:05Z`."""

    def run(self) -> tuple[Nodes, Nodes]:
        """Return the time."""
        return [Stamp(time=self.text)], []


@dataclass(frozen=True)
class Found:
    """Hold what is known of a figure: its files, text, caption, provenance; or a report of what is missing."""

    base: str = ""
    alt: str = ""
    caption: str = ""
    record: dict[str, Any] = field(default_factory=dict)
    fault: Any = None


class BookFigure(Generated):
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
        return [self.picture(found, f"fig-{page}-{name}", label=True), *self.made(found, whole=False)]

    def made(self, found: Found, *, whole: bool) -> Nodes:
        """Return how the figure was made, for its own page as a whole, else folded, with links to its files."""
        figure = self.arguments[0].strip()
        given = {"figure": figure, "name": figure.partition("/")[2], "base": found.base, "record": found.record}
        return self.fill("made", **given, downloads=DOWNLOADS, whole=whole)

    def read(self) -> Found:
        """Return the figure that the argument names with its provenance, or with a report."""
        page, _, name = self.arguments[0].strip().partition("/")
        base = f"figures/{page}/{name}"
        alt, caption = " ".join(self.options.get("alt", "").split()), "\n".join(self.content)
        if not alt or not caption.strip():
            return Found(fault=self.warn(f"figure {page}/{name} needs :alt: and a caption")[0])
        try:
            record = load_json(self.env, f"{base}.json")
            record["cells"], record["sha256"], record["machine"], record["made"]  # what every record has
            return Found(base, alt, caption, record)
        except (OSError, ValueError, KeyError) as error:
            return Found(fault=self.warn(f"figure {page}/{name}: no provenance: {error!r}")[0])

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
            return self.warn(f"the caption of {name} must begin with a paragraph")[0]
        figure += nodes.caption(first.rawsource, "", *first.children)
        if rest:
            figure += nodes.legend("", *rest)
        if label:
            self.state.document.note_explicit_target(figure)
        self.set_source_info(figure)
        return figure


class Picture(Generated):
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
            return self.warn(f"picture {base} needs :alt:, :page: and a line of words")
        suffixes = {".svg": "only-light", ".dark.svg": "only-dark"}
        missing = [name for name in suffixes if not (Path(self.env.srcdir) / f"{base}{name}").is_file()]
        if missing:
            return self.warn(f"picture {base}: no file {base}{missing[0]}")
        if page not in self.env.found_docs:
            return self.warn(f"picture {base}: no page {page!r}")
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
        section = nodes.section("", nodes.title(title, title), self.picture(found, f"fig-{name}"))
        section += self.made(found, whole=True)
        section[-1]["ids"] = ["made"]
        return self.address_page(f"fig-{name}", section)
