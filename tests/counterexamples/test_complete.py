"""Every statement that fails as printed has a counterexample that is verified alone,
without this book.

The kernel writes one as a program that needs python-flint alone,
`scripts/<claim>.<call>.py` of the run of a page; here each is run as it stands, and
once more turned round. Three are written by hand, in the module beside this one.
"""

import ast
import subprocess
import sys

import pytest

from tests.counterexamples import test_relaxed_exponential as by_hand
from tests.repository import ROOT, yaml_of

PAGES = sorted(path.stem for path in (ROOT / "notebooks").glob("*.md"))

pytestmark = pytest.mark.slow


#: Runs each program that it is given as a script, in a process that knows no module of
#: this book.
RUNNER = """
import flint, runpy, sys
for path in sys.argv[1:]:
    flint.ctx.prec = 53  # as it is at the start
    try:
        runpy.run_path(path, run_name="__main__")
        print("passed")
    except AssertionError:
        print("failed")
"""


@pytest.mark.parametrize("page", PAGES)
def test_a_program_stands_alone_and_could_fail(executed, page, tmp_path):
    files = sorted((executed[page].run / "scripts").glob("*.py"))
    turned = []
    for path in files:
        source = path.read_text(encoding="utf-8")
        imported = [
            node
            for node in ast.walk(ast.parse(source))
            if isinstance(node, ast.Import | ast.ImportFrom)
        ]
        names = {
            node.module if isinstance(node, ast.ImportFrom) else node.names[0].name
            for node in imported
        }
        assert names <= {"flint", "fractions", "itertools", "math", "operator"}
        assert source.count("assert not (") == 1
        turned.append(tmp_path / path.name)
        turned[-1].write_text(
            source.replace("assert not (", "assert ("), encoding="utf-8"
        )
    command = [sys.executable, "-I", "-c", RUNNER, *map(str, [*files, *turned])]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stderr
    assert answer.stdout.split() == ["passed"] * len(files) + ["failed"] * len(files)


def test_every_failing_claim_has_a_counterexample_and_no_other(executed):
    claims = yaml_of("data/claims.yml")
    needed = {
        claim["id"]
        for claim in claims
        if claim["expected"] in ("false", "holds-with-condition")
    }
    written = {
        path.name.split(".")[0]
        for run in executed.values()
        for path in (run.run / "scripts").glob("*.py")
    }
    assert all(callable(getattr(by_hand, test)) for test in by_hand.VERIFIED.values())
    assert written | set(by_hand.VERIFIED) == needed
