"""Cut the icon fonts down to the icons that the pages show: two thousand icons weigh 160 kB, a dozen 3 kB."""

from __future__ import annotations

import re
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

__all__ = ["code_points", "cut_font", "only_cut_fonts"]

#: Icons have the code points of private use, in style sheets as `\\f0c9`.
_ESCAPE = re.compile(r"\\([ef][0-9a-fA-F]{3})(?![0-9a-fA-F])")
_FACE = re.compile(r"@font-face\s*\{[^}]*\}")
_SOURCE = re.compile(r"url\((?P<path>[^)]*\.woff2)\)\s*format\([^)]*\),?")


def code_points(*texts: str) -> set[int]:
    """Return the code points of all icons that style sheets or pages name."""
    found = {int(text, 16) for sheet in texts for text in _ESCAPE.findall(sheet)}
    return found | {ord(sign) for sheet in texts for sign in sheet if "\ue000" <= sign <= "\uf8ff"}


def cut_font(path: Path, wanted: set[int]) -> int:
    """Leave in a TrueType font only the icons wanted; return how many it has of them.

    The same font and icons give the same bytes. Raises OSError where there is no such file.
    """
    font = TTFont(path, recalcTimestamp=False)
    try:
        there = wanted & set(font.getBestCmap())
        options = subset.Options()
        options.drop_tables += ["FFTM"]
        options.recalc_timestamp = False
        subsetter = subset.Subsetter(options)
        subsetter.populate(unicodes=sorted(there))
        subsetter.subset(font)
        font.save(path)
    finally:
        font.close()
    return len(there)


def only_cut_fonts(sheet: str) -> str:
    """Return a style sheet whose fonts come from the TrueType files alone, since those are the ones that were cut."""
    return _FACE.sub(lambda face: _SOURCE.sub("", face[0]) if ".ttf" in face[0] else face[0], sheet)
