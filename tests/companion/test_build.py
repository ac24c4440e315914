import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time

import pandas as pd
import pytest

from companion import build as building
from companion.build import build
from companion.figures import SUFFIXES
from companion.ledger.registry import load_registry
from companion.paths import CompanionError
from companion.run.deviations import Notices
from companion.site.render import recover, stage, toc_documents
from companion.snapshots.update import accept_table
from tests.companion.toy import claims, command, environment, pages_of, replace, write


@pytest.mark.slow
def test_a_build_says_what_it_made_and_the_stage_keeps_the_layout_of_the_book(toy):
    told = (toy.parent / "done").read_text(encoding="utf-8")
    assert "3 pages" in told
    assert f"Start page: {toy}/_build/html/index.html" in told
    assert re.search(r"holds +1$", told, re.MULTILINE)
    stage_ = toy / "_build" / "stage"
    files = {
        path.relative_to(stage_).as_posix()
        for path in stage_.rglob("*")
        if path.is_file()
    }
    assert files == {
        "CITATION.cff",
        "_config.yml",
        "_toc.yml",
        "book/index.md",
        "book/references.bib",
        "claims.json",
        "notebooks/apples.ipynb",
        "notebooks/pears.ipynb",
        "claims/MBDE-L1.md",
        "claims/fig-growth.md",
        "values/apples.json",
        *(f"figures/apples/growth{suffix}" for suffix in SUFFIXES),
    }
    assert claims(toy) == {"MBDE-L1": "holds"}
    html = toy / "_build" / "html"
    start, page = (
        (html / name).read_text()
        for name in ("book/index.html", "notebooks/apples.html")
    )
    assert "24.0" in start
    assert 'alt="A rising line."' in page
    assert "The first steps" in page
    assert "bookfigure" not in page
    assert re.findall(r'href="\.\./(downloads/[^"]+)"', page) == [
        "downloads/apples.ipynb",
        "downloads/references.bib",
    ]
    listed = re.findall(r'href="\.\./downloads/([^"]+)"', start)
    assert listed == ["apples.ipynb", "pears.ipynb", "references.bib"]
    assert all((html / "downloads" / name).is_file() for name in listed)


@pytest.mark.slow
def test_a_figure_whose_data_moved_carries_a_notice_and_only_ci_fails(
    book,
):
    before = pages_of(book)
    spec = load_registry(book.registry)["growth"]
    table = pd.read_csv(book.reference("quick", "growth"))
    allowed = spec.tolerance("size")
    moved = table.loc[3, "size"] = table.loc[3, "size"] + 10 * (
        allowed.atol + allowed.rtol * table.loc[3, "size"]
    )
    accept_table(book, spec, "quick", table, "moved by a test")
    manifest = json.loads(book.manifest.read_text())
    manifest["figures/quick/growth.csv"]["numerics"]["instructions"] = "ABACUS"
    book.manifest.write_text(json.dumps(manifest))
    strict = command(book.root, "build", CI="true")
    assert strict.returncode == 1
    assert (
        "figure growth (profile quick) changed in 1 cell(s); worst: size at "
        "step=3 is 24.0"
    ) in strict.stderr
    assert 'make accept FIG=growth WHY="..."' in strict.stderr
    assert pages_of(book) == before
    done = command(book.root, "build")
    assert done.returncode == 0, done.stderr
    assert "Not as accepted on this machine: 1" in done.stdout
    told = (
        f"the furthest: size at step=3 is 24.0, accepted was {float(moved)!r}, 10 "
        "times the tolerance. "
    )
    assert (
        "figure growth: 1 value is more than one tolerance away from the "
        f"accepted data; {told}"
    ) in done.stdout
    pages = {name: text.decode() for name, text in pages_of(book).items()}
    assert set(pages) == set(before)
    with_notice = {name for name, text in pages.items() if "mf-notice" in text}
    assert with_notice == {"notebooks/apples.html", "claims/fig-growth.html"}
    for name in with_notice:
        assert told in pages[name]
        assert ", there ABACUS" in pages[name]
    assert command(book.root, "accept", "growth", "--why", "as it was").returncode == 0
    done = command(book.root, "build", CI="true")
    assert done.returncode == 0, done.stderr
    assert "apples: nothing changed, kept execution used" in done.stdout
    assert "every verdict and figure is as accepted" in done.stdout
    assert not any(b"mf-notice" in text for text in pages_of(book).values())


@pytest.mark.slow
def test_failing_notebooks_and_changed_figures_are_all_reported_and_old_pages_stay(
    book,
):
    before = pages_of(book)
    replace(book.root, "src/toy/pear.py", "11", "1 / 0")
    replace(book.root, "src/toy/constants.py", "3", "4")
    done = command(book.root, "build", CI="true")
    assert done.returncode == 1
    assert "pears: executing (changed: src/toy/pear.py)" in done.stdout
    assert "ZeroDivisionError: division by zero" in done.stderr
    assert "figure growth (profile quick) changed in 4 cell(s)" in done.stderr
    assert "1 notebook(s) failed: pears" in done.stderr
    assert "The pages of the last good build are unchanged." in done.stderr
    assert "\x1b" not in done.stderr
    assert pages_of(book) == before
    assert not (book.build / "html.new").exists()


@pytest.mark.slow
def test_a_notebook_that_failed_has_its_page_up_to_there_and_all_others_are_written(
    book,
):
    """The failing notebook has a claim, a figure after the cell that fails, and a
    number that the first page names.
    """
    before = pages_of(book)
    replace(
        book.root,
        "notebooks/apples.md",
        "fig = page",
        'print("so far")\n1 / 0\nfig = page',
    )
    done = command(book.root, "build")
    assert done.returncode == 1
    assert "ZeroDivisionError: division by zero" in done.stderr
    assert (
        "1 notebook(s) failed: apples\nTheir pages end there; all other pages are "
        "written."
    ) in done.stderr
    assert "notebook apples failed: ZeroDivisionError: division by zero" in done.stdout
    assert (
        "claim MBDE-L1: its notebook apples failed, so that it has no verdict in "
        "this run"
    ) in done.stdout
    pages = {name: text.decode() for name, text in pages_of(book).items()}
    assert set(before) - set(pages) == {"claims/fig-growth.html"}
    page = pages["notebooks/apples.html"]
    for shown in (
        "Only a part of the page",
        "so far",
        "Traceback",
        "ZeroDivisionError",
        "The notebook failed here",
    ):
        assert shown in page
    assert "The first steps" not in page
    assert "(not computed)" in pages["book/index.html"]
    assert "sweetness 11" in pages["notebooks/pears.html"]
    assert claims(book.root) == {"MBDE-L1": "not-yet-checked"}


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_an_interrupted_build_resumes_and_leaves_no_kernel(book, number):
    """A request to terminate ends it as Ctrl-C does, and so it ends a verification,
    which runs by the same code.
    """
    before = pages_of(book)
    shutil.rmtree(book.build / "cache")
    replace(
        book.root,
        "notebooks/pears.md",
        "time.sleep(pause)",
        "time.sleep(60 if not os.path.exists('go') else 0)",
    )
    told = "import os\nimport time\n\nprint(os.getpid(), file=open('pid', 'w'))\n"
    replace(book.root, "notebooks/pears.md", "import time\n", told)
    program = [sys.executable, "-m", "companion", "build"]
    pipes = dict.fromkeys(("stdout", "stderr"), subprocess.PIPE)
    running = subprocess.Popen(
        program, cwd=book.root, env=environment(book.root), text=True, **pipes
    )
    until = time.monotonic() + 180
    while not (
        any(book.cache("quick", "apples").glob("*/entry.json"))
        and (book.notebooks / "pid").exists()
    ):
        assert time.monotonic() < until
        assert running.poll() is None
        time.sleep(0.05)
    running.send_signal(number)
    _, err = running.communicate(timeout=30)
    assert running.returncode == (130 if number == signal.SIGTERM else -number)
    if number == signal.SIGTERM:
        assert "interrupted: finished notebooks are kept" in err
    kernel = int((book.notebooks / "pid").read_text())
    while os.path.exists(f"/proc/{kernel}") and time.monotonic() < until:
        time.sleep(0.05)
    assert not os.path.exists(f"/proc/{kernel}")
    assert pages_of(book) == before
    (book.notebooks / "go").touch()
    done = command(book.root, "execute")
    assert done.returncode == 0, done.stderr
    assert "apples: nothing changed, kept execution used" in done.stdout
    assert "pears: executing" in done.stdout
    assert not (book.build / "running").exists() or not list(
        (book.build / "running").iterdir()
    )


@pytest.mark.slow
def test_an_unexpected_verdict_fails_where_it_is_strict_and_is_a_notice_elsewhere(
    book,
):
    before = pages_of(book)
    replace(
        book.root,
        "data/claims.yml",
        "expected: holds",
        "expected: 'false'\n  fails: conclusion\n  slip: none\n  stands: all of it"
        "\n  breaks: nothing\n  conclusion: survives\n  correction: the same",
    )
    done = command(book.root, "build", CI="true")
    assert done.returncode == 1
    assert "the ledger and the evidence do not agree" in done.stderr
    assert "MBDE-L1: expected 'false', computed 'unresolved'" in done.stderr
    assert pages_of(book) == before
    done = command(book.root, "build")
    assert done.returncode == 0, done.stderr
    assert "claim MBDE-L1: expected 'false', computed 'unresolved'" in done.stdout
    assert claims(book.root) == {"MBDE-L1": "unresolved"}
    assert (
        "Not the accepted verdict"
        in (book.html / "claims" / "MBDE-L1.html").read_text()
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "old", "new", "message"),
    [
        ("book/index.md", "apples:total", "apples:absent", "unknown value 'absent'"),
        ("_toc.yml", "notebooks/pears", "notebooks/plums", "notebooks/plums"),
    ],
)
def test_what_does_not_render_keeps_the_old_pages(book, name, old, new, message):
    before = pages_of(book)
    replace(book.root, name, old, new)
    done = command(book.root, "build")
    assert done.returncode == 1
    assert message in done.stderr
    assert "The pages of the last good build are unchanged." in done.stderr
    assert pages_of(book) == before


# Without kernels


@pytest.mark.parametrize(
    ("name", "old", "new", "message"),
    [
        (
            "data/claims.yml",
            "holds",
            "good",
            "the ledger is not as it must be:\nclaims.yml: MBDE-L1: 'good'",
        ),
        (
            "data/results/figures/quick/growth.csv",
            "2.0",
            "2.5",
            "nothing was executed:\nfigures/quick/growth.csv: ",
        ),
    ],
)
def test_a_slip_in_the_ledger_or_in_accepted_data_ends_the_build_before_any_work(
    layout, monkeypatch, name, old, new, message
):
    table = pd.DataFrame({"step": [0, 1], "size": [1.0, 2.0]})
    spec = load_registry(layout.registry)["growth"]
    accept_table(layout, spec, "quick", table, "first")
    monkeypatch.setattr(
        building,
        "execute_pages",
        lambda *_, **__: pytest.fail("notebooks were executed"),
    )
    replace(layout.root, name, old, new)
    with pytest.raises(CompanionError, match=re.escape(message)):
        build(layout, "quick")


def test_the_toc_is_read_with_parts_and_sections(tmp_path):
    toc = (
        "{format: jb-book, root: book/index, parts: [{chapters: [{file: a, sections: "
        "[{file: b}, {url: 'a://b'}]}]}]}"
    )
    write(tmp_path, "_toc.yml", toc)
    assert toc_documents(tmp_path / "_toc.yml") == ["book/index", "a", "b"]
    with pytest.raises(CompanionError, match=r"_toc.yml cannot be read"):
        toc_documents(tmp_path / "nothing" / "_toc.yml")


def test_the_stage_holds_nothing_old(layout):
    write(layout.root, "_build/stage/notebooks/old.ipynb", "{}")
    stage(layout, {"claims": []}, {}, Notices())
    assert not (layout.stage / "notebooks").exists()
    assert (layout.stage / "claims.json").is_file()
    assert (layout.stage / "book" / "index.md").is_file()


def test_pages_lost_between_two_renames_come_back(layout):
    write(layout.root, "_build/html.old/index.html", "old")
    recover(layout)
    assert (layout.html / "index.html").is_file()
    write(layout.root, "_build/html.old/index.html", "older")
    recover(layout)
    assert (layout.html / "index.html").read_text() == "old\n"
