"""What the tests of the built pages share: the pages, built once, and one browser."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

from companion.browser import ARGUMENTS, ensure_browser

ROOT = Path(__file__).resolve().parent.parent
#: Files that build or read the book of this checkout: one process runs them all, since a book has one build at a time.
BOOK = re.compile(
    r"tests/(test_site\w*|test_outside|test_results|\w+/test_(archive|exercises|explorer|generated|sphinx_access|verify))\.py::"
)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Keep the tests of a file in one process, in their order, and those of the book."""
    from xdist.scheduler import LoadScopeScheduling

    class ByFile(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            return "the book" if BOOK.match(nodeid) else nodeid.partition("::")[0]

    return ByFile(config, log)


@pytest.fixture(scope="session")
def site():
    """Build the book, as accepted in all, and return the folder of the pages; what has not changed is not run again."""
    command = [sys.executable, "-m", "companion", "build", "--profile", "quick"]
    answer = subprocess.run(
        command, cwd=ROOT, env={**os.environ, "CI": "true"}, capture_output=True, text=True, check=False
    )
    assert answer.returncode == 0, answer.stdout[-4000:] + answer.stderr[-8000:]
    return ROOT / "_build" / "html"


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        program = playwright.chromium.launch(executable_path=str(ensure_browser()), args=list(ARGUMENTS))
        yield program
        program.close()
