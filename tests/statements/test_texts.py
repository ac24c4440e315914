"""What is made of the text of a statement: mutants, scripts."""

import ast
import runpy
from copy import deepcopy
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from statements import (
    E,
    Effort,
    Space,
    ceil,
    check,
    cosh,
    exp,
    floor,
    law,
    log,
    real,
    sinh,
    whole,
)
from statements.arithmetic import mode, number
from statements.edits import edits
from statements.rewrite import ALIAS, make, read, rewritten
from tests.statements.spaces import KL, Line


def changed(function, **given):
    unit = read(function, "")
    texts = {}
    for edit in edits(unit, "", **given):
        tree = deepcopy(unit.tree, {id(edit.old): edit.new})
        text = ast.unparse(ast.fix_missing_locations(tree)).partition("return ")[2]
        texts[text.replace(ALIAS, "")] = edit.kind
    return texts


@pytest.mark.parametrize(
    ("function", "text", "kind"),
    [
        (lambda x: x >= 2, "x >= 2.06", "constant"),
        (lambda x: x >= 2, "x >= 1.94", "constant"),
        (lambda x, y: x + y > 0, "x - y > 0", "sign"),
        (lambda x, y: x - y > 0, "x + y > 0", "sign"),
        (lambda x, y: x - y > 0, "x > 0", "term"),
        (lambda x, y: x - y > 0, "-y > 0", "term"),
        (lambda x, y: x + y > 0, "y > 0", "term"),
        (lambda x: -x > 0, "x > 0", "sign"),
        (lambda x: cosh(x) > 0, "sinh(x) > 0", "function"),
        (lambda x, y: max(x, y) > 0, "min(x, y) > 0", "function"),
        (lambda x: all(p > 0 for p in x), "any((p > 0 for p in x))", "function"),
        (lambda x: floor(x) > 0, "ceil(x) > 0", "function"),
        (lambda x: x <= 2, "x < 2", "strict"),
        (lambda n: n > 0, "n + 1 > 0", "argument"),
        (lambda n: n > 0, "n - 1 > 0", "argument"),
    ],
)
def test_every_near_miss_is_made(function, text, kind):
    kinds = changed(function, whole=["n"], right_sides=True)
    assert kinds.get(text) == kind


@pytest.mark.parametrize("module", ["statements", "math"])
def test_what_a_function_is_exchanged_for_needs_no_import(module, tmp_path):
    """A page imports name by name; what it calls by the new name is not what is run."""
    path = tmp_path / "page.py"
    path.write_text(
        f"from {module} import cosh, floor\n"
        "def ceil(x): return 7\n"
        "one = lambda x: cosh(x) >= 1\n"
        "two = lambda x: floor(x) <= x\n",
        encoding="utf-8",
    )
    page = runpy.run_path(str(path))
    for statement, words in (
        (page["one"], "`cosh(x)` could be `sinh(x)`"),
        (page["two"], "`floor(x)` could be `ceil(x)`"),
    ):
        (outcome,) = check(Line, rng=np.random.default_rng(3), printed=statement)
        assert outcome.verdict == "holds"
        assert words in outcome.controls.refuted


def test_right_sides_move_by_two_shares_in_each_link_and_a_sign_has_none():
    moved = [
        edit
        for edit in edits(read(lambda x, y: 0 <= x <= y <= 2, ""), "", right_sides=True)
        if edit.share
    ]
    assert {edit.group for edit in moved[:2]} == {moved[0].group}
    assert [edit.share for edit in moved] == [0.02, 0.1, 0.02, 0.1]
    assert moved[2].words == "`2` could be 2 % smaller"
    assert [
        edit
        for edit in edits(read(lambda x: x >= 0, ""), "", right_sides=True)
        if edit.share
    ] == []


def test_indices_and_ranges_are_left_alone():
    assert changed(lambda x: x[1] > x[-1]) == {}
    assert changed(lambda x, k: all(x[k] < y for y in (2, 3 + k)), whole=["k"]) == {
        "any((x[k] < y for y in (2, 3 + k)))": "function"
    }
    assert changed(lambda x: sum(x[k] for k in range(3)) > x[0]) == {}


@pytest.mark.parametrize(
    "function",
    [
        lambda x, y: 0.5 <= x / 2 < y**2 and (not x > 1 or (x if x > y else y) > 0.1),
        lambda P, Q: (sum(P) == 1, all(p <= 2 * q for p, q in zip(P, Q, strict=True))),
    ],
)
def test_what_an_edit_leaves_is_taken_as_it_was_written(function):
    unit = read(function, "")
    near = list(edits(unit, "", right_sides=True))
    assert len(near) > 5
    for edit in near:
        whole = replace(
            unit, tree=deepcopy(unit.tree, {id(edit.old): edit.new}), written={}
        )
        assert ast.dump(rewritten(unit, edit.old, edit.new)) == ast.dump(
            rewritten(whole)
        )


def test_an_error_names_the_line_of_the_text():
    one = 1

    def statement(x):
        zero = x - x
        return one / zero > 0

    unit = read(statement, "it")
    with mode("exact"), pytest.raises(ArithmeticError) as caught:
        make([unit])[unit](number(1))
    lines = Path(__file__).read_text(encoding="utf-8").splitlines()
    assert (
        "return one / zero > 0"
        in [
            lines[entry.lineno]
            for entry in caught.traceback
            if entry.path == Path(__file__)
        ][-1]
    )


def test_lambdas_of_one_line_and_one_within_another_are_told_apart():
    first = lambda x: x > 1
    second = lambda x: x > 2
    assert [read(f, "").text for f in (first, second)] == ["x > 1", "x > 2"]
    outer = lambda x: (x + 1) if (x > (lambda y: y)(x)) else (x - 1)
    assert read(outer, "").text == "x + 1 if x > (lambda y: y)(x) else x - 1"
    inner = (lambda: lambda y: y > 1)()
    assert read(inner, "").text == "y > 1"
    # Python 3.12 gives a constant lambda no place in its line
    # fmt: off
    tenth = lambda: 1 / 10
    fifth = lambda: 1 / 5
    pair = lambda: (1, 0)
    # fmt: on
    assert [read(item, "it").text for item in (tenth, fifth, pair)] == [
        "1 / 10",
        "1 / 5",
        "(1, 0)",
    ]


def test_a_space_says_what_it_cannot_hold():
    with pytest.raises(TypeError, match=r"Wrong\.x must be"):
        type("Wrong", (Space,), {"x": 3})
    with pytest.raises(TypeError, match=r"Wrong\.widths must be"):
        type("Wrong", (Space,), {"widths": real(1, 2)})
    with pytest.raises(ValueError, match="low must"):
        real(2, 1)
    with pytest.raises(ValueError, match="be positive"):
        whole(0, 9, log=True)


def test_functions_of_a_module_are_read_also_where_the_space_is_elsewhere():
    class Two(Space):
        P = law()
        Q = law()

    (outcome,) = check(
        Two, printed=lambda P, Q: KL(P, Q) == 0, rng=np.random.default_rng(3)
    )
    assert "def KL(P, Q):" in outcome.script


def less(drop, x):
    return drop - x


def test_arguments_of_a_function_are_not_taken_for_quantities():
    class Drops(Space):
        x = real(0.5, 2)
        drop = lambda x: less(1, x)

    (outcome,) = check(
        Drops,
        printed=lambda drop: drop >= 0.5,
        rng=np.random.default_rng(3),
        effort=Effort(samples=50, exact=5),
    )
    assert (
        outcome.script.count("def less(") == outcome.script.count("def make_drop(") == 1
    )
