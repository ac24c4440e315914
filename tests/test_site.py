"""The pages of the built book, opened from the disk with the network off.

Links, anchors, pictures and formulas are read on every page. A browser sees the pages
without a notebook, notebooks with all that a page can have, and a claim of each verdict
and of each kind; `make walk` shows it every page, most of those of claims in one view
each, in turn.
"""

import ast
import html
import os
import re
from collections import Counter

import jupytext
import pytest
from pybtex.database import parse_string

from companion.check_messages import FOLD
from companion.site.cite_footer import PAPERS
from tests.companion.test_addresses import all_addresses
from tests.repository import ROOT, yaml_of
from tests.site.looking import VIEWS, Looker
from tests.site_checks import PHONE, page_faults, static_faults, toc_pages

pytestmark = pytest.mark.site

TOC = toc_pages(ROOT / "_toc.yml")
PAGES = [*TOC, "search"]
ALL = [*TOC, "search?q=mollifier", "genindex"]
ADDRESSES = sorted(all_addresses())
#: Whether a browser sees every page.
WHOLE = bool(os.environ.get("WALK"))
NOTEBOOKS = (
    "contenders",
    "information-limit",
    "kl-drop",
    "mbde-ring",
    "mode-promise",
    "primer-post-processing",
)
#: Pages of prose alone, which are made like the tour.
PROSE = ("rerun", "use-it", "how-it-is-built", "report-an-error")
#: Pages in all views: by eye (state.py) and as axe sees it (axe.py).
WALKED = [
    name
    for name in ALL
    if WHOLE
    or (
        name.removeprefix("notebooks/") in (name, *NOTEBOOKS)
        and name.removeprefix("book/") not in PROSE
    )
]


@pytest.fixture(scope="session")
def readers():
    return {}


def test_pages_are_those_of_the_toc(site):
    assert page_faults(site, TOC) == []


@pytest.mark.parametrize("name", PAGES)
def test_page_has_no_broken_link_anchor_or_image(site, readers, name):
    assert static_faults(site / f"{name}.html", readers) == []


def checks_of(page):
    """Return how many checks of each kind the code of a page calls."""
    cells = [
        cell.source
        for cell in jupytext.read(ROOT / f"{page}.md").cells
        if cell.cell_type == "code"
    ]
    calls = [
        node
        for cell in cells
        for node in ast.walk(ast.parse(cell))
        if isinstance(node, ast.Call)
    ]
    names = Counter(ast.unparse(call.func) for call in calls)
    checks = sum(
        names[call] for call in ("claim", "claim.twin", "claim.ours", "claim.small")
    )
    return {
        "checks": checks,
        "reruns": names["claim.rerun"],
        "solutions": names["claim.solution"],
    }


@pytest.mark.parametrize(
    "name", [name for name in TOC if name.startswith("notebooks/")]
)
def test_each_check_that_a_page_calls_has_its_line(site, name):
    text = (site / f"{name}.html").read_text(encoding="utf-8")
    shown = {
        "checks": len(re.findall(rf">\s*{FOLD}\s*<", text)),
        "reruns": len(re.findall(r"[a-z]: seen in \d", text)),
        "solutions": text.count("The solution was run: "),
    }
    assert shown == checks_of(name)


@pytest.fixture(scope="session")
def looker(browser):
    looker = Looker(browser)
    yield looker
    looker.close()


@pytest.mark.parametrize("name", WALKED)
def test_page_in_light_and_dark_wide_and_on_a_phone_without_a_network(
    site, looker, name
):
    page, asked, query = name.partition("?")
    assert looker.look(site / f"{page}.html", query=asked + query) == {}


def test_claims_in_light_and_dark_wide_and_on_a_phone_without_a_network(site, looker):
    """The first of each verdict, of each kind, and the first figure in all views."""
    ledger = yaml_of("data/claims.yml")
    kinds = {f"claims/{claim['id']}": claim["kind"] for claim in ledger}
    met = set()
    faults_by_page = {}
    for place, name in enumerate(ADDRESSES):
        page = site / f"{name}.html"
        verdict = re.search(
            r'class="[^"]*\bmf-is-([a-z-]+)', page.read_text(encoding="utf-8")
        )
        new = {
            verdict and verdict[1],
            kinds.get(name, "a figure itself" if "fig-" in name else "merged"),
        } - met
        met |= new
        if new or WHOLE:
            faults_by_page[name] = looker.look(
                page, VIEWS if new else VIEWS[place % len(VIEWS) :][:1]
            )
    assert len(faults_by_page) > 10
    assert {name: faults for name, faults in faults_by_page.items() if faults} == {}


def test_start_page_leads_to_the_root_of_the_book(site, window):
    assert static_faults(site / "index.html", {}) == []
    view = window()
    view.goto((site / "index.html").as_uri())
    view.wait_for_url(f"**/{TOC[0]}.html", timeout=20_000)
    assert view.locator(".bd-article h1").inner_text().startswith("Private sampling")


def test_each_page_has_the_mathematics_of_its_source_and_ends_with_its_citation(site):
    for name in (*TOC, "claims/MBDE-L9", "claims/fig-event-wedge"):
        page = (site / f"{name}.html").read_text(encoding="utf-8")
        assert page.count('<details class="mf-fold mf-cite">') == 1, name
        assert re.search(
            r"(?s)mf-cite.*Version .*BibTeX.*</details>\s*</article>", page
        ), name
        source = ROOT / f"{name}.md"
        if source.is_file():
            text = re.sub(
                r"(?s)```.*?```|`[^`]*`", "", source.read_text(encoding="utf-8")
            )
            assert ('class="math' in page) >= bool(re.search(r"\$[^$]+\$", text)), name


def test_citations_of_all_pages_and_the_file_of_papers_can_stand_in_one_file(site):
    """As entries, no key twice; a page's second code is its entry."""
    entries = [(site / PAPERS).read_text(encoding="utf-8")]
    for name in (*TOC, *ADDRESSES):
        fold = (
            (site / f"{name}.html")
            .read_text(encoding="utf-8")
            .partition('<details class="mf-fold mf-cite">')[2]
        )
        _, code = re.findall(r"(?s)<pre>(.*?)</pre>", fold)
        entries.append(html.unescape(re.sub(r"<[^>]+>", "", code)))
    assert len(parse_string("\n".join(entries), bib_format="bibtex").entries) > len(
        entries
    )


def test_each_claim_and_each_figure_has_its_page_at_its_address(site):
    assert {f"claims/{path.stem}" for path in (site / "claims").glob("*.html")} == set(
        ADDRESSES
    )


def test_pages_of_claims_and_figures_have_no_broken_link_anchor_or_image(site, readers):
    faults_by_page = {
        name: static_faults(site / f"{name}.html", readers) for name in ADDRESSES
    }
    assert {name: faults for name, faults in faults_by_page.items() if faults} == {}


def test_ledger_filters_work_and_a_link_to_a_claim_undoes_them(site, window):
    view = window()
    view.route(
        re.compile("mathjax"), lambda route: route.abort()
    )  # thousands of formulas, none of which is looked at
    view.goto((site / "book/ledger.html").as_uri() + "?verdict=definition")
    view.wait_for_selector("#mf-filters button")
    every = view.locator(".mf-group .mf-claim").count()
    shown = view.locator(".mf-group .mf-claim:not([hidden])").count()
    assert 0 < shown < every
    assert shown == view.locator(".mf-group .mf-claim.mf-is-definition").count()
    hidden = view.locator(".mf-group .mf-claim[hidden]").first.get_attribute("id")
    view.evaluate("id => { window.location.hash = id; }", hidden)
    view.wait_for_selector(f'[id="{hidden}"]:not([hidden])')
    assert view.locator(".mf-group .mf-claim[hidden]").count() == 0
    view.fill("#mf-filters input", "no claim says this")
    assert view.locator(".mf-group .mf-claim:not([hidden])").count() == 0
    assert (
        view.locator("#mf-filters [role=status]").inner_text()
        == f"0 of {every} claims are shown."
    )
    view.fill("#mf-filters input", r"\frac{\varepsilon}{4\log 2}")
    view.wait_for_selector('[id="claim-mbde-l9"]:not([hidden])')
    view.wait_for_function(
        "() => document.querySelectorAll('.mf-group "
        ".mf-claim:not([hidden])').length < 100"
    )


def test_a_link_to_a_claim_lands_on_its_line(site, window):
    view = window(viewport=PHONE)
    view.goto((site / "book/ledger.html").as_uri())
    view.wait_for_selector("#mf-filters button")
    ids = view.evaluate(
        "() => [...document.querySelectorAll('.mf-group .mf-claim')].map(e => e.id)"
    )
    tops = {}
    for name in ids[5 : -30 : len(ids) // 4]:
        view.evaluate("id => { window.location.hash = id; }", name)
        view.wait_for_timeout(400)
        tops[name] = view.evaluate(
            "id => document.getElementById(id).getBoundingClientRect().top", name
        )
    assert {name: top for name, top in tops.items() if not 60 < top < 240} == {}


def test_ledger_shows_everything_without_script(site, window):
    view = window(java_script_enabled=False)
    view.goto((site / "book/ledger.html").as_uri())
    assert view.locator("#mf-filters button").count() == 0
    line = view.locator("noscript p")  # text searches pass over it
    assert line.is_visible()
    assert line.inner_text().startswith("This page without JavaScript: ")
    assert view.locator(".mf-group .mf-claim").first.is_visible()
