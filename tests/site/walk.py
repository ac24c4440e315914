"""Look at all pages with two browsers side by side: which page in which views, and what was found."""

import atexit
import multiprocessing
import re
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

from companion.site.browser import ARGUMENTS, ensure_browser
from tests.site.looking import VIEWS, Looker

__all__ = ["Seen", "kind_of", "plan", "walk"]

#: As many browsers as the smallest machine has cores.
WORKERS = 2
#: A page that holds one claim says its verdict there; those of figures have none.
_VERDICT = re.compile(r'class="[^"]*\bmf-is-([a-z-]+)')


class Seen(NamedTuple):
    """What was found on a page, and how long it took."""

    faults: dict[str, list[str]]
    seconds: float


def kind_of(name: str, text: str, kinds: dict[str, str]) -> tuple[str, str]:
    """Return the verdict and the kind that the page of a claim or a figure shows."""
    claim = name.removeprefix("claims/")
    if claim.startswith("fig-"):
        return "figure", ""
    verdict = _VERDICT.search(text)
    return verdict[1] if verdict else "", kinds.get(claim.lower(), "")


def plan(pages: Sequence[str], claims: Sequence[tuple[str, tuple[str, str]]], whole: bool = True) -> dict[str, tuple]:
    """Return for each page its views: all four, but for claims and figures one after another in turn.

    The first page of a claim of each verdict, and of each kind, and the first of a figure have all four; unless `whole`
    they are the only ones.
    """
    views: dict[str, tuple] = dict.fromkeys(pages, VIEWS)
    met: set[str] = set()
    for place, (name, (verdict, kind)) in enumerate(claims):
        new = {f"verdict {verdict}", f"kind {kind}"} - met
        met |= new
        if new or whole:
            views[name] = VIEWS if new else (VIEWS[place % len(VIEWS)],)
    return views


_LOOKER: list[Looker] = []


def _start() -> None:
    from playwright.sync_api import sync_playwright

    path = ensure_browser()
    playwright = sync_playwright().start()
    browser = playwright.chromium.launch(executable_path=str(path), args=list(ARGUMENTS))
    _LOOKER.append(Looker(browser))
    atexit.register(playwright.stop)
    atexit.register(browser.close)


def _file(site: Path, name: str) -> Path:
    """Return the file of a page; a name may have a query."""
    return site / f"{name.partition('?')[0]}.html"


def _look(task: tuple[str, str, tuple]) -> tuple[str, Seen]:
    folder, name, views = task
    began = time.perf_counter()
    try:
        faults: dict[str, Any] = _LOOKER[0].look(
            _file(Path(folder), name), views, query="".join(name.partition("?")[1:])
        )
    except Exception as error:
        faults = {"all views": [f"could not be looked at: {type(error).__name__}: {str(error)[:500]}"]}
    return name, Seen(faults, time.perf_counter() - began)


def walk(site: Path, views: dict[str, tuple], workers: int = WORKERS) -> dict[str, Seen]:
    """Look at each page in its views; the longest first, so that no browser waits for the other at the end."""
    tasks = [(str(site.resolve()), name, chosen) for name, chosen in views.items()]
    tasks.sort(key=lambda task: -_file(site, task[1]).stat().st_size * len(task[2]))
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=context, initializer=_start) as pool:
        return dict(pool.map(_look, tasks, chunksize=1))
