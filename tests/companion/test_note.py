"""The errata as a note: it tells every false claim, sets every formula, and has no more
pages than it may.
"""

import re
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml

from companion.archive import NAME
from companion.ledger.claims import load_claims
from companion.paths import CompanionError, Layout
from companion.publish import note
from tests.companion.toy import make_book, write
from tests.counterexamples import test_relaxed_exponential as by_hand
from tests.repository import ROOT

_, LEAD, STEP, SLIP = yaml.safe_load(r"""
- &false
  {kind: lemma, hypotheses: [], notebook: apples, expected: "false", places: [{source: v1, at: Lemma 2}],
   fails: conclusion, conclusion: weaker, breaks: A sign., slip: A sign is lost., stands: the bound,
   counterexample: $x=-1$, correction: Twice $x$ is more than $x$ for $x>0$.}
- {<<: *false, id: MBDE-L2, title: Doubling is growth, short_proof: $2x-x=x>0$., follows: Growth of what is positive.,
   statement: "Twice $x$ is more than $x$, as $x<2x$, for every $x$."}
- {<<: *false, id: MBDE-E1, title: A step, statement: Hence $2x-x>0$., cause: MBDE-L2}
- {<<: *false, id: MBDE-E2, title: A slip, statement: Hence $2x=x$., conclusion: survives}
""")  # noqa: E501


@pytest.fixture
def layout(tmp_path):
    make_book(tmp_path)
    source = (
        "{id: v1, short: v1, series: One paper, title: A paper, authors: [N], bibtex: "
        "n}"
    )
    write(tmp_path, "data/sources.yml", f"- {source}")
    write(
        tmp_path,
        "book/references.bib",
        "@misc{n, author = {N}, title = {A paper}, note = {v1 in this book}}",
    )
    book = {"title": "A toy", "authors": [{"name": "Nobody"}], "year": 2020}
    write(
        tmp_path,
        "CITATION.cff",
        yaml.safe_dump({"version": "1.2.3", "preferred-citation": book}),
    )
    ledger(tmp_path, LEAD, STEP, SLIP)
    return Layout(tmp_path)


def printed(layout, how=note.print_note, **options):
    """Print the note in a thread of its own: in this one the browser of other tests may
    be open.
    """
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(how, layout, **options).result()


def ledger(root, *entries):
    (root / "data/claims.yml").write_text(
        yaml.safe_dump(list(entries)), encoding="utf-8"
    )


def test_no_false_claim_of_the_five_texts_is_left_out():
    false = [claim.id for claim in load_claims(ROOT) if claim.expected == "false"]
    names = [claim["id"] for part in note.parts_of(ROOT) for claim in part.claims]
    assert sorted(names) == sorted(false)
    source = note.source_of(Layout(ROOT))
    assert re.findall(
        r"</(?:b|h3)>|<h3>.*? <code>([\w.-]+)</code>|<b>.*?</b> <code>([\w.-]+)</code>",
        source,
    )
    assert all(
        source.count(f"<code>{name}</code>") in (1, 2) for name in false
    )  # one name is the example of all
    assert f"{len(false)} of them are false as printed" in source


def test_programs_by_hand_are_named_in_the_ledger():
    named = {
        claim.id: claim.program
        for claim in load_claims(ROOT)
        if claim.program is not None
    }
    false = {claim.id for claim in load_claims(ROOT) if claim.expected == "false"}
    assert named == dict.fromkeys(
        by_hand.VERIFIED.keys() & false, Path(by_hand.__file__).name
    )


def test_causes_stand_together_and_slips_come_last(layout):
    (part,) = note.parts_of(layout.root)
    assert [claim["id"] for claim in part.claims] == ["MBDE-L2", "MBDE-E1", "MBDE-E2"]
    source = note.source_of(layout)
    assert (
        source.index("What follows")
        < source.index("Of the same cause: A step")
        < source.index("Slips:")
    )
    assert "<b>Counterexample.</b> $x=-1$" in source
    assert source.count("$x=-1$") == 2, (
        "a step with the counterexample of its lemma does not repeat it"
    )
    assert "as <span>$x&lt;2x$,</span> for every <span>$x$.</span>" in source
    assert "@book{mollified" in source
    assert "@misc{n" in source


def test_a_consequence_that_falls_needs_a_proof_or_a_cause(layout):
    ledger(layout.root, LEAD, {**SLIP, "conclusion": "fails"})
    with pytest.raises(CompanionError, match="MBDE-E2: its conclusion is 'fails'"):
        note.parts_of(layout.root)


def test_programs_are_packed_where_their_pages_are_executed(
    layout, tmp_path, monkeypatch
):
    assert note.pack_programs(layout, "quick") == (None, ["apples"])
    monkeypatch.setattr(
        note, "find_entry", lambda *_: SimpleNamespace(run=tmp_path / "run")
    )
    for name in ("MBDE-L2.1.py", "MBDE-L2.3.py", "MBDE-L1.1.py", "MBDE-E2.1.py"):
        write(tmp_path, f"run/scripts/{name}", "assert True")
    write(tmp_path, "tests/counterexamples/test_step.py", "assert True")
    ledger(layout.root, LEAD, {**STEP, "program": "test_step.py"}, SLIP)
    layout.build.joinpath("note").mkdir(parents=True)
    packed, _ = note.pack_programs(layout, "quick")
    with zipfile.ZipFile(packed) as archive:
        names = [Path(name).name for name in archive.namelist()]
    assert names == [
        "MBDE-E2.1.py",
        "MBDE-L2.1.py",
        "MBDE-L2.3.py",
        "test_step.py",
        NAME,
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("statement", "message"),
    [
        (r"It is $\notamacro x$.", "not set: "),
        (r"It is \alpha, of course.", r"not set: .*alpha"),
        (f"It is ${'+'.join('x' * 80)}$.", "a formula would be scaled to"),
        ("A long lemma. " * 20_000, r"formulas on \d+ pages, at most 8 are allowed"),
    ],
)
def test_what_is_not_set_or_too_long_fails_and_the_old_note_stays(
    layout, statement, message
):
    (old := layout.build / "note/mollified-1.2.3-note.pdf").parent.mkdir(parents=True)
    old.write_text("old")
    ledger(layout.root, {**LEAD, "statement": statement})
    with pytest.raises(CompanionError, match=message):
        printed(layout)
    assert old.read_text() == "old"


@pytest.mark.slow
def test_the_note_of_this_book_is_printed_the_same_each_time(tmp_path, capsys):
    for name in ("data", "notebooks", "book", "src", "CITATION.cff", "_config.yml"):
        (tmp_path / name).symlink_to(ROOT / name)
    path, pages = printed(Layout(tmp_path))
    assert 0 < pages <= note.PAGES
    first = path.read_bytes()
    assert (
        printed(
            Layout(tmp_path), note.run_note, options=SimpleNamespace(profile="quick")
        )
        == 0
    )
    assert path.read_bytes() == first
    assert (
        "programs not packed, as these pages are not executed"
        in capsys.readouterr().out
    )
