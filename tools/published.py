"""Read the heights of bars in published figures, for the page *Their figures, made again*.

`python tools/published.py LOCAL GLOBAL` writes data/datasets/published.csv from copies
of the repositories hradghoukasian/private_sampling (LOCAL; figures/*.pdf) and
phy811/Optimal-LDP-Sampling (GLOBAL; data_1DGaussMix_*.npy). Bars are read from the
vector graphics, and their unit from the ticks of the axis. Rows of figures with a
number of points in their name were added later and keep six decimals, the others four.
The budget of the rows gldp-* is the parameter of Gaussian privacy, in the column eps as
well.
"""

from __future__ import annotations

import re
import sys
import zlib
from pathlib import Path

import numpy as np

TARGET = Path(__file__).resolve().parents[1] / "data" / "datasets" / "published.csv"
FIGURES = {
    "finite": "result_finite_k10.pdf",
    **{f"finite-{k}": f"result_finite_k{k}.pdf" for k in (20, 100)},
    "laplace": "result_1DLaplaceMix.pdf",
    "plane": "result_2DLaplaceMix.pdf",
    **{f"gldp-{k}": f"result_finite_GDP_k{k}.pdf" for k in (10, 20, 100)},
    "gldp-laplace": "result_1DLaplaceMix_GLDP.pdf",
}
DIVERGENCES = ("KL", "TV", "H2")
BUDGETS = ("0.1", "0.5", "1", "2")
N = r"(-?[\d.]+)"
Row = tuple[str, str, str, str, float]


def bars(path: Path) -> list[tuple[float, float]]:
    """Return (x, height) of each bar with an outline, in the order of x."""
    streams = []
    for found in re.finditer(
        rb"stream\r?\n(.*?)endstream", path.read_bytes(), re.DOTALL
    ):
        try:
            streams.append(zlib.decompress(found[1]))
        except zlib.error:  # a stream that is not compressed
            continue
    text = max(streams, key=len).decode("latin1")
    ticks = [
        (float(a), float(b))
        for a, b, _, d in re.findall(rf"{N} {N} m\n{N} {N} l\n\nB", text)
        if b == d
    ]
    words = re.findall(
        rf"1 0 -0 1 {N} {N} cm\nBT\n/F1 10 Tf\n0 0 Td\n\[ \(([\d.]+)\) \] TJ", text
    )
    written = [(float(a), float(b), float(c)) for a, b, c in words]
    outline = rf"rg\s+{N} {N} m\n{N} {N} l\n{N} {N} l\n"
    found_bars = []
    for corners in re.findall(outline, text):
        left, bottom, right, _, _, top = (float(entry) for entry in corners)
        if right > left and any(
            abs(bottom - y) < 0.01 for _, y in ticks
        ):  # no bar of the legend
            axis = max(x for x, _ in ticks if x <= left)
            pairs = [
                (y, value)
                for x, y in ticks
                for a, b, value in written
                if x == axis and abs(y - b - 3.797) < 0.01 and 0 < axis - a < 60
            ]
            (y_0, v_0) = pairs[0]
            (y_1, v_1) = pairs[-1]
            found_bars.append((left, v_0 + (top - y_0) * (v_1 - v_0) / (y_1 - y_0)))
    return sorted(found_bars)


def table(local: Path, global_: Path) -> list[Row]:
    """Return rows (figure, divergence, eps, sampler, value)."""
    rows: list[Row] = []
    for figure, name in FIGURES.items():
        heights = bars(local / "figures" / name)
        if len(heights) != 24:
            raise ValueError(f"{name} must have 24 bars, got {len(heights)}")
        for index, (_, height) in enumerate(heights):
            panel, rest = divmod(index, 8)
            rows.append(
                (
                    figure,
                    DIVERGENCES[panel],
                    BUDGETS[rest // 2],
                    ("global", "local")[rest % 2],
                    height,
                )
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
        lines.append(
            f"{figure},{divergence},{eps},{sampler},{abs(round(value, digits)):.{digits}f}"
        )
    TARGET.write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")
