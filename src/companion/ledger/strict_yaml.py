"""Read YAML, refuse a key that is given twice, which the YAML library would read over, and hold it to a schema."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jsonschema
import yaml

#: The loader in C where the library was built with it: ten times as fast.
_Safe: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _Loader(_Safe):  # type: ignore[misc]
    """Construct mappings with every key once."""

    def construct_mapping(
        self, node: yaml.MappingNode, deep: bool = False
    ) -> dict[Any, Any]:
        """Return the mapping of a node."""
        keys = [self.construct_object(key, deep=True) for key, _ in node.value]
        for key in keys:
            if keys.count(key) > 1:
                raise yaml.YAMLError(
                    f"key given twice: {key}, line {node.start_mark.line + 1}"
                )
        found: dict[Any, Any] = super().construct_mapping(node, deep=deep)
        return found


def record(**properties: Any) -> dict[str, Any]:
    """Return the schema of an object with these properties, all required, and no others."""
    return {
        "type": "object",
        "additionalProperties": False,
        "properties": properties,
        "required": list(properties),
    }


def _place(document: Any, path: Any) -> str:
    """Name what is at fault: an entry of a list by its id or number, else by the keys that lead to it."""
    if not path or isinstance(document, dict):
        return ": ".join(map(str, path)) or "the file"
    entry = document[path[0]]
    return (
        str(entry["id"])
        if isinstance(entry, dict) and "id" in entry
        else f"entry {path[0] + 1}"
    )


def read_yaml(path: Path, schema: dict[str, Any]) -> tuple[Any, list[str]]:
    """Return the document of a file, None where it cannot be read, and what its JSON schema does not allow in it.

    Each fault is a line: the name of the file, the place, and what is wrong.
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
        told = (
            fault.message
            if len(fault.message) <= 300
            else f"{fault.message[:100]} ... {fault.message[-195:]}"
        )
        faults.append(f"{path.name}: {_place(document, fault.absolute_path)}: {told}")
    return document, faults
