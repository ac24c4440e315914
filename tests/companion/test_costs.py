"""What the pages cost: written from kept executions, told under each title, and no input of an execution."""

import json
import os
import shutil
from pathlib import Path

import pytest

from companion.paths import CompanionError, Layout
from companion.profiles import PROFILES
from companion.run import cache, costs
from tests.companion.toy import command, make_book

ROOT = Path(__file__).resolve().parents[2]
#: JupyterLab 4.6.6 with a page open held 116 MiB when it was measured; twice that, for what a hub adds, rounded up.
SERVER_MIB = 250
#: What Binder gives.
BINDER_MIB = 2000


@pytest.fixture
def book(tmp_path):
    return Layout(make_book(tmp_path))


def keep(
    layout: Layout, page: str, *, seconds: float, peak: int | None, digest: str = "a" * 32, age: float = 0
) -> Path:
    """Keep an execution as a build does, so many seconds ago."""
    draft = layout.build / "draft"
    (draft / "run").mkdir(parents=True)
    (draft / "notebook.ipynb").write_text("{}", encoding="utf-8")
    parts = {"versions": json.dumps({"python": "3.11.7", "numpy": "2.4.6", "architecture": "x86_64"})}
    usage = {} if peak is None else {"cpu_seconds": seconds, "peak_mib": peak}
    entry = cache.keep(layout, page, "quick", cache.Key(digest, parts), draft, 9 * seconds, usage)
    path = entry.folder / cache.MANIFEST
    stamp = path.stat().st_mtime - age
    os.utime(path, (stamp, stamp))
    return entry.folder


def written(layout: Layout) -> dict:
    return json.loads((layout.results / costs.FILE).read_text(encoding="utf-8"))["pages"]


def test_newest_kept_execution_counts_and_a_page_without_keeps_its_old_figure(book):
    keep(book, "apples", seconds=50, peak=900, digest="a" * 32, age=9 * 86400)
    keep(book, "pears", seconds=3.2, peak=101, digest="b" * 32, age=5 * 86400)
    assert costs.write_costs(book, "quick") == (["apples", "pears"], [])
    first = written(book)
    assert first["apples"]["quick"]["peak_mib"] == 900
    keep(book, "apples", seconds=12.3, peak=404, digest="c" * 32)
    shutil.rmtree(book.cache("quick", "pears"))
    assert costs.write_costs(book, "quick") == (["apples"], [])
    second = written(book)
    assert second["pears"] == first["pears"], "an old figure stays, with its day"
    apples = second["apples"]["quick"]
    assert (apples["seconds"], apples["peak_mib"]) == (13, 410)
    assert apples["measured"] > first["apples"]["quick"]["measured"]
    assert costs.write_costs(book, "paper") == ([], ["apples", "pears"])
    assert written(book) == second
    (book.notebooks / "pears.md").unlink()
    costs.write_costs(book, "quick")
    assert set(written(book)) == {"apples"}, "a page that is gone has no cost"


def test_an_execution_without_memory_or_with_damage_does_not_count(book):
    keep(book, "apples", seconds=50, peak=900, digest="a" * 32, age=60)
    damaged = keep(book, "apples", seconds=1, peak=10, digest="b" * 32, age=30)
    keep(book, "apples", seconds=2, peak=None, digest="c" * 32)
    (damaged / "notebook.ipynb").write_text("changed", encoding="utf-8")
    assert costs.write_costs(book, "quick") == (["apples"], ["pears"])
    assert written(book)["apples"]["quick"]["peak_mib"] == 900


@pytest.mark.parametrize(
    ("text", "message"),
    [("{", "cannot be read: JSONDecodeError"), ("{}", "cannot be read: KeyError")],
)
def test_a_bad_document_is_refused_and_left_alone(book, text, message):
    path = book.results / costs.FILE
    path.parent.mkdir(parents=True)
    path.write_text(text, encoding="utf-8")
    keep(book, "apples", seconds=50, peak=900)
    with pytest.raises(CompanionError, match=message):
        costs.write_costs(book, "quick")
    assert path.read_text(encoding="utf-8") == text


@pytest.mark.slow
def test_command_writes_what_the_executions_of_a_build_took(toy, tmp_path):
    layout = Layout(shutil.copytree(toy, tmp_path / "book"))
    answer = command(layout.root, "costs", "--profile", "quick")
    assert answer.returncode == 0, answer.stderr
    assert "2 notebook(s) measured, 0 without a figure" in answer.stdout
    assert all(30 < page["quick"]["peak_mib"] < 2000 for page in written(layout).values())


# The book's own


def test_every_notebook_has_its_cost_at_the_quick_profile_and_none_is_of_a_page_that_is_gone():
    document = costs.load_costs(Layout(ROOT))
    assert set(document) == set(Layout(ROOT).pages())
    records = [record for costs in document.values() for record in costs.values()]
    assert all(set(record) == {"seconds", "peak_mib", "cpus", "measured"} for record in records)
    assert [page for page, costs in document.items() if PROFILES[0] not in costs] == []


def over_budget(document: dict, budget: int) -> list[str]:
    """Return the pages that do not fit beside the server."""
    return [
        page
        for page, records in document.items()
        if "quick" in records and records["quick"]["peak_mib"] + SERVER_MIB >= budget
    ]


def test_each_page_fits_into_the_memory_of_binder():
    document = costs.load_costs(Layout(ROOT))
    assert over_budget(document, BINDER_MIB) == []
    assert over_budget(document, 1000), "the control: some page does not fit into half of it"
