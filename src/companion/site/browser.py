"""Find a browser for tests and print, or install one; say what to do without one."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from companion.paths import CompanionError

if TYPE_CHECKING:
    from playwright.sync_api import Page

#: Names that a Chromium goes by, in the order tried; the environment variable names one
#: directly.
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
VARIABLE = "COMPANION_BROWSER"

#: Arguments beside those by which playwright keeps the browser from asking any host for
#: anything by itself.
ARGUMENTS = ("--no-sandbox", "--disable-gpu", "--disable-quic")

APT = (
    "apt-get -qy update; "
    "apt-get -qy install --no-install-recommends chromium fonts-dejavu-core"
)
ADVICE = (
    "no browser for the tests of the pages: install Chromium or Google Chrome so that "
    "it is on the PATH (Debian and Ubuntu: apt-get install chromium; any system: "
    f"python -m playwright install chromium), or name the program in {VARIABLE}"
)


def find_browser() -> Path | None:
    """Return a browser, or None where there is none.

    Tried are the one named in COMPANION_BROWSER, one on the PATH, and playwright's own.
    Raises CompanionError where the one that is named does not exist.
    """
    if named := os.environ.get(VARIABLE):
        program = shutil.which(named)
        if program is None:
            raise CompanionError(
                f"{VARIABLE} names {named!r}, which is no program here"
            )
        return Path(program)
    for name in NAMES:
        if program := shutil.which(name):
            return Path(program)
    from playwright.sync_api import sync_playwright  # of the environment for tests

    with sync_playwright() as playwright:
        path = Path(playwright.chromium.executable_path)
    return path if path.is_file() else None


def ensure_browser() -> Path:
    """Return a browser, which is installed now where there is none.

    Tried are Debian's package where we may install one, then the browser that
    playwright brings. Raises CompanionError that says what to do where there is none
    and none can be installed.
    """
    ways = [[sys.executable, "-m", "playwright", "install", "chromium"]]
    if shutil.which("apt-get") and os.geteuid() == 0:
        ways.insert(0, ["env", "DEBIAN_FRONTEND=noninteractive", "sh", "-c", APT])
    for way in ways:
        if program := find_browser():
            return program
        print("+ " + " ".join(way), flush=True)
        subprocess.run(way, check=False, stdin=subprocess.DEVNULL)
    if program := find_browser():
        return program
    raise CompanionError(ADVICE)


@contextmanager
def open_page() -> Iterator[Page]:
    """Give an empty page of a browser, and close the browser in the end.

    The browser is installed now where there was none.
    """
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
