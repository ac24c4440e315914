"""Interactive figures with sliders: what they declare, and that the numbers of the browser are those of Python."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from companion.site.widget import slider
from mollified.boxes import project

STATIC = Path(__file__).parents[2] / "book/_static"
GIVEN = [{"u": u, "eps": eps} for eps in (0.1, 1.0, 3.7) for u in (0.0, 0.31, 0.5, 0.8, 1.0)]
CONF = f"""
extensions = ["myst_parser", "companion.site.extension"]
html_theme = "basic"
html_static_path = [{str(STATIC)!r}]
html_css_files = ["companion.css"]
"""
PAGE = """# Split

```{widget} split-budget split-budget/split-curve
u | share that goes up | 0 | 1 | 0.01 | 0.5
eps | budget | 0.1 | 4 | 0.1 | 1
```

```{toctree}
other
```
"""


def expected(u, eps):
    """Return the numbers as the page computes them."""
    edges = np.linspace(-4, 4, 161)
    x = (edges[:-1] + edges[1:]) / 2
    p = 0.6 * np.exp(-((x + 1.2) ** 2) / 0.18) / 0.3 + 0.4 * np.exp(-((x - 1.6) ** 2) / 0.5) / 0.5
    q0 = np.exp(-(x**2) / 2)
    p, q0 = p / p.sum(), q0 / q0.sum()
    R = np.exp(eps)
    b = min(np.exp(eps * (u - 1)), 1.0)
    found, start, wide = (p @ np.log(p / q) for q in (project(p, b * q0, R), q0, project(p, q0 / R, R**2)))
    regret = max(np.log(1 / b), np.log(R / (R + 1 - R * b)))
    return {"b": b, "most": eps * u, "gain": start - found, "here": found - wide, "regret": regret}


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("node") is None, reason="node is not on this machine")
def test_numbers_of_the_script_are_those_of_python():
    program = (
        f"const made = require({str(STATIC / 'split-budget.js')!r});"
        f"console.log(JSON.stringify({json.dumps(GIVEN)}.map(given => made.numbers(given))));"
    )
    answer = subprocess.run(["node", "-e", program], capture_output=True, text=True, check=True)
    compare(json.loads(answer.stdout))


def compare(found):
    assert len(found) == len(GIVEN)
    for given, numbers in zip(GIVEN, found, strict=True):
        for name, value in expected(**given).items():
            assert numbers[name] == pytest.approx(value, rel=1e-9, abs=1e-9), (given, name)
        assert sum(numbers["q"]) == pytest.approx(1, abs=1e-9)


def test_a_slider_is_read():
    assert slider("u | share | 0 | 1 | 0.1 | 0.5") == {
        "slider": "u", "label": "share", "min": "0", "max": "1", "step": "0.1", "value": "0.5",
    }  # fmt: skip


@pytest.mark.parametrize(
    "line", ["u | share | 0 | 1 | 0.1", "u || 0 | 1 | 0.1 | 0.5", "u | s | 0 | 1 | 0 | 0.5", "u | s | 0 | 1 | 1 | 2"]
)
def test_a_slider_of_another_form_is_refused(line):
    with pytest.raises(ValueError, match="a slider must"):
        slider(line)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    root = tmp_path_factory.mktemp("widget")
    (root / "conf.py").write_text(CONF, encoding="utf-8")
    (root / "index.md").write_text(PAGE, encoding="utf-8")
    (root / "other.md").write_text("# Other\n", encoding="utf-8")
    command = [sys.executable, "-m", "sphinx", "-b", "html", "-n", "-W", str(root), str(root / "_out")]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stdout + answer.stderr
    return root / "_out"


@pytest.mark.slow
def test_only_its_page_loads_the_scripts_formulas_first_and_the_block_waits_hidden(site):
    text = (site / "index.html").read_text(encoding="utf-8")
    assert 0 < text.index("split-budget.js") < text.index("widget.js")
    assert 'data-still="fig-split-budget-split-curve" hidden>' in text
    assert "widget.js" not in (site / "other.html").read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.site
@pytest.mark.parametrize(("theme", "width"), [("light", 1280), ("dark", 390)])
def test_the_keyboard_moves_the_split_and_the_numbers_follow(site, browser, theme, width):
    faults = []
    with closing(browser.new_page(viewport={"width": width, "height": 800}, color_scheme=theme)) as view:
        view.on("pageerror", lambda error: faults.append(str(error)))
        view.on("request", lambda item: None if item.url.startswith("file:") else faults.append(item.url))
        view.goto((site / "index.html").as_uri())
        view.evaluate(f"document.documentElement.dataset.theme = '{theme}'")
        moved = view.locator("#widget-split-budget-u")
        moved.focus()
        seen = []
        for key in ("Home", "ArrowRight", "End"):
            moved.press(key)
            rows = view.locator("#widget-split-budget tbody td").all_inner_texts()
            seen.append((moved.get_attribute("aria-valuetext"), rows[0]))
        wide = view.evaluate("document.querySelector('#widget-split-budget').scrollWidth - innerWidth")
        compare(view.evaluate(f"{json.dumps(GIVEN)}.map(given => companionWidgets['split-budget'].numbers(given))"))
    assert faults == []
    assert seen == [
        ("share that goes up 0", "0.3679"),
        ("share that goes up 0.01", "0.3716"),
        ("share that goes up 1", "1.0000"),
    ]
    assert wide <= 0
