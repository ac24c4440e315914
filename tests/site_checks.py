"""Look at built pages as a reader's browser does, and say what is wrong; used by test_site and its controls."""

import html.parser
import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

import yaml

#: A reader may follow a link to another host; a page may not load anything from one.
LOADING = {
    "img": "src",
    "script": "src",
    "iframe": "src",
    "source": "src",
    "video": "src",
    "audio": "src",
    "embed": "src",
}
WIDE, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 844}
LOCAL = ("file:", "data:", "blob:", "about:")

STATE = """
() => {
  const width = document.documentElement.clientWidth;
  const scrolls = e => {
    for (let p = e.parentElement; p; p = p.parentElement) {
      if (["auto", "scroll"].includes(getComputedStyle(p).overflowX)) return true;
    }
    return false;
  };
  const out = [...document.querySelectorAll(".bd-article *")].filter(e => {
    const box = e.getBoundingClientRect();
    return box.width > 0 && box.right > width + 1 && !scrolls(e) && !e.closest("mjx-assistive-mml");
  });
  const seen = e => e.getClientRects().length > 0;
  const name = e => e.tagName.toLowerCase() + (e.id ? "#" + e.id : "") + (e.className ? "." + e.className : "");
  return {
    theme: document.documentElement.dataset.theme || "",
    errors: [...document.querySelectorAll("mjx-merror, [data-mml-node=merror], [data-mjx-error]")]
      .map(e => e.getAttribute("data-mjx-error") || e.textContent),
    formulas: document.querySelectorAll(".math").length,
    untouched: [...document.querySelectorAll(".math")].filter(e => !e.querySelector("mjx-container svg"))
      .map(e => e.textContent.slice(0, 80)),
    cut: [...document.querySelectorAll(".bd-article span.math")].filter(e => {
      const box = e.querySelector("mjx-container");
      const wide = box && box.getBoundingClientRect().width > e.getBoundingClientRect().width + 1;
      return wide && !["auto", "scroll"].includes(getComputedStyle(e).overflowX);
    }).map(e => e.textContent.slice(0, 80)),
    stops: document.querySelectorAll("mjx-container[tabindex='0']").length,
    overflow: document.documentElement.scrollWidth - width,
    outside: out.slice(0, 3).map(name),
    broken: [...document.images].filter(e => seen(e) && !(e.complete && e.naturalWidth > 0)).map(e => e.src),
    pictures: [...document.querySelectorAll("figure.mf-figure")].filter(seen)
      .map(e => [...e.querySelectorAll("img")].filter(seen).map(i => i.className).join(" ")),
  };
}
"""


class _Reader(html.parser.HTMLParser):
    """Collect addresses, links, images and what a page loads."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.ids, self.twice, self.links, self.loaded, self.no_alt = set(), [], [], [], []
        self._own = set()

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.ids.update(given[key] for key in ("id", "name") if given.get(key))
        if given.get("id") in self._own:
            self.twice.append(given["id"])
        self._own.update([given["id"]] if given.get("id") else [])
        if tag == "a" and given.get("href") is not None:
            self.links.append(given["href"])
        if tag == "link" and given.get("href"):
            self.loaded.append(given["href"])
        if tag in LOADING and given.get(LOADING[tag]):
            self.loaded.append(given[LOADING[tag]])
        if tag == "img" and not (given.get("alt") or "").strip():
            self.no_alt.append(given.get("src"))


def read(path: Path) -> _Reader:
    reader = _Reader()
    reader.feed(path.read_text(encoding="utf-8"))
    return reader


def toc_pages(toc: Path) -> list[str]:
    """Return the documents that a table of contents names, in order."""
    document = yaml.safe_load(toc.read_text(encoding="utf-8"))
    return [document["root"], *(item["file"] for part in document["parts"] for item in part["chapters"])]


def page_faults(site: Path, toc: list[str]) -> list[str]:
    """Return the pages of the toc that are missing, and the pages, but for those of claims, that are not in it."""
    made = {path.relative_to(site).with_suffix("").as_posix() for path in site.rglob("*.html")}
    made = {name for name in made if not name.startswith(("_", "claims/"))} - {"index", "search", "genindex"}
    return [f"missing page: {name}" for name in toc if name not in made] + [
        f"page that is not in the toc: {name}" for name in sorted(made - set(toc))
    ]


def _known(page: Path, readers: dict[Path, _Reader]) -> _Reader:
    """Return what was read of a page, reading it once."""
    if page not in readers:
        readers[page] = read(page)
    return readers[page]


def static_faults(page: Path, readers: dict[Path, _Reader]) -> list[str]:
    """Return broken links, anchors and files, what is loaded from other hosts, and images without text."""
    me = _known(page, readers)
    faults = [f"image without alt text: {source}" for source in me.no_alt]
    faults += [f"address used twice: {address}" for address in me.twice]
    for address, loads in [*((link, False) for link in me.links), *((source, True) for source in me.loaded)]:
        parts = urlsplit(address)
        if parts.scheme or parts.netloc:
            if loads and parts.scheme != "data":
                faults.append(f"loaded from another host: {address}")
            elif parts.scheme not in ("http", "https", "mailto", "data"):
                faults.append(f"link of an unknown kind: {address}")
            continue
        target = page if not parts.path else (page.parent / unquote(parts.path)).resolve()
        if not target.is_file():
            faults.append(f"broken link: {address}")
        elif parts.fragment and target.suffix == ".html":
            ids = _known(target, readers).ids if target != page else me.ids
            if unquote(parts.fragment) not in ids:
                faults.append(f"broken anchor: {address}")
    return faults


def browser_faults(browser, page: Path, theme: str, size: dict[str, int]) -> list[str]:
    """Open a page without a network, in one theme at one size, and return what is wrong with it."""
    faults: list[str] = []
    context = browser.new_context(viewport=size, color_scheme=theme, offline=True)
    try:
        context.route(re.compile(r"^(?!file:|data:|blob:|about:)"), lambda route: route.abort())
        view = context.new_page()
        view.on("request", lambda request: _note_request(request.url, faults))
        view.on("requestfailed", lambda request: faults.append(f"failed to load: {request.url}"))
        view.on("pageerror", lambda error: faults.append(f"script error: {error}"))
        view.on("console", lambda line: faults.append(f"console: {line.text}") if line.type == "error" else None)
        view.goto(page.as_uri(), wait_until="load")
        ready = "() => window.MathJax && MathJax.startup && MathJax.startup.promise"
        if view.evaluate("() => document.querySelectorAll('.math').length"):
            try:
                view.wait_for_function("() => window.MathJax?.startup?.promise", timeout=20_000)
                view.evaluate(ready)
            except Exception as error:
                faults.append(f"mathematics was not typeset: {type(error).__name__}")
        faults += _state_faults(view.evaluate(STATE), theme)
    finally:
        context.close()
    return faults


def _note_request(url: str, faults: list[str]) -> None:
    if not url.startswith(LOCAL):
        faults.append(f"request to another host: {url}")


def _state_faults(state, theme: str) -> list[str]:
    faults = [f"error in mathematics: {text}" for text in state["errors"]]
    faults += [f"mathematics left as source: {text}" for text in state["untouched"]]
    faults += [f"formula is cut and cannot be scrolled: {text}" for text in state["cut"]]
    faults += [f"{state['stops']} formulas are tab stops"] if state["stops"] else []
    faults += [f"broken image: {source}" for source in state["broken"]]
    if state["theme"] != theme:
        faults.append(f"theme is {state['theme']!r}, the reader prefers {theme!r}")
    if state["overflow"] > 0 or state["outside"]:
        faults.append(f"wider than the window by {state['overflow']} px: {', '.join(state['outside'])}")
    for shown in state["pictures"]:
        if f"only-{theme}" not in shown or shown.count("only-") != 1:
            faults.append(f"figure shows {shown!r} in {theme}")
    return faults
