import sys

import pytest

from companion.paths import CompanionError
from companion.verify_cells import Job, imports_of, run_cells
from tests.companion.toy import write

PARAMETERS = '```{code-cell} ipython3\n:tags: [parameters]\n\nprofile = "quick"\n```\n'


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])  # put back afterwards

    def one(*cells, parameters=PARAMETERS):
        body = "\n".join(f"```{{code-cell}} ipython3\n{cell}\n```\n" for cell in cells)
        write(tmp_path, "notebooks/plums.md", f"{parameters}\n{body}")
        source = tmp_path / "notebooks" / "plums.md"
        told = []
        job = Job("plums", source, {"profile": "paper"}, source.parent, tmp_path)
        run_cells(job, lambda *at: told.append(at))
        return told, sys.modules["__main__"].__dict__

    return one


def test_cells_run_in_order_in_one_namespace_with_the_parameters_of_the_run(run):
    plum = "from dataclasses import dataclass\n\n\n@dataclass\nclass Plum:\n    size: int"
    told, names = run(plum, "plum = Plum(3)\nprofile")
    assert told == [(1, 3), (2, 3), (3, 3)]
    assert (names["plum"].size, names["profile"], names["__name__"]) == (3, "paper", "__main__")


def test_the_language_of_a_cell_is_its_own(run):
    with pytest.raises(CompanionError, match=r"cell 2 of 2 failed:\n(.|\n)*NameError: name 'Missing'"):
        run("def f(x: Missing) -> None: ...")  # this module's `from __future__` would have let it pass


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        ("1 / 0", r'File "plums, cell 2", line 1, in <module>\n    1 / 0\n(.|\n)*ZeroDivisionError'),
        ("%time 1", "SyntaxError"),
        ("raise SystemExit(0)", "SystemExit: 0"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt"),
    ],
)
def test_a_failing_cell_is_told_with_its_lines(run, cell, message):
    with pytest.raises(CompanionError, match=message) as caught:
        run(cell, "print('never')")
    assert "cell 2 of 3 failed" in str(caught.value)
    assert "verify_cells.py" not in str(caught.value)


def test_parameters_must_be_there_once(run):
    with pytest.raises(CompanionError, match="one cell must be tagged parameters, got 0"):
        run("x = 1", parameters="")
    with pytest.raises(CompanionError, match="cell 1, tagged parameters, does not set profile"):
        run("x = 1", parameters=PARAMETERS.replace("profile", "size"))


def test_imports_are_read_and_broken_cells_left_to_their_run():
    codes = ["import os.path, sys\nfrom a.b import c as d", "def f():\n    from . import e\n    import g", "%magic"]
    assert imports_of(codes) == {"os.path", "sys", "a.b", "a.b.c", "g"}
