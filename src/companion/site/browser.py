"""Find a browser for tests and print, or install one; say plainly what to do where neither works."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from companion.paths import CompanionError

#: Names that a Chromium goes by, in the order tried; the environment variable names one
#: directly.
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
VARIABLE = "COMPANION_BROWSER"

#: Arguments beside those by which playwright keeps the browser from asking any host for
#: anything by itself.
ARGUMENTS = ("--no-sandbox", "--disable-gpu", "--disable-quic")

APT = "apt-get -qy update; apt-get -qy install --no-install-recommends chromium fonts-dejavu-core"
ADVICE = (
    "no browser for the tests of the pages: install Chromium or Google Chrome so that it is on the PATH "
    "(Debian and Ubuntu: apt-get install chromium; any system: python -m playwright install chromium), "
    f"or name the program in {VARIABLE}"
)


def find_browser() -> Path | None:
    """Return a browser: the one named in COMPANION_BROWSER, one on the PATH, or playwright's own.

    Raises CompanionError where the one that is named does not exist.
    """
    named = os.environ.get(VARIABLE)
    found = next(filter(None, map(shutil.which, [named] if named else NAMES)), None)
    if named and found is None:
        raise CompanionError(f"{VARIABLE} names {named!r}, which is no program here")
    if found is not None:
        return Path(found)
    from playwright.sync_api import sync_playwright  # of the environment for tests

    with sync_playwright() as playwright:
        path = Path(playwright.chromium.executable_path)
    return path if path.is_file() else None


def ensure_browser() -> Path:
    """Return a browser; raise CompanionError that says what to do where there is none and none can be installed.

    Tried are Debian's package where we may install one, then the browser that
    playwright brings.
    """
    ways = [[sys.executable, "-m", "playwright", "install", "chromium"]]
    if shutil.which("apt-get") and os.geteuid() == 0:
        ways.insert(0, ["env", "DEBIAN_FRONTEND=noninteractive", "sh", "-c", APT])
    while (found := find_browser()) is None and ways:
        print("+ " + " ".join(ways[0]), flush=True)
        subprocess.run(ways.pop(0), check=False, stdin=subprocess.DEVNULL)
    if found is None:
        raise CompanionError(ADVICE)
    return found


@contextmanager
def open_page() -> Iterator[Any]:
    """Give an empty page of a browser, which is installed now where there was none, and close the browser."""
    program = ensure_browser()
    from playwright.sync_api import sync_playwright  # of the environment for tests

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=str(program), args=list(ARGUMENTS)
        )
        yield browser.new_page()
        browser.close()


if __name__ == "__main__":
    try:
        print(f"browser for the tests: {ensure_browser().name}")
    except CompanionError as error:
        sys.exit(f"error: {error}")
