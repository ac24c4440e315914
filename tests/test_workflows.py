"""The workflows: valid, with no more rights than needed, and each shell step sound and
of things that are there.
"""

import importlib.util
import os
import re
import subprocess
import sys

import pytest
import yaml

from tests.repository import ROOT, program, text_of

FOLDER = ROOT / ".github" / "workflows"
WORKFLOWS = {
    path.stem: yaml.safe_load(path.read_text(encoding="utf-8"))
    for path in sorted(FOLDER.glob("*.yml"))
}
STEPS = [
    (name, step)
    for name, flow in WORKFLOWS.items()
    for job in flow["jobs"].values()
    for step in job["steps"]
]
SCRIPTS = [(name, step["run"]) for name, step in STEPS if "run" in step]
#: An expression of the host, which it replaces before a shell sees the step.
EXPRESSION = re.compile(r"\$\{\{.*?\}\}")


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False
    )


# Form and rights; what a step may do and keep is left to the security check


def faults(*command: str) -> str:
    """Return what a program of the environment says, or nothing where it finds no
    fault.
    """
    answer = run(program(command[0]), *command[1:])
    return "" if answer.returncode == 0 else answer.stdout + answer.stderr


@pytest.mark.parametrize(
    ("schema", "files"),
    [
        ("github-workflows", "workflows/*.yml"),
        ("dependabot", "dependabot.yml"),
        ("github-issue-forms", "ISSUE_TEMPLATE/error-in-the-book.yml"),
    ],
)
def test_what_the_host_reads_is_valid(schema, files):
    paths = map(str, (ROOT / ".github").glob(files))
    assert (
        faults("check-jsonschema", "--builtin-schema", f"vendor.{schema}", *paths) == ""
    )


def test_workflows_pass_the_security_check():
    assert (
        faults(
            "zizmor",
            "--offline",
            "--quiet",
            "--no-progress",
            "--color=never",
            str(ROOT / ".github"),
        )
        == ""
    )


@pytest.mark.parametrize("workflow", WORKFLOWS.values(), ids=list(WORKFLOWS))
def test_rights_are_granted_by_job_and_times_are_bounded(workflow):
    assert workflow["permissions"] == {"contents": "read"}
    assert all(job["timeout-minutes"] <= 120 for job in workflow["jobs"].values())


# The shell of each step


def test_shell_is_sound_and_a_fault_is_found(tmp_path):
    """That of each step of the workflows, and that of the files."""
    files = [
        *sorted((ROOT / "tools").glob("*.sh")),
        ROOT / ".binder/postBuild",
        ROOT / ".ci/run",
    ]
    assert [path.name for path in files if not os.access(path, os.X_OK)] == []
    for at, (name, text) in enumerate(SCRIPTS):
        assert not EXPRESSION.search(text), (
            "an expression in a script: pass it through env"
        )
        files.append(tmp_path / f"{name}-{at}.sh")
        files[-1].write_text(f"#!/usr/bin/env bash\nset -e\n{text}\n", encoding="utf-8")
    assert faults("shellcheck", *map(str, files)) == ""
    files[-1].write_text("#!/usr/bin/env bash\nrm -rf $1/*\n", encoding="utf-8")
    assert faults("shellcheck", str(files[-1]))


def missing_from(text: str) -> list[str]:
    """Return the make targets, tools and modules that a text names and that are not
    there.
    """
    targets = set(re.findall(r"(?m)^([a-z][a-z-]*):", text_of("Makefile")))
    commands = re.findall(r"(?m)(?:^\s*(?:\$ |run: )?|`|&& )make ([a-z][a-z-]*)", text)
    gone = [f"make {name}" for name in commands if name not in targets]
    gone += [
        name
        for name in re.findall(r"\btools/[\w.-]*\w", text)
        if not (ROOT / name).is_file()
    ]
    for module, command in sorted(
        set(re.findall(r"-m ([a-z_.]+)(?: ([a-z]+))?", text))
    ):
        if importlib.util.find_spec(module) is None:
            gone.append(module)
        elif (
            module == "companion"
            and run(sys.executable, "-m", "companion", command, "--help").returncode
        ):
            gone.append(f"companion {command}")
    return gone


def test_what_steps_and_pages_name_is_there_and_what_is_not_is_missed():
    texts = [
        text_of(name)
        for name in (
            "README.md",
            "CONTRIBUTING.md",
            ".ci/run",
            "book/how-it-is-built.md",
        )
    ]
    assert missing_from("\n".join([*texts, *(text for _, text in SCRIPTS)])) == []
    wrong = (
        "make boook && python tools/nothing.py && .venv/bin/python -m companion "
        "crates && python -m companion.no"
    )
    assert missing_from(wrong) == [
        "make boook",
        "tools/nothing.py",
        "companion crates",
        "companion.no",
    ]
