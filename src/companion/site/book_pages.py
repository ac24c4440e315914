"""Print what the pages about the book itself say: its run, its corrections, its downloads, where to report an error."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import nbformat

from companion.ledger.corrections import load_corrections
from companion.profiles import PROFILES
from companion.publish.downloads import FOLDER, parameters
from companion.publish.packages import wheel_name
from companion.publish.publication import find_publication
from companion.site.computed import md, root_of
from companion.site.generated import Generated
from companion.site.nodes import Nodes
from companion.site.notebook_pages import NOTEBOOKS
from companion.site.render import toc_documents

#: The parameter of a notebook from which all that it draws follows.
_SEED = re.compile(r"(?m)^seed = (\d+)$")
PARTS = ("claims", "pages", "unseen", "evidence", "machine", "seeds", "costs", "map")
_read_notebook: Any = nbformat.read


def _joined(values: Iterable[Any]) -> str:
    return md(", ".join(sorted({str(value) for value in values})))


def _packages(source: Path) -> Iterable[tuple[str, str, str]]:
    """Yield each package under src with the first paragraph of its docstring and its modules, as the tree has them."""
    for path in sorted(source.glob("*/**/__init__.py")):
        said = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
        modules = sorted(item.stem for item in path.parent.glob("*.py") if not item.stem.startswith("_"))
        yield path.parent.relative_to(source).as_posix(), said.split("\n\n")[0], ", ".join(modules)


class Statement(Generated):
    """Print one part of the reproducibility statement: {statement} claims, pages, unseen, evidence, machine, ..."""

    required_arguments = 1

    def run(self) -> Nodes:
        """Return the part, or a report where it is unknown."""
        name, root = self.arguments[0], root_of(self.env)
        if name not in PARTS:
            raise self.warning(f"unknown part {name!r} of the statement; known: {', '.join(PARTS)}")
        figures = sorted((Path(self.env.srcdir) / "figures").glob("*/*.json"))
        measured = root / "data" / "results" / "costs.json"
        texts = [path.read_text(encoding="utf-8") for path in sorted((root / "notebooks").glob("*.md"))]
        given = {
            "records": [json.loads(path.read_text(encoding="utf-8")) for path in figures],
            "costs": json.loads(measured.read_text(encoding="utf-8"))["pages"] if measured.is_file() else {},
            "seeds": [match[1] for text in texts if (match := _SEED.search(text))],
            "notebooks": len(texts),
            "packages": list(_packages(root / "src")) if name == "map" else [],
        }
        return self.fill("statement", part=name, profiles=list(PROFILES), joined=_joined, **given)


class WhereToReport(Generated):
    """Print which version this copy is, and where an error in it can be reported."""

    def run(self) -> Nodes:
        """Return two paragraphs."""
        return self.fill("report", book=find_publication(root_of(self.env)))


class Corrections(Generated):
    """Print what was corrected since the last version, then what earlier versions corrected."""

    def run(self) -> Nodes:
        """Return a section for each version."""
        verdicts = {name: str(claim["verdict"]) for name, claim in self.claims.by_id.items()}
        version = find_publication(root_of(self.env)).version
        found = load_corrections(root_of(self.env), verdicts, version)
        return self.fill("corrections", version=version, found=found)


class Downloads(Generated):
    """Print a list of all notebooks with links to their downloads, and with their parameters.

    With the argument `package` it prints how to install the wheel, with a link to it, instead.
    """

    optional_arguments = 1

    def run(self) -> Nodes:
        """Return the table, or the links."""
        source, folder = Path(self.env.srcdir), "../" * self.env.docname.count("/") + FOLDER
        if self.arguments:
            return self.fill("package", wheel=wheel_name(root_of(self.env)), folder=folder)
        pages = [name for name in toc_documents(source / "_toc.yml") if name.startswith(NOTEBOOKS)]
        given = [parameters(_read_notebook(source / f"{name}.ipynb", as_version=4)) for name in pages]
        return self.fill("downloads", pages=list(zip(pages, given, strict=True)), folder=folder)
