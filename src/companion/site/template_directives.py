"""Make the generated pages: a template gives MyST, which Sphinx reads where it stands.

Templates are `templates/*.md.j2`. In one a link is `[words](mf:<kind>:<target>)` with a
kind of `companion.site.links`, and `mf:here:<id>` leads to an address of the page; the
directive `box` is a block with classes and an address, `fold` one that a reader opens,
and the role `row` gives the row of a table its address and its classes.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from docutils.statemachine import StringList
from jinja2 import Environment, PackageLoader
from sphinx.addnodes import index, pending_xref
from sphinx.util.docutils import SphinxDirective, SphinxRole

from companion.citing.citation import Cited
from companion.compat import sections_within
from companion.ledger.claims import NAMED
from companion.ledger.verdicts import OURS
from companion.run.deviations import read_notices
from companion.site.ledger_view import Claims, load_claims, md
from companion.site.links import link
from companion.site.nodes import (
    GRADES,
    LABELS,
    Nodes,
    badge_classes,
    badge_text,
    first_above,
    grade_words,
    reach_words,
    sharpness_words,
    verdict_words,
)
from companion.site.notes import notes_of

#: What a template is filled with.
Values = dict[str, object]

#: The scheme of the links of a template, and the kind of one within the page.
SCHEME = "mf"
HERE = "here"
#: The classes that MyST gives every link.
_LINK_CLASSES = 2

MYST_TEMPLATES = Environment(
    loader=PackageLoader("companion.site"),
    trim_blocks=True,
    lstrip_blocks=True,
    comment_start_string="<#",  # `{#name}` gives an address in MyST
    comment_end_string="#>",
)
MYST_TEMPLATES.filters |= {
    "md": md,
    "head": lambda text: f"{text[:1].upper()}{text[1:]}",
    "repr": repr,
}
MYST_TEMPLATES.globals |= {
    "GRADES": GRADES,
    "LABELS": LABELS,
    "NAMED": NAMED,
    "badge_classes": badge_classes,
    "badge_text": badge_text,
    "grade_words": grade_words,
    "ours": lambda claim: claim["id"].startswith(OURS),
    "reach_words": reach_words,
    "sharpness_words": sharpness_words,
    "verdict_words": verdict_words,
}


def _to_book(
    kind: str,
    target: str,
    docname: str,
    words: nodes.Element,
) -> pending_xref:
    """Return a link of the book, with the words of a link of a template."""
    if kind == "filter":
        # The number of a tally stands strong.
        classes = ["mf-tally-number", f"mf-tally-{target}"]
        for number in list(words.findall(nodes.strong)):
            number.replace_self(nodes.inline("", "", *number.children, classes=classes))
    match words.children:
        case [nodes.Element() as content]:
            return link(kind, target, docname, content)
    return link(kind, target, docname, nodes.inline("", "", *words.children))


def adapt(docname: str, box: nodes.Element) -> None:
    """Make the links of a template those of the book; give rows what marks say."""
    for node in list(box.findall(pending_xref)):
        scheme, _, rest = node["reftarget"].partition(":")
        if scheme != SCHEME:
            continue
        kind, _, target = rest.partition(":")
        words = node[0]
        if kind == HERE:
            reference = nodes.reference(
                "",
                "",
                *words.children,
                refid=target,
                internal=True,
                classes=words["classes"][_LINK_CLASSES:],
            )
            if "reftitle" in words:
                reference["reftitle"] = words["reftitle"]
            node.replace_self(reference)
        else:
            node.replace_self(_to_book(kind, target, docname, words))
    for mark in list(box.findall(nodes.inline)):
        if "row" in mark and (row := first_above(mark, nodes.row)):
            row["classes"] += mark["classes"]
            row["ids"] += mark["ids"]
            mark.parent.remove(mark)


def parse(directive: SphinxDirective, text: str, *, sections: bool = False) -> Nodes:
    """Return the nodes of a MyST text, parsed where the directive stands."""
    box = nodes.Element()
    env = directive.env
    lines = StringList(text.splitlines(), source=env.doc2path(env.docname))
    with sections_within(directive, box) if sections else nullcontext():
        directive.state.nested_parse(
            lines, directive.content_offset, box, match_titles=sections
        )
    adapt(env.docname, box)
    return list(box.children)


class Generated(SphinxDirective):
    """Print a template filled from the ledger.

    What is missing is a warning, which ends the build.
    """

    @property
    def claims(self) -> Claims:
        """The ledger."""
        return load_claims(self.env)

    def fill(self, template: str, /, **values: object) -> Nodes:
        """Return the nodes of a template.

        It knows the ledger, the notices and whether the book is made for print.
        """
        text = MYST_TEMPLATES.get_template(f"{template}.md.j2").render(
            claims=self.claims,
            notices=read_notices(Path(self.env.srcdir)),
            in_html=self.env.app.builder.format == "html",
            **values,
        )
        return parse(self, text, sections=True)

    def address_of(self, page: str) -> str:
        """Return the address of a page from here; empty in print, which has none."""
        builder = self.env.app.builder
        if builder.format != "html":
            return ""
        return builder.get_relative_uri(self.env.docname, page)

    def address_page(
        self,
        name: str,
        title: str,
        body: Nodes,
        *,
        printed: Sequence[tuple[str, str]] = (),
        of: str = "",
    ) -> Nodes:
        """Return a page that is cited by its title, as in `Cited`.

        Its name is a main entry of the index, which the search shows first.
        """
        here = self.env.docname
        cited = Cited(f"mollified-{name}", title, here, printed, of)
        notes_of(self.env).cited[here] = cited
        section = body[0]
        section.attributes |= {"ids": ["address"], "names": ["address"]}
        section.insert(1, index(entries=[("single", name, "address", "main", None)]))
        return body


class FromTemplate(Generated):
    """Print the template of the directive's name.

    `values` gives what it is filled with beside the ledger.
    """

    optional_arguments = 1
    option_spec: ClassVar = {"compact": directives.flag}
    values: ClassVar[Callable[[Generated], Values]]

    def run(self) -> Nodes:
        """Return the nodes of the template, and remember which page has them."""
        notes_of(self.env).pages[self.name] = self.env.docname
        return self.fill(self.name.replace("-", "_"), **self.values())


class Box(SphinxDirective):
    """Print a block with the classes named, and with the address `:id:`."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec: ClassVar = {"id": directives.unchanged_required}

    def run(self) -> Nodes:
        """Return the block."""
        box = nodes.container("", classes=self.arguments[0].split())
        if "id" in self.options:
            box["ids"] = [self.options["id"]]
        self.state.nested_parse(self.content, self.content_offset, box)
        return [box]


class Fold(SphinxDirective):
    """Print a fold-out, closed at first, that needs no script.

    In print its summary is a label.
    """

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
    """Mark the row of a table: {row}`#claim-mbde-l9 mf-claim`.

    The mark names an address and classes.
    """

    def run(self) -> tuple[Nodes, Nodes]:
        """Return the mark, which is taken away when it was read."""
        words = self.text.split()
        ids = [word[1:] for word in words if word.startswith("#")]
        classes = [word for word in words if not word.startswith("#")]
        return [nodes.inline("", "", ids=ids, classes=classes, row=True)], []
