"""Read `data/figures.yml`, the registry that says how each figure is computed, drawn and compared."""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import yaml

from companion import strict_yaml
from companion.paths import CompanionError
from companion.profiles import PROFILES, check_profile

__all__ = [
    "FigureSpec",
    "Tolerance",
    "accepted_parameters",
    "check_reason",
    "find_spec",
    "load_registry",
    "resolve",
    "specs_of_page",
]

_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_TARGET = re.compile(r"[A-Za-z_][\w]*(\.[A-Za-z_]\w*)+:[A-Za-z_]\w*")
_KEYS = {"page", "compute", "draw", "params", "profiles", "seed", "tolerance", "agreement", "key"}


class RegistryError(CompanionError):
    """Say what is wrong in the registry, and where."""


@dataclass(frozen=True)
class Tolerance:
    """Allow a difference of atol + rtol * |reference|, the rounding that may differ between machines."""

    rtol: float
    atol: float


@dataclass(frozen=True)
class FigureSpec:
    """Hold one entry of the registry; `compute` and `draw` are empty where cells of its page do both.

    The tolerances are for the same run on another machine; the agreement, where it is given, is for the quick profile
    against the paper profile, on the rows that both have; `rows_agree` is False where rows are not comparable.
    """

    id: str
    page: str
    key: tuple[str, ...]
    compute: str = ""
    draw: str = ""
    params: Mapping[str, Any] = field(default_factory=dict)
    profiles: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    seed: int | None = None
    default_tolerance: Tolerance = field(default_factory=lambda: Tolerance(1e-9, 1e-12))
    column_tolerances: Mapping[str, Tolerance] = field(default_factory=dict)
    agreement: FigureSpec | None = None
    rows_agree: bool = True

    def parameters(self, profile: str, overrides: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Return the parameters of one profile, the seed included where there is one."""
        chosen = {**self.params, **self.profiles.get(check_profile(profile), {}), **(overrides or {})}
        if self.seed is not None:
            chosen.setdefault("seed", self.seed)
        return chosen

    def tolerance(self, column: str) -> Tolerance:
        """Return the tolerance of one column."""
        return self.column_tolerances.get(column, self.default_tolerance)


def _fail(figure: str, message: str) -> RegistryError:
    return RegistryError(f"data/figures.yml: {figure}: {message}")


def _mapping(figure: str, name: str, value: Any, allowed: set[str] | None = None) -> dict[str, Any]:
    if not isinstance(value, dict) or not all(isinstance(key, str) for key in value):
        raise _fail(figure, f"{name} must be a mapping with names as keys, got {value!r}")
    unknown = sorted(set(value) - allowed) if allowed is not None else []
    if unknown:
        raise _fail(figure, f"unknown key in {name}: {', '.join(unknown)}; known: {', '.join(sorted(allowed or ()))}")
    return dict(value)


def _tolerance(figure: str, name: str, value: Any) -> Tolerance:
    entry = _mapping(figure, name, value, {"rtol", "atol"})
    for key in ("rtol", "atol"):
        number = entry.get(key)
        if isinstance(number, bool) or not isinstance(number, int | float) or not 0 <= number < float("inf"):
            raise _fail(figure, f"{name}.{key} must be a finite number >= 0, got {number!r}")
    return Tolerance(float(entry["rtol"]), float(entry["atol"]))


def _spec(figure: Any, value: Any) -> FigureSpec:
    if not isinstance(figure, str) or not _NAME.fullmatch(figure):
        raise _fail(str(figure), "the id of a figure is lower-case words joined by hyphens")
    entry = _mapping(figure, "the entry", value, _KEYS)
    named = {"compute", "draw"} & set(entry)
    for key in ("page", "key", *(("compute", "draw") if named else ())):
        if key not in entry:
            raise _fail(figure, f"{key} is missing")
    if useless := sorted({"params", "profiles", "seed"} & set(entry)) if not named else []:
        raise _fail(figure, f"{', '.join(useless)}: a figure that its page computes has none")
    if not isinstance(entry["page"], str) or not _NAME.fullmatch(entry["page"]):
        raise _fail(figure, f"page must be the name of a notebook, got {entry['page']!r}")
    for key in sorted(named):
        if not isinstance(entry[key], str) or not _TARGET.fullmatch(entry[key]):
            raise _fail(figure, f"{key} must read package.module:function, got {entry[key]!r}")
    columns = entry["key"]
    if not isinstance(columns, list) or not columns or not all(isinstance(name, str) for name in columns):
        raise _fail(figure, f"key must be a non-empty list of columns, got {columns!r}")
    seed = entry.get("seed")
    if seed is not None and (isinstance(seed, bool) or not isinstance(seed, int) or seed < 0):
        raise _fail(figure, f"seed must be an integer >= 0, got {seed!r}")
    profiles = _mapping(figure, "profiles", entry.get("profiles", {}), set(PROFILES))
    spec = FigureSpec(
        id=figure,
        page=entry["page"],
        key=tuple(columns),
        **{name: entry[name] for name in named},
        params=_mapping(figure, "params", entry.get("params", {})),
        profiles={name: _mapping(figure, f"profiles.{name}", over) for name, over in profiles.items()},
        seed=seed,
    )
    if "tolerance" in entry:
        spec = replace(spec, **_tolerances(figure, "tolerance", entry["tolerance"]))
    if entry.get("agreement") == "none":
        spec = replace(spec, rows_agree=False)
    elif "agreement" in entry:
        spec = replace(spec, agreement=replace(spec, **_tolerances(figure, "agreement", entry["agreement"])))
    return spec


def _tolerances(figure: str, name: str, value: Any) -> dict[str, Any]:
    """Return the fields of a FigureSpec that a tolerance, one for all columns or one for each, sets."""
    given = _mapping(figure, name, value, {"rtol", "atol", "default", "columns"})
    if "default" not in given and "columns" not in given:
        return {"default_tolerance": _tolerance(figure, name, given), "column_tolerances": {}}
    given = _mapping(figure, name, given, {"default", "columns"})
    by_column = _mapping(figure, f"{name}.columns", given.get("columns", {}))
    columns = {column: _tolerance(figure, f"{name}.columns.{column}", over) for column, over in by_column.items()}
    default = (
        {"default_tolerance": _tolerance(figure, f"{name}.default", given["default"])} if "default" in given else {}
    )
    return {**default, "column_tolerances": columns}


def load_registry(path: Path) -> dict[str, FigureSpec]:
    """Return all figures by id; an absent file is an empty registry.

    Raises CompanionError that names the figure and the key where an entry is not as it must be.
    """
    if not path.is_file():
        return {}
    try:
        document = strict_yaml.load(path.read_text(encoding="utf-8"))
    except strict_yaml.KeyGivenTwice as error:
        raise RegistryError(f"data/figures.yml: {error.key} is given twice, line {error.line}") from error
    except yaml.YAMLError as error:
        raise RegistryError(f"data/figures.yml is not valid YAML: {error}") from error
    if document is None:
        return {}
    if not isinstance(document, dict):
        raise RegistryError("data/figures.yml must be a mapping of figure ids")
    return {str(figure): _spec(figure, value) for figure, value in document.items()}


def find_spec(registry: Mapping[str, FigureSpec], figure: str) -> FigureSpec:
    """Return one figure; raise CompanionError that lists the known ones."""
    if figure not in registry:
        raise CompanionError(f"unknown figure {figure!r}; known: {', '.join(sorted(registry)) or 'none'}")
    return registry[figure]


def specs_of_page(registry: Mapping[str, FigureSpec], page: str) -> list[FigureSpec]:
    """Return the figures of one page, sorted by id."""
    return [registry[name] for name in sorted(registry) if registry[name].page == page]


def check_reason(why: object) -> str:
    """Return the reason for a change; raise CompanionError where it says nothing or has several lines."""
    if not isinstance(why, str) or not why.strip() or why.strip() == "..." or "\n" in why.strip():
        raise CompanionError(f'a change of a figure needs a reason in one line (WHY="..."), got {why!r}')
    return why.strip()


def resolve(target: str) -> Callable[..., Any]:
    """Return the function that `package.module:function` names; raise CompanionError where there is none."""
    module, _, name = target.partition(":")
    try:
        function = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError) as error:
        raise CompanionError(f"cannot find {target} named in data/figures.yml: {error}") from error
    if not callable(function):
        raise CompanionError(f"{target} named in data/figures.yml is not a function")
    found: Callable[..., Any] = function
    return found


def accepted_parameters(function: Callable[..., Any]) -> set[str]:
    """Return the names of the parameters that a function takes by keyword."""
    kinds = (inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return {name for name, given in inspect.signature(function).parameters.items() if given.kind in kinds}
