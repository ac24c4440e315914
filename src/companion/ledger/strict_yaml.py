"""Read YAML, and hold it to a schema.

What the YAML library would read over is refused: a key that is given twice, a number
that is NaN or infinite, which compares with nothing, and a control character, which a
backslash in double quotes makes. And `1e-4` is a number, as in YAML 1.2, where the
library reads version 1.1, in which a number with an exponent needs a point and a sign.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import jsonschema
import yaml

from companion.paths import Record, read_json

#: The loader in C where the library was built with it: ten times as fast.
_Safe: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
#: A number with an exponent, as YAML 1.2 has it.
_EXPONENT = re.compile(r"[-+]?(\d+(\.\d*)?|\.\d+)[eE][-+]?\d+$")
#: What no text of a file has: controls but the line feed, and separators of lines.
_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029]")
#: Where a value lies: the keys and numbers that lead to it.
_Path = tuple[str | int, ...]
#: The keyword of a schema that holds what is said in place of the validator's words.
MESSAGE = "message"
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


def schema_of(name: str) -> Record:
    """Return the schema in a file beside this module."""
    schema: Record = read_json(Path(__file__).with_name(name))
    return schema


def _values(value: object, path: _Path = ()) -> Iterator[tuple[_Path, object]]:
    """Give each key, and each value that is neither a list nor a mapping."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield (*path, key), key
            yield from _values(inner, (*path, key))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from _values(inner, (*path, number))
    else:
        yield path, value


def _unfit(value: object) -> str:
    """Say why a value can stand in no file; empty where it can."""
    if isinstance(value, float) and not math.isfinite(value):
        return f"must be a finite number, got {value}"
    if isinstance(value, str) and (control := _CONTROL.search(value)):
        return (
            f"a text has no control character, got U+{ord(control[0]):04X}: in double "
            "quotes a backslash begins an escape; write single quotes, or |-"
        )
    return ""


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


def _field(document: object, path: _Path) -> str:
    """Name a value: its entry, and the keys that lead to it."""
    place = _place(document, path)
    if isinstance(document, dict):
        return place
    return ": ".join([place, *map(str, path[1:])])


def _message(fault: jsonschema.ValidationError) -> str:
    """Return what a schema says of a fault: its own words, or the validator's."""
    if isinstance(fault.schema, dict) and MESSAGE in fault.schema:
        return f"{fault.instance!r}: {fault.schema[MESSAGE]}"
    message = fault.message
    if len(message) > _LONGEST:
        return f"{message[:_HEAD]} ... {message[-_TAIL:]}"
    return message


def read(path: Path, schema: Record) -> tuple[Any, list[str]]:
    """Return the document of a file, and what its JSON schema does not allow in it.

    The document is None where the file cannot be read. Each fault is a line: the name
    of the file, the place, and what is wrong, in the words of the part of the schema
    (its `message`) where it has some.
    """
    try:
        document = yaml.load(path.read_text(encoding="utf-8"), Loader=_Loader)
    except OSError as error:
        return None, [f"{path.name}: cannot be read: {error.strerror}"]
    except yaml.YAMLError as error:
        return None, [f"{path.name}: not valid YAML: {error}"]
    checker = jsonschema.Draft202012Validator(
        schema,
        format_checker=jsonschema.Draft202012Validator.FORMAT_CHECKER,
    )
    faults = []
    unfit = set()
    for at, value in _values(document):
        if wrong := _unfit(value):
            unfit.add(at)
            faults.append(f"{path.name}: {_field(document, at)}: {wrong}")
    for fault in checker.iter_errors(document):
        if tuple(fault.absolute_path) not in unfit:
            place = _place(document, fault.absolute_path)
            faults.append(f"{path.name}: {place}: {_message(fault)}")
    return document, faults
