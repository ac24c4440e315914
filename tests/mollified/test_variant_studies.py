"""The readings of MBDE side by side: hard pairs, the closed form of a perfect learner, and what the studies report."""

import math
from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import norm

from mollified.experiments import variant_runs as study
from mollified.laws import Gaussian, mixture_1d
from mollified.training import VARIANTS


def test_perfect_gain_of_shifted_gaussians_against_the_closed_form(monkeypatch):
    """P = N(m, 1): the path is N(lambda m, 1), so that the gain is m^2 (1 - (1 - lambda)^2) / 2."""
    shift = 1.5
    monkeypatch.setattr(study, "domain", lambda name: hard_shift(shift))
    share = 1 - math.prod(1 - step for step in VARIANTS["released"].steps(2.0, 3))
    expected = shift**2 * (1 - (1 - share) ** 2) / 2
    assert study.perfect_gain("mixture-sd", 2.0) == pytest.approx(expected, rel=1e-6)


def hard_shift(shift):
    from mollified.laws.mixture import Mixture

    return Mixture([Gaussian(np.array([shift]), 1.0)], np.ones(1))


def test_perfect_gain_on_the_mixture_against_adaptive_quadrature():
    share = 1 - math.prod(1 - step for step in VARIANTS["released"].steps(1.0, 3))
    target = mixture_1d()

    def log_p(x):
        return float(target.log_prob(np.array([[x]]))[0])

    edges = [-8.0, 0.2, 0.28, 0.3, 0.32, 0.4, 1.2, 8.0]
    pieces = list(pairwise(edges))
    mass = sum(quad(lambda x: math.exp(share * log_p(x) + (1 - share) * norm.logpdf(x)), a, b)[0] for a, b in pieces)
    mean = sum(quad(lambda x: math.exp(log_p(x)) * (log_p(x) - norm.logpdf(x)), a, b)[0] for a, b in pieces)
    assert study.perfect_gain("mixture-sd", 1.0) == pytest.approx(share * mean - math.log(mass), rel=1e-6)
