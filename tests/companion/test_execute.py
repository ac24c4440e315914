import os
import shutil

import jupytext
import nbformat
import pytest

from companion.paths import CompanionError, Layout
from companion.run.execute import Running, child_environment, own_parameters
from tests.companion.toy import command, make_book, replace, write


@pytest.fixture
def layout(tmp_path, monkeypatch):
    monkeypatch.delenv("COMPANION_CHILD", raising=False)
    return Layout(make_book(tmp_path))


def run(layout, page, parameters, **options):
    seen = []
    job = Running(layout, page, parameters, layout.build / "running" / "one", **options)
    return job.draft, seen, job.wait(seen.append)


def test_parameters_that_repeat_the_defaults_are_not_given_and_unknown_ones_are_refused(layout, tmp_path):
    path = tmp_path / "pears.ipynb"
    nbformat.write(jupytext.read(layout.notebook("pears")), path)
    assert own_parameters(path, {"profile": "quick", "pause": 0.0}) == {}
    assert own_parameters(path, {"profile": "paper", "pause": 0}) == {"profile": "paper", "pause": 0}
    with pytest.raises(CompanionError, match="unknown parameter puase, speed; known: pause, profile"):
        own_parameters(path, {"speed": 1, "puase": 1})


@pytest.mark.slow
def test_the_kernel_is_this_interpreter_with_one_thread_in_the_notebooks_folder(layout):
    cell = """import os, sys
        print(sys.executable, os.environ["OMP_NUM_THREADS"], os.environ["PYTHONHASHSEED"])
        print(os.getcwd(), os.environ["COMPANION_RUN"], profile, pause)
        os.system("echo noise on the standard output of the process")"""
    replace(layout.root, "notebooks/pears.md", "import time\n", cell.replace("\n        ", "\n") + "\nimport time\n")
    draft, seen, used = run(layout, "pears", {"profile": "paper", "pause": 0.25})
    assert used["cpu_seconds"] > 0.1
    assert 30 < used["peak_mib"] < 500
    assert seen == [f"cell {number}/3 Pears" for number in (1, 2, 3)]
    book = nbformat.read(draft / "notebook.ipynb", as_version=4)
    printed = "".join(out.text for cell in book.cells for out in cell.get("outputs", []) if out.name == "stdout")
    lines = printed.splitlines()
    assert lines[0].startswith("<python>/bin/python")
    assert lines[0].endswith(" 1 0")
    assert lines[1] == "<book>/notebooks <run> paper 0.25"
    assert lines[-1] == "sweetness 11"
    assert any("injected-parameters" in cell.metadata.get("tags", []) for cell in book.cells)


@pytest.mark.slow
def test_a_reader_s_own_parameters_pass_the_gate_apart_from_the_cache(layout):
    write(
        layout.root,
        "notebooks/apples.md",
        """
        ```{code-cell} ipython3
        :tags: [parameters]

        profile = "quick"
        rate = 2.0
        ```

        ```{code-cell} ipython3
        from companion.page import Page
        from toy.draw import draw_growth
        from toy.grow import growth

        table = growth(rate, 4)
        Page("apples", profile=profile).figure("growth", table, lambda: draw_growth(table))
        ```
        """,
    )
    done = command(layout.root, "execute", "apples", "--set", "rate=5")
    assert done.returncode == 0, done.stderr
    assert not (layout.build / "cache").exists()
    made = layout.build / "explore/apples/run/figures/apples/growth.csv"
    assert made.read_text() == "step,size\n0,3\n1,15\n2,75\n3,375\n"
    shutil.rmtree(layout.build / "explore")
    wrong = command(layout.root, "execute", "apples", "--set", "speed=5")
    assert wrong.returncode == 1
    assert "unknown parameter speed; known: profile, rate" in wrong.stderr


@pytest.mark.slow
@pytest.mark.parametrize(("deaths", "ends"), [(2, True), (3, False)])
def test_a_kernel_that_dies_before_it_answers_is_started_again(layout, tmp_path, deaths, ends):
    """As one does whose port another process took meanwhile; the third death is told."""
    write(
        tmp_path,
        "first/ipykernel_launcher.py",
        "import pathlib, sys\n"
        "count = pathlib.Path(__file__).with_name('count')\n"
        "deaths = len(count.read_text()) if count.exists() else 0\n"
        f"if deaths < {deaths}:\n    count.write_text('x' * (deaths + 1))\n    sys.exit(1)\n"
        "from ipykernel import kernelapp\nkernelapp.launch_new_instance()\n",
    )
    path = os.pathsep.join([str(tmp_path / "first"), child_environment(layout)["PYTHONPATH"]])
    if ends:
        draft, seen, _ = run(layout, "apples", {"profile": "quick"}, variables={"PYTHONPATH": path})
        assert (draft / "notebook.ipynb").is_file()
        assert seen[0] == "cell 1/5 Apples"
    else:
        with pytest.raises(CompanionError, match="Kernel died before replying"):
            run(layout, "apples", {"profile": "quick"}, variables={"PYTHONPATH": path})
