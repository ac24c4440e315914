"""Say how a page of this book is cited, as plain text and as BibTeX, with the text that states a claim."""

from __future__ import annotations

import codecs
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import latexcodec  # noqa: F401  # registers the codec
from pybtex.backends.plaintext import Backend
from pybtex.database import parse_file
from pybtex.style.formatting.plain import Style

from companion.citing.publication import Publication

#: The bibliography, from the root of the book or of the sources.
BIBLIOGRAPHY = "book/references.bib"
_FORMULA = re.compile(r"(\$[^$]+\$)")
#: What TeX reads in its own way, or prints as something else, outside of formulas.
#: Braces have names, since BibTeX counts them even behind a backslash.
_SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\textbraceleft{}",
    "}": r"\textbraceright{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": "$<$",
    ">": "$>$",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "ε": r"$\varepsilon$",
}


@dataclass(frozen=True)
class Cited:
    """Hold what is cited: key, title (formulas between dollar signs), address of the page, where it is printed.

    `printed` are pairs of the key of a paper and a place in it, the one that states it
    first at the beginning.
    """

    key: str
    title: str
    page: str
    printed: Sequence[tuple[str, str]] = ()


@dataclass(frozen=True)
class Paper:
    """Hold one entry of the bibliography: its kind, its fields as they stand there, its text, and names and year."""

    kind: str
    fields: Mapping[str, str]
    text: str
    short: str


def _letter(letter: str) -> str:
    if letter in _SPECIAL:
        return _SPECIAL[letter]
    if letter.isascii():
        return f"\\{letter}" if letter in "&%#_$" else letter
    encoded: Any = codecs.encode(letter, "ulatex", "keep")
    return f"{{{encoded}}}" if encoded.startswith("\\") else str(encoded)


def escape(text: str) -> str:
    """Return a text as LaTeX; formulas between dollar signs stay as they are."""
    parts = _FORMULA.split(text)
    return "".join(
        part if place % 2 else "".join(map(_letter, part))
        for place, part in enumerate(parts)
    )


def entry(kind: str, key: str, fields: Mapping[str, str]) -> str:
    """Return one entry of a bibliography in BibTeX."""
    width = max(map(len, fields))
    lines = [f"  {name:<{width}} = {{{value}}},\n" for name, value in fields.items()]
    return f"@{kind}{{{key},\n{''.join(lines)}}}\n"


def load_papers(path: Path, book: str) -> dict[str, Paper]:
    """Return the entries of a bibliography by key; where one says "this book", it names the book instead.

    Raises OSError where there is no such file, pybtex.exceptions.PybtexError where it
    cannot be read.
    """
    papers: dict[str, Paper] = {}
    style = Style()
    backend = Backend()
    for key, entry in parse_file(str(path), bib_format="bibtex").entries.items():
        text = str(style.format_entry("1", entry).text.render(backend))
        fields = {
            role: " and ".join(map(str, persons))
            for role, persons in entry.persons.items()
        }
        fields |= {
            name: value.replace("this book", escape(f"“{book}”"))
            for name, value in entry.fields.items()
        }
        names = [
            " ".join([*one.prelast_names, *one.last_names])
            for one in entry.persons.get("author", [])
        ]
        who = " and ".join(names) if len(names) < 3 else f"{names[0]} et al."
        short = re.sub(
            r"[{}\\]",
            "",
            f"{who or fields.get('title', key)} ({fields.get('year', 'no year')})",
        )
        papers[key] = Paper(
            entry.type, fields, text.replace("this book", f"“{book}”"), short
        )
    return papers


def _state(publication: Publication) -> str:
    """Return the version and, where it is known, the commit."""
    at = f", commit {publication.commit[:12]}" if publication.commit else ""
    return f"version {publication.version}{at}"


def plain(publication: Publication, cited: Cited, papers: Mapping[str, Paper]) -> str:
    """Return a citation as text, then one line for each paper that states what is cited.

    Raises KeyError for a paper that is not in the bibliography.
    """
    whole = cited.title == publication.title
    title = publication.title if whole else f"“{cited.title}”. In: {publication.title}"
    parts = [
        ", ".join(publication.authors),
        title,
        str(publication.year),
        _state(publication).capitalize(),
    ]
    if publication.repository:
        parts.append(f"{publication.repository}, {publication.tag}")
    lines = [". ".join(parts) + f". {publication.address(cited.page) or ''}".rstrip()]
    lines += [
        f"Printed in: {papers[key].text} Place: {at}." for key, at in cited.printed
    ]
    return "\n".join(lines) + "\n"


def bibtex(publication: Publication, cited: Cited, papers: Mapping[str, Paper]) -> str:
    """Return the entry of the page alone, with a note that names the paper that states first what is cited.

    The papers stand in `bibliography`: the entries of any pages and that file have no
    key twice. Raises KeyError for a paper that is not in the bibliography.
    """
    whole = cited.title == publication.title
    stated = "".join(
        f"Stated in ``{papers[key].fields['title']}'', {escape(at)}"
        for key, at in cited.printed[:1]
    )
    fields = {
        "author": " and ".join(f"{{{escape(name)}}}" for name in publication.authors),
        "title": f"{{{escape(cited.title)}}}",
        "booktitle": "" if whole else f"{{{escape(publication.title)}}}",
        "publisher": f"{{{escape(publication.publisher)}}}"
        if publication.publisher
        else "",
        "year": str(publication.year),
        "note": f"{stated}; {_state(publication)}"
        if stated
        else _state(publication).capitalize(),
        "url": publication.address(cited.page) or "",
    }
    kept = {name: value for name, value in fields.items() if value}
    return entry("book" if whole else "incollection", cited.key, kept)


def bibliography(papers: Mapping[str, Paper]) -> str:
    """Return the entries of all papers in BibTeX, each once."""
    return "\n".join(
        entry(paper.kind, key, paper.fields) for key, paper in papers.items()
    )
