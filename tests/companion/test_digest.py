"""Two builds of one commit are the same site, times of provenance aside, and any other
difference is seen.
"""

import os
import shutil
from pathlib import Path

import pytest
import sphinx_book_theme

from companion.paths import CompanionError, Layout, json_text
from companion.publish.digest import differences, file_digests, site_digest
from tests.companion.toy import command

PAGE = '<p>Seed <span class="mf-value">{}</span></p>'
RECORD = {"figure": "a", "cells": "b", "sha256": "00", "made": "x", "seed": 7}


@pytest.fixture
def site(tmp_path):
    folder = tmp_path / "one"
    (folder / "_downloads").mkdir(parents=True)
    (folder / "index.html").write_text(PAGE.format(7), encoding="utf-8")
    (folder / "_downloads/a.json").write_text(json_text(RECORD), encoding="utf-8")
    (folder / "other.json").write_text('{"made": "x"}', encoding="utf-8")
    (folder / "a.png").write_bytes(b"\x00\x01")
    return folder


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("_downloads/a.json", json_text({**RECORD, "made": "y"}).encode(), None),
        ("index.html", PAGE.format(8).encode(), "index.html: differs"),
        (
            "_downloads/a.json",
            json_text({**RECORD, "seed": 8}).encode(),
            "_downloads/a.json: differs",
        ),
        ("other.json", b'{"made": "y"}', "other.json: differs"),
        ("a.png", b"\x00\x02", "a.png: differs"),
        ("b.png", b"", "b.png: only in the second"),
        ("a.png", None, "a.png: only in the first"),
    ],
)
def test_times_of_provenance_do_not_count_and_anything_else_does(
    site, name, content, words
):
    other = shutil.copytree(site, site.parent / "two")
    if content is None:
        (other / name).unlink()
    else:
        (other / name).write_bytes(content)
    assert differences(file_digests(site), file_digests(other)) == (
        [words] if words else []
    )
    assert (site_digest(file_digests(site)) == site_digest(file_digests(other))) == (
        words is None
    )


def test_a_folder_without_a_site_is_refused(tmp_path):
    with pytest.raises(CompanionError, match="no built site"):
        file_digests(tmp_path)


@pytest.mark.slow
def test_two_builds_of_a_book_are_the_same_site(toy, accepted, tmp_path, monkeypatch):
    """The second is executed and built elsewhere, with a theme that is installed
    elsewhere.
    """
    theme = tmp_path / "environment" / "sphinx_book_theme"
    shutil.copytree(Path(sphinx_book_theme.__file__).parent, theme)
    monkeypatch.setenv("PYTHONPATH", str(theme.parent), prepend=os.pathsep)
    done = command(accepted, "archive")  # builds first
    assert done.returncode == 0, done.stderr
    other = Layout(accepted).html
    same = command(toy, "digest", str(other))
    assert (same.returncode, "the other site is the same" in same.stdout) == (
        0,
        True,
    ), same.stdout
    page = other / "notebooks/pears.html"
    page.write_text(
        page.read_text(encoding="utf-8").replace("sweetness 11", "sweetness 12"),
        encoding="utf-8",
    )
    changed = command(toy, "digest", str(other))
    assert (changed.returncode, "notebooks/pears.html: differs" in changed.stdout) == (
        3,
        True,
    )
