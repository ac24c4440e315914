"""Every page opens with what it shows and closes with what to take away, and both are
short.
"""

import re

import pytest

from companion.site.render import toc_documents
from tests.repository import ROOT

PAGES = toc_documents(ROOT / "_toc.yml")
OPENING = "**What this page shows.** "
CLOSING = "What to take away"
#: The most words that an opening and a closing have, a formula counted as one.
MOST = {"opening": 100, "closing": 150}

#: Pages to look something up in, or to find the way: nothing to take away but what one
#: came for.
LOOK_UP = {
    "book/index",
    "book/api",
    "book/what-survives",
    "book/open-problems",
    "book/errata",
    "book/map",
    "book/numbering",
    "book/notation",
    "book/glossary",
    "book/ledger",
    "book/how-it-is-built",
    "book/rerun",
    "book/reproducibility",
    "book/report-an-error",
    "book/corrections",
    "book/bibliography",
}
#: The first page says what the book is and for whom.
FIRST = "**What this is.** "


def words(text):
    return len(re.sub(r"\$[^$]*\$|\{\w+\}`[^`]*`", "x", text).split())


def shape_faults(name, text):
    """Return what is wrong with the beginning and the end of the prose of a page."""
    faults = []
    body = re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.DOTALL)
    body = re.sub(r"^(`{3,}|~{3,}).*?^\1\s*$", "", body, flags=re.DOTALL | re.MULTILINE)
    blocks = [block for block in re.split(r"\n\s*\n", body.strip()) if block.strip()]
    if not blocks or not blocks[0].startswith("# ") or "\n" in blocks[0]:
        return ["does not begin with its title"]
    opening = blocks[1] if len(blocks) > 1 else ""
    wanted = FIRST if name == "book/index" else OPENING
    if not opening.startswith(wanted):
        faults.append("does not open with what it shows")
    elif words(opening) > MOST["opening"]:
        faults.append(f"opens with {words(opening)} words")
    sections = re.findall(r"^## (.*)$", body, flags=re.MULTILINE)
    if name in LOOK_UP:
        return faults
    if not sections or sections[-1].strip() != CLOSING:
        return [*faults, "does not close with what to take away"]
    closing = body.rpartition(f"## {CLOSING}")[2]
    points = re.findall(r"^- ", closing, flags=re.MULTILINE)
    if not 2 <= len(points) <= 5:
        faults.append(f"closes with {len(points)} points")
    if words(closing) > MOST["closing"]:
        faults.append(f"closes with {words(closing)} words")
    return faults


@pytest.mark.parametrize("name", PAGES)
def test_page_opens_with_what_it_shows_and_closes_with_what_to_take_away(name):
    assert shape_faults(name, (ROOT / f"{name}.md").read_text(encoding="utf-8")) == []


def test_pages_excused_are_pages_of_the_book():
    assert sorted(LOOK_UP - set(PAGES)) == []


def test_the_tour_comes_first():
    assert PAGES[:2] == ["book/index", "book/tour"]


GOOD = (
    "---\na: b\n---\n# T\n\n**What this page shows.** It shows.\n\n## A\n\ntext\n\n"
    "## What to take away\n\n- One.\n- Two.\n"
)
BAD = {
    "no title": (GOOD.replace("# T\n\n", ""), "does not begin with its title"),
    "a heading first": (
        GOOD.replace("**What", "## B\n\n**What"),
        "does not open with what it shows",
    ),
    "no opening": (
        GOOD.replace("**What this page shows.** It", "It"),
        "does not open with what it shows",
    ),
    "long opening": (GOOD.replace("It shows.", "word " * 120), "opens with 124 words"),
    "no closing": (
        GOOD.partition("## What to")[0],
        "does not close with what to take away",
    ),
    "closing not last": (
        GOOD + "\n## Exercises\n\ntext\n",
        "does not close with what to take away",
    ),
    "one point": (GOOD.replace("- Two.\n", ""), "closes with 1 points"),
    "long closing": (GOOD.replace("Two.", "word " * 160), "closes with 163 words"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_page_of_another_shape_is_found(name):
    text, fault = BAD[name]
    assert shape_faults("notebooks/x", text) == [fault]
