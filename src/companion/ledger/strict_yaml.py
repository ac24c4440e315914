"""Read YAML, refuse a key that is given twice, which the YAML library would read over, and hold it to a schema."""

from __future__ import annotations

from typing import Any

import jsonschema
import yaml

__all__ = ["KeyGivenTwice", "faults_of", "load", "record"]


class KeyGivenTwice(yaml.YAMLError):
    """Name a key that a mapping has twice, and the line on which the mapping begins."""

    def __init__(self, key: object, line: int) -> None:
        self.key, self.line = key, line
        super().__init__(f"key given twice: {key}, line {line}")


#: The loader in C where the library was built with it: ten times as fast.
_Safe: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _Loader(_Safe):  # type: ignore[misc]
    """Construct mappings with every key once."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        """Return the mapping of a node."""
        keys = [self.construct_object(key, deep=True) for key, _ in node.value]
        for key in keys:
            if keys.count(key) > 1:
                raise KeyGivenTwice(key, node.start_mark.line + 1)
        found: dict[Any, Any] = super().construct_mapping(node, deep=deep)
        return found


def load(text: str) -> Any:
    """Return the document; raise KeyGivenTwice, or another yaml.YAMLError where it is not YAML."""
    return yaml.load(text, Loader=_Loader)


def record(**properties: Any) -> dict[str, Any]:
    """Return the schema of an object with these properties, all required, and no others."""
    return {"type": "object", "additionalProperties": False, "properties": properties, "required": list(properties)}


def faults_of(document: Any, schema: Any) -> list[str]:
    """Return what a document has that its JSON schema does not allow: the place, and what is wrong there."""
    found = jsonschema.Draft202012Validator(schema).iter_errors(document)
    return [": ".join([*map(str, fault.absolute_path), fault.message[:300]]) for fault in found]
