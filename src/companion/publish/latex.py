"""Find the programs that print the book, and read in the log of TeX which complaints are faults."""

from __future__ import annotations

import re
import shutil

from companion.paths import CompanionError

ADVICE = "tools/tex.sh installs what it needs on Debian and Ubuntu; on any system TeX Live with latexmk does"
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
    return [name for name in ("xelatex", "latexmk") if shutil.which(name) is None]


def ensure_latex() -> None:
    """Raise CompanionError that says what to do where a program lacks that prints the book."""
    if lacking := missing():
        raise CompanionError(f"the book cannot be printed without {', '.join(lacking)}: {ADVICE}")


def _is_fault(line: str) -> bool:
    if found := _OVERFULL.match(line):
        return float(found[1]) > WIDE
    if found := _SCALED.match(line):
        return int(found[1]) < SCALED
    return bool(_FAULT.match(line))


def faults_of(text: str) -> list[str]:
    """Return the faults in the log of a last run of XeLaTeX, each once; its lines must not be wrapped."""
    return list(dict.fromkeys(filter(_is_fault, text.splitlines())))
