"""Corrections: what the file may say, and what the book prints of it."""

from datetime import date
from pathlib import Path

import pytest
import yaml

from companion.ledger.claims import load_claims
from companion.ledger.corrections import is_first_version, load_corrections, since_last_version
from companion.paths import CompanionError
from companion.publish.publication import find_publication
from tests.site_checks import toc_pages

ROOT = Path(__file__).resolve().parents[2]
VERDICTS = {"MBDE-L9": "holds", "MBDE-T5": "false"}
ENTRY = {
    "wrong_in": "1.0.0",
    "corrected_in": "1.1.0",
    "date": "2027-02-03",
    "page": "notebooks/one",
    "claims": ["MBDE-L9"],
    "said": "It is false as printed.",
    "right": "It holds as printed.",
    "was": "false",
    "now": "holds",
    "reported_by": "a reader",
}


def load(tmp_path, *entries, version="1.1.0"):
    (tmp_path / "data").mkdir(exist_ok=True)
    (tmp_path / "data" / "corrections.yml").write_text(yaml.safe_dump(list(entries)), encoding="utf-8")
    return load_corrections(tmp_path, VERDICTS, {"notebooks/one"}, version)


def test_corrections_of_this_book_name_claims_and_pages_that_exist_and_verdicts_that_are_so():
    verdicts = {claim.id: claim.expected for claim in load_claims(ROOT)}
    version = find_publication(ROOT).version
    found = load_corrections(ROOT, verdicts, toc_pages(ROOT / "_toc.yml"), version)
    assert found
    if version == "1.0.0":
        assert all(item.wrong_in is None for item in found), "the first version corrects no other"
        assert since_last_version(found, version) == []
    pages = {claim.id: f"notebooks/{claim.notebook}" for claim in load_claims(ROOT)}
    assert all(item.page in {pages[name] for name in item.claims} for item in found if item.claims)


def test_newest_version_comes_first_and_only_its_own_are_since_the_last(tmp_path):
    early = {**ENTRY, "wrong_in": None, "corrected_in": "1.0.0"}
    late = {**ENTRY, "wrong_in": "1.9.0", "corrected_in": "1.10.0"}
    found = load(tmp_path, early, ENTRY, late, version="1.10.0")
    assert [item.corrected_in for item in found] == ["1.10.0", "1.1.0", "1.0.0"]
    assert [item.corrected_in for item in since_last_version(found, "1.10.0")] == ["1.10.0"]
    assert found[0].date == date(2027, 2, 3)
    assert load(tmp_path) == []


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"claims": ["MBDE-L99"]}, "entry 2: there is no claim MBDE-L99"),
        ({"page": "notebooks/two"}, "entry 2: there is no page notebooks/two"),
        ({"claims": ["MBDE-T5"]}, "entry 2: the verdict of MBDE-T5 is false, not holds"),
        ({"was": "holds"}, "entry 2: the verdict was and is holds"),
        ({"corrected_in": "1.2.0"}, "entry 2: corrected in version 1.2.0, and this is version 1.1.0"),
        ({"wrong_in": "1.1.0"}, "entry 2: wrong in version 1.1.0, and corrected in version 1.1.0 already"),
        ({"date": "2027-02-30"}, "entry 2: '2027-02-30' is not a 'date'"),
        ({"now": "true"}, "entry 2: 'true' is not one of"),
        ({"said": "no"}, "entry 2: 'no' is too short"),
        ({"author": "me"}, "entry 2: Additional properties"),
    ],
)
def test_an_entry_that_is_not_so_is_refused(tmp_path, change, fault):
    with pytest.raises(CompanionError) as caught:
        load(tmp_path, ENTRY, {**ENTRY, **change})
    assert fault in str(caught.value)


def test_a_version_is_the_first_where_the_changelog_has_no_other(tmp_path):
    assert not is_first_version(tmp_path, "1.0.0"), "without a changelog nothing is known"
    (tmp_path / "CHANGELOG.md").write_text("## [Unreleased]\n\n## [1.0.0] - 2027-01-01\n", encoding="utf-8")
    assert is_first_version(tmp_path, "1.0.0")
    assert not is_first_version(tmp_path, "1.1.0")
    (tmp_path / "CHANGELOG.md").write_text("## [1.1.0] - 2027-02-01\n\n## [1.0.0] - 2027-01-01\n", encoding="utf-8")
    assert not is_first_version(tmp_path, "1.1.0")


def test_a_file_that_is_missing_or_no_list_is_refused(tmp_path):
    with pytest.raises(CompanionError, match=r"corrections\.yml: cannot be read: "):
        load_corrections(tmp_path, {}, (), "1.0.0")
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "corrections.yml").write_text("a: 1\n", encoding="utf-8")
    with pytest.raises(CompanionError, match=r"corrections\.yml: the file: "):
        load_corrections(tmp_path, {}, (), "1.0.0")
