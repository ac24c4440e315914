"""Find the MathJax that is installed, for pages and for print."""

from __future__ import annotations

import importlib.resources
from pathlib import Path


def mathjax_folder() -> Path:
    """Return where MathJax lies; raise ModuleNotFoundError where it does not."""
    package = importlib.resources.files("sphinx-mathjax-offline")
    return Path(str(package)) / "static" / "mathjax"
