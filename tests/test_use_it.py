"""The programs of the pages *Use it on your own data* and *Add your sampler*, run as
they stand there.
"""

import re
from pathlib import Path
from typing import Any

BOOK = Path(__file__).resolve().parents[1] / "book"


def programs(page, capsys):
    """Run the programs of a page one after the other; return the names that they leave,
    and what each prints.
    """
    names: dict[str, Any] = {}
    printed = []
    for program in re.findall(
        r"(?ms)^```python\n(.*?)^```", (BOOK / page).read_text(encoding="utf-8")
    ):
        exec(compile(program, page, "exec"), names)
        printed.append(capsys.readouterr().out)
    return names, printed


def test_the_programs_of_the_page_run_and_the_second_draw_is_refused(capsys):
    names, printed = programs("use-it.md", capsys)
    (
        place,
        sheet,
        regrets,
        batch,
        second,
        continuous,
        token,
        release,
        errors,
        refusal,
    ) = printed
    assert place.strip() in names["places"]
    assert float(sheet.split()[0]) <= 1.0
    universal, least = map(float, regrets.split())
    assert least < 0.31 < 0.37 < universal
    assert len(re.findall(r"\d", batch)) == 2
    assert (
        second
        == "users must be people who were not drawn before, got 'person 17', who was\n"
    )
    assert "idealised" in continuous
    assert 0 <= int(token) < 1000
    assert int(token) != 500
    assert all(
        0 < float(delta) < 1e-6 for delta in re.findall(r"\[([\d.e-]+) \+/-", release)
    )
    assert release.count("+/-") == 2
    noise, corrected, rows = map(float, errors.split())
    assert 7 < corrected / noise < 8
    assert 37 < rows / corrected < 43
    assert refusal.startswith(
        "users must be people who were not drawn before, got 'token 1'"
    )


def test_the_programs_that_compare_a_sampler_run_and_show_what_the_page_says(capsys):
    names, printed = programs("add-a-sampler.md", capsys)
    assert len(printed) == 3
    shown = re.findall(
        r"(?ms)^```text\n(.*?)^```",
        (BOOK / "add-a-sampler.md").read_text(encoding="utf-8"),
    )
    assert shown[1] == printed[2]
    levels, lines = (
        [line.split() for line in text.splitlines()] for text in (printed[1], shown[0])
    )
    assert [line[:2] for line in levels] == [line[:2] for line in lines]
    assert [(eps, held) for eps, held, _ in levels] == [
        ("1/2", "True"),
        ("1", "True"),
        ("2", "True"),
    ]
    losses = names["losses"]
    assert len(losses) == 6
    assert all(
        max(losses[eps, "box"]) < min(losses[eps, "mixed"]) for eps in (0.5, 1.0, 2.0)
    )
