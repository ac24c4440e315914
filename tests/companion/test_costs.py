"""What the pages cost: written from kept executions, and no input of an execution."""

import os
import shutil
import time

from companion.paths import Layout
from companion.run import cache
from tests.companion.toy import make_book
from tests.repository import ROOT
from tools import costs

#: JupyterLab 4.6.6 with a page open held 116 MiB when it was measured; twice that, for
#: what a hub adds, rounded up.
SERVER_MIB = 250
#: What Binder gives.
BINDER_MIB = 2000


def keep(layout, page, seconds, usage, age=0.0):
    """Keep an execution as a build does, so many seconds ago."""
    draft = layout.build / "draft"
    (draft / "run").mkdir(parents=True)
    (draft / "notebook.ipynb").touch()
    stamp = time.time() - age
    os.utime(draft / "notebook.ipynb", (stamp, stamp))
    cache.keep(
        layout,
        page,
        "quick",
        cache.Key(f"{seconds}", {}),
        cache.Entry(draft, {}, 9 * seconds, usage),
    )


def written(layout, profile="quick"):
    costs.write_costs(layout, profile)
    return costs.load_costs(layout)


def test_the_newest_execution_counts_and_a_page_without_keeps_its_old_figure(
    tmp_path, capsys
):
    book = Layout(make_book(tmp_path))
    keep(book, "apples", 50, {"cpu_seconds": 50, "peak_mib": 900}, age=9 * 86400)
    keep(book, "pears", 3, {"cpu_seconds": 3.2, "peak_mib": 101}, age=5 * 86400)
    first = written(book)
    assert first["apples"]["quick"]["peak_mib"] == 900
    keep(book, "apples", 12, {"cpu_seconds": 12.3, "peak_mib": 404}, age=60)
    shutil.rmtree(book.cache("quick", "pears"))
    second = written(book)
    assert second["pears"] == first["pears"], "an old figure stays, with its day"
    apples = second["apples"]["quick"]
    assert (apples["seconds"], apples["peak_mib"]) == (12, 400)
    assert apples["measured"] > first["apples"]["quick"]["measured"]
    capsys.readouterr()
    assert written(book, "paper") == second
    assert capsys.readouterr().out == "without a figure: apples pears\n"
    (book.notebooks / "pears.md").unlink()
    assert set(written(book)) == {"apples"}, "a page that is gone has no cost"


# The book's own


def test_every_notebook_has_its_quick_cost_and_fits_into_the_memory_of_binder():
    document = costs.load_costs(Layout(ROOT))
    assert set(document) == set(Layout(ROOT).pages())
    assert {
        name for own in document.values() for record in own.values() for name in record
    } == {"seconds", "peak_mib", "measured"}
    largest = max(own["quick"]["peak_mib"] for own in document.values())
    assert 1000 <= largest + SERVER_MIB < BINDER_MIB, (
        "and some page does not fit into half of it"
    )
