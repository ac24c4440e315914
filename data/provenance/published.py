"""Read the heights of bars in published figures, for *Their figures, made again*.

`python data/provenance/published.py LOCAL GLOBAL` writes data/datasets/published.csv
from copies of the repositories hradghoukasian/private_sampling (LOCAL; figures/*.pdf)
and phy811/Optimal-LDP-Sampling (GLOBAL; data_1DGaussMix_*.npy). Bars are read from the
vector graphics, and their unit from the ticks of the axis. Rows of figures with a
number of points in their name were added later and keep six decimals, the others four.
The budget of the rows gldp-* is the parameter of Gaussian privacy, in the column eps as
well.
"""

from __future__ import annotations

import re
import sys
import zlib
from contextlib import suppress
from pathlib import Path

import numpy as np

TARGET = Path(__file__).resolve().parents[1] / "datasets" / "published.csv"
FIGURES = {
    "finite": "result_finite_k10.pdf",
    **{f"finite-{k}": f"result_finite_k{k}.pdf" for k in (20, 100)},
    "laplace": "result_1DLaplaceMix.pdf",
    "plane": "result_2DLaplaceMix.pdf",
    **{f"gldp-{k}": f"result_finite_GDP_k{k}.pdf" for k in (10, 20, 100)},
    "gldp-laplace": "result_1DLaplaceMix_GLDP.pdf",
}
DIVERGENCES = ("KL", "TV", "H2")
#: Figures have three panels of eight bars.
BARS = 24
BUDGETS = ("0.1", "0.5", "1", "2")
#: How far below its tick a label of the axis stands, and the most to the left of it.
LABEL_BELOW = 3.797
LABEL_LEFT = 60
#: Two heights nearer than this are one.
NEAR = 0.01

N = r"(-?[\d.]+)"
_STREAM = re.compile(rb"stream\r?\n(.*?)endstream", re.DOTALL)
_TICK = re.compile(rf"{N} {N} m\n{N} {N} l\n\nB")
_LABEL = re.compile(
    rf"1 0 -0 1 {N} {N} cm\nBT\n/F1 10 Tf\n0 0 Td\n\[ \(([\d.]+)\) \] TJ"
)
_OUTLINE = re.compile(rf"rg\s+{N} {N} m\n{N} {N} l\n{N} {N} l\n")

Point = tuple[float, float]
Row = tuple[str, str, str, str, float]


def drawing(path: Path) -> str:
    """Return the longest compressed stream of a PDF, which draws its page."""
    streams = []
    for match in _STREAM.finditer(path.read_bytes()):
        with suppress(zlib.error):  # a stream that is not compressed
            streams.append(zlib.decompress(match[1]))
    return max(streams, key=len).decode("latin1")


def labels_of_axis(
    axis: float, ticks: list[Point], labels: list[tuple[float, float, float]]
) -> list[tuple[float, float]]:
    """Return the height and the value of each tick of an axis that has a label."""
    pairs = []
    for x, y in ticks:
        if x != axis:
            continue
        for left, low, value in labels:
            beside = 0 < axis - left < LABEL_LEFT
            if beside and abs(y - low - LABEL_BELOW) < NEAR:
                pairs.append((y, value))
    return pairs


def ticks_of(text: str) -> list[Point]:
    """Return the ends of the ticks of the vertical axes: short lines that are level."""
    ticks = []
    for x, y, _, end in _TICK.findall(text):
        if y == end:
            ticks.append((float(x), float(y)))
    return ticks


def bars(path: Path) -> list[Point]:
    """Return (x, height) of each bar with an outline, in the order of x."""
    text = drawing(path)
    ticks = ticks_of(text)
    labels = [
        (float(x), float(y), float(value)) for x, y, value in _LABEL.findall(text)
    ]
    heights = []
    for corners in _OUTLINE.findall(text):
        left, bottom, right, _, _, top = (float(corner) for corner in corners)
        on_axis = any(abs(bottom - y) < NEAR for _, y in ticks)
        if right <= left or not on_axis:  # a bar of the legend
            continue
        axis = max(x for x, _ in ticks if x <= left)
        pairs = labels_of_axis(axis, ticks, labels)
        y_0, value_0 = pairs[0]
        y_1, value_1 = pairs[-1]
        height = value_0 + (top - y_0) * (value_1 - value_0) / (y_1 - y_0)
        heights.append((left, height))
    return sorted(heights)


def table(local: Path, global_: Path) -> list[Row]:
    """Return rows (figure, divergence, eps, sampler, value)."""
    rows: list[Row] = []
    for figure, name in FIGURES.items():
        heights = bars(local / "figures" / name)
        if len(heights) != BARS:
            raise ValueError(f"{name} must have {BARS} bars, got {len(heights)}")
        for index, (_, height) in enumerate(heights):
            panel, rest = divmod(index, 8)
            sampler = ("global", "local")[rest % 2]
            rows.append(
                (figure, DIVERGENCES[panel], BUDGETS[rest // 2], sampler, height)
            )
    for eps in (*BUDGETS, "5"):
        worst = np.load(global_ / f"data_1DGaussMix_eps{float(eps)}.npy").max(axis=0)
        for index, value in enumerate(worst):
            sampler = ("global", "MBDE")[index % 2]
            rows.append(("gauss", DIVERGENCES[index // 2], eps, sampler, float(value)))
    return rows


if __name__ == "__main__":
    lines = ["figure,divergence,eps,sampler,value"]
    for figure, divergence, eps, sampler, value in table(
        Path(sys.argv[1]), Path(sys.argv[2])
    ):
        digits = 6 if "-" in figure else 4
        shown = f"{abs(round(value, digits)):.{digits}f}"
        lines.append(f"{figure},{divergence},{eps},{sampler},{shown}")
    TARGET.write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")
