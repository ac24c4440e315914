"""Open a page without a network, in each theme at each width, and say what is wrong
with it.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.site.axe import axe_faults
from tests.site.state import STATE, state_faults
from tests.site_checks import PHONE, WIDE

VIEWS = tuple((theme, size) for theme in ("light", "dark") for size in (WIDE, PHONE))
LOCAL = ("file:", "data:", "blob:", "about:")
TYPESET = (
    "() => window.MathJax && MathJax.startup && MathJax.startup.promise.then(() => "
    "true)"
)
#: Two frames, in which the page has been laid out and painted.
FRAMES = (
    "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() "
    "=> done(true))))"
)
#: The page has the theme, and the pictures that it shows in it have come; after two
#: seconds what has not is a fault.
TURNED = """
theme => new Promise(done => {
  const until = Date.now() + 2000;
  const there = e => !e.getClientRects().length || (e.complete && e.naturalWidth > 0);
  const turned = () => document.documentElement.dataset.theme === theme &&
    [...document.images].every(there);
  const look = () => turned() || Date.now() > until ? done(true) : setTimeout(look, 10);
  look();
})
"""


def view_name(theme: str, size: dict[str, int]) -> str:
    return f"{theme}, {size['width']} px"


def settle(view: Any) -> list[str]:
    """Wait until an open page is typeset and its boxes are marked; return what did not
    come to its end.
    """
    faults = []
    if view.evaluate("() => document.querySelectorAll('.math').length"):
        try:
            view.wait_for_function(
                "() => window.MathJax?.startup?.promise", timeout=60_000
            )
            view.evaluate(TYPESET)
        except Exception as error:
            faults.append(f"mathematics was not typeset: {type(error).__name__}")
    view.evaluate(FRAMES)
    return faults


class Looker:
    """Keep one page of the browser for each width, and open one address after another
    in it.
    """

    def __init__(self, browser: Any) -> None:
        self._browser = browser
        self._open: dict[int, tuple[Any, Any]] = {}
        self._faults: list[str] = []

    def _view(self, size: dict[str, int]) -> Any:
        if size["width"] not in self._open:
            context = self._browser.new_context(
                viewport=size,
                color_scheme="light",
                offline=True,
                reduced_motion="reduce",
            )
            context.route(
                re.compile(r"^(?!file:|data:|blob:|about:)"),
                lambda route: route.abort(),
            )
            view = context.new_page()
            view.on("request", lambda request: self._note(request.url))
            view.on(
                "requestfailed",
                lambda request: self._faults.append(f"failed to load: {request.url}"),
            )
            view.on(
                "pageerror", lambda error: self._faults.append(f"script error: {error}")
            )
            view.on("console", lambda line: self._hear(line))
            self._open[size["width"]] = context, view
        return self._open[size["width"]][1]

    def _note(self, url: str) -> None:
        if not url.startswith(LOCAL):
            self._faults.append(f"request to another host: {url}")

    def _hear(self, line: Any) -> None:
        if line.type == "error":
            self._faults.append(f"console: {line.text}")

    def close(self) -> None:
        for context, _ in self._open.values():
            context.close()
        self._open = {}

    def look(
        self,
        page: Path,
        views: Sequence[tuple[str, dict[str, int]]] = VIEWS,
        axe: bool = True,
        query: str = "",
    ) -> dict[str, list]:
        """Return the faults of a page, as it answers a query, in each view that has
        some.

        A page is loaded once for each width, then turned from one theme to the other as
        a machine does at dusk, without loading it again; axe looks at it in each theme.
        """
        faults_by_view: dict[str, list[str]] = {}
        for width in dict.fromkeys(size["width"] for _, size in views):
            wanted = [(theme, size) for theme, size in views if size["width"] == width]
            for name, faults in self._visit(page.as_uri() + query, wanted, axe).items():
                faults_by_view[name] = faults_by_view.get(name, []) + faults
        return {name: faults for name, faults in faults_by_view.items() if faults}

    def _visit(
        self, address: str, views: Sequence[tuple[str, dict[str, int]]], axe: bool
    ) -> dict[str, list[str]]:
        view = self._view(views[0][1])
        view.goto("about:blank")
        self._faults.clear()
        view.emulate_media(color_scheme=views[0][0])
        view.goto(address, wait_until="load")
        self._faults += settle(view)
        faults_by_view = {}
        for theme, size in views:
            view.emulate_media(color_scheme=theme)
            view.evaluate(TURNED, theme)
            faults_by_view[view_name(theme, size)] = [
                *self._faults,
                *state_faults(view.evaluate(STATE), theme),
            ]
            self._faults.clear()
        for place, (theme, size) in enumerate(reversed(views) if axe else ()):
            view.emulate_media(color_scheme=theme)
            view.evaluate(TURNED, theme)
            faults_by_view[view_name(theme, size)] += axe_faults(view, again=place > 0)
        faults_by_view[view_name(*views[-1])] += self._faults
        return faults_by_view


def browser_faults(
    browser: Any, page: Path, theme: str, size: dict[str, int], axe: bool = False
) -> list[str]:
    """Open a page in a fresh window, in one theme at one size, and return what is wrong
    with it.
    """
    looker = Looker(browser)
    try:
        return looker.look(page, [(theme, size)], axe=axe).get(
            view_name(theme, size), []
        )
    finally:
        looker.close()
