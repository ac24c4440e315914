"""The book in print: what it needs, how its log is judged, its print form, and a toy
book that is really printed.
"""

import os
import re
import shutil
import subprocess
from dataclasses import replace as of_site
from pathlib import Path

import pytest
import yaml

from companion.citing.publication import Publication
from companion.paths import CompanionError
from companion.publish import pdf
from companion.publish.pdf import SCALED, WIDE, edition, faults_of
from companion.site.print_tables import GAP, SIZES, widths
from tests.companion.sums import check_sums
from tests.companion.toy import command, replace, write
from tests.repository import ROOT

BOOK = Publication("Sampling & more", ("A. Author",), 2026, "1.2.3", "0123456789abcdef")


# What it needs


def test_what_is_missing_is_named_with_what_brings_it(monkeypatch):
    monkeypatch.setattr(pdf.shutil, "which", lambda name: None)
    with pytest.raises(
        CompanionError, match=r"without xelatex, latexmk: tools/tex\.sh installs"
    ):
        pdf.ensure_latex()


# What the log says

FAULTS = [
    "! Undefined control sequence.",
    (
        "Missing character: There is no \U0001f0a1 (U+1F0A1) in font "
        "[lmroman10-regular]:mapping=tex-text;!"
    ),
    (
        "LaTeX Warning: Hyper reference `book/ledger:claim-x' on page 3 undefined on "
        "input line 7."
    ),
    "LaTeX Warning: Reference `x' on page 3 undefined on input line 7.",
    "LaTeX Warning: There were undefined references.",
    "LaTeX Warning: Label `x' multiply defined.",
    f"Overfull \\hbox ({WIDE + 1:.2f}pt too wide) in paragraph at lines 1--2",
    (
        f"Overfull \\vbox ({WIDE + 1:.2f}pt too high) has occurred while \\output is "
        f"active []"
    ),
    f"mollified: formula scaled to {SCALED - 1} percent",
    "LaTeX Warning: Float too large for page by 12.0pt on input line 3.",
]


@pytest.mark.parametrize("line", FAULTS)
def test_fault_in_the_log_is_one(line):
    assert faults_of(
        f"This is XeTeX\n{line}\nOutput written on x.pdf (3 pages).\n"
    ) == [line]


def test_what_is_within_bounds_is_no_fault():
    harmless = (
        "Overfull \\hbox (3.5pt too wide) in paragraph at lines 1--2\nmollified: "
        "formula scaled to 95 percent\n"
        "LaTeX Font Warning: Font shape `TU/lmr/b/sc' undefined\nUnderfull \\hbox "
        "(badness 10000)\n"
    )
    assert faults_of(harmless) == []


# The title page


def test_edition_names_version_commit_and_day_and_escapes():
    text = edition(BOOK, "quick", 1_700_000_000)
    assert r"\renewcommand\mftitle{Sampling \& more}" in text
    assert "Version 1.2.3, 14 November 2023, profile quick, commit 0123456789ab" in text
    assert "https" not in text
    assert "On the web: https://x.org/book" in edition(
        of_site(BOOK, site="https://x.org/book"), "quick", 0
    )


# Tables


def shares(columns: str) -> list[float]:
    return [float(width) for width in re.findall(r"Q\{([\d.]+)\}", columns)]


@pytest.mark.parametrize("natural", [[8, 300, 40], [500, 500], [20] * 8, [3, 900]])
def test_wide_table_shares_the_line_and_no_word_stands_out(natural):
    least = [min(wish, 12.0) for wish in natural]
    size, columns = widths(natural, least, right=[False] * len(natural))
    assert sum(shares(columns)) <= 1.001
    got = [share * dict(SIZES)[size] - GAP for share in shares(columns)]
    assert all(mine >= need - 0.1 for mine, need in zip(got, least, strict=True))


# A toy book, printed

#: A claim that rests on the toy's, for the map, and a correction.
USER = """
- {id: MBDE-L2, kind: lemma, title: Growth is growth, places: [{source: v1, at: Lemma 2}], uses: [MBDE-L1],
   statement: "What grows is growth, and so is what doubles.", hypotheses: [], notebook: null,
   expected: outside, outside: external, reason: "It is there so that one claim rests on another."}
"""  # noqa: E501


@pytest.fixture(scope="module")
def printed(tmp_path_factory, toy):
    try:
        pdf.ensure_latex()
    except CompanionError as error:
        pytest.skip(str(error))
    root = shutil.copytree(toy, tmp_path_factory.mktemp("print") / "a book")
    shutil.copytree(ROOT / "book" / "_latex", root / "book" / "_latex")
    shutil.copy(ROOT / "CITATION.cff", root)
    own, config = (
        yaml.safe_load((folder / "_config.yml").read_text(encoding="utf-8"))
        for folder in (ROOT, root)
    )
    config["latex"] = own["latex"]
    config["sphinx"]["config"] |= {
        name: value
        for name, value in own["sphinx"]["config"].items()
        if "latex" in name
    }
    (root / "_config.yml").write_text(yaml.safe_dump(config), encoding="utf-8")
    blocks = ("{claim-card} MBDE-L1", "{claim-card} MBDE-L2", "{claim-map}")
    text = "# A toy\n\nA number: {val}`apples:total`, α → β, “ℓ”.\n\n" + "".join(
        f"```{it}\n```\n\n" for it in blocks
    )
    write(root, "book/index.md", text)
    with (root / "data" / "claims.yml").open("a", encoding="utf-8") as file:
        file.write(USER)
    os.environ["SOURCE_DATE_EPOCH"] = "1700000000"
    try:
        answer = command(root, "pdf")
        yield root, answer
    finally:
        os.environ.pop("SOURCE_DATE_EPOCH")


def the_pdf(root: Path) -> Path:
    (path,) = (root / "_build" / "pdf").glob("*.pdf")
    return path


@pytest.mark.slow
def test_toy_book_is_printed_with_its_sum_text_and_edition_and_the_same_bytes_again(
    printed,
):
    root, answer = printed
    assert answer.returncode == 0, answer.stdout + answer.stderr
    assert re.search(r"\d+ pages, \d+\.\d MB", answer.stdout)
    assert check_sums(root / "_build" / "pdf") == []
    before = the_pdf(root).read_bytes()
    assert before.startswith(b"%PDF")
    picture = (
        root / "_build" / "stage" / "figures" / "apples" / "growth.pdf"
    ).read_bytes()
    assert len(re.findall(rb"/Type /Page\b", picture)) == 1
    assert command(root, "pdf").returncode == 0
    assert the_pdf(root).read_bytes() == before
    if shutil.which("pdftotext") is None:
        pytest.skip("no pdftotext here")
    text = subprocess.run(
        ["pdftotext", the_pdf(root), "-"], capture_output=True, text=True, check=True
    ).stdout
    record = subprocess.run(
        ["pdfinfo", the_pdf(root)], capture_output=True, text=True, check=True
    ).stdout
    excerpts = (
        "14 November 2023",
        "α → β",
        "Doubling is growth",
        "holds",
        "Apples",
        "rests on",
    )
    for words in ("Private sampling, rebuilt", *excerpts):
        assert words in text, words
    assert re.search(r"Title:\s+Private sampling, rebuilt", record)
    assert re.search(r"Author:\s+The mollified developers", record)
    assert re.search(r"Subject:\s+Version \d", record)


@pytest.mark.slow
def test_failed_print_says_why_and_leaves_the_old_one(printed):
    root, _ = printed
    before = the_pdf(root).read_bytes()
    replace(
        root, "book/index.md", "α → β", "\U0001f0a1"
    )  # no font of the book has this one
    answer = command(root, "pdf")
    assert answer.returncode == 1
    assert "Missing character" in answer.stderr
    assert "unchanged" in answer.stderr
    assert the_pdf(root).read_bytes() == before
    assert check_sums(root / "_build" / "pdf") == []
