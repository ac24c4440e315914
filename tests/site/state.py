"""What a page looks like once it is open: mathematics, pictures, width, theme."""

from typing import Any

STATE = """
() => {
  const width = document.documentElement.clientWidth;
  const scrolls = e => {
    for (let p = e.parentElement; p; p = p.parentElement) {
      if (["auto", "scroll"].includes(getComputedStyle(p).overflowX)) return true;
    }
    return false;
  };
  const out = [...document.querySelectorAll(".bd-article *")].filter(e => {
    const box = e.getBoundingClientRect();
    return box.width > 0 && box.right > width + 1 && !scrolls(e) &&
      !e.closest("mjx-assistive-mml");
  });
  const seen = e => e.getClientRects().length > 0;
  const name = e => e.tagName.toLowerCase() + (e.id ? "#" + e.id : "") +
    (e.className ? "." + e.className : "");
  return {
    theme: document.documentElement.dataset.theme || "",
    errors: [...document.querySelectorAll("mjx-merror, [data-mml-node=merror], [data-mjx-error]")]
      .map(e => e.getAttribute("data-mjx-error") || e.textContent),
    formulas: document.querySelectorAll(".math").length,
    untouched: [...document.querySelectorAll(".math")].filter(e =>
      !e.querySelector("mjx-container svg"))
      .map(e => e.textContent.slice(0, 80)),
    cut: [...document.querySelectorAll(".bd-article .math")].filter(e => {
      const whole = e.getBoundingClientRect(),
        box = e.querySelector("mjx-container")?.getBoundingClientRect();
      const wide = box && box.width > whole.width + 1 &&
        !["auto", "scroll"].includes(getComputedStyle(e).overflowX);
      // nobody can scroll to what is left of a box
      return wide || (box && box.left < whole.left - 1);
    }).map(e => e.textContent.slice(0, 80)),
    stops: [...document.querySelectorAll("mjx-container[tabindex='0']")]
      .filter(e => e.scrollWidth <= e.clientWidth + 1).length,
    unread: [...document.querySelectorAll("mjx-container")].filter(e => {
      const picture = e.querySelector("svg"),
        words = e.querySelector("mjx-assistive-mml math");
      return picture && !(picture.getAttribute("aria-hidden") === "true" && words &&
        words.textContent.trim());
    }).length,
    overflow: document.documentElement.scrollWidth - width,
    outside: out.slice(0, 3).map(name),
    broken: [...document.images].filter(e => seen(e) && !(e.complete &&
      e.naturalWidth > 0)).map(e => e.src),
    pictures: [...document.querySelectorAll("figure.mf-figure:not(.mf-live)")].filter(seen)
      .map(e => [...e.querySelectorAll("img")].filter(seen).map(i =>
        i.className).join(" ")),
  };
}
"""  # noqa: E501


def state_faults(state: dict[str, Any], theme: str) -> list[str]:
    """Return what is wrong with the state of a page that was opened in a theme."""
    faults = [f"error in mathematics: {text}" for text in state["errors"]]
    faults += [f"mathematics left as source: {text}" for text in state["untouched"]]
    faults += [
        f"formula is cut and cannot be scrolled: {text}" for text in state["cut"]
    ]
    if state["stops"]:
        faults.append(f"{state['stops']} formulas are tab stops")
    if state["unread"]:
        faults.append(f"{state['unread']} formulas have no words")
    faults += [f"broken image: {source}" for source in state["broken"]]
    if state["theme"] != theme:
        faults.append(f"theme is {state['theme']!r}, the reader prefers {theme!r}")
    if state["overflow"] > 0 or state["outside"]:
        faults.append(
            f"wider than the window by {state['overflow']} px: "
            f"{', '.join(state['outside'])}"
        )
    for shown in state["pictures"]:
        if f"only-{theme}" not in shown or shown.count("only-") != 1:
            faults.append(f"figure shows {shown!r} in {theme}")
    return faults
