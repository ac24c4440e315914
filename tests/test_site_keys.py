"""The pages by keyboard and by touch: everything is reached, the focus shows, menus open and close, figures move."""

import re

import pytest

from tests.site.keys import FOCUS, reachable, tab_through
from tests.site.looking import settle
from tests.site_checks import PHONE, WIDE

pytestmark = pytest.mark.site

#: Pages with all that a page can have: cards, tables, fold-outs, code to copy, wide formulas, wide pictures, a slider.
PAGES = ("book/index", "notebooks/information-limit", "notebooks/primer-privacy", "claims/MBDE-L9", "book/ledger")
LINK = "document.querySelector('.mf-claim a.reference')"


def opened(browser, page, size=WIDE, theme="light", **options):
    view = browser.new_page(viewport=size, color_scheme=theme, reduced_motion="reduce", **options)
    view.goto(page.as_uri())
    settle(view)
    return view


def focus_faults(view):
    """Return what is passed over, and where the focus does not show; also who traps it."""
    wanted = reachable(view)
    stops = tab_through(view, len(wanted) + 60)
    met = {stop.stop for stop in stops}
    passed = [
        view.locator(f'[data-stop="{name}"]').first.evaluate("e => e.outerHTML.slice(0, 120)")
        for name in wanted
        if name not in met
    ]
    return {
        "passed over": passed,
        "no ring": [stop.name for stop in stops if not stop.ring],
        "out of sight": [stop.name for stop in stops if not stop.inside],
    }, stops


@pytest.mark.parametrize(("theme", "size"), [("light", WIDE), ("dark", PHONE)], ids=["wide", "phone"])
@pytest.mark.parametrize("name", PAGES)
def test_tab_key_reaches_everything_and_the_focus_shows(site, browser, name, theme, size):
    view = opened(browser, site / f"{name}.html", size, theme)
    try:
        faults, stops = focus_faults(view)
        assert faults == {"passed over": [], "no ring": [], "out of sight": []}
        assert "Skip to main content" in stops[0].name
        names = "\n".join(stop.name for stop in stops)
        for word in (
            "theme-switch-button",
            "search-button",
            "primary-toggle" if size == PHONE else "current",
            "right-next",
        ):
            assert word in names or (word in ("current", "right-next") and name.startswith(("book/index", "claims/")))
    finally:
        view.close()


@pytest.mark.parametrize(
    ("planted", "word"),
    [
        (
            f"{LINK}.style.cssText = 'outline: none !important; box-shadow: none'",
            "no ring",
        ),
        (
            f"{LINK}.style.cssText = 'position: fixed; left: -900px; top: 9px'",
            "out of sight",
        ),
        (
            f"{LINK}.addEventListener('keydown', e => e.preventDefault())",
            "passed over",
        ),
    ],
    ids=["no ring", "out of sight", "trap"],
)
def test_planted_fault_of_the_focus_is_found(site, browser, planted, word):
    view = opened(browser, site / "claims/MBDE-L9.html")
    try:
        view.add_style_tag(content=".planted:focus { outline: none !important; }")
        view.evaluate(f"() => {{ {planted}; }}")
        faults, _ = focus_faults(view)
        assert faults[word] != []
    finally:
        view.close()


def test_skip_link_leads_past_the_navigation(site, browser):
    view = opened(browser, site / "book/what-survives.html")
    try:
        view.keyboard.press("Tab")
        assert view.locator("#pst-skip-link").evaluate("e => e.getBoundingClientRect().top") >= 0
        view.keyboard.press("Enter")
        view.keyboard.press("Tab")
        assert view.evaluate("() => Boolean(document.activeElement.closest('#main-content'))")
    finally:
        view.close()


@pytest.mark.parametrize("key", ["Enter", "Space"])
def test_fold_outs_open_and_close_by_key(site, browser, key):
    view = opened(browser, site / "notebooks/private-sampling.html")
    try:
        folds = view.locator(".bd-article details > summary")
        assert folds.count() >= 2
        for place in range(min(folds.count(), 4)):
            fold = folds.nth(place)
            before = fold.evaluate("e => e.parentElement.open")
            fold.focus()
            view.keyboard.press(key)
            assert fold.evaluate("e => e.parentElement.open") is not before
            view.keyboard.press(key)
            assert fold.evaluate("e => e.parentElement.open") is before
    finally:
        view.close()


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_theme_button_turns_the_page_and_its_figures_without_loading_again(site, browser, size):
    view = opened(browser, site / "notebooks/convex-mollifiers.html", size)
    try:
        view.evaluate("() => { window.sameDocument = true; }")
        shown = """() => [...document.querySelectorAll('.mf-figure img')]
          .filter(e => e.getClientRects().length).map(e => e.className)"""
        button = view.locator(".theme-switch-button:visible").first
        seen = {}
        for _ in range(3):
            button.focus()
            view.keyboard.press("Enter")
            theme = view.evaluate("() => document.documentElement.dataset.theme")
            seen[theme] = view.evaluate(shown)
            ground = view.evaluate("() => getComputedStyle(document.body).backgroundColor")
            assert (sum(map(int, re.findall(r"\d+", ground)[:3])) < 200) == (theme == "dark")
        assert set(seen) == {"light", "dark"}
        assert all(set(names) == {f"only-{theme}"} for theme, names in seen.items())
        assert view.evaluate("() => window.sameDocument")
    finally:
        view.close()


@pytest.mark.parametrize("way", ["touch", "keys"])
def test_menu_of_a_phone_opens_and_closes(site, browser, way):
    view = opened(browser, site / "book/what-survives.html", PHONE, has_touch=True)
    try:
        menu, button = view.locator("#pst-primary-sidebar-modal"), view.locator(".primary-toggle")
        assert not menu.is_visible()
        if way == "touch":
            button.tap()
        else:
            button.focus()
            view.keyboard.press("Enter")
        menu.wait_for(state="visible")
        assert menu.locator("a.reference").count() > 40
        assert menu.get_attribute("aria-label")
        assert view.evaluate("() => document.documentElement.scrollWidth - innerWidth") <= 0
        if way == "touch":
            view.touchscreen.tap(380, 500)
        else:
            view.keyboard.press("Tab")
            assert view.evaluate("() => Boolean(document.activeElement.closest('dialog'))")
            view.keyboard.press("Escape")
        menu.wait_for(state="hidden")
        if way == "keys":
            view.wait_for_timeout(100)
            assert view.evaluate(FOCUS)["name"].startswith("button.sidebar-toggle")
    finally:
        view.close()


@pytest.mark.parametrize(("size", "least"), [(WIDE, 1), (PHONE, 4)], ids=["wide", "phone"])
def test_only_boxes_that_scroll_are_stops(site, browser, size, least):
    view = opened(browser, site / "book/errata.html", size)
    try:
        marked = "() => [...document.querySelectorAll('[data-mf-scrolls]')].map(e => e.scrollWidth - e.clientWidth)"
        assert all(more > 1 for more in view.evaluate(marked))
        assert len(view.evaluate(marked)) >= least
        view.set_viewport_size({"width": 3000, "height": 900})
        view.wait_for_function(f"() => ({marked})().every(more => more > 1)", timeout=10_000)
        few = len(view.evaluate(marked))
        view.set_viewport_size({"width": 360, "height": 800})
        view.wait_for_function(f"few => ({marked})().length > few", arg=few, timeout=10_000)
    finally:
        view.close()
