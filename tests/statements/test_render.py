"""How checks are shown: as formulas that say what the code says, or as source."""

import ast
from itertools import pairwise

import numpy as np
import pytest

from statements import (
    E,
    Space,
    cosh,
    counts,
    exp,
    law,
    log,
    log1p,
    normal_tail,
    real,
    sqrt,
    vector,
    whole,
    xlog,
)
from statements.problem import pose
from statements.proof import (
    boxes,
    concave_between,
    convex,
    double_zero,
    nonnegative,
    single_zero,
    zero,
)
from statements.render.lines import WIDEST, display, width
from statements.render.shapes import NUMBER, Shape, shape_of
from statements.render.symbols import between, symbol
from statements.render.texts import formula, name, proved, source, typeset, value
from statements.rewrite import read
from tests.statements.spaces import KL, tail, ψ


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("θ", r"\theta"),
        ("c_star", "c^*"),
        ("γ_P", r"\gamma_P"),
        ("Qθ", r"Q_{\theta}"),
        ("φ", r"\varphi"),
        ("λ", r"\lambda"),
        ("Γ", r"\Gamma"),
        ("Q0", "Q_0"),
        ("Q_0", "Q_0"),
        ("P_hat", r"\hat P"),
        ("P_1hat", r"\hat P_1"),
        ("P1_hat", r"\hat P_1"),
        ("h_til", r"\tilde h"),
        ("ΔR", r"\Delta_R"),
        ("l", r"\ell"),
        ("γ_PT", r"\gamma_{P,T}"),
        ("Q_other", r"Q_{\mathrm{other}}"),
        ("drop", r"\mathrm{drop}"),
        ("one_record", r"\mathrm{one\_record}"),
        ("share_P", r"\mathrm{share}_P"),
        ("asked_13", r"\mathrm{asked}_{13}"),
        ("base1", r"\mathrm{base}_1"),
        ("ε", r"\varepsilon"),
        ("floor_", r"\mathrm{floor}"),
    ],
)
def test_a_name_is_one_symbol(text, shown):
    assert symbol(text).tex().replace(r"Q_\theta", r"Q_{\theta}") == shown


@pytest.mark.parametrize(
    ("function", "shown"),
    [
        (lambda x, y: (x + y) / 2 >= x * (y - 1), r"\frac{x + y}{2} \ge x\,(y - 1)"),
        (lambda x, y: x / y / 2 == 2 * 3 * x, r"\frac{x}{y \cdot 2} = 2 \cdot 3x"),
        (lambda x, y: (x / y) / (y / x) > 1, r"\frac{x/y}{y/x} > 1"),
        (lambda x, n: n // 2 <= x, r"\left\lfloor \frac{n}{2} \right\rfloor \le x"),
        (lambda x, y: x % 3 - y < 1, r"(x \bmod 3) - y < 1"),
        (lambda x: 0 <= x < 1 / 3, r"0 \le x < \frac{1}{3}"),
        (lambda x, y: exp(abs(x) / y) <= exp(-x / 2), r"e^{|x|/y} \le e^{-x/2}"),
        (lambda x, y: x + -x / y > x - (y - 1), r"x - \frac{x}{y} > x - (y - 1)"),
        (lambda x, y: (x * y).diff(x) == y, r"\partial_{x} (x y) = y"),
        (
            lambda x, y: log(2) * x - x * log(y) > 1e-7,
            r"\log(2)\,x - x\,\log y > 10^{-7}",
        ),
        (lambda x, y: xlog(x, x / y) == log1p(x), r"x\,\log \frac{x}{y} = \log(1 + x)"),
        (
            lambda x, y: x - (y - 1) > -x or not x > 0,
            r"x - (y - 1) > -x\text{ or }\text{not }(x > 0)",
        ),
        (lambda c_star: c_star**2 < 1, "(c^*)^2 < 1"),
        (lambda k: (k / 2) ** k < sqrt(k), r"\left(\frac{k}{2}\right)^k < \sqrt{k}"),
        (lambda x, y: (x < 1, y < 1), r"x < 1,\quad y < 1"),
        (
            lambda x: (x if x > 0 else 1) > 0,
            r"\begin{cases}x & \text{if }x > 0\\ 1 & \text{else}\end{cases} > 0",
        ),
        (lambda x: (1 if x > 0 else 0) > 0, r"\mathbf{1}[x > 0] > 0"),
        (
            lambda x: x > 1 if x > 0 else x < 2,
            r"x > 1\text{ if }x > 0,\quad\text{else }x < 2",
        ),
        (lambda x: normal_tail(x) < 1.0 * x, r"\bar\Phi(x) < x"),
        (lambda n: sum(2**k for k in range(1, n + 1)) > n, r"\sum_{k=1}^n 2^k > n"),
        (lambda n: sum(k for k in range(n)) > n, r"\sum_{k=0}^{n - 1} k > n"),
        (lambda n: all(n > k for k in (1, 2)), r"n > k\text{ for all }k \in \{1, 2\}"),
        (
            lambda n: any(n > k and k > 0 for k in range(9)),
            r"n > k\text{ and }k > 0\text{ for some }0 \le k \le 8",
        ),
        (
            lambda n: max(n, *(k for k in (3, 4))) > 0,
            r"\max\!\left(n, \max_{k \in \{3, 4\}} k\right) > 0",
        ),
        (lambda f: f(lambda x: x + 1) > 0, r"f(x \mapsto x + 1) > 0"),
    ],
)
def test_numbers(function, shown):
    assert formula(read(function, "")) == shown


class Vectors(Space):
    P = law()
    Q = law()
    Q_0 = law()
    i = real(0, 1)
    n = whole(2, 4)
    D = counts(1, 4)
    h = vector(0, 1)
    c_t = vector(0, 1)
    R = lambda P: 0 * P + [p / 2 for p in P]
    both = lambda P, Q: [P, Q]
    lists = lambda n: [1 for _ in range(n)]


@pytest.mark.parametrize(
    ("function", "shown"),
    [
        (
            lambda P, Q: sum(xlog(P, P / Q)) >= 0,
            r"\sum_i P_i\,\log \frac{P_i}{Q_i} \ge 0",
        ),
        (
            lambda P, Q_0: sum(P * Q_0) <= sum(Q_0**2),
            r"\sum_i P_i Q_{0,i} \le \sum_i Q_{0,i}^2",
        ),
        (lambda P, i: sum(P * i) > -sum(P), r"\sum_j P_j i > -\sum_j P_j"),
        (
            lambda P, Q: sum(abs(p - q) for p, q in zip(P, Q, strict=True)) < 2,
            r"\sum_i |P_i - Q_i| < 2",
        ),
        (
            lambda P, Q: max(abs(P - Q)) + 1 > 0,
            r"\left(\max_i |P_i - Q_i|\right) + 1 > 0",
        ),
        (lambda P, h: E(P, exp(2 * h)) >= 1, r"\mathbb{E}_P[e^{2h}] \ge 1"),
        (lambda P, Q, i: exp(i) * Q >= P, r"e^i Q \ge P"),
        (lambda c_t: sum(2 * c_t) > 0, r"\sum_t 2c_t > 0"),
        (lambda D: sum(c**k for k, c in enumerate(D)) > 0, r"\sum_k D_k^k > 0"),
        (lambda D, n: sum(1 if c > n else 0 for c in D) < 9, r"\#\{i:\,D_i > n\} < 9"),
        (
            lambda D, P: sum(p if c > 1 else 0 for c, p in zip(D, P, strict=True)) < 9,
            r"\sum_{i:\,D_i > 1} P_i < 9",
        ),
        (lambda D: sum(D[:2]) < 2 * len(D), r"\sum_{i < 2} D_i < 2\,\#D"),
        (
            lambda h: all(a <= b for a, b in pairwise(h)),
            r"h_i \le h_{i+1}\text{ for all }i",
        ),
        (lambda h, P, n: h[0] == abs(h[-1]), r"h_0 = |h_{\mathrm{last}}|"),
        (lambda Q, Q_0: Q[0] < Q_0[1], r"Q(0) < Q_{0,1}"),
        (
            lambda P, Q: KL(P, Q) <= ψ(sum(P), 1),
            r"\mathrm{KL}(P, Q) \le \psi\!\left(\sum_i P_i, 1\right)",
        ),
        (
            lambda P: sum(ψ(P, 1 / 2)) < 9,
            r"\sum_i \psi\!\left(P_i, \frac{1}{2}\right) < 9",
        ),
        (lambda R, P: sum(R) == 1, r"\sum_i R_i = 1"),
        (
            lambda both: max(max(law) for law in both) < 1,
            r"\max_i \max_j \mathrm{both}_{i,j} < 1",
        ),
        (
            lambda P, Q: sum(p * q for p in P for q in Q) == 1,
            r"\sum_{i,\ j} P_i Q_j = 1",
        ),
        # what is no formula
        (lambda lists: sum(lists * 2) > 0, ""),
        (lambda n: sum([1] * n) > 0, ""),
        (lambda P: sum(P[::-1]) == 1, ""),
        (lambda P: max(sorted(P)) < 1, ""),
        (lambda P: sum(float(p) for p in P) == 1, ""),
        (lambda P, D: sum(p for p in (1, 1)) < sum([*P, *D]), ""),
        (lambda n: f"{n}" == "2", ""),
    ],
)
def test_vectors(function, shown):
    assert typeset(pose(Vectors, function, []))[0].latex == shown


def test_a_check_is_shown_with_its_hypotheses_and_what_it_uses():
    class Steps(Space):
        Q = law()
        s = law()
        scale = real(0, 1)
        c_star = lambda scale: scale * log(2)
        R = lambda Q: 0 * Q + [q / 2 for q in Q]

    problem = pose(
        Steps,
        lambda Q, c_star, R: ψ(c_star, 1 / 2) <= E(Q, R),
        [lambda c_star: c_star < 1],
    )
    assert [(item.name, item.latex) for item in typeset(problem)] == [
        (
            "",
            r"c^* < 1\quad\Longrightarrow\quad "
            r"\psi\!\left(c^*, \frac{1}{2}\right) \le \mathbb{E}_Q[R]",
        ),
        ("c_star", r"c^* = \mathrm{scale}\,\log 2"),
        ("R", r"R_i = \frac{Q_i}{2}"),
        ("ψ", r"\psi(u, \gamma) = \log(\cosh u - \gamma\,\sinh u)"),
    ]


def stepwise(x, n):
    x = x / 2
    return x + n


def by_cases(x, y):
    half = x / 2
    small = half < y
    if small:
        return half
    return y


def count_up(n):
    places = range(n)
    return sum(k for k in places if k)


class Lines(Space):
    x = real(0, 1)
    n = whole(1, 9)
    both = lambda n: (
        tail(n, 2)  # of two
        + tail(n, 1)
    )
    end = lambda n: max(
        n,
        1,
    )


def shown(statement, *given):
    return {item.name: item for item in typeset(pose(Lines, statement, given))}


def test_what_is_not_one_expression_is_shown_as_it_stands():
    texts = shown(lambda both, end: both > end, lambda n: n > 1)
    assert list(texts) == ["", "both", "end", "tail"]
    assert texts["tail"].latex == ""
    assert texts["tail"].source.splitlines()[::5] == [
        "def tail(n, k):",
        "    return value",
    ]
    assert (
        texts["both"].source
        == "both = lambda n: (\n    tail(n, 2)  # of two\n    + tail(n, 1)\n)"
    )
    assert texts["end"].source == "end = lambda n: max(\n    n,\n    1,\n)"
    assert (
        texts[""].source
        == "given = lambda n: n > 1\nstatement = lambda both, end: both > end"
    )
    assert source(read(lambda: 1, ""), "one") == "one = lambda: 1"


def test_what_is_not_one_expression_is_a_formula_where_all_of_it_is_one():
    assert shown(lambda x, n: stepwise(x, n) > 0)["stepwise"].latex == ""
    assert shown(lambda x, n: by_cases(x, n) > 0)["by_cases"].latex == (
        r"\begin{aligned}&\mathrm{by\_cases}(x, y) = "
        r"\begin{cases}\mathrm{half} & \text{if }\mathrm{small}"
        r"\\ y & \text{else}\end{cases}"
        r"\quad\text{where }\mathrm{half} = \frac{x}{2},"
        r"\\ &\mathrm{small} \iff \mathrm{half} < y\end{aligned}"
    )
    counted = shown(lambda n: count_up(n) > 0)["count_up"].latex
    assert counted == r"\mathrm{count\_up}(n) = \sum_{0 \le k \le n - 1:\,k \ne 0} k"


def test_proofs_say_what_is_proved_and_for_which_arguments():
    unit = read(
        lambda u=(0, None), s=(-1, 1), y=(0, 1 / 2): (
            concave_between(cosh(u) + s - exp(u), s, -1, 1, second=-exp(u)),
            double_zero(exp(y) - 1 - y, y, second=exp(y)),
            single_zero(y - log(1 + y), y, first=y / (1 + y)),
            convex(exp(u), u, second=exp(u)),
            zero(u - u),
            nonnegative(s**2),
            boxes(2 - ψ(u, s)),
        ),
        "",
    )
    texts = proved(unit)
    assert [item.name for item in texts] == ["", "ψ"]
    assert texts[0].source.startswith(
        "proof = lambda u=(0, None), s=(-1, 1), y=(0, 1 / 2): ("
    )
    for part in (
        r"\cosh u + s \ge e^u\text{ for }-1 \le s \le 1,\ \text{equal at both ends}",
        r"\text{and the difference has }\partial_{s}^2 = -e^u \le 0,",
        r"e^y - 1 \ge y,\ \text{equal, with their slopes, at }y = 0",
        r"y \ge \log(1 + y),\ \text{equal at the lower end}",
        r"e^u\text{ is convex in }u",
        r"u = u",
        r"s^2 \ge 0",
        r"2 > \psi(u, s)",
        r"\text{for }u \ge 0,\ -1 \le s \le 1,\ 0 \le y \le 1/2",
    ):
        assert part in texts[0].latex


def test_lines_end_before_relations_and_what_does_not_fit_is_source():
    parts = [("", "x" * 40), (r" \le ", [("", "y" * 40), (" + ", "z" * 40)])]
    assert display(parts) == (
        r"\begin{aligned}&"
        + "x" * 40
        + r"\\ &\quad \le "
        + "y" * 40
        + r"\\ &\quad \quad + "
        + "z" * 40
        + r"\end{aligned}"
    )
    assert display([("", "x = 1"), (r",\quad ", "y = 1")]) == r"x = 1,\quad y = 1"
    lines = display([("", "x" * 40), (r",\quad ", "y" * 40)])
    assert (
        lines == r"\begin{aligned}&" + "x" * 40 + r",\\ &" + "y" * 40 + r"\end{aligned}"
    )
    assert display("x" * 80) == ""


def test_widths():
    assert width("x" * 40) < WIDEST < width("x" * 80)
    assert width(r"\frac{xxxx}{y}") < width("xxxx") + 0.5
    assert width("x_{abc}^{d}") == width("x_{abc}")
    assert width(r"\begin{cases}x & y\\ xxxxx & y\end{cases}") > width("xxxxx")
    assert between("2", "3") == r" \cdot "
    assert between("x", r"\theta") == " "
    assert between("2", "x") == ""
    assert between(r"\mathrm{drop}", "x") == r"\,"


def test_shapes():
    assert shape_of(1) == NUMBER == shape_of(np.float64(1))
    assert shape_of(np.ones((2, 2))) == Shape((True, True))
    assert shape_of([np.ones(2), np.ones(2)]) == Shape((False, True))
    assert shape_of([(1, 2), 3]) is None
    assert shape_of("ab") is None
    assert shape_of(range(3)).span


def test_no_name_of_a_text_is_missing_from_its_formula():
    for test in (test_numbers, test_vectors):
        for function, latex in test.pytestmark[0].args[1]:
            unit = read(function, "")
            used = {
                node.id for node in ast.walk(unit.tree) if isinstance(node, ast.Name)
            } & {*unit.parameters}
            assert [
                name for name in used if latex and symbol(name).core not in latex
            ] == []


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("3/10", "3/10"),
        ("-1/2", "-1/2"),
        ("(2/5, -1)", "(2/5, -1)"),
        ("log(11/10)/log(2)", r"\log(11/10)/\log(2)"),
        ("2**-200", "2^{-200}"),
        ("exp(1/2)", "e^{1/2}"),
        ("[1, 2][", ""),
        ("'a'", ""),
        ("unknown", ""),
    ],
)
def test_a_value_in_a_line_of_words(text, shown):
    assert value(text) == shown
    assert name("γ_P") == r"\gamma_P"
