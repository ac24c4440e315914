"""Walk through the doors of the first page: where each leads, and two steps on from there."""

from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

__all__ = ["DOORS", "doors", "onward", "walk_door"]

#: The doors, in order; each card has a link that stands first.
DOORS = ("new to privacy", "here for a theorem", "here to rerun")
CARDS = ".mf-door, .mf-doors .sd-card"
FIRST_LINKS = f"""
() => [...document.querySelectorAll("{CARDS}")].map(card => {{
  const link = card.matches("a[href]") ? card : card.querySelector("a[href]");
  return [card.textContent.trim().toLowerCase(), link ? link.href : ""];
}})
"""
#: From a page a reader goes on to a claim, else to a download, else to the next page.
ONWARD = """
() => {
  const of = selector => [...document.querySelectorAll(selector)].map(link => link.href);
  return {
    claim: of(".bd-article a[href*='claims/'], .bd-article a[href*='#claim-']"),
    download: of(".bd-article a.download, .bd-article a[download], .dropdown-download-buttons a[href]"),
    next: of("a.right-next"),
  };
}
"""


def doors(view: Any) -> list[tuple[str, str]]:
    """Return the text and the first link of each door on the page that is open."""
    return [(text, link) for text, link in view.evaluate(FIRST_LINKS)]


def onward(view: Any) -> dict[str, list[str]]:
    """Return where a reader can go on from the page that is open, by the kind of step."""
    return view.evaluate(ONWARD)


def _file(link: str) -> Path:
    return Path(unquote(urlsplit(link).path))


def walk_door(view: Any, link: str, look: Any) -> list[str]:
    """Follow a door and two steps on: a claim where there is one, else the next page; and take a download on the way.

    `look` is called at each page with its file and returns its faults. Returns all faults, each with its page.
    """
    faults: list[str] = []
    taken = 0
    for step in range(3):
        page = _file(link)
        if not page.is_file():
            return [*faults, f"step {step}: no such page: {link}"]
        view.goto(link, wait_until="load")
        faults += [f"step {step}, {page.name}: {fault}" for fault in look(page)]
        found = onward(view)
        for download in found["download"][:3]:
            taken += 1
            if not _file(download).is_file() or not _file(download).stat().st_size:
                faults.append(f"step {step}, {page.name}: nothing to download: {download}")
        ways = [*found["claim"][:1], *found["next"][:1]] if step == 0 else [*found["next"][:1], *found["claim"][:1]]
        if step < 2 and not ways:
            return [*faults, f"step {step}, {page.name}: no way on"]
        link = ways[0] if ways else link
    return faults if taken else [*faults, "nothing to download on the way"]
