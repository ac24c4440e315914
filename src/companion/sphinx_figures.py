"""Print a figure with its caption, its text, its data and how it was made: the directive `bookfigure`."""

from __future__ import annotations

import html
from typing import Any

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.addnodes import download_reference, only
from sphinx.util.docutils import SphinxDirective

from companion.digest import TIME_CLASS
from companion.sphinx_nodes import Nodes, container, fold, paragraph, parse, table
from companion.sphinx_store import load_json

__all__ = ["BookFigure", "Stamp", "visit_stamp"]

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
    code = {key: [paragraph(nodes.literal(record[key], record[key]))] for key in ("compute", "draw", "sha256")}
    machine = record["machine"]
    kind = _pairs(machine) if isinstance(machine, dict) else str(machine)
    return [
        ["Computed by", code["compute"]],
        ["Drawn by", code["draw"]],
        ["Parameters", _pairs(record["params"])],
        ["Seed", "none" if record["seed"] is None else str(record["seed"])],
        ["Profile", str(record["profile"])],
        ["Versions", _pairs(record["versions"])],
        ["Commit", _commit(record["commit"])],
        ["Machine", kind],
        ["Made", _time(str(record["made"]))],
        ["Time to compute", _time(f"{record['seconds']} s")],
        ["SHA-256 of the data", code["sha256"]],
    ]


class BookFigure(SphinxDirective):
    """Print figure `<page>/<id>`; the body is the caption, `:alt:` the text for who cannot see it."""

    required_arguments = 1
    has_content = True
    option_spec = {"alt": directives.unchanged_required}  # noqa: RUF012

    def run(self) -> Nodes:
        """Return the figure and its fold-out, or a report."""
        page, _, name = self.arguments[0].strip().partition("/")
        base = f"figures/{page}/{name}"
        alt, caption = " ".join(self.options.get("alt", "").split()), "\n".join(self.content)
        if not alt or not caption.strip():
            return [self._warn(f"figure {page}/{name} needs :alt: and a caption")]
        try:
            record = load_json(self.env, f"{base}.json")
            rows = _rows(record)
        except (OSError, ValueError, KeyError) as error:
            return [self._warn(f"figure {page}/{name}: no provenance: {error!r}")]
        return [self._figure(base, f"fig-{page}-{name}", alt, caption), *self._made(base, record, rows)]

    def _warn(self, message: str) -> Any:
        return self.state.document.reporter.warning(message, line=self.lineno)

    def _figure(self, base: str, label: str, alt: str, caption: str) -> Any:
        def image(suffix: str, *classes: str) -> Any:
            return nodes.image("", uri=f"/{base}{suffix}", alt=alt, classes=list(classes))

        figure = nodes.figure("", classes=["mf-figure"], names=[label])
        # One block holds the pictures, because writers expect the caption to come second.
        light_and_dark = [image(".svg", "only-light"), image(".dark.svg", "only-dark")]
        opened, closed = (nodes.raw("", text, format="html") for text in (SCROLLS, "</div>"))
        pictures = [only("", opened, *light_and_dark, closed, expr="html"), only("", image(".pdf"), expr="latex")]
        figure += container(*pictures, classes=["mf-pictures"])
        first, *rest = parse(self, caption)
        if not isinstance(first, nodes.paragraph):
            return self._warn(f"the caption of {label} must begin with a paragraph")
        figure += nodes.caption(first.rawsource, "", *first.children)
        if rest:
            figure += nodes.legend("", *rest)
        self.state.document.note_explicit_target(figure)
        self.set_source_info(figure)
        return figure

    def _made(self, base: str, record: dict[str, Any], rows: list[list[Any]]) -> Nodes:
        links: list[Any] = []
        for suffix, words in DOWNLOADS.items():
            target = f"/{base}.{suffix}"
            link = download_reference("", "", nodes.Text(words), reftarget=target, refdoc=self.env.docname)
            link["refexplicit"] = True
            links += [", ", link] if links else [link]
        command = str(record.get("command", f"make figure FIG={record['figure']}"))
        again = paragraph("To make it again: ", nodes.literal(command, command))
        grid = table(("What", "Value"), rows, classes=["mf-provenance"])
        body = fold("How this figure was made", grid, paragraph("Download: ", *links, "."), again)
        return [only("", container(*body, classes=["mf-made"]), expr="html")]
