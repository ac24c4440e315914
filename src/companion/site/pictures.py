"""Show figures with how they were made, pictures that lead to them, and their pages."""

from __future__ import annotations

from typing import ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.addnodes import only

from companion.site.ledger_view import load_json
from companion.site.nodes import Nodes
from companion.site.permalinks import figure_anchor
from companion.site.template_directives import Generated, parse

#: What can be downloaded, in the order shown; `make figure` writes PNG and PDF as well.
DOWNLOADS = {"csv": "data (CSV)", "svg": "SVG", "json": "provenance (JSON)"}
#: What holds the pictures: on a phone it scrolls sideways, by finger or, with the focus
#: on it, by the arrow keys.
SCROLLS = (
    '<div class="mf-picture" tabindex="0" role="group" '
    'aria-label="Picture, scrolls on a phone">'
)
#: The classes of the two pictures of a figure, of which a page shows one.
THEMES = ("only-light", "only-dark")


def _raw(text: str) -> nodes.raw:
    return nodes.raw("", text, format="html")


class _Pictured(Generated):
    """Show a picture for light and for dark pages, and one in print."""

    required_arguments = 1
    has_content = True

    @property
    def alt(self) -> str:
        """The text for who cannot see the picture."""
        return " ".join(self.options["alt"].split())

    def body(self) -> Nodes:
        """Return the text of the directive."""
        return parse(self, "\n".join(self.content))

    def images(self, base: str, **more: str) -> Nodes:
        """Return the picture at a path without suffix for light and for dark pages."""
        return [
            nodes.image("", classes=[theme], uri=f"/{base}.svg", alt=self.alt, **more)
            for theme in THEMES
        ]

    def shown(self, base: str, *parts: nodes.Node) -> Nodes:
        """Return what a browser shows and, for print, the picture as PDF.

        Print alone has that file.
        """
        pictures = [only("", *parts, expr="html")]
        if self.env.app.builder.format == "latex":
            printed = nodes.image("", uri=f"/{base}.pdf", alt=self.alt)
            pictures.append(only("", printed, expr="latex"))
        return pictures


class BookFigure(_Pictured):
    """Print figure `<page>/<id>`; the body is the caption.

    `:alt:` is the text for who cannot see it.
    """

    option_spec: ClassVar = {"alt": directives.unchanged_required}

    def run(self) -> Nodes:
        """Return the figure and its fold-out."""
        figure = self.picture({"names": [figure_anchor(self.arguments[0])]})
        self.state.document.note_explicit_target(figure)
        self.set_source_info(figure)
        return [figure, *self.made(whole=False)]

    def made(self, *, whole: bool) -> Nodes:
        """Return how the figure was made, with links to its files.

        It is folded, unless it stands as a whole on the figure's own page.
        """
        figure = self.arguments[0]
        return self.fill(
            "made",
            figure=figure,
            base=f"figures/{figure}",
            record=load_json(self.env, f"figures/{figure}.json"),
            downloads=DOWNLOADS,
            whole=whole,
        )

    def picture(self, name: dict[str, list[str]]) -> nodes.figure:
        """Return the picture in both themes with its caption.

        A figure with `names` can be named from other pages, one with `ids` cannot.
        """
        figure = nodes.figure("", classes=["mf-figure"], **name)
        # One block holds the pictures, because writers expect the caption to come
        # second.
        base = f"figures/{self.arguments[0]}"
        pictures = self.shown(base, _raw(SCROLLS), *self.images(base), _raw("</div>"))
        figure += nodes.container("", *pictures, classes=["mf-pictures"])
        first, *rest = self.body()
        figure += nodes.caption(first.rawsource, "", *first.children)
        if rest:
            figure += nodes.legend("", *rest)
        return figure


class Picture(_Pictured):
    """Print the picture at a path without suffix; the body says what is to be seen.

    `:alt:` is the text for who cannot see it, `:page:` the page that a click leads to,
    `:small:` for one of several side by side.
    """

    option_spec: ClassVar = {
        "alt": directives.unchanged_required,
        "page": directives.unchanged_required,
        "small": directives.flag,
    }

    def run(self) -> Nodes:
        """Return the picture and the words, or a report."""
        base = self.arguments[0]
        if not {"alt", "page"} <= set(self.options) or not self.content:
            raise self.warning(
                f"picture {base} needs :alt:, :page: and a line of words"
            )
        if "small" in self.options:
            # The small ones are on the first page, where a browser is to fetch only
            # those of the theme that is shown.
            images = self.images(base, loading="lazy")
            classes = ["mf-teaser"]
        else:
            images = self.images(base)
            classes = ["mf-again"]
        if base.startswith("figures/"):
            classes.append("mf-wide")
        there = self.address_of(self.options["page"])
        link = nodes.reference("", "", *images, refuri=there, internal=True)
        shown = self.shown(base, nodes.paragraph("", "", link, classes=["mf-shown"]))
        box = nodes.container("", *shown, *self.body(), classes=classes)
        self.set_source_info(box)
        return [box]


class FigurePage(BookFigure):
    """Print one figure with its caption and how it was made, as for `bookfigure`."""

    def run(self) -> Nodes:
        """Return the page."""
        page, _, name = self.arguments[0].partition("/")
        title = f"Figure {name}"
        figure = self.picture({"ids": [f"fig-{name}"]})
        self.set_source_info(figure)
        section = nodes.section(
            "", nodes.title(title, title), figure, *self.made(whole=True)
        )
        section[-1]["ids"] = ["made"]
        of = f"notebooks/{page}"
        return self.address_page(f"fig-{name}", title, [section], of=of)
