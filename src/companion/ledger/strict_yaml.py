"""Read YAML, refuse a key that is given twice, which the YAML library would read over, and hold it to a schema."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jsonschema
import yaml

__all__ = ["faults_of", "load", "record"]


#: The loader in C where the library was built with it: ten times as fast.
_Safe: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _Loader(_Safe):  # type: ignore[misc]
    """Construct mappings with every key once."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        """Return the mapping of a node."""
        keys = [self.construct_object(key, deep=True) for key, _ in node.value]
        for key in keys:
            if keys.count(key) > 1:
                raise yaml.YAMLError(f"key given twice: {key}, line {node.start_mark.line + 1}")
        found: dict[Any, Any] = super().construct_mapping(node, deep=deep)
        return found


def load(text: str) -> Any:
    """Return the document; raise yaml.YAMLError where it is not YAML, or a mapping has a key twice."""
    return yaml.load(text, Loader=_Loader)


def record(**properties: Any) -> dict[str, Any]:
    """Return the schema of an object with these properties, all required, and no others."""
    return {"type": "object", "additionalProperties": False, "properties": properties, "required": list(properties)}


def _told(message: str) -> str:
    """Return a message short enough for a line: it begins with what is wrong, and ends with why."""
    return message if len(message) <= 300 else f"{message[:100]} ... {message[-195:]}"


def faults_of(
    document: Any, schema: Any, place: Callable[[Any], Any] = lambda path: ": ".join(map(str, path))
) -> list[str]:
    """Return what a document has that its JSON schema does not allow: the place, from its path, and what is wrong."""
    found = jsonschema.Draft202012Validator(schema).iter_errors(document)
    return [": ".join(filter(None, [str(place(fault.absolute_path)), _told(fault.message)])) for fault in found]
