"""Read built pages without a browser, and say what is wrong; used by test_site and its
controls.
"""

import html.parser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import yaml

#: A reader may follow a link to another host; a page may not load anything from one.
LOADING = {"img", "script", "iframe", "source", "video", "audio", "embed"}
WIDE = {"width": 1280, "height": 900}
PHONE = {"width": 390, "height": 844}


def luminance(colour: str) -> float:
    """Return the relative luminance of #rrggbb."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in parts
    ]
    return sum(
        weight * part
        for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True)
    )


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours, 1 to 21."""
    dark, bright = sorted((luminance(one), luminance(other)))
    return (bright + 0.05) / (dark + 0.05)


class _Reader(html.parser.HTMLParser):
    """Collect addresses, links, images and what a page loads."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.ids = set()
        self.twice = []
        self.links = []
        self.loaded = []
        self.no_alt = []
        self._own = set()

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.ids.update(values[key] for key in ("id", "name") if values.get(key))
        if values.get("id") in self._own:
            self.twice.append(values["id"])
        self._own.update([values["id"]] if values.get("id") else [])
        if tag == "a" and values.get("href") is not None:
            self.links.append(values["href"])
        if tag == "link" and values.get("href"):
            self.loaded.append(values["href"])
        if tag in LOADING and values.get("src"):
            self.loaded.append(values["src"])
        if tag == "img" and not (values.get("alt") or "").strip():
            self.no_alt.append(values.get("src"))


def read(path: Path) -> _Reader:
    reader = _Reader()
    reader.feed(path.read_text(encoding="utf-8"))
    return reader


def toc_pages(toc: Path) -> list[str]:
    """Return the documents that a table of contents names, in order."""
    document = yaml.safe_load(toc.read_text(encoding="utf-8"))
    return [
        document["root"],
        *(item["file"] for part in document["parts"] for item in part["chapters"]),
    ]


def page_faults(site: Path, toc: list[str]) -> list[str]:
    """Return the pages of the toc that are missing, and the pages, but for those of
    claims, that are not in it.
    """
    built = {
        path.relative_to(site).with_suffix("").as_posix()
        for path in site.rglob("*.html")
    }
    built = {name for name in built if not name.startswith(("_", "claims/"))} - {
        "index",
        "search",
        "genindex",
    }
    return [f"missing page: {name}" for name in toc if name not in built] + [
        f"page that is not in the toc: {name}" for name in sorted(built - set(toc))
    ]


def _known(page: Path, readers: dict[Path, _Reader]) -> _Reader:
    """Return what was read of a page, reading it once."""
    if page not in readers:
        readers[page] = read(page)
    return readers[page]


def static_faults(page: Path, readers: dict[Path, _Reader]) -> list[str]:
    """Return broken links, anchors and files, what is loaded from other hosts, and
    images without text.
    """
    me = _known(page, readers)
    faults = [f"image without alt text: {source}" for source in me.no_alt]
    faults += [f"address used twice: {address}" for address in me.twice]
    for address, loads in [
        *((link, False) for link in me.links),
        *((source, True) for source in me.loaded),
    ]:
        parts = urlsplit(address)
        if parts.scheme or parts.netloc:
            if loads and parts.scheme != "data":
                faults.append(f"loaded from another host: {address}")
            elif parts.scheme not in ("http", "https", "mailto", "data"):
                faults.append(f"link of an unknown kind: {address}")
            continue
        target = (
            page if not parts.path else (page.parent / unquote(parts.path)).resolve()
        )
        if not target.is_file():
            faults.append(f"broken link: {address}")
        elif not loads and not target.stat().st_size:
            faults.append(f"link to an empty file: {address}")
        elif parts.fragment and target.suffix == ".html":
            ids = _known(target, readers).ids if target != page else me.ids
            if unquote(parts.fragment) not in ids:
                faults.append(f"broken anchor: {address}")
    return faults
