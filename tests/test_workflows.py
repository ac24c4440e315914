"""The workflows: valid, with no more rights than needed, and each shell step a thing that is there and was run here."""

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.repository import ROOT, program, text_of

FOLDER = ROOT / ".github" / "workflows"
NAMES = ("pages", "release", "test", "weekly")
#: An expression of the host, which it replaces before a shell sees the step.
EXPRESSION = re.compile(r"\$\{\{.*?\}\}")


def read(name: str) -> dict:
    return yaml.safe_load((FOLDER / f"{name}.yml").read_text(encoding="utf-8"))


def steps(name: str) -> list[dict]:
    return [step for job in read(name)["jobs"].values() for step in job["steps"]]


def scripts(name: str) -> list[str]:
    return [step["run"] for step in steps(name) if "run" in step]


def run(*command: str, cwd: Path = ROOT, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, cwd=cwd, env={**os.environ, **environment}, capture_output=True, text=True, check=False
    )


# Form and rights; what a step may do and keep is left to the security check


def faults(*command: str) -> str:
    """Return what a program of the environment says, or nothing where it finds no fault."""
    answer = run(program(command[0]), *command[1:])
    return "" if answer.returncode == 0 else answer.stdout + answer.stderr


def schema_faults(*files: Path, schema: str = "vendor.github-workflows") -> str:
    return faults("check-jsonschema", "--builtin-schema", schema, *map(str, files))


def test_workflows_are_valid_and_a_misspelt_key_is_found(tmp_path):
    assert schema_faults(*sorted(FOLDER.glob("*.yml"))) == ""
    assert schema_faults(ROOT / ".github/dependabot.yml", schema="vendor.dependabot") == ""
    form = ROOT / ".github/ISSUE_TEMPLATE/error-in-the-book.yml"
    assert schema_faults(form, schema="vendor.github-issue-forms") == ""
    wrong = tmp_path / "wrong.yml"
    wrong.write_text((FOLDER / "pages.yml").read_text(encoding="utf-8").replace("runs-on", "run-on"), encoding="utf-8")
    assert "run-on" in schema_faults(wrong)


def security_faults(path: Path) -> str:
    return faults("zizmor", "--offline", "--quiet", "--no-progress", "--color=never", str(path))


def test_workflows_pass_the_security_check_and_what_it_must_find_it_finds(tmp_path):
    assert security_faults(ROOT / ".github") == ""
    wrong = tmp_path / ".github/workflows/wrong.yml"
    wrong.parent.mkdir(parents=True)
    text = (FOLDER / "release.yml").read_text(encoding="utf-8")
    wrong.write_text(text.replace('notes "$TAG"\n', "notes ${{ github.ref_name }}\n", 1), encoding="utf-8")
    assert "template-injection" in security_faults(wrong)


@pytest.mark.parametrize("name", NAMES)
def test_rights_are_granted_by_job_and_times_are_bounded(name):
    workflow = read(name)
    assert workflow["permissions"] == {"contents": "read"}
    assert all(job["timeout-minutes"] <= 120 for job in workflow["jobs"].values())


# The shell of each step


def test_shell_is_sound_and_a_fault_is_found(tmp_path):
    """That of each step of the workflows, and that of the files."""
    files = [*sorted((ROOT / "tools").glob("*.sh")), ROOT / ".binder/postBuild", ROOT / ".ci/run"]
    assert [path.name for path in files if not os.access(path, os.X_OK)] == []
    for name in NAMES:
        for at, text in enumerate(scripts(name)):
            assert not EXPRESSION.search(text), "an expression in a script: pass it through env"
            files.append(tmp_path / f"{name}-{at}.sh")
            files[-1].write_text(f"#!/usr/bin/env bash\nset -e\n{text}\n", encoding="utf-8")
    assert faults("shellcheck", *map(str, files)) == ""
    files[-1].write_text("#!/usr/bin/env bash\nrm -rf $1/*\n", encoding="utf-8")
    assert faults("shellcheck", str(files[-1]))


def missing_from(text: str) -> list[str]:
    """Return the make targets, tools and modules that a text names and that are not there."""
    targets = set(re.findall(r"(?m)^([a-z][a-z-]*):", text_of("Makefile")))
    told = re.findall(r"(?m)(?:^\s*(?:\$ |run: )?|`|&& )make ([a-z][a-z-]*)", text)
    gone = [f"make {name}" for name in told if name not in targets]
    gone += [name for name in re.findall(r"\btools/[\w.-]*\w", text) if not (ROOT / name).is_file()]
    for module, command in sorted(set(re.findall(r"-m ([a-z_.]+)(?: ([a-z]+))?", text))):
        if importlib.util.find_spec(module) is None:
            gone.append(module)
        elif module == "companion" and run(sys.executable, "-m", "companion", command, "--help").returncode:
            gone.append(f"companion {command}")
    return gone


def test_what_steps_and_pages_name_is_there_and_what_is_not_is_missed():
    told = [text_of(name) for name in ("README.md", "CONTRIBUTING.md", ".ci/run", "book/how-it-is-built.md")]
    assert missing_from("\n".join([*told, *(text for name in NAMES for text in scripts(name))])) == []
    wrong = "make boook && python tools/nothing.py && .venv/bin/python -m companion crates && python -m companion.no"
    assert missing_from(wrong) == ["make boook", "tools/nothing.py", "companion crates", "companion.no"]


# Steps that cost little are run: a fake `gh` writes down what it is asked


@pytest.fixture
def gh(tmp_path, monkeypatch):
    """A function that puts a `gh` on the PATH: it runs these words and notes its arguments; it returns the notes."""
    monkeypatch.setenv("PATH", f"{tmp_path}/bin{os.pathsep}{os.environ['PATH']}")
    (tmp_path / "bin").mkdir()

    def made(words=""):
        program = tmp_path / "bin/gh"
        program.write_text(f'#!/bin/sh\necho "$*" >> {tmp_path}/calls\n{words}\n', encoding="utf-8")
        program.chmod(0o755)
        (tmp_path / "calls").write_text("", encoding="utf-8")
        return lambda: (tmp_path / "calls").read_text(encoding="utf-8").splitlines()

    return made


def step(name, words, folder, **told):
    """Run the step of a workflow that holds these words, as the host does."""
    (text,) = [text for text in scripts(name) if words in text]
    told = {"GITHUB_SERVER_URL": "https://h.example", "GITHUB_REPOSITORY": "a/b", "GITHUB_RUN_ID": "7", **told}
    return run("bash", "-ec", text.replace("python", sys.executable, 1), cwd=folder, **told)


def test_weekly_opens_one_issue_where_something_differs_and_adds_to_one_that_is_open(gh, tmp_path):
    calls, text = gh(), tmp_path / "_build/verify/issue.md"
    assert step("weekly", "gh issue", tmp_path).returncode == 0
    assert [" ".join(call.split()[:2]) for call in calls()] == ["issue list", "label create", "issue create"]
    assert "before it could report" in text.read_text(encoding="utf-8")
    (text.parent / "report.md").write_text("- MBDE-L9\n" + "x" * 99_999, encoding="utf-8")
    calls = gh('test "$2" != list || echo 5')
    assert step("weekly", "gh issue", tmp_path).returncode == 0
    assert calls()[-1] == "issue comment 5 --body-file issue.md"
    assert text.read_text(encoding="utf-8").startswith("- MBDE-L9")
    assert text.read_text(encoding="utf-8").endswith("x\n\nRun: https://h.example/a/b/actions/runs/7\n")
    assert text.stat().st_size < 65_536
    gh("exit 1")
    assert step("weekly", "gh issue", tmp_path).returncode != 0
    (run_step,) = [item for item in steps("weekly") if "gh issue" in item.get("run", "")]
    assert run_step["if"] == "failure()", "verify ends with 1 where something differs"


@pytest.mark.parametrize("name", ["pages", "release"])
def test_addresses_are_those_of_the_host(gh, tmp_path, name):
    told, repository = tmp_path / "told", "COMPANION_REPOSITORY=https://h.example/a/b\n"
    for words, site in (("echo https://a.h.example/b/", "COMPANION_SITE=https://a.h.example/b/\n"), ("exit 1", "")):
        told.write_text("", encoding="utf-8")
        gh(words)
        assert step(name, "COMPANION_SITE", tmp_path, GITHUB_ENV=str(told)).returncode == 0
        assert told.read_text(encoding="utf-8") == repository + site
