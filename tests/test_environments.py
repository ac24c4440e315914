"""The ways to an environment agree: the lock, environment.yml, Binder's folder, the
container.
"""

import importlib.metadata
import re
import sys

import pytest
from dockerfile_parse import DockerfileParser
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from tests.repository import PROJECT, ROOT, load_tool, text_of, yaml_of

CONDA = yaml_of("environment.yml")
BINDER = yaml_of(".binder/environment.yml")
(PYTHON,) = (
    item.removeprefix("python=")
    for item in CONDA["dependencies"]
    if str(item).startswith("python=")
)
LOCK_TOOL = load_tool("lock")


def pins(text: str) -> dict[str, set[str]]:
    """Return the pins of a file by name; a name has one for each marker."""
    versions: dict[str, set[str]] = {}
    for line in LOCK_TOOL.prune(text):
        pin = Requirement(line)
        versions.setdefault(pin.name, set()).add(str(next(iter(pin.specifier)).version))
    return versions


LOCK = pins(text_of("requirements.lock"))
BINDER_PINS = pins(text_of(".binder/requirements.txt"))


def outside(needs: list[str], given: dict[str, set[str]]) -> list[str]:
    """Return the requirements that no pin meets."""

    def met(need: Requirement) -> bool:
        versions = given.get(canonicalize_name(need.name), ())
        return bool(versions) and all(
            need.specifier.contains(version, prereleases=True) for version in versions
        )

    return [text for text in needs if not met(Requirement(text))]


def apart(one: dict[str, set[str]], other: dict[str, set[str]]) -> list[str]:
    """Return the names that both have, with a version that the other lacks."""
    return [
        name for name in sorted(set(one) & set(other)) if not one[name] <= other[name]
    ]


# The lock


def test_lock_has_plain_pins_for_all_that_is_needed_and_they_are_installed():
    text = text_of("requirements.lock")
    assert LOCK_TOOL.prune(text) == [
        line for line in text.splitlines() if line.strip() and not line.startswith("#")
    ]
    extras = PROJECT["optional-dependencies"]
    assert (
        outside([*PROJECT["dependencies"], *extras["book"], *extras["test"]], LOCK)
        == []
    )
    python = {"python_full_version": "{}.{}.{}".format(*sys.version_info[:3])}
    for pin in map(Requirement, LOCK_TOOL.prune(text)):
        if pin.marker is None or pin.marker.evaluate(python):
            assert pin.specifier.contains(
                Version(importlib.metadata.version(pin.name)).public
            ), pin.name


@pytest.mark.parametrize(
    "line",
    [
        "torch==2.13.0+cpu",
        "numpy>=2",
        "numpy==2.0 --hash=sha256:00",
        "--index-url x",
        "a @ file:" + "///a",
    ],
)
def test_lock_tool_refuses_what_is_no_plain_pin(line):
    with pytest.raises(ValueError, match="not a plain pin"):
        LOCK_TOOL.prune(f"numpy==2.4.6\n{line}\n")


# Binder


def test_binder_has_the_versions_of_the_lock_and_within_the_bounds():
    extras = PROJECT["optional-dependencies"]
    needs = [text for text in PROJECT["dependencies"] if not text.startswith("torch")]
    assert outside([*needs, *extras["book"], *extras["lab"]], BINDER_PINS) == []
    assert apart(BINDER_PINS, LOCK) == []
    assert len(set(BINDER_PINS) & set(LOCK)) > 100, (
        "what both have in common was compared"
    )
    assert "torch" not in BINDER_PINS
    assert apart({"numpy": {"2.0"}}, LOCK) == ["numpy"]
    assert outside(
        ["jupyterlab>=4.6", "numpy<3"], {"jupyterlab": {"4.4.9"}, "numpy": {"2.4.6"}}
    ) == ["jupyterlab>=4.6"]


def test_binder_takes_python_and_a_pytorch_without_cuda_from_conda():
    packages = dict(
        item.split("=", 1) if "=" in item else (item, "")
        for item in BINDER["dependencies"]
    )
    assert packages == {
        "python": PYTHON,
        "pip": "",
        "pytorch-cpu": next(iter(LOCK["torch"])),
    }
    assert BINDER["channels"] == CONDA["channels"] == ["conda-forge", "nodefaults"]


# The container

CONTAINER = [
    (item["instruction"], item["value"])
    for item in DockerfileParser(str(ROOT / "Dockerfile")).structure
]


def values(given: list[tuple[str, str]], wanted: str) -> list[str]:
    return [value for name, value in given if name == wanted]


def copied(given: list[tuple[str, str]]) -> list[str]:
    return [
        part
        for value in values(given, "COPY")
        for part in value.split()[:-1]
        if not part.startswith("--")
    ]


def test_container_copies_what_is_there_and_keeps_out_what_is_made_here():
    ignored, kept_out = (
        {name.strip("/*") for name in text_of(f".{of}ignore").split()}
        for of in ("git", "docker")
    )
    assert [
        name
        for name in copied(CONTAINER)
        if name in kept_out or not (ROOT / name).exists()
    ] == []
    assert ignored | {".git"} <= kept_out


def test_container_runs_without_privileges_and_has_all_that_it_needs():
    order = [name for name, _ in CONTAINER]
    assert values(CONTAINER, "FROM") == [f"python:{PYTHON}-slim"]
    assert values(CONTAINER, "USER") == ["1000:1000"]
    assert order.index("USER") < order.index("COPY")
    assert "useradd --create-home --uid 1000 " in values(CONTAINER, "RUN")[0]
    assert all("--chown=reader:reader" in value for value in values(CONTAINER, "COPY"))
    before = copied(CONTAINER[: CONTAINER.index(("RUN", "make env PYTHON=python3"))])
    needed = re.search(r"(?m)^\$\(STAMP\): (.*)$", text_of("Makefile"))[1].split()
    needed += [PROJECT["readme"], "setup.py", *PROJECT["license-files"]]
    assert [name for name in needed if name.split("/")[0] not in before] == []
