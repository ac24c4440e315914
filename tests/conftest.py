"""What the tests of the built pages share: the pages, built once, and one browser."""

import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

from companion.browser import ARGUMENTS, ensure_browser

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def site():
    """Build the book (what has not changed is not executed again) and return the folder of the pages."""
    command = [sys.executable, "-m", "companion", "build", "--profile", "quick"]
    answer = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stdout[-4000:] + answer.stderr[-8000:]
    return ROOT / "_build" / "html"


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        program = playwright.chromium.launch(executable_path=str(ensure_browser()), args=list(ARGUMENTS))
        yield program
        program.close()
