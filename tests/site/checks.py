"""What a reader sees of the checks of a page: the code, one line with its sign for each
statement, and one fold.
"""

import re
from typing import Any

from companion.check_messages import FOLD, SIGNS
from companion.site.nodes import GRADES

#: What a line says, once its sign and its head are read.
LINE = re.compile(
    (
        rf"^[{''.join(SIGNS.values())}] .+?\. "
        r"(No counterexample in [\d,]+ tries \([\d,]+ settled exactly\)\.|False: "
        ".+|Proved .+|Undecided .+)"
    ),
    re.DOTALL,
)
#: What stands in the outputs of the cells that check: for each fold its cell, the lines
#: above it, and what it holds.
CHECKS = """
async () => {
  const frames = () => new Promise(done => requestAnimationFrame(() =>
    requestAnimationFrame(done)));
  const column = document.querySelector(".bd-article").getBoundingClientRect();
  const seen = e => e.getClientRects().length > 0;
  const inside = e => {
    const box = e.getBoundingClientRect();
    return box.left >= column.left - 1 && box.right <= column.right + 1;
  };
  const linesAbove = fold => {
    const lines = [];
    for (let at = fold.previousElementSibling; at?.tagName === "P";
      at = at.previousElementSibling) lines.unshift(at);
    return lines;
  };
  for (const solution of document.querySelectorAll(".toggle-hidden")) solution.classList.remove("toggle-hidden");
  const folds = [...document.querySelectorAll(".cell_output details.mf-check")];
  const closed = folds.map(fold => !fold.open);
  folds.forEach(fold => fold.querySelector("summary").click());
  await frames();
  const found = folds.map((fold, place) => {
    const formulas = [...fold.querySelectorAll("mjx-container[display=true]")];
    const code = fold.closest(".cell").querySelector(".cell_input pre");
    const lines = linesAbove(fold);
    return {
      code: !!code && seen(code) && inside(code),
      closed: closed[place],
      opened: fold.open && [...fold.children].every(seen),
      lines: lines.map(line => line.innerText.replace(/\\s+/g, " ").trim()),
      shown: lines.every(line => seen(line) && inside(line)),
      summary: fold.querySelector("summary").innerText.trim(),
      python: fold.querySelectorAll("mjx-assistive-mml [mathvariant=monospace]").length,
      wide: formulas.filter(e => !inside(e.closest(".math"))).length,
      cut: formulas.filter(e =>
        e.scrollWidth > e.closest(".math").clientWidth + 1).length,
      errors: fold.querySelectorAll("[data-mml-node=merror]").length,
    };
  });
  folds.forEach(fold => fold.querySelector("summary").click());
  return found;
}
"""  # noqa: E501
#: What the badges of a page say.
BADGES = (
    "() => [...document.querySelectorAll('.bd-article .mf-claim .mf-badge')].map(e => "
    "e.innerText)"
)


def check_faults(checks: list[Any], *, desk: bool) -> list[str]:
    """Return what is wrong with the checks that an open page has; at a desk no formula
    needs a scroll bar.
    """
    faults = []
    for place, check in enumerate(checks):
        wrong = [
            name for name in ("code", "closed", "opened", "shown") if not check[name]
        ]
        wrong += [
            f"{name}: {check[name]}"
            for name in ("python", "wide", "errors")
            if check[name]
        ]
        if desk and check["cut"]:
            wrong.append(f"cut: {check['cut']}")
        if not check["lines"]:
            wrong.append("no line")
        if check["summary"] != FOLD:
            wrong.append(f"summary: {check['summary']}")
        wrong += [f"line: {line}" for line in check["lines"] if not LINE.match(line)]
        faults += [f"check {place}: {one}" for one in wrong]
    return faults


def ungraded(badges: list[str]) -> list[str]:
    """Return the badges of statements that stand which do not say how strongly."""
    graded = tuple(words.split(" ")[0] for words in GRADES.values())
    stands = [text for text in badges if re.match(r"[✓◐≡]", text)]
    return [text for text in stands if not any(word in text for word in graded)]
