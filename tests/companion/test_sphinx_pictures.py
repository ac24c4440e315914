"""The directive `picture`, the scoreboard in a line, and what a page loads, on a small book made here."""

import re

import pytest

from companion.ledger.verdicts import VERDICTS
from companion.site.computed import GROUPS, RERUN, Claims
from tests.companion.test_sphinx_ext import CLAIMS, PICTURE, make_book, sphinx, write

pytestmark = pytest.mark.slow


def groups_of(claim):
    empty = Claims({"claims": [], "sources": {}, "scoreboard": {}})
    return [name.removeprefix("mf-is-") for name in empty.groups(claim).split()]


ROOT_PAGE = "# Root\n\n```{scoreboard}\n:compact:\n```\n\n%s\n```{toctree}\nnotebooks/one\nbook/ledger\n```\n"


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    folder = make_book(tmp_path_factory.mktemp("pictures"))
    write(folder / "index.md", ROOT_PAGE % PICTURE + PICTURE.replace("\n\n", "\n:small:\n\n", 1))
    status, log = sphinx(folder, "html", "-W", "--keep-going")
    assert status == 0, log
    return (folder / "_out/html/index.html").read_text(encoding="utf-8"), folder


def test_a_picture_has_both_themes_a_link_and_words_and_no_address(root):
    page, _ = root
    boxes = re.findall(r'<div class="(mf-(?:again|teaser)[^"]*)[^>]*>(.*?)</div>', page, flags=re.S)
    assert [classes.split()[0] for classes, _ in boxes] == ["mf-again", "mf-teaser"]
    for classes, box in boxes:
        assert "mf-wide" in classes
        assert len(re.findall(r'<a [^>]*href="notebooks/one.html"', box)) == 1
        assert [theme in box for theme in ("only-light", "only-dark")] == [True, True]
        assert box.count('alt="A ring of spots."') == 2
        assert 'See <span class="mf-value">0.125</span>.' in box
        assert "id=" not in box


def test_a_picture_is_printed_too(root):
    _, folder = root
    status, log = sphinx(folder, "latex")
    assert status == 0, log
    (text,) = [path.read_text(encoding="utf-8") for path in (folder / "_out/latex").glob("*.tex")]
    assert text.count("{{ring}.pdf}") >= 2


def test_the_line_has_the_counts_of_the_ledger_each_with_its_link(root):
    page, folder = root
    found = re.findall(r'\?verdict=([\w-]+)"><span><span class="mf-tally-number [\w-]+">(\d+)</span> (.*?)<', page)
    assert found == [
        ("holds", "1", "hold as printed"),
        ("holds-with-condition", "1", "hold under a condition"),
        ("false", "1", "false as printed"),
        ("corrected", "1", "of these corrected and tested"),
        ("rerun", "2", "experiments run again"),
    ]
    ledger = (folder / "_out/html/book/ledger.html").read_text(encoding="utf-8")
    assert [len(re.findall(rf"\bmf-is-{name}(?![\w-])", ledger)) for name in GROUPS] == [1, 1, 1, 1, 2]


def test_groups_follow_from_the_verdict():
    assert set(RERUN) < set(VERDICTS)
    assert [groups_of(claim) for claim in CLAIMS[:5]] == [
        ["holds"],
        ["false", "corrected"],
        ["holds-with-condition"],
        ["not-reproduced", "rerun"],
        ["reproduced", "rerun"],
    ]
    assert groups_of({**CLAIMS[1], "corrected": False}) == ["false"]


def test_mathematics_is_loaded_where_there_are_formulas_only(root):
    page, folder = root
    assert not re.search(r"tex-svg\.js|window\.MathJax", page)
    other = (folder / "_out/html/notebooks/one.html").read_text(encoding="utf-8")
    assert "mathjax/tex-svg.js" in other
    assert "window.MathJax" in other
