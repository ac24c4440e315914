"""Print a figure with its caption, its text, its data and how it was made: the directive `bookfigure`."""

from __future__ import annotations

import html
from dataclasses import dataclass, field
from typing import Any

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.addnodes import download_reference, only
from sphinx.util.docutils import SphinxDirective

from companion.publish.digest import TIME_CLASS
from companion.site.sphinx_links import to_address
from companion.site.sphinx_nodes import Nodes, container, fold, paragraph, parse, table
from companion.site.sphinx_notices import figure_notice
from companion.site.sphinx_store import load_json

__all__ = ["BookFigure", "Found", "Stamp", "visit_stamp"]

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
