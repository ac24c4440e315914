"""The kernel as a whole: true and false statements, hypotheses, examples."""

import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

from statements import (
    E,
    Effort,
    NoInstance,
    NotRefuted,
    SourceError,
    Space,
    check,
    choice,
    exp,
    index,
    law,
    log,
    twin,
    vector,
    whole,
)
from statements.batches import look
from statements.edits import edits
from statements.mutants import touched
from statements.problem import pose
from statements.rewrite import make
from tests.statements.spaces import FALSE, TRUE, Laws, Line, Mixed, tail, ψ

FEW = Effort(samples=4000, exact=60)


def rng():
    return np.random.default_rng(5)


def one(space, effort=FEW, **statements):
    (outcome,) = check(space, rng=rng(), effort=effort, **statements)
    return outcome


def assert_alone(script, path):
    """A script passes, says where asserts are skipped, and fails for the contrary."""
    alone = [sys.executable, "-I", str(path)]
    path.write_text(script, encoding="utf-8")
    assert subprocess.run(alone, capture_output=True, check=False).returncode == 0
    skipping = subprocess.run(
        [*alone[:1], "-O", *alone[1:]], capture_output=True, check=False
    )
    assert skipping.returncode == 1
    assert b"start it without -O" in skipping.stderr
    path.write_text(script.replace("assert not (", "assert ("), encoding="utf-8")
    assert (
        b"AssertionError"
        in subprocess.run(alone, capture_output=True, check=False).stderr
    )


@pytest.mark.parametrize("name", TRUE)
def test_true_statements_hold(name):
    space, statement = TRUE[name]
    outcome = one(space, printed=statement)
    assert outcome.verdict == "holds", outcome.line()
    assert outcome.decided["holds"] >= 40
    assert outcome.arithmetic != "float"
    assert outcome.worst >= 0
    assert outcome.controls.tried or name in ("not", "or"), (
        "no stronger statement was tried"
    )


def test_so_many_near_misses_are_tried_at_most():
    whole, few = (
        one(
            Line, replace(FEW, mutants=mutants), printed=lambda y: log(y) <= y - 1
        ).controls.tried
        for mutants in (99, 2)
    )
    assert whole > few >= 1


@pytest.mark.parametrize("name", FALSE)
def test_false_statements_are_refuted_by_an_example_that_stands_alone(name, tmp_path):
    space, statement, shortest = FALSE[name]
    outcome = one(space, printed=statement)
    assert outcome.verdict == "false", outcome.line()
    assert outcome.decided["fails"] >= 1
    assert outcome.example is not None
    for coordinate, value in (shortest or {}).items():
        assert outcome.example[coordinate] == value
    assert_alone(outcome.script, tmp_path / "alone.py")


def test_a_name_of_a_comprehension_may_be_a_global_one_as_well():
    outcome = one(
        Laws, printed=lambda P, Q, divergence: divergence <= sum(0 * np + 0 for np in P)
    )
    assert outcome.script is not None


def test_hypotheses_are_used_and_dropped_in_turn():
    hypotheses = [lambda x: x >= 0, lambda y: y >= 1, lambda n: n >= 1]
    outcome = one(Line, given=hypotheses, printed=lambda x, y: x**3 * y >= x**3)
    assert outcome.verdict == "holds"
    assert "the hypothesis `n >= 1` is not needed" in outcome.controls.words("survived")
    assert {
        "the hypothesis `x >= 0` is not needed",
        "the hypothesis `y >= 1` is not needed",
    } <= set(outcome.controls.refuted)


def test_thin_hypotheses_need_a_corner_and_empty_ones_raise():
    assert (
        one(Line, given=lambda x: x == 1, printed=lambda x: x**2 == 1).verdict
        == "holds"
    )
    with pytest.raises(NoInstance, match="no instance of Line"):
        one(Line, given=lambda y: y == 2 / 7, printed=lambda y: y < 1)
    with pytest.raises(NoInstance):
        one(Line, given=lambda y: y > 3, printed=lambda y: y > 3)


def test_a_condition_must_be_needed():
    without, under = check(
        Line,
        rng=rng(),
        effort=FEW,
        printed=lambda x: x**3 >= x,
        condition=lambda x: -1 <= x <= 0 or x >= 1,
    )
    assert (without.verdict, under.verdict) == ("false", "holds")
    with pytest.raises(NotRefuted, match="without the condition"):
        check(
            Line,
            rng=rng(),
            effort=FEW,
            printed=lambda x: x**2 >= 0,
            condition=lambda x: x >= 1,
        )


def test_examples_given_by_hand(tmp_path):
    printed = lambda x, y: exp(x) <= y + 2
    outcome = one(Line, printed=printed, at=lambda: {"x": log(5), "y": 1 / 3})
    assert outcome.example == {"x": "log(5)", "y": "1/3"}
    assert "the one shown was given by hand" in " ".join(outcome.details())
    assert_alone(outcome.script, tmp_path / "alone.py")
    with pytest.raises(NotRefuted, match="at the example: holds"):
        one(Line, printed=printed, at=lambda: {"x": 0.1, "y": 1})
    with pytest.raises(KeyError, match="x = 7, which Line"):
        one(Line, printed=printed, at=lambda: {"x": 7, "y": 1})
    with pytest.raises(KeyError, match="z = 7, which Line"):
        one(Line, printed=printed, at=lambda: {"z": 7})
    with pytest.raises(KeyError, match="y is needed"):
        one(Line, printed=printed, at=lambda: {"x": 1})


def test_twins_must_be_refuted():
    assert (
        twin(
            Line, rng=rng(), printed=lambda y: log(y) <= 0.98 * (y - 1), effort=FEW
        ).verdict
        == "false"
    )
    with pytest.raises(NotRefuted, match="false twin"):
        twin(Line, rng=rng(), printed=lambda y: log(y) <= y - 1, effort=FEW)


def test_equalities_of_balls_are_counted_and_said():
    outcome = one(Line, printed=lambda x, y: exp(x) * exp(y) == exp(x + y))
    assert outcome.equal > 40
    assert "agree to 2048 bits; they count as equal" in " ".join(outcome.details())


@pytest.mark.parametrize(
    ("printed", "verdict"),
    [
        (lambda x, y: exp(x) * exp(y) <= exp(x + y), "holds"),
        (lambda x, y: exp(x) * exp(y) < exp(x + y), "undecided"),
        (lambda x, y: exp(x) * exp(y) != exp(x + y), "undecided"),
        (lambda x, y: not exp(x) * exp(y) <= exp(x + y), "undecided"),
        (lambda x, y: exp(x) * exp(y) < exp(x + y) or x < 99, "holds"),
        (lambda x, y: 3 * x * y < x * (3 * y), "false"),
    ],
)
def test_sides_that_agree_to_all_bits_decide_no_strict_inequality(printed, verdict):
    """Where both are rational they are equal, and the last one fails."""
    outcome = one(Line, printed=printed)
    assert outcome.verdict == verdict
    if verdict == "undecided":
        assert "agree to 2048 bits" in outcome.line()


def test_a_hypothesis_that_is_touched_is_not_met():
    with pytest.raises(NoInstance):
        one(
            Line,
            printed=lambda x: x > 99,
            given=lambda x, y: exp(x) * exp(y) < exp(x + y),
        )


def test_how_far_instances_go_is_counted():
    class Counted(Space):
        P = law()
        n = whole(1, 300, corner=300)
        few = choice(2, 7)
        share = choice(0.5, 1)

    outcome = one(Counted, printed=lambda P, n, few, share: n * few * share >= max(P))
    assert outcome.reach == {"points": 200, "n": 300, "few": 7}
    assert r"up to 200 points, $n$ = 300, $\mathrm{few}$ = 7." in " ".join(
        outcome.details()
    )
    outcome = one(
        Counted, printed=lambda n: n <= 20, given=lambda P, n: n <= 20 and len(P) < 5
    )
    assert outcome.reach == {"points": 4, "n": 20, "few": 7}, (
        "those that meet the hypotheses"
    )


def test_what_is_no_size_is_not_counted():
    class Plane(Space):
        length = 3
        v = vector(-1, 1)
        which = index(0, 2)

    outcome = one(Plane, printed=lambda v, which: v[which] <= 1 and len(v) == 3)
    assert (outcome.verdict, outcome.reach) == ("holds", {})


SHIFT = 0.1 + 0.2


@pytest.mark.parametrize(
    ("printed", "verdict", "words"),
    [
        (lambda x: x + SHIFT >= x, "undecided", "0.30000000000000004 is a float"),
        (lambda x: abs(float(x)) >= 0, "undecided", "floats decide nothing"),
        (lambda x: x + SHIFT <= x, "undecided", "0.30000000000000004 is a float"),
        (lambda x: log(x) <= x, "undecided", "undefined"),
    ],
)
def test_floats_refute_nothing_and_what_is_undefined_does_not_hold(
    printed, verdict, words
):
    outcome = one(Line, printed=printed)
    assert outcome.verdict == verdict
    assert words in outcome.line()


def test_a_wrong_name_is_named_with_its_neighbours():
    with pytest.raises(
        NameError,
        match=r"sqare.*Line.*near it: square",
    ):
        one(Line, printed=lambda sqare: sqare >= 0)


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"printed": 3}, TypeError),
        ({"printed": lambda x: x + 1}, TypeError),
        ({"printed": lambda *x: x}, SourceError),
        (
            {"printed": eval("lambda x: x >= 0")},
            SourceError,
        ),  # its text is not to be had
        ({}, ValueError),
    ],
)
def test_bad_statements_are_refused(arguments, error):
    with pytest.raises(error):
        one(Line, **arguments)
    with pytest.raises(TypeError, match="on must be"):
        one(3, printed=lambda x: x >= 0)
    with pytest.raises(TypeError, match="rng"):
        check(Line, rng=3, printed=lambda x: x >= 0)


@pytest.mark.parametrize("one_at_a_time", [False, True])
def test_what_a_near_miss_shares_is_what_it_would_compute(one_at_a_time):
    hypotheses = [
        lambda divergence: divergence <= 2,
        lambda edge, θ: ψ(θ, edge) <= 1,
    ]
    problem = pose(
        Laws, lambda Q, s, θ, edge: log(E(Q, exp(θ * s))) <= ψ(θ, edge), hypotheses
    )
    problem.one_at_a_time = one_at_a_time
    cube = rng().random((sum(Laws.widths(3)), 20))
    before = look(problem, 3, cube)
    changed = set()
    for unit in dict.fromkeys(
        [
            problem.statement,
            *problem.hypotheses,
            *(unit for _, unit, _ in problem.used()),
        ]
    ):
        for edit in edits(unit, "it", right_sides=True):
            near = replace(problem, functions=make(problem.functions, *edit.change))
            shared = look(near, 3, cube, before, touched(problem, unit))
            anew = look(near, 3, cube)
            for part in ("hypotheses", "margin", "gaps"):
                np.testing.assert_array_equal(
                    getattr(shared, part), getattr(anew, part)
                )
                if not np.array_equal(
                    getattr(anew, part), getattr(before, part), equal_nan=True
                ):
                    changed.add((unit.called, part))
    assert {("edge", "hypotheses"), ("ψ", "hypotheses"), ("ψ", "margin")} <= changed


def test_same_seed_same_outcome():
    first, second = (
        one(Mixed, printed=lambda x, y, v: x <= y <= 3 * max(v) + 3) for _ in range(2)
    )
    assert first == second


def test_the_middle_of_a_chain_is_moved_where_it_is_a_right_side_and_nowhere_else():
    outcome = one(Line, printed=lambda y: y <= 2 * y == y + y)
    assert "`2 * y` could be 10 % smaller" in outcome.controls.words("survived")
    assert "`y + y` could be 2 % larger" in outcome.controls.refuted


def test_loops_over_integers_are_seen_one_at_a_time():
    outcome = one(Line, printed=lambda n: tail(n, n) == 1)
    assert outcome.verdict == "holds"
    assert "`n` could be `n + 1`" in outcome.controls.refuted
    assert outcome.looked <= 1600


def test_source_of_a_notebook_cell(tmp_path):
    """IPython keeps the text of a cell in linecache, as for a notebook."""
    from IPython.core.interactiveshell import InteractiveShell

    shell = InteractiveShell()
    cell = "\n".join(
        [
            "import numpy as np",
            "from statements import *",
            "def double(x): return 2 * x",
            "class S(Space):",
            "    x = real(0, 1); y = lambda x: double(x)",
            "f = check(S, rng=np.random.default_rng(1), printed=lambda y: y <= 2,",
            "    corrected=lambda y: y <= 1.99, effort=Effort(samples=999, exact=20))",
        ]
    )
    assert shell.run_cell(cell).error_in_exec is None
    assert [item.verdict for item in shell.user_ns["f"]] == ["holds", "false"]
    assert shell.user_ns["f"][0].text == "y <= 2"


def falling(n):
    return 1 if n <= 0 else n * falling(n - 1)


def test_helpers_that_call_themselves_are_followed_and_an_endless_mutant_is_named():
    outcome = one(Line, printed=lambda n: falling(n) >= n)
    assert outcome.verdict == "holds"
    assert any("of `falling`" in words for words in outcome.controls.words("broken"))


def test_whole_numbers_of_any_size_are_seen_many_at_a_time():
    class Large(Space):
        n = whole(1, 10**25, log=True)

    outcome = one(Large, printed=lambda n: n * (n + 1) >= 2 * n)
    assert outcome.verdict == "holds"
    assert outcome.looked > 4000


def test_checks_in_several_threads_do_not_change_each_others_arithmetic():
    """A true and a false statement, twenty times each, in four threads."""
    statements = (
        lambda x, y: exp(x) * exp(y) >= 1 + x + y,
        lambda y: log(y) <= 0.98 * (y - 1),
    )

    def judged(place):
        outcome = one(Line, printed=statements[place])
        return place, outcome.verdict, outcome.arithmetic

    saved = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(4) as pool:
            counts = Counter(pool.map(judged, [0, 1] * 20))
    finally:
        sys.setswitchinterval(saved)
    assert counts == {(0, "holds", "certified"): 20, (1, "false", "certified"): 20}
