"""A reader's test of ten pages, at a desk and on a phone, in light and dark: what is
run is shown, and can be read.

Each check is its code, one line with its sign for each statement, and one fold with
formulas; badges say how strongly a statement stands, and the front page and the ledger
count kinds and grades. `checks.py` says what a fault is.
"""

import json
import re

import pytest

from companion.ledger.evidence import FAR
from tests.site.checks import BADGES, CHECKS, check_faults, ungraded
from tests.site.looking import TURNED, VIEWS, settle
from tests.site_checks import PHONE, WIDE
from tests.test_site import checks_of

pytestmark = pytest.mark.site

#: One page or two of each chapter.
READ = (
    "primer-privacy",
    "primer-accounting",
    "mollifier-ranges",
    "kl-drop",
    "mode-capture",
    "exact-sampling",
    "typical-sets",
    "exact-accounting",
    "split-budget",
    "one-box",
)
#: Spoils the first check of a page, in one way for each name.
SPOIL = """
async how => {
  const fold = document.querySelector(".cell_output details.mf-check");
  const line = fold.previousElementSibling;
  const formula = text => MathJax.tex2svgPromise(text, { display: true });
  const display = fold.querySelector(".math");
  const ways = {
    open: () => fold.setAttribute("open", ""),
    hidden: () => { line.style.display = "none"; },
    gone: () => line.remove(),
    words: () => { line.innerText = "255 of 255 hold"; },
    code: () => fold.closest(".cell").querySelector(".cell_input").remove(),
    python: async () =>
      display.replaceChildren(await formula("\\\\texttt{share\\\\_P}")),
    error: async () => display.replaceChildren(await formula("\\\\frac{1}")),
    long: async () => display.replaceChildren(await formula("x".repeat(120))),
  };
  await ways[how]();
}
"""


@pytest.mark.parametrize("size", [WIDE, PHONE])
def test_checks_are_shown_and_read_on_ten_pages(site, window, size):
    """A page is loaded once and turned from light to dark."""
    view = window(
        viewport=size, color_scheme="light", reduced_motion="reduce", offline=True
    )
    faults = {}
    counted = {}
    plain = {}
    for name in READ:
        view.emulate_media(color_scheme="light")
        view.goto((site / f"notebooks/{name}.html").as_uri())
        faults[name] = settle(view)
        for theme in ("light", "dark"):
            view.emulate_media(color_scheme=theme)
            view.evaluate(TURNED, theme)
            checks = view.evaluate(CHECKS)
            counted[name] = len(checks)
            faults[name] += check_faults(checks, desk=size == WIDE)
        plain[name] = ungraded(view.evaluate(BADGES))
    assert {
        name: page_faults for name, page_faults in faults.items() if page_faults
    } == {}
    assert counted == {name: checks_of(f"notebooks/{name}")["checks"] for name in READ}
    assert {
        name: page_faults for name, page_faults in plain.items() if page_faults
    } == {}


def test_a_check_that_cannot_be_read_is_found(site, window):
    view = window(viewport=WIDE, reduced_motion="reduce", offline=True)
    missed = []
    for how in (
        "",
        "open",
        "hidden",
        "gone",
        "words",
        "code",
        "python",
        "error",
        "long",
    ):
        view.goto((site / "notebooks/exact-sampling.html").as_uri())
        settle(view)
        if how:
            view.evaluate(SPOIL, how)
        faulty = bool(check_faults(view.evaluate(CHECKS), desk=True))
        if faulty != bool(how):
            missed.append(how)
    assert missed == []


def test_a_badge_without_a_grade_is_found():
    assert (
        ungraded(
            [
                "✓ holds (exact, on instances)",
                "≡ definition, proved ■",
                "✗ false as printed, corrected",
            ]
        )
        == []
    )
    assert ungraded(["✓ holds"]) == ["✓ holds"]


@pytest.mark.parametrize(("theme", "size"), VIEWS)
def test_kinds_and_grades_are_seen_on_the_front_page_and_filter_the_ledger(
    site, window, theme, size
):
    view = window(viewport=size, color_scheme=theme, offline=True)
    view.route(re.compile("mathjax"), lambda route: route.abort())
    view.goto((site / "book/index.html").as_uri())
    line = view.locator(".mf-tally-more")
    box = line.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= size["width"]
    for words in ("named results", "statements that hold", "proved", "exact"):
        assert words in line.inner_text()
    view.goto((site / "book/ledger.html").as_uri() + "?verdict=holds&grade=proved")
    view.wait_for_selector("#mf-filters select")
    shown = view.locator(".mf-group .mf-claim:not([hidden])")
    assert shown.count() > 0
    assert all("proved" in text for text in shown.all_inner_texts())


def test_each_statement_about_a_size_has_large_instances_or_says_why_not(
    site,
):
    (ledger,) = (site / "_downloads").rglob("claims.json")
    claims = json.loads(ledger.read_text(encoding="utf-8"))["claims"]
    reach = {claim["id"]: claim["reach"] for claim in claims if "reach" in claim}
    assert len(reach) > 200
    assert {
        name: sizes for name, sizes in reach.items() if max(sizes.values()) < FAR
    } == {}
