"""Go through a page with the tab key: what is reached, what shows the focus, what was
passed over.
"""

from typing import Any, NamedTuple

#: What a page lets the tab key reach: each element gets a number, by which it is known.
NUMBER = """
() => {
  const all = document.querySelectorAll(
    "a[href], button, input, select, textarea, summary, [tabindex], iframe, audio, video, [contenteditable]"
  );
  let next = 0;
  return [...all].filter(e =>
    e.tabIndex >= 0 && !e.disabled && !e.closest("[inert]") &&
      e.getClientRects().length > 0 &&
    e.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: false })
  ).map(e => { e.dataset.stop = String(next); next += 1; return e.dataset.stop; });
}
"""  # noqa: E501
#: Where the focus is, whether it can be seen there, and on what.
FOCUS = """
() => {
  const e = document.activeElement;
  if (!e || e === document.body || e === document.documentElement) return null;
  const ring = (node, part) => {
    const style = getComputedStyle(node, part);
    const outline = style.outlineStyle !== "none" &&
      parseFloat(style.outlineWidth) >= 1 &&
      !/, 0\\)|transparent/.test(style.outlineColor);
    const clear = /^rgba\\([^)]*, 0\\)[^,]*$/.test(style.boxShadow);
    return outline || (style.boxShadow !== "none" && !clear);
  };
  const parts = [[e, null], [e, "::after"], [e, "::before"],
    ...[...e.children].map(child => [child, null])];
  const box = e.getBoundingClientRect();
  return {
    stop: e.dataset.stop || "",
    name: e.tagName.toLowerCase() + (e.id ? "#" + e.id : "") +
      (e.className ? "." + e.className : "") + " " +
      (e.getAttribute("aria-label") || e.textContent || e.title || "")
        .trim().slice(0, 40),
    ring: parts.some(([node, part]) => ring(node, part)),
    inside: box.width > 0 && box.height > 0 && box.bottom > 0 &&
      box.top < innerHeight && box.right > 0 &&
      box.left < innerWidth,
  };
}
"""


class Stop(NamedTuple):
    """An element that the tab key reached; whether its focus shows, and lies within the
    window.
    """

    stop: str
    name: str
    ring: bool
    inside: bool


def reachable(view: Any) -> list[str]:
    """Number the elements that the tab key should reach, and return the numbers."""
    return view.evaluate(NUMBER)


def tab_through(view: Any, most: int) -> list[Stop]:
    """Press the tab key until the focus leaves the page, or comes to where it was, at
    most so many times.
    """
    stops: list[Stop] = []
    met: set[str] = set()
    for _ in range(most):
        view.keyboard.press("Tab")
        focused = view.evaluate(FOCUS)
        if focused is None or (focused["stop"] and focused["stop"] in met):
            break
        met.add(focused["stop"])
        stops.append(Stop(**focused))
    return stops
