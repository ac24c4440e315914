"""The zip of the site: the same bytes each time, sums that hold and that notice a
change, pages that open anywhere.
"""

import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

from companion.archive import NAME, epoch, pack
from companion.paths import CompanionError, Layout
from tests.companion.sums import check_sums
from tests.repository import ROOT
from tests.site.looking import browser_faults
from tests.site_checks import WIDE

#: A folder as a reader may have one: with blanks and letters beyond ASCII.
FOLDER = "Bücher von früher – déjà lu"


@pytest.fixture
def layout(tmp_path):
    """A book with a site of three files."""
    layout = Layout(tmp_path / "book")
    for name, text in {
        "index.html": '<a href="sub/page.html">x</a>',
        "sub/page.html": "<p>é</p>",
        "_static/a.css": "p {}",
    }.items():
        (layout.html / name).parent.mkdir(parents=True, exist_ok=True)
        (layout.html / name).write_text(text, encoding="utf-8")
    shutil.copy(ROOT / "CITATION.cff", layout.root)
    return layout


def unpack(archive: Path, folder: Path) -> Path:
    with zipfile.ZipFile(archive) as stream:
        stream.extractall(folder)
    (inside,) = folder.iterdir()
    return inside


def test_zip_has_one_folder_with_the_site_and_its_sums_and_the_same_bytes_each_time(
    layout, tmp_path
):
    path, files = pack(layout)
    assert check_sums(path.parent) == []
    assert sorted(item.name for item in path.parent.iterdir()) == [NAME, path.name]
    site = unpack(path, tmp_path / FOLDER)
    assert site.name.startswith("mollified-")
    assert check_sums(site) == []
    assert len([item for item in site.rglob("*") if item.is_file()]) == files + 1 == 4
    assert (site / "sub" / "page.html").read_text(encoding="utf-8") == "<p>é</p>"
    if shutil.which("sha256sum"):
        subprocess.run(
            ["sha256sum", "-c", "--strict", "--quiet", NAME], cwd=site, check=True
        )
    first = path.read_bytes()
    for item in sorted(layout.html.rglob("*.*"), reverse=True):
        content = item.read_bytes()
        item.unlink()
        item.write_bytes(content)
        item.chmod(0o600)
    pack(layout)
    assert path.read_bytes() == first


def test_no_pages_and_packing_that_is_cut_short_leave_the_old_archive_and_no_draft(
    layout, monkeypatch
):
    path, _ = pack(layout)
    before = path.read_bytes()
    monkeypatch.setattr(
        "companion.archive.put",
        lambda *_: (_ for _ in ()).throw(OSError("disk full")),
    )
    with pytest.raises(OSError, match="disk full"):
        pack(layout)
    (layout.html / "index.html").unlink()
    with pytest.raises(CompanionError, match="build the book first"):
        pack(layout)
    assert path.read_bytes() == before
    assert {item.name for item in layout.build.iterdir()} == {"html", "archive"}


def test_bad_date_is_refused(tmp_path, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "yesterday")
    with pytest.raises(
        CompanionError, match="whole number of seconds, got 'yesterday'"
    ):
        epoch(tmp_path)


# The archive of the book itself


@pytest.mark.site
def test_every_sum_of_the_book_holds_and_unpacked_it_opens_without_a_network(
    tmp_path, site, browser
):
    book = unpack(pack(Layout(site.parents[1]))[0], tmp_path / FOLDER)
    assert check_sums(ROOT / "_build" / "archive") == []
    assert check_sums(book) == []
    (book / "index.html").write_text("changed", encoding="utf-8")
    (book / "search.html").rename(book / "other.html")
    assert check_sums(book) == [
        "missing: search.html",
        "not listed: other.html",
        "changed: index.html",
    ]
    for name in ("book/index", "notebooks/information-limit"):
        assert browser_faults(browser, book / f"{name}.html", "light", WIDE) == [], name
