"""Faults that are planted in a copy of a sound page: what looks at the pages must find each of them."""

import os
import re
from pathlib import Path

import pytest

from tests.site.axe import axe_faults, axe_version
from tests.site.looking import VIEWS, Looker, browser_faults, settle
from tests.site.walk import plan
from tests.site_checks import PHONE, WIDE, static_faults

pytestmark = pytest.mark.site

#: What is planted (put at the end of the article), whether a browser or the reader finds it, and what it says.
FAULTS = {
    "undefined macro": (r'<p><span class="math">\(\nosuchmacro{x}\)</span></p>', "browser", "error in mathematics"),
    "unclosed brace": (r'<p><span class="math">\(\frac{1}{2\)</span></p>', "browser", "left as source"),
    "missing argument": (r'<p><span class="math">\(\frac{1}\)</span></p>', "browser", "error in mathematics"),
    "not typeset": (r'<p><span class="math">x^2</span></p>', "browser", "mathematics left as source"),
    "cut formula": (
        r'<p><span class="math" style="overflow: hidden">\(' + "x+" * 60 + r"y\)</span></p>",
        "browser",
        "formula is cut",
    ),
    "tab stop": ('<mjx-container tabindex="0"></mjx-container>', "browser", "1 formulas are tab stops"),
    "remote image": ('<img src="https://example.org/a.png" alt="a">', "both", "another host"),
    "remote script": ('<script src="https://example.org/a.js"></script>', "both", "another host"),
    "remote fetch": ("<script>fetch('https://example.org/a')</script>", "browser", "another host"),
    "script error": ("<script>noSuchFunction()</script>", "browser", "script error"),
    "console error": ("<script>console.error('planted')</script>", "browser", "console: planted"),
    "missing image": ('<img src="no-such.png" alt="a">', "both", "no-such.png"),
    "no alt text": ('<img src="../_static/minus.png">', "reader", "without alt text"),
    "address used twice": ('<p id="planted"></p><p id="planted"></p>', "reader", "address used twice: planted"),
    "broken link": ('<a href="no-such.html">a</a>', "reader", "broken link: no-such.html"),
    "broken anchor": ('<a href="#no-such">a</a>', "reader", "broken anchor: #no-such"),
    "anchor elsewhere": ('<a href="ledger.html#no-such">a</a>', "reader", "broken anchor: ledger.html#no-such"),
    "too wide": ('<div style="width: 900px">wide</div>', "browser", "wider than the window"),
    "wrong theme": (
        "<script>onload = () => { document.documentElement.dataset.theme = 'light' }</script>",
        "browser",
        "theme is",
    ),
    "weak contrast": ('<p style="color: #999; background: #fff">weak</p>', "axe", "color-contrast"),
    "weak contrast in the dark": ('<p style="color: #444; background: #111">weak</p>', "axe", "color-contrast"),
    "no label": ('<input type="text">', "axe", "label"),
    "no name": ('<button type="button"></button>', "axe", "button-name"),
    "link without text": ('<a href="ledger.html"></a>', "axe", "link-name"),
    "skipped heading": ("<h6>deep</h6>", "axe", "heading-order"),
    "second main": ("<main>again</main>", "axe", "landmark-no-duplicate-main"),
    "alt text missing": ('<img src="../_static/minus.png">', "axe", "image-alt"),
    "role unknown": ('<p role="nonsense">a</p>', "axe", "aria-roles"),
    "box that keys cannot scroll": (
        '<div style="width: 90px; overflow: scroll"><p style="width: 900px; height: 900px">'
        + "wide " * 99
        + "</p></div>",
        "axe",
        "scrollable-region-focusable",
    ),
    "table without heads": ('<table><tr><th scope="nonsense">a</th><td>b</td></tr></table>', "axe", "scope-attr-valid"),
    "formula without words": (
        '<mjx-container><svg width="9" height="9"></svg></mjx-container>',
        "browser",
        "1 formulas have no words",
    ),
    "both pictures": (
        '<figure class="mf-figure"><img class="only-light" src="../_static/minus.png" alt="a">'
        '<img class="only-dark" src="../_static/plus.png" alt="a" style="display: inline !important">'
        '<img class="only-light" src="../_static/plus.png" alt="a" style="display: inline !important"></figure>',
        "browser",
        "figure shows",
    ),
}


@pytest.fixture(scope="session")
def sound(site, tmp_path_factory):
    """Return a folder with the parts that pages load, and the text of a sound page that has mathematics."""
    copy = tmp_path_factory.mktemp("site")
    for path in site.iterdir():
        if path.name != "book":
            os.symlink(path, copy / path.name)
    (copy / "book").mkdir()
    for path in (site / "book").iterdir():
        os.symlink(path, copy / "book" / path.name)
    formula = r'<p><span class="math notranslate">\(x^2\)</span></p>'
    text = (site / "book/how-it-is-built.html").read_text(encoding="utf-8")
    other = (site / "book/notation.html").read_text(encoding="utf-8")
    scripts = "".join(
        re.findall(r"<script[^>]*>window\.MathJax[^<]*</script>|<script[^>]*mathjax[^>]*></script>", other)
    )
    assert scripts.count("<script") == 2
    text = re.sub(r"<script[^>]*>window\.MathJax[^<]*</script>|<script[^>]*mathjax[^>]*></script>", "", text)
    return copy / "book", text.replace("</head>", scripts + "</head>").replace("</article>", formula + "</article>")


def planted(sound, name: str, fault: str) -> Path:
    folder, text = sound
    assert text.count("</article>") == 1
    page = folder / f"{re.sub(r'[^a-z]', '-', name)}.html"
    page.write_text(text.replace("</article>", fault + "</article>"), encoding="utf-8")
    return page


def test_sound_copy_has_no_faults(sound, browser):
    page = planted(sound, "sound", "")
    assert static_faults(page, {}) == []
    assert [browser_faults(browser, page, theme, size, axe=True) for theme, size in VIEWS] == [[]] * len(VIEWS)
    assert Looker(browser).look(page) == {}


@pytest.mark.parametrize("name", FAULTS)
def test_planted_fault_is_found(sound, browser, name):
    fault, finder, message = FAULTS[name]
    page = planted(sound, name, fault)
    if finder in ("reader", "both"):
        assert message in "\n".join(static_faults(page, {}))
    if finder in ("browser", "both"):
        assert message in "\n".join(browser_faults(browser, page, "dark", PHONE))
    if finder == "axe":
        theme = "dark" if "dark" in name else "light"
        assert message in "\n".join(browser_faults(browser, page, theme, WIDE, axe=True))


def test_axe_is_recent_and_reads_formulas_too(site, browser):
    assert axe_version() >= (4, 10)
    view = browser.new_page()
    try:
        view.goto((site / "notebooks/private-sampling.html").as_uri())
        settle(view)
        assert view.locator("mjx-container svg").count() > 10
        assert axe_faults(view, whole=True) == []
        assert view.locator("mjx-container svg").count() > 10
        assert axe_faults(view) == []
        assert view.locator("mjx-container svg").count() == 0
    finally:
        view.close()


def test_each_verdict_and_each_kind_of_claim_is_seen_in_all_views_and_each_view_in_turn():
    claims = [(f"claims/{at}", ("holds" if at < 9 else "false", "lemma" if at % 2 else "theorem")) for at in range(12)]
    views = plan(["book/index"], claims)
    whole = {name for name, chosen in views.items() if len(chosen) == len(VIEWS)}
    assert whole == {"book/index", "claims/0", "claims/1", "claims/9"}
    assert [views[f"claims/{at}"] for at in (4, 5, 6, 7)] == [(view,) for view in VIEWS]
    assert set(plan(["book/index"], claims, whole=False)) == whole


def test_theme_that_does_not_follow_is_found(sound, browser):
    stuck = "<script>document.documentElement.dataset.mode = 'light'</script>"
    folder, text = sound
    page = folder / "stuck.html"
    page.write_text(
        text.replace('<script data-cfasync="false">', stuck + '<script data-cfasync="false">').replace(
            'localStorage.getItem("mode") || "auto"', '"light"'
        ),
        encoding="utf-8",
    )
    found = Looker(browser).look(page, VIEWS, axe=False)
    assert all("theme is 'light'" in str(found[name]) for name in ("dark, 1280 px", "dark, 390 px"))
