"""What is mended in the pages of the theme: each mend does its work, and is missed
where it does not.
"""

import re

import pytest

from companion.paths import CompanionError
from companion.site.theme import ICONS, MENDS, SEARCH, mend_page
from tests.site.axe import axe_faults
from tests.site.looking import settle

pytestmark = pytest.mark.site


def test_pages_of_the_theme_are_mended_and_only_that_of_the_search_can_search(site):
    page, search = (
        (site / f"{name}.html").read_text(encoding="utf-8")
        for name in ("book/tour", "search")
    )
    assert [said for said in MENDS if said in page] == []
    assert len(re.findall(r"<dialog [^>]*aria-label=", page)) == page.count("<dialog ")
    assert len(SEARCH.findall(search)) == 3
    assert not SEARCH.search(page)
    assert not ICONS.search(page + search)


def test_a_theme_that_has_changed_stops_the_build():
    with pytest.raises(CompanionError, match="the theme of the pages has changed"):
        mend_page('<div id="pst-primary-sidebar">')


def test_formulas_take_the_same_room_whatever_fonts_the_machine_has(site, window):
    """What a screen reader reads of a formula is laid out in a font of the machine,
    here a very wide one.
    """
    scrollers = """() => [...document.querySelectorAll(".bd-article .math")].filter(e =>
        e.tabIndex === 0 || e.scrollWidth > e.clientWidth &&
          getComputedStyle(e).overflowX === "auto").length"""
    wide = "math { font-size: 300% !important; }"
    counts = []
    for style in (
        wide,
        (
            f"{wide} .bd-article mjx-assistive-mml {{ width: auto !important; height: "
            f"auto; }}"
        ),
    ):
        view = window()
        view.goto((site / "claims/MBDE-D1.html").as_uri())
        settle(view)
        view.add_style_tag(content=style)
        faults = [
            fault
            for fault in axe_faults(view, whole=True)
            if "scrollable-region-focusable" in fault
        ]
        counts.append((view.evaluate(scrollers) > 0, len(faults)))
    assert counts == [(False, 0), (True, 1)], (
        "the second is the control: the page without the rule"
    )
