"""Formulas of all pages: no Python in them, one level of lines, and none wider than the
text.
"""

import html.parser
import re
from collections import defaultdict

import pytest

from tests.repository import ROOT
from tests.site_checks import toc_pages

pytestmark = pytest.mark.site

TOC = toc_pages(ROOT / "_toc.yml")
#: What no formula has, once its words and its commands are taken away, and what shows
#: that a name was cut in two.
PYTHON = re.compile(
    r"(?<![\w\\])(?:for|lambda|zip|enumerate|range|len|if|else|not|and|or|None|True|False|sum|xlog)\b"
)
CUT = re.compile(r"\\(?:operatorname|mathrm)\{\w+\}_\{\\(?:operatorname|mathrm)")
LINES = re.compile(r"\\(begin|end)\{(?:aligned|gathered)\}")
TYPESET = """
async formulas => {
  const widths = [], box = document.createElement("div");
  document.querySelector(".bd-article").prepend(box);
  for (const text of formulas) {
    box.replaceChildren(await MathJax.tex2svgPromise(text, { display: true }));
    widths.push(box.querySelector("svg").getBoundingClientRect().width);
  }
  box.remove();
  return widths;
}
"""
#: The room of a display in the text, and in a fold.
ROOM = """
() => {
  const text = document.querySelector(".bd-article section > p").clientWidth;
  for (const fold of document.querySelectorAll(".bd-article details")) fold.open = true;
  const folded = [...document.querySelectorAll(".bd-article .cell_output details div.math")];
  return [text, Math.min(...folded.map(display => display.clientWidth))];
}
"""  # noqa: E501


class Displays(html.parser.HTMLParser):
    """Collect the displayed formulas of a page, each with whether it is in a fold."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.found = []
        self._folds = 0
        self._boxes = []

    def handle_starttag(self, tag, attributes):
        self._folds += tag == "details"
        if tag == "div":
            self._boxes.append((dict(attributes).get("class") or "").split())

    def handle_endtag(self, tag):
        self._folds -= tag == "details"
        if tag == "div":
            self._boxes.pop()

    def handle_data(self, data):
        if self._boxes and "math" in self._boxes[-1] and "\\[" in data:
            text = data.strip().removeprefix("\\[").removesuffix("\\]")
            text = re.sub(r"\\(begin|end)\{split\}", "", text).strip()
            self.found.append((text, self._folds > 0))


def displays(page):
    reader = Displays()
    reader.feed(page.read_text(encoding="utf-8"))
    return reader.found


def formula_faults(text):
    """Return what a formula has that is no mathematics."""
    faults = [r"\texttt"] if r"\texttt" in text else []
    depth = 0
    for match in LINES.finditer(text):
        depth += 1 if match[1] == "begin" else -1
        if depth > 1:
            faults.append("lines in lines")
    faults += [f"a name cut in two: {match[0]}" for match in CUT.finditer(text)]
    plain = re.sub(r"\\text\{[^{}]*\}|\\[a-zA-Z]+", " ", text.replace(r"\_", "_"))
    return faults + [f"Python: {match[0]}" for match in PYTHON.finditer(plain)]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (r"\texttt{x[1:]}", r"\texttt"),
        (
            r"\begin{aligned}&\begin{gathered}x\end{gathered}\end{aligned}",
            "lines in lines",
        ),
        (
            r"\operatorname{one}_{\mathrm{record}}(D)",
            r"a name cut in two: \operatorname{one}_{\mathrm",
        ),
        (r"x_{k \in \mathrm{zip}(P, Q)}", "Python: zip"),
        (r"\operatorname{sum}(P)", "Python: sum"),
    ],
)
def test_a_fault_of_a_formula_is_found(text, fault):
    assert formula_faults(text) == [fault]
    assert (
        formula_faults(
            r"x \ge 0\text{ for all }x,\ \mathrm{not\_held\_out}_1 = \sum_i "
            r"\mathrm{for\_all}_i"
        )
        == []
    )


def test_formulas_are_mathematics(site):
    faults = defaultdict(list)
    seen = 0
    for name in TOC:
        for text, *_ in displays(site / f"{name}.html"):
            seen += 1
            if own_faults := formula_faults(text):
                faults[name].append((text, own_faults))
    assert seen > 4000
    assert dict(faults) == {}


def test_no_formula_is_wider_than_the_text(site, window):
    view = window(viewport={"width": 1300, "height": 900})
    view.goto((site / "notebooks/kl-drop.html").as_uri())
    view.evaluate("() => MathJax.startup.promise")
    room = view.evaluate(ROOM)
    assert 600 < room[1] < room[0] < 750
    places = {}
    for name in TOC:
        for text, folded in displays(site / f"{name}.html"):
            places.setdefault((text, folded), name)
    formulas = list(places)
    widths = view.evaluate(TYPESET, [text for text, _ in formulas])
    pairs = zip(formulas, widths, strict=True)
    wide = [
        (places[formula], formula[0], width)
        for formula, width in pairs
        if width > room[formula[1]] + 1
    ]
    assert wide == []
    (control,) = view.evaluate(TYPESET, ["x" * 90])
    assert control > room[0]
