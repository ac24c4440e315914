"""The small pictures in the repository are those that the accepted data give."""

import base64
import io
import re
import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from PIL import Image

from companion.paths import CompanionError, Layout
from companion.site.teasers import FOLDER, TEASERS, draw_all, draw_prints

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
PIXELS = re.compile(r"data:image/png;base64,([A-Za-z0-9+/=\s]+)")


def picture_faults(one, other):
    """Return how two pictures differ, as far as an eye can tell: 0.05 of a point, two of 256 levels of grey."""
    images = [
        [np.asarray(Image.open(io.BytesIO(base64.b64decode(x)))) for x in PIXELS.findall(t)] for t in (one, other)
    ]
    if len(images[0]) != len(images[1]):
        return ["another number of images"]
    for left, right in zip(*images, strict=True):
        if left.shape != right.shape or np.abs(left.astype(int) - right.astype(int)).max() > 2:
            return ["another image"]
    one, other = (PIXELS.sub("", text) for text in (one, other))
    if NUMBER.sub("#", one) != NUMBER.sub("#", other):
        return ["other lines or words"]
    apart = max(
        (abs(float(a) - float(b)) for a, b in zip(NUMBER.findall(one), NUMBER.findall(other), strict=True)), default=0
    )
    return [f"lines apart by {apart:.2f}"] if apart > 0.05 else []


@pytest.fixture(scope="module")
def drawn():
    return draw_all(Layout(ROOT))


def test_pictures_are_those_of_the_accepted_data(drawn):
    folder = ROOT / FOLDER
    assert sorted(path.name for path in folder.iterdir()) == sorted(drawn)
    faults = {name: picture_faults((folder / name).read_text(encoding="utf-8"), text) for name, text in drawn.items()}
    assert {name: fault for name, fault in faults.items() if fault} == {}, (
        "make them again: python -m companion.site.teasers"
    )


def test_pictures_are_light(drawn):
    assert {name: len(text) for name, text in drawn.items() if len(text) > 70_000} == {}


CHANGES = (("ring-densities", "projected"), ("drop-bounds", "printed"), ("records-allowed", "m"))


def test_other_data_give_other_pictures(drawn, tmp_path):
    shutil.copytree(ROOT / "data/results/figures/quick", tmp_path / "data/results/figures/quick")
    for figure, column in CHANGES:
        path = Layout(tmp_path).reference("quick", figure)
        table = pd.read_csv(path)
        table.assign(**{column: 1.1 * table[column]}).to_csv(path, index=False)
    again = draw_all(Layout(tmp_path))
    assert [name for name, text in drawn.items() if picture_faults(text, again[name]) == []] == []


def test_missing_data_are_named(tmp_path):
    with pytest.raises(CompanionError, match="no accepted data of figure 'ring-densities' in the profile quick"):
        draw_all(Layout(tmp_path))


def test_pictures_for_print_are_drawn_with_no_date(tmp_path):
    first, again = tmp_path / "first", tmp_path / "again"
    for folder in (first, again):
        folder.mkdir()
        made = draw_prints(Layout(ROOT), folder)
        assert sorted(path.name for path in made) == sorted(f"{name}.pdf" for name in TEASERS)
    for path in first.iterdir():
        assert path.read_bytes() == (again / path.name).read_bytes()
        assert b"Date" not in path.read_bytes()
