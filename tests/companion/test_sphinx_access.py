"""What is mended in the pages of the theme: each mend does its work, and is missed where it does not."""

from __future__ import annotations

import re
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from companion.site.theme import ICONS, MENDS, SEARCH, mend_page

pytestmark = pytest.mark.slow

STATIC = Path(__file__).parents[2] / "book/_static"
CONF = f"""
extensions = ["myst_parser", "companion.site.extension"]
html_theme = "sphinx_book_theme"
html_static_path = [{str(STATIC)!r}]
html_css_files = ["companion.css"]
html_context = {{"default_mode": "auto"}}
html_theme_options = {{"navbar_persistent": []}}
exclude_patterns = ["_out*"]
"""
TEXT = "# First\n\n## One\n\nA paragraph.\n\n```{toctree}\nother\n```\n"


def build(root, more="", text=TEXT):
    root.mkdir(exist_ok=True)
    (root / "conf.py").write_text(CONF + more, encoding="utf-8")
    (root / "index.md").write_text(text, encoding="utf-8")
    (root / "other.md").write_text("# Other\n", encoding="utf-8")
    command = [sys.executable, "-m", "sphinx", "-b", "html", "-W", "--keep-going", str(root), str(root / "_out")]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    return answer.returncode, answer.stdout + answer.stderr


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    root = tmp_path_factory.mktemp("access") / "book"
    status, log = build(root)
    assert status == 0, log
    return root / "_out"


@pytest.fixture(scope="module")
def page(site):
    return (site / "index.html").read_text(encoding="utf-8")


def test_page_of_the_theme_is_mended_once(page):
    assert mend_page(page) == (page, [said for said in MENDS if said not in page])
    assert '<div id="pst-primary-sidebar" role="complementary" aria-label="Book"' in page
    assert re.search(r"<html[^>]*>", page)[0].count("data-theme") == 0
    assert 'matchMedia("(prefers-color-scheme: dark)")' in page
    assert len(re.findall(r"<dialog [^>]*aria-label=", page)) == page.count("<dialog ")
    assert "access.js" in page


def test_only_the_page_of_the_search_can_search(site, page):
    search = (site / "search.html").read_text(encoding="utf-8")
    assert len(SEARCH.findall(search)) == 3
    assert not SEARCH.search(page)
    assert not ICONS.search(page + search)


def test_entries_of_the_bibliography_are_items_of_their_list():
    text, _ = mend_page('<div role="list"><div class="citation" id="a" role="doc-biblioentry">x</div></div>')
    assert text == '<div role="list"><div class="citation" id="a" role="listitem">x</div></div>'


def test_a_theme_that_has_changed_is_reported(tmp_path):
    change = """
def setup(app):
    from companion.site import theme
    theme.MENDS["what no theme says"] = ""
"""
    status, log = build(tmp_path / "changed", more=change)
    assert status != 0
    assert "the theme has changed and no longer says: what no theme says" in log


@pytest.mark.site
def test_formulas_take_the_same_room_whatever_fonts_the_machine_has(tmp_path, browser):
    """What a screen reader reads of a formula is laid out in a font of the machine, here a very wide one."""
    from tests.site.axe import axe_faults

    root = tmp_path / "book"
    formulas = "".join(f"A sentence with {{math}}`x_{n} + y`, and more.\n\n" for n in range(9))
    build(root, text=TEXT.replace("A paragraph.", formulas))
    scrollers = """() => [...document.querySelectorAll(".bd-article .math")].filter(e =>
        e.tabIndex === 0 || e.scrollWidth > e.clientWidth && getComputedStyle(e).overflowX === "auto").length"""
    wide = "math { font-size: 300% !important; }"
    found = []
    for style in (wide, f"{wide} .bd-article mjx-assistive-mml {{ width: auto !important; height: auto; }}"):
        with closing(browser.new_page()) as view:
            view.goto((root / "_out" / "index.html").as_uri())
            view.evaluate("() => MathJax.startup.promise")
            view.add_style_tag(content=style)
            faults = [fault for fault in axe_faults(view, whole=True) if "scrollable-region-focusable" in fault]
            found.append((view.evaluate(scrollers), len(faults)))
    assert found[0] == (0, 0)
    assert found[1] == (9, 1)  # the control: the page without the rule
