"""What the tests of the built pages share: the pages, built once, and one browser."""

import functools
import http.server
import os
import pickle
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from filelock import FileLock
from playwright.sync_api import sync_playwright

from companion.paths import Layout
from companion.run.runner import execute_pages, failures
from companion.site.browser import ARGUMENTS, ensure_browser

ROOT = Path(__file__).resolve().parent.parent


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Keep the tests of a file in one process, and take the files in the order of the
    collection.

    By itself xdist takes the files with most tests first: those with few tests of a
    minute each come last, and one process waits for the other.
    """
    from xdist.scheduler import LoadFileScheduling

    config.option.loadscopereorder = False
    return LoadFileScheduling(config, log)


def pytest_collection_modifyitems(items):
    """Take long files first: one that builds the pages, slow ones, others that wait for
    the pages; short files last.
    """
    files = {}
    for item in items:
        files.setdefault(item.path, []).append(item)

    def waits(path):
        return any(
            {"site", "executed"} & set(getattr(item, "fixturenames", ()))
            for item in files[path]
        )

    def slow(path):
        return any(item.get_closest_marker("slow") for item in files[path])

    builder = next(
        (path for path in files if waits(path) and path.name.startswith("test_site")),
        None,
    )
    rank = {
        path: 0 if path == builder else 2 if waits(path) else 1 if slow(path) else 3
        for path in files
    }
    items.sort(key=lambda item: rank[item.path])


@pytest.fixture(scope="session")
def shared(tmp_path_factory):
    """A folder of all processes of this run."""
    folder = tmp_path_factory.getbasetemp()
    return folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder


@pytest.fixture(scope="session")
def executed(shared):
    """The executions of the book's own build, found or made by one process for all."""
    known = shared / "executed.pickle"
    with FileLock(shared / "book.lock"):
        if not known.exists():
            entries, _ = execute_pages(Layout(ROOT), "quick")
            assert not failures(entries), failures(entries)
            known.write_bytes(pickle.dumps(entries))
    return pickle.loads(known.read_bytes())


@pytest.fixture(scope="session")
def site(shared):
    """The folder of the pages, as accepted in all: the first process that asks builds
    them, the others wait.
    """
    command = [sys.executable, "-m", "companion", "build", "--profile", "quick"]
    strict = {**os.environ, "CI": "true"}
    with FileLock(shared / "book.lock"):
        if not (shared / "built").exists():
            answer = subprocess.run(
                command,
                cwd=ROOT,
                env=strict,
                capture_output=True,
                text=True,
                check=False,
            )
            assert answer.returncode == 0, answer.stdout[-4000:] + answer.stderr[-8000:]
            (shared / "built").touch()
    return ROOT / "_build" / "html"


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture(scope="session")
def served(site):
    """Serve the pages on this machine; return the address."""
    with http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(_Quiet, directory=str(site))
    ) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


@pytest.fixture(scope="session")
def browser():
    path = (
        ensure_browser()
    )  # before the one Playwright that a process may have: it may ask Playwright itself
    with sync_playwright() as playwright:
        program = playwright.chromium.launch(
            executable_path=str(path), args=list(ARGUMENTS)
        )
        yield program
        program.close()


@pytest.fixture
def window(browser):
    """A function that opens a window of the browser with these options; all are closed
    at the end of the test.
    """
    contexts = []

    def opened(**options):
        contexts.append(browser.new_context(**options))
        return contexts[-1].new_page()

    yield opened
    for context in contexts:
        context.close()
