"""The roles and directives of the book, on a small book made here."""

import html
import json
import os
import re
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import nbformat
import pytest
import yaml

from companion.ledger.claims import NAMED
from companion.ledger.verdicts import VERDICTS
from companion.site.nodes import (
    GRADES,
    LABELS,
    badge,
    badge_text,
    grade_words,
    reach_words,
    sharpness_words,
)
from companion.site.theme import without_scripts

pytestmark = pytest.mark.slow

CONF = """
extensions = ["myst_nb", "companion.site.extension"]
nb_execution_mode = "off"
nb_render_markdown_format = "myst"
nb_mime_priority_overrides = [("*", "text/markdown", 5)]
myst_enable_extensions = ["attrs_block", "attrs_inline", "colon_fence", "dollarmath"]
numfig = True
mathjax_path = "mathjax/tex-svg.js"
html_theme = "basic"
latex_engine = "xelatex"
exclude_patterns = ["_out*"]
"""


def evidence(role: str, violations: int) -> dict[str, object]:
    return {
        "role": role,
        "notebook": "one",
        "instances": 1000,
        "violations": violations,
        "worst_slack": -0.25 if violations else 0.5,
        "arithmetic": "exact" if violations else "float",
        "seed": 7,
        "scope": "instances",
        "counterexample": {"P": "(1/2, 1/2)"} if violations else None,
        "control": {
            "note": "half the width",
            "violations": 0 if violations else 9,
            "instances": 10,
        },
        "note": "drawn at random",
    }


def claim(name: str, verdict: str, **more: object) -> dict[str, object]:
    entry: dict[str, object] = {
        "id": name,
        "kind": "lemma",
        "title": f"Title of {name}",
        "places": [
            {"source": "v1", "at": "Lemma 9"},
            {"source": "v3", "at": "Lemma 3"},
        ],
        "statement": r"For every $T$, $\sum_t \theta_t < \varepsilon$.",
        "hypotheses": [r"$\varepsilon > 0$", "$P$ has a density"],
        "notebook": "one",
        "page": "notebooks/one",
        "verdict": verdict,
        "grade": "exact",
        "proof_gap": False,
        "corrected": False,
        "evidence": [],
    }
    return {**entry, **more}


CLAIMS = [
    claim(
        "MBDE-L9",
        "holds",
        evidence=[{**evidence("as-printed", 0), "worst_slack": -0.0, "part": "rate"}],
        proof_gap=True,
        sharpness={"share": 0.02, "factor": None, "side": "2 * ε", "attained": False},
    ),
    claim(
        "MBDE-T5",
        "false",
        kind="theorem",
        evidence=[evidence("as-printed", 3)],
        corrected=True,
        correction="$Q_T \\in M$",
        sharpness={"share": None, "factor": 0.8, "side": "n ** 2", "attained": False},
    ),
    claim(
        "MBDE-D1.b",
        "holds-with-condition",
        kind="remark",
        grade="proved",
        condition="$Q_0$ is a probability",
    ),
    claim(
        "MBDE-X",
        "not-reproduced",
        kind="figure",
        grade="rerun",
        evidence=[evidence("rerun", 2)],
        corrected=True,
        correction="Half do.",
    ),
    claim(
        "MBDE-Y",
        "reproduced",
        kind="figure",
        evidence=[evidence("rerun", 0), evidence("rerun-variant", 3)],
        grade="rerun",
    ),
    claim(
        "LEC-1",
        "outside",
        grade=None,
        places=[{"source": "lecture", "at": "slide 2"}],
        notebook=None,
        page=None,
        reason="Told.",
    ),
    claim(
        "V3-T7",
        "not-yet-checked",
        grade=None,
        places=[{"source": "v3", "at": "Theorem 7"}],
        notebook="later",
        page=None,
    ),
]

PROVENANCE = {
    "figure": "ring",
    "page": "one",
    "cells": "notebooks/one.md",
    "profile": "quick",
    "versions": {"python": "3.11"},
    "commit": {"id": "0123456789abcdef", "modified": False},
    "machine": {"cpus": 2},
    "made": "2026-01-02T03:04:05Z",
    "sha256": "ab" * 32,
    "command": "make figure FIG=ring",
}

NOTEBOOK = """
# One

{claim}`MBDE-L9` and {claim}`in words <MBDE-T5>`, sup {val}`one:sup`, error {val}`one:error`, {numref}`fig-one-ring`.

$$x=y$$

$$x=y \\tag{$*$}$$

Kept: ($x$-axis), {claim}`LEC-1`; not kept: $y$ alone, or $z$—far.

A [ring](../index.md), a string, ring-free, two rings, and a ring.

```{claim-card} MBDE-L9
```
"""  # noqa: E501

FIGURE = """````{bookfigure} one/ring
:alt: A ring of eight spots.

The ring keeps $8$ modes, {claim}`MBDE-L9`; sup {val}`one:sup`.
````
"""

PICTURE = (
    "```{picture} figures/one/ring\n:page: notebooks/one\n:alt: A ring of "
    "spots.\n\nSee {val}`one:sup`.\n```\n"
)

PAGES = {
    "index.md": "# Root\n\n```{scoreboard}\n```\n\nSee [one](notebooks/one.md).\n\n"
    "```{scoreboard}\n:compact:\n```\n\n"
    + PICTURE
    + "\n"
    + PICTURE.replace("\n\n", "\n:small:\n\n", 1)
    + "\n"
    "```{toctree}\n:caption: Part & one\nnotebooks/one\nbook/ledger\n```\n",
    "book/ledger.md": "# Ledger\n\n```{ledger}\n```\n",
    "book/glossary.md": "---\norphan: true\n---\n# Glossary\n\n"
    "```{glossary}\nRing\n  Eight. [One](../notebooks/one.md)\n```\n",
}

BAD = {
    "bad-claim": ("# Bad\n\n{claim}`NO-1`\n", "unknown claim 'NO-1'"),
    "bad-card": ("# Bad\n\n```{claim-card} NO-2\n```\n", "unknown claim 'NO-2'"),
    "bad-twice": (
        "# Bad\n\n```{claim-card} LEC-1\n```\n\n```{claim-card} LEC-1\n```\n",
        "second card of LEC-1",
    ),
    "bad-value": ("# Bad\n\n{val}`one:nope`\n", "unknown value 'nope'"),
    "bad-part": (
        "# Bad\n\n```{statement} praise\n```\n",
        "unknown part 'praise' of the statement",
    ),
    "bad-page": ("# Bad\n\n{val}`nowhere:sup`\n", "no values of page 'nowhere'"),
    "no-file": (
        PICTURE.replace("one/ring", "one/half"),
        "image file not readable: figures/one/half.svg",
    ),
    "no-text": (
        PICTURE.replace(":alt: A ring of spots.\n", ""),
        "needs :alt:, :page: and a line of words",
    ),
    "bad-picture": (
        "# Bad\n\n```{bookfigure} one/bare\n:alt: Text.\n\nCaption.\n```\n",
        "image file not readable",
    ),
}


CITATION = """
version: 0.1.0
preferred-citation:
  title: A book & more
  year: 2026
  authors: [{name: The authors}]
"""
BIBLIOGRAPHY = """
@misc{first2018, author = {First, Ann}, title = {The first paper}, year = {2018}, note = {v1 of this book}}
@misc{third2020, author = {Third, Bob}, title = {The third paper}, year = {2020}}
"""  # noqa: E501


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def make_book(root: Path) -> Path:
    counts = {
        verdict: sum(entry["verdict"] == verdict for entry in CLAIMS)
        for verdict in LABELS
    }
    short = {"v1": "version 1", "v3": "version 3", "lecture": "the lecture"}
    sources = {
        name: {"title": f"Text {name}", "short": text} for name, text in short.items()
    }
    ledger = {
        "version": "0",
        "scoreboard": counts,
        "sources": sources,
        "claims": CLAIMS,
    }
    write(root / "claims.json", json.dumps(ledger))
    write(root / "conf.py", CONF)
    write(root / "CITATION.cff", CITATION)
    write(root / "book/references.bib", BIBLIOGRAPHY)
    write(
        root / "values/one.json",
        json.dumps({"sup": "0.125", "error": r"$1.7\times10^{-4}$"}),
    )
    for name in ("ring", "bare"):
        write(root / f"figures/one/{name}.json", json.dumps(PROVENANCE))
    for suffix in ("svg", "pdf", "csv"):
        write(
            root / f"figures/one/ring.{suffix}",
            '<svg xmlns="http://www.w3.org/2000/svg"></svg>',
        )
    for name, text in PAGES.items():
        write(root / name, text)
    output = nbformat.v4.new_output(
        "execute_result",
        {"text/markdown": FIGURE, "text/html": "<b>HTML</b>"},
        execution_count=1,
    )
    cells = [
        nbformat.v4.new_markdown_cell(NOTEBOOK),
        nbformat.v4.new_code_cell(
            "fig.show()", outputs=[output], metadata={"tags": ["hide-input"]}
        ),
    ]
    for number, cell in enumerate(cells):
        cell["id"] = f"c{number}"
    notebook = nbformat.v4.new_notebook(
        cells=cells, metadata={"language_info": {"name": "python"}}
    )
    write(root / "notebooks/one.ipynb", nbformat.writes(notebook))
    return root


def sphinx(root: Path, builder: str, *options: str) -> tuple[int, str]:
    command = [
        sys.executable,
        "-m",
        "sphinx",
        "-b",
        builder,
        "-n",
        "-d",
        str(root / "_out/trees" / builder),
    ]
    command += [*options, str(root), str(root / "_out" / builder)]
    answer = subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "NO_COLOR": "1"},
    )
    return answer.returncode, answer.stdout + answer.stderr


def built(root: Path) -> Path:
    """Build the pages of a book, which must give no warning."""
    status, log = sphinx(root, "html", "-W", "--keep-going")
    assert status == 0, log
    return root


def page_of(book: Path, name: str) -> str:
    return (book / f"_out/html/{name}.html").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    return built(make_book(tmp_path_factory.mktemp("book")))


@pytest.fixture(scope="module")
def one(book):
    return page_of(book, "notebooks/one")


@pytest.fixture(scope="module")
def ledger(book):
    return page_of(book, "book/ledger")


def entry_of(page: str, name: str) -> str:
    start = page.index(f'id="claim-{name.lower()}"')
    rest = page[start:].split('id="claim-', 2)
    return rest[0] + rest[1]


def test_every_verdict_that_can_be_shown_has_words():
    assert set(LABELS) | {"unresolved", "unsound"} == set(VERDICTS)
    with pytest.raises(ValueError, match=r"verdict must be one of .* got 'fine'"):
        badge(claim("MBDE-L1", "fine"))


@pytest.mark.parametrize(
    ("verdict", "more", "short", "whole", "grade"),
    [
        (
            "holds",
            {},
            "✓ holds",
            "✓ holds (exact, on instances)",
            "exact, on instances",
        ),
        (
            "holds",
            {"grade": "numerical", "reading": "So."},
            "✓ holds, in our reading",
            "✓ holds, in our reading (numerical)",
            "numerical",
        ),
        ("holds", {"grade": "proved"}, "✓ holds, proved ■", "", "proved"),
        (
            "holds",
            {"grade": "sizes", "sizes": "3 points"},
            "✓ holds, proved for 3 points",
            "",
            "proved for 3 points",
        ),
        (
            "holds-with-condition",
            {"grade": "proved"},
            "◐ holds under a condition, proved ■",
            "",
            "proved",
        ),
        (
            "definition",
            {},
            "≡ definition",
            "≡ definition (exact, on instances)",
            "exact, on instances",
        ),
        (
            "false",
            {"corrected": True},
            "✗ false as printed, corrected",
            "",
            "exact counterexample",
        ),
        (
            "not-reproduced",
            {"grade": "rerun", "corrected": True},
            "⊖ not seen in our rerun",
            "",
            "own runs",
        ),
        ("outside", {"grade": None}, "○ outside", "", "not tested"),
    ],
)
def test_a_badge_says_verdict_and_proof_and_a_whole_one_the_grade(
    verdict, more, short, whole, grade
):
    given = claim("MBDE-L1", verdict, **more)
    assert badge_text(given) == badge(given).astext() == short
    assert badge_text(given, graded=True) == (whole or short)
    assert grade_words(given) == grade
    assert ("mf-proved" in badge(given)["classes"]) == ("■" in short)


@pytest.mark.parametrize(
    ("share", "factor", "attained", "words"),
    [
        (0.02, None, False, "Sharp: with ``n`` moved by 2 % it fails."),
        (None, None, True, "Sharp: both sides are equal on an instance of ``n``."),
        (
            0.5,
            0.8,
            False,
            "Loose: on the instances tried a factor of 0.8 at ``n`` would do.",
        ),
        (
            0.5,
            None,
            False,
            "Not shown to be sharp: the smallest change of ``n`` that fails is 50 %.",
        ),
        (
            None,
            None,
            False,
            "Not shown to be sharp: no change of ``n`` that was tried fails.",
        ),
    ],
)
def test_sharpness_in_words(share, factor, attained, words):
    assert (
        sharpness_words(
            {"share": share, "factor": factor, "side": "n", "attained": attained}
        )
        == words
    )


@pytest.mark.parametrize(
    ("claim", "words"),
    [
        (
            {"reach": {"points": 200, "n": 2000}},
            "Instances go up to 200 points, $n$ = 2,000.",
        ),
        ({"small": "1/n falls"}, "Small instances are the worst ones: 1/n falls."),
        ({}, ""),
    ],
)
def test_reach_in_words(claim, words):
    assert reach_words(claim) == words


def test_script_and_style_know_every_verdict():
    """The filters of the ledger and the colours, in both themes, are written beside the
    labels.
    """
    book = Path(__file__).parents[2] / "book"
    script, style = (
        (book / name).read_text(encoding="utf-8")
        for name in ("_scripts/ledger.js", "_static/companion.css")
    )
    for grade, words in GRADES.items():
        assert re.search(rf'"?{grade}"?: "{re.escape(words)}"', script)
    schema = json.loads(
        files("companion.ledger")
        .joinpath("claims.schema.json")
        .read_text(encoding="utf-8")
    )
    kinds = yaml.safe_load(re.search(r"const KINDS = (\[[^\]]*\])", script)[1])
    assert sorted(kinds) == sorted(
        ["named", *schema["items"]["properties"]["kind"]["enum"]]
    )
    assert f'const NAMED = "named results ({NAMED[0]}, {NAMED[1]}, ...)"' in script
    for verdict, (_, words) in LABELS.items():
        assert re.search(rf'"?{verdict}"?: "{re.escape(words)}"', script)
        rule = re.search(
            (
                rf"\.mf-{verdict}[^{{]*{{ color: var\(--mf-(\w+)\); background: "
                r"var\(--mf-\1-ground\)"
            ),
            style,
        )
        assert rule, verdict
        for name in (rule[1], f"{rule[1]}-ground"):
            assert (
                len(
                    re.findall(rf"^  --mf-{name}: #[0-9a-f]{{6}};", style, re.MULTILINE)
                )
                == 2
            )


def test_roles_of_a_claim_and_of_a_value_say_verdict_and_number(one):
    link = (
        r'href="\.\./book/ledger\.html#claim-mbde-l9"[^>]*><span '
        'class="mf-claim-link">MBDE-L9 <span[^>]*>✓ holds<'
    )
    assert re.search(link, one)
    assert re.search(r"in words <span[^>]*>✗ false as printed, corrected<", one)
    assert one.count('<span class="mf-value">0.125</span>') == 2
    assert r"\(1.7\times10^{-4}\)</span>" in one


def test_claim_card_has_statement_hypotheses_places_evidence_and_address(one):
    card = entry_of(one, "MBDE-L9")
    assert r"\(\sum_t \theta_t &lt; \varepsilon\)" in card
    for text in (
        "Hypotheses as printed",
        "version 1: Lemma 9; version 3: Lemma 3",
        "holds (exact, on instances)",
    ):
        assert text in card
    for text in (
        "as printed, part: rate",
        "1,000",
        "float",
        "half the width: 9 of 10 fail",
        "drawn at random",
    ):
        assert text in card
    assert (
        "A step of the printed proof does not hold as printed; the statement stands."
        in card
    )
    assert "Sharp: with 2 * ε moved by 2 % it fails." in re.sub(r"<[^>]+>", "", card)
    assert "<details" in card
    assert card.count("<td><p>0</p></td>") == 2, (
        "no violation, and a smallest slack of zero, without its sign"
    )


def test_a_formula_and_a_verdict_stay_on_a_line_with_their_punctuation(one):
    text = one[one.index("Kept: ") : one.index("far.")]
    assert re.search(
        (
            r'Kept: <span class="mf-keep">\(<span '
            r'class="math[^>]*>\\\(x\\\)</span>-</span>axis\), '
        ),
        text,
    )
    assert re.search(
        (
            '<span class="mf-keep"><a [^>]*><span class="mf-claim-link">LEC-1 '
            ".*?</a>;</span> not kept"
        ),
        text,
    )
    assert text.count("mf-keep") == 2
    assert text.rstrip().endswith("</span>—")


def test_a_page_says_what_is_different_without_scripts(book, one, ledger):
    lines = [
        re.findall("<noscript><p>(.*?)</p></noscript>", text) for text in (one, ledger)
    ]
    assert lines == [
        ["This page without JavaScript: formulas are shown as LaTeX."],
        ["This page without JavaScript: claims cannot be filtered."],
    ]
    assert "<noscript><p>" not in page_of(book, "book/glossary"), "where nothing is"
    both = without_scripts('<div data-widget="x"><span class="math">')
    assert both.count("formulas are shown as LaTeX; figures cannot be moved.") == 1


def test_a_word_of_the_glossary_is_a_link_where_it_is_first_said_and_scripts_know_it(
    book, one
):
    links = re.findall(r'href="([^"]+)"[^>]*><span class="mf-word">([^<]*)<', one)
    assert links == [("../book/glossary.html#term-Ring", "rings")]
    numbers, previews = (
        (book / f"_out/html/_static/{name}.js").read_text(encoding="utf-8")
        for name in ("numbers-table", "preview-texts")
    )
    assert '"notebooks/one":["Ring"],"book/glossary#term-Ring":["Ring"]' in numbers
    assert re.search(
        r'"term-Ring":"<p><strong>Ring</strong></p><p>Eight\.\s*</p>', previews
    ), "without the link"


def test_ledger_lists_each_claim_once_in_the_order_and_the_numbering_of_its_text(
    ledger,
):
    for item in CLAIMS:
        assert ledger.count(f'id="claim-{item["id"].lower()}"') == 1
    row = entry_of(ledger, "MBDE-T5")
    for text in ("Title of MBDE-T5", "Lemma 9", "✗ false as printed, corrected"):
        assert text in row
    for words in ("Hypotheses as printed", "Evidence:", "Corrected statement"):
        assert words not in ledger, "that is on the page of the claim"
    marks = "mf-claim mf-is-outside mf-grade-none mf-kind-lemma mf-kind-named"
    assert re.search(rf'<tr class="{marks} row-\w+" id="claim-lec-1">', ledger)
    places = [
        ledger.index(f'id="claims-of-{name}"') for name in ("v1", "v3", "lecture")
    ]
    assert places == sorted(places)
    numbering = ledger[ledger.index('id="numbering-of-v3"') :]
    assert "Lemma 3" in numbering
    assert "Theorem 7" in numbering
    assert 'id="numbering-of-lecture"' not in ledger, (
        "its own section above has the same claims in the same order"
    )


def test_each_row_of_the_ledger_has_a_word_for_its_grade(ledger):
    for item in CLAIMS:
        row = entry_of(ledger, item["id"]).partition("</tr>")[0]
        text = html.unescape(re.sub(r"<[^>]+>", "", row))
        assert grade_words(item) in text
        assert text.count("proved") == (item["grade"] == "proved")


def test_ledger_lists_inequalities_the_loosest_first(ledger):
    part = ledger[
        ledger.index('id="sharp-or-loose"') : ledger.index('id="claims-by-page"')
    ]
    assert "1 of 2 are." in part
    rows = [
        html.unescape(re.sub(r"<[^>]+>", "", row)) for row in part.split("<tr")[2::2]
    ]
    assert [re.search("MBDE-T5|MBDE-L9", row)[0] for row in rows] == [
        "MBDE-T5",
        "MBDE-L9",
    ]
    assert "a factor of 0.8 at n ** 2 would do" in rows[0]
    assert "moved by 2 %" in rows[1]


def test_scoreboard_tells_kinds_and_grades(book):
    root = page_of(book, "index")
    text = html.unescape(" ".join(re.sub(r"<[^>]+>", "", root).split()))
    assert (
        "Of 4 named results (theorems, lemmas, propositions, corollaries) 1 "
        "holds, 0 need a condition, 1 is false."
    ) in text
    assert (
        "Of the 1 statements that hold, 0 are proved, 1 is exact on the instances "
        "tried."
    ) in text
    assert root.count('href="book/ledger.html?verdict=holds&amp;grade=exact"') == 2
    assert (
        'href="book/ledger.html?verdict=holds-with-condition&amp;kind=remark"' in root
    )
    row = re.search(r"<tr[^>]*><td><p>remark</p></td>\s*(.*?)</tr>", root, re.DOTALL)[1]
    assert re.sub(r"<[^>]+>", " ", row).split() == ["1", "0", "0", "1", "0", "0"]


def test_scoreboard_counts_and_links_to_the_filtered_ledger(book):
    root = page_of(book, "index")
    for verdict in LABELS:
        assert f'href="book/ledger.html?verdict={verdict}"' in root
    assert "7 claims in the ledger; 2 carry a corrected statement" in root
    assert (
        "for 1 the statement stands while a step of its printed proof does not." in root
    )


def test_bookfigure_in_an_output_has_both_themes_caption_provenance_and_downloads(one):
    assert "<b>HTML</b>" not in one, "the MyST form of an output comes first"
    figure = one[one.index('id="fig-one-ring"') : one.index("</figure>")]
    assert figure.count('alt="A ring of eight spots."') == 2
    assert 'class="only-light"' in figure
    assert 'class="only-dark"' in figure
    assert r"\(8\)" in figure[figure.index("<figcaption>") :]
    assert figure.count("<figcaption>") == 1
    assert re.search(
        r'<div class="mf-picture" tabindex="0" role="group" aria-label="[^"]+">\s*<img',
        figure,
    )
    made = one[one.index("How this figure was made") :]
    code = re.sub(r"<[^>]+>", "", made)
    run = ("0123456789ab", "cpus = 2", "make figure FIG=ring")
    for text in ("notebooks/one.md", *run, "ab" * 32):
        assert text in code
    for suffix in ("csv", "svg", "json"):
        assert re.search(rf'href="\.\./_downloads/\w+/ring\.{suffix}"', made)


def test_in_print_there_are_pdf_pictures_framed_claims_and_no_folded_code(
    book,
):
    status, log = sphinx(book, "latex", "-W", "--keep-going")
    assert status == 0, log
    text = "".join(
        path.read_text(encoding="utf-8") for path in (book / "_out/latex").glob("*.tex")
    )
    assert text.count("{{ring}.pdf}") >= 3, "the figure and the two pictures"
    assert "svg" not in re.sub(r"%.*", "", text[text.index("{ring}.pdf") - 300 :])[:600]
    assert "How this figure was made" not in text
    assert "0.125" in text
    assert "fig.show()" not in text, "code that is folded away"
    start = text.index(r"\begin{mfclaim}{holds}")
    card = " ".join(text[start : text.index(r"\end{mfclaim}", start)].split())
    assert (
        "instances 1,000; violations 0; smallest slack 0; arithmetic float; seed "
        "7; control half the width"
    ) in card
    assert (
        "✗\u00a0false as printed, corrected" in text[text.index(r"\chapter{Ledger}") :]
    )
    assert r"\mfdisplay{" in text
    assert r"\mftagged{$*$}{" in text
    assert (
        text.index("About this book")
        < text.index(r"\part{Part \& one}")
        < text.index(r"\chapter{One}")
    )


def test_what_is_missing_is_a_warning_on_its_page(tmp_path):
    root = make_book(tmp_path)
    for name, (text, _) in BAD.items():
        write(root / f"{name}.md", "---\norphan: true\n---\n" + text)
    status, log = sphinx(root, "html", "-W", "--keep-going")
    assert status != 0
    for name, (_, message) in BAD.items():
        assert re.search(rf"{name}\.md:.*{re.escape(message)}", log), (
            f"{name}: {message}\n{log}"
        )
