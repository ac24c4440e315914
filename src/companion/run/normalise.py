"""Take out of an executed notebook what differs between two executions of a source.

Timings, paths of this machine, random identifiers and versions of the kernel go;
results stay.
"""

from __future__ import annotations

import copy
import hashlib
import re
from collections.abc import Callable, Mapping

import nbformat
from nbformat import NotebookNode

KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}
_LANGUAGE = {
    "file_extension": ".py",
    "mimetype": "text/x-python",
    "name": "python",
    "pygments_lexer": "ipython3",
}
_DROPPED_METADATA = (
    "papermill",
    "jupytext",
    "widgets",
    "execution",
    "ExecuteTime",
    "collapsed",
)
#: What of nbformat has no types.
_node: Callable[[object], NotebookNode] = nbformat.from_dict
_writes: Callable[..., str] = nbformat.writes
_ADDRESS = re.compile(r"(?<= at )0x[0-9a-f]{6,}")
_ANSI = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
#: It begins where a word does: within a picture, one long word, each other place would
#: be tried in vain.
_CELL_FILE = re.compile(r"(?<!\S)\S*ipykernel_\d+/\d+\.py")


def without_paths(text: str, paths: Mapping[str, str]) -> str:
    """Return a text without colours, addresses in memory, and some paths.

    `paths` maps each path to what is put in its place.
    """
    for path in sorted(paths, key=len, reverse=True):
        text = text.replace(path, paths[path])
    return _ADDRESS.sub("0x0", _CELL_FILE.sub("<cell>", _ANSI.sub("", text)))


def _clean_value(value: object, paths: Mapping[str, str]) -> object:
    if isinstance(value, str):
        return without_paths(value, paths)
    if isinstance(value, list):
        return [_clean_value(item, paths) for item in value]
    if isinstance(value, dict):
        return {key: _clean_value(item, paths) for key, item in value.items()}
    return value


def _without_run(metadata: Mapping[str, object]) -> NotebookNode:
    """Return the metadata that say nothing of the run, without empty tags."""
    return _node(
        {
            key: value
            for key, value in sorted(metadata.items())
            if key not in _DROPPED_METADATA and (key != "tags" or value)
        }
    )


def normalise(
    notebook: NotebookNode,
    paths: Mapping[str, str] | None = None,
) -> NotebookNode:
    """Return a copy of an executed notebook without traces of when and where it ran.

    `paths` maps each absolute path that may occur in outputs to what is printed in its
    place. Cell identifiers become the number of the cell and a hash of its source;
    execution counts run from 1.
    """
    clean = copy.deepcopy(notebook)
    places = {path: text for path, text in (paths or {}).items() if len(path) > 1}
    count = 0
    for index, cell in enumerate(clean.cells):
        digest = hashlib.sha256(
            f"{cell.cell_type}\n{cell.source}".encode()
        ).hexdigest()[:10]
        cell["id"] = f"c{index:03d}-{digest}"
        cell.metadata = _without_run(cell.metadata)
        if cell.cell_type != "code":
            continue
        count += 1
        cell.execution_count = count
        for output in cell.outputs:
            if "execution_count" in output:
                output.execution_count = count
            output.pop("transient", None)
            for part in {
                "text",
                "data",
                "ename",
                "evalue",
                "traceback",
            } & output.keys():
                output[part] = _clean_value(output[part], places)
    clean.metadata = _node(
        {
            **_without_run(clean.metadata),
            "kernelspec": KERNEL,
            "language_info": _LANGUAGE,
        }
    )
    clean.nbformat = 4
    clean.nbformat_minor = 5
    return clean


def notebook_text(notebook: NotebookNode) -> str:
    """Return a notebook as text, its keys sorted, ending in a line feed.

    Raises nbformat.ValidationError where it is not valid.
    """
    nbformat.validate(notebook)
    return _writes(notebook, version=4).rstrip("\n") + "\n"
