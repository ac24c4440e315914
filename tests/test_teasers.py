"""The small pictures in the repository are those that the accepted data give."""

import base64
import io
import re
import shutil

import numpy as np
import pandas as pd
import pytest
from PIL import Image

from companion.paths import Layout
from tests.repository import ROOT, load_tool

pytestmark = pytest.mark.slow

TOOL = load_tool("teasers")
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
PIXELS = re.compile(r"data:image/png;base64,([A-Za-z0-9+/=\s]+)")


def picture_faults(one, other):
    """Return how two pictures differ, as far as an eye can tell: 0.05 of a point, two
    of 256 levels of grey.
    """
    images = [
        [
            np.asarray(Image.open(io.BytesIO(base64.b64decode(x))))
            for x in PIXELS.findall(t)
        ]
        for t in (one, other)
    ]
    if len(images[0]) != len(images[1]):
        return ["another number of images"]
    for left, right in zip(*images, strict=True):
        if (
            left.shape != right.shape
            or np.abs(left.astype(int) - right.astype(int)).max() > 2
        ):
            return ["another image"]
    one, other = (PIXELS.sub("", text) for text in (one, other))
    if NUMBER.sub("#", one) != NUMBER.sub("#", other):
        return ["other lines or words"]
    apart = max(
        (
            abs(float(a) - float(b))
            for a, b in zip(NUMBER.findall(one), NUMBER.findall(other), strict=True)
        ),
        default=0,
    )
    return [f"lines apart by {apart:.2f}"] if apart > 0.05 else []


@pytest.fixture(scope="module")
def drawn():
    return TOOL.draw_all(Layout(ROOT))


def faults_of(one, other):
    """Return how SVG by name differ."""
    pairs = {
        name: (one[name].decode(), other[name].decode())
        for name in one
        if name.endswith(".svg")
    }
    return {
        name: faults
        for name, pair in pairs.items()
        if (faults := picture_faults(*pair))
    }


def test_pictures_are_those_of_the_accepted_data_light_and_without_a_date(drawn):
    pictures = {path.name: path.read_bytes() for path in TOOL.FOLDER.iterdir()}
    assert sorted(pictures) == sorted(drawn)
    assert faults_of(pictures, drawn) == {}, "make them again: python tools/teasers.py"
    assert {
        name: len(data)
        for name, data in pictures.items()
        if len(data) > 70_000 or b"Date" in data
    } == {}


def test_other_data_give_other_pictures(drawn, tmp_path):
    shutil.copytree(
        ROOT / "data/results/figures/quick", tmp_path / "data/results/figures/quick"
    )
    for figure, column in (
        ("ring-densities", "projected"),
        ("drop-bounds", "printed"),
        ("records-allowed", "m"),
    ):
        path = Layout(tmp_path).reference("quick", figure)
        table = pd.read_csv(path)
        table.assign(**{column: 1.1 * table[column]}).to_csv(path, index=False)
    again = TOOL.draw_all(Layout(tmp_path))
    assert set(faults_of(drawn, again)) == {
        name for name in drawn if name.endswith(".svg")
    }
    assert not [
        name
        for name, data in drawn.items()
        if name.endswith(".pdf") and data == again[name]
    ]
