"""The pages by keyboard and by touch: everything is reached, the focus shows, menus
open and close, figures move.
"""

import re

import pytest

from tests.site.keys import FOCUS, reachable, tab_through
from tests.site.looking import settle
from tests.site_checks import PHONE, WIDE

pytestmark = pytest.mark.site

#: Pages with all that a page can have: cards, tables, fold-outs, code to copy, wide
#: formulas, wide pictures, a slider.
PAGES = (
    "book/index",
    "notebooks/information-limit",
    "notebooks/primer-privacy",
    "claims/MBDE-L9",
    "book/ledger",
)
#: Of the ledger few lines: hundreds are alike.
FEW = {"book/ledger": "?verdict=variant-only"}
LINK = "document.querySelectorAll('.mf-claim a.reference')"


def opened(window, page, size=WIDE, theme="light", query="", **options):
    view = window(viewport=size, color_scheme=theme, reduced_motion="reduce", **options)
    view.goto(page.as_uri() + query)
    settle(view)
    return view


def focus_faults(view):
    """Return what is passed over, where the focus does not show, and who traps it."""
    wanted = reachable(view)
    stops = tab_through(view, len(wanted) + 60)
    met = {stop.stop for stop in stops}
    missed = [
        view.locator(f'[data-stop="{name}"]').first
        for name in wanted
        if name not in met
    ]
    passed = [link.evaluate("e => e.outerHTML.slice(0, 120)") for link in missed]
    return {
        "passed over": passed,
        "no ring": [stop.name for stop in stops if not stop.ring],
        "out of sight": [stop.name for stop in stops if not stop.inside],
    }, stops


@pytest.mark.parametrize(
    ("name", "theme", "size"),
    [
        *((name, "light", WIDE) for name in PAGES),
        *((name, "dark", PHONE) for name in PAGES[:2]),
    ],
)
def test_tab_key_reaches_everything_and_the_focus_shows(
    site, window, name, theme, size
):
    view = opened(window, site / f"{name}.html", size, theme, FEW.get(name, ""))
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
        assert word in names or (
            word in ("current", "right-next")
            and name.startswith(("book/index", "claims/"))
        )


def test_planted_faults_of_the_focus_are_found(site, window):
    view = opened(window, site / "claims/MBDE-L9.html")
    for place, style in enumerate(
        ("outline: none !important", "position: fixed; left: -900px; top: 9px")
    ):
        view.evaluate(
            f"() => {{ {LINK}[{place}].style.cssText = '{style}; box-shadow: none' }}"
        )
    faults, _ = focus_faults(view)
    assert len(faults["no ring"]) >= 1
    assert len(faults["out of sight"]) == 1
    view.evaluate(
        f"() => {LINK}[0].addEventListener('keydown', e => e.preventDefault())"
    )
    assert focus_faults(view)[0]["passed over"] != []


def test_skip_link_leads_past_the_navigation(site, window):
    view = opened(window, site / "book/what-survives.html")
    view.keyboard.press("Tab")
    assert (
        view.locator("#pst-skip-link").evaluate("e => e.getBoundingClientRect().top")
        >= 0
    )
    view.keyboard.press("Enter")
    view.keyboard.press("Tab")
    assert view.evaluate(
        "() => Boolean(document.activeElement.closest('#main-content'))"
    )


def test_fold_outs_and_a_solution_with_its_code_cells_open_and_close_by_key(
    site, window
):
    page = site / "notebooks/kl-drop.html"
    text = page.read_text(encoding="utf-8")
    solution = text[
        text.index('id="solution-of-ex-kl-drop-1"') : text.index('id="ex-kl-drop-2"')
    ]
    assert "The solution was run: no failure on" in solution
    view = opened(window, page)
    folds = view.locator(".bd-article details > summary")
    assert folds.count() >= 2
    for place, key in enumerate(("Enter", "Space")):
        fold = folds.nth(place)
        before = fold.evaluate("e => e.parentElement.open")
        fold.focus()
        for after in (not before, before):
            view.keyboard.press(key)
            assert fold.evaluate("e => e.parentElement.open") is after
    body = view.locator("#text-of-solution-of-ex-kl-drop-1")
    button = view.locator("#solution-of-ex-kl-drop-1 button").first
    seen = [body.is_visible()]
    for key in ("Enter", "Space"):
        button.press(key)
        seen.append(body.is_visible())
    assert seen == [False, True, False]


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_theme_button_turns_the_page_and_its_figures_scroll_on_a_phone(
    site, window, size
):
    view = opened(window, site / "notebooks/convex-mollifiers.html", size)
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
        assert (sum(map(int, re.findall(r"\d+", ground)[:3])) < 200) == (
            theme == "dark"
        )
    assert set(seen) == {"light", "dark"}
    assert all(set(names) == {f"only-{theme}"} for theme, names in seen.items())
    assert view.evaluate("() => window.sameDocument"), "it is not loaded again"
    picture = view.locator(".mf-picture").first
    width = picture.locator("img:visible").bounding_box()["width"]
    picture.focus()
    view.keyboard.press("ArrowRight")
    view.wait_for_timeout(300)
    if size == PHONE:
        assert width == 560
        assert picture.evaluate("e => e.scrollLeft") > 0
    else:
        assert width <= picture.bounding_box()["width"] + 1


@pytest.mark.parametrize("way", ["touch", "keys"])
def test_menu_of_a_phone_opens_and_closes(site, window, way):
    view = opened(window, site / "book/what-survives.html", PHONE, has_touch=True)
    menu = view.locator("#pst-primary-sidebar-modal")
    button = view.locator(".primary-toggle")
    assert not menu.is_visible()
    if way == "touch":
        button.tap()
    else:
        button.focus()
        view.keyboard.press("Enter")
    menu.wait_for(state="visible")
    assert menu.locator("li > a").count() > 40
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


@pytest.mark.parametrize(
    ("size", "least"), [(WIDE, 1), (PHONE, 4)], ids=["wide", "phone"]
)
def test_only_boxes_that_scroll_are_stops(site, window, size, least):
    view = opened(window, site / "notebooks/relaxed-exponential.html", size)
    marked = (
        "() => [...document.querySelectorAll('[data-mf-scrolls]')].map(e => "
        "e.scrollWidth - e.clientWidth)"
    )
    assert all(more > 1 for more in view.evaluate(marked))
    assert len(view.evaluate(marked)) >= least
    view.set_viewport_size({"width": 3000, "height": 900})
    view.wait_for_function(
        f"() => ({marked})().every(more => more > 1)", timeout=10_000
    )
    few = len(view.evaluate(marked))
    view.set_viewport_size({"width": 360, "height": 800})
    view.wait_for_function(f"few => ({marked})().length > few", arg=few, timeout=10_000)
