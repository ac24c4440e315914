r"""Checks of the KL-ball statements about one mollifier: v1 Lemma 17 (v2 Lemma 18), its proof and its remarks."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

import numpy as np
from flint import arb, ctx

from mollified._validate import check_fraction, check_trials
from mollified.ball_mbde import BITS, ball, ball_mbde
from mollified.bounds import kl_ball
from mollified.checks import Check, Tally
from mollified.exact_level import ExactLevel, Law
from mollified.instances import member_of_box, mollifier_box, random_law, random_root, random_signs, random_sparse_law
from mollified.kl_ball_bound import certified_kl, certified_kl_ball, extreme_laws

__all__ = [
    "decomposition",
    "good_ones_excluded",
    "level_bound",
    "mbde_stays_close",
    "radius_grows",
]

ONE, HALF = Fraction(1), Fraction(1, 2)
#: Working precision in bits of the certified divergences.
FEW_BITS = 256
Form = Literal["printed", "corrected", "exact"]


def _form(form: object) -> None:
    if not isinstance(form, str) or form not in ("printed", "corrected", "exact"):
        raise ValueError(f"form must be printed, corrected or exact, got {form!r}")


def _bound(delta: arb, eps: arb, form: Form) -> arb:
    """Return the bound on the second divergence, as a ball."""
    found = certified_kl_ball(delta, eps) if form == "exact" else kl_ball(delta, eps, form=form)
    assert isinstance(found, arb)
    return found


def _weight(rng: np.random.Generator, root: Fraction) -> Fraction:
    """Return a rational strictly between R/(R+1) and 1."""
    return 1 - Fraction(int(rng.integers(1, 100)), 100) / (root + 1)


def _members(rng: np.random.Generator, count: int) -> tuple[list[Law], Law, Fraction]:
    """Return members of a relative mollifier, a target that may have zeros, and R = e^eps for their exact level."""
    size = int(rng.integers(2, 6))
    base = random_law(rng, size)
    box = mollifier_box(base, random_root(rng))
    while True:
        family = [member_of_box(rng, *box) for _ in range(count)]
        root = max(a / b for one in family for two in family for a, b in zip(one, two, strict=True))
        if root > 1:
            break
    target = family[0] if rng.random() < 0.1 else random_sparse_law(rng, size)
    return family, target, root


def _instance(rng: np.random.Generator, index: int) -> tuple[Law, Law, Law, Fraction]:
    """Return P, Q', Q and R; every fourth instance is extreme: all of P at the level, or the best two points."""
    if index % 4 == 0:
        root = random_root(rng)
        if index % 8 == 0:
            return *extreme_laws(root, ONE, Fraction(int(rng.integers(1, 100)), 100)), root
        return *extreme_laws(root, _weight(rng, root)), root
    (one, two), target, root = _members(rng, 2)
    return target, one, two, root


def decomposition(rng: np.random.Generator, instances: int, *, inverted: bool) -> Check:
    r"""Check the identity v1 (94), $\operatorname{KL}(P,Q)=\operatorname{KL}(P,Q')+\int\log\rho\,dP$, exactly.

    `inverted` takes the printed $\rho=Q/Q'$, otherwise $\rho=Q'/Q$. With N a common denominator of P the two sides
    are equal if and only if two products of integer powers of rationals are. The first instance is
    P = (1, 0), Q' = (1/3, 2/3), Q = (1/2, 1/2).
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact", keep="first")
    for index in range(instances):
        size = int(rng.integers(2, 5))
        p, one, two = random_law(rng, size, spread=4), random_law(rng, size), random_law(rng, size)
        if index == 0:
            p, one, two = (ONE, Fraction(0)), (Fraction(1, 3), Fraction(2, 3)), (HALF, HALF)
        if one == two:
            continue
        common = int(np.lcm.reduce([x.denominator for x in p]))
        left, right = ONE, ONE
        for x, a, b in zip(p, one, two, strict=True):
            power = int(x * common)
            left *= (x / b) ** power
            right *= (x / a * (b / a if inverted else a / b)) ** power
        slack = 0.0 if left == right else -abs(_log(left) - _log(right)) / common
        tally.add(slack, decided=left == right, P=p, Q_other=one, Q=two)
    return tally.check()


def _log(value: Fraction) -> float:
    with ctx.workprec(FEW_BITS):
        return float(ball(value).log().mid())


def level_bound(rng: np.random.Generator, instances: int, *, inverted: bool = False, claimed: Fraction = ONE) -> Check:
    r"""Check v1 (95)-(97): $\operatorname{KL}(P,Q')+\int\log\rho\,dP\le\operatorname{KL}(P,Q')+\varepsilon$, exactly.

    $\rho=Q'/Q$, or with `inverted` the printed $Q/Q'$; as $\rho^N$, N a common denominator of P, is rational, the
    integral is compared with `claimed` times $\varepsilon=\log R$ in integers. Equality where P sits on the points of
    the level.
    """
    rng, instances = check_trials(rng, instances)
    claimed = check_fraction("claimed", claimed, above=0, maximum=1)
    tally = Tally("exact")
    for index in range(instances):
        root = 1 + Fraction(int(rng.integers(1, 400)), 100)
        if index % 4 == 0:
            p, one, two = extreme_laws(root, ONE, HALF)
        else:
            size = int(rng.integers(2, 5))
            box = mollifier_box(random_law(rng, size, spread=6), root)
            one, two = member_of_box(rng, *box), member_of_box(rng, *box)
            p, root = random_law(rng, size, spread=4), root**2
        if inverted:
            one, two = two, one
        common = int(np.lcm.reduce([x.denominator for x in p]))
        product = ONE
        for x, a, b in zip(p, one, two, strict=True):
            product *= ((b / a) if inverted else (a / b)) ** int(x * common)
        over = product**claimed.denominator - root ** (common * claimed.numerator)
        slack = float(claimed) * _log(root) - _log(product) / common
        tally.add(slack if over != 0 else 0.0, decided=over <= 0, P=p, rho_one=one, rho_two=two, R=root)
    return tally.check()


def radius_grows(rng: np.random.Generator, instances: int, *, form: Form = "printed", claimed: Fraction = ONE) -> Check:
    r"""Check $\operatorname{KL}(P,Q)\le B(\delta,\varepsilon)$ for two laws of an $\varepsilon$-mollifier. Certified.

    $\delta=\operatorname{KL}(P,Q')$. B is the printed $\delta+\varepsilon$, the corrected closed form or the exact
    least bound (rounded up); of what it adds to $\delta$ only the share `claimed` is claimed. $\varepsilon=\log R$ is
    the exact level of the pair. Where P sits on points with $Q'=RQ$ both sides are equal and this is decided in
    rationals. Source: v1 Lemma 17, v2 Lemma 18.
    """
    rng, instances = check_trials(rng, instances)
    _form(form)
    claimed = check_fraction("claimed", claimed, above=0, maximum=1)
    tally = Tally("certified")
    with ctx.workprec(FEW_BITS):
        for index in range(instances):
            p, one, two, root = _instance(rng, index)
            delta, eps, reached = certified_kl(p, one), ball(root).log(), certified_kl(p, two)
            slack = delta + ball(claimed) * (_bound(delta, eps, form) - delta) - reached
            equal = all(a == root * b for x, a, b in zip(p, one, two, strict=True) if x > 0)
            if equal and claimed == 1:
                tally.add(0.0, decided=not slack < 0)
                continue
            tally.add(float(slack.mid()), decided=bool(slack > 0), P=p, Q_other=one, Q=two, R=root)
    return tally.check()


def good_ones_excluded(rng: np.random.Generator, instances: int, *, claimed: Fraction = ONE) -> Check:
    r"""Check that a member at divergence $\Delta$ keeps every member above $\Delta-\varepsilon$. Certified.

    Families of three members and their exact level; $\Delta$ is the largest divergence among them. Every fourth family
    has the worst pair and a law between. `claimed` states that share of $\varepsilon$. Source: v1, after Lemma 17.
    """
    rng, instances = check_trials(rng, instances)
    claimed = check_fraction("claimed", claimed, above=0, maximum=1)
    tally = Tally("certified")
    with ctx.workprec(FEW_BITS):
        for index in range(instances):
            family, p, root = _members(rng, 3)
            if index % 4 == 0:
                root = random_root(rng)
                p, one, two = extreme_laws(root, ONE, HALF)
                family = [one, two, tuple((a + b) / 2 for a, b in zip(one, two, strict=True))]
            ordered = sorted(family, key=lambda q: float(certified_kl(p, q).mid()))
            best, worst = ordered[0], ordered[-1]
            slack = certified_kl(p, best) - (certified_kl(p, worst) - ball(claimed) * ball(root).log())
            equal = all(a == root * b for x, a, b in zip(p, best, worst, strict=True) if x > 0)
            if equal and claimed == 1:
                tally.add(0.0, decided=not slack < 0)
                continue
            tally.add(float(slack.mid()), decided=bool(slack > 0), P=p, family=family, R=root)
    return tally.check()


def _close_run(rng: np.random.Generator, index: int, root: Fraction) -> tuple[Law, Law, Law, list[Law]]:
    r"""Return P, $Q_0$, any member Q' of the range $[Q_0/r,rQ_0]$, and classifiers of a run of MBDE.

    Every fourth is the worst case: P on one small atom, where Q' has the most mass and the classifiers the least.
    """
    size, rounds = int(rng.integers(2, 5)), int(rng.integers(1, 4))
    if index % 4 == 0:
        atom = Fraction(1, 2 ** int(rng.integers(30, 60)))
        return (ONE, Fraction(0)), (atom, 1 - atom), (root * atom, 1 - root * atom), [(-ONE, ONE)] * 12
    base = random_law(rng, size)
    member = member_of_box(rng, *mollifier_box(base, root))
    return random_sparse_law(rng, size), base, member, [random_signs(rng, size) for _ in range(rounds)]


def mbde_stays_close(rng: np.random.Generator, instances: int, *, claimed: Fraction = ONE) -> Check:
    r"""Check $\operatorname{KL}(P,Q)\le\operatorname{KL}(P,Q')+\varepsilon/k$ for an output Q of MBDE. Certified.

    Q is an output at level $\varepsilon/k$ and Q' *any* member of the $\varepsilon/k$-mollifier around the same $Q_0$,
    often on its boundary. $e^{\varepsilon/(2k)}$ is rational, from 1.005 to 3, k runs from 1 to 20. `claimed` states
    that share of $\varepsilon/k$; a target on one small atom comes close to it. Source: v1 section 6 (iii).
    """
    rng, instances = check_trials(rng, instances)
    claimed = check_fraction("claimed", claimed, above=0, maximum=1)
    tally = Tally("certified")
    with ctx.workprec(BITS):
        for index in range(instances):
            k, root = int(rng.integers(1, 21)), 1 + Fraction(int(rng.integers(1, 401)), 200)
            p, base, member, run = _close_run(rng, index, root)
            output = ball_mbde(base, run, ExactLevel(exp_eps=root**2))
            change = sum(
                (ball(x) * (ball(a) / b).log() for x, a, b in zip(p, member, output, strict=True) if x > 0), arb(0)
            )
            slack = ball(claimed) * ball(root**2).log() - change
            inside = all(q / root <= v <= root * q for v, q in zip(member, base, strict=True))
            values = {"P": p, "Q0": base, "Q_member": member, "c": run, "exp_eps": root ** (2 * k), "k": k}
            tally.add(float(slack.mid()), decided=inside and bool(slack > 0), **values)
    return tally.check()
