"""Every verdict of the mollifier chapters that needs a counterexample has one that is verified here from rationals.

The modules beside this one import nothing but `fractions` and ball arithmetic; each holds `VERIFIED`, from claims to
the tests that verify their counterexamples.
"""

from __future__ import annotations

import ast
import importlib
import pkgutil
from pathlib import Path

import yaml

import tests.counterexamples

ROOT = Path(__file__).parents[2]
ALLOWED = {"__future__", "fractions", "flint", "itertools", "math", "contextlib", "collections", "functools", "pytest"}
MODULES = [
    module.name
    for module in pkgutil.iter_modules(tests.counterexamples.__path__)
    if module.name not in ("test_complete", "test_generated", "rational")
]


def needed() -> set[str]:
    """Return the claims of built mollifier pages that are expected to fail as printed."""
    claims = yaml.safe_load((ROOT / "data" / "claims.yml").read_text(encoding="utf-8"))
    built = {path.stem for path in (ROOT / "notebooks").glob("*.md")}
    return {
        claim["id"]
        for claim in claims
        if claim["notebook"] in built and claim["expected"] in ("false", "holds-with-condition")
    }


def verified() -> dict[str, str]:
    found: dict[str, str] = {}
    for name in MODULES:
        module = importlib.import_module(f"tests.counterexamples.{name}")
        for claim, test in module.VERIFIED.items():
            assert claim not in found, f"{claim} is verified twice"
            assert callable(getattr(module, test)), f"{name} has no test {test} for {claim}"
            assert test.startswith("test_")
            found[claim] = test
    for path in sorted((Path(__file__).parent / "generated").glob("*/*.py")):
        found[path.name.split(".")[0]] = path.name
    return found


def test_every_failing_claim_has_a_verified_counterexample():
    assert not needed() - set(verified())


def test_no_verification_is_left_over():
    assert not set(verified()) - needed()


def test_verifications_stand_alone():
    for path in Path(__file__).parent.glob("*.py"):
        if path.name in ("test_complete.py", "test_generated.py", "__init__.py"):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [item.name for item in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            for name in names:
                allowed = name.split(".")[0] in ALLOWED or name == "tests.counterexamples.rational"
                assert allowed, f"{path.name} imports {name}"
