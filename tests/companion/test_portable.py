"""Pages run as on other processors: what is set is what the libraries see, and a value
that depends on it is told.
"""

import json
import os
import subprocess
import sys

import pytest

from companion.paths import Layout
from tests.companion import toy
from tests.repository import ROOT
from tools import portable

#: The pages that train; a new one has to be run by CI or by the weekly workflow as
#: well.
TRAINED = [
    "contenders",
    "experiments-1d",
    "experiments-random",
    "experiments-ring",
    "information-limit",
    "mbde-ring",
    "open-settings",
    "private-gan",
    "variants",
]


@pytest.mark.slow
def test_pages_that_train():
    layout = Layout(ROOT)
    assert portable.pages_that_train(layout, "quick") == TRAINED
    line = next(
        line
        for line in (ROOT / ".ci/run").read_text(encoding="utf-8").splitlines()
        if "make portable" in line
    )
    assert set(line.partition('PAGES="')[2].rstrip('"').split()) < set(TRAINED)


def test_a_processor_that_is_no_x86_stands_for_the_plain_settings(monkeypatch):
    monkeypatch.setattr("torch.backends.cpu.get_cpu_capability", lambda: "SVE256")
    plain = {"as it is", "torch default", "default"}
    assert set(portable.emulated()) == {
        *plain,
        "as it is, 2 threads",
        "default, 2 threads",
    }


@pytest.mark.slow
def test_four_settings_at_least_and_the_libraries_see_them():
    """Each process has the capability and the threads that its setting names; NumPy has
    none of what is disabled.
    """
    settings = portable.emulated()
    assert len(settings) >= 4
    seen = (
        "import json, torch; from numpy._core._multiarray_umath import "
        "__cpu_features__ as f\n"
        "print(json.dumps([torch.backends.cpu.get_cpu_capability(), "
        "torch.get_num_threads(), [k for k in f if f[k]]]))"
    )
    for name, variables in settings.items():
        environment = {
            **os.environ,
            **dict.fromkeys(portable.THREADS, "1"),
            **variables,
        }
        answer = subprocess.run(
            [sys.executable, "-c", seen],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        level, threads, features = json.loads(answer.stdout)
        wanted = variables.get("ATEN_CPU_CAPABILITY")
        assert wanted is None or level.lower() == wanted, name
        assert threads == (2 if name.endswith("2 threads") else 1)
        assert not set(variables.get("NPY_DISABLE_CPU_FEATURES", "").split()) & set(
            features
        ), name


@pytest.fixture
def book(accepted, monkeypatch):
    monkeypatch.setenv("COMPANION_ROOT", str(accepted))
    return accepted


@pytest.mark.slow
def test_a_value_that_depends_on_the_processor_is_told(book, capsys):
    """A millionth of a tolerance passes; a fifth does not."""
    arguments = ["apples", "--only", "torch default"]
    assert portable.main(arguments) == 0
    assert "largest distance: 0 tolerances" in capsys.readouterr().out
    toy.replace(
        book,
        "src/toy/constants.py",
        "RATE = 3",
        "import os\n\nRATE = 3 + SLIP * ('ATEN_CPU_CAPABILITY' in os.environ)",
    )
    for before, slip, status in (("SLIP", "1e-13", 0), ("1e-13", "2e-8", 3)):
        toy.replace(book, "src/toy/constants.py", before, slip)
        assert portable.main(arguments) == status
    assert "apples" in capsys.readouterr().out
    report = json.loads(
        (book / "_build/portable/report.json").read_text(encoding="utf-8")
    )
    assert report["torch default"]["growth"] > portable.SHARE


@pytest.mark.slow
def test_the_control_has_to_differ(book):
    arguments = ["apples", "--only", "torch default", "--control"]
    assert portable.main(arguments) == 3
    slip = "import os\n\nRATE = 3 + (os.environ.get('MOLLIFIED_TRAINING') == 'float32')"
    toy.replace(book, "src/toy/constants.py", "RATE = 3", slip)
    assert portable.main(arguments) == 0


@pytest.mark.slow
def test_a_changed_verdict_and_a_failure_are_told(book, capsys):
    toy.replace(book, "notebooks/apples.md", "Counts(5, 0, 0.5)", "Counts(5, 5, 0.5)")
    assert portable.main(["apples", "--only", "torch default"]) == 3
    assert "MBDE-L1: expected 'holds'" in capsys.readouterr().out
    toy.replace(book, "notebooks/apples.md", "from toy.draw", "1 / 0\nfrom toy.draw")
    assert portable.main(["apples", "--only", "torch default"]) == 3
    assert "apples failed: ZeroDivisionError" in capsys.readouterr().out
