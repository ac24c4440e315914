"""The programs of the pages *Use it on your own data* and *Add your sampler*, run as they stand there."""

import re
from pathlib import Path

BOOK = Path(__file__).resolve().parents[1] / "book"
PAGE = BOOK / "use-it.md"


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


def test_the_programs_that_compare_a_sampler_run_and_show_what_the_page_says(capsys):
    programs = re.findall(r"(?ms)^```python\n(.*?)^```", (BOOK / "add-a-sampler.md").read_text(encoding="utf-8"))
    assert len(programs) == 3
    names: dict[str, object] = {}
    printed = []
    for program in programs:
        exec(compile(program, "add-a-sampler.md", "exec"), names)
        printed.append(capsys.readouterr().out)
    levels = [line.split() for line in printed[1].splitlines()]
    assert [(eps, held) for eps, held, _ in levels] == [("1/2", "True"), ("1", "True"), ("2", "True")]
    losses = names["losses"]
    assert isinstance(losses, dict)
    assert len(losses) == 6
    assert all(max(losses[eps, "box"]) < min(losses[eps, "mixed"]) for eps in (0.5, 1.0, 2.0))
