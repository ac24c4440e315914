import pytest

from companion.ledger.registry import load_registry
from companion.paths import Layout
from companion.run.cache import (
    KEPT,
    MANIFEST,
    Entry,
    Key,
    find_entry,
    keep,
    key_of,
    newest,
)
from companion.run.execute import child_environment, counted_variables
from tests.companion.toy import make_book, replace, write
from tools import portable


@pytest.fixture
def layout(tmp_path):
    root = make_book(tmp_path)
    write(root, "requirements.lock", "numpy==2.4.6")
    write(root, "data/datasets/pear-trees.csv", "a,b")
    write(root, "data/results/figures/quick/growth.csv", "step,size")
    write(root, "data/README.md", "What is here.")
    return Layout(root)


def keys(layout, profile="quick"):
    registry = load_registry(layout.registry)
    return {
        page: key_of(layout, page, profile, registry).digest for page in layout.pages()
    }


@pytest.mark.parametrize(
    ("name", "old", "new", "hit"),
    [
        ("src/toy/constants.py", "3", "4", {"apples"}),
        ("src/toy/draw.py", "step", "Step", {"apples"}),
        ("src/toy/pear.py", "11", "12", {"pears"}),
        ("src/toy/__init__.py", "A toy", "The toy", {"apples", "pears"}),
        ("src/toy/unused.py", "0", "1", set()),
        ("notebooks/pears.md", "Pears", "More pears", {"pears"}),
        ("data/figures.yml", "[step]", "[size]", {"apples"}),
        ("data/claims.yml", "Doubling", "Twice", set()),
        ("data/datasets/pear-trees.csv", "b", "c", {"apples", "pears"}),
        ("data/README.md", "What", "That", set()),
        ("data/results/figures/quick/growth.csv", "step", "steps", set()),
        ("requirements.lock", "2.4.6", "2.4.7", {"apples", "pears"}),
        ("book/index.md", "A toy", "One toy", set()),
    ],
)
def test_an_edit_changes_exactly_the_keys_that_depend_on_it(
    layout, name, old, new, hit
):
    before = keys(layout)
    assert keys(layout) == before
    replace(layout.root, name, old, new)
    after = keys(layout)
    assert {page for page in after if after[page] != before[page]} == hit


def test_the_profile_counts(layout):
    assert set(keys(layout).values()).isdisjoint(keys(layout, "paper").values())


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        *((name, True) for name in (*portable.VARIABLES, portable.TRAINING)),
        *(
            (name, True)
            for name in (
                "PYTHONPATH",
                "LD_PRELOAD",
                "FLINT_X",
                "TORCH_X",
                "PANDAS_X",
                "SYMPY_GROUND_TYPES",
            )
        ),
        *(
            (name, False)
            for name in (
                *portable.THREADS,
                "MOLLIFIED_JOBS",
                "MOLLIFIED_SHARED",
                "HOME",
            )
        ),
        *(
            (name, False)
            for name in (
                "PYTHONOPTIMIZE",
                "PYTHONHASHSEED",
                "PYTHONUTF8",
                "PYTHONWARNINGS",
                "LC_ALL",
                "TZ",
            )
        ),
    ],
)
def test_a_variable_that_can_change_a_result_and_is_not_fixed_counts(
    layout, monkeypatch, name, counts
):
    monkeypatch.delenv(name, raising=False)
    before = keys(layout)
    given = child_environment(layout).get(name)
    monkeypatch.setenv(name, "/another")
    after = keys(layout)
    assert {after[page] != before[page] for page in after} == {counts}
    passed = child_environment(layout).get(name)
    assert counts == (name in counted_variables())
    assert name in ("HOME", "MOLLIFIED_JOBS", "MOLLIFIED_SHARED") or counts == (
        passed != given
    )


def made(layout, mark=""):
    key = Key(f"key{mark}", {"mark": mark})
    draft = layout.build / "running" / "pears.1"
    (draft / "run" / "evidence").mkdir(parents=True)
    (draft / "notebook.ipynb").write_text("{}")
    (draft / "run" / "values.json").write_text("{}")
    return key, keep(layout, "pears", "quick", key, Entry(draft, {}, 1.5))


def test_what_is_kept_is_found_whole(layout):
    key, entry = made(layout)
    assert (
        find_entry(layout, "pears", "quick", key.digest)
        == newest(layout, "pears", "quick")
        == entry
    )
    assert entry.notebook.is_file()
    assert not (layout.build / "running" / "pears.1").exists()
    assert (entry.parts, entry.seconds) == (key.parts, 1.5)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("notebook.ipynb", "[]"),
        ("run/forged.json", "{}"),
        (MANIFEST, "{"),
        ("run/values.json", None),
    ],
)
def test_damage_is_noticed(layout, name, text):
    key, entry = made(layout)
    (entry.folder / name).unlink() if text is None else (
        entry.folder / name
    ).write_text(text)
    assert find_entry(layout, "pears", "quick", key.digest) is None
    assert newest(layout, "pears", "quick") is None


def test_only_the_last_few_are_kept(layout):
    entries = [made(layout, mark=str(n))[1] for n in range(KEPT + 2)]
    assert [entry.folder.exists() for entry in entries] == [
        False,
        False,
        *[True] * KEPT,
    ]
