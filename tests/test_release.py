"""A release says the same everywhere: versions, citation files, licences, changelog."""

import importlib.metadata
import json
import os
import re
import shutil
import subprocess
import tomllib

import pytest
import yaml

import companion
import mollified
from tests.repository import PROJECT, ROOT, load_tool, program, text_of, yaml_of

#: What tools/metadata.py reads and writes.
FILES = ("CITATION.cff", "pyproject.toml", "CHANGELOG.md", "codemeta.json", ".zenodo.json", "data/sources.yml")


METADATA = load_tool("metadata")


# Versions and citation files


def faults(root):
    """Return what does not agree: a file that the tool would write otherwise, a version, a date."""
    made = METADATA.written(root)
    found = [name for name, text in made.items() if (root / name).read_text(encoding="utf-8") != text]
    citation = yaml.safe_load((root / "CITATION.cff").read_text(encoding="utf-8"))
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    heading = r"(?m)^## \[(\d+\.\d+\.\d+)\] - (\d{4}-\d{2}-\d{2})$"
    version, day = re.search(heading, (root / "CHANGELOG.md").read_text(encoding="utf-8")).groups()
    book, released = citation["preferred-citation"], str(citation["date-released"])
    versions, days = {version, project["version"], citation["version"], book["version"]}, {day, released}
    found += [f"{kind}: {given}" for kind, given in (("versions", versions), ("days", days)) if len(given) > 1]
    return found + ([] if released.startswith(str(book["year"])) else ["year"])


def test_versions_agree_everywhere():
    assert faults(ROOT) == []
    installed = {importlib.metadata.version("mollified"), companion.__version__, mollified.__version__}
    assert installed == {PROJECT["version"]}, "another version is installed: run `make env`"


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
def test_a_version_or_date_changed_in_one_place_is_found(tmp_path, name, old, new):
    (tmp_path / "data").mkdir()
    for file in FILES:
        shutil.copy(ROOT / file, tmp_path / file)
    text = (tmp_path / name).read_text(encoding="utf-8")
    changed = re.sub(old, new, text, count=1)
    assert changed != text
    (tmp_path / name).write_text(changed, encoding="utf-8")
    assert faults(tmp_path)


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


def test_no_identifier_is_made_up():
    known = {"https://w3id.org/codemeta/3.0", *(item["url"] for item in yaml_of("data/sources.yml"))}
    known |= {f"https://spdx.org/licenses/{name}" for name in ("BSD-3-Clause", "CC-BY-4.0")}
    for name in ("CITATION.cff", "codemeta.json", ".zenodo.json"):
        assert set(re.findall(r"https?://[^\s\"'>,]+", text_of(name))) <= known, name
        assert not re.search(r"orcid|\bdoi\b|10\.\d{4,}/", text_of(name), re.IGNORECASE), name


# Licences


@pytest.mark.slow
def test_every_file_has_a_licence():
    environment = {**os.environ, "REUSE_ENCODING_MODULE": "charset_normalizer"}  # else it asks for a system library
    command = [program("reuse"), "lint", "--json"]
    answer = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    report = json.loads(answer.stdout)
    assert answer.returncode == 0, {key: value for key, value in report["non_compliant"].items() if value}
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
