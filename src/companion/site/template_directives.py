"""Make the generated pages: a template (`templates/*.md.j2`) gives MyST, which Sphinx reads where the directive stands.

In a template a link is `[words](mf:<kind>:<target>)` with a kind of
`companion.site.links`, and `mf:here:<id>` leads to an address of the page; the
directive `box` is a block with classes and an address, `fold` one that a reader opens,
and the role `row` gives the row of a table its address and its classes.
"""

from __future__ import annotations

import html
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from docutils.statemachine import StringList
from jinja2 import Environment, PackageLoader
from sphinx.addnodes import index, pending_xref
from sphinx.util.docutils import SphinxDirective, SphinxRole

from companion.ledger.claims import NAMED
from companion.ledger.verdicts import OURS
from companion.run.deviations import read_notices
from companion.site.ledger_view import Claims, load_claims, md
from companion.site.links import link, noted
from companion.site.nodes import (
    GRADES,
    LABELS,
    Nodes,
    badge_classes,
    badge_text,
    grade_of,
    grade_words,
    reach_words,
    sharpness_words,
    verdict_words,
)

_TEMPLATES = Environment(
    loader=PackageLoader("companion.site"),
    trim_blocks=True,
    lstrip_blocks=True,
    comment_start_string="<#",  # `{#name}` gives an address in MyST
    comment_end_string="#>",
)
_TEMPLATES.filters |= {"md": md, "head": lambda text: f"{text[:1].upper()}{text[1:]}"}
_TEMPLATES.globals |= {
    "GRADES": GRADES,
    "LABELS": LABELS,
    "NAMED": NAMED,
    "badge_classes": badge_classes,
    "badge_text": badge_text,
    "grade_of": grade_of,
    "grade_words": grade_words,
    "ours": lambda claim: claim["id"].startswith(OURS),
    "reach_words": reach_words,
    "sharpness_words": sharpness_words,
    "verdict_words": verdict_words,
}


def led(docname: str, box: Any) -> None:
    """Make the links of a template those of the book, and give rows what their marks say."""
    for node in list(box.findall(pending_xref)):
        scheme, _, rest = node["reftarget"].partition(":")
        if scheme != "mf":
            continue
        kind, _, target = rest.partition(":")
        inner = node[0]
        if kind == "here":
            made: Any = nodes.reference(
                "",
                "",
                *inner.children,
                refid=target,
                internal=True,
                classes=inner["classes"][2:],
            )
            made.attributes |= (
                {"reftitle": inner["reftitle"]} if "reftitle" in inner else {}
            )
        else:
            for number in [
                node for node in inner.findall(nodes.strong) if kind == "filter"
            ]:
                marked = ["mf-tally-number", f"mf-tally-{target}"]
                number.replace_self(
                    nodes.inline("", "", *number.children, classes=marked)
                )
            alone = len(inner) == 1 and isinstance(inner[0], nodes.Element)
            made = link(
                kind,
                target,
                docname,
                inner[0] if alone else nodes.inline("", "", *inner.children),
            )
        node.replace_self(made)
    for mark in [node for node in box.findall(nodes.inline) if "row" in node]:
        row = mark.parent
        while not isinstance(row, nodes.row):
            row = row.parent
        row["classes"] += mark["classes"]
        row["ids"] += mark["ids"]
        mark.parent.remove(mark)


def parse(directive: SphinxDirective, text: str, *, sections: bool = False) -> Nodes:
    """Return the nodes of a MyST text, parsed where the directive stands."""
    box = nodes.Element()
    lines = StringList(
        text.splitlines(), source=directive.env.doc2path(directive.env.docname)
    )
    # A parser of MyST would hang sections into the document, before what stands above
    # them in the text.
    parser: Any = directive.state._renderer
    levels, parser._level_to_section = (
        parser._level_to_section,
        {0: box} if sections else parser._level_to_section,
    )
    directive.state.nested_parse(
        lines, directive.content_offset, box, match_titles=sections
    )
    parser._level_to_section = levels
    led(directive.env.docname, box)
    return list(box.children)


class Generated(SphinxDirective):
    """Print a template filled from the ledger; what is missing is a warning, which ends the build."""

    @property
    def claims(self) -> Claims:
        """The ledger."""
        return load_claims(self.env)

    def fill(self, template: str, /, **values: Any) -> Nodes:
        """Return the nodes of a template; it knows the ledger, the notices and whether the book is made for print."""
        given = {
            "claims": self.claims,
            "notices": read_notices(Path(self.env.srcdir)),
            "in_html": self.env.app.builder.format == "html",
        }
        return parse(
            self,
            _TEMPLATES.get_template(f"{template}.md.j2").render(**given, **values),
            sections=True,
        )

    def address_page(self, name: str, *body: Any) -> Nodes:
        """Return a page whose name is a main entry of the index, which the search shows first."""
        section = body[0]
        section.attributes |= {"ids": ["address"], "names": ["address"]}
        section.insert(1, index(entries=[("single", name, "address", "main", None)]))
        return list(body)


class FromTemplate(Generated):
    """Print the template of the directive's name; `values` gives what it is filled with beside the ledger."""

    optional_arguments = 1
    option_spec: ClassVar = {"compact": directives.flag}
    values: ClassVar[Callable[[Generated], dict[str, Any]]]

    def run(self) -> Nodes:
        """Return the nodes of the template, and remember which page has them."""
        noted(self.env, "pages")[self.name] = self.env.docname
        return self.fill(self.name.replace("-", "_"), **self.values())


class Box(SphinxDirective):
    """Print a block with the classes named, and with the address `:id:`."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec: ClassVar = {"id": directives.unchanged_required}

    def run(self) -> Nodes:
        """Return the block."""
        ids = [self.options["id"]] if "id" in self.options else []
        made = nodes.container("", classes=self.arguments[0].split(), ids=ids)
        self.state.nested_parse(self.content, self.content_offset, made)
        return [made]


class Fold(SphinxDirective):
    """Print a fold-out, closed at first, that needs no script; in print its summary is a label."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec: ClassVar = {"class": directives.class_option}

    def run(self) -> Nodes:
        """Return the fold-out; its body is a block that remembers the summary."""
        names = " ".join(["mf-fold", *self.options.get("class", [])])
        summary = self.arguments[0]
        opened = f'<details class="{names}"><summary>{html.escape(summary)}</summary>'
        inside = nodes.container("", classes=["mf-fold-body"], summary=summary)
        self.state.nested_parse(self.content, self.content_offset, inside)
        return [
            nodes.raw("", opened, format="html"),
            inside,
            nodes.raw("", "</details>", format="html"),
        ]


class RowRole(SphinxRole):
    """Mark the row of a table with an address and classes: {row}`#claim-mbde-l9 mf-claim`."""

    def run(self) -> tuple[Nodes, Nodes]:
        """Return the mark, which is taken away when it was read."""
        words = self.text.split()
        ids = [word[1:] for word in words if word.startswith("#")]
        classes = [word for word in words if not word.startswith("#")]
        return [nodes.inline("", "", ids=ids, classes=classes, row=True)], []
