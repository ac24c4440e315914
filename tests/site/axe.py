"""Ask axe what a reader with a screen reader, a keyboard or weak eyes would miss on a
page that is open.
"""

from collections.abc import Iterable
from typing import Any

from axe_playwright_python.base import AXE_SCRIPT

#: WCAG 2.1 at levels A and AA, and what axe calls best practice: headings, landmarks.
RULES = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice")

#: A formula is a picture that readers with a screen reader do not meet, and MathML for
#: them; `state.py` looks at both. They are most of the elements of a page, and axe
#: walks through all: each is replaced by a box of its size, empty but for a word where
#: it heads a column, since axe reads no MathML and would call the head empty.
EMPTY = """
() => {
  const formulas = [...document.querySelectorAll("mjx-container")];
  const boxes = formulas.map(formula => formula.getBoundingClientRect());
  formulas.forEach((formula, at) => {
    const { width, height } = boxes[at];
    Object.assign(formula.style, { display: "inline-block", width: width + "px",
      height: height + "px" });
    formula.replaceChildren(formula.closest("th") ? "formula" : "");
    formula.style.fontSize = "0";
  });
}
"""
#: Contrast takes axe nine tenths of its time on a long table. It depends on colours,
#: size and weight of a text and on the grounds behind it: of the elements with the same
#: of all these the first three are marked, and axe looks at those.
MARK = """
() => {
  const grounds = new Map();
  const ground = e => {
    if (!e) return "";
    if (!grounds.has(e)) {
      const style = getComputedStyle(e);
      const clear = style.backgroundColor === "rgba(0, 0, 0, 0)" &&
        style.backgroundImage === "none";
      const own = clear && style.opacity === "1" && style.filter === "none" ? ""
        : [style.backgroundColor, style.backgroundImage, style.opacity,
          style.filter].join() + ";";
      grounds.set(e, own + ground(e.parentElement));
    }
    return grounds.get(e);
  };
  const met = new Map();
  for (const e of document.body.querySelectorAll("*")) {
    const field = e.matches("input, select, textarea, button");
    if (!field && ![...e.childNodes].some(node => node.nodeType === 3 &&
      node.data.trim())) continue;
    const style = getComputedStyle(e);
    const look = [style.color, style.fontSize, style.fontWeight, style.textShadow,
      style.position, ground(e)].join("|");
    met.set(look, (met.get(look) || 0) + 1);
    if (field || met.get(look) <= 3) e.setAttribute("data-contrast", "");
      else e.removeAttribute("data-contrast");
  }
  return met.size;
}
"""
RUN = """
([tags, sample, again]) => {
  const options = { preload: false, resultTypes: ["violations"],
    runOnly: { type: "tag", values: tags } };
  const most = { ...options, rules: { "color-contrast": { enabled: !sample } } };
  const whole = again ? Promise.resolve({ violations: [] }) : axe.run(document, most);
  const contrast = { ...options, runOnly: { type: "rule",
    values: ["color-contrast"] } };
  const both = sample
    ? whole.then(first => axe.run({ include: [["[data-contrast]"]] },
      contrast).then(second => [first, second]))
    : whole.then(first => [first]);
  return both.then(results => results.flatMap(result => result.violations).map(rule =>
    ({
    id: rule.id,
    impact: rule.impact,
    nodes: rule.nodes.map(node => ({
      target: node.target.join(" "),
      why: [...node.any, ...node.all, ...node.none].map(check =>
        check.message).join("; "),
    })),
  })));
}
"""


def axe_faults(
    view: Any, tags: Iterable[str] = RULES, whole: bool = False, again: bool = False
) -> list[str]:
    """Return what axe finds on the page, each rule with its first elements.

    Unless the page is to be seen `whole`, formulas are emptied, and of texts that look
    the same some are tried. A page that is seen `again`, in its other theme, has other
    colours and nothing else: only contrast is tried.
    """
    if not whole:
        view.evaluate(EMPTY)
        assert view.evaluate(MARK) > 0
    if not view.evaluate("() => Boolean(window.axe)"):
        view.evaluate(AXE_SCRIPT)
    faults = []
    for rule in view.evaluate(RUN, [list(tags), not whole, again]):
        shown = "; ".join(
            f"{node['target']} ({node['why'][:200]})" for node in rule["nodes"][:3]
        )
        faults.append(
            f"axe: {rule['impact']}: {rule['id']} on {len(rule['nodes'])} "
            f"elements: {shown}"
        )
    return faults


def axe_version() -> tuple[int, ...]:
    """Return the version of axe-core that the package brings."""
    return tuple(
        int(part)
        for part in AXE_SCRIPT.split("axe v", 1)[1].split("\n", 1)[0].strip().split(".")
    )
