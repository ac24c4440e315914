"""The first page: light, one screen, its numbers those of the ledger, its doors open; and pages that are not so."""

import functools
import http.server
import json
import re
import threading
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from companion.ledger.claims import BEYOND
from tests.site_checks import PHONE, WIDE

pytestmark = pytest.mark.site

ROOT = Path(__file__).resolve().parent.parent
FIRST = "book/index.html"
#: The most bytes that a browser reads for the first page, all styles, scripts and pictures included.
MOST = 1_000_000
VIEWS = [(theme, size) for theme in ("light", "dark") for size in (WIDE, PHONE)]


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def served(site):
    """Serve the pages on this machine; return the address."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Quiet, directory=str(site))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


def loaded(browser, address, theme="light", size=WIDE):
    """Return the bytes of all that a browser loads for a page, by address, as they are uncompressed."""
    asked, found = [], {}
    context = browser.new_context(viewport=size, color_scheme=theme)
    try:
        view = context.new_page()
        view.on("request", lambda request: asked.append(request))
        view.goto(address, wait_until="load")
        view.wait_for_load_state("networkidle")
        for request in asked:
            parts = urlsplit(request.url)
            if parts.scheme == "file":
                found[request.url] = Path(unquote(parts.path)).stat().st_size
            elif parts.scheme == "http":
                found[request.url] = len(request.response().body())
    finally:
        context.close()
    return found


def heaviest(found):
    return sorted(((size, name.rpartition("/")[2]) for name, size in found.items()), reverse=True)[:5]


@pytest.mark.parametrize(("theme", "size"), VIEWS)
def test_first_page_is_light_from_a_server(served, browser, theme, size):
    found = loaded(browser, f"{served}/{FIRST}", theme, size)
    assert len(found) > 10
    assert 100_000 < sum(found.values()) < MOST, heaviest(found)
    assert not [name for name in found if re.search(r"mathjax|searchindex|fontawesome\.js", name)]


def test_first_page_is_light_from_the_disk(site, browser):
    found = loaded(browser, (site / FIRST).as_uri())
    assert len(found) > 10
    assert 100_000 < sum(found.values()) < MOST, heaviest(found)


def test_a_page_with_mathematics_is_seen_to_be_heavy(served, browser):
    found = loaded(browser, f"{served}/book/what-survives.html")
    assert sum(found.values()) > MOST
    assert [name for name in found if "mathjax" in name]


def test_a_weight_that_is_added_is_seen(served, site, browser):
    page = site / "book" / "planted-weight.html"
    text = (site / FIRST).read_text(encoding="utf-8")
    page.write_text(text.replace("</article>", f"<!-- {'x' * MOST} --></article>"), encoding="utf-8")
    try:
        light = sum(loaded(browser, f"{served}/{FIRST}").values())
        heavy = sum(loaded(browser, f"{served}/book/planted-weight.html").values())
    finally:
        page.unlink()
    assert light < MOST < heavy
    assert MOST <= heavy - light < MOST + 100


BELOW = """
() => [...document.querySelectorAll("h1, .mf-tally, .mf-row img, .mf-doors .sd-card")]
  .filter(e => e.getClientRects().length && e.getBoundingClientRect().bottom > window.innerHeight)
  .map(e => e.className || e.tagName)
"""
COUNT = '() => document.querySelectorAll(".mf-tally li, .mf-teaser, .mf-doors .sd-card").length'


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_what_counts_is_on_one_screen(site, browser, theme):
    context = browser.new_context(viewport=WIDE, color_scheme=theme)
    try:
        view = context.new_page()
        view.goto((site / FIRST).as_uri())
        assert view.evaluate(COUNT) == 5 + 3 + 3
        assert view.evaluate(BELOW) == []
        view.set_viewport_size({"width": 1280, "height": 500})
        assert len(view.evaluate(BELOW)) >= 3
    finally:
        context.close()


def groups(claims):
    """Count the claims as the first page does, from the ledger that programs read."""
    claims = [claim for claim in claims if not claim["id"].startswith(BEYOND)]
    verdicts = [claim["verdict"] for claim in claims]
    return {
        "holds": verdicts.count("holds"),
        "holds-with-condition": verdicts.count("holds-with-condition"),
        "false": verdicts.count("false"),
        "corrected": sum(claim["verdict"] == "false" and claim["corrected"] for claim in claims),
        "rerun": sum(verdict in ("reproduced", "variant-only", "not-reproduced") for verdict in verdicts),
    }


def test_numbers_are_those_of_the_ledger_and_lead_to_those_claims(site, browser):
    (ledger,) = (site / "_downloads").rglob("claims.json")
    wanted = groups(json.loads(ledger.read_text(encoding="utf-8"))["claims"])
    assert min(wanted.values()) > 0
    view = browser.new_page()
    view.route(re.compile("mathjax"), lambda route: route.abort())  # thousands of formulas, none of which is looked at
    try:
        for name, count in wanted.items():
            view.goto((site / FIRST).as_uri())
            link = view.locator(f".mf-tally a:has(.mf-tally-{name})").first
            assert link.locator(".mf-tally-number").inner_text() == str(count)
            address = link.evaluate("e => e.href")
            assert address.endswith(f"ledger.html?verdict={name}")
            view.goto(address)
            view.wait_for_selector("#mf-filters button")
            assert view.locator(".mf-group .mf-claim:not([hidden])").count() == count
    finally:
        view.close()


def test_a_view_of_the_ledger_can_be_sent(served, browser):
    view = browser.new_page()
    view.route(re.compile("mathjax"), lambda route: route.abort())
    try:
        view.goto(f"{served}/book/ledger.html?verdict=false")
        view.click("#mf-filters button[data-verdict=holds]")
        view.fill("#mf-filters input", "gaussian")
        view.wait_for_url("**/ledger.html?verdict=holds&words=gaussian")
        view.wait_for_timeout(1000)  # the words of the statements
        shown = view.locator("#mf-filters [role=status]").inner_text()
        view.goto(view.url)
        view.wait_for_timeout(1000)
        assert view.locator("#mf-filters [role=status]").inner_text() == shown
        assert not shown.startswith("0 ")
        view.fill("#mf-filters input", "")
        view.click("#mf-filters button[data-verdict=all]")
        view.wait_for_url("**/ledger.html")
    finally:
        view.close()


@pytest.mark.parametrize(("theme", "size"), VIEWS)
def test_pictures_follow_the_theme_lead_on_and_say_what_they_show(site, browser, theme, size):
    context = browser.new_context(viewport=size, color_scheme=theme)
    try:
        view = context.new_page()
        view.goto((site / FIRST).as_uri())
        shown = view.locator(".mf-teaser img:visible")
        assert shown.count() == 3
        for place in range(3):
            image = shown.nth(place)
            assert f"only-{theme}" in image.get_attribute("class")
            assert len(image.get_attribute("alt").split()) > 12
            assert image.evaluate("e => e.naturalWidth") > 0
            box, column = image.bounding_box(), view.locator(".mf-teaser").nth(place).bounding_box()
            assert column["width"] - 1 <= box["width"] <= column["width"] + 1
            assert image.evaluate("e => e.closest('a').pathname").endswith(".html")
    finally:
        context.close()


DOORS = {
    "New to privacy": {"notebooks/primer-privacy", "book/tour", "book/glossary"},
    "Here for a theorem": {"book/what-survives", "book/numbering", "book/errata"},
    "Here to rerun": {"book/rerun", "book/how-it-is-built"},
}


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_each_door_opens(site, browser, size):
    view = browser.new_page(viewport=size)
    try:
        for door, pages in DOORS.items():
            view.goto((site / FIRST).as_uri())
            card = view.locator(".mf-doors .sd-card", has_text=door)
            links = card.locator("a").evaluate_all("all => all.map(e => e.pathname)")
            assert {name for name in pages if not any(link.endswith(f"{name}.html") for link in links)} == set()
            card.locator("a", has_text=door).click()
            view.wait_for_selector(".bd-article h1")
            assert view.locator(".bd-article h1").inner_text() != "Private sampling, rebuilt"
    finally:
        view.close()


@pytest.mark.parametrize("name", [FIRST, "book/tour.html", "notebooks/mbde-ring.html"])
def test_icons_are_drawn_by_a_font(site, browser, name):
    view = browser.new_page()
    try:
        view.goto((site / name).as_uri())
        view.evaluate("() => document.fonts.ready")
        used = '() => [...document.fonts].filter(f => f.status === "loaded").map(f => f.family)'
        assert any("Font Awesome" in family for family in view.evaluate(used))
        width = """
        () => [...document.querySelectorAll("i[class*='fa-'], i.fas, span[class*='fa-']")]
          .filter(e => e.getClientRects().length && getComputedStyle(e).visibility === "visible")
          .map(e => [e.className, e.getBoundingClientRect().width, getComputedStyle(e, "::before").content])
        """
        icons = view.evaluate(width)
        assert len(icons) >= 3
        assert [icon for icon in icons if icon[1] < 6 or icon[2] in ("none", "normal")] == []
    finally:
        view.close()
