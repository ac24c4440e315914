"""The three doors of the first page, walked on the built site: what each page looks like is seen in test_site."""

import pytest

from tests.site.doors import DOORS, doors, walk_door
from tests.site_checks import static_faults

pytestmark = pytest.mark.site

TEXTS = ("New to privacy", "Here for a theorem", "Here to rerun")


def walks(window, first):
    """Return the faults of all doors, from the first page on."""
    readers = {}
    view = window()
    view.goto(first.as_uri())
    found = doors(view)
    names = [next((name for name in DOORS if name in text), text[:40]) for text, _ in found]
    faults = [] if tuple(names) == DOORS else [f"the doors are {names}"]
    for name, (_, link) in zip(names, found, strict=True):
        faults += [f"{name}: {fault}" for fault in walk_door(view, link, lambda page: static_faults(page, readers))]
    return faults


def test_three_doors_lead_on(site, window):
    assert walks(window, site / "book/index.html") == []


def toy(folder, *, cards=TEXTS, last="1", file="x"):
    """Write a site of a first page with doors and three pages in a row, each with a file to download."""
    doors_ = "".join(f'<div class="mf-door"><a href="1.html">{text}</a></div>' for text in cards)
    way = '<a class="download" href="x.ipynb">it</a> <a class="right-next" href="{}.html">next</a>'
    bodies = {"index": doors_, "1": way.format(2), "2": '<a href="none.html">none</a>' + way.format(last)}
    bodies["3"] = way.format(1)
    for name, body in bodies.items():
        (folder / f"{name}.html").write_text(f'<article class="bd-article">{body}</article>', encoding="utf-8")
    (folder / "x.ipynb").write_text(file, encoding="utf-8")
    return folder / "index.html"


def test_planted_faults_on_the_way_are_found(window, tmp_path):
    faults = walks(window, toy(tmp_path, last="3"))
    assert faults == [f"{name}: step 1, 2.html: broken link: none.html" for name in DOORS]
    found = "\n".join(walks(window, toy(tmp_path, cards=TEXTS[1::-1], last="4", file="")))
    for message in ("the doors are ['here for a theorem', 'new to", "no such page", "nothing to download"):
        assert message in found
