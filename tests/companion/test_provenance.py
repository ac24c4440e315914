import getpass
import json
import os
import platform
import subprocess
import sys
from datetime import UTC, datetime, timedelta

from companion import provenance
from companion.figures import save_figure
from companion.paths import Layout
from tests.companion.test_figures import SPEC, draw, study
from tests.companion.toy import commit_all, make_book, write


def test_commit_and_changes_are_told_apart(tmp_path):
    make_book(tmp_path)
    commit_all(tmp_path)
    clean = provenance.commit(tmp_path)
    assert len(clean["id"]) == 40
    assert clean["modified"] is False
    write(tmp_path, "src/toy/pear.py", "SWEETNESS = 12\n")
    assert provenance.commit(tmp_path) == {"id": clean["id"], "modified": True}


def test_outside_a_repository_of_its_own_there_is_no_commit(tmp_path, monkeypatch):
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    make_book(tmp_path / "book")
    none = {"id": None, "modified": None}
    assert provenance.commit(tmp_path) == none
    commit_all(tmp_path)
    assert provenance.commit(tmp_path)["modified"] is False
    assert provenance.commit(tmp_path / "book") == none, (
        "that of the repository around it is not its own"
    )
    monkeypatch.setenv("PATH", str(tmp_path))
    assert provenance.commit(tmp_path) == none, "no git"


def test_installed_data_say_which_commit_was_installed(tmp_path):
    write(tmp_path, "data/origin.json", '{"id": "0123", "modified": true}')
    assert provenance.commit(tmp_path) == {"id": "0123", "modified": True}


def test_instruction_set_capability_threads_and_builds_are_told():
    """In processes of their own: PyTorch is asked where a page has imported it, and
    never imported for this.
    """
    told = []
    for imports in ("numpy", "scipy, torch"):
        program = (
            f"import json, sys, {imports}; from companion.provenance import numerics; "
            "found = numerics(); "
        )
        program += "print(json.dumps([found, 'torch' in sys.modules]))"
        limited = {
            **os.environ,
            "OMP_NUM_THREADS": "1",
            "ATEN_CPU_CAPABILITY": "default",
        }
        answer = subprocess.run(
            [sys.executable, "-c", program],
            env=limited,
            capture_output=True,
            text=True,
            check=True,
        )
        told.append(json.loads(answer.stdout))
    (plain, unasked), (full, asked) = told
    assert (unasked, asked) == (False, True)
    assert {"instructions", "threads", "numpy_blas"} <= set(plain)
    assert not any(name.startswith("torch") for name in plain)
    assert {name: full[name] for name in plain} == plain
    assert plain["threads"] == "1"
    assert full["torch_capability"] == "DEFAULT"
    assert full["torch_build"]
    assert full["scipy_blas"]
    assert all("/" not in value for value in full.values())


def test_the_record_is_complete_and_names_no_machine(tmp_path):
    layout = Layout(make_book(tmp_path / "book"))
    made = save_figure(layout, SPEC, "quick", tmp_path / "out", study(), draw)
    text = made[".json"].read_text(encoding="utf-8")
    record = json.loads(text)
    assert set(record) == {
        "figure",
        "page",
        "cells",
        "profile",
        "command",
        "versions",
        "commit",
        "machine",
        "numerics",
        "made",
        "sha256",
    }
    assert record["command"] == "make figure FIG=toy-figure"
    assert record["sha256"] == provenance.sha256_of(made[".csv"])
    made_at = datetime.strptime(record["made"], "%Y-%m-%dT%H:%M:%S%z")
    assert timedelta(0) <= datetime.now(UTC) - made_at < timedelta(minutes=2)
    assert set(record["machine"]) == {"cpus", "architecture", "system"}
    assert {"instructions", "threads", "numpy_blas"} <= set(record["numerics"])
    for private in (platform.node(), str(tmp_path)):
        assert private not in text
    assert f"/{getpass.getuser()}" not in text
