"""Join ES modules into classic scripts, which a page may load from a folder.

A browser loads no module from a page that is opened from a folder. So each script of
the book is written as modules, in `book/_scripts/`, and joined with those that it
imports when the book is rendered. Of the syntax of modules the join knows what the book
uses: `import { a, b as c } from "./other.js";` at the beginning of a line, and `export`
before a function, a class, a `const` or a `let`. Anything else is an error.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from sphinx.application import Sphinx

from companion.paths import CompanionError

#: Where the scripts lie; those in folders of it are parts of others.
FOLDER = "book/_scripts"
_IMPORT = re.compile(
    r'^import \{(?P<names>[^}]*)\} from "(?P<path>\.[^"]*)";\n', re.MULTILINE
)
_EXPORT = re.compile(
    r"^export (?=(?:const|let|class|(?:async )?function) (?P<name>\w+))", re.MULTILINE
)
_OTHER = re.compile(r"^(?:import|export)\b.*|\bimport[(.].*", re.MULTILINE)


@dataclass(frozen=True)
class Module:
    """Hold a file of a script."""

    path: Path

    @cached_property
    def text(self) -> str:
        """Return the file as it is written."""
        return self.path.read_text(encoding="utf-8")

    @cached_property
    def imports(self) -> dict[Path, list[str]]:
        """Return what is imported, with a new name as `name as new`, by file."""
        imports: dict[Path, list[str]] = {}
        for match in _IMPORT.finditer(self.text):
            names = [name.strip() for name in match["names"].split(",")]
            other = Path(os.path.normpath(self.path.parent / match["path"]))
            imports.setdefault(other, []).extend(filter(None, names))
        return imports

    @cached_property
    def exports(self) -> list[str]:
        """Return the names that other modules may import."""
        return [match["name"] for match in _EXPORT.finditer(self.text)]

    @property
    def variable(self) -> str:
        """Return the name of the module in a joined script."""
        return f"{self.path.parent.name}_{self.path.stem}".replace("-", "_")

    def body(self) -> str:
        """Return the text without imports and exports."""
        body = _EXPORT.sub("", _IMPORT.sub("", self.text))
        if other := _OTHER.search(body):
            raise CompanionError(
                f"{self.path.name}: the join does not know: {other[0]}"
            )
        return body.strip()


def _ordered(path: Path, above: tuple[Path, ...] = ()) -> list[Module]:
    """Return a module after all that it imports; raise CompanionError for a circle."""
    if path in above:
        names = " -> ".join(one.name for one in (*above, path))
        raise CompanionError(f"scripts import each other in a circle: {names}")
    module = Module(path)
    modules: list[Module] = []
    for other in module.imports:
        if not other.is_file():
            raise CompanionError(
                f"{path.name} imports {other.name}, which is not there"
            )
        modules += _ordered(other, (*above, path))
    return list(dict.fromkeys([*modules, module]))


def _imported(module: Module) -> list[str]:
    """Return the lines that give a module what it imports."""
    lines = []
    for path, names in module.imports.items():
        other = Module(path)
        unknown = {name.split()[0] for name in names} - {*other.exports}
        if unknown:
            raise CompanionError(
                f"{module.path.name}: {path.name} does not export "
                + ", ".join(sorted(unknown))
            )
        renamed = ", ".join(name.replace(" as ", ": ") for name in names)
        lines.append(f"const {{ {renamed} }} = {other.variable};")
    return lines


def joined(path: Path) -> str:
    """Return a script with all that it imports as one expression.

    Its value is an object of what the script exports. Raises CompanionError for what
    the join does not know.
    """
    lines = ["(() => {", '"use strict";']
    for module in _ordered(path):
        lines.append(f"const {module.variable} = (() => {{")
        lines += _imported(module)
        lines.append(module.body())
        lines.append(f"return {{ {', '.join(module.exports)} }};")
        lines.append("})();")
    lines.append(f"return {Module(path).variable};")
    lines.append("})()")
    return "\n".join(lines)


def write_scripts(app: Sphinx) -> None:
    """Write the scripts of the book, each joined, among what pages may load."""
    if app.builder.format != "html":
        return
    static = Path(app.outdir) / "_static"
    static.mkdir(parents=True, exist_ok=True)
    for path in sorted((Path(app.srcdir) / FOLDER).glob("*.js")):
        (static / path.name).write_text(f"{joined(path)};\n", encoding="utf-8")
