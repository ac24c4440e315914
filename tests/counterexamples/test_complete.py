"""Every statement that fails as printed has a counterexample that is verified alone, without this book.

The kernel writes one as a program that needs python-flint alone, `scripts/<claim>.<call>.py` of the run of a page;
here each is run as it stands, and once more turned round. Three are written by hand, in the module beside this one.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.counterexamples import test_relaxed_exponential as by_hand

ROOT = Path(__file__).parents[2]
PAGES = sorted(path.stem for path in (ROOT / "notebooks").glob("*.md"))

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("page", PAGES)
def test_a_program_stands_alone_and_could_fail(executed, page, tmp_path):
    for path in sorted((executed[page].run / "scripts").glob("*.py")):
        source = path.read_text(encoding="utf-8")
        imported = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Import | ast.ImportFrom)]
        names = {node.module if isinstance(node, ast.ImportFrom) else node.names[0].name for node in imported}
        assert names <= {"flint", "fractions", "math", "operator"}
        assert source.count("assert not (") == 1
        for text, status in ((source, 0), (source.replace("assert not (", "assert ("), 1)):
            (tmp_path / "alone.py").write_text(text, encoding="utf-8")
            command = [sys.executable, "-I", str(tmp_path / "alone.py")]
            answer = subprocess.run(command, capture_output=True, text=True, check=False)
            assert answer.returncode == status, f"{path.name}: {answer.stderr}"
            assert status == 0 or "AssertionError" in answer.stderr


def test_every_failing_claim_has_a_counterexample_and_no_other(executed):
    claims = yaml.safe_load((ROOT / "data" / "claims.yml").read_text(encoding="utf-8"))
    needed = {claim["id"] for claim in claims if claim["expected"] in ("false", "holds-with-condition")}
    written = {path.name.split(".")[0] for run in executed.values() for path in (run.run / "scripts").glob("*.py")}
    assert all(callable(getattr(by_hand, test)) for test in by_hand.VERIFIED.values())
    assert written | set(by_hand.VERIFIED) == needed
