import pytest

from companion.ledger.registry import load_registry
from companion.paths import Layout
from companion.run.cache import KEPT, MANIFEST, find_entry, keep, kept, key_of
from tests.companion.toy import make_book, replace, write


@pytest.fixture
def layout(tmp_path):
    root = make_book(tmp_path)
    write(root, "requirements.lock", "numpy==2.4.6")
    for name in ("tables/pear-trees.csv", "orchard/extra.csv", "unread/nobodys.csv"):
        write(root, f"data/{name}", "a,b")
    write(root, "data/README.md", "What is here.")
    replace(root, "src/toy/pear.py", "SWEETNESS", 'TREES, MORE = "pear-trees.csv", "../data/orchard"\nSWEETNESS')
    return Layout(root)


def keys(layout, profile="quick", parameters=None):
    registry = load_registry(layout.registry)
    given = {"profile": profile} if parameters is None else parameters
    return {page: key_of(layout, page, profile, given, registry).digest for page in layout.pages()}


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
        ("data/tables/pear-trees.csv", "b", "c", {"pears"}),
        ("data/orchard/extra.csv", "b", "c", {"pears"}),
        ("data/unread/nobodys.csv", "b", "c", set()),
        ("data/README.md", "What", "That", set()),
        ("requirements.lock", "2.4.6", "2.4.7", {"apples", "pears"}),
        ("book/index.md", "A toy", "One toy", set()),
    ],
)
def test_an_edit_changes_exactly_the_keys_that_depend_on_it(layout, name, old, new, hit):
    before = keys(layout)
    assert keys(layout) == before
    replace(layout.root, name, old, new)
    after = keys(layout)
    assert {page for page in after if after[page] != before[page]} == hit


def test_accepting_data_executes_nothing_again(layout):
    before = keys(layout)
    write(layout.root, "data/results/figures/quick/growth.csv", "step,size")
    assert keys(layout) == before


def test_profile_and_parameters_count(layout):
    assert set(keys(layout).values()).isdisjoint(keys(layout, "paper").values())
    assert keys(layout)["pears"] != keys(layout, parameters={"profile": "quick", "pause": 1})["pears"]


@pytest.mark.parametrize(
    ("name", "old", "new"), [("data/unread/nobodys.csv", "b", "c"), ("src/toy/unused.py", "0", "1")]
)
def test_an_unresolved_import_makes_all_data_and_all_of_src_count(layout, name, old, new):
    replace(layout.root, "notebooks/apples.md", "from toy.draw", "__import__(input())\nfrom toy.draw")
    before = keys(layout)
    replace(layout.root, name, old, new)
    after = keys(layout)
    assert {page for page in after if after[page] != before[page]} == {"apples"}


def made(layout, mark=""):
    key = key_of(layout, "pears", "quick", {"mark": mark}, {})
    draft = layout.build / "running" / "pears.1"
    (draft / "run" / "evidence").mkdir(parents=True)
    (draft / "notebook.ipynb").write_text("{}")
    (draft / "run" / "values.json").write_text("{}")
    return key, keep(layout, "pears", "quick", key, draft, 1.5, {})


def test_what_is_kept_is_found_whole(layout):
    key, entry = made(layout)
    found, damage = find_entry(layout, "pears", "quick", key.digest)
    assert damage is None
    assert found == entry
    assert found.notebook.is_file()
    assert not (layout.build / "running" / "pears.1").exists()
    ((document, _),) = kept(layout, "pears", "quick")
    assert (document["parts"], document["seconds"]) == (key.parts, 1.5)


@pytest.mark.parametrize("harm", ["edit", "remove", "add", "manifest", "no manifest"])
def test_damage_is_noticed(layout, harm):
    key, entry = made(layout)
    if harm == "edit":
        entry.notebook.write_text("[]")
    elif harm == "remove":
        (entry.run / "values.json").unlink()
    elif harm == "add":
        (entry.run / "evidence" / "forged.json").write_text("{}")
    elif harm == "manifest":
        (entry.folder / MANIFEST).write_text("{")
    else:
        (entry.folder / MANIFEST).unlink()
    found, damage = find_entry(layout, "pears", "quick", key.digest)
    assert found is None
    assert damage.startswith("pears: the kept execution")


def test_only_the_last_few_are_kept(layout):
    entries = [made(layout, mark=str(n))[1] for n in range(KEPT + 2)]
    assert [entry.folder.exists() for entry in entries] == [False, False, *[True] * KEPT]
