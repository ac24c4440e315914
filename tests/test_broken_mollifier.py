"""A deliberately broken mollifier turns its verdict red: recorded and judged as in a build.

Three ways to break one: half the width claimed, an unclipped classifier, an unnormalised density. Statements in the
letters of the papers are broken by the kernel itself, on each page; how verdicts follow from evidence is tested in
tests/companion/test_verdicts.py.
"""

import math
from pathlib import Path

import numpy as np
import pytest

from companion.ledger.claims import examine, load_claims, read_evidence
from companion.ledger.verdicts import Counts, Evidence
from companion.page import Page
from mollified.boosting import BayesLearner, mbde
from mollified.laws import Discrete, FiniteSpace
from mollified.mollifiers import RelativeMollifier

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
TRIES = 40
NAME = "MBDE-S4-expl"
BROKEN = {
    "half the width": {"width": 0.5},
    "an unclipped classifier": {"method": "none"},
    "no mass one": {"factor": 1.001},
}


class Scaled:
    """A density times a constant: its ratios to the reference may still be within the bounds."""

    dim = 1

    def __init__(self, density, factor):
        self.density, self.factor = density, factor

    def log_prob(self, x):
        return self.density.log_prob(x) + math.log(self.factor)

    def sample(self, n, rng):
        return self.density.sample(n, rng)


def membership(*, width=1.0, method="clip", factor=1.0):
    """Q_T in M_{eps,Q0} for three rounds on four points, for random P and Q0; each argument breaks one thing."""
    found = []
    for seed in range(TRIES):
        rng = np.random.default_rng(seed)
        q0, p = rng.dirichlet(np.ones(4)), rng.dirichlet(np.full(4, 0.05)) + 1e-12
        reference, target = Discrete(q0), Discrete(p / p.sum())
        density = mbde(target, reference, 1.0, 3, BayesLearner(method), FiniteSpace(4), rng)[-1]
        found.append(RelativeMollifier(reference, width).contains(Scaled(density, factor), FiniteSpace(4)))
    slack = min(-max(seen.violation, abs(seen.mass - 1)) for seen in found)
    return Counts(TRIES, sum(not seen.contained for seen in found), slack, "float", {"factor": f"{factor}"})


@pytest.fixture
def judged(tmp_path, monkeypatch):
    """Return a function that records a check on the page of the claim, as a build does, and judges the claim."""
    (claim,) = (claim for claim in load_claims(ROOT) if claim["id"] == NAME)
    claim = {k: v for k, v in claim.items() if k not in ("correction", "proof_gap")}
    monkeypatch.setenv("COMPANION_ROOT", str(ROOT))
    monkeypatch.setenv("COMPANION_RUN", str(tmp_path))

    def judge(check):
        page = Page(claim["notebook"])
        page.keep(Evidence(NAME, page.name, "as-printed", check, membership(width=0.1), "a broken variant"))
        judgements, faults = examine([claim], read_evidence([page.directory / "evidence"]), [page.name])
        return judgements[NAME].verdict, claim["expected"], faults

    return judge


def test_the_sound_mollifier_has_the_expected_verdict(judged):
    verdict, expected, faults = judged(membership())
    assert (verdict, faults) == (expected, [])
    assert verdict in ("holds", "definition")


@pytest.mark.parametrize("broken", BROKEN)
def test_a_broken_mollifier_turns_the_verdict_red(judged, broken):
    """The control is as before: caught, hence on the wrong side now. So the evidence is unsound."""
    check = membership(**BROKEN[broken])
    assert check.violations > 0
    verdict, expected, (fault,) = judged(check)
    assert verdict == "unsound"
    assert fault.startswith(f"{NAME}: expected '{expected}', computed 'unsound'")
