"""A deliberately broken mollifier turns verdicts red: the checks of the notebooks, recorded and judged as in a build.

Three ways to break one: half the width claimed, an unclipped classifier, an unnormalised density. Each is put in the
place of the sound object in the test of a claim that the ledger expects to hold. How verdicts follow from evidence is
tested in tests/companion/test_verdicts.py.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from companion.ledger.claims import Claim, examine, load_claims, read_evidence
from companion.ledger.stated import counted
from companion.ledger.verdicts import Counts, Evidence
from companion.page import Page
from mollified.boosting import BayesLearner, mbde
from mollified.boosting.instances import steps, tilt, θ
from mollified.laws import Discrete, FiniteSpace
from mollified.mollifiers import RelativeMollifier
from statements import E, Space, check, exp, law, log, real, vector, whole

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
TRIES = 40
HALF = Fraction(1, 2)


def rng(seed=5):
    return np.random.default_rng(seed)


class Scaled:
    """A density times a constant: its ratios to the reference may still be within the bounds."""

    dim = 1

    def __init__(self, density, factor):
        self.density, self.factor = density, factor

    def log_prob(self, x):
        return self.density.log_prob(x) + math.log(self.factor)

    def sample(self, n, rng):
        return self.density.sample(n, rng)


def learned(eps, method, seed):
    """Return reference and output of three rounds on four points, for random P and Q0."""
    generator = rng(seed)
    q0, p = generator.dirichlet(np.ones(4)), generator.dirichlet(np.full(4, 0.05)) + 1e-12
    reference, target = Discrete(q0), Discrete(p / p.sum())
    return reference, mbde(target, reference, eps, 3, BayesLearner(method), FiniteSpace(4), generator)[-1]


def float_membership(*, width=1.0, method="clip", factor=1.0):
    """Q_T in M_{eps,Q0} by `RelativeMollifier.contains`, on learned densities; each argument breaks one thing."""
    found = []
    for seed in range(TRIES):
        reference, density = learned(1.0, method, seed)
        found.append(RelativeMollifier(reference, width).contains(Scaled(density, factor), FiniteSpace(4)))
    slack = min(-max(seen.violation, abs(seen.mass - 1)) for seen in found)
    return Counts(TRIES, sum(not seen.contained for seen in found), slack, "float", {"factor": f"{factor}"})


class Outputs(Space):
    """Runs of T rounds, by the mean of their classifiers; s and s1 are two such means."""

    Q0, ε, T = law(spread=20), real(0.001, 20, log=True), whole(1, 50)
    s, s1 = vector(-1, 1, corner=(-1, 1)), vector(-1, 1, corner=(-1, 1))


class Unclipped(Outputs):
    """Runs whose classifiers reach three times as far as they may."""

    s = vector(-3, 3, corner=(-3, 3))


def within(Q0, s, ε, T, half):
    """That the output of a run is within a factor e^half of the reference."""
    return exp(-half) <= tilt(Q0, steps(ε, T) * log(2) * s) / Q0 <= exp(half)


def total(ε, s, s1):
    """The exponent of two rounds."""
    return θ(ε) * s + θ(ε) ** 2 * s1


def stated(statement, on):
    """A statement about the outputs of runs, checked as on a page."""
    (found,) = check(on, rng=rng(), printed=statement, looked=2_000, decided=TRIES)
    return counted(found, 5)


#: claim: (role, the sound test, its control, {what is broken: the same test on the broken object})
CASES = {
    "V3-T4": (
        "as-printed",
        lambda: stated(lambda Q0, s, ε, T: within(Q0, s, ε, T, ε / 2), Outputs),
        lambda: stated(lambda Q0, s, ε, T: within(Q0, s, ε, T, ε / 8), Outputs),
        {
            "half the width claimed": lambda: stated(lambda Q0, s, ε, T: within(Q0, s, ε, T, ε / 4), Outputs),
            "an unclipped classifier": lambda: stated(lambda Q0, s, ε, T: within(Q0, s, ε, T, ε / 2), Unclipped),
        },
    ),
    "MBDE-E7": (
        "as-printed",
        lambda: stated(
            lambda Q0, ε, s, s1: (
                tilt(tilt(Q0, θ(ε) * s), θ(ε) ** 2 * s1) * E(Q0, exp(total(ε, s, s1))) == Q0 * exp(total(ε, s, s1))
            ),
            Outputs,
        ),
        lambda: stated(lambda Q0, s: sum(Q0 * exp(s)) == 1, Outputs),
        {
            "an unnormalised density": lambda: stated(
                lambda Q0, ε, s, s1: tilt(tilt(Q0, θ(ε) * s), θ(ε) ** 2 * s1) == Q0 * exp(total(ε, s, s1)), Outputs
            )
        },
    ),
    "MBDE-S4-expl": (
        "as-printed",
        float_membership,
        lambda: float_membership(width=0.1),
        {
            "half the width claimed": lambda: float_membership(width=HALF),
            "an unclipped classifier": lambda: float_membership(method="none"),
            "an unnormalised density": lambda: float_membership(factor=1.001),
        },
    ),
}
BROKEN = [(claim, name) for claim, (_, _, _, broken) in CASES.items() for name in broken]


@pytest.fixture
def page_of(tmp_path, monkeypatch):
    """Return a function that makes the page of a notebook, recording below `tmp_path` as a build does."""

    def make(notebook):
        monkeypatch.setenv("COMPANION_ROOT", str(ROOT))
        monkeypatch.setenv("COMPANION_RUN", str(tmp_path / notebook))
        return Page(notebook)

    return make


@cache
def ledger():
    """Return the real ledger by id."""
    return {claim.id: claim for claim in load_claims(ROOT)}


def claim_of(name):
    """Return the claim of the real ledger, with what other evidence would have to show taken away."""
    claim = ledger()[name]
    return Claim({k: v for k, v in claim.entry.items() if k not in ("correction", "proof_gap")})


def recorded(page, claim, check, control, note):
    role = CASES[claim.id][0]
    page.keep(Evidence.of(claim.id, page.name, role, check, control, note))
    return read_evidence([page.directory / "evidence"])


@pytest.mark.parametrize("name", CASES)
def test_the_sound_mollifier_has_the_expected_verdict(page_of, name):
    claim = claim_of(name)
    evidence = recorded(page_of(claim.notebook), claim, CASES[name][1](), CASES[name][2](), "a broken variant")
    judgement = examine([claim], evidence, [claim.notebook])[0][name]
    assert judgement.verdict == claim.expected
    assert judgement.verdict in ("holds", "definition")


@pytest.mark.parametrize(("name", "broken"), BROKEN)
def test_a_broken_mollifier_turns_the_verdict_red(page_of, name, broken):
    """The control is as before: caught, hence on the wrong side now. So the evidence is unsound."""
    claim = claim_of(name)
    check = CASES[name][3][broken]()
    assert check.violations > 0
    evidence = recorded(page_of(claim.notebook), claim, check, CASES[name][2](), "a broken variant")
    (fault,) = examine([claim], evidence, [claim.notebook])[1]
    assert fault.startswith(f"{name}: expected '{claim.expected}', computed 'unsound'")
