"""Give the templates what the pages about the book say: its run, downloads, where to report an error."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import nbformat

from companion.citing.publication import find_publication
from companion.profiles import PROFILES
from companion.site.downloads import FOLDER, parameters
from companion.site.ledger_view import md, root_of
from companion.site.notebook_pages import NOTEBOOKS
from companion.site.packages import package_names
from companion.site.render import toc_documents
from companion.site.template_directives import Generated

#: The parameter of a notebook from which all that it draws follows.
_SEED = re.compile(r"(?m)^seed = (\d+)$")
PARTS = (
    "claims",
    "pages",
    "unseen",
    "evidence",
    "sizes",
    "machine",
    "seeds",
    "costs",
    "map",
)
_read_notebook: Any = nbformat.read


def _joined(values: Iterable[Any]) -> str:
    return md(", ".join(sorted({str(value) for value in values})))


def _packages(source: Path) -> Iterable[tuple[str, str, str]]:
    """Yield each package under src with the first paragraph of its docstring and its modules, as the tree has them."""
    for path in sorted(source.glob("*/**/__init__.py")):
        said = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
        modules = sorted(
            item.stem
            for item in path.parent.glob("*.py")
            if not item.stem.startswith("_")
        )
        yield (
            path.parent.relative_to(source).as_posix(),
            said.split("\n\n")[0],
            ", ".join(modules),
        )


def statement(directive: Generated) -> dict[str, Any]:
    """Return what one part of the reproducibility statement is filled with: {statement} claims, pages, unseen, ..."""
    (name,) = directive.arguments
    root = root_of(directive.env)
    if name not in PARTS:
        raise directive.warning(
            f"unknown part {name!r} of the statement; known: {', '.join(PARTS)}"
        )
    figures = sorted((Path(directive.env.srcdir) / "figures").glob("*/*.json"))
    measured = root / "data" / "results" / "costs.json"
    texts = [
        path.read_text(encoding="utf-8")
        for path in sorted((root / "notebooks").glob("*.md"))
    ]
    return {
        "part": name,
        "profiles": list(PROFILES),
        "joined": _joined,
        "records": [json.loads(path.read_text(encoding="utf-8")) for path in figures],
        "costs": json.loads(measured.read_text(encoding="utf-8"))["pages"]
        if measured.is_file()
        else {},
        "seeds": [match[1] for text in texts if (match := _SEED.search(text))],
        "notebooks": len(texts),
        "packages": list(_packages(root / "src")) if name == "map" else [],
    }


def where_to_report(directive: Generated) -> dict[str, Any]:
    """Return which version this copy is, and where an error in it can be reported."""
    return {"book": find_publication(root_of(directive.env))}


def downloads(directive: Generated) -> dict[str, Any]:
    """Return all notebooks with their parameters; with the argument `package`, the names of wheel and archive."""
    source = Path(directive.env.srcdir)
    folder = "../" * directive.env.docname.count("/") + FOLDER
    root = root_of(directive.env)
    if directive.arguments:
        return {"package": True, "names": package_names(root), "folder": folder}
    pages = [
        name
        for name in toc_documents(source / "_toc.yml")
        if name.startswith(NOTEBOOKS)
    ]
    given = [
        parameters(_read_notebook(source / f"{name}.ipynb", as_version=4))
        for name in pages
    ]
    return {
        "pages": list(zip(pages, given, strict=True)),
        "folder": folder,
        "book": find_publication(root),
    }
