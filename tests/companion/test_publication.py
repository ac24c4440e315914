"""What a citation of the book says, and what the build refuses to say."""

import pytest

from companion.citing.publication import REPOSITORY, SITE, find_publication
from companion.paths import CompanionError

CITATION = """\
version: 1.2.3
preferred-citation:
  title: A book
  year: 2026
  authors:
    - name: A group
    - {given-names: Ada, family-names: Lovelace}
"""


@pytest.fixture
def book(tmp_path, monkeypatch):
    for name in (REPOSITORY, SITE):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "CITATION.cff").write_text(CITATION, encoding="utf-8")
    return tmp_path


def test_the_publisher_names_the_addresses(book, monkeypatch):
    monkeypatch.setenv(REPOSITORY, "https://example.org/a/b/")
    monkeypatch.setenv(SITE, "https://example.org/book")
    publication = find_publication(book)
    assert publication.repository == "https://example.org/a/b"
    assert publication.authors == ("A group", "Ada Lovelace")
    assert publication.address("claims/X") == "https://example.org/book/claims/X.html"


@pytest.mark.parametrize(
    "bad",
    ["http://example.org", "example.org/a", "https://", "https://example.org/?a=b"],
)
def test_an_address_that_is_none_is_refused(book, monkeypatch, bad):
    monkeypatch.setenv(SITE, bad)
    with pytest.raises(CompanionError, match=SITE):
        find_publication(book)
