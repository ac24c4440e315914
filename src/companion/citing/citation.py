"""Say how a page of this book is cited, as plain text and as BibTeX."""

from __future__ import annotations

import codecs
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import latexcodec  # noqa: F401  # registers the codec
from pybtex.backends.plaintext import Backend
from pybtex.database import Entry, parse_file
from pybtex.style.formatting.plain import Style

from companion.citing.publication import Publication

#: The bibliography, from the root of the book or of the sources.
BIBLIOGRAPHY = "book/references.bib"
#: How many authors are all named where room is scarce.
MOST_NAMED = 2
_FORMULA = re.compile(r"(\$[^$]+\$)")
#: What an entry calls this book.
_THIS = "this book"
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
#: What TeX reads in its own way behind no backslash.
_ESCAPED = "&%#_$"


@dataclass(frozen=True)
class Cited:
    """Hold what is cited: its key, its title, the address of its page.

    Formulas of the title stand between dollar signs. `printed` are pairs of the key of
    a paper and a place in it, the one that states it first at the beginning. `of` is
    the page whose title completes this one, if any.
    """

    key: str
    title: str
    page: str
    printed: Sequence[tuple[str, str]] = ()
    of: str = ""


@dataclass(frozen=True)
class Paper:
    """Hold one entry of the bibliography.

    That is its kind, its fields as they stand there, its text, and names and year.
    """

    kind: str
    fields: Mapping[str, str]
    text: str
    short: str


def _letter(letter: str) -> str:
    if letter in _SPECIAL:
        return _SPECIAL[letter]
    if letter in _ESCAPED:
        return f"\\{letter}"
    if letter.isascii():
        return letter
    encoded = str(codecs.encode(letter, "ulatex", "keep"))
    return f"{{{encoded}}}" if encoded.startswith("\\") else encoded


def escape(text: str) -> str:
    """Return a text as LaTeX; formulas between dollar signs stay as they are."""
    parts = _FORMULA.split(text)
    parts[::2] = ["".join(map(_letter, part)) for part in parts[::2]]
    return "".join(parts)


def entry(kind: str, key: str, fields: Mapping[str, str]) -> str:
    """Return one entry of a bibliography in BibTeX."""
    width = max(map(len, fields))
    lines = [f"  {name:<{width}} = {{{value}}},\n" for name, value in fields.items()]
    return f"@{kind}{{{key},\n{''.join(lines)}}}\n"


def in_short(names: Sequence[str]) -> str:
    """Return the names of authors: of more than two, the first alone."""
    if len(names) > MOST_NAMED:
        return f"{names[0]} et al."
    return " and ".join(names)


def _short(record: Entry, title: str) -> str:
    """Return names and year of an entry, or its title and year without names."""
    names = [
        " ".join([*person.prelast_names, *person.last_names])
        for person in record.persons.get("author", [])
    ]
    who = in_short(names) or title
    year = record.fields.get("year", "no year")
    return re.sub(r"[{}\\]", "", f"{who} ({year})")


def load_papers(path: Path, book: str) -> dict[str, Paper]:
    """Return the entries of a bibliography by key.

    Where one says "this book", it names the book instead. Raises OSError where there is
    no such file, pybtex.exceptions.PybtexError where it cannot be read.
    """
    papers: dict[str, Paper] = {}
    style = Style()
    backend = Backend()
    for key, record in parse_file(str(path), bib_format="bibtex").entries.items():
        fields = {
            role: " and ".join(map(str, persons))
            for role, persons in record.persons.items()
        }
        for name, value in record.fields.items():
            fields[name] = value.replace(_THIS, escape(f"“{book}”"))
        text = str(style.format_entry("1", record).text.render(backend))
        papers[key] = Paper(
            record.type,
            fields,
            text.replace(_THIS, f"“{book}”"),
            _short(record, fields.get("title", key)),
        )
    return papers


def _state(publication: Publication) -> str:
    """Return the version and, where it is known, the commit."""
    state = f"version {publication.version}"
    if publication.commit:
        state += f", commit {publication.commit[:12]}"
    return state


def plain(publication: Publication, cited: Cited, papers: Mapping[str, Paper]) -> str:
    """Return a citation as text, with a line for each paper that states what is cited.

    Raises KeyError for a paper that is not in the bibliography.
    """
    whole = cited.title == publication.title
    title = publication.title
    if not whole:
        title = f"“{cited.title}”. In: {title}"
    parts = [
        ", ".join(publication.authors),
        title,
        str(publication.year),
        _state(publication).capitalize(),
    ]
    if publication.repository:
        parts.append(f"{publication.repository}, {publication.tag}")
    sentence = ". ".join(parts) + "."
    if address := publication.address(cited.page):
        sentence += f" {address}"
    lines = [sentence]
    for key, at in cited.printed:
        lines.append(f"Printed in: {papers[key].text} Place: {at}.")
    return "\n".join(lines) + "\n"


def _note(publication: Publication, cited: Cited, papers: Mapping[str, Paper]) -> str:
    """Return the note of an entry: the paper that states it first, and the version."""
    state = _state(publication)
    if not cited.printed:
        return state.capitalize()
    key, at = cited.printed[0]
    return f"Stated in ``{papers[key].fields['title']}'', {escape(at)}; {state}"


def bibtex(publication: Publication, cited: Cited, papers: Mapping[str, Paper]) -> str:
    """Return the entry of the page alone.

    Its note names the paper that states first what is cited. The papers stand in
    `entries`: the entries of any pages and that file have no key twice. Raises
    KeyError for a paper that is not in the bibliography.
    """
    whole = cited.title == publication.title
    authors = " and ".join(f"{{{escape(name)}}}" for name in publication.authors)
    fields = {"author": authors, "title": f"{{{escape(cited.title)}}}"}
    kind = "book"
    if not whole:
        kind = "incollection"
        fields["booktitle"] = f"{{{escape(publication.title)}}}"
    if publication.publisher:
        fields["publisher"] = f"{{{escape(publication.publisher)}}}"
    fields["year"] = str(publication.year)
    fields["note"] = _note(publication, cited, papers)
    if address := publication.address(cited.page):
        fields["url"] = address
    return entry(kind, cited.key, fields)


def entries(papers: Mapping[str, Paper]) -> list[str]:
    """Return the entries of all papers in BibTeX, each once."""
    return [entry(paper.kind, key, paper.fields) for key, paper in papers.items()]
