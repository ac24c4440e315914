"""The downloads as a reader uses them: in another folder, with the wheel of the site
installed and no book around.

The environment is new. It finds the libraries of this one, by a line in a .pth file, so
that nothing large is installed twice; the .pth files of this one, and with them the
editable install of this checkout, do not count there. That `mollified` and `companion`
come from the wheel is checked.
"""

import base64
import json
import math
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import nbformat
import pandas as pd
import pytest

from companion.ledger.claims import judged
from companion.ledger.registry import load_registry, specs_of_page
from companion.paths import Layout
from companion.provenance import commit
from companion.site.downloads import write_downloads
from companion.site.packages import package_names, write_packages
from tests.repository import ROOT, tracked

pytestmark = pytest.mark.slow

#: The largest package, in MB.
LARGEST = 4
#: What somebody with data writes.
PROGRAM = """
import companion.page, mollified, statements
from mollified.boxes import BoxSampler
print(*(module.__file__ for module in (companion, mollified, statements)))
sampler = BoxSampler.from_reference([0.5, 0.3, 0.2], eps=1.0)
print(int(sampler.draw([0.0, 0.0, 1.0], users=["me"])), float(sampler.certificate.exp_level))
"""  # noqa: E501
#: What a kernel and matplotlib keep in the home of whoever runs them.
CACHES = {".cache", ".config", ".ipython", ".jupyter", ".local"}


def run(command, folder, **environment):
    """Run a command as a reader would; COMPANION_* and PYTHONPATH of these tests are
    not passed on.
    """
    names = ("PATH", "LANG", "LC_ALL", "TMPDIR", "SYSTEMROOT")
    environment |= {name: os.environ[name] for name in names if name in os.environ}
    command = [str(part) for part in command]
    return subprocess.run(
        command,
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def files_of(folder):
    """Return the files under a folder, compiled modules aside, with their sizes and
    times.
    """
    paths = [
        path
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    ]
    return {
        path.relative_to(folder).as_posix(): (
            path.stat().st_size,
            path.stat().st_mtime_ns,
        )
        for path in paths
    }


def counted(folder):
    """Return how each test of a claim came out, by file; margins may differ in the last
    digit and are left out.
    """
    outcomes = {}
    for path in folder.glob("*.json"):
        record = json.loads(path.read_text(encoding="utf-8"))
        fields = ("claim", "role", "instances", "violations", "seed")
        control = record["control"]
        outcomes[path.name] = [
            *(record[name] for name in fields),
            control["instances"],
            control["violations"],
        ]
    return outcomes


@pytest.fixture(scope="module")
def downloads(tmp_path_factory, executed):
    folder = tmp_path_factory.mktemp("site")
    layout = Layout(ROOT)
    ledger, faults = judged(
        layout.root, [entry.run / "evidence" for entry in executed.values()]
    )
    assert faults == []
    assert write_downloads(
        layout, executed, ledger.to_record(), folder / "html"
    ) == len(executed)
    return folder / "html" / "downloads"


@pytest.fixture(scope="module")
def wheel(downloads):
    return downloads / package_names(ROOT)[0]


@pytest.fixture(scope="module")
def installed(tmp_path_factory, wheel):
    """Make an environment and install the wheel, without its dependencies; return its
    Python and its packages.
    """
    folder = tmp_path_factory.mktemp("environment") / "new"
    subprocess.run(
        [sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True
    )
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    where = "import sysconfig; print(sysconfig.get_path('purelib'))"
    packages = Path(run([python, "-I", "-c", where], folder).stdout.strip())
    (packages / "libraries.pth").write_text(
        sysconfig.get_path("purelib") + "\n", encoding="utf-8"
    )
    command = [
        sys.executable,
        "-m",
        "pip",
        "--python",
        python,
        "install",
        "-q",
        "--no-deps",
        "--no-index",
        wheel,
    ]
    answer = run(command, folder, HOME=str(folder))
    assert answer.returncode == 0, answer.stderr
    return python, packages


def test_the_packages_are_small_the_same_each_time_and_carry_what_notebooks_read(
    wheel, installed, tmp_path
):
    for name in write_packages(ROOT, tmp_path):
        content = (wheel.parent / name).read_bytes()
        assert len(content) < LARGEST * 2**20
        assert (tmp_path / name).read_bytes() == content
    command = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "-q",
        "--no-deps",
        "--no-index",
        "--no-build-isolation",
    ]
    answer = run(
        [*command, "-w", "made", tmp_path / package_names(ROOT)[1]],
        tmp_path,
        HOME=str(tmp_path),
    )
    assert answer.returncode == 0, answer.stderr
    with (
        zipfile.ZipFile(tmp_path / "made" / wheel.name) as again,
        zipfile.ZipFile(wheel) as first,
    ):
        assert again.namelist() == first.namelist()
        assert [entry.CRC for entry in again.infolist()] == [
            entry.CRC for entry in first.infolist()
        ]
    data = installed[1] / "companion" / "data"
    assert json.loads((data / "origin.json").read_text(encoding="utf-8")) == commit(
        ROOT
    )
    own = [
        name
        for name in tracked()
        if name.startswith("data/") and name.endswith((".csv", ".yml"))
    ]
    here = {name.removeprefix("data/") for name in own}
    there = set(files_of(data)) - {"README.md", "origin.json", "results/manifest.json"}
    assert there == here
    for name in here:
        assert (data / name).read_bytes() == (ROOT / "data" / name).read_bytes()


def test_the_packages_come_from_the_wheel_and_run_a_program(tmp_path, installed):
    answer = run([installed[0], "-c", PROGRAM], tmp_path, HOME=str(tmp_path))
    assert answer.returncode == 0, answer.stderr
    *places, drawn, level = answer.stdout.split()
    names = ("companion", "mollified", "statements")
    assert [Path(place).resolve() for place in places] == [
        (installed[1] / n / "__init__.py").resolve() for n in names
    ]
    assert drawn in {"0", "1", "2"}
    assert 1 < float(level) <= math.e


def test_a_download_runs_in_another_folder_and_writes_only_there(
    tmp_path, downloads, installed, executed
):
    """What it records is what the book recorded; nothing is written to the package, the
    book or anywhere else.
    """
    folder = shutil.copytree(downloads, tmp_path / "mine")
    home = tmp_path / "home"
    home.mkdir()
    page = "bootstrap-release"  # it has a data set
    watched = {"wheel": installed[1], "book": ROOT / "_build" / "interactive"}
    before = {name: files_of(place) for name, place in watched.items()}
    mine = set(files_of(folder))
    options = ["-m", "papermill", "--no-progress-bar", "-p", "profile", "quick"]
    command = [installed[0], *options, f"{page}.ipynb", "my.ipynb"]
    answer = run(command, folder, HOME=str(home))
    assert answer.returncode == 0, answer.stdout + answer.stderr
    assert {name: files_of(place) for name, place in watched.items()} == before
    new = set(files_of(folder)) - mine
    assert {
        name for name in new if not name.startswith(f"mollified-output/{page}/")
    } == {"my.ipynb"}
    assert {path.name for path in home.iterdir()} <= CACHES
    cells = nbformat.read(folder / "my.ipynb", as_version=4).cells
    outputs = [output for cell in cells for output in cell.get("outputs", [])]
    text = "".join(output.get("text", "") for output in outputs)
    assert (
        text.count(f"kept in mollified-output/{page}, in the folder that it runs in")
        == 1
    )
    assert "Warning" not in text
    assert not any("text/markdown" in output.get("data", {}) for output in outputs)
    output = folder / "mollified-output" / page
    assert (
        counted(output / "evidence") == counted(executed[page].run / "evidence") != {}
    )
    figures = {
        spec.id for spec in specs_of_page(load_registry(Layout(ROOT).registry), page)
    }
    assert {path.stem for path in output.glob(f"figures/{page}/*.csv")} == figures
    shown = "".join(item.get("data", {}).get("text/html", "") for item in outputs)
    pictures = {
        base64.b64decode(picture)
        for picture in re.findall(r'src="data:image/png;base64,([^"]+)"', shown)
    }
    assert pictures
    assert pictures <= {
        path.read_bytes() for path in output.glob(f"figures/{page}/*.png")
    }
    assert not re.search(r"\{[a-z:]+\}`", shown)
    counts = pd.read_csv(
        installed[1] / "companion" / "data" / "datasets" / "visits.csv"
    )["persons"]
    values = json.loads((output / "values.json").read_text(encoding="utf-8"))
    assert values["visits-n"] == f"{counts.sum():,}"


def test_no_download_keeps_what_only_the_book_can_read(downloads):
    left = re.compile(r"\{[a-z:-]+\}`|\.md[#)]|^[`:]{3,}\{", re.MULTILINE)
    for path in downloads.glob("*.ipynb"):
        cells = nbformat.read(path, as_version=4).cells
        assert [
            cell.source
            for cell in cells
            if cell.cell_type == "markdown" and left.search(cell.source)
        ] == []
