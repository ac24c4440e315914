"""Print the parts of the reproducibility statement: what the run found, what was not seen, machine, seeds, costs."""

from __future__ import annotations

import ast
import json
import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from jinja2 import TemplateError
from sphinx.environment import BuildEnvironment

from companion.paths import ROOT_VARIABLE
from companion.profiles import PROFILES
from companion.site.computed import Claims, md
from companion.site.generated import Generated
from companion.site.nodes import Nodes

__all__ = ["Statement", "root_of"]


#: The parameter of a notebook from which all that it draws follows.
_SEED = re.compile(r"(?m)^seed = (\d+)$")

PARTS = ("claims", "pages", "unseen", "evidence", "machine", "seeds", "costs", "map")


def _joined(values: Iterable[Any]) -> str:
    return md(", ".join(sorted({str(value) for value in values})))


class Statement(Generated):
    """Print one part: {statement} claims, pages, unseen, evidence, machine, seeds, costs or map."""

    required_arguments = 1

    def build(self, claims: Claims) -> Nodes:
        """Return the part, or a report where it is unknown or cannot be made."""
        name = self.arguments[0].strip()
        if name not in PARTS:
            return self.warn(f"unknown part {name!r} of the statement; known: {', '.join(PARTS)}")
        root = root_of(self.env)
        try:
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
            return self.fill("statement", claims, part=name, profiles=list(PROFILES), joined=_joined, **given)
        except (OSError, ValueError, KeyError, TypeError, TemplateError) as error:
            return self.warn(f"the part {name} of the statement cannot be made: {error!r}")


def _packages(source: Path) -> Iterable[tuple[str, str, str]]:
    """Yield each package under src with the first paragraph of its docstring and its modules, as the tree has them."""
    for path in sorted(source.glob("*/**/__init__.py")):
        said = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
        modules = sorted(item.stem for item in path.parent.glob("*.py") if not item.stem.startswith("_"))
        yield path.parent.relative_to(source).as_posix(), said.split("\n\n")[0], ", ".join(modules)


def root_of(env: BuildEnvironment) -> Path:
    """Return the root of the book, which the build names; else the folder of the sources."""
    return Path(os.environ.get(ROOT_VARIABLE) or env.srcdir)
