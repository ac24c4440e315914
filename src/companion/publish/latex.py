"""Find the programs that print the book, and read in the log of TeX which complaints are faults."""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass

from companion.paths import CompanionError

__all__ = ["ADVICE", "PACKAGES", "SCALED", "WIDE", "Log", "ensure_latex", "missing", "read_log"]

PROGRAMS = ("xelatex", "latexmk")
#: The Debian packages that bring them, with styles and fonts, without what these recommend.
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
#: A line or a table may stand out over the margin by this much, in points (one centimetre), and no more.
WIDE = 28.45
#: A formula that is wider than the line may be scaled down to this many percent, and no more.
SCALED = 60

_FAULT = re.compile(
    r"! |Missing character: |LaTeX Warning: (?:(?:Hyper reference|Reference|Citation) .* undefined"
    r"|There were (?:undefined references|multiply-defined labels)|Label .* multiply defined"
    r"|Label\(s\) may have changed|Float too large for page by )"
    r"|LaTeX Font Warning: Some font shapes were not available|Package longtable Warning: Table widths have changed"
)
_OVERFULL = re.compile(r"Overfull \\[hv]box \((\d+(?:\.\d+)?)pt too (?:wide|high)\)")
_SCALED = re.compile(r"mollified: formula scaled to (\d+) percent")


def missing() -> list[str]:
    """Return the names of programs that are not here."""
    return [name for name in PROGRAMS if shutil.which(name) is None]


def ensure_latex() -> None:
    """Raise CompanionError that says what to do where a program lacks that prints the book."""
    if lacking := missing():
        raise CompanionError(f"the book cannot be printed without {', '.join(lacking)}: {ADVICE}")


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
    lines = text.splitlines()
    wide = [(float(found[1]), line) for line in lines if (found := _OVERFULL.match(line))]
    small = [(int(found[1]), line) for line in lines if (found := _SCALED.match(line))]
    faults = [line for line in lines if _FAULT.match(line)]
    faults += [line for points, line in wide if points > WIDE] + [line for share, line in small if share < SCALED]
    return Log(tuple(dict.fromkeys(faults)), tuple(points for points, _ in wide), tuple(share for share, _ in small))
