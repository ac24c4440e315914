"""Read YAML, and hold it to a schema.

A key that is given twice, which the YAML library would read over, is refused; and
`1e-4` is a number, as in YAML 1.2, where the library reads version 1.1, in which a
number with an exponent needs a point and a sign.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jsonschema
import yaml

from companion.paths import Record

#: The loader in C where the library was built with it: ten times as fast.
_Safe: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
#: A number with an exponent, as YAML 1.2 has it.
_EXPONENT = re.compile(r"[-+]?(\d+(\.\d*)?|\.\d+)[eE][-+]?\d+$")
#: A message of the schema that is longer is cut in the middle.
_LONGEST = 300
_HEAD = 100
_TAIL = 195


class _Loader(_Safe):  # type: ignore[misc]
    """Construct mappings with every key once."""

    def construct_mapping(
        self,
        node: yaml.MappingNode,
        deep: bool = False,
    ) -> dict[Any, Any]:
        """Return the mapping of a node."""
        keys = [self.construct_object(key, deep=True) for key, _ in node.value]
        for key in keys:
            if keys.count(key) > 1:
                raise yaml.YAMLError(
                    f"key given twice: {key}, line {node.start_mark.line + 1}"
                )
        mapping: dict[Any, Any] = super().construct_mapping(node, deep=deep)
        return mapping


_Loader.add_implicit_resolver(
    "tag:yaml.org,2002:float", _EXPONENT, list("-+.0123456789")
)


def record(**properties: Record) -> dict[str, Any]:
    """Return the schema of an object with these properties, all required, no others."""
    return {
        "type": "object",
        "additionalProperties": False,
        "properties": properties,
        "required": list(properties),
    }


def _place(document: Any, path: Sequence[str | int]) -> str:
    """Name what is at fault.

    It is an entry of a list by its id or number, else the keys that lead to it.
    """
    if not path or isinstance(document, dict):
        return ": ".join(map(str, path)) or "the file"
    number = int(path[0])
    entry = document[number]
    if isinstance(entry, dict) and "id" in entry:
        return str(entry["id"])
    return f"entry {number + 1}"


def read(path: Path, schema: Record) -> tuple[Any, list[str]]:
    """Return the document of a file, and what its JSON schema does not allow in it.

    The document is None where the file cannot be read. Each fault is a line: the name
    of the file, the place, and what is wrong.
    """
    try:
        document = yaml.load(path.read_text(encoding="utf-8"), Loader=_Loader)
    except OSError as error:
        return None, [f"{path.name}: cannot be read: {error.strerror}"]
    except yaml.YAMLError as error:
        return None, [f"{path.name}: not valid YAML: {error}"]
    checker = jsonschema.Draft202012Validator(
        schema, format_checker=jsonschema.Draft202012Validator.FORMAT_CHECKER
    )
    faults = []
    for fault in checker.iter_errors(document):
        message = fault.message
        if len(message) > _LONGEST:
            message = f"{message[:_HEAD]} ... {message[-_TAIL:]}"
        place = _place(document, fault.absolute_path)
        faults.append(f"{path.name}: {place}: {message}")
    return document, faults
