"""The interactive figure: its data, the page without a script, and the page in a browser."""

from __future__ import annotations

import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pandas as pd
import pytest

from companion.site.widgets import explorer_data

pytestmark = pytest.mark.slow

STATIC = Path(__file__).parents[2] / "book/_static"
CONF = f"""
extensions = ["myst_parser", "companion.site.extension"]
html_theme = "basic"
html_static_path = [{str(STATIC)!r}]
html_css_files = ["companion.css"]
exclude_patterns = ["bad*", "_out*"]
"""
PAGE = "# Ring\n\n```{ring-explorer} one/pixels one/measures\n```\n\n```{toctree}\nother\n```\n"
BUDGETS = (0.5, 1.0, 5.0)


def pixels(budgets=BUDGETS):
    side = ("-6.0", "0.0", "6.0")
    return [
        {"eps": str(eps), "variant": variant, "y": y, **{f"x{i}": str(0.01 * (i + 3 * j)) for i in range(3)}}
        for eps in budgets
        for variant in ("clip", "released")
        for j, y in enumerate(side)
    ]


def measures(budgets=BUDGETS):
    excess = {"clip": 0.9, "released": 7.0, "projection": 1.0}
    return [
        {
            "eps": str(eps),
            "law": law,
            "nll": "9.5",
            "gain": "0.5",
            "spent": str(times * eps),
            "modes": "8.0" if law == "released" else "0.0",
            "log_constant": str(-eps) if law == "projection" else "0.0",
        }
        for law, times in excess.items()
        for eps in reversed(budgets)
    ]


def write_csv(path, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [",".join(rows[0]), *(",".join(row.values()) for row in rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def build(root, *options):
    command = [sys.executable, "-m", "sphinx", "-b", "html", "-n", *options, str(root), str(root / "_out")]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    return answer.returncode, answer.stdout + answer.stderr


def make_book(root):
    write_csv(root / "figures/one/pixels.csv", pixels())
    write_csv(root / "figures/one/measures.csv", measures())
    (root / "conf.py").write_text(CONF, encoding="utf-8")
    (root / "index.md").write_text(PAGE, encoding="utf-8")
    (root / "other.md").write_text("# Other\n", encoding="utf-8")
    return root


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    root = make_book(tmp_path_factory.mktemp("explorer"))
    status, log = build(root, "-W")
    assert status == 0, log
    return root / "_out"


def test_data_are_in_order_and_in_hundredths(site):
    data = explorer_data(*(pd.read_csv(site.parent / f"figures/one/{name}.csv") for name in ("pixels", "measures")))
    assert data["budgets"] == [0.5, 1.0, 5.0]
    assert data["logConstant"] == [-0.5, -1.0, -5.0]
    assert data["pixels"] == 3
    assert data["side"] == 6.0
    assert data["pictures"]["released"][1] == list(range(9))
    assert data["measures"]["released"][2] == {"nll": 9.5, "gain": 0.5, "spent": 35.0, "modes": 8.0}


def test_only_its_page_loads_the_script(site):
    assert "ring-explorer.js" in (site / "index.html").read_text(encoding="utf-8")
    assert "ring-explorer.js" not in (site / "other.html").read_text(encoding="utf-8")


def test_a_figure_that_is_missing_is_reported(tmp_path):
    root = make_book(tmp_path)
    (root / "figures/one/measures.csv").unlink()
    status, log = build(root, "-W")
    assert status != 0
    assert "figures/one/measures.csv" in log


@pytest.mark.site
@pytest.mark.parametrize(("theme", "width"), [("light", 1280), ("dark", 390)])
def test_the_keyboard_moves_the_budget_and_everything_follows(site, browser, theme, width):
    faults = []
    with closing(browser.new_page(viewport={"width": width, "height": 800}, color_scheme=theme)) as view:
        view.on("pageerror", lambda error: faults.append(str(error)))
        view.on("request", lambda item: None if item.url.startswith("file:") else faults.append(item.url))
        view.goto((site / "index.html").as_uri())
        view.evaluate(f"document.documentElement.dataset.theme = '{theme}'")
        slider = view.locator("#ring-explorer-budget")
        slider.focus()
        seen = []
        for key in ("Home", "ArrowRight", "End"):
            slider.press(key)
            seen.append(
                (
                    view.locator("#ring-explorer output").inner_text(),
                    slider.get_attribute("aria-valuetext"),
                    view.locator("#ring-explorer canvas").nth(1).get_attribute("aria-label"),
                    view.locator("#ring-explorer tbody tr").nth(1).inner_text().split(),
                )
            )
        corner = view.evaluate(
            "[...document.querySelector('#ring-explorer canvas').getContext('2d').getImageData(0, 0, 1, 1).data]"
        )
        wide = view.evaluate("document.querySelector('#ring-explorer').scrollWidth - innerWidth")
        over = view.locator("#ring-explorer .mf-over").all_inner_texts()
    assert faults == []
    assert [item[0] for item in seen] == ["ε = 0.5", "ε = 1", "ε = 5"]
    assert [item[1] for item in seen] == ["epsilon 0.5", "epsilon 1", "epsilon 5"]
    assert seen[2][2] == "Density, as released, at epsilon 5: 8 of 8 modes shown"
    assert seen[2][3][-5:] == ["35.00", "7.00×", "8", "of", "8"]
    assert over == ["7.00×"], "only what is above its budget is marked"
    assert corner == ([255, 255, 255, 255] if theme == "light" else [18, 18, 18, 255]), "far out there is nothing"
    assert wide <= 0
