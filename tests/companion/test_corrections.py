"""Corrections: what the file may say, and that the book's own says it."""

import pytest
import yaml

from companion.ledger.claims import load_claims
from companion.ledger.corrections import load_corrections
from companion.paths import CompanionError
from companion.publish.publication import find_publication
from tests.repository import ROOT

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
    return load_corrections(tmp_path, VERDICTS, version)


def test_corrections_of_this_book_name_claims_of_their_page_and_verdicts_that_are_so():
    claims = {claim["id"]: claim for claim in load_claims(ROOT)}
    verdicts = {name: claim["expected"] for name, claim in claims.items()}
    version = find_publication(ROOT).version
    found = load_corrections(ROOT, verdicts, version)
    assert found
    assert version != "1.0.0" or not any(item["wrong_in"] for item in found), "the first version corrects no other"
    for item in found:
        assert not item["claims"] or item["page"] in {
            f"notebooks/{claims[name]['notebook']}" for name in item["claims"]
        }


def test_the_newest_version_comes_first(tmp_path):
    early = {**ENTRY, "wrong_in": None, "corrected_in": "1.0.0"}
    late = {**ENTRY, "wrong_in": "1.9.0", "corrected_in": "1.10.0"}
    found = load(tmp_path, early, ENTRY, late, version="1.10.0")
    assert [item["corrected_in"] for item in found] == ["1.10.0", "1.1.0", "1.0.0"]


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"claims": ["MBDE-L99"]}, "entry 2: there is no claim MBDE-L99"),
        ({"claims": ["MBDE-T5"]}, "entry 2: the verdict of MBDE-T5 is false, not holds"),
        ({"was": "holds"}, "entry 2: the verdict was and is holds"),
        ({"corrected_in": "1.2.0"}, "entry 2: corrected in version 1.2.0, and this is version 1.1.0"),
        ({"wrong_in": "1.1.0"}, "entry 2: wrong in version 1.1.0, and corrected in version 1.1.0 already"),
        ({"date": "2027-02-30"}, "entry 2: '2027-02-30' is not a 'date'"),
        ({"author": "me"}, "entry 2: Additional properties"),
    ],
)
def test_an_entry_that_is_not_so_is_refused(tmp_path, change, fault):
    with pytest.raises(CompanionError) as caught:
        load(tmp_path, ENTRY, {**ENTRY, **change})
    assert fault in str(caught.value)
