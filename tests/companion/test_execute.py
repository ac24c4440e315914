import os
import shutil

import jupytext
import nbformat
import pytest

from companion.paths import CompanionError, Layout
from companion.run.execute import child_environment, execute, own_parameters
from tests.companion.toy import command, make_book, replace, write


@pytest.fixture
def layout(tmp_path):
    return Layout(make_book(tmp_path))


def run(layout, page, parameters, **variables):
    draft = layout.build / "running" / "one"
    return draft, execute(layout, page, parameters, draft, set(), variables)


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
    draft, used = run(layout, "pears", {"profile": "paper", "pause": 0.25})
    assert used["cpu_seconds"] > 0.1
    assert 30 < used["peak_mib"] < 500
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
    replace(layout.root, "notebooks/apples.md", 'profile = "quick"', 'profile = "quick"\nrate = 2.0')
    replace(layout.root, "notebooks/apples.md", "growth(2.0, ", "growth(rate, ")
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
    path = os.pathsep.join([str(tmp_path / "first"), child_environment(layout)["PYTHONPATH"]])
    if ends:
        draft, _ = run(layout, "apples", {"profile": "quick"}, PYTHONPATH=path)
        assert (draft / "notebook.ipynb").is_file()
    else:
        with pytest.raises(CompanionError, match="Kernel died before replying"):
            run(layout, "apples", {"profile": "quick"}, PYTHONPATH=path)
