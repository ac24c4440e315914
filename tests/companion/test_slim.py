"""The pictures of a figure made small, and the pages with what no reader meets taken off."""

import re

import pytest

from companion.drawing import new_figure, theme
from companion.site.slim import both_themes, slim


def drawn(path, name, last=3.0, salt="a"):
    with theme(name, salt=salt):
        figure, axes = new_figure()
        axes.plot([0, 1, 2], [1.123456, 2, last], label="size")
        axes.legend()
        figure.savefig(path, format="svg", metadata={"Date": None, "Creator": None})
    return path.read_text(encoding="utf-8")


@pytest.fixture
def pair(tmp_path):
    return drawn(tmp_path / "a.svg", "light"), drawn(tmp_path / "b.svg", "dark")


def test_one_picture_has_the_colours_of_both_themes_and_is_smaller_than_one(pair):
    light, dark = pair
    both = both_themes(light, dark)
    assert both.startswith('<svg id="dark" ')
    assert len(both) < len(light)
    for text, name in ((light, ""), (dark, ":target ")):
        (ink,) = set(re.findall(r"stroke: (#\w{6}); stroke-width: 1\.8", text))
        assert re.search(rf"{name}\.\w+\{{[^}}]*stroke: {ink}", both)
    assert re.findall(r"scale\((0\.0\d+)\)", both) == re.findall(r"scale\((0\.0\d+)\)", light) != []
    assert not re.search(r"(?<!scale\(0)\.\d{3,}", both.partition("</style>")[2])


def test_pictures_that_differ_in_more_than_colours_stay_two(tmp_path, pair):
    assert both_themes(pair[0], drawn(tmp_path / "c.svg", "dark", last=5.0)) is None


def test_pages_lose_nothing_that_is_read(tmp_path, pair):
    page = '<pre><span class="p">(</span>\n\n <span class="k">if</span></pre>'
    page += '<img src="../_images/x.svg"><img src="../_images/x.dark.svg"><a href="../_downloads/0/x.svg">SVG</a>'
    files = {
        "a/one.html": page, "_static/a.js.map": "{}", "_images/x.svg": pair[0], "_images/x.dark.svg": pair[1],
        "_downloads/0/x.svg": pair[0], "_downloads/1/x.csv": "a\n",
    }  # fmt: skip
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    slim(tmp_path)
    for name in ("a.svg", "b.svg"):
        (tmp_path / name).unlink()
    left = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()}
    assert left == {"a/one.html", "_images/x.svg", "_downloads/1/x.csv"}
    assert (tmp_path / "a/one.html").read_text(encoding="utf-8") == (
        '<pre>(\n\n <span class="k">if</span></pre><img src="../_images/x.svg">'
        '<img src="../_images/x.svg#dark"><a href="../_images/x.svg">SVG</a>'
    )
