"""The search from the disk and from a server, the interactive figure, and the pages on
paper.
"""

import re

import pytest

from tests.site.looking import settle
from tests.site_checks import PHONE, WIDE, contrast

pytestmark = pytest.mark.site

RING = "notebooks/information-limit"


@pytest.mark.parametrize(
    ("words", "page", "size"),
    [("Husain", "book/bibliography.html", PHONE), ("zzqxvj", "", WIDE)],
)
def test_search_finds_pages_from_a_server_and_asks_no_other(
    served, window, words, page, size
):
    asked = []
    view = window(viewport=size)
    view.on("request", lambda request: asked.append(request.url))
    view.goto(f"{served}/book/index.html", wait_until="load")
    view.locator(".search-button:visible, .search-button-field:visible").first.click()
    field = view.locator("#pst-search-dialog input[type=search]")
    field.fill(words)
    field.press("Enter")
    view.wait_for_url("**/search.html?q=*")
    said = (
        "() => /finished|did not "
        "match|found/i.test(document.querySelector('#search-results')?.textContent || "
        "'')"
    )
    view.wait_for_function(said, timeout=30_000)
    view.wait_for_timeout(500)
    addresses = view.locator("#search-results li a").evaluate_all(
        "all => all.map(e => e.href)"
    )
    assert any(page in address for address in addresses) if page else addresses == []
    assert [
        address for address in asked if not address.startswith((served, "data:"))
    ] == []
    assert view.evaluate("() => document.documentElement.scrollWidth - innerWidth") <= 0


def ring(window, site, script=True, **options):
    view = window(
        java_script_enabled=script,
        **{"viewport": WIDE, "color_scheme": "light", **options},
    )
    view.goto((site / f"{RING}.html").as_uri(), wait_until="load")
    if script:
        settle(view)
    return view


def test_interactive_figure_moves_by_each_key(site, window):
    view = ring(window, site, reduced_motion="reduce")
    slider = view.locator("#ring-explorer-budget")
    slider.focus()
    most = int(slider.get_attribute("max"))
    up = ("Home", "ArrowRight", "ArrowUp", "PageUp")
    down = ("End", "ArrowLeft", "ArrowDown", "PageDown")
    expected = dict(
        zip((*up, *down), (0, 1, 2, 3, most, most - 1, most - 2, most - 3), strict=True)
    )
    seen = {}
    spoken = set()
    for key in expected:
        view.keyboard.press(key)
        seen[key] = int(slider.input_value())
        words = slider.get_attribute("aria-valuetext")
        spoken.add(words)
        assert (
            view.locator("#ring-explorer output")
            .inner_text()
            .endswith(words.removeprefix("epsilon "))
        )
    assert seen == expected
    assert len(spoken) == len(set(expected.values()))
    assert view.locator("figure.mf-live .mf-pictures img:visible").count() == 0
    over = view.locator("#ring-explorer .mf-over").all_inner_texts()
    assert over
    assert all(float(text.removesuffix("×")) > 1 for text in over), (
        "only what is above its budget is marked"
    )


def test_interactive_figure_moves_by_touch_and_takes_the_place_of_the_still_picture(
    site, window
):
    view = ring(
        window,
        site,
        viewport=PHONE,
        has_touch=True,
        is_mobile=True,
        color_scheme="dark",
    )
    figure = view.locator("figure.mf-live")
    assert figure.locator("#ring-explorer").is_visible()
    assert figure.locator("figcaption").last.is_visible()
    assert figure.locator(".mf-pictures img:visible").count() == 0
    slider = view.locator("#ring-explorer-budget")
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    assert box["height"] >= 44
    seen = []
    for share in (0.02, 0.5, 0.98):
        view.touchscreen.tap(
            box["x"] + share * box["width"], box["y"] + box["height"] / 2
        )
        seen.append(int(slider.input_value()))
    assert seen == sorted(set(seen))
    assert seen[0] == 0
    assert seen[-1] == int(slider.get_attribute("max"))
    touch = view.context.new_cdp_session(view)
    along = [box["x"] + share * box["width"] for share in (0.98, 0.7, 0.4)]
    points = [{"x": x, "y": box["y"] + box["height"] / 2} for x in along]
    for kind, at in zip(
        ("touchStart", "touchMove", "touchMove", "touchEnd"),
        [*points, None],
        strict=True,
    ):
        touch.send(
            "Input.dispatchTouchEvent",
            {"type": kind, "touchPoints": [at] if at else []},
        )
    assert 0 < int(slider.input_value()) < seen[-1], "a finger drags the knob along"


def test_without_a_script_the_still_picture_stands_there_once(site, window):
    view = ring(window, site, script=False)
    assert not view.locator("#ring-explorer").is_visible()
    shown = view.locator("#fig-information-limit-explorer-pixels img:visible")
    assert shown.count() == 1
    assert "only-light" in shown.get_attribute("class")
    assert len(shown.get_attribute("alt").split()) > 12
    ink = view.locator(".bd-article h1").evaluate("e => getComputedStyle(e).color")
    assert ink != view.locator("body").evaluate(
        "e => getComputedStyle(e).backgroundColor"
    )


@pytest.mark.parametrize(
    ("name", "themes"),
    [
        (RING, ("light", "dark")),
        ("claims/MBDE-L9", ("dark",)),
        ("notebooks/primer-privacy", ("dark",)),
    ],
)
def test_on_paper_a_page_is_light_open_and_without_menus(site, window, name, themes):
    view = window(viewport=WIDE)
    view.goto((site / f"{name}.html").as_uri())
    settle(view)
    for theme in themes:
        view.emulate_media(media="screen", color_scheme=theme)
        printed(view, theme)


def printed(view, theme):
    open_before = view.evaluate(
        "() => document.querySelectorAll('.bd-article details[open]').length"
    )
    view.emulate_media(media="print", color_scheme=theme)
    view.wait_for_timeout(300)
    for hidden in (
        ".bd-sidebar-primary",
        ".bd-header-article",
        ".prev-next-footer",
        ".copybtn",
        ".mf-explorer",
    ):
        assert view.locator(f"{hidden}:visible").count() == 0, hidden
    assert view.locator("img.only-dark:visible").count() == 0
    assert (
        view.locator("img.only-light:visible").count()
        == view.locator(".bd-article img.only-light").count()
    )
    closed = """() => [...document.querySelectorAll('.bd-article details')]
      .filter(e => e.checkVisibility() && !e.open &&
        !e.closest('.cell_input, .hide, .mf-made')).length"""
    assert view.evaluate(closed) == 0
    inks = """() => [...document.querySelectorAll('.bd-article :is(p, a, h2, .mf-badge)')]
      .filter(e => e.checkVisibility()).map(e => getComputedStyle(e).color)"""  # noqa: E501
    for ink in set(view.evaluate(inks)):
        assert (
            sum(
                int(part)
                for part in ink.removeprefix("rgb(").rstrip(")").split(",")[:3]
            )
            < 420
        ), ink
    ground = view.evaluate("() => getComputedStyle(document.body).backgroundColor")
    assert ground in ("rgb(255, 255, 255)", "rgba(0, 0, 0, 0)")
    whole = (
        "() => getComputedStyle(document.querySelector('.mf-claim, "
        ".mf-figure')).breakInside"
    )
    assert view.evaluate(whole) == "avoid"
    assert view.pdf(format="A4").startswith(b"%PDF")
    view.emulate_media(media="screen", color_scheme=theme)
    view.wait_for_timeout(300)
    assert (
        view.evaluate(
            "() => document.querySelectorAll('.bd-article details[open]').length"
        )
        == open_before
    )
    assert view.evaluate("() => document.documentElement.dataset.theme") == theme


def hovered_contrast(view, selector, ground):
    """Return the contrast of a link under the pointer with its ground."""
    link = view.locator(selector).first
    link.hover()
    view.wait_for_timeout(300)
    colours = [link.evaluate("e => getComputedStyle(e).color"), ground]
    return contrast(
        *(
            "#" + "".join(f"{int(part):02x}" for part in re.findall(r"\d+", rgb))
            for rgb in colours
        )
    )


TEXT = ".bd-article > section > p a"
NOTE = ".bd-article div.admonition a:visible"
GROUNDS = {
    "light": {TEXT: "rgb(255, 255, 255)", NOTE: "rgb(220, 231, 252)"},
    "dark": {TEXT: "rgb(18, 18, 18)"},
}


def test_a_link_under_the_pointer_keeps_its_contrast(site, window):
    """axe looks at links at rest only; the ground of a note is taken at its darkest,
    that of its head.
    """
    view = window()
    view.goto((site / "notebooks/kl-balls.html").as_uri())
    for theme in ("dark", "light"):
        view.emulate_media(color_scheme=theme)
        view.mouse.move(0, 0)
        assert all(
            hovered_contrast(view, link, ground) >= 4.5
            for link, ground in GROUNDS[theme].items()
        )
    orange = (
        "html[data-theme='light'] { --pst-color-link-hover: "
        "var(--pst-color-secondary) !important; }"
    )
    view.add_style_tag(content=orange)
    view.mouse.move(0, 0)
    assert all(
        hovered_contrast(view, link, ground) < 4.5
        for link, ground in GROUNDS["light"].items()
    )
