"""A deliberately broken mollifier turns verdicts red: the checks of the notebooks, recorded and judged as in a build.

Three ways to break one: half the width claimed, an unclipped classifier, an unnormalised density. Each is put in the
place of the sound object in the test of a claim that the ledger expects to hold.
"""

from __future__ import annotations

import json
import math
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from companion.ledger import LedgerError, judge_all, load_claims, read_evidence
from companion.page import Page
from mollified.boosted_density import BoostedDensity
from mollified.checks import Tally
from mollified.classifiers import BoundedLogit
from mollified.discrete import Discrete
from mollified.mbde import mbde
from mollified.relative_mollifier import RelativeMollifier
from mollified.spaces import FiniteSpace
from mollified.theta import theta
from mollified.verify import mbde as verify
from mollified.verify import network, relative, sampling
from mollified.weak_learner import BayesLearner

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
    tally = Tally("float", tolerance=1e-9)
    for seed in range(TRIES):
        reference, density = learned(1.0, method, seed)
        seen = RelativeMollifier(reference, width).contains(Scaled(density, factor), FiniteSpace(4))
        tally.add(-max(seen.violation, abs(seen.mass - 1)), decided=seen.contained, seed=seed, index=seen.index)
    return tally.check()


#: claim: (role, the sound test, its control, {what is broken: the same test on the broken object})
CASES = {
    "V3-T4": (
        "as-printed",
        lambda: verify.membership(rng(), TRIES),
        lambda: verify.membership(rng(), TRIES, width=Fraction(1, 4)),
        {
            "half the width claimed": lambda: verify.membership(rng(), TRIES, width=HALF),
            "an unclipped classifier": lambda: verify.membership(rng(), TRIES, limit=Fraction(3)),
        },
    ),
    "MBDE-E7": (
        "as-printed",
        lambda: verify.product_form(rng(), TRIES),
        lambda: verify.product_form(rng(1), TRIES, skip_normaliser=True),
        {"an unnormalised density": lambda: verify.product_form(rng(), TRIES, skip_normaliser=True)},
    ),
    "V3-E5": (
        "well-posed",
        lambda: relative.relative_definition(rng(), TRIES),
        lambda: relative.relative_definition(rng(1), TRIES, plant=True),
        {"an atom beyond the bounds": lambda: relative.relative_definition(rng(), TRIES, plant=True)},
    ),
    "V3-E6": (
        "as-printed",
        lambda: relative.members_are_mollifier(rng(), TRIES),
        lambda: relative.members_are_mollifier(rng(), TRIES, claimed=Fraction(1, 4)),
        {"half the ratio claimed": lambda: relative.members_are_mollifier(rng(), TRIES, claimed=HALF)},
    ),
    "MBDE-cdef": (
        "well-posed",
        lambda: network.bounded_classifiers(rng(), TRIES, method="tanh"),
        lambda: network.bounded_classifiers(rng(1), TRIES, method="none"),
        {"an unclipped classifier": lambda: network.bounded_classifiers(rng(), TRIES, method="none")},
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
    return replace(claim, entry={k: v for k, v in claim.entry.items() if k not in ("correction", "proof_gap")})


def recorded(page, claim, check, control, note):
    role = CASES[claim.id][0]
    page.record(claim.id, role=role, check=check, control=control, control_note=note)
    return read_evidence([page.directory / "evidence"])


@pytest.mark.parametrize("name", CASES)
def test_the_sound_mollifier_has_the_expected_verdict(page_of, name):
    claim = claim_of(name)
    evidence = recorded(page_of(claim.notebook), claim, CASES[name][1](), CASES[name][2](), "a broken variant")
    judgement = judge_all([claim], evidence, [claim.notebook])[name]
    assert judgement.verdict == claim.expected
    assert judgement.verdict in ("holds", "definition")


@pytest.mark.parametrize(("name", "broken"), BROKEN)
def test_a_broken_mollifier_turns_the_verdict_red(page_of, name, broken):
    """The control is as before: caught, hence on the wrong side now. So the evidence is unsound."""
    claim = claim_of(name)
    check = CASES[name][3][broken]()
    assert check.violations > 0
    evidence = recorded(page_of(claim.notebook), claim, check, CASES[name][2](), "a broken variant")
    with pytest.raises(LedgerError) as caught:
        judge_all([claim], evidence, [claim.notebook])
    assert f"{name}: expected '{claim.expected}', computed 'unsound'" in str(caught.value)


@pytest.mark.parametrize(("name", "broken"), BROKEN)
def test_with_a_sound_control_the_verdict_is_false_or_unresolved(page_of, name, broken):
    """Had the author of the page also turned the control around, the claim would be refuted, or undecided in floats."""
    claim = claim_of(name)
    check = CASES[name][3][broken]()
    evidence = recorded(page_of(claim.notebook), claim, check, CASES[name][1](), "the sound object")
    wanted = "unresolved" if check.arithmetic == "float" else "false"
    with pytest.raises(LedgerError, match=f"{name}: expected '{claim.expected}', computed '{wanted}'"):
        judge_all([claim], evidence, [claim.notebook])


@pytest.mark.parametrize(("name", "broken"), BROKEN)
def test_a_broken_object_beside_sound_evidence_is_not_outvoted(page_of, name, broken):
    claim, (role, sound, control, variants) = claim_of(name), CASES[name]
    page = page_of(claim.notebook)
    page.record(name, role=role, check=sound(), control=control(), control_note="a broken variant")
    evidence = recorded(page, claim, variants[broken](), sound(), "the sound object")
    assert len(evidence) == 2
    with pytest.raises(LedgerError, match=f"{name}: expected '{claim.expected}'"):
        judge_all([claim], evidence, [claim.notebook])


def test_a_control_that_breaks_nothing_is_noticed(page_of):
    """Both sound: a test that was not shown to be able to fail does not count."""
    claim = claim_of("V3-T4")
    evidence = recorded(page_of(claim.notebook), claim, CASES["V3-T4"][1](), CASES["V3-T4"][1](), "nothing broken")
    with pytest.raises(LedgerError, match=r"computed 'unsound' .control not caught"):
        judge_all([claim], evidence, [claim.notebook])


def test_evidence_on_disk_says_what_failed(page_of):
    claim = claim_of("V3-T4")
    page = page_of(claim.notebook)
    recorded(page, claim, CASES["V3-T4"][3]["half the width claimed"](), CASES["V3-T4"][1](), "the sound object")
    (path,) = (page.directory / "evidence").glob("*.json")
    document = json.loads(path.read_text())
    assert document["violations"] > 0
    assert set(document["counterexample"]) == {"Q0", "c", "eps", "x"}


def test_certificate_and_sampler_notice_too():
    """Not only the ledger: the density itself says that a classifier broke its promise, and refuses to sample."""
    reference = Discrete([1e-3, 0.999])
    for method, valid in (("clip", True), ("none", False)):
        classifier = BoundedLogit(lambda x: np.where(x[:, 0] == 0, 40.0, 0.0), method)
        density = BoostedDensity(reference, theta(1.0, 1), [classifier], FiniteSpace(2))
        assert density.certificate().valid is valid
        if not valid:
            with pytest.raises(ValueError, match="log_ratio must not exceed"):
                density.sample(20_000, rng())


def test_rejection_under_too_low_an_envelope_turns_red(page_of):
    claim = claim_of("V3-T4")
    check = sampling.rejection_law(rng(), TRIES, cap=True)
    evidence = recorded(page_of(claim.notebook), claim, check, sampling.rejection_law(rng(), TRIES), "full envelope")
    with pytest.raises(LedgerError, match="computed 'false'"):
        judge_all([claim], evidence, [claim.notebook])
