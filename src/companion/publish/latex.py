"""Find the programs that print the book, or install them; say plainly what to do where neither works."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from companion.paths import CompanionError

__all__ = ["PACKAGES", "PROGRAMS", "STYLES", "LatexMissing", "ensure_latex", "missing"]

#: What has to be on the PATH, and what xelatex has to find: styles and fonts of the Debian packages below.
PROGRAMS = ("xelatex", "latexmk")
STYLES = ("tcolorbox.sty", "titlesec.sty", "polyglossia.sty", "tabulary.sty", "lmroman10-regular.otf", "FreeSerif.otf")
#: The Debian packages that bring them, without what these recommend.
PACKAGES = (
    "texlive-xetex",
    "latexmk",
    "texlive-latex-recommended",
    "texlive-latex-extra",
    "texlive-fonts-recommended",
    "fonts-lmodern",
    "fonts-freefont-otf",
)

ADVICE = (
    "install XeLaTeX with latexmk so that both are on the PATH "
    f"(Debian and Ubuntu: apt-get install --no-install-recommends {' '.join(PACKAGES)}; any system: TeX Live)"
)


class LatexMissing(CompanionError):
    """Say what is missing to print the book, and what to do."""


def _known(name: str) -> bool:
    """Return whether TeX, or the system for its fonts, finds a file."""
    for command in (["kpsewhich", name], ["fc-list", "--format=%{file}\n"]):
        if shutil.which(command[0]) is None:
            continue
        answer = subprocess.run(command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
        if any(Path(line).name == name for line in answer.stdout.splitlines()):
            return True
    return False


def missing() -> list[str]:
    """Return the names of programs, styles and fonts that are not here; styles only where the programs are."""
    lacking = [name for name in PROGRAMS if shutil.which(name) is None]
    return lacking or [name for name in STYLES if not _known(name)]


def _run(*command: str) -> bool:
    print("+ " + " ".join(command), flush=True)
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    try:
        return subprocess.run(command, check=False, stdin=subprocess.DEVNULL, env=environment).returncode == 0
    except OSError:
        return False


def _install() -> None:
    """Install Debian's packages where we may."""
    if shutil.which("apt-get") and hasattr(os, "geteuid") and os.geteuid() == 0:
        _run("apt-get", "update", "-q")
        _run("apt-get", "install", "-y", "-q", "--no-install-recommends", *PACKAGES)


def ensure_latex() -> None:
    """Have all that prints the book, installed now where something lacked; raise LatexMissing that says what to do."""
    if missing():
        _install()
        lacking = missing()
        if lacking:
            raise LatexMissing(f"the book cannot be printed without {', '.join(lacking)}: {ADVICE}")
