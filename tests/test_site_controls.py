"""Faults that are planted in a copy of a sound page: what looks at the pages must find
each of them.
"""

import os
import re
from pathlib import Path

import pytest

from tests.site.axe import axe_faults, axe_version
from tests.site.looking import VIEWS, Looker, browser_faults, settle
from tests.site_checks import PHONE, WIDE, static_faults

pytestmark = pytest.mark.site

#: What is planted (at the end of the article, all at once), and what who looks at the
#: page says of it.
READER = {
    (
        '<img src="https://example.org/a.png" alt="a">'
    ): "loaded from another host: https://example.org/a.png",
    (
        '<script src="https://example.org/a.js"></script>'
    ): "loaded from another host: https://example.org/a.js",
    '<img src="no-such.png" alt="a">': "broken link: no-such.png",
    '<img src="../_static/minus.png">': "image without alt text: ../_static/minus.png",
    '<p id="planted"></p><p id="planted"></p>': "address used twice: planted",
    '<a href="no-such.html">a</a>': "broken link: no-such.html",
    '<a href="empty.txt">a</a>': "link to an empty file: empty.txt",
    '<a href="#no-such">a</a>': "broken anchor: #no-such",
    '<a href="ledger.html#no-such">a</a>': "broken anchor: ledger.html#no-such",
}
BROWSER = {
    (
        r'<p><span class="math">\(\nosuchmacro{x}\)</span></p>'
    ): r"Undefined control sequence \nosuchmacro",
    (
        r'<p><span class="math">\(\frac{1}\)</span></p>'
    ): r"error in mathematics: Missing argument for \frac",
    (
        r'<p><span class="math">\(\frac{1}{2\)</span></p>'
    ): r"mathematics left as source: \(\frac{1}{2",
    '<p><span class="math">x^2</span></p>': "mathematics left as source: x^2",
    r'<p><span class="math" style="overflow: hidden">\('
    + "x+" * 60
    + r"y\)</span></p>": "formula is cut",
    '<mjx-container tabindex="0"></mjx-container>': "1 formulas are tab stops",
    (
        '<mjx-container><svg width="9" height="9"></svg></mjx-container>'
    ): "1 formulas have no words",
    '<img src="https://example.org/a.png" alt="a">': (
        "request to another host: https://example.org/a.png"
    ),
    '<script src="https://example.org/a.js"></script>': (
        "request to another host: https://example.org/a.js"
    ),
    (
        "<script>fetch('https://example.org/a')</script>"
    ): "request to another host: https://example.org/a\n",
    "<script>noSuchFunction()</script>": "script error",
    "<script>console.error('planted')</script>": "console: planted",
    '<img src="no-such.png" alt="a">': "broken image: file:",
    '<div style="width: 900px">wide</div>': "wider than the window",
    (
        '<figure class="mf-figure"><img class="only-dark" src="../_static/plus.png" '
        'alt="a">'
        '<img class="only-light" src="../_static/plus.png" alt="a" style="display: '
        'inline !important">'
        "</figure>"
    ): "figure shows 'only-dark only-light'",
}
#: One of each level of rules, and one that needs the colours of the page; the rest is
#: axe's own.
AXE = {
    '<p style="color: #999; background: #fff">weak</p>': "color-contrast",
    '<input type="text">': "label",
    "<h6>deep</h6>": "heading-order",
    "<main>again</main>": "landmark-no-duplicate-main",
    '<table><tr><th scope="nonsense">a</th><td>b</td></tr></table>': "scope-attr-valid",
}


@pytest.fixture(scope="session")
def sound(site, tmp_path_factory):
    """Return a folder with the parts that pages load, and the text of a sound page that
    has mathematics.
    """
    copy = tmp_path_factory.mktemp("site")
    for path in site.iterdir():
        if path.name != "book":
            os.symlink(path, copy / path.name)
    (copy / "book").mkdir()
    (copy / "book/empty.txt").touch()
    for path in (site / "book").iterdir():
        os.symlink(path, copy / "book" / path.name)
    formula = r'<p><span class="math notranslate">\(x^2\)</span></p>'
    text = (site / "book/how-it-is-built.html").read_text(encoding="utf-8")
    other = (site / "book/notation.html").read_text(encoding="utf-8")
    scripts = "".join(
        re.findall(
            r"<script[^>]*>window\.MathJax[^<]*</script>|<script[^>]*mathjax[^>]*></script>",
            other,
        )
    )
    assert scripts.count("<script") == 2
    text = re.sub(
        (
            r"<script[^>]*>window\.MathJax[^<]*</script>|<script[^>]*mathjax[^>]*></script>"
        ),
        "",
        text,
    )
    return copy / "book", text.replace("</head>", scripts + "</head>").replace(
        "</article>", formula + "</article>"
    )


def planted(sound, name: str, fault: str) -> Path:
    folder, text = sound
    assert text.count("</article>") == 1
    page = folder / f"{re.sub(r'[^a-z]', '-', name)}.html"
    page.write_text(text.replace("</article>", fault + "</article>"), encoding="utf-8")
    return page


def test_sound_copy_has_no_faults(sound, browser):
    page = planted(sound, "sound", "")
    assert static_faults(page, {}) == []
    assert Looker(browser).look(page) == {}


def test_planted_faults_are_found(sound, browser):
    """All at once: each fault has words of its own, and the sound copy has none of
    them.
    """
    messages = "\n".join(static_faults(planted(sound, "reader", "".join(READER)), {}))
    assert [message for message in READER.values() if message not in messages] == []
    page = planted(sound, "browser", "".join(BROWSER))
    messages = "\n".join([*browser_faults(browser, page, "dark", PHONE), ""])
    assert [message for message in BROWSER.values() if message not in messages] == []
    page = planted(sound, "axe", "".join(AXE))
    messages = "\n".join(browser_faults(browser, page, "light", WIDE, axe=True))
    assert [rule for rule in AXE.values() if f": {rule} on " not in messages] == []
    page = planted(sound, "dark", '<p style="color: #444; background: #111">weak</p>')
    messages = Looker(browser).look(page)
    assert [
        ": color-contrast on 1 " in str(faults) for faults in messages.values()
    ] == [True] * len(VIEWS)


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


def test_theme_that_does_not_follow_is_found(sound, browser):
    stuck = "<script>document.documentElement.dataset.mode = 'light'</script>"
    folder, text = sound
    page = folder / "stuck.html"
    page.write_text(
        text.replace(
            '<script data-cfasync="false">', stuck + '<script data-cfasync="false">'
        ).replace('localStorage.getItem("mode") || "auto"', '"light"'),
        encoding="utf-8",
    )
    faults = Looker(browser).look(page, VIEWS, axe=False)
    assert all(
        "theme is 'light'" in str(faults[name])
        for name in ("dark, 1280 px", "dark, 390 px")
    )
