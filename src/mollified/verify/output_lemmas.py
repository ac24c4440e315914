r"""Checks of what MBDE does to the divergence and the mass on a region: v1 Lemma 16, (76)-(89); v2 Lemma 17."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from flint import arb, ctx

from mollified._validate import check_fraction, check_trials
from mollified.ball_mbde import BITS, ball, ball_mbde
from mollified.bounds import Form, captured_mass, gain_upper, restricted_divergence
from mollified.checks import Check, Tally
from mollified.exact_level import ExactLevel, Law
from mollified.instances import random_law, random_run

__all__ = [
    "complement_bound",
    "complement_exponent",
    "divergence_on_region",
    "output_divergence",
    "output_mass",
    "split_divergence",
]

ONE, ZERO = Fraction(1), Fraction(0)
QUARTERS = (Fraction(3, 4), Fraction(1, 4))

#: Targets are rounded to this when they are set to the output of a run.
FINE = 2**300


@dataclass(frozen=True)
class _Run:
    """A target, a run of MBDE (classifiers in units of log 2) and a region."""

    p: Law
    base: Law
    rows: list[Law]
    level: ExactLevel
    region: tuple[int, ...]

    def values(self) -> dict[str, object]:
        """Name what defines the run, the level as the rational eps or exp(eps)."""
        level = {"eps": self.level.eps} if self.level.eps is not None else {"exp_eps": self.level.exp_eps}
        return {"P": self.p, "Q0": self.base, "c": self.rows, "B": self.region, **level}


@dataclass(frozen=True)
class _Parts:
    r"""Masses and integrals of a run in balls; `_out` is the complement of B, E the exponent $\log Q_T/Q_0$.

    `before` and `after` are $\operatorname{KL}(P,Q_0;B)$ and $\operatorname{KL}(P,Q_T;B)$; `power_out` is $\int
    e^E\mathrm dP$.
    """

    mass: arb
    out: arb
    captured: arb
    before: arb
    before_out: arb
    after: arb
    after_out: arb
    exponent_out: arb
    power_out: arb
    gain: arb
    eps: arb
    rounds: int


def _parts(run: _Run) -> _Parts:
    q = ball_mbde(run.base, run.rows, run.level)
    points = range(len(q))
    rest = [x for x in points if x not in run.region]
    p = [ball(a) for a in run.p]
    before = [(a / ball(b)).log() for a, b in zip(p, run.base, strict=True)]
    after = [(a / b).log() for a, b in zip(p, q, strict=True)]
    exponent = [(b / ball(a)).log() for a, b in zip(run.base, q, strict=True)]

    def over(where: Sequence[int], values: Sequence[arb]) -> arb:
        return sum((p[x] * values[x] for x in where), arb(0))

    ones = [arb(1)] * len(q)
    level = run.level
    return _Parts(
        mass=over(run.region, ones),
        out=over(rest, ones),
        captured=sum((q[x] for x in run.region), arb(0)),
        before=over(run.region, before),
        before_out=over(rest, before),
        after=over(run.region, after),
        after_out=over(rest, after),
        exponent_out=over(rest, exponent),
        power_out=over(rest, [e.exp() for e in exponent]),
        gain=over(points, exponent),
        eps=ball(level.eps) if level.eps is not None else ball(level.exp_eps or ONE).log(),
        rounds=len(run.rows),
    )


def _output_as_target(q: Sequence[arb]) -> Law:
    """Return a law of rationals within 2^-290 of balls."""
    weights = [max(1, int(str((x.mid() * FINE).floor().unique_fmpz()))) for x in q]
    return tuple(Fraction(w, sum(weights)) for w in weights)


def _random(rng: np.random.Generator, index: int) -> _Run:
    """Return a random run; every fourth has P close to Q_T and almost the whole exponent eps/2 outside B."""
    base, rows, level = random_run(rng, ONE)
    size = len(base)
    if index % 4 == 3:
        atom = Fraction(1, 2 ** int(rng.integers(20, 80)))
        base, rows = (atom, (1 - atom) / 3, 2 * (1 - atom) / 3), [(ONE, -ONE, -ONE)] * 4
        level = ExactLevel(eps=Fraction(1, int(rng.integers(2, 50))))
        return _Run(_output_as_target(ball_mbde(base, rows, level)), base, rows, level, (1, 2))
    kept = int(rng.integers(1, size))
    region = tuple(sorted(int(x) for x in rng.permutation(size)[:kept]))
    return _Run(random_law(rng, size), base, rows, level, region)


#: $Q_1=(\frac23,\frac13)$: with $\varepsilon=4\log2$ one step is $\theta_1=\frac12$.
HALVED = _Run(QUARTERS, (ONE / 2, ONE / 2), [(ONE, -ONE)], ExactLevel(exp_eps=Fraction(16)), (0,))
#: The same at $\varepsilon=\log2$, where $\theta_1=\frac15$.
SMALL = _Run(QUARTERS, (ONE / 2, ONE / 2), [(ONE, -ONE)], ExactLevel(exp_eps=Fraction(2)), (0,))
#: The first point is classified wrongly; at $\varepsilon=4\log2$ the output is $(\frac16,\frac13,\frac12)$.
WRONG_ON_REGION = _Run(
    (Fraction(3, 10), Fraction(3, 5), Fraction(1, 10)),
    (Fraction(1, 5), Fraction(1, 5), Fraction(3, 5)),
    [(-ONE, ONE, -ONE)],
    ExactLevel(exp_eps=Fraction(16)),
    (0,),
)


def _tally(
    rng: np.random.Generator,
    instances: int,
    slack: Callable[[_Parts], arb | None],
    *,
    first: _Run | None = None,
    identity: bool = False,
) -> Check:
    """Try a slack on runs; None means that the statement says nothing there. An identity gives minus its gap."""
    rng, instances = check_trials(rng, instances)
    tally = Tally("certified", keep="first")
    with ctx.workprec(BITS):
        turn = 0
        while tally.instances < instances:
            run = first if turn == 0 and first is not None else _random(rng, turn)
            turn += 1
            value = slack(_parts(run))
            if value is None:
                continue
            decided = bool(value > -(arb(2) ** -900)) if identity else bool(value > 0)
            margin = float(value.lower()) if identity else float(value.mid())
            tally.add(margin, decided=decided, **run.values())
    return tally.check()


def split_divergence(rng: np.random.Generator, instances: int, *, add: bool = False) -> Check:
    r"""Check (77)-(79), the divergence on B by what is left for its complement. Certified.

    $\operatorname{KL}(P,Q_T;B)=\operatorname{KL}(P,Q_0)-\Delta-\operatorname{KL}(P,Q_T;B^c)$, an equality.
    Certified. $\Delta$ is computed as $\mathbb E_P\log(Q_T/Q_0)$. The slack is minus the distance of the two sides;
    `add` adds the part on the complement.
    """

    def slack(s: _Parts) -> arb:
        rest = s.before + s.before_out - s.gain + (s.after_out if add else -s.after_out)
        return -abs(rest - s.after)

    return _tally(rng, instances, slack, identity=True)


def complement_exponent(rng: np.random.Generator, instances: int, *, exponential: bool) -> Check:
    r"""Check (80)-(81), the divergence of the output on the complement of B. Certified.

    The part of $\operatorname{KL}(P,Q_T)$ on $B^c$ is $\operatorname{KL}(P,Q_0;B^c)-\int_{B^c}E\,\mathrm dP$.
    Certified. With `exponential` as printed, $e^E$ in place of $E=\langle\theta,c\rangle-\varphi$; the first
    instance is then $P=(\frac34,\frac14)$, uniform $Q_0$, $c=\pm\log2$, T = 1, $\varepsilon=4\log2$ and B the first
    point. The slack is minus the distance of the two sides.
    """

    def slack(s: _Parts) -> arb:
        return -abs(s.after_out - s.before_out + (s.power_out if exponential else s.exponent_out))

    return _tally(rng, instances, slack, first=HALVED, identity=True)


def complement_bound(rng: np.random.Generator, instances: int, *, exponential: bool, claimed: Fraction = ONE) -> Check:
    r"""Check (82): $\int_{B^c}E\,\mathrm dP\le k\frac\varepsilon2P(B^c)$ with k = `claimed`. Certified.

    With `exponential` as printed, $e^E$ in place of E, which is at least $e^{-\varepsilon/2}$ and so fails for every
    run at $\varepsilon\le1.13$; the first instance is that of `complement_exponent` at $\varepsilon=\log2$.
    """
    claimed = check_fraction("claimed", claimed, above=0)

    def slack(s: _Parts) -> arb:
        bound = ball(claimed) * gain_upper(s.eps, s.rounds, form="printed") * s.out
        left: arb = bound - (s.power_out if exponential else s.exponent_out)
        return left

    return _tally(rng, instances, slack, first=SMALL)


def output_divergence(
    rng: np.random.Generator, instances: int, *, claimed: Fraction = ONE, sharp: bool = False
) -> Check:
    r"""Check Lemma 16 (76), (83)-(86). Certified.

    $\operatorname{KL}(P,Q_T;B)\le\operatorname{KL}(P,Q_0;B)-\Delta+k\frac\varepsilon2P(B^c)$, k = `claimed`.
    Certified. `sharp` has $\frac\varepsilon2(1-\theta_T)$ in place of $\frac\varepsilon2$.
    """
    claimed = check_fraction("claimed", claimed, above=0)

    def slack(s: _Parts) -> arb:
        form: Form = "corrected" if sharp else "printed"
        bound: arb = restricted_divergence(s.before, s.gain, s.mass, s.eps, s.rounds, form=form)
        extra = bound - (s.before - s.gain)
        return s.before - s.gain + ball(claimed) * extra - s.after

    return _tally(rng, instances, slack)


def output_mass(rng: np.random.Generator, instances: int, *, claimed: Fraction = ONE) -> Check:
    r"""Check (87)-(89), the mass of the output from Lemmas 15 and 16. Certified.

    $Q_T(B)\ge P(B)-\operatorname{KL}(P,Q_0;B)+\frac\varepsilon2J$, $J=P(B)-1+2\Delta/\varepsilon$. Certified.
    Nearly attained where P is close to $Q_T$ and $Q_T=e^{\varepsilon/2}Q_0$ outside B. `claimed` takes that share
    of the negative part $P(B)-1$ of J.
    """
    claimed = check_fraction("claimed", claimed, above=0)

    def slack(s: _Parts) -> arb:
        extra = ball(claimed) * (s.mass - 1) + 2 * s.gain / s.eps
        left: arb = s.captured - captured_mass(s.mass, s.before, form="printed") - s.eps / 2 * extra
        return left

    return _tally(rng, instances, slack)


def divergence_on_region(rng: np.random.Generator, instances: int, *, allowance: bool) -> Check:
    r"""Check whether $\operatorname{KL}(P,Q_T;B)\le\operatorname{KL}(P,Q_0;B)$ wherever $\Delta>0$: it is not.

    Certified. With `allowance` the bound of Lemma 16, $-\Delta+\frac\varepsilon2P(B^c)$, is added, and it holds. The
    first instance has $P=(\frac3{10},\frac35,\frac1{10})$, $Q_0=(\frac15,\frac15,\frac35)$, $c=(-,+,-)\log2$,
    $\varepsilon=4\log2$, B the first point. Remark after v1 Lemma 15.
    """

    def slack(s: _Parts) -> arb | None:
        if not s.gain > 0 or s.after - s.before == 0:
            return None
        if not allowance:
            return s.before - s.after
        bound: arb = restricted_divergence(s.before, s.gain, s.mass, s.eps, s.rounds, form="printed")
        return bound - s.after

    return _tally(rng, instances, slack, first=WRONG_ON_REGION)
