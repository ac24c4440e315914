"""Show figures with how they were made, pictures that lead to them, and a page for each."""

from __future__ import annotations

from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.addnodes import only

from companion.site.ledger_view import load_json
from companion.site.links import noted
from companion.site.nodes import Nodes
from companion.site.template_directives import Generated, parse

#: What can be downloaded, in the order shown; `make figure` writes PNG and PDF as well.
DOWNLOADS = {"csv": "data (CSV)", "svg": "SVG", "json": "provenance (JSON)"}
#: What holds the pictures: on a phone it scrolls sideways, by finger or, with the focus
#: on it, by the arrow keys.
SCROLLS = '<div class="mf-picture" tabindex="0" role="group" aria-label="Picture, scrolls on a phone">'


def _alt(directive: Generated) -> str:
    return " ".join(directive.options["alt"].split())


def _images(directive: Generated, base: str, **more: str) -> Nodes:
    """Return the picture at a path without suffix for light and for dark pages, where it asks for other colours."""
    given = {"uri": f"/{base}.svg", "alt": _alt(directive), **more}
    return [
        nodes.image("", classes=[name], **given) for name in ("only-light", "only-dark")
    ]


def _shown(directive: Generated, base: str, *parts: Any) -> Nodes:
    """Return what a browser shows and, for print, which alone has the file, the picture as PDF."""
    printed = nodes.image("", uri=f"/{base}.pdf", alt=_alt(directive))
    latex = (
        [only("", printed, expr="latex")]
        if directive.env.app.builder.format == "latex"
        else []
    )
    return [only("", *parts, expr="html"), *latex]


class BookFigure(Generated):
    """Print figure `<page>/<id>`; the body is the caption, `:alt:` the text for who cannot see it."""

    required_arguments = 1
    has_content = True
    option_spec: ClassVar = {"alt": directives.unchanged_required}

    def run(self) -> Nodes:
        """Return the figure and its fold-out."""
        return [
            self.picture("fig-" + self.arguments[0].replace("/", "-"), label=True),
            *self.made(whole=False),
        ]

    def made(self, *, whole: bool) -> Nodes:
        """Return how the figure was made, for its own page as a whole, else folded, with links to its files."""
        figure = self.arguments[0]
        given = {
            "figure": figure,
            "base": f"figures/{figure}",
            "record": load_json(self.env, f"figures/{figure}.json"),
        }
        return self.fill("made", **given, downloads=DOWNLOADS, whole=whole)

    def picture(self, name: str, *, label: bool = False) -> Any:
        """Return the picture in both themes with its caption; with a label it can be named from other pages."""
        figure = nodes.figure(
            "",
            classes=["mf-figure"],
            **({"names": [name]} if label else {"ids": [name]}),
        )
        # One block holds the pictures, because writers expect the caption to come
        # second.
        opened, closed = (
            nodes.raw("", text, format="html") for text in (SCROLLS, "</div>")
        )
        base = f"figures/{self.arguments[0]}"
        pictures = _shown(self, base, opened, *_images(self, base), closed)
        figure += nodes.container("", *pictures, classes=["mf-pictures"])
        first, *rest = parse(self, "\n".join(self.content))
        figure += nodes.caption(first.rawsource, "", *first.children)
        if rest:
            figure += nodes.legend("", *rest)
        if label:
            self.state.document.note_explicit_target(figure)
        self.set_source_info(figure)
        return figure


class Picture(Generated):
    """Print the picture at a path without suffix, for light and dark pages; the body says what is to be seen.

    `:alt:` is the text for who cannot see it, `:page:` the page that a click leads to,
    `:small:` for one of several side by side.
    """

    required_arguments = 1
    has_content = True
    option_spec: ClassVar = {
        "alt": directives.unchanged_required,
        "page": directives.unchanged_required,
        "small": directives.flag,
    }

    def run(self) -> Nodes:
        """Return the picture and the words, or a report."""
        base = self.arguments[0]
        small = "small" in self.options
        builder = self.env.app.builder
        if not {"alt", "page"} <= set(self.options) or not self.content:
            raise self.warning(
                f"picture {base} needs :alt:, :page: and a line of words"
            )
        # The small ones are on the first page, where a browser is to fetch only those
        # of the theme that is shown.
        images = _images(self, base, **({"loading": "lazy"} if small else {}))
        address = (
            builder.get_relative_uri(self.env.docname, self.options["page"])
            if builder.format == "html"
            else ""
        )
        link = nodes.reference("", "", *images, refuri=address, internal=True)
        shown = _shown(self, base, nodes.paragraph("", "", link, classes=["mf-shown"]))
        classes = [
            "mf-teaser" if small else "mf-again",
            *(["mf-wide"] if base.startswith("figures/") else []),
        ]
        box = nodes.container(
            "", *shown, *parse(self, "\n".join(self.content)), classes=classes
        )
        self.set_source_info(box)
        return [box]


class FigurePage(BookFigure):
    """Print one figure with its caption and how it was made; the body is as for `bookfigure`."""

    def run(self) -> Nodes:
        """Return the page."""
        page, _, name = self.arguments[0].partition("/")
        title = f"Figure {name}"
        noted(self.env, "cited")[self.env.docname] = (
            f"mollified-fig-{name}",
            title,
            (),
            f"notebooks/{page}",
        )
        section = nodes.section(
            "",
            nodes.title(title, title),
            self.picture(f"fig-{name}"),
            *self.made(whole=True),
        )
        section[-1]["ids"] = ["made"]
        return self.address_page(f"fig-{name}", section)
