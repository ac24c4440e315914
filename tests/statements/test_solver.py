"""Proofs for all instances of a size: no falsehood is proved."""

import math
import os
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest
import z3

from statements import (
    E,
    Effort,
    Space,
    Unproved,
    assume,
    check,
    choice,
    counts,
    law,
    real,
    shape,
    sqrt,
    vector,
    whole,
    xlog,
)
from statements.decisions import decide
from statements.problem import pose
from statements.solver.answers import (
    DECIDED,
    LISTED,
    Mistranslated,
    exhaust,
    scope,
    settle,
    solve,
)
from statements.solver.instances import Instance, cases
from statements.solver.questions import Budget, Solver
from statements.solver.terms import Term
from statements.solver.translation import Translator
from tests.statements.spaces import FALSE, TRUE


class Laws(Space):
    P = law(zeros=0.2)
    Q = law()
    TV = lambda P, Q: sum(abs(P - Q)) / 2
    chi2 = lambda P, Q: sum((P - Q) ** 2 / Q)


class Channel(Space):
    P = law()
    Q = law()
    A = law()
    B = law()
    C = law()


class Plane(Space):
    x = real(-5, 5)
    y = real(-5, 5)


class Bit(Space):
    x = choice(0, 1)


class Positive(Space):
    x = real(0.1, 5)


class Vectors(Space):
    x = vector(0, 100)


class Matrices(Space):
    a = real(-10, 10)
    b = real(-10, 10)
    c = real(-10, 10)
    d = real(-10, 10)
    e = real(-10, 10)
    f = real(-10, 10)


class Whole(Space):
    n = whole(0, 6)
    m = whole(1, 1000)
    side = choice(-1, 1, 0.5)
    x = real(-2, 2)


class Shapes(Space):
    s = shape()
    Q = law()
    data = counts(0, 3)


def far(P, Q):
    return sum(abs(p - q) for p, q in zip(P, Q)) / 2


def through(P, rows):
    return [sum(p * row[k] for p, row in zip(P, rows)) for k in range(len(P))]


def positive_part(x):
    if x > 0:
        return x
    return 0 * x


def steps_down(n):
    while n > 0:
        n = n - 2
    return n


def place(x):
    for at, bound in enumerate((-1, 1)):
        if x < bound:
            return at
    return 2


def factorial(n):
    return 1 if n == 0 else n * factorial(n - 1)


def long_sum(x):
    return sum(x * j for j in range(20_000)) <= 10**9


def long_product(x):
    for _ in range(40):
        x = x * x  # the solver expands the product
    return x <= 1


def answer(space, statement, size=1, given=(), **budget):
    return solve(pose(space, statement, given), size, Budget(**budget))


PSD = [
    lambda a, b, c: a >= 0 and c >= 0 and a * c >= b**2,
    lambda d, e, f: d >= 0 and f >= 0 and d * f >= e**2,
]
#: What is true: space, hypotheses, statement, sizes.
PROVED = {
    "4 TV² <= χ²": (Laws, (), lambda TV, chi2: chi2 >= 4 * TV**2, (2, 3)),
    "TV is a mean": (
        Laws,
        (),
        lambda P, Q, TV: sum(max(p - q, 0) for p, q in zip(P, Q)) == TV,
        (2, 3),
    ),
    "processing": (
        Channel,
        (),
        lambda P, Q, A, B: far(through(P, (A, B)), through(Q, (A, B))) <= far(P, Q),
        (2,),
    ),
    "processing of three": (
        Channel,
        (),
        lambda P, Q, A, B, C: (
            far(through(P, (A, B, C)), through(Q, (A, B, C))) <= far(P, Q)
        ),
        (3,),
    ),
    "AM² <= QM²": (
        Vectors,
        (),
        lambda x: (sum(x) / len(x)) ** 2 <= sum(x**2) / len(x),
        (2, 3, 4),
    ),
    "AM <= QM": (
        Vectors,
        (),
        lambda x: sum(x) / len(x) <= sqrt(sum(x**2) / len(x)),
        (2, 3),
    ),
    "determinants": (
        Matrices,
        PSD,
        lambda a, b, c, d, e, f: (
            (a + d) * (c + f) - (b + e) ** 2 >= a * c - b**2 + d * f - e**2
        ),
        (1,),
    ),
    "x + 1/x": (Positive, (), lambda x: x + 1 / x >= 2, (1,)),
    "negative powers": (
        Positive,
        (),
        lambda x: x**-2 * x == x ** (-1 / 2) * x**-0.5,
        (1,),
    ),
    "signs of divisors": (
        Plane,
        [lambda x: x < -1],
        lambda x: 1 / x < 0 and x / x == 1,
        (1,),
    ),
    "a divisor of both signs": (
        Plane,
        [lambda x: x != 0],
        lambda x: x * (1 / x) == 1 and 1 / x**2 > 0,
        (1,),
    ),
    "a branch": (Plane, (), lambda x: (1 / x if x > 1 else x) <= 1, (1,)),
    "a disjunction": (Plane, (), lambda x, y: x == 0 or y == 0 or x / y != 0, (1,)),
    "a conjunction": (Plane, (), lambda x: not (x != 0 and 1 / x == 0), (1,)),
    "a chain": (Plane, [lambda x: x >= 0], lambda x: 0 <= sqrt(x) <= 1 + x, (1,)),
    "a tuple": (
        Plane,
        (),
        lambda x, y: (
            abs(x) >= x,
            max(x, y) >= min(x, y),
            abs(x * y) == abs(x) * abs(y),
        ),
        (1,),
    ),
    "an array": (Shapes, (), lambda s: -1 <= s <= 1, (2, 3)),
    "a mean": (Shapes, (), lambda s, Q: abs(E(Q, s)) <= 1, (2, 3)),
    "NumPy": (
        Laws,
        (),
        lambda P, Q: (
            np.maximum(P, Q).sum() >= np.abs(P).max() and np.sqrt(P) @ np.sqrt(P) == 1
        ),
        (2,),
    ),
    "if of Python": (
        Plane,
        (),
        lambda x, y: positive_part(x) + positive_part(y) >= positive_part(x + y),
        (1,),
    ),
    "while of Python": (Whole, (), lambda n: -1 <= steps_down(n) <= 0, (1,)),
    "a loop with an end": (Plane, [lambda x: x >= 1], lambda x: place(x) == 2, (1,)),
    "recursion": (Whole, (), lambda n: factorial(n) >= n, (1,)),
    "an exponent": (Whole, (), lambda n, x: (x**n) ** 2 == x ** (2 * n), (1,)),
    "an index": (Whole, (), lambda n: sum(range(n + 1)) == n * (n + 1) / 2, (1,)),
    "integers": (Whole, (), lambda m: m**2 >= m, (1,)),
    "a choice": (
        Whole,
        (),
        lambda side: (side - 1) * (side + 1) * (2 * side - 1) == 0,
        (1,),
    ),
    "rounding": (Plane, (), lambda x: math.floor(x) <= x < math.floor(x) + 1, (1,)),
    "a sum of integers": (
        Shapes,
        [lambda data: sum(data) > 0],
        lambda data: sum(x / sum(data) for x in data) == 1,
        (2,),
    ),
}
#: What is false.
REFUTED = {
    "4.01 TV² <= χ²": (Laws, (), lambda TV, chi2: chi2 >= 4.01 * TV**2, 2),
    "x + 1/x": (Positive, (), lambda x: x + 1 / x > 2, 1),
    "double zero": (Plane, (), lambda x, y: x**2 + y**2 + 13 > 6 * x + 4 * y, 1),
    "quartic": (Plane, (), lambda x, y: x**4 + y**4 + 2 > 4 * x * y, 1),
    "AM <= .99 QM": (
        Vectors,
        (),
        lambda x: sum(x) / len(x) <= 0.99 * sqrt(sum(x**2) / len(x)),
        3,
    ),
    "a shell": (
        Plane,
        [lambda x, y: abs(x**2 + y**2 - 1) <= 1 / 10**6],
        lambda x, y: x * y <= 0.4999,
        1,
    ),
    "squares": (
        Matrices,
        [
            *PSD,
            lambda a, b, c, d, e, f: d - a >= 0 and (d - a) * (f - c) >= (e - b) ** 2,
        ],
        lambda a, b, d, e: d**2 + e**2 >= a**2 + b**2 + e,
        1,
    ),
}


@pytest.mark.parametrize("name", PROVED)
def test_what_is_true_is_proved(name):
    space, hypotheses, statement, sizes = PROVED[name]
    for size in sizes:
        result = answer(space, statement, size, hypotheses)
        assert result.outcome == "proved", (size, result)
        assert result.by.startswith("z3 ")
        assert result.steps > 0


@pytest.mark.parametrize("name", REFUTED)
def test_what_is_false_is_refuted_exactly(name):
    space, hypotheses, statement, size = REFUTED[name]
    result = answer(space, statement, size, hypotheses)
    assert result.outcome == "refuted", result
    assert decide(pose(space, statement, hypotheses), result.raws).outcome == "fails"


def test_a_double_zero_is_found_at_its_place():
    result = answer(Plane, REFUTED["double zero"][2])
    assert result.raws == {"x": (Fraction(3),), "y": (Fraction(2),)}


@pytest.mark.parametrize("name", [*TRUE, *FALSE])
def test_the_statements_of_the_kernel_keep_their_verdicts(name):
    for known, outcomes in (
        (TRUE, {"proved", "not polynomial", "unknown"}),
        (FALSE, {"refuted", "not polynomial"}),
    ):
        if name in known:
            space, statement, *_ = known[name]
            result = solve(pose(space, statement, ()), space.sizes[0], Budget())
            assert result.outcome in outcomes, result


# What the solver alone would prove


class Naive(Translator):
    """Take the quotients, powers and roots of the solver as they are: total."""

    def never(self, words, *more):
        """Guard nothing."""

    def sign(self, term):
        return 1

    def truediv(self, a, b):
        quotient = self.term(a).top / self.term(b).top
        return Term(self, quotient)

    def root(self, a, degree=2):
        return Term(self, self.term(a).top ** z3.RealVal(f"1/{degree}", self.context))


class Everywhere(Naive):
    """Take each divisor and radicand for a hypothesis of all that is said."""

    def possible(self, *more):
        return True

    def truediv(self, a, b):
        self.facts.append(self.term(b).top != 0)
        return super().truediv(a, b)

    def root(self, a, degree=2):
        self.facts.append(self.term(a).top >= 0)
        return super().root(a, degree)


def naively_proved(kind, space, statement, given=()):
    """Tell whether a translation without our guards finds no counterexample."""
    problem = pose(space, statement, given)
    at = kind(Solver(Budget(10_000_000, 60)))
    instance = Instance(at, problem.space, 1)
    runs = cases(problem, at, instance)
    return all(
        at.solver.ask([*case.facts, z3.Not(case.holds)], 10**7)[0] == "unsat"
        for case in runs
    )


class Bits(Space):
    x = choice(0, 1)


#: What is undefined at some instances, or false, and proved by a translation without
#: guards.
TRAPS = {
    "a quotient": (Naive, Plane, (), lambda x: x * (1 / x) <= 1, "undefined"),
    "a negative power": (Naive, Plane, (), lambda x: x * x**-1 <= 1, "undefined"),
    "a root": (Naive, Plane, (), lambda x: sqrt(x) ** 2 == x or x < 0, "undefined"),
    "a fractional power": (
        Naive,
        Plane,
        (),
        lambda x: x ** (1 / 2) * 0 == 0,
        "undefined",
    ),
    "a divisor after an or": (
        Naive,
        Plane,
        (),
        lambda x: x * (1 / x) <= 1 or x == 0,
        "undefined",
    ),
    "a hypothesis": (
        Naive,
        Plane,
        [lambda x: x * (1 / x) <= 1],
        lambda x: x <= 5,
        "undefined",
    ),
    "the other branch": (
        Naive,
        Plane,
        (),
        lambda x: (x * (1 / x) if x <= 0 else x) <= 5,
        "undefined",
    ),
    "a quantity": (
        Naive,
        Plane,
        (),
        lambda x, y: all(a * (1 / a) <= 1 for a in (x, y)),
        "undefined",
    ),
    "roots everywhere": (
        Everywhere,
        Plane,
        (),
        lambda x: x >= 0 or sqrt(x) > 5,
        "undefined",
    ),
    "branches that exclude each other": (
        Everywhere,
        Bits,
        (),
        lambda x: (1 / x if x != 0 else 2 / (1 - x)) == 5,
        "refuted",
    ),
    "hypotheses that exclude each other": (
        Naive,
        Plane,
        [lambda x: x > 3, lambda x: x < 2],
        lambda x: x == 7,
        "unknown",
    ),
}


@pytest.mark.parametrize("name", TRAPS)
def test_no_falsehood_is_proved(name):
    kind, space, hypotheses, statement, outcome = TRAPS[name]
    assert naively_proved(kind, space, statement, hypotheses), (
        "a trap must catch the translation without guards"
    )
    problem = pose(space, statement, hypotheses)
    result = solve(problem, 1, Budget())
    assert result.outcome == outcome, result
    if outcome == "undefined":
        assert decide(problem, result.raws).outcome == "undefined"
        assert (
            "division by zero" in result.why
            or "sqrt" in result.why
            or "a power" in result.why
        )


def test_a_guard_counts_on_its_path_only():
    guarded = lambda x: x == 0 or x * (1 / x) == 1
    assert answer(Plane, guarded).outcome == "proved"
    assert answer(Plane, lambda x: x * (1 / x) == 1 or x == 0).outcome == "undefined"
    assert (
        answer(Plane, lambda x: x * (1 / x) == 1, given=[lambda x: x != 0]).outcome
        == "proved"
    )
    assert (
        answer(
            Plane, lambda x: x >= -5, given=[lambda x: 1 / x > 0, lambda x: x != 0]
        ).outcome
        == "undefined"
    )
    assert (
        answer(
            Plane, lambda x: x >= -5, given=[lambda x: x != 0, lambda x: 1 / x > 0]
        ).outcome
        == "proved"
    )


def test_hypotheses_are_met_by_an_instance_that_exact_arithmetic_knows():
    thin = answer(Plane, lambda x: x < 1, given=[lambda x: 7 * x == 2])
    assert (
        thin.outcome == "proved"
    )  # no draw meets it: the instance is that of the solver
    irrational = answer(
        Plane, lambda x: x > 1, given=[lambda x: x**2 == 2, lambda x: x > 0]
    )
    assert irrational.outcome == "unknown"
    assert "no instance is known" in irrational.why


def test_formulas_are_compared_with_exact_arithmetic(monkeypatch):
    true = lambda x, y: x + y <= 10
    assert answer(Plane, true).outcome == "proved"
    monkeypatch.setattr(Translator, "add", lambda self, a, b: self.mul(a, b))
    with pytest.raises(Mistranslated, match="says holds"):
        answer(Plane, true)


def test_a_translation_that_speaks_of_no_instance_proves_nothing(monkeypatch):
    true = lambda x, y: max(x, y) >= x
    assert answer(Plane, true).outcome == "proved"
    right = Translator.largest
    monkeypatch.setattr(
        Translator,
        "largest",
        lambda self, x, y: self.facts.append(x.top > 9) or right(self, x, y),
    )
    result = answer(Plane, true)
    assert result.outcome == "unknown"
    assert "no instance is known" in result.why


# What is no polynomial, what is left open


def test_what_is_no_polynomial_is_said_at_once():
    limit = 0.1 * 3
    reasons = {
        lambda P, Q: sum(xlog(p, p / q) for p, q in zip(P, Q)) >= 0: "log",
        lambda P: sum(P) ** P[0] >= 0: "an integer is needed",
        lambda P: P[0] * limit <= 1: "float",
        lambda P: P[0] ** 100 <= 1: "a power of degree 100",
        lambda P: P[0] * math.pi <= 4: "pi",
        lambda P: P[7] <= 1: "IndexError",
    }
    for statement, reason in reasons.items():
        result = answer(Laws, statement, 2)
        assert result.outcome == "not polynomial", result
        assert reason in result.why


def test_steps_limit_what_is_tried_and_not_the_clock():
    hard = PROVED["processing of three"]
    few = answer(hard[0], hard[2], 3, steps=5_000)
    assert few.outcome == "unknown"
    assert "steps" in few.why
    assert few.steps < 100_000
    again = [answer(hard[0], hard[2], 3) for _ in range(2)]
    assert again[0] == again[1], "the steps are those of the same search"


def test_all_sizes_share_one_budget():
    problem = pose(Laws, PROVED["4 TV² <= χ²"][2], ())
    whole = Budget()
    alone = [solve(problem, size, Budget()).steps for size in (2, 3)]
    assert [one.outcome for one in settle(problem, 3, whole)] == ["proved", "proved"]
    assert whole.steps - whole.left == sum(alone)
    short = Budget(alone[0] + 1_000)
    assert [one.outcome for one in settle(problem, 3, short)] == ["proved", "unknown"]


def test_a_text_that_makes_many_formulas_costs_steps():
    result = answer(
        Plane, lambda x: sum(x * j for j in range(10**9)) >= 0, steps=100_000
    )
    assert result.outcome == "unknown"
    assert "steps" in result.why


@pytest.mark.parametrize("statement", ["Plane, long_sum", "Bit, long_product"])
def test_memory_is_limited(statement):
    """Ask in a process of its own.

    What is left of an instance of z3 without memory changes its steps later on.
    """
    program = (
        "from statements.solver import questions\nquestions.MEMORY = 30\n"
        f"from tests.statements.test_solver import *\nprint(answer({statement}).why)"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": "."},
    )
    assert "memory" in ended.stdout


def test_the_same_steps_are_taken_in_another_process():
    program = (
        "from tests.statements.test_solver import PROVED, answer\n"
        "space, _, statement, _ = PROVED['4 TV² <= χ²']\n"
        "print(answer(space, statement, 3).steps)"
    )
    seeds = ("1", "2")
    run = [
        subprocess.run(
            [sys.executable, "-c", program],
            capture_output=True,
            text=True,
            check=True,
            timeout=300,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": "."},
        ).stdout
        for seed in seeds
    ]
    assert run[0] == run[1] == f"{answer(Laws, PROVED['4 TV² <= χ²'][2], 3).steps}\n"


def test_a_solver_that_hangs_is_left():
    result = answer(Channel, PROVED["processing of three"][2], 3, seconds=0.002)
    assert result.outcome == "unknown"
    assert "seconds" in result.why


def test_what_refutes_irrationally_is_tried_nearby():
    near = answer(Plane, lambda x: abs(x**2 - 2) > 1e-6)
    assert near.outcome == "refuted"
    assert answer(Plane, lambda x: x**2 != 2).outcome == "unknown"
    narrow = answer(Narrow, lambda x: x**2 != 2)
    assert narrow.outcome == "unknown", (
        "no number outside the space is taken for a counterexample"
    )


class Narrow(Space):
    x = real(1.41421, 1.41422)


def test_statements_import_no_solver():
    program = "import sys, statements\nsys.exit('z3' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


# Finite spaces


class Few(Space):
    sizes = (2, 3, 5)
    data = counts(0, 2)
    side = choice(-1, 1)
    some = assume(lambda data: sum(data) > 0)


class Wide(Space):
    n = whole(0, 10**15)


def exhausted(space, statement, size=2, given=(), budget=None):
    return exhaust(pose(space, statement, given), size, budget or Budget())


def test_finite_spaces_are_exhausted():
    statement = lambda data, side: sum(data) * side**2 >= 1
    two = exhausted(Few, statement)
    assert (two.outcome, two.cases) == ("proved", 2 * (3**2 - 1))
    assert exhausted(Few, statement, 3).cases == 2 * (3**3 - 1)


def test_many_instances_are_not_tried_one_by_one():
    few = Budget(50 * LISTED * DECIDED)
    assert exhausted(Few, lambda data: sum(data) >= 1, 3, budget=few) is None
    assert exhausted(Plane, lambda x: x <= 5, 1) is None
    assert exhausted(Whole, lambda n: n >= 0, 1) is None
    assert exhausted(Wide, lambda n: n >= 0, 1) is None


def test_the_instance_that_refutes_is_found_by_trying_all():
    false = exhausted(Few, lambda data, side: sum(data) < 4)
    assert (false.outcome, sum(false.raws["data"])) == ("refuted", 4)
    undefined = exhausted(Few, lambda data: 1 / data[0] > 0 or data[0] == 0)
    assert undefined.outcome == "undefined"
    assert "division by zero" in undefined.why


def test_what_trying_all_leaves_open():
    never = [lambda data: sum(data) > 8]
    assert exhausted(Few, lambda data: sum(data) > 9, given=never).outcome == "unknown"
    computed = 0.1 * 3
    assert "float" in exhausted(Few, lambda side: computed * side < 4).why
    equal = exhausted(Few, lambda side: sqrt(2) * sqrt(3) == sqrt(6))
    assert equal.outcome == "unknown"
    assert "not shown to be equal" in equal.why


def test_sizes_and_what_proves_them_are_named():
    problem = pose(Few, lambda data, side: sum(data) * side**2 >= 1, ())
    answers = settle(problem, 3, Budget())
    assert [(one.size, one.outcome) for one in answers] == [
        (2, "proved"),
        (3, "proved"),
    ]
    assert scope(Few, answers) == "2 and 3 points by trying all instances"
    (alone,) = settle(pose(Positive, lambda x: x + 1 / x >= 2, ()), 3, Budget())
    version = alone.by.removeprefix("z3 ")
    assert all(part.isdigit() for part in version.split("."))
    assert scope(Positive, [alone]) == f"all arguments in their ranges by z3 {version}"
    assert scope(Laws, settle(pose(Laws, lambda TV: TV < 0, ()), 3, Budget())) == ""


# A check that asks for a proof


def checked(space, **texts):
    return check(
        space,
        rng=np.random.default_rng(5),
        effort=Effort(samples=400, exact=30, mutants=20),
        **texts,
    )


def test_a_check_says_for_which_sizes_it_is_proved():
    (result,) = checked(Laws, printed=lambda TV, chi2: chi2 >= 4 * TV**2, solve=3)
    assert result.sizes.startswith("2 and 3 points by z3 ")
    assert result.line().startswith(f"Proved for {result.sizes}. No counterexample in ")
    (plain,) = checked(Laws, printed=lambda TV, chi2: chi2 >= 4 * TV**2)
    assert plain.sizes == ""
    assert "Proved" not in plain.line()


def test_the_corrected_statement_is_the_one_to_be_proved():
    false, true = checked(
        Laws,
        printed=lambda TV, chi2: chi2 >= 5 * TV**2,
        corrected=lambda TV, chi2: chi2 >= 4 * TV**2,
        solve=2,
    )
    assert (false.sizes, true.sizes.partition(" by")[0]) == ("", "2 points")
    plain, under = checked(
        Plane,
        printed=lambda x: x**3 >= x,
        condition=lambda x: -1 <= x <= 0 or x >= 1,
        solve=1,
    )
    assert (plain.sizes, under.sizes.partition(" by")[0]) == (
        "",
        "all arguments in their ranges",
    )


def test_what_is_false_shows_its_counterexample_and_is_not_put_to_the_solver():
    (false,) = checked(Laws, printed=lambda TV, chi2: chi2 >= 5 * TV**2, solve=3)
    assert (false.verdict, false.sizes) == ("false", "")
    assert false.example


def test_a_check_that_is_not_proved_raises():
    with pytest.raises(Unproved, match="size 2: not polynomial, log"):
        checked(
            Laws,
            printed=lambda P, Q: sum(xlog(p, p / q) for p, q in zip(P, Q)) >= 0,
            solve=2,
        )
    with pytest.raises(Unproved, match="size 1: unknown"):
        checked(Plane, printed=lambda x: x**2 != 2, solve=1)
