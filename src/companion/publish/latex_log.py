"""Read what TeX says while it sets the book: which complaints are faults, and which are only told."""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["SCALED", "WIDE", "Log", "read_log"]

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
