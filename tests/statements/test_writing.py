"""How statements are typeset, and what is shown as source."""

import pytest

from statements import E, Space, exp, law, log, real, whole
from statements.checking import _problem
from statements.reading import read
from statements.writing import formula, name, source, typeset
from tests.statements.spaces import tail, ψ


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("θ", r"\theta"), ("c_star", "c^*"), ("γ_P", r"\gamma_{P}"), ("Qθ", r"Q_{\theta}"), ("φ", r"\varphi"),
        ("λ", r"\lambda"), ("Γ", r"\Gamma"), ("Q0", "Q_{0}"), ("P_hat", r"P_{\mathrm{hat}}"),
        ("drop", r"\operatorname{drop}"), ("ε", r"\varepsilon"),
    ],
)  # fmt: skip
def test_names(text, shown):
    assert name(text) == shown


@pytest.mark.parametrize(
    ("function", "shown"),
    [
        (lambda x, y: (x + y) / 2 >= x * (y - 1), r"\frac{x + y}{2} \ge x\,\left(y - 1\right)"),
        (lambda x, n: n // 2 <= x, r"\left\lfloor \frac{n}{2} \right\rfloor \le x"),
        (lambda x: 0 <= x < 1 / 3, r"0 \le x < \frac{1}{3}"),
        (lambda P, c: E(P, exp(2 * c)) == log(2), r"\mathbb{E}_{P}\left[e^{2\,c}\right] = \log 2"),
        (lambda x, y: (x * y).diff(x) == y, r"\partial_{x} \left(x\,y\right) = y"),
        (lambda P: sum(p**2 for p in P) <= 1, r"\sum_{p \in P} p^{2} \le 1"),
        (lambda P: all(p >= 0 for p in P), r"\forall_{p \in P} p \ge 0"),
        (lambda x, y: x - (y - 1) > -x or not x > 0, r"x - \left(y - 1\right) > -x\text{ or }\text{not }x > 0"),
        (lambda c_star: c_star**2 < 1, "{c^*}^{2} < 1"),
        (lambda k: (k / 2) ** k < 1, r"\left(\frac{k}{2}\right)^{k} < 1"),
        (lambda x, y: (x < 1, y < 1), r"\begin{gathered}x < 1,\\ y < 1\end{gathered}"),
        (
            lambda x: (x if x > 0 else 1) ** 2 > 0,
            r"\left(\begin{cases}x & x > 0\\ 1 & \text{else}\end{cases}\right)^{2} > 0",
        ),
        (
            lambda x: (
                x > 12345678901234567890123456789012345678901234567 and x < 98765432109876543210987654321098765432
            ),
            r"\begin{gathered}x > 12345678901234567890123456789012345678901234567\\ "
            r"\text{and }x < 98765432109876543210987654321098765432\end{gathered}",
        ),
        (lambda x: max([k * x for k in x]) > 0, r"\max_{k \in x} k\,x > 0"),
        (
            lambda x: sum(sorted(k**2 for k in x)) > 0,
            r"\operatorname{sum}\left(\operatorname{sorted}\left(\left(k^{2}\right)_{k \in x}\right)\right) > 0",
        ),
        (lambda h, k: h[-1] == abs(h[k]), r"h_{\mathrm{last}} = \left| h_{k} \right|"),
        (lambda Q_0, k: Q_0[k] < 1, "{Q_{0}}_{k} < 1"),
        (lambda x: (x if x > 0 else 0) >= x, r"\begin{cases}x & x > 0\\ 0 & \text{else}\end{cases} \ge x"),
    ],
)
def test_formulas(function, shown):
    assert formula(read(function, "")) == shown


def test_a_check_is_typeset_with_its_hypotheses_and_what_it_uses():
    class Steps(Space):
        Q, s, scale = law(), law(), real(0, 1)
        c_star = lambda scale: scale * log(2)

    problem = _problem(Steps, lambda Q, c_star: ψ(c_star, 1 / 2) <= E(Q, Q), [lambda c_star: c_star < 1])
    assert [item.latex for item in typeset(problem)] == [
        r"c^* < 1\ \Longrightarrow\ \psi\left(c^*, \frac{1}{2}\right) \le \mathbb{E}_{Q}\left[Q\right]",
        r"c^* = \operatorname{scale}\,\log 2",
        r"\psi\left(u, \gamma\right) = \log\left(\cosh u - \gamma\,\sinh u\right)",
    ]


def test_what_is_not_one_expression_is_shown_as_it_stands():
    class Tails(Space):
        n = whole(1, 9)
        both = lambda n: (
            tail(n, 2)  # of two
            + tail(n, 1)
        )
        end = lambda n: max(
            n,
            1,
        )

    problem = _problem(Tails, lambda both, end: both > end, [lambda n: n > 1])
    shown = {item.name: item for item in typeset(problem)}
    assert list(shown) == ["", "both", "end", "tail"]
    assert shown["tail"].latex == ""
    assert shown["tail"].source.splitlines()[::5] == ["def tail(n, k):", "    return value"]
    assert shown["both"].source == "both = lambda n: (\n    tail(n, 2)  # of two\n    + tail(n, 1)\n)"
    assert shown["end"].source == "end = lambda n: max(\n    n,\n    1,\n)"
    assert shown[""].source == "given = lambda n: n > 1\nstatement = lambda both, end: both > end"
    assert formula(read(lambda x: x @ x > 0, "")) == ""
    assert source(read(lambda: 1, ""), "one") == "one = lambda: 1"
