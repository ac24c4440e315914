"""The pictures of a figure made small, and the pages with what no reader meets taken
off.
"""

import re

import pytest

from companion.drawing import DARK, GROUND, MUTED, PALETTE, new_figure, style
from companion.site.minify import both_themes, slim


@pytest.fixture
def picture(tmp_path):
    with style(), (tmp_path / "a.svg").open("w+", encoding="utf-8") as stream:
        figure, axes = new_figure()
        axes.plot([0, 1, 2], [1.123456, 2, 3], label="size")
        axes.plot([2], [2], marker="o", color="snow")
        axes.bar([1], [1], color=GROUND, hatch="//")
        axes.legend()
        figure.savefig(stream, format="svg", metadata={"Date": None, "Creator": None})
        stream.seek(0)
        return stream.read()


def test_one_picture_has_the_colours_of_both_themes_and_is_smaller(picture):
    both = both_themes(picture)
    assert both.startswith('<svg id="dark" ')
    assert len(both) < len(picture)
    assert re.search(r'<rect [^>]*class="a\d+"[^>]*/><path', both), (
        "the ground of a hatch"
    )
    assert f'fill="{GROUND}"' not in both
    for colour in (PALETTE[0], MUTED):
        names = re.findall(rf"}}\.(\w+){{[^}}]*stroke: {colour}", both)
        assert names
        assert all(
            re.search(rf":target \.{name}{{[^}}]*stroke: {DARK[colour]}", both)
            for name in names
        ), colour
    assert "#fffafa" in both
    assert not re.search(r":target \.\w+{[^}]*fffafa", both)
    assert (
        re.findall(r"scale\((0\.0\d+)\)", both)
        == re.findall(r"scale\((0\.0\d+)\)", picture)
        != []
    )
    assert not re.search(r"(?<!scale\(0)\.\d{3,}", both.partition("</style>")[2])


def test_a_picture_without_styles_of_its_own_keeps_those_of_its_elements():
    both = both_themes('<svg xmlns="x"><path style="fill: #1b1f24"/></svg>')
    assert both == (
        '<svg id="dark" xmlns="x"><style>.a0{fill: #1b1f24}:target .a0{fill: '
        '#e6e8eb}</style><path class="a0"/></svg>\n'
    )


def test_pages_lose_nothing_that_is_read(tmp_path, picture):
    page = '<pre><span class="p">(</span>\n\n <span class="k">if</span></pre>'
    page += (
        '<img class="only-light" src="../_images/x.svg"><img class="only-dark" '
        'src="../_images/x.svg">'
    )
    page += '<a href="../_downloads/0/x.svg">SVG</a>'
    files = {
        "a/one.html": page,
        "_static/a.js.map": "{}",
        "_images/x.svg": picture,
        "_downloads/0/x.svg": picture,
        "_downloads/1/x.csv": "a\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    slim(tmp_path)
    (tmp_path / "a.svg").unlink()
    left = {
        path.relative_to(tmp_path).as_posix()
        for path in tmp_path.rglob("*")
        if path.is_file()
    }
    assert left == {"a/one.html", "_images/x.svg", "_downloads/1/x.csv"}
    assert (tmp_path / "a/one.html").read_text(encoding="utf-8") == (
        '<pre>(\n\n <span class="k">if</span></pre><img class="only-light" '
        'src="../_images/x.svg">'
        '<img class="only-dark" src="../_images/x.svg#dark"><a '
        'href="../_images/x.svg">SVG</a>'
    )
