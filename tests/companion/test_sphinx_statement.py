"""The reproducibility statement, and the page for errors, on a small book made here."""

import json
import re

import pytest

from companion.citing import publication
from companion.site.book_pages import PARTS
from tests.companion.test_sphinx_ext import built, make_book, page_of, write

pytestmark = pytest.mark.slow

CITATION = """
title: A toy
version: {version}
preferred-citation: {{title: A toy, year: 2027, authors: [{{name: The toy makers}}]}}
"""
COSTS = {
    "setups": {},
    "pages": {
        "one": {
            "quick": {"seconds": 90, "peak_mib": 300},
            "paper": {"seconds": 7000, "peak_mib": 400},
        },
        "two": {"quick": {"seconds": 40, "peak_mib": 900}},
    },
}


def make(root, *, costs=COSTS, version="1.1.0"):
    make_book(root)
    ledger = json.loads((root / "claims.json").read_text(encoding="utf-8"))
    ledger["claims"][2] |= {
        "grade": "sizes",
        "sizes": "2 points by trying all instances",
    }
    write(root / "claims.json", json.dumps(ledger))
    if not (root / "CHANGELOG.md").is_file():
        write(
            root / "CHANGELOG.md",
            "# Changelog\n\n## [1.1.0] - 2027-02-01\n\n## [1.0.0] - 2027-01-01\n",
        )
    write(root / "CITATION.cff", CITATION.format(version=version))
    write(root / "notebooks/one.md", "seed = 41\n")
    write(root / "src/one/two/__init__.py", '"""Hold $x^2$.\n\nMore is not shown."""\n')
    write(root / "src/one/two/three.py", "")
    for name in ("ring", "bare"):
        record = json.loads(
            (root / f"figures/one/{name}.json").read_text(encoding="utf-8")
        )
        record["machine"] = {"cpus": 2, "architecture": "x86_64", "system": "Linux"}
        write(root / f"figures/one/{name}.json", json.dumps(record))
    if costs is not None:
        write(root / "data/results/costs.json", json.dumps(costs))
    statement = "".join(
        f"## Part {part}\n\n```{{statement}} {part}\n```\n\n" for part in PARTS
    )
    names = [
        "notebooks/one",
        *(f"book/{name}" for name in ("ledger", "statement", "report")),
    ]
    pages = {
        "book/statement.md": f"# Statement\n\n{statement}",
        "book/report.md": "# Report\n\n```{where-to-report}\n```\n",
        "index.md": "\n".join(["# Root\n\n```{toctree}", *names, "```\n"]),
    }
    for name, text in pages.items():
        write(root / name, text)
    conf = (root / "conf.py").read_text(encoding="utf-8")
    write(
        root / "conf.py",
        conf.replace('"_out*"]', '"_out*", "notebooks/one.md", "CHANGELOG.md"]'),
    )
    return root


def text_of(root, page):
    html = page_of(root, f"book/{page}")
    return " ".join(re.sub(r"<[^>]+>", " ", html).split()), html


@pytest.fixture(autouse=True)
def no_address(monkeypatch):
    for name in (publication.REPOSITORY, publication.SITE, "COMPANION_ROOT"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    return built(make(tmp_path_factory.mktemp("book")))


def test_statement_says_what_the_run_found_what_it_cost_and_what_folders_are_for(
    book,
):
    text, html = text_of(book, "statement")
    said = (
        "Verdict All Version 1 Version 3 The lecture",
        "holds 1 1 0 0",
        "All 7 5 1 1",  # a claim counts for the text that states it first
        "exact 3 0 3,000",
        "5 tests in all",
        (
            "1 claim has this grade : MBDE-D1.b . Of these, 1 by deciding all "
            "instances of a size one by one."
        ),
        "2 processors, x86_64, Linux",
        "1 of 1 notebooks draw at random and have the parameter seed (41)",
        "not seen in our rerun : 1 sentence.",
        "seen in our rerun of a variant only : 0 sentences.",
        "What our rerun shows Half do.",
        "quick 2 2 min 90 s (one) 900 MiB (two)",
        "paper 1 117 min 117 min (one) 400 MiB (one)",
        "90 s, 300 MiB 117 min, 400 MiB",
        "Folder of src What it is for Modules one/two Hold",
    )
    assert [words for words in said if words not in text] == []
    assert 'href="ledger.html#claim-mbde-x"' in html
    assert re.search(r">three\s*<", html)
    assert "More is not shown" not in text


def test_report_page_names_no_tracker_unless_told(book, tmp_path, monkeypatch):
    text, html = text_of(book, "report")
    assert "This copy is version 1.1.0" in text
    assert "was not told the address of an issue tracker" in text
    assert "issues/new" not in html
    monkeypatch.setenv(publication.REPOSITORY, "https://example.org/us/book")
    root = built(make(tmp_path, costs=None, version="1.0.0"))
    assert (
        'href="https://example.org/us/book/issues/new?template=error-in-the-book.yml"'
        in text_of(root, "report")[1]
    )
    assert "quick 0 not measured" in text_of(root, "statement")[0], (
        "costs that were not measured are not made up"
    )
