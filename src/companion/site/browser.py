"""Find a browser for the tests of the pages, or install one; say plainly what to do where neither works."""

from __future__ import annotations

import importlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

from companion.paths import CompanionError

#: Names that a Chromium goes by, in the order tried; the environment variable names one directly.
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
VARIABLE = "COMPANION_BROWSER"

#: Arguments that keep the browser from asking any host for anything by itself.
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

ADVICE = (
    "no browser for the tests of the pages: install Chromium or Google Chrome so that it is on the PATH "
    "(Debian and Ubuntu: apt-get install chromium; any system: python -m playwright install chromium), "
    f"or name the program in {VARIABLE}"
)


class BrowserMissing(CompanionError):
    """Say that there is no browser, and what to do."""


def _of_playwright() -> Path | None:
    """Return the browser that playwright installed for itself, None where it has none."""
    try:
        api = importlib.import_module("playwright.sync_api")
    except ModuleNotFoundError:
        return None
    with api.sync_playwright() as playwright:
        path = Path(playwright.chromium.executable_path)
    return path if path.is_file() else None


def find_browser() -> Path | None:
    """Return a browser: the one named in COMPANION_BROWSER, one on the PATH, or playwright's own.

    Raises BrowserMissing where the one that is named does not exist.
    """
    named = os.environ.get(VARIABLE)
    if named:
        found = shutil.which(named)
        if found is None:
            raise BrowserMissing(f"{VARIABLE} names {named!r}, which is no program here")
        return Path(found)
    for name in NAMES:
        found = shutil.which(name)
        if found is not None:
            return Path(found)
    return _of_playwright()


def _run(*command: str, environment: dict[str, str] | None = None) -> bool:
    print("+ " + " ".join(command), flush=True)
    full = {**os.environ, **(environment or {})}
    try:
        return subprocess.run(command, check=False, stdin=subprocess.DEVNULL, env=full).returncode == 0
    except OSError:
        return False


def _install() -> None:
    """Try Debian's package where we may install one, then the browser that playwright brings."""
    if shutil.which("apt-get") and hasattr(os, "geteuid") and os.geteuid() == 0:
        quiet = {"DEBIAN_FRONTEND": "noninteractive"}
        wanted = ("chromium", "fonts-dejavu-core")
        _run("apt-get", "update", "-q", environment=quiet)
        if _run("apt-get", "install", "-y", "-q", "--no-install-recommends", *wanted, environment=quiet):
            return
    _run(sys.executable, "-m", "playwright", "install", "chromium")


def ensure_browser() -> Path:
    """Return a browser, installed now where there was none; raise BrowserMissing that says what to do."""
    found = find_browser()
    if found is None:
        _install()
        found = find_browser()
    if found is None:
        raise BrowserMissing(ADVICE)
    return found


def main() -> int:
    """Print the browser that the tests use; return 1 where there is none."""
    try:
        print(f"browser for the tests: {ensure_browser().name}")
    except BrowserMissing as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
