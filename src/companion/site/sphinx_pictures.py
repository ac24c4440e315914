"""Show a picture of the book once more, small or on another page, with a link to where it is explained.

A figure has one address and one caption, on its own page (the directive `bookfigure`). The directive `picture` shows
the same files again without an address: no number, no data, a line of words and the link.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.addnodes import only
from sphinx.util.docutils import SphinxDirective

from companion.site.sphinx_nodes import Nodes, container, parse

__all__ = ["Picture"]


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
        # Lazy, so that a browser fetches only the one that is shown.
        images = [
            nodes.image("", uri=f"/{base}{name}", alt=alt, classes=[theme], loading="lazy")
            for name, theme in suffixes.items()
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
