"""The three doors of the first page, walked on the built site without a network: wide, on a phone, light and dark."""

import pytest

from tests.site.doors import DOORS, doors, walk_door
from tests.site.looking import VIEWS, Looker, view_name
from tests.site_checks import static_faults

pytestmark = pytest.mark.site


def walks(browser, first, theme, size):
    """Return the faults of all doors, from the first page on, in one view."""
    context = browser.new_context(viewport=size, color_scheme=theme, offline=True)
    looker, readers = Looker(browser), {}
    looked: dict = {}

    def look(page):
        if page not in looked:
            faults = looker.look(page, [(theme, size)]).get(view_name(theme, size), [])
            looked[page] = faults + static_faults(page, readers)
        return looked[page]

    try:
        view = context.new_page()
        view.goto(first.as_uri())
        found = doors(view)
        names = [next((name for name in DOORS if name in text), text[:40]) for text, _ in found]
        faults = [] if tuple(names) == DOORS else [f"the doors are {names}"]
        for name, (_, link) in zip(names, found, strict=True):
            faults += [f"{name}: {fault}" for fault in walk_door(view, link, look)]
        return faults
    finally:
        looker.close()
        context.close()


@pytest.mark.parametrize(("theme", "size"), VIEWS, ids=[view_name(*view) for view in VIEWS])
def test_three_doors_lead_on(site, browser, theme, size):
    assert walks(browser, site / "book/index.html", theme, size) == []


PAGE = """<!doctype html><html lang="en" data-theme="light"><head><title>{title}</title></head>
<script>
document.documentElement.dataset.theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"
</script>
<body style="background: white"><main><article class="bd-article"><h1>{title}</h1>{body}</article></main></body></html>
"""
CARD = '<div class="mf-door"><a href="{link}">{text}</a></div>'
TEXTS = ("New to privacy", "Here for a theorem", "Here to rerun")


def toy(folder, cards=TEXTS, one="", two="", file="x"):
    """Write a site of a first page with doors and three pages in a row, the last of which has a file to download."""
    links = {text: f"{place + 1}.html" for place, text in enumerate(TEXTS)}
    index = "".join(CARD.format(link=links[text], text=text) for text in cards)
    way = (
        '<p><a class="download" href="x.ipynb">the notebook</a>, <a class="right-next" href="{next}.html">next</a></p>'
    )
    pages = {"index": index, "1": one + way.format(next=2), "2": two + way.format(next=3), "3": way.format(next=1)}
    for name, body in pages.items():
        (folder / f"{name}.html").write_text(PAGE.format(title=f"Page {name}", body=body), encoding="utf-8")
    (folder / "x.ipynb").write_text(file, encoding="utf-8")
    return folder / "index.html"


def test_sound_doors_have_no_faults(browser, tmp_path):
    assert walks(browser, toy(tmp_path), *VIEWS[0]) == []


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"cards": TEXTS[:2]}, "the doors are ['new to privacy', 'here for a theorem']"),
        ({"cards": (TEXTS[1], TEXTS[0], TEXTS[2])}, "the doors are ['here for a theorem'"),
        ({"one": "<script>console.error('planted')</script>"}, "new to privacy: step 0, 1.html: console: planted"),
        ({"two": '<a href="none.html">none</a>'}, "2.html: broken link: none.html"),
        ({"two": '<a class="right-next" href="none.html">none</a>'}, "no such page"),
        ({"two": '<p style="color: #bbb">weak</p>'}, "color-contrast"),
        ({"file": ""}, "nothing to download"),
    ],
)
def test_planted_fault_on_the_way_is_found(browser, tmp_path, change, message):
    assert message in "\n".join(walks(browser, toy(tmp_path, **change), *VIEWS[0]))
