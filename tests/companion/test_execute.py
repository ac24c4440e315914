import os
import re
import subprocess
import sys

import nbformat
import pytest

from companion.paths import CompanionError
from companion.run.execute import child_environment, execute
from tests.companion.toy import replace, write


def run(layout, page, profile, **variables):
    draft = layout.build / "running" / "one"
    return draft, execute(layout, page, profile, draft, set(), variables)


@pytest.mark.slow
def test_the_kernel_is_this_interpreter_with_one_thread_in_the_notebooks_folder(
    layout,
):
    cell = """import os, sys, warnings
        threads = os.environ["OMP_NUM_THREADS"]
        print(sys.executable, threads, os.environ["PYTHONHASHSEED"])
        print(os.getcwd(), os.environ["COMPANION_RUN"], profile)
        print(object(), "\\x1b[31mred")
        warnings.warn("so")
        os.system("echo noise on the standard output of the process")"""
    replace(
        layout.root,
        "notebooks/pears.md",
        "import time\n",
        cell.replace("\n        ", "\n") + "\nimport time\n",
    )
    draft, used = run(layout, "pears", "paper")
    assert used["cpu_seconds"] > 0.1
    assert 30 < used["peak_mib"] < 500
    text = (draft / "notebook.ipynb").read_text(encoding="utf-8")
    assert not re.search(r"/tmp|papermill|iopub|\\u001b|0x[1-9a-f]", text), (
        "traces of the run"
    )
    assert "<cell>:6: UserWarning: so" in text
    book = nbformat.reads(text, as_version=4)
    printed = "".join(
        out.text
        for cell in book.cells
        for out in cell.get("outputs", [])
        if out.name == "stdout"
    )
    lines = printed.splitlines()
    assert lines[0].startswith("<python>/bin/python")
    assert lines[0].endswith(" 1 0")
    assert lines[1:3] == ["<book>/notebooks <run> paper", "<object object at 0x0> red"]
    assert lines[-1] == "sweetness 11"
    assert any(
        "injected-parameters" in cell.metadata.get("tags", []) for cell in book.cells
    )


#: What a reader may have set, and what a page sees all the same.
SET = {
    "PYTHONOPTIMIZE": "1",
    "PYTHONWARNINGS": "error",
    "PYTHONUTF8": "0",
    "PYTHONHASHSEED": "7",
    "LC_ALL": "C",
    "TZ": "Asia/Tokyo",
    "MPLBACKEND": "agg",
    "MATPLOTLIBRC": "settings",
}
SEEN = """import sys, time
import matplotlib

flags = sys.flags
assert (flags.optimize, flags.utf8_mode, flags.hash_randomization) == (0, 1, 0)
assert sys.warnoptions == []
assert (hash("pear"), time.tzname[0]) == (HASH, "UTC")
assert "inline" in matplotlib.get_backend()
assert matplotlib.rcParams["lines.linewidth"] == 1.5
assert False, "asserts are on"
"""


@pytest.mark.slow
def test_what_a_reader_has_set_changes_no_page_and_a_false_assert_ends_it(
    layout, monkeypatch
):
    write(layout.root, "settings", "lines.linewidth: 9")
    for name, value in {**SET, "MATPLOTLIBRC": str(layout.root / "settings")}.items():
        monkeypatch.setenv(name, value)
    asked = [sys.executable, "-c", "print(hash('pear'))"]
    fixed = subprocess.run(
        asked, env={"PYTHONHASHSEED": "0"}, capture_output=True, text=True, check=True
    ).stdout
    replace(
        layout.root,
        "notebooks/pears.md",
        "import time\n",
        SEEN.replace("HASH", fixed.strip()),
    )
    with pytest.raises(CompanionError, match="AssertionError: asserts are on"):
        run(layout, "pears", "quick")


@pytest.mark.slow
def test_a_kernel_that_is_killed_is_named(layout):
    cell = "import os, signal\n\nos.kill(os.getpid(), signal.SIGKILL)\n"
    replace(layout.root, "notebooks/pears.md", "import time\n", cell)
    with pytest.raises(CompanionError, match="the kernel died"):
        run(layout, "pears", "quick")


@pytest.mark.slow
@pytest.mark.parametrize(("deaths", "ends"), [(2, True), (3, False)])
def test_a_kernel_that_dies_before_it_answers_is_started_again(
    layout, tmp_path, deaths, ends
):
    """As one whose port another process took meanwhile; the third death is named."""
    launcher = f"""
        import pathlib, sys
        from ipykernel import kernelapp

        count = pathlib.Path(__file__).with_name("count")
        if not count.exists() or len(count.read_text()) < {deaths}:
            print("x", end="", file=count.open("a"))
            sys.exit(1)
        kernelapp.launch_new_instance()
        """
    write(tmp_path, "first/ipykernel_launcher.py", launcher)
    path = os.pathsep.join(
        [str(tmp_path / "first"), child_environment(layout)["PYTHONPATH"]]
    )
    if ends:
        draft, _ = run(layout, "apples", "quick", PYTHONPATH=path)
        assert (draft / "notebook.ipynb").is_file()
    else:
        with pytest.raises(CompanionError, match="Kernel died before replying"):
            run(layout, "apples", "quick", PYTHONPATH=path)
