"""Configure Sphinx for print, and put the print form of a page in the place of the page."""

from __future__ import annotations

import os
from typing import Any

from docutils import nodes
from sphinx.addnodes import toctree
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.environment import BuildEnvironment
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.nodes import make_refnode

from companion.site.addresses import FOLDER
from companion.site.computed import anchor
from companion.site.print_tables import set_tables
from companion.site.printing import (
    address_rows,
    arrange,
    drop_folded_code,
    frame_claims,
    mark_addresses,
    name_formulas,
    note_sources,
    open_folds,
    return_sources,
    set_formulas,
)

__all__ = ["STYLE", "PrintForm", "connect_print"]


#: The style of the book in print, beside the pages.
STYLE = "book/_latex/mollified.sty"


ELEMENTS = {
    "papersize": "a4paper",
    "pointsize": "10pt",
    "extraclassoptions": "openany,oneside",
    "babel": r"\usepackage{polyglossia}\setmainlanguage{english}",
    "fontpkg": "",
    "fncychap": "",
    "geometry": r"\usepackage[a4paper,hmargin=2.4cm,top=2.6cm,bottom=2.6cm,headsep=16pt]{geometry}",
    "sphinxsetup": "verbatimwithframe=false, VerbatimColor={rgb}{0.965,0.973,0.980}, verbatimsep=4pt",
    "fvset": r"\fvset{fontsize=\footnotesize}",
    "preamble": r"\usepackage{mollified}",
    "figure_align": "H",  # where the text says, and away from the long tables that a float would push off the page
    "makeindex": "",
    "printindex": "",
}


def _configure(_app: Sphinx, config: Config) -> None:
    config.latex_elements = {**ELEMENTS, **config.latex_elements}
    config.latex_additional_files = [*config.latex_additional_files, STYLE]
    config.latex_use_xindy = False
    config.latex_show_urls = "no"
    if os.environ.get("COMPANION_BUILDER") == "latex":
        # In print a claim has its card, or its entry in the ledger: the pages of their own are not even read.
        config.exclude_patterns = [*config.exclude_patterns, f"{FOLDER}/**"]


def _number_throughout(app: Sphinx) -> None:
    """Number figures through the whole book, as on the web, where chapters have no numbers."""
    if app.builder.format == "latex":
        app.config.numfig_secnum_depth = 0


def _link(app: Sphinx, env: BuildEnvironment, node: Any, content: Any) -> Any:
    """Lead links to a claim, in print, to its card on a page, else to the ledger; None for other links."""
    kind = node["reftype"]
    if app.builder.format != "latex" or not kind.startswith("companion-"):
        return None
    cards: dict[str, dict[str, int]] = getattr(env, "companion_cards", {})
    name, source = node["reftarget"], node["refdoc"]
    holders = [page for page in sorted(cards) if name in cards[page]]
    if not holders:
        return None
    page = source if source in holders else holders[0]
    return make_refnode(app.builder, source, page, anchor(name), content)


class PrintForm(SphinxPostTransform):
    """Give the assembled book its print form."""

    default_priority = 60  # when links are resolved and what other builders show is gone
    formats = ("latex",)

    def run(self, **_: Any) -> None:
        """Rearrange the book in place."""
        arrange(self.document, self._parts())
        self.document.settings.mf_sources = note_sources(self.document)
        drop_folded_code(self.document)
        open_folds(self.document)
        address_rows(self.document)
        mark_addresses(self.document)
        frame_claims(self.document)
        set_tables(self.document)
        set_formulas(self.document)
        name_formulas(self.document)

    def _parts(self) -> list[tuple[str, str]]:
        tree: nodes.document = self.env.get_doctree(self.env.config.root_doc)
        return [
            (node["caption"], node["entries"][0][1])
            for node in tree.findall(toctree)
            if node.get("caption") and node["entries"]
        ]


class SourcesInPlace(SphinxPostTransform):
    """Print the list of sources on its page, and not as a chapter after all others."""

    default_priority = 760  # when Sphinx has gathered them
    formats = ("latex",)

    def run(self, **_: Any) -> None:
        """Move the list back."""
        mark = getattr(self.document.settings, "mf_sources", None)
        if mark is not None:
            return_sources(self.document, mark)


def connect_print(app: Sphinx) -> None:
    """Have the book printed so."""
    app.connect("config-inited", _configure, priority=400)
    app.connect("builder-inited", _number_throughout)
    app.connect("missing-reference", _link, priority=400)
    app.add_post_transform(PrintForm)
    app.add_post_transform(SourcesInPlace)
