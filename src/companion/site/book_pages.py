"""Give the templates what the pages about the book say: run, downloads, addresses."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from pathlib import Path

from companion.citing.publication import find_publication
from companion.paths import read_json
from companion.profiles import PROFILES
from companion.site.downloads import from_page, parameters, read
from companion.site.ledger_view import md, root_of
from companion.site.notebook_pages import NOTEBOOKS
from companion.site.packages import package_names
from companion.site.render import toc_documents
from companion.site.template_directives import Generated, Values

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


def _packages(source: Path) -> Iterable[tuple[str, str, str]]:
    """Yield each package under src, as the tree has them.

    A package is its name, the first paragraph of its docstring, and its modules.
    """
    for path in sorted(source.glob("*/**/__init__.py")):
        docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
        modules = sorted(
            item.stem
            for item in path.parent.glob("*.py")
            if not item.stem.startswith("_")
        )
        yield (
            path.parent.relative_to(source).as_posix(),
            (docstring or "").split("\n\n")[0],
            ", ".join(modules),
        )


def statement(directive: Generated) -> Values:
    """Return what one part of the reproducibility statement is filled with.

    The part is the argument: {statement} claims, pages, unseen, ...
    """
    (name,) = directive.arguments
    if name not in PARTS:
        known = ", ".join(PARTS)
        raise directive.warning(
            f"unknown part {name!r} of the statement; known: {known}"
        )
    root = root_of(directive.env)
    figures = sorted((Path(directive.env.srcdir) / "figures").glob("*/*.json"))
    notebooks = sorted((root / "notebooks").glob("*.md"))
    seeds = (_SEED.search(path.read_text(encoding="utf-8")) for path in notebooks)
    measured = root / "data" / "results" / "costs.json"
    return {
        "part": name,
        "profiles": list(PROFILES),
        "joined": lambda values: md(", ".join(sorted(set(map(str, values))))),
        "records": [read_json(path) for path in figures],
        "costs": read_json(measured)["pages"] if measured.is_file() else {},
        "seeds": [seed[1] for seed in seeds if seed],
        "notebooks": len(notebooks),
        "packages": list(_packages(root / "src")) if name == "map" else [],
    }


def where_to_report(directive: Generated) -> Values:
    """Return which version this copy is, and where an error in it can be reported."""
    return {"book": find_publication(root_of(directive.env))}


def downloads(directive: Generated) -> Values:
    """Return all notebooks with their parameters.

    With the argument `package`, return the names of wheel and archive instead.
    """
    source = Path(directive.env.srcdir)
    folder = from_page(directive.env.docname)
    root = root_of(directive.env)
    if directive.arguments:
        return {"package": True, "names": package_names(root), "folder": folder}
    pages = []
    for name in toc_documents(source / "_toc.yml"):
        if name.startswith(NOTEBOOKS):
            notebook = read(source / f"{name}.ipynb", as_version=4)
            pages.append((name, parameters(notebook)))
    return {"pages": pages, "folder": folder, "book": find_publication(root)}
