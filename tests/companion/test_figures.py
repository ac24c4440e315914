import json
import re
import xml.etree.ElementTree as ElementTree

import matplotlib as mpl
import matplotlib.colors
import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure as Drawing

from companion import drawing
from companion.figures import PRINTED, SUFFIXES, save_figure
from companion.ledger.registry import FigureSpec, Tolerance, load_registry
from companion.paths import CompanionError
from companion.provenance import numerics, versions
from companion.snapshots.compare import (
    Distance,
    distance_from_reference,
    means_apart,
    table_text,
)
from companion.snapshots.update import accept_table, verify_manifest
from tests.companion.toy import replace, write
from tests.site_checks import contrast, luminance


def study(n=6, seed=3):
    steps = np.arange(n)
    return pd.DataFrame(
        {"step": steps, "size": 2.0**steps + np.random.default_rng(seed).normal(size=n)}
    )


def draw():
    table = study()
    figure, axes = drawing.new_figure(aspect=0.4)
    axes.plot(table["step"], table["size"], label="a line")
    axes.fill_between(
        table["step"], 0, table["size"], hatch="//", facecolor=drawing.FILL
    )
    axes.legend()
    return figure


SPEC = FigureSpec("toy-figure", "apples", ("step",))


# The registry


def test_registry_reads_tolerances_and_keys(layout):
    room = "{default: {rtol: 1.0e-6, atol: 0}, columns: {nll: {rtol: 0, atol: 0.5}}}"
    write(
        layout.root,
        "data/figures.yml",
        f"a-figure: {{page: apples, key: [eps, x], tolerance: {room}}}",
    )
    one = load_registry(layout.registry)["a-figure"]
    assert (one.tolerance("nll"), one.tolerance("other")) == (
        Tolerance(0.0, 0.5),
        Tolerance(1e-6, 0.0),
    )
    assert one.key == ("eps", "x")


@pytest.mark.parametrize(
    ("new", "message"),
    [
        (
            "key: [step]\n  compute: a.b:c",
            "growth: Additional properties are not allowed ('compute'",
        ),
        ("key: []", "growth: key: [] should be non-empty"),
        ("key: [step]\n  key: [x]", "key given twice: key"),
        (
            "key: [step]\n  tolerance: {rtol: -1, atol: 0}",
            "rtol: -1 is less than the minimum",
        ),
    ],
)
def test_registry_refuses(layout, new, message):
    replace(layout.root, "data/figures.yml", "key: [step]", new)
    with pytest.raises(CompanionError, match=re.escape(message)):
        load_registry(layout.registry)


# Drawing and saving


@pytest.mark.slow
def test_all_files_are_written_and_the_same_bytes_each_time(layout, tmp_path):
    first, second = (
        save_figure(layout, SPEC, "quick", tmp_path / name, study(), draw)
        for name in ("one", "two")
    )
    for suffix in (*SUFFIXES, *PRINTED):
        assert first[suffix].stat().st_size > 50
        if suffix != ".json":
            assert first[suffix].read_bytes() == second[suffix].read_bytes(), suffix
    root = ElementTree.parse(first[".svg"]).getroot()
    assert float(root.get("width").removesuffix("pt")) * 4 / 3 <= 700
    other = save_figure(layout, SPEC, "quick", tmp_path / "other", study(seed=4), draw)
    assert first[".csv"].read_bytes() != other[".csv"].read_bytes()


def test_pyplot_figures_are_closed_and_settings_of_the_reader_stay_apart(
    layout, tmp_path
):
    import matplotlib.pyplot as plt

    with mpl.rc_context({"font.size": 40, "lines.linestyle": ":"}), drawing.style():
        assert (mpl.rcParams["font.size"], mpl.rcParams["lines.linestyle"]) == (10, "-")
    before = dict(mpl.rcParams)
    save_figure(layout, SPEC, "quick", tmp_path, study(), lambda: plt.subplots()[0])
    assert plt.get_fignums() == []
    assert dict(mpl.rcParams) == before


# The table and its reference

TABLE = pd.DataFrame(
    {
        "eps": [0.5, 1.0, 2.0],
        "name": ["one", "two, three", ""],
        "n": [1, 2, 3],
        "passed": [True, False, True],
    }
).assign(value=[0.1, np.nan, np.inf])
KEYED = FigureSpec(
    "toy-figure", "apples", ("eps",), column_tolerances={"value": Tolerance(0, 0.01)}
)


def test_table_text_reads_back_as_the_same_floats():
    values = [0.1, 1 / 3, 1e-300, -0.0, 2.0**60, np.nan, np.inf]
    text = table_text("x", pd.DataFrame({"v": values}))
    assert "\r" not in text
    back = [float(line) for line in text.splitlines()[1:]]
    np.testing.assert_array_equal(back, values)
    assert np.signbit(back[3])


@pytest.mark.parametrize(
    "column", [[1j], [object()], [None], [pd.Timestamp("2020-01-01")]]
)
def test_table_text_refuses_what_a_csv_cannot_hold(column):
    with pytest.raises(CompanionError, match="figure x"):
        table_text("x", pd.DataFrame({"v": column}))


def accepted(layout, table=TABLE, one=KEYED, why="first of its kind"):
    return accept_table(layout, one, "quick", table, why)


def test_rows_are_matched_by_key_and_rounding_in_a_key_is_no_new_row(layout):
    accepted(layout)
    assert distance_from_reference(
        layout, KEYED, "quick", TABLE.iloc[[2, 0, 1]]
    ) == Distance("toy-figure")
    assert (
        distance_from_reference(
            layout, KEYED, "quick", TABLE.assign(eps=TABLE["eps"] * (1 + 1e-13))
        ).tolerances
        < 1
    )


@pytest.mark.parametrize("shift", [0.0099, -0.0099, 0.0101, -0.0101, 0.1])
def test_the_distance_is_that_of_the_worst_cell_in_tolerances_and_one_is_allowed(
    layout, shift
):
    accepted(layout)
    table = TABLE.assign(value=[0.1 + shift, np.nan, np.inf])
    far = distance_from_reference(layout, KEYED, "quick", table)
    assert far.tolerances == pytest.approx(abs(shift) / 0.01)
    assert (far.column, far.key, far.accepted, float(far.value)) == (
        "value",
        "eps=0.5",
        "0.1",
        0.1 + shift,
    )
    assert far.cells == (abs(shift) > 0.01)
    assert "cell(s); worst: value at eps=0.5 is " in far.message("quick")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda t: t.assign(value=[0.1, 0.2, np.inf]),
            "value at eps=1.0 is 0.2, accepted was nan",
        ),
        (
            lambda t: t.assign(value=[0.1, np.nan, -np.inf]),
            "value at eps=2.0 is -inf, accepted was inf",
        ),
        (
            lambda t: t.assign(name=["one", "two", ""]),
            "name at eps=1.0 is two, accepted was two, three",
        ),
        (lambda t: t.assign(passed=[True, True, True]), "passed at eps=1.0 is true"),
        (lambda t: t.assign(n=[1, 2, 4]), "n at eps=2.0 is 4, accepted was 3"),
        (lambda t: t.drop(columns="n"), "columns are"),
        (
            lambda t: t.iloc[:2],
            "0 row(s) are new and 1 gone, the first gone one at eps=2.0",
        ),
        (
            lambda t: t.assign(eps=[0.5, 1.0, 3.0]),
            "1 row(s) are new and 1 gone, the first new one at eps=3.0",
        ),
        (
            lambda t: t.assign(n=[1, 3, 9]),
            "changed in 2 cell(s); worst: n at eps=2.0 is 9",
        ),
    ],
)
def test_a_change_is_named_with_the_command_that_accepts_it(layout, change, message):
    accepted(layout)
    far = distance_from_reference(layout, KEYED, "quick", change(TABLE))
    assert far.tolerances > 1
    assert message in far.message("quick")
    assert far.message("quick").endswith('make accept FIG=toy-figure WHY="..."')
    accepted(layout, change(TABLE), why="the change is right")
    assert (
        distance_from_reference(layout, KEYED, "quick", change(TABLE)).tolerances == 0
    )


def chaotic(seed, runs=20):
    rng = np.random.default_rng(seed)
    table = pd.DataFrame(
        [(way, run) for way in ("one", "two") for run in range(runs)],
        columns=["way", "seed"],
    )
    return table.assign(
        modes=np.where(table["way"] == "one", 8, rng.integers(2, 7, 2 * runs)),
        near=rng.random(2 * runs),
    )


def test_chaotic_runs_are_compared_by_their_means_within_the_false_alarm_rate(
    layout, monkeypatch
):
    runs = FigureSpec("toy-figure", "apples", ("way", "seed"), mean_over="seed")
    first = chaotic(1)
    accepted(layout, first, runs)
    assert (
        0 < distance_from_reference(layout, runs, "quick", chaotic(2)).tolerances < 1
    )  # other runs of the same law
    for change, message in [
        (
            first.assign(near=first["near"].where(first["way"] == "one", 1.5)),
            "mean near of 20 runs at way=two",
        ),
        (
            first.assign(modes=first["modes"].replace(8, 7)),
            "mean modes of 20 runs at way=one is 7",
        ),
    ]:
        far = distance_from_reference(layout, runs, "quick", change)
        assert far.tolerances > 1
        assert message in str(far)
    monkeypatch.setattr("companion.snapshots.compare.FALSE_ALARM", 0.02)
    pairs = [
        [
            chaotic(2 * seed + i).drop(columns="modes").iloc[:20].astype(str)
            for i in (0, 1)
        ]
        for seed in range(200)
    ]
    alarms = sum(
        means_apart(runs, *pair).tolerances > 1 for pair in pairs
    )  # independent pairs of one mean each
    assert (
        0 < alarms <= 16
    )  # four expected; more than 16 of 200 once in a million, none once in 57
    accepted(layout, chaotic(1, 19), runs, why="too few for a mean")
    assert re.search(
        r"near at way=.*, seed=\d+ is",
        str(distance_from_reference(layout, runs, "quick", chaotic(2, 19))),
    )


def test_what_is_not_there_and_what_is_no_number_is_infinitely_far(layout):
    far = distance_from_reference(layout, KEYED, "paper", TABLE)
    assert far.tolerances == np.inf
    assert "(profile paper) has no accepted data yet." in far.message("paper")
    assert "PROFILE=paper" in far.message("paper")
    accepted(layout)
    assert (
        distance_from_reference(layout, KEYED, "quick", layout.root / "no.csv").fault
        == "was not made"
    )
    for table in (
        TABLE.iloc[:2],
        TABLE.drop(columns="n"),
        TABLE.assign(passed=True),
        TABLE.assign(name="x"),
    ):
        assert (
            distance_from_reference(layout, KEYED, "quick", table).tolerances == np.inf
        )


def test_a_key_that_names_two_rows_is_refused(layout):
    with pytest.raises(CompanionError, match="two rows have the same key"):
        accepted(layout, TABLE.assign(eps=1.0))


# Accepting, the manifest, the log


def test_accepting_writes_reference_manifest_and_log_and_the_same_again_changes_nothing(
    layout,
):
    write(
        layout.root,
        "data/results/CHANGES.md",
        "# Accepted\n\n## Unreleased\n\n- older line\n\n## 0.1.0\n\n- first",
    )
    digest, new = accepted(layout)
    assert new
    assert json.loads(layout.manifest.read_text()) == {
        "figures/quick/toy-figure.csv": {
            "sha256": digest,
            "reason": "first of its kind",
            "command": 'make accept FIG=toy-figure WHY="first of its kind"',
            "versions": versions(),
            "numerics": numerics(),
        }
    }
    line = f"- figure `toy-figure` (profile quick): first of its kind [{digest[:8]}]"
    log = (
        f"# Accepted\n\n## Unreleased\n\n- older line\n{line}\n\n## 0.1.0\n\n- first\n"
    )
    assert layout.changes.read_text() == log
    assert accepted(layout, why="another reason") == (digest, False)
    assert layout.changes.read_text() == log
    assert "another reason" not in layout.manifest.read_text()
    layout.changes.unlink()
    accepted(layout, TABLE.iloc[:1])
    assert layout.changes.read_text().startswith(
        "# Accepted data of the figures\n\n## Unreleased\n\n- figure `toy-fig"
    )


@pytest.mark.parametrize("why", ["   ", "...", "one\ntwo", None])
def test_accepting_needs_a_reason(layout, why):
    with pytest.raises(CompanionError, match="needs a reason"):
        accepted(layout, why=why)
    assert not layout.manifest.exists()


def test_verify_manifest_finds_every_kind_of_fault(layout):
    accepted(layout)
    path = layout.reference("quick", "toy-figure")
    good = path.read_text()
    log = layout.changes.read_text()
    path.write_text(good.replace("0.1", "0.2"))
    assert "changed without being accepted" in verify_manifest(layout.root)[0]
    path.write_text(good)
    layout.changes.write_text("# Accepted\n")
    assert "CHANGES.md has no line with" in verify_manifest(layout.root)[0]
    layout.changes.write_text(log)
    stray = path.with_name("stray.csv")
    stray.write_text("a\n")
    assert verify_manifest(layout.root) == [
        "figures/quick/stray.csv: not in the manifest"
    ]
    stray.unlink()
    manifest = layout.manifest.read_text()
    layout.manifest.write_text(manifest.replace('"first of its kind"', '""'))
    assert verify_manifest(layout.root) == [
        "figures/quick/toy-figure.csv: accepted without a reason"
    ]
    layout.manifest.write_text(manifest)
    path.unlink()
    assert "there is no such file" in verify_manifest(layout.root)[0]


# The house style


def least_step_in_grey(colours):
    """The least step of CIE L*, 0 to 100, from one colour to the next: what is left of
    a difference in grey.
    """
    grey = [
        116 * np.cbrt(y) - 16 if y > 216 / 24389 else y * 24389 / 27
        for y in map(luminance, colours)
    ]
    return min(abs(a - b) for a, b in zip(grey, (*grey[1:], grey[0]), strict=True))


@pytest.mark.parametrize("dark", [False, True])
def test_colours_differ_in_grey_and_from_the_background_and_words_in_them_can_be_read(
    dark,
):
    """The controls: the default colours of matplotlib in grey, and words in the colours
    of the lines on white.
    """

    def shown(*colours):
        return [drawing.DARK[colour] if dark else colour for colour in colours]

    ground = shown(drawing.GROUND)[0]
    lines = shown(*drawing.PALETTE)
    assert least_step_in_grey(lines) > 13
    assert (
        least_step_in_grey(
            map(
                mpl.colors.to_hex,
                mpl.rcParamsDefault["axes.prop_cycle"].by_key()["color"],
            )
        )
        < 13
    )
    words = (*drawing.WRITTEN.values(), drawing.MUTED)
    for colours, least in ((lines, 3), (shown(*words), 4.5), (shown(drawing.INK), 7)):
        assert min(contrast(colour, ground) for colour in colours) >= least
    assert min(contrast(colour, drawing.GROUND) for colour in drawing.PALETTE) < 4.5


def test_words_in_a_colour_of_the_palette_have_its_darker_shade():
    _, axes = drawing.new_figure()
    inks = [
        drawing.label(axes, 0, 0, "word", drawing.colour(i)).get_color()
        for i in range(len(drawing.PALETTE))
    ]
    assert inks == list(drawing.WRITTEN.values())
    assert drawing.label(axes, 0, 0, "word").get_color() == drawing.INK


@pytest.mark.parametrize(
    ("points", "expected"), [(drawing.DENSE, 0), (drawing.DENSE + 1, 3)]
)
def test_dense_artists_become_pixels(points, expected):
    figure = Drawing()
    axes = figure.subplots()
    x = np.linspace(0, 1, points)
    axes.plot(x, x)
    axes.scatter(x, x)
    axes.fill_between(x, x, 1) if expected else axes.plot([0, 1], [0, 1])
    drawing.rasterise_dense(figure)
    assert len(figure.findobj(lambda artist: artist.get_rasterized())) == expected
