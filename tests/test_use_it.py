"""The programs of the page *Use it on your own data*, run as they stand there."""

from __future__ import annotations

import re
from pathlib import Path

PAGE = Path(__file__).resolve().parents[1] / "book" / "use-it.md"


def test_the_programs_of_the_page_run_and_the_second_draw_is_refused(capsys):
    programs = re.findall(r"(?ms)^```python\n(.*?)^```", PAGE.read_text(encoding="utf-8"))
    assert len(programs) == 7
    names: dict[str, object] = {}
    printed = []
    for program in programs:
        exec(compile(program, PAGE.name, "exec"), names)
        printed.append(capsys.readouterr().out)
    place, sheet, batch, continuous, token, release, refusal = printed
    assert place.strip() in names["places"]
    assert float(sheet.split()[0]) <= 1.0
    assert len(re.findall(r"\d", batch)) == 2
    assert "idealised" in continuous
    assert 0 <= int(token) < 1000
    assert all(0 < float(delta) < 1e-6 for delta in re.findall(r"\[([\d.e-]+) \+/-", release))
    assert release.count("+/-") == 2
    assert refusal.startswith("users must be 1 different people, none drawn before")
