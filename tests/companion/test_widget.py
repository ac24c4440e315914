"""Interactive figures with sliders, and numbers that are those of Python."""

import json
import re
import shutil
from contextlib import closing
from itertools import product

import pytest

from companion.site.scripts import FOLDER, joined
from tests.companion.test_sphinx_ext import BIBLIOGRAPHY, CITATION, sphinx, write
from tests.companion.widget_numbers import EXPECTED
from tests.repository import ROOT
from tests.site.axe import axe_faults

SCRIPTS = ROOT / FOLDER
STATIC = ROOT / "book/_static"
CONF = f"""
extensions = ["myst_parser", "companion.site.extension"]
html_theme = "basic"
language = "en"
html_static_path = [{str(STATIC)!r}]
html_css_files = ["companion.css"]
exclude_patterns = ["_out*"]
"""
BLOCK = re.compile(r"^```\{widget\} (\S+) \S+\n.*?^```$", re.MULTILINE | re.DOTALL)
#: The blocks of the book, as they stand in its pages.
BLOCKS = {
    found[1]: found[0]
    for path in sorted((ROOT / "notebooks").glob("*.md"))
    for found in BLOCK.finditer(path.read_text(encoding="utf-8"))
}
#: The two colours of the book's theme that the figures use; the plain theme has one
#: face only.
FACES = {"light": ("#323232", "#ffffff"), "dark": ("#ced6dd", "#121212")}
#: Figures with bounds: the first button loads a state, in which these bounds are
#: refuted and the others hold.
REFUTED = {
    "drop-of-a-round": ["the bound as printed (Theorem 6)"],
    "records-allowed": ["Theorem 2* in closed form without its condition on k"],
    "gaussian-rule": ["the δ that the rule promises"],
    "gain-and-barrier": ["the lower bound as printed (Theorem 7)"],
    "captured-mass": [
        "Theorem 8 without its condition on the mass",
        "step (90) of the printed proof",
    ],
}


def test_every_interactive_figure_of_the_book_has_numbers_of_python_beside_it():
    assert set(BLOCKS) == set(EXPECTED) == {"split-budget", *REFUTED}


def numbers_of(name, states):
    """Return a program that computes the numbers of a figure at each state."""
    module = joined(SCRIPTS / f"figures/{name}.js")
    return f"{json.dumps(states)}.map({module}.figure.numbers)"


def states(name):
    """Return where Python and the browser are asked, as the script takes them."""
    axes, _ = EXPECTED[name]
    return [dict(zip(axes, values, strict=True)) for values in product(*axes.values())]


def compare(name, found):
    _, numbers = EXPECTED[name]
    asked = states(name)
    assert len(found) == len(asked) > 10
    for given, shown in zip(asked, found, strict=True):
        for key, value in numbers(**given).items():
            if value is None:
                assert shown[key] is None, (given, key)
            else:
                assert shown[key] == pytest.approx(
                    value, rel=1e-9, abs=0 if name == "gaussian-rule" else 1e-9
                ), (
                    given,
                    key,
                )


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    root = tmp_path_factory.mktemp("widget")
    for name, text in (
        ("conf.py", CONF),
        ("CITATION.cff", CITATION),
        ("book/references.bib", BIBLIOGRAPHY),
    ):
        write(root / name, text)
    shutil.copytree(SCRIPTS, root / FOLDER)
    names = "\n".join(BLOCKS)
    (root / "index.md").write_text(
        f"# Figures\n\n```{{toctree}}\n{names}\n```\n", encoding="utf-8"
    )
    for name, block in BLOCKS.items():
        (root / f"{name}.md").write_text(f"# A page\n\n{block}\n", encoding="utf-8")
    status, log = sphinx(root, "html", "-W")
    assert status == 0, log
    return root / "_out/html"


@pytest.mark.slow
def test_only_its_page_loads_a_script_and_the_block_waits_hidden(site):
    for name, block in BLOCKS.items():
        text = (site / f"{name}.html").read_text(encoding="utf-8")
        scripts = re.findall(r'<script [^>]*src="_static/([\w-]+)\.js', text)
        assert [one for one in scripts if one in BLOCKS] == [name]
        still = "" if ":keep:" in block else "fig-split-budget-split-curve"
        assert f'data-still="{still}" hidden>' in text
    index = (site / "index.html").read_text(encoding="utf-8")
    assert not [name for name in BLOCKS if f"{name}.js" in index]


class Reader:
    """One figure on a page that is open.

    What goes wrong, and what is asked of a network, is kept as faults.
    """

    def __init__(self, view, site, name, theme):
        self.view = view
        self.theme = theme
        self.faults = []
        self.address = (site / f"{name}.html").as_uri()
        self.box = view.locator(f"#widget-{name}")
        view.on("pageerror", lambda error: self.faults.append(str(error)))
        view.on(
            "request",
            lambda item: (
                None if item.url.startswith("file:") else self.faults.append(item.url)
            ),
        )

    def open(self, after=""):
        self.view.goto("about:blank")
        self.view.goto(self.address + after)
        self.view.evaluate(f"document.documentElement.dataset.theme = '{self.theme}'")
        ink, ground = FACES[self.theme]
        theme = f"--pst-color-text-base: {ink}; --pst-color-background: {ground}"
        face = f"{theme}; color: {ink}; background: {ground}"
        self.view.add_style_tag(content=f"body, div.body, div.document {{ {face} }}")

    def rows(self):
        return [
            row.locator("td").all_inner_texts()
            for row in self.box.locator("tbody tr").all()
        ]

    def too_wide(self):
        return self.box.evaluate("box => box.scrollWidth - innerWidth")


@pytest.mark.slow
@pytest.mark.site
@pytest.mark.parametrize(("theme", "width"), [("light", 1280), ("dark", 390)])
def test_the_keyboard_moves_the_split_and_the_numbers_follow(
    site, browser, theme, width
):
    with closing(
        browser.new_page(viewport={"width": width, "height": 800}, color_scheme=theme)
    ) as view:
        reader = Reader(view, site, "split-budget", theme)
        reader.open()
        moved = view.locator("#widget-split-budget-u")
        moved.focus()
        seen = []
        for key in ("Home", "ArrowRight", "End"):
            moved.press(key)
            seen.append((moved.get_attribute("aria-valuetext"), reader.rows()[0][0]))
        assert reader.too_wide() <= 0
        program = numbers_of("split-budget", states("split-budget"))
        compare("split-budget", view.evaluate(program))
        assert reader.faults == []
    name = "share of ε that goes up"
    assert seen == [
        (f"{name} 0", "0.3679"),
        (f"{name} 0.01", "0.3716"),
        (f"{name} 1", "1.0000"),
    ]


@pytest.mark.slow
@pytest.mark.site
@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", REFUTED)
def test_a_counterexample_turns_its_bound_and_the_address_keeps_it(
    site, browser, name, theme, width
):
    with closing(
        browser.new_page(
            viewport={"width": width, "height": 800}, color_scheme=theme, has_touch=True
        )
    ) as view:
        reader = Reader(view, site, name, theme)
        reader.open()
        box = reader.box
        plain = view.url
        button = box.locator("button").first
        assert button.inner_text().startswith("Load the counterexample")
        button.press("Enter")
        named = [
            row.locator("th").inner_text()
            for row in box.locator("tbody tr").all()
            if "✗ refuted" in row.inner_text()
        ]
        assert named == REFUTED[name]
        words = box.locator("[role=status]").inner_text()
        red = box.locator(".mf-widget-sign.mf-widget-no")
        assert all(line in words for line in named)
        assert words.startswith("✗ Refuted here")
        assert red.text_content() == "✗"
        bad = view.evaluate(
            "getComputedStyle(document.documentElement).getPropertyValue('--mf-bad')"
        ).strip()
        assert red.evaluate(
            "sign => getComputedStyle(sign).fill"
        ) == "rgb({}, {}, {})".format(*bytes.fromhex(bad[1:]))
        seen = reader.rows()
        address = view.url
        compare(name, view.evaluate(numbers_of(name, states(name))))
        view.evaluate(
            "document.querySelectorAll('.sphinxsidebar, .related, .footer')"
            ".forEach(part => part.remove())"
        )
        assert axe_faults(view) == [], "on what is not the plain theme's"

        reader.open(address.removeprefix(reader.address))
        assert reader.rows() == seen, "the address brings the state back"
        reader.open("?p=nonsense&eps=1e99&k=-4&delta=<b>")
        assert "NaN" not in box.inner_text()
        start = reader.rows()
        drawing = box.locator("svg.mf-widget-plot")
        drawing.scroll_into_view_if_needed()
        frame = drawing.bounding_box()
        view.touchscreen.tap(
            frame["x"] + 0.35 * frame["width"], frame["y"] + 0.4 * frame["height"]
        )
        assert reader.rows() != start, "a finger on the drawing moves the axis"
        assert reader.too_wide() <= 0
        box.locator("button").last.click()
        assert view.url == f"{plain}#widget-{name}"
        view.emulate_media(media="print")
        assert not box.is_visible()
        assert reader.faults == []
