"""The first page: light, one screen, its numbers those of the ledger, its doors open;
and pages that are not so.
"""

import json
import re

import pytest

from companion.ledger.claims import BEYOND, NAMED
from companion.ledger.verdicts import GRADES
from companion.site.nodes import grade_words
from tests.site_checks import PHONE, WIDE

pytestmark = pytest.mark.site

FIRST = "book/index.html"
#: The most bytes that a browser reads for the first page, all styles, scripts and
#: pictures included.
MOST = 1_000_000
VIEWS = [("light", WIDE), ("dark", PHONE)]


def loaded(window, address, theme="light", size=WIDE):
    """Return the bytes of all that a browser loads for a page, by address, as they are
    uncompressed.
    """
    asked = []
    sizes = {}
    view = window(viewport=size, color_scheme=theme)
    view.on("request", lambda request: asked.append(request))
    view.goto(address, wait_until="load")
    view.wait_for_load_state("networkidle")
    for request in asked:
        if request.url.startswith("http:"):
            sizes[request.url] = len(request.response().body())
    return sizes


@pytest.mark.parametrize(("theme", "size"), VIEWS)
def test_first_page_is_light_from_a_server(served, window, theme, size):
    sizes = loaded(window, f"{served}/{FIRST}", theme, size)
    assert len(sizes) > 10
    assert 100_000 < sum(sizes.values()) < MOST, sorted(
        sizes.items(), key=lambda item: item[1]
    )[-5:]
    assert not [
        name
        for name in sizes
        if re.search(r"mathjax|searchindex|fontawesome\.js", name)
    ]


def test_pages_load_the_toggles_that_they_have_and_the_tabs(site):
    needs = {"togglebutton.js": 0, "design-tabs.js": 0}
    pages = list(site.rglob("*.html"))
    for page in pages:
        text = page.read_text(encoding="utf-8")
        classes = [set(names.split()) for names in re.findall(r'class="([^"]*)"', text)]
        has = {
            "togglebutton.js": any(
                "toggle" in names or {"admonition", "dropdown"} <= names
                for names in classes
            ),
            "design-tabs.js": any("sd-tab-set" in names for names in classes),
        }
        for script, needed in has.items():
            assert (f"/{script}" in text) == needed, (page.name, script)
            needs[script] += needed
    assert 0 < needs["togglebutton.js"] < len(pages)


BELOW = """
() => [...document.querySelectorAll("h1, .mf-tally, .mf-row img, .mf-doors .sd-card")]
  .filter(e => e.getClientRects().length &&
    e.getBoundingClientRect().bottom > window.innerHeight)
  .map(e => e.className || e.tagName)
"""
COUNT = (
    '() => document.querySelectorAll(".mf-tally li, .mf-teaser, .mf-doors '
    '.sd-card").length'
)


DOORS = {
    "New to privacy": {"notebooks/primer-privacy", "book/tour", "book/glossary"},
    "Here for a theorem": {"book/what-survives", "book/numbering", "book/errata"},
    "Here to rerun": {"book/rerun", "book/how-it-is-built"},
}


def test_what_counts_is_on_one_screen_with_three_doors_and_icons(site, window):
    view = window(viewport=WIDE)
    view.goto((site / FIRST).as_uri())
    assert view.evaluate(COUNT) == 5 + 3 + 3
    assert view.evaluate(BELOW) == []
    for door, pages in DOORS.items():
        card = view.locator(".mf-doors .sd-card", has_text=door)
        links = card.locator("a").evaluate_all("all => all.map(e => e.pathname)")
        assert {
            name
            for name in pages
            if not any(link.endswith(f"{name}.html") for link in links)
        } == set()
        behind = [
            (site / f"{name}.html").read_text(encoding="utf-8") for name in pages
        ]  # its links: test_site
        assert all("right-next" in text for text in behind), "a way on"
        files = any(
            re.search(r'href="[^"]*downloads/(?!references)', text) for text in behind
        )
        assert files or door == "Here for a theorem", "a file to take along"
    view.evaluate("() => document.fonts.ready")
    used = (
        '() => [...document.fonts].filter(f => f.status === "loaded").map(f => '
        "f.family)"
    )
    assert any("Font Awesome" in family for family in view.evaluate(used))
    view.set_viewport_size({"width": 1280, "height": 500})
    assert len(view.evaluate(BELOW)) >= 3


def groups(claims):
    """Count the claims as the first page does, from the ledger that programs read."""
    claims = [claim for claim in claims if not claim["id"].startswith(BEYOND)]
    verdicts = [claim["verdict"] for claim in claims]
    return {
        "holds": verdicts.count("holds"),
        "holds-with-condition": verdicts.count("holds-with-condition"),
        "false": verdicts.count("false"),
        "corrected": sum(
            claim["verdict"] == "false" and claim["corrected"] for claim in claims
        ),
        "rerun": sum(
            verdict in ("reproduced", "variant-only", "not-reproduced")
            for verdict in verdicts
        ),
    }


def test_numbers_are_those_of_the_ledger_and_lead_to_those_claims(site, window):
    (ledger,) = (site / "_downloads").rglob("claims.json")
    wanted = groups(json.loads(ledger.read_text(encoding="utf-8"))["claims"])
    assert min(wanted.values()) > 0
    view = window()
    view.route(
        re.compile("mathjax"), lambda route: route.abort()
    )  # thousands of formulas, none of which is looked at
    view.goto((site / FIRST).as_uri())
    links = {
        name: view.locator(f".mf-tally a:has(.mf-tally-{name})").first
        for name in wanted
    }
    shown = {
        name: link.locator(".mf-tally-number").inner_text()
        for name, link in links.items()
    }
    assert shown == {name: str(count) for name, count in wanted.items()}
    addresses = {name: link.evaluate("e => e.href") for name, link in links.items()}
    for name, count in wanted.items():
        assert addresses[name].endswith(f"ledger.html?verdict={name}")
        view.goto(addresses[name])
        view.wait_for_selector("#mf-filters button")
        assert view.locator(".mf-group .mf-claim:not([hidden])").count() == count


def graded(claims):
    """Count the named results by verdict, and those that hold by grade, from the ledger
    that programs read.
    """
    claims = [claim for claim in claims if not claim["id"].startswith(BEYOND)]
    named = [claim["verdict"] for claim in claims if claim["kind"] in NAMED]
    holds = [claim["grade"] for claim in claims if claim["verdict"] == "holds"]
    verdicts = ("holds", "holds-with-condition", "false")
    return {
        **{
            f"verdict={verdict}&kind=named": named.count(verdict)
            for verdict in verdicts
        },
        **{
            f"verdict=holds&grade={grade}": holds.count(grade)
            for grade in GRADES
            if grade in holds
        },
    }, (len(named), len(holds))


def test_kinds_and_grades_are_those_of_the_ledger_and_lead_to_those_claims(
    site, window
):
    (ledger,) = (site / "_downloads").rglob("claims.json")
    wanted, (named, holds) = graded(
        json.loads(ledger.read_text(encoding="utf-8"))["claims"]
    )
    assert min(wanted.values()) > 0
    assert len(wanted) >= 5
    view = window()
    view.route(re.compile("mathjax"), lambda route: route.abort())
    view.goto((site / FIRST).as_uri())
    line = view.locator(".mf-tally-more")
    assert f"Of {named} named results" in line.inner_text()
    assert f"Of the {holds} statements that hold" in line.inner_text()
    links = line.locator("a").evaluate_all("all => all.map(e => [e.href, e.innerText])")
    assert {
        href.partition("?")[2]: int(words.split()[0]) for href, words in links
    } == wanted
    for href, words in links:
        view.goto(href)
        view.wait_for_selector("#mf-filters button")
        assert view.locator(".mf-group .mf-claim:not([hidden])").count() == int(
            words.split()[0]
        ), href


def test_each_row_of_the_ledger_has_the_word_of_its_grade(site, window):
    (ledger,) = (site / "_downloads").rglob("claims.json")
    claims = json.loads(ledger.read_text(encoding="utf-8"))["claims"]
    view = window()
    view.route(re.compile("mathjax"), lambda route: route.abort())
    view.goto((site / "book/ledger.html").as_uri())
    view.wait_for_selector("#mf-filters button")
    rows = view.locator(".mf-group tr.mf-claim").evaluate_all(
        "all => all.map(e => [e.id, e.lastElementChild.innerText])"
    )
    said = dict(rows)
    assert len(said) == len(claims)
    assert [
        one["id"]
        for one in claims
        if grade_words(one) not in said[f"claim-{one['id'].lower()}"]
    ] == []


@pytest.mark.parametrize(("theme", "size"), VIEWS)
def test_the_grade_is_a_filter_by_key_and_by_address(served, window, theme, size):
    view = window(viewport=size, color_scheme=theme)
    view.route(re.compile("mathjax"), lambda route: route.abort())
    view.goto(f"{served}/book/ledger.html?verdict=holds")
    view.wait_for_selector("#mf-filters select")
    holding = view.locator(".mf-group .mf-claim:not([hidden])").count()
    grade = view.locator("#mf-filters select[name=grade]")
    view.locator("#mf-filters button").last.focus()
    view.keyboard.press("Tab")
    assert grade.evaluate("e => e === document.activeElement")
    assert grade.evaluate("e => getComputedStyle(e).outlineStyle") == "solid"
    view.keyboard.type("proved")
    view.wait_for_url("**/ledger.html?verdict=holds&grade=proved")
    shown = view.locator(".mf-group .mf-claim:not([hidden])")
    assert 0 < shown.count() < holding
    assert {"■" in text for text in shown.all_inner_texts()} == {True}
    box = grade.bounding_box()
    assert box["x"] + box["width"] <= size["width"]
    count = shown.count()
    view.goto(view.url)
    view.wait_for_selector("#mf-filters select")
    assert view.locator(".mf-group .mf-claim:not([hidden])").count() == count
    assert grade.input_value() == "proved"


def test_a_view_of_the_ledger_can_be_sent(served, window):
    view = window()
    view.route(re.compile("mathjax"), lambda route: route.abort())
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
