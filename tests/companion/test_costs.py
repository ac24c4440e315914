"""What the pages cost: written from kept executions, told under each title, and no input of an execution."""

import json
import os
import shutil
from pathlib import Path

import pytest

from companion.ledger.registry import load_registry
from companion.paths import CompanionError, Layout
from companion.profiles import PROFILES
from companion.run import cache, costs
from tests.companion import toy

ROOT = Path(__file__).resolve().parents[2]
#: JupyterLab 4.6.6 with a page open held 116 MiB when it was measured; twice that, for what a hub adds, rounded up.
SERVER_MIB = 250
#: What Binder gives.
BINDER_MIB = 2000


@pytest.fixture
def book(tmp_path):
    return Layout(toy.make_book(tmp_path))


def keep(
    layout: Layout, page: str, *, seconds: float, peak: int | None, digest: str = "a" * 32, age: float = 0
) -> Path:
    """Keep an execution as a build does, so many seconds ago."""
    draft = layout.build / "draft"
    (draft / "run").mkdir(parents=True)
    (draft / "notebook.ipynb").write_text("{}", encoding="utf-8")
    parts = {"versions": json.dumps({"python": "3.11.7", "numpy": "2.4.6", "architecture": "x86_64"})}
    usage = {} if peak is None else {"cpu_seconds": seconds, "peak_mib": peak}
    entry = cache.keep(layout, page, "quick", cache.Key(digest, parts, None), draft, 9 * seconds, usage)
    path = entry.folder / cache.MANIFEST
    stamp = path.stat().st_mtime - age
    os.utime(path, (stamp, stamp))
    return entry.folder


def written(layout: Layout) -> dict:
    return json.loads((layout.results / costs.FILE).read_text(encoding="utf-8"))["pages"]


@pytest.mark.parametrize(("given", "up"), [(0.4, 1), (9.01, 10), (12.0, 12), (99.2, 100), (183.0, 190), (1210.0, 1300)])
def test_seconds_are_rounded_up_to_two_digits(given, up):
    assert costs.seconds_up(given) == up


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
    [
        ("{", "is no JSON"),
        ('{"apples": {}}', "is not as it must be"),
        ('{"pages": {"apples": {"quick": {"seconds": 1}}}}', "is not as it must be"),
        (
            '{"pages": {"apples": {"fast": {"seconds": 1, "peak_mib": 10, "cpus": 2, "measured": "2026-01-01"}}}}',
            "is not as it must be",
        ),
    ],
)
def test_a_bad_document_is_refused_and_left_alone(book, text, message):
    path = book.results / costs.FILE
    path.parent.mkdir(parents=True)
    path.write_text(text, encoding="utf-8")
    keep(book, "apples", seconds=50, peak=900)
    with pytest.raises(CompanionError, match=message):
        costs.write_costs(book, "quick")
    assert path.read_text(encoding="utf-8") == text


def test_costs_are_told_in_words():
    quick, paper = ({"seconds": seconds, "peak_mib": mib, "cpus": 2} for seconds, mib in ((12, 410), (180, 620)))
    both = costs.told({"quick": quick, "paper": paper})
    assert both == "quick: 12 s, 410 MiB; paper: 3 min, 620 MiB, as last measured on 2 cores"
    apart = costs.told({"quick": quick, "paper": {"seconds": 8000, "peak_mib": 620, "cpus": 1}})
    assert apart == "quick: 12 s, 410 MiB on 2 cores; paper: 2.3 h, 620 MiB on 1 core, as last measured"


def test_command_writes_them(book):
    keep(book, "apples", seconds=12.3, peak=404)
    answer = toy.command(book.root, "costs", "--profile", "quick")
    assert answer.returncode == 0, answer.stderr
    assert "1 notebook(s) measured, 1 without a figure\nwithout: pears" in answer.stdout


# The book's own


def test_every_notebook_has_its_cost_at_the_quick_profile_and_none_is_of_a_page_that_is_gone():
    document = costs.load_costs(Layout(ROOT))
    assert set(document["pages"]) == set(Layout(ROOT).pages())
    assert [page for page, records in document["pages"].items() if PROFILES[0] not in records] == []


def over_budget(document: dict, budget: int) -> list[str]:
    """Return the pages that do not fit beside the server."""
    return [
        page
        for page, records in document["pages"].items()
        if "quick" in records and records["quick"]["peak_mib"] + SERVER_MIB >= budget
    ]


def test_each_page_fits_into_the_memory_of_binder():
    document = costs.load_costs(Layout(ROOT))
    assert over_budget(document, BINDER_MIB) == []
    assert over_budget(document, 1000), "the control: some page does not fit into half of it"


@pytest.mark.slow
def test_no_execution_depends_on_them(tmp_path):
    for name in ("notebooks", "src", "data"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
    for name in ("_config.yml", "_toc.yml", "pyproject.toml", "requirements.lock", "CHANGELOG.md"):
        shutil.copy(ROOT / name, tmp_path)
    layout = Layout(tmp_path)
    registry = load_registry(layout.registry)

    def digests() -> list[str]:
        pages = ("private-sampling", "primer-laplace")
        return [cache.key_of(layout, page, "quick", {}, registry).digest for page in pages]

    before = digests()
    (layout.results / costs.FILE).write_text("{}\n", encoding="utf-8")
    assert digests() == before
    (layout.data / "other.json").write_text("{}", encoding="utf-8")
    assert digests() != before, "the control: another data file counts"
