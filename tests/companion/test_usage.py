"""Processor time and memory of a child and of the child's own child."""

import subprocess
import sys

import pytest

from companion.run.usage import metered

WORK = """
import subprocess, sys, time
block = b"1" * ({mib} * 2**20)
if {deeper}:
    subprocess.run([sys.executable, "-c", {child!r}], check=True)
until = time.process_time() + {seconds}
while time.process_time() < until:
    pass
time.sleep(0.6)
"""


def measured(mib: int, seconds: float, child: str = "") -> dict[str, float]:
    program = WORK.format(mib=mib, seconds=seconds, deeper=bool(child), child=child)
    with metered(0.05) as usage:
        subprocess.run([sys.executable, "-c", program], check=True)
    return usage


@pytest.mark.slow
def test_children_of_children_count():
    idle = measured(0, 0)
    own = measured(200, 0.5)
    deep = measured(200, 0.5, WORK.format(mib=300, seconds=1.0, deeper=False, child=""))
    assert 150 < own["peak_mib"] - idle["peak_mib"] < 250
    assert own["cpu_seconds"] >= 0.5
    assert 290 < deep["peak_mib"] - own["peak_mib"] < 400
    assert deep["cpu_seconds"] >= 1.5
    assert idle["cpu_seconds"] < 0.5


@pytest.mark.slow
def test_a_child_from_before_does_not_count():
    with subprocess.Popen([sys.executable, "-c", WORK.format(mib=300, seconds=60, deeper=False, child="")]) as other:
        used = measured(0, 0)
        other.kill()
    assert used["cpu_seconds"] < 0.5
    assert used["peak_mib"] < 200
