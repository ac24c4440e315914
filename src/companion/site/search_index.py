"""Write what scripts need to find a statement by its number and a page by its words, and to preview links.

Words of the glossary become links where a page says them first, and what they lead to
is known to the search.
"""

from __future__ import annotations

import html
import json
import posixpath
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, cast

import yaml
from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.environment import BuildEnvironment
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.nodes import make_refnode

from companion.ledger.numbering import KINDS, STATEMENTS, rows_of
from companion.plain_text import plain_html
from companion.site.ledger_view import CLAIMS, Claims, anchor, load_claims
from companion.site.nodes import badge_classes, badge_text
from companion.site.permalinks import FOLDER

#: What the search and the links know of words, beside the pages.
WORDS = "book/words.yml"
#: The texts of a claim in which a reader may search.
TEXTS = (
    "statement",
    "condition",
    "breaks",
    "counterexample",
    "correction",
    "reason",
    "note",
)
#: A display or a formula of the ledger.
_MATH = re.compile(r"\$\$(?P<display>.+?)\$\$|\$(?P<line>[^$]+?)\$", re.DOTALL)


def _names(claims: Claims, source: str) -> list[str]:
    """Return the words that name a text: its id, how the ids of its claims begin, its authors, where it appeared."""
    given = claims.sources[source]
    begins = [claim["id"].partition("-")[0] for claim in claims.first(source)]
    authors = [
        author.rpartition(" ")[2]
        for author in given.get("authors", [])
        if "uthors" not in author
    ]
    words = [
        word.lower()
        for word in (
            *begins,
            *authors,
            *re.findall(r"\((\w+)\)", given.get("venue") or ""),
        )
    ]
    return list(
        dict.fromkeys([source, *(word for word in words if word not in claims.sources)])
    )


def table_of_numbers(claims: Claims) -> dict[str, Any]:
    """Return the kinds of numbers, the texts with their names and rows, and title and verdict of each claim."""
    texts = []
    for source in claims.sources:
        rows = [
            row
            for row in rows_of(claims.all, source)
            if row.here and row.mention.number
        ]
        shown = [
            [
                row.mention.kind,
                row.mention.number,
                row.mention.label,
                [c["id"] for c in row.here],
            ]
            for row in rows
        ]
        texts.append(
            {
                "title": claims.source_name(source),
                "words": _names(claims, source),
                "rows": shown,
            }
        )
    named = {claim["id"]: [claim["title"], badge_text(claim)] for claim in claims.all}
    return {
        "kinds": list(KINDS),
        "statements": list(STATEMENTS),
        "texts": texts,
        "claims": named,
    }


def claim_preview(claims: Claims, claim: dict[str, Any]) -> str:
    """Return the HTML of a preview: name and title, verdict, the statement, and where it is printed."""

    def formula(match: re.Match[str]) -> str:
        text = (
            rf"\[{match['display']}\]" if match["display"] else rf"\({match['line']}\)"
        )
        return f'<span class="math">{text}</span>'

    places = "; ".join(
        f"{claims.source_name(place['source'])}: {place['at']}"
        for place in claim["places"]
    )
    statement = _MATH.sub(formula, plain_html(" ".join(claim["statement"].split())))
    return (
        f"<p><strong>{claim['id']}</strong> {html.escape(claim['title'])} "
        f'<span class="{" ".join(badge_classes(claim))}">{badge_text(claim)}</span></p>'
        f'<p>{statement}</p><p class="mf-places">{html.escape(places)}</p>'
    )


def _glossaries(env: BuildEnvironment) -> dict[str, list[tuple[str, str]]]:
    """Return name and address of the words of the glossary, by page."""
    found: dict[str, list[tuple[str, str]]] = {}
    objects: dict[tuple[str, str], tuple[str, str]] = env.get_domain("std").objects  # type: ignore[attr-defined]
    for (kind, name), (page, address) in objects.items():
        if kind == "term":
            found.setdefault(page, []).append((name.partition(",")[0], address))
    return found


def glossary(app: Sphinx) -> Iterator[tuple[str, str, str, str]]:
    """Yield words of the glossary: name, address, what it says in HTML without links, the page that introduces it."""
    builder = cast(StandaloneHTMLBuilder, app.builder)
    for page, terms in _glossaries(app.env).items():
        names = {address: name for name, address in terms}
        for item in app.env.get_and_resolve_doctree(page, builder).findall(
            nodes.definition_list_item
        ):
            address = next(
                (
                    name
                    for term in item.findall(nodes.term)
                    for name in term["ids"]
                    if name in names
                ),
                None,
            )
            if address is None:
                continue
            text = next(iter(item.findall(nodes.definition)))
            pages = [
                link
                for link in text.findall(nodes.reference)
                if link.get("refuri", "#")[0] != "#"
            ]
            leads = (
                pages[-1]["refuri"].partition("#")[0].removesuffix(".html")
                if pages
                else posixpath.basename(page)
            )
            for link in pages:
                link.parent.remove(link)
            says = "".join(
                str(builder.render_partial(part)["fragment"]) for part in text.children
            )
            shown = f"<p><strong>{html.escape(names[address])}</strong></p>" + re.sub(
                r"</?a\b[^>]*>", "", says
            )
            lead = posixpath.normpath(posixpath.join(posixpath.dirname(page), leads))
            yield names[address], f"{page}#{address}", shown, lead


@cache
def _words(path: Path) -> dict[str, Any]:
    """Return the words of the search by page, and those that are no links, where there are some."""
    given: dict[str, Any] = (
        yaml.safe_load(path.read_text(encoding="utf-8")) if path.is_file() else {}
    )
    return {"search": {}, "plain": [], **given}


class LinkWords(SphinxPostTransform):
    """Let a page lead to the glossary where it first says one of its words, in a paragraph and not in a link."""

    default_priority = 890
    formats = ("html",)

    def run(self, **_: Any) -> None:
        """Replace the first mention of each word by a link."""
        here = self.env.docname
        pages = _glossaries(self.env)
        if not pages or here in pages or here.startswith(f"{FOLDER}/"):
            return
        plain = _words(Path(self.env.srcdir) / WORDS)["plain"]
        left = {
            name.lower().removesuffix("s"): (page, address)
            for page, terms in pages.items()
            for name, address in terms
            if name not in plain
        }
        known = "|".join(map(re.escape, sorted(left, key=len, reverse=True)))
        said = re.compile(rf"(?<![\w-])({known})s?(?![\w-])", re.IGNORECASE)
        for text in [
            node for node in self.document.findall(nodes.Text) if _is_prose(node)
        ]:
            made: list[Any] = []
            done = 0
            for match in said.finditer(text):
                if place := left.pop(match[1].lower(), None):
                    shown = nodes.inline(match[0], match[0], classes=["mf-word"])
                    made += [nodes.Text(text[done : match.start()])]
                    made += [make_refnode(self.app.builder, here, *place, shown)]
                    done = match.end()
            if made:
                text.parent.replace(text, [*made, nodes.Text(text[done:])])


def _is_prose(text: Any) -> bool:
    """Return whether a text is of a paragraph itself, outside tables, figures, notes and claims."""
    boxed = (
        nodes.table,
        nodes.figure,
        nodes.Admonition,
        nodes.container,
        addnodes.only,
    )
    above = text.parent
    found = isinstance(above, nodes.paragraph)
    while found and above is not None:
        found, above = not isinstance(above, boxed), above.parent
    return found


def _words_of(claim: dict[str, Any]) -> str:
    """Return the words of a claim that its line in the ledger does not show, in lower case, for the filter there."""
    return " ".join(
        " ".join(
            [
                claim["kind"],
                *(claim.get(key) or "" for key in TEXTS),
                *claim["hypotheses"],
            ]
        )
        .lower()
        .split()
    )


def write_tables(app: Sphinx, error: Exception | None) -> None:
    """Write the tables beside the scripts that read them: scripts too, since a page from a folder may fetch no file."""
    if (
        error is not None
        or app.builder.format != "html"
        or not (Path(app.srcdir) / CLAIMS).is_file()
    ):
        return
    claims = load_claims(app.env)
    search = dict(_words(Path(app.srcdir) / WORDS)["search"])
    previews = {claim["id"]: claim_preview(claims, claim) for claim in claims.all}
    for name, address, text, lead in glossary(app):
        previews[address.partition("#")[2]] = text
        for page in (lead, address):
            search[page] = [*search.get(page, []), name]
    tables = {
        "numbers-table.js": {**table_of_numbers(claims), "words": search},
        "preview-texts.js": previews,
        "ledger-words.js": {anchor(one["id"]): _words_of(one) for one in claims.all},
    }
    for name, table in tables.items():
        text = json.dumps(table, ensure_ascii=False, separators=(",", ":"))
        line = f"document.currentScript.mfData = {text};\n"
        (Path(app.outdir) / "_static" / name).write_text(line, encoding="utf-8")
