"""Put the data that notebooks read into the wheel, as `companion/data`.

All else is said in pyproject.toml.

The data are kept once, in `data/`. An editable install reads them there, so nothing is
copied for it.
"""

from __future__ import annotations

import importlib.util
import json
import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).resolve().parent
# By its path: the package asks for its installed version, and there is none before
# the first installation.
_SPEC = importlib.util.spec_from_file_location(
    "provenance", ROOT / "src" / "companion" / "provenance.py"
)
_PROVENANCE = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(_PROVENANCE)
ORIGIN, commit = _PROVENANCE.ORIGIN, _PROVENANCE.commit

#: The ledger, the registry of figures, the accepted tables and the data of others.
DATA = (
    "*.yml",
    "README.md",
    "datasets/*.csv",
    "results/manifest.json",
    "results/figures/*/*.csv",
)


def data_files() -> list[Path]:
    """Return the files of the data, relative to the root."""
    return sorted(
        path.relative_to(ROOT)
        for pattern in DATA
        for path in (ROOT / "data").glob(pattern)
    )


class BuildWithData(build_py):
    """Copy the packages, and beside them the data and the commit that they are from."""

    def run(self) -> None:
        """Copy all; what an earlier build left of the data is dropped."""
        super().run()
        if self.editable_mode:
            return
        target = Path(self.build_lib) / "companion"
        shutil.rmtree(target / "data", ignore_errors=True)
        for path in data_files():
            (target / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / path, target / path)
        (target / ORIGIN).write_text(json.dumps(commit(ROOT)) + "\n", encoding="utf-8")

    def get_outputs(self, include_bytecode: bool = True) -> list[str]:
        """Return what is written, the data with it."""
        target = Path(self.build_lib) / "companion"
        data = (
            []
            if self.editable_mode
            else [str(target / path) for path in [*data_files(), ORIGIN]]
        )
        return [*super().get_outputs(include_bytecode), *data]

    def get_source_files(self) -> list[str]:
        """Return what a source archive must hold, the data with it."""
        origin = [ORIGIN] if (ROOT / ORIGIN).is_file() else []
        return [
            *super().get_source_files(),
            *(path.as_posix() for path in [*data_files(), *origin]),
        ]


setup(cmdclass={"build_py": BuildWithData})
