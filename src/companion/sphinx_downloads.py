"""Let the theme's download button of a notebook page lead to the notebook that runs outside the book."""

from __future__ import annotations

from typing import Any

from sphinx.application import Sphinx

from companion.downloads import FOLDER

__all__ = ["connect"]

_NOTEBOOKS = "notebooks/"


def _lead_to_downloads(_app: Sphinx, page: str, _template: str, context: dict[str, Any], _tree: Any) -> None:
    """Replace the link to the executed source, which has MyST that only the book shows, by the two downloads."""
    if not page.startswith(_NOTEBOOKS):
        return
    groups = [button for button in context.get("header_buttons", []) if button.get("label") == "download-buttons"]
    for group in groups:
        kept = [button for button in group["buttons"] if button["type"] != "link"]
        links = [
            {
                "type": "link",
                "url": context["pathto"](f"{FOLDER}/{page.removeprefix(_NOTEBOOKS)}{suffix}", 1),
                "text": suffix,
                "icon": "fas fa-code",
                "tooltip": tooltip,
                "label": label,
            }
            for suffix, tooltip, label in (
                (".ipynb", "Download the notebook, to run it yourself", "download-notebook-button"),
                (".md", "Download the notebook as text (jupytext)", "download-source-button"),
            )
        ]
        group["buttons"] = [*links, *kept]


def connect(app: Sphinx) -> None:
    """Have the buttons replaced after the theme made them."""
    app.connect("html-page-context", _lead_to_downloads, priority=900)
