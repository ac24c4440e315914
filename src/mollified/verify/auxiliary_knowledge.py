r"""Checks of what an adversary learns from the output, whatever else is known: odds, posteriors and tests."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np

from mollified._validate import Array, check_count, check_fraction, check_trials
from mollified.adversary import search_worst
from mollified.checks import Check, Tally
from mollified.finite_mechanisms import data_sets, excess, pure_ratio, random_table
from mollified.instances import random_law, random_sparse_law

__all__ = ["guessing", "odds_change", "power_climb", "power_exact", "power_sweep", "rest_known"]

ONE = Fraction(1)
#: What rounding may take from a margin: sums of at most 8 terms below 30.
ROUNDING = 1e-12


def odds_change(rng: np.random.Generator, instances: int, *, delta: bool = True, claimed: Fraction = ONE) -> Check:
    r"""Check that the odds of D against a neighbour change by a factor of at most $e^\varepsilon$, whatever the prior.

    Random pairs and priors, every output that is possible; the posterior by Bayes' rule. With `delta` the mechanism is
    $(\varepsilon,\delta)$-DP with its least delta at a random level, as printed: the first instance publishes a record
    with probability 1/100, and the odds become infinite. Without, $e^\varepsilon$ is its pure level, and the odds are
    compared in both directions; `claimed` is a share of it. Source: lecture, "intrinsically robust".
    """
    rng, instances = check_trials(rng, instances)
    share, tally = check_fraction("claimed", claimed, above=0), Tally("exact", keep="first")
    for index in range(instances):
        table = random_table(rng, [(0,), (1,)], int(rng.integers(2, 5)), zeros=0.3 if delta else 0.0)
        level = 1 + Fraction(int(rng.integers(1, 200)), 100)
        prior, _ = random_law(rng, 2)
        if delta and index == 0:
            table = {(0,): (ONE, Fraction(0)), (1,): (Fraction(99, 100), Fraction(1, 100))}
            level, prior = Fraction(2), Fraction(1, 2)
        one, two = table[1,], table[0,]
        if not delta:
            found = pure_ratio(table)
            assert found is not None
            level = share * found
        small = max(excess(one, two, level), excess(two, one, level)) if level >= 1 else Fraction(0)
        for output, (p, q) in enumerate(zip(one, two, strict=True)):
            if p + q == 0:
                continue
            after = prior * p / (prior * p + (1 - prior) * q)
            # odds after <= e^eps odds before and back, without dividing by zero
            up = level * prior * (1 - after) - after * (1 - prior)
            down = level * (1 - prior) * after - (1 - after) * prior
            slack = min(up, down)
            values = {"P": one, "P2": two, "prior": prior, "output": output, "posterior": after}
            tally.add(float(slack), decided=slack >= 0, **values, exp_eps=level, delta=small)
    return tally.check()


def rest_known(rng: np.random.Generator, instances: int, *, values: bool = False, claimed: Fraction = ONE) -> Check:
    r"""Check what an adversary who knows all records but one learns of that one, under pure DP.

    Random mechanisms on data sets of at most three records over two values, at their exact level; every data set of at
    most two as the rest, every prior weight on "absent", "first value" and "second value", all outputs. The odds of a
    value against "absent" change by at most $e^\varepsilon$, those of one value against the other by at most
    $e^{2\varepsilon}$; `values` claims $e^\varepsilon$ for the latter too. `claimed` is a share of $e^\varepsilon$.
    """
    rng, instances = check_trials(rng, instances)
    share, data = check_fraction("claimed", claimed, above=0), data_sets(3, 2)
    tally = Tally("exact", keep="first")
    for _ in range(instances):
        table = random_table(rng, data, int(rng.integers(2, 4)))
        found = pure_ratio(table)
        assert found is not None
        level = share * found
        prior = random_law(rng, 3, spread=4)
        for rest in data_sets(2, 2):
            laws = [table[rest], table[rest[0] + 1, rest[1]], table[rest[0], rest[1] + 1]]
            for output in range(len(laws[0])):
                joint = [w * law[output] for w, law in zip(prior, laws, strict=True)]
                for i, j in ((0, 1), (0, 2), (1, 0), (2, 0), (1, 2), (2, 1)):
                    factor = (joint[i] / joint[j]) / (prior[i] / prior[j])
                    bound = level if 0 in (i, j) or values else level**2
                    slack = 1 - factor / bound
                    tally.add(float(slack), decided=slack >= 0, rest=rest, output=output, pair=(i, j), exp_eps=level)
    return tally.check()


def power_exact(rng: np.random.Generator, instances: int, *, claimed: Fraction = ONE) -> Check:
    r"""Check $\beta\le e^\varepsilon\alpha+\delta$ for tests of D' against D with any auxiliary knowledge, exactly.

    A test rejects "D'" with probability T(o, a), a the auxiliary knowledge, independent of the coins of the mechanism;
    $\alpha=\Pr[\text{reject}\mid D']$, $\beta=\Pr[\text{reject}\mid D]$. Random pairs with zeros at their least delta,
    all deterministic T for each of two values of a and one random T; `claimed` is a share of delta.
    """
    rng, instances = check_trials(rng, instances)
    share, tally = check_fraction("claimed", claimed, above=0), Tally("exact")
    for _ in range(instances):
        size, level = int(rng.integers(2, 4)), 1 + Fraction(int(rng.integers(1, 200)), 100)
        one, two = random_table(rng, [(0,), (1,)], size, zeros=0.4).values()
        delta = share * excess(one, two, level)
        known = random_law(rng, 2)
        tests = [tuple(Fraction(bit) for bit in bits) for bits in product((0, 1), repeat=2 * size)]
        tests.append(tuple(Fraction(int(rng.integers(0, 9)), 8) for _ in range(2 * size)))
        for test in tests:
            alpha, beta = (
                sum(
                    (known[a] * law[o] * test[a * size + o] for a, o in product(range(2), range(size))),
                    Fraction(0),
                )
                for law in (two, one)
            )
            slack = level * alpha + delta - beta
            tally.add(float(slack), decided=slack >= 0, P=one, P2=two, test=test, exp_eps=level, delta=delta)
    return tally.check()


def _margin(one: Array, two: Array, eps: Array, test: Array, share: float) -> Array:
    r"""Return $e^\varepsilon\alpha+\delta-\beta$ for rows of laws (N, s), levels (N,) and tests (N, s)."""
    factor = np.exp(eps)
    delta = share * np.clip(one - factor[:, None] * two, 0.0, None).sum(axis=1)
    return np.asarray(factor * (two * test).sum(axis=1) + delta - (one * test).sum(axis=1))


def _outcome(margins: Array, **values: Array) -> Check:
    worst, failed = int(margins.argmin()), int((margins < -ROUNDING).sum())
    written = {name: str(np.asarray(value[worst]).tolist()) for name, value in values.items()}
    return Check(
        instances=len(margins),
        violations=failed,
        worst_slack=float(margins[worst]),
        arithmetic="float",
        tolerance=ROUNDING,
        counterexample=written if failed else None,
    )


def power_sweep(rng: np.random.Generator, instances: int, *, claimed: Fraction = ONE) -> Check:
    r"""Check $\beta\le e^\varepsilon\alpha+\delta$ on random laws on six points and random tests, in floats.

    Atoms down to $e^{-12}$, one in ten of P' zero, eps up to 3; a third of the tests are the best one. Tolerance 1e-12.
    """
    rng, instances = check_trials(rng, instances)
    share = float(check_fraction("claimed", claimed, above=0))
    spread = rng.choice([0.5, 3.0, 12.0], size=(instances, 1))
    one, two = (np.exp(-spread * rng.random((instances, 6))) for _ in range(2))
    two = np.where(rng.random((instances, 6)) < 0.1, 0.0, two)
    two[:, 0] = np.maximum(two[:, 0], 1e-6)
    one, two = (law / law.sum(axis=1, keepdims=True) for law in (one, two))
    eps, test = 3 * rng.random(instances), rng.random((instances, 6))
    best = np.arange(instances) % 3 == 0
    test[best] = (one > np.exp(eps)[:, None] * two)[best]
    return _outcome(_margin(one, two, eps, test, share), P=one, P2=two, eps=eps, test=test)


def power_climb(rng: np.random.Generator, instances: int, *, claimed: Fraction = ONE, starts: int = 4000) -> Check:
    r"""Search for the pair of laws and the test that come closest to $\beta=e^\varepsilon\alpha+\delta$, in floats.

    Three points; `instances` is the number of starts refined by Nelder-Mead. Tolerance 1e-12.
    """
    rng, instances = check_trials(rng, instances)
    starts = check_count("starts", starts)
    share = float(check_fraction("claimed", claimed, above=0))

    def decode(z: Array) -> tuple[Array, Array, Array, Array]:
        one, two = (np.exp(np.clip(part, -20, 20)) for part in (z[:, :3], z[:, 3:6]))
        eps, test = 3 / (1 + np.exp(-z[:, 6])), 1 / (1 + np.exp(-np.clip(5 * z[:, 7:10], -40, 40)))
        return one / one.sum(axis=1, keepdims=True), two / two.sum(axis=1, keepdims=True), eps, test

    found = search_worst(
        lambda z: _margin(*decode(z), share), 10, rng, starts=max(starts, instances), refine=instances, spread=2.0
    )
    one, two, eps, test = decode(found.point[np.newaxis, :])
    single = _outcome(np.array([found.margin]), P=one, P2=two, eps=eps, test=test)
    return Check(
        instances=len(found.refined),
        violations=int((found.refined < -ROUNDING).sum()),
        worst_slack=found.margin,
        arithmetic="float",
        tolerance=ROUNDING,
        counterexample=single.counterexample,
    )


def guessing(rng: np.random.Generator, instances: int, *, claimed: Fraction = ONE) -> Check:
    r"""Check the bound $\frac{e^\varepsilon+\delta}{1+e^\varepsilon}$ on guesses between two neighbours at even odds.

    The best guess is right with probability $\frac12\sum_o\max(P,P')$. Random pairs with zeros at their least delta of
    the two orders; every other instance attains the bound. `claimed` is a share of it. The book's exercise.
    """
    rng, instances = check_trials(rng, instances)
    share, tally = check_fraction("claimed", claimed, above=0), Tally("exact")
    for index in range(instances):
        level = 1 + Fraction(int(rng.integers(1, 300)), 100)
        one, two = random_sparse_law(rng, 3), random_sparse_law(rng, 3)
        if index % 2 == 0:  # a part delta in the clear, else randomised response
            clear = Fraction(int(rng.integers(0, 50)), 100)
            truth = (1 - clear) * level / (1 + level)
            one = (clear, truth, 1 - clear - truth, Fraction(0))
            two = (Fraction(0), 1 - clear - truth, truth, clear)
        delta = max(excess(one, two, level), excess(two, one, level))
        right = sum((max(p, q) for p, q in zip(one, two, strict=True)), Fraction(0)) / 2
        slack = share * (level + delta) / (1 + level) - right
        tally.add(float(slack), decided=slack >= 0, P=one, P2=two, exp_eps=level, delta=delta, right=right)
    return tally.check()
