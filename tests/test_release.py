"""A release says the same everywhere: versions, citation files, licences, changelog."""

import importlib.metadata
import importlib.util
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import companion
import mollified
from tests.repository import ROOT, load_tool, program, text_of, yaml_of

#: What tools/metadata.py reads and writes.
FILES = ("CITATION.cff", "pyproject.toml", "CHANGELOG.md", "codemeta.json", ".zenodo.json", "data/sources.yml")


METADATA = load_tool("metadata")


@pytest.fixture
def copy(tmp_path):
    """A copy of what the tool reads and writes, so that a test can change it."""
    for name in FILES:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


# Versions and citation files


def test_versions_agree_everywhere():
    assert METADATA.faults(ROOT) == []
    installed = {importlib.metadata.version("mollified"), companion.__version__, mollified.__version__}
    stated = set(METADATA.stated(ROOT).values())
    assert installed == stated, "another version is installed: run `make env`"
    assert len(METADATA.stated(ROOT)) == 6


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("pyproject.toml", r'(?m)^version = ".*"$', 'version = "9.9.9"'),
        ("CITATION.cff", r"(?m)^version: .*$", "version: 9.9.9"),
        ("CITATION.cff", r"(?m)^  version: .*$", "  version: 9.9.9"),
        ("CITATION.cff", r"(?m)^date-released: .*$", "date-released: 2031-01-02"),
        ("CHANGELOG.md", r"(?m)^## \[\d.*$", "## [9.9.9] - 2026-11-21"),
        ("CHANGELOG.md", r"(?m)^(## \[\d.*) - .*$", r"\1 - 2031-01-02"),
        ("codemeta.json", r'"version": ".*",', '"version": "9.9.9",'),
        (".zenodo.json", r'"version": ".*",', '"version": "9.9.9",'),
    ],
)
def test_a_version_or_date_changed_in_one_place_is_found(copy, name, old, new):
    text = (copy / name).read_text(encoding="utf-8")
    changed = re.sub(old, new, text, count=1)
    assert changed != text
    (copy / name).write_text(changed, encoding="utf-8")
    assert METADATA.faults(copy)


def test_metadata_tool_writes_what_is_committed(tmp_path, copy, monkeypatch, capsys):
    before = {name: (copy / name).read_bytes() for name in FILES}
    for name in ("codemeta.json", ".zenodo.json"):
        (copy / name).unlink()
    monkeypatch.setattr(METADATA, "ROOT", copy)
    assert METADATA.main(["--check"]) == 1
    assert METADATA.main([]) == 0
    assert METADATA.main(["--check"]) == 0
    assert {name: (copy / name).read_bytes() for name in FILES} == before
    assert "codemeta.json is not what tools/metadata.py writes" in capsys.readouterr().err
    with pytest.raises(SystemExit, match="--check or nothing, got --all"):
        METADATA.main(["--all"])


@pytest.mark.parametrize(
    ("commit", "refused"),
    [
        ({"id": "ab" * 20, "modified": False}, False),
        ({"id": "ab" * 20, "modified": True}, True),
        ({"id": None, "modified": None}, True),
    ],
)
def test_a_release_refuses_figures_made_from_uncommitted_changes(tmp_path, commit, refused):
    release, record = load_tool("release"), tmp_path / "_build/stage/figures/kl-drop/drop-run.json"
    record.parent.mkdir(parents=True)
    record.write_text(json.dumps({"commit": commit}), encoding="utf-8")
    for name in ("CITATION.cff", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    tag = f"v{mollified.__version__}"
    with pytest.raises(SystemExit, match="uncommitted changes: drop-run;" if refused else "not there: "):
        release.assets(tmp_path, tag)


def addresses(text: str) -> set[str]:
    return set(re.findall(r"https?://[^\s\"'>,]+", text))


def test_no_identifier_is_made_up():
    sources = {item["url"] for item in yaml_of("data/sources.yml")}
    known = sources | {"https://w3id.org/codemeta/3.0"}
    known |= {f"https://spdx.org/licenses/{name}" for name in ("BSD-3-Clause", "CC-BY-4.0")}
    for name in ("CITATION.cff", "codemeta.json", ".zenodo.json"):
        text = (ROOT / name).read_text(encoding="utf-8")
        assert addresses(text) <= known, name
        assert not re.search(r"orcid|\bdoi\b|10\.\d{4,}/", text, re.IGNORECASE), name


# Licences


def reuse(root: Path) -> tuple[int, dict]:
    """Return the status of `reuse lint` and its report."""
    # Else it asks for a library of the system.
    environment = {**os.environ, "REUSE_ENCODING_MODULE": "charset_normalizer"}
    answer = subprocess.run(
        [program("reuse"), "lint", "--json"], cwd=root, env=environment, capture_output=True, text=True, check=False
    )
    return answer.returncode, json.loads(answer.stdout)


@pytest.mark.slow
def test_every_file_has_a_licence():
    status, report = reuse(ROOT)
    assert status == 0, {key: value for key, value in report["non_compliant"].items() if value}
    assert report["summary"]["compliant"]
    assert set(report["summary"]["used_licenses"]) == {path.stem for path in (ROOT / "LICENSES").iterdir()}
    assert len(report["files"]) > 500


def test_each_licence_has_one_text():
    """The folder that reuse reads links to the files that the package and the code host read."""
    for name, text in {"BSD-3-Clause": "LICENSE", "CC-BY-4.0": "LICENSE-TEXT"}.items():
        link = ROOT / "LICENSES" / f"{name}.txt"
        assert os.readlink(link) == f"../{text}"
        assert link.read_bytes() == (ROOT / text).read_bytes()


def test_the_licence_of_the_data_is_the_one_that_their_source_states():
    from statsmodels.datasets import randhie

    text = text_of("LICENSES/LicenseRef-PublicDomain-RAND-HIE.txt")
    assert randhie.COPYRIGHT in text
