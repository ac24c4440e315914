"""Find the programs that print the book, and read in the log of TeX which complaints are faults."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from companion.paths import CompanionError

__all__ = [
    "PACKAGES",
    "PROGRAMS",
    "SCALED",
    "STYLES",
    "WIDE",
    "LatexMissing",
    "Log",
    "ensure_latex",
    "missing",
    "read_log",
]

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


def ensure_latex() -> None:
    """Raise LatexMissing that says what to do where something lacks that prints the book."""
    if lacking := missing():
        raise LatexMissing(f"the book cannot be printed without {', '.join(lacking)}: {ADVICE}")


#: A line or a table may stand out over the margin by this much, in points (one centimetre), and no more.
WIDE = 28.45
#: A formula that is wider than the line may be scaled down to this many percent, and no more.
SCALED = 60

_FAULTS = (
    re.compile(r"^! .*"),
    re.compile(r"^Missing character: .*"),
    re.compile(r"^LaTeX Warning: (?:Hyper reference|Reference|Citation) .* undefined.*"),
    re.compile(r"^LaTeX Warning: There were (?:undefined references|multiply-defined labels).*"),
    re.compile(r"^LaTeX Warning: Label .* multiply defined.*"),
    re.compile(r"^LaTeX Warning: Label\(s\) may have changed.*"),
    re.compile(r"^LaTeX Font Warning: Some font shapes were not available.*"),
    re.compile(r"^LaTeX Warning: Float too large for page by .*"),
    re.compile(r"^Package longtable Warning: Table widths have changed.*"),
)
_OVERFULL = re.compile(r"^Overfull \\([hv])box \((\d+(?:\.\d+)?)pt too (?:wide|high)\)(.*)")
_SCALED = re.compile(r"^mollified: formula scaled to (\d+) percent")


@dataclass(frozen=True)
class Log:
    """Hold what a log says: faults, how far lines stand out (in points), to how many percent formulas are scaled."""

    faults: tuple[str, ...]
    overfull: tuple[float, ...]
    scaled: tuple[int, ...]

    def lines(self) -> list[str]:
        """Return what to tell the person at the terminal."""
        out = f"{len(self.overfull)} line(s) or page(s) stand out"
        out += f", at most {max(self.overfull):.1f} pt (bound {WIDE} pt)" if self.overfull else ""
        shrunk = f"{len(self.scaled)} formula(s) are scaled to the line"
        shrunk += f", at least {min(self.scaled)} % (bound {SCALED} %)" if self.scaled else ""
        return [out, shrunk]


def read_log(text: str) -> Log:
    """Return what the log of a last run of XeLaTeX says; its lines must not be wrapped."""
    faults: list[str] = []
    overfull: list[float] = []
    scaled: list[int] = []
    for line in text.splitlines():
        wide, small = _OVERFULL.match(line), _SCALED.match(line)
        if wide:
            overfull.append(float(wide[2]))
            if overfull[-1] > WIDE:
                faults.append(line)
        elif small:
            scaled.append(int(small[1]))
            if scaled[-1] < SCALED:
                faults.append(line)
        elif any(fault.match(line) for fault in _FAULTS):
            faults.append(line)
    return Log(tuple(dict.fromkeys(faults)), tuple(overfull), tuple(scaled))
