"""The repository as its own tests see it."""

import importlib.util
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))[
    "project"
]


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def yaml_of(name: str):
    return yaml.safe_load(text_of(name))


def tracked() -> list[str]:
    """Return the names of the files of the repository: tracked ones and those that
    would be.
    """
    command = [
        "git",
        "-C",
        str(ROOT),
        "ls-files",
        "-z",
        "--cached",
        "--others",
        "--exclude-standard",
    ]
    names = subprocess.run(
        command, capture_output=True, check=True, text=True
    ).stdout.split("\0")
    return [name for name in names if name and (ROOT / name).is_file()]


def load_tool(name: str, folder: str = "tools"):
    spec = importlib.util.spec_from_file_location(
        f"tool_{name}", ROOT / folder / f"{name}.py"
    )
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def program(name: str) -> str:
    """Return the path of a program of the environment."""
    found = shutil.which(name, path=str(Path(sys.executable).parent))
    assert found is not None, f"{name} is not in the environment: run make env"
    return found
