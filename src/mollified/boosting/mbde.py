r"""MBDE, mollified boosted density estimation: Algorithm 1 of the three versions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mollified._validate import check_count, check_eps, check_method, check_rng
from mollified.boosting.boosted_density import BoostedDensity
from mollified.boosting.classifiers import Classifier
from mollified.boosting.theta import theta
from mollified.boosting.weak_learner import WeakLearner
from mollified.laws._validate_densities import check_distribution, check_space

if TYPE_CHECKING:
    from mollified.laws.distributions import Distribution
    from mollified.laws.spaces import IntegrationSpace

__all__ = ["mbde"]


def mbde(
    target: Distribution,
    reference: Distribution,
    eps: float,
    rounds: int,
    learner: WeakLearner,
    space: IntegrationSpace,
    rng: np.random.Generator,
) -> list[BoostedDensity]:
    r"""Run MBDE and return the densities $Q_1,\dots,Q_T$; the last one is the output.

    For $t=1,\dots,T$: $\theta_t\leftarrow(\varepsilon/(\varepsilon+4\log2))^t$;
    $c_t\leftarrow\mathrm{WL}(P,Q_{t-1})$; $Q_t\propto Q_{t-1}\exp(\theta_tc_t)$. All
    versions print $\mathrm{WL}(P,Q_t)$, which is not yet defined at that line;
    $Q_{t-1}$ is what the text and every proof use. `target` is $P$, `reference` is
    $Q_0$ and must not depend on the data; `space` computes the normalisers; `learner`
    returns classifiers with values in $[-\log2,\log2]$. Raises ValueError or TypeError
    for eps <= 0, rounds < 1, arguments without the needed methods, or dimensions that
    differ. Source: Algorithm 1 of v1, v2 and v3.
    """
    check_distribution("target", target)
    check_distribution("reference", reference)
    eps = check_eps("eps", eps)
    rounds = check_count("rounds", rounds)
    check_method("learner", learner, "fit")
    check_space("space", space)
    if not target.dim == reference.dim == space.dim:
        raise ValueError("target, reference and space must have one dimension")
    rng = check_rng("rng", rng)
    steps = theta(eps, rounds)
    classifiers: list[Classifier] = []
    densities: list[BoostedDensity] = []
    current: Distribution = reference
    for iteration in range(1, rounds + 1):
        classifiers.append(learner.fit(target, current, iteration, rng))
        density = BoostedDensity(reference, steps[:iteration], classifiers, space)
        densities.append(density)
        current = density
    return densities
