"""To find a page: the search, the box of the first page, the sidebar, the previews of
links.
"""

import re
from contextlib import contextmanager

import pytest

from tests.site.axe import axe_faults
from tests.site.looking import settle
from tests.site_checks import PHONE, WIDE

pytestmark = pytest.mark.site

#: What a reader types, and the page that must be among the first three; for the name of
#: a claim or a figure the first.
QUERIES = {
    "theorem 6": "claims/MBDE-T6-low",
    "theorem 7": "claims/MBDE-T7-up",
    "v1 Theorem 6": "claims/MBDE-T6-low",
    "AISTATS Theorem 5": "claims/MBDE-T6-low",
    "v3 thm 5": "claims/MBDE-T6-high",
    "(43)": "claims/MBDE-E40-43",
    "eq. 12 of version 1": "claims/MBDE-E12",
    "lemma 9": "claims/MBDE-L9",
    "MBDE-L9": "claims/MBDE-L9",
    "lec-round": "claims/LEC-round",
    "fig-event-wedge": "claims/fig-event-wedge",
    "bootstrapping paper theorem 6": "claims/BS-T6",
    "Husain Theorem 8": "claims/MBDE-T8",
    "version 1, Theorem 8": "claims/MBDE-T8",
    "bs T7": "claims/BS-T7",
    "gaussian mechanism": "notebooks/primer-gaussian",
    "laplace mechanism": "notebooks/primer-laplace",
    "exponential mechanism": "notebooks/relaxed-exponential",
    "bootstrap mechanism": "notebooks/typical-sets",
    "typical set": "notebooks/typical-sets",
    "DPB": "notebooks/contenders",
    "sampling MCMC": "notebooks/exact-sampling",
    "epsilon": "notebooks/primer-privacy",
    "differential privacy": "notebooks/primer-privacy",
    "local differential privacy": "notebooks/private-sampling",
    "mode collapse": "notebooks/mode-capture",
    "split a budget": "notebooks/split-budget",
    "composition": "notebooks/primer-composition",
    "zCDP": "notebooks/primer-accounting",
    "randomized response": "notebooks/primer-accounting",
    "Renyi": "notebooks/primer-accounting",
    "weak learning assumption": "notebooks/weak-learning",
    "KL drop": "notebooks/kl-drop",
    "MBDE algorithm": "notebooks/mbde-algorithm",
    "naive sampler": "notebooks/naive-sampler",
    "private GAN": "notebooks/private-gan",
    "discrete gaussian": "notebooks/primer-integers",
    "group privacy": "notebooks/primer-composition",
    "floating point": "notebooks/primer-hazards",
    "rejection sampling": "notebooks/exact-sampling",
    "language models": "notebooks/private-decoding",
    "public data": "notebooks/real-users",
    "convergence rate of the bootstrap": "notebooks/bootstrap-rates",
    "mollifier": "notebooks/private-sampling",
    "how many records can be released": "notebooks/exact-accounting",
    "symbols": "book/notation",
    "counterexamples": "book/errata",
    "install": "book/rerun",
}
FOUND = """
query => Search._performSearch(...Search._parseQuery(query))
  .reverse().slice(0, 3).map(found => found[0])
"""
READY = (
    "() => typeof Search !== 'undefined' && Search.hasIndex() && document.readyState "
    "=== 'complete'"
)


@contextmanager
def opened(browser, address, size=WIDE, **options):
    context = browser.new_context(viewport=size, reduced_motion="reduce", **options)
    asked = []
    context.on("request", lambda request: asked.append(request.url))
    try:
        view = context.new_page()
        view.goto(address)
        yield view
        assert [one for one in asked if not one.startswith(("file:", "data:"))] == []
    finally:
        context.close()


def test_what_a_reader_types_finds_its_page_among_the_first_three(site, browser):
    assert len(QUERIES) >= 30
    with opened(browser, (site / "search.html").as_uri()) as view:
        view.wait_for_function(READY)
        first_pages = {query: view.evaluate(FOUND, query) for query in QUERIES}
    named = {
        query: page.lower() == f"claims/{query.lower()}"
        for query, page in QUERIES.items()
    }
    missed = [
        query
        for query, page in QUERIES.items()
        if page not in first_pages[query][: 1 if named[query] else 3]
    ]
    assert {query: first_pages[query] for query in missed} == {}


def data_of(file):
    """Return a function of the page that gives the data of a table, once it is read."""
    return f"() => document.querySelector('script[src*=\"{file}\"]')?.mfData"


def ask(view, text):
    view.locator("#mf-go input").click()
    view.wait_for_function(data_of("numbers-table.js"))
    view.keyboard.type(text)
    view.keyboard.press("Enter")


@pytest.mark.parametrize(
    ("text", "claim", "size"),
    [
        ("v1 (43)", "MBDE-E40-43", WIDE),
        ("AISTATS thm 7", "MBDE-T8", PHONE),
    ],
)
def test_box_goes_to_the_statement(site, browser, text, claim, size):
    with opened(browser, (site / "book/index.html").as_uri(), size) as view:
        ask(view, text)
        view.wait_for_url(f"**/claims/{claim}.html")
        assert view.locator(".bd-article h1").inner_text().startswith(claim)


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("v3 thm 5", ["MBDE-T6-low", "MBDE-T6-high"]),
        ("(43)", ["MBDE-E40-43", "BS-T5-43"]),
        ("lemma 3", ["MBDE-D3", "MBDE-D1"]),  # there is none: Definition 3
        ("chapter 6", []),
    ],
)
def test_box_lists_what_fits(site, browser, text, claims):
    with opened(browser, (site / "book/index.html").as_uri()) as view:
        ask(view, text)
        shown = view.locator("#mf-go li a")
        names = [name.partition(":")[0] for name in shown.all_inner_texts()]
        assert names[: len(claims)] == claims
        assert bool(names) == bool(claims)
        status = view.locator("#mf-go [role=status]").inner_text()
        says = {"lemma 3": "There is no lemma 3."}.get(
            text, str(len(names)) if names else "No statement"
        )
        assert status.startswith(says)
        assert view.url.endswith("book/index.html")
        if names:
            assert view.evaluate(
                "() => document.activeElement.closest('#mf-go li') !== null"
            )
            assert axe_faults(view) == []
            view.keyboard.press("Enter")
            view.wait_for_url(f"**/claims/{names[0]}.html")


def test_without_a_script_there_is_no_box(site, browser):
    with opened(
        browser, (site / "book/index.html").as_uri(), java_script_enabled=False
    ) as view:
        assert not view.locator("#mf-go").is_visible()
        assert view.locator(".mf-doors a[href='numbering.html']").is_visible()


@pytest.mark.parametrize(
    ("page", "part", "script"),
    [
        ("notebooks/kl-drop", 4, False),
        ("notebooks/mode-capture", 4, True),
        ("book/index", 0, True),
        ("claims/MBDE-L9", 0, False),
    ],
)
def test_sidebar_has_the_part_of_the_page_open(site, browser, page, part, script):
    with opened(
        browser, (site / f"{page}.html").as_uri(), java_script_enabled=script
    ) as view:
        parts = view.locator("#pst-primary-sidebar .mf-book-part")
        assert parts.count() == 11
        shown = [
            parts.nth(place).locator("a").first.is_visible() for place in range(11)
        ]
        assert shown == [place == part for place in range(11)]
        assert (
            view.locator("#pst-primary-sidebar").evaluate("e => e.scrollHeight") < 1300
        )
        if page.startswith("notebooks"):
            assert parts.nth(part).locator("a.current").is_visible()
        summary = parts.nth(6).locator("summary")
        summary.focus()
        summary.press("Enter")
        assert parts.nth(6).locator("a").first.is_visible()


def preview(view):
    return view.locator("#mf-preview")


@contextmanager
def with_links(site, browser, name="notebooks/kl-drop", size=WIDE, **options):
    with opened(browser, (site / f"{name}.html").as_uri(), size, **options) as view:
        settle(view)
        yield view, view.locator(".bd-article p a[href*='claims/MBDE-']").first


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_link_to_a_claim_shows_a_preview_that_can_be_closed_and_goes_with_the_pointer(
    site, browser, theme
):
    with with_links(site, browser, color_scheme=theme) as (view, link):
        name = re.search(r"claims/([\w.-]+)\.html", link.get_attribute("href"))[1]
        link.hover()
        preview(view).wait_for()
        view.mouse.move(5, 5)
        preview(view).wait_for(state="hidden")
        view.keyboard.press("Shift")  # the focus of a reader who uses keys
        for way in ("pointer", "focus"):
            link.hover() if way == "pointer" else link.focus()
            preview(view).wait_for()
            assert name in preview(view).inner_text()
            view.wait_for_function(
                "() => document.querySelector('#mf-preview mjx-container')"
            )
            assert link.get_attribute("aria-describedby") == "mf-preview"
            box = preview(view).bounding_box()
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= WIDE["width"]
            if way == "pointer":
                preview(view).hover()
            else:
                assert (
                    axe_faults(view) == []
                )  # it empties formulas, so that a link moves away from the pointer
            view.wait_for_timeout(600)
            assert preview(view).is_visible(), "it stays, also with the pointer on it"
            view.keyboard.press("Escape")
            assert not preview(view).is_visible()
            assert link.get_attribute("aria-describedby") is None
            view.mouse.move(5, 5)


def test_a_finger_opens_no_preview(site, browser):
    with with_links(site, browser, size=PHONE, has_touch=True, is_mobile=True) as (
        view,
        link,
    ):
        link.scroll_into_view_if_needed()
        view.evaluate(
            "() => document.addEventListener('click', event => event.preventDefault())"
        )
        link.tap()
        view.wait_for_timeout(800)
        assert preview(view).count() == 0 or not preview(view).is_visible()


def test_a_word_of_the_glossary_is_a_link_where_it_is_first_said(site, browser):
    with with_links(site, browser, "notebooks/mbde-ring") as (view, _):
        words = view.locator(".bd-article a[href*='glossary.html#term-']")
        addresses = words.evaluate_all("all => all.map(e => e.hash)")
        assert len(addresses) >= 3
        assert len(addresses) == len(set(addresses))
        words.first.hover()
        preview(view).wait_for()
        assert (
            preview(view).locator("strong").first.inner_text().lower()[:6]
            == words.first.inner_text().lower()[:6]
        )
        assert preview(view).locator("a").count() == 0


def test_every_link_of_a_preview_has_a_text(site, browser):
    """All that could be shown is there: each claim's page, and each word of the
    glossary.
    """
    with with_links(site, browser, "book/tour") as (view, link):
        link.hover()
        preview(view).wait_for()
        known = set(view.evaluate(data_of("preview-texts.js")))
    pages = {
        path.stem
        for path in (site / "claims").glob("*.html")
        if not path.stem.startswith("fig-")
    }
    assert len(pages - known) <= 3, "claims that were entered twice"
    terms = set(
        re.findall(
            r'<dt id="(term-[^"]+)"',
            (site / "book/glossary.html").read_text(encoding="utf-8"),
        )
    )
    assert len(terms) > 40
    assert terms <= known
