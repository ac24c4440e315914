import shutil

import jupytext
import nbformat
import pytest

from companion.paths import CompanionError, Layout
from companion.run.engine import own_parameters
from companion.run.execute import Progress, start
from companion.run.figures import SUFFIXES
from tests.companion.toy import command, make_book, replace, write


@pytest.fixture
def layout(tmp_path, monkeypatch):
    monkeypatch.delenv("COMPANION_CHILD", raising=False)
    return Layout(make_book(tmp_path))


def run(layout, page, parameters, name="one", **options):
    seen = []
    job = start(layout, page, parameters, layout.build / "running" / name, **options)
    seconds = job.wait(seen.append)
    return job.draft, seen, seconds


@pytest.mark.slow
def test_time_and_memory_of_a_notebook_are_told(layout):
    """A notebook that fills 300 MiB and works for a second, beside one that does neither."""
    used = []
    for name, work in (("idle", "pass"), ("busy", "x = b'1' * 300 * 2**20\nt = time.process_time()")):
        more = "\nwhile time.process_time() < t + 1:\n    pass\ndel x" if name == "busy" else ""
        replace(layout.root, "notebooks/pears.md", "time.sleep(pause)", f"time.sleep(pause)\n{work}{more}")
        job = start(layout, "pears", {"profile": "quick"}, layout.build / "running" / name)
        job.wait(lambda at: None)
        used.append(job.usage)
        replace(layout.root, "notebooks/pears.md", f"\n{work}{more}", "")
    idle, busy = used
    assert 250 < busy["peak_mib"] - idle["peak_mib"] < 350
    assert busy["cpu_seconds"] > max(1, idle["cpu_seconds"])


def test_parameters_that_repeat_the_defaults_are_not_given_and_unknown_ones_are_refused(layout, tmp_path):
    path = tmp_path / "pears.ipynb"
    nbformat.write(jupytext.read(layout.notebook("pears")), path)
    assert own_parameters(path, {"profile": "quick", "pause": 0.0}) == {}
    assert own_parameters(path, {"profile": "paper", "pause": 0}) == {"profile": "paper", "pause": 0}
    with pytest.raises(CompanionError, match="unknown parameter puase, speed; known: pause, profile"):
        own_parameters(path, {"speed": 1, "puase": 1})


@pytest.mark.slow
def test_two_executions_are_the_same_bytes(layout):
    """Notebook, figures, evidence and values; only the provenance holds a time."""
    assert command(layout.root, "accept", "growth", "--why", "for the test").returncode == 0
    first, seen, seconds = run(layout, "apples", {"profile": "quick"})
    assert seconds > 0
    assert seen[0] == Progress(1, 5, "Apples")
    assert [at.index for at in seen] == [1, 2, 3, 4, 5]
    assert seen[-1].title == "Growing"
    second, _, _ = run(layout, "apples", {"profile": "quick"}, "two")
    names = {path.relative_to(first).as_posix() for path in first.rglob("*") if path.is_file()}
    assert names == {path.relative_to(second).as_posix() for path in second.rglob("*") if path.is_file()}
    assert names == {
        *("notebook.ipynb", "run/values.json", "run/evidence/MBDE-L1.as-printed.1.json"),
        *(f"run/figures/apples/growth{suffix}" for suffix in SUFFIXES),
    }
    for name in names - {"run/figures/apples/growth.json"}:
        assert (first / name).read_bytes() == (second / name).read_bytes(), name
    text = (first / "notebook.ipynb").read_text()
    assert str(layout.root) not in text
    assert "injected-parameters" not in text


@pytest.mark.slow
def test_the_kernel_is_this_interpreter_with_one_thread_in_the_notebooks_folder(layout):
    cell = """import os, sys
        print(sys.executable, os.environ["OMP_NUM_THREADS"], os.environ["PYTHONHASHSEED"])
        print(os.getcwd(), os.environ["COMPANION_RUN"], profile, pause)
        os.system("echo noise on the standard output of the process")"""
    replace(layout.root, "notebooks/pears.md", "import time\n", cell.replace("\n        ", "\n") + "\nimport time\n")
    draft, _, _ = run(layout, "pears", {"profile": "paper", "pause": 0.25})
    book = nbformat.read(draft / "notebook.ipynb", as_version=4)
    printed = "".join(out.text for cell in book.cells for out in cell.get("outputs", []) if out.name == "stdout")
    lines = printed.splitlines()
    assert lines[0].startswith("<python>/bin/python")
    assert lines[0].endswith(" 1 0")
    assert lines[1] == "<book>/notebooks <run> paper 0.25"
    assert lines[-1] == "sweetness 11"
    assert any("injected-parameters" in cell.metadata.get("tags", []) for cell in book.cells)


@pytest.mark.slow
def test_a_failing_cell_gives_its_traceback_without_colours(layout):
    replace(layout.root, "src/toy/pear.py", "11", "1 / 0")
    with pytest.raises(CompanionError) as caught:
        run(layout, "pears", {"profile": "quick"})
    message = str(caught.value)
    assert "ZeroDivisionError: division by zero" in message
    assert "SWEETNESS = 1 / 0" in message
    assert "from toy.pear import SWEETNESS" in message
    assert "\x1b" not in message


@pytest.mark.slow
def test_a_dead_kernel_and_an_unknown_parameter_are_failures(layout):
    with pytest.raises(CompanionError, match="unknown parameter speed; known: pause, profile"):
        run(layout, "pears", {"profile": "quick", "speed": 3})
    replace(layout.root, "notebooks/pears.md", "import time\n", "import os\nos._exit(3)\n")
    with pytest.raises(CompanionError, match=r"the kernel died without a traceback"):
        run(layout, "pears", {"profile": "quick"}, "two")


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
    path = f"{tmp_path / 'first'}:{layout.source}"
    if ends:
        draft, seen, _ = run(layout, "apples", {"profile": "quick"}, variables={"PYTHONPATH": path})
        assert (draft / "notebook.ipynb").is_file()
        assert seen[0].index == 1
    else:
        with pytest.raises(CompanionError, match="Kernel died before replying"):
            run(layout, "apples", {"profile": "quick"}, variables={"PYTHONPATH": path})
