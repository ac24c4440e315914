"""Every check of a statement: it comes out as its docstring says, and its control the other way."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

import mollified.verify
import tests.mollified.verify_tables
from mollified.exact_level import ExactLevel
from mollified.verify.projection import best_linear
from mollified.verify.sampling import chain_level
from mollified.verify.spending import attained_level

F = Fraction
#: Instances of each check on random instances.
TRIES = 40
LESS = {"claimed": F(9, 10)}
CURVES = pd.DataFrame({"eps": [1.0] * 4, "member": [0, 0, 1, 1], "x": [0.0, 1.0] * 2, "density": [0.7, 1.3, 1.5, 0.6]})

#: check: (arguments under which the statement holds, arguments under which it fails, arithmetic)
TABLE = {
    "hulls.singleton": ({}, {"members": 2}, "exact"),
    "hulls.hull_is_mollifier": ({}, {"negative": True}, "exact"),
    "hulls.law_by_enumeration": ({}, {"uniform_start": True}, "exact"),
    "hulls.range_is_hull": ({}, {"outside": True}, "exact"),
    "hulls.smooth_law_missed": ({"bounded_away": True}, {"bounded_away": False}, "exact"),
    "hulls.hull_of_hull": ({}, {"swap": True}, "exact"),
    "hulls.integral_hull": ({}, {"claimed": F(1, 2)}, "certified"),
    "hulls.noise_needs_bounds": ({}, {"bounded": True}, "exact"),
    "local_privacy.sizes_compared": ({"integral": True}, {"integral": False}, "exact"),
    "local_privacy.local_is_size_one": ({}, {"add_remove": True}, "exact"),
    "local_privacy.point_probabilities": ({"continuous": False}, {"continuous": True}, "exact"),
    "local_privacy.empirical_inputs": ({}, {"claimed": F(1, 2)}, "exact"),
    "local_privacy.laplace_leaves_interval": ({"clamp": True}, {"clamp": False}, "certified"),
    "local_privacy.clamped_laplace": ({}, {"scale": F(1, 2)}, "exact"),
    "local_privacy.event_mass": ({}, {"skip_last": True}, "exact"),
    "local_privacy.radon_nikodym": ({}, {"two_measures": True}, "exact"),
    "local_privacy.different_targets": ({}, {"claimed": F(1, 4)}, "exact"),
    "private_sampling.event_bound": ({}, LESS, "exact"),
    "private_sampling.mixed_output": ({}, LESS, "exact"),
    "private_sampling.sampler_definition": ({}, {"plant": True}, "exact"),
    "private_sampling.group_chain": ({}, {"missing": 1}, "exact"),
    "private_sampling.integral_implies_differential": ({}, {"converse": True}, "exact"),
    "private_sampling.local_against_integral": ({"whole_data_set": True}, {"whole_data_set": False}, "exact"),
    "private_sampling.naive_sampler_level": ({}, LESS, "exact"),
    "private_sampling.deterministic_release": ({"constant": False}, {"constant": True}, "exact"),
    "ranges.necessary_refuted": ({"sound": True}, {"sound": False}, "exact"),
    "ranges.closed_range": ({}, LESS, "exact"),
    "ranges.sufficient": ({}, {"widen": F(3, 2)}, "exact"),
    "ranges.singleton_limit": ({}, LESS, "exact"),
    "scale_shift.uniform_limit": ({}, LESS, "exact"),
    "scale_shift.empty_on_line": ({"measure": F(1), "root": F(2)}, {"measure": F(10**6), "root": F(2)}, "exact"),
    "scale_shift.scale_shift_keeps_modes": ({}, {"stretch": F(11, 10)}, "exact"),
    "scale_shift.shift_needs_finite_measure": ({"finite": True}, {"finite": False}, "exact"),
    "scale_shift.scale_shift_needs_measure_one": ({"measure": F(1)}, {"measure": F(4)}, "exact"),
    "scale_shift.absolute_definition": ({}, {"plant": True}, "exact"),
    "ranges.takes_value_one": ({}, {"steps": True}, "exact"),
    "scale_shift.standard_mechanism": ({"uniform_base": True}, {"uniform_base": False}, "exact"),
    "ranges.common_support": ({}, {"plant": True}, "exact"),
    "ranges.curves_are_mollifier": ({"table": CURVES}, {"table": CURVES, "claimed": 0.5}, "float"),
    "relative.members_are_mollifier": ({}, {"claimed": F(1, 2)}, "exact"),
    "relative.convex": ({}, {"overshoot": F(1)}, "exact"),
    "relative.span_is_reached": ({}, {"promise": True}, "exact"),
    "projection.optimal": ({}, {"shift": F(1, 100)}, "exact"),
    "projection.unique_on_support": ({}, {"off_support": True}, "certified"),
    "projection.objective_convex": ({}, {"reverse": True}, "certified"),
    "projection.member_keeps_mode": ({"uniform": True}, {"uniform": False}, "exact"),
    "closed_form.constant_exists": ({"condition": True}, {"condition": False}, "exact"),
    "closed_form.plug_in_stays_inside": ({"condition": True}, {"condition": False}, "exact"),
    "projection.mode_can_move": ({"uniform": True}, {"uniform": False}, "exact"),
    "relative.relative_definition": ({}, {"plant": True}, "exact"),
    "relative.reference_belongs": ({}, {"other": True}, "exact"),
    "projection.minimum_attained": ({"closed": True}, {"closed": False}, "exact"),
    "closed_form.completion_is_optimal": ({}, {"shift": F(1, 100)}, "exact"),
    "closed_form.completion_stays_inside": ({}, {"renormalise": True}, "exact"),
    "closed_form.plug_in_converges": ({}, {"wrong_target": True}, "exact"),
    "projection.divergence_defined": ({}, {"heavy": True}, "certified"),
    "steps.geometric_identity": ({"rounds": 20}, {"rounds": 20, "exponent_shift": 1}, "exact"),
    "steps.geometric_ratio": ({"rounds": 20}, {"rounds": 20, "additive": True}, "exact"),
    "steps.limit_identity": ({}, {"constant": 2}, "exact"),
    "steps.sum_below_limit": ({}, {"divisor": 5}, "certified"),
    "steps.steps_vanish": ({}, {"faster": 1}, "certified"),
    "mbde.membership": ({}, {"limit": F(4)}, "certified"),
    "mbde.range_lemma": ({}, {"quarter": True}, "certified"),
    "mbde.product_form": ({}, {"skip_normaliser": True}, "certified"),
    "mbde.absolute_range": ({"densities": (F(1), F(1))}, {"densities": (F(1, 2), F(3, 2))}, "certified"),
    "spending.spent": ({}, {"claimed": F(98, 100)}, "certified"),
    "mbde.circular_step": ({"use_previous": True}, {"use_previous": False}, "exact"),
    "network.sigmoid_edge": ({"centred": True}, {}, "exact"),
    "network.sigmoid_values": ({"centred": True}, {"centred": False}, "certified"),
    "network.sigmoid_level": ({}, {"divisor": 4}, "certified"),
    "steps.missing_index": ({"indexed": True}, {"indexed": False}, "exact"),
    "network.bounded_classifiers": ({"method": "clip"}, {"method": "none"}, "float"),
    "spending.data_dependent_start": ({"allow_start": True}, {"allow_start": False}, "certified"),
    "steps.unused_share": ({"eps": F(1, 4), "share": F(1, 1000)}, {"eps": F(5), "share": F(1, 1000)}, "certified"),
    "network.no_ring": (
        {"eps": F(1), "radii": (F(2), F(4)), "shows": False},
        {"eps": F(1), "radii": (F(2), F(4)), "shows": True},
        "certified",
    ),
    "sampling.rejection_law": ({}, {"cap": True}, "exact"),
    "sampling.proposal_count": ({}, {"normalised": False}, "exact"),
    "sampling.chain_on_integers": ({"exact": True}, {"exact": False}, "exact"),
    "sampling.metropolis_step": ({"exact": True}, {"exact": False}, "exact"),
    "sampling.unbounded_domain": ({}, {"laplace": True}, "exact"),
}

#: Functions of the package that are no checks, with their own tests below.
HELPERS = {"projection.best_linear", "spending.attained_level", "sampling.chain_level"}

#: Further arguments that make a statement fail, or hold.
MORE_FAIL = {
    "mbde.membership": [{"width": F(1, 10)}],
    "ranges.necessary_refuted": [{"sound": False, "singleton": True}],
    "projection.optimal": [{"shift": F(1, 1000)}],
}
MORE_HOLD = {
    "mbde.range_lemma": [{"forget_normaliser": True}],
    "network.bounded_classifiers": [{"method": "tanh"}],
    "ranges.necessary_refuted": [{"sound": True, "singleton": True}],
    "closed_form.plug_in_stays_inside": [{"condition": False, "renormalise": False}],
}
FRACTION = re.compile(r"-?\d+(/\d+)?")

# Further tables, one module a topic, in the same form: TABLE and perhaps MORE_FAIL, MORE_HOLD, HELPERS.
for _module in pkgutil.iter_modules(tests.mollified.verify_tables.__path__):
    _topic = importlib.import_module(f"tests.mollified.verify_tables.{_module.name}")
    assert not set(TABLE) & set(_topic.TABLE), f"{_module.name} repeats a check"
    TABLE |= _topic.TABLE
    MORE_FAIL |= getattr(_topic, "MORE_FAIL", {})
    MORE_HOLD |= getattr(_topic, "MORE_HOLD", {})
    HELPERS |= getattr(_topic, "HELPERS", set())


def run(name, arguments, seed=5, tries=TRIES):
    module, function = name.split(".")
    check = getattr(importlib.import_module(f"mollified.verify.{module}"), function)
    if "rng" in inspect.signature(check).parameters:
        return check(np.random.default_rng(seed), tries, **arguments)
    return check(**arguments)


HOLDS = [(name, good) for name, (good, _, _) in TABLE.items()] + [(k, a) for k, many in MORE_HOLD.items() for a in many]
FAILS = [(name, bad) for name, (_, bad, _) in TABLE.items()] + [(k, a) for k, many in MORE_FAIL.items() for a in many]


@pytest.mark.parametrize(("name", "arguments"), HOLDS, ids=lambda v: v if isinstance(v, str) else "")
def test_the_true_statement_passes(name, arguments):
    check = run(name, arguments)
    assert check.passed, check
    assert check.counterexample is None
    assert check.arithmetic == TABLE[name][2]
    # an identity in balls reports the width of its balls (1024 bits) as the distance
    assert check.worst_slack >= -(2.0**-900 if check.arithmetic == "certified" else check.tolerance)


@pytest.mark.parametrize(("name", "arguments"), FAILS, ids=lambda v: v if isinstance(v, str) else "")
def test_the_wrong_statement_is_refuted_with_a_counterexample(name, arguments):
    check = run(name, arguments)
    assert not check.passed, check
    assert check.worst_slack <= 0
    assert check.counterexample
    assert check.arithmetic == TABLE[name][2]


@pytest.mark.parametrize(("name", "arguments"), FAILS, ids=lambda v: v if isinstance(v, str) else "")
def test_the_numbers_of_an_exact_counterexample_can_be_parsed_again(name, arguments):
    """Each value is a fraction, or a nested sequence of fractions; other values are words that say what they are."""
    check = run(name, arguments)
    if check.arithmetic != "exact":
        return
    numbers = 0
    for value in check.counterexample.values():
        tokens = re.findall(r"[^\s(),\[\]]+", value)
        if all(FRACTION.fullmatch(token) for token in tokens):
            numbers += len([Fraction(token) for token in tokens])
    assert numbers >= 1, check.counterexample


def test_the_same_seed_gives_the_same_outcome_and_another_seed_the_same_verdict():
    for name in ("projection.optimal", "mbde.membership", "ranges.sufficient"):
        good, bad, _ = TABLE[name]
        assert run(name, good, seed=1) == run(name, good, seed=1)
        assert run(name, good, seed=2).passed
        assert not run(name, bad, seed=2).passed


def test_every_check_is_in_the_table():
    found = set()
    for module in pkgutil.iter_modules(mollified.verify.__path__):
        loaded = importlib.import_module(f"mollified.verify.{module.name}")
        found |= {f"{module.name}.{name}" for name in loaded.__all__}
    assert found == set(TABLE) | HELPERS


def test_best_linear_against_the_vertices_of_the_set():
    """A linear function is largest at a vertex, where all atoms but one are at a bound: all of them are listed."""
    from itertools import product

    from mollified.instances import random_law

    rng = np.random.default_rng(6)
    for _ in range(30):
        size, root = int(rng.integers(2, 5)), 1 + F(int(rng.integers(1, 300)), 100)
        base = random_law(rng, size, spread=4)
        weights = tuple(F(int(w), 7) for w in rng.integers(-20, 20, size))
        vertices = []
        for free in range(size):
            for ends in product((1 / root, root), repeat=size - 1):
                others = iter(ends)
                law = [F(0) if x == free else base[x] * next(others) for x in range(size)]
                law[free] = 1 - sum(law)
                if base[free] / root <= law[free] <= root * base[free]:
                    vertices.append(sum(w * q for w, q in zip(weights, law, strict=True)))
        assert best_linear(weights, base, root) == max(vertices)


def test_attained_level_approaches_the_sharp_level_from_below():
    from mollified.theta import spent_level

    levels = attained_level(1.0, 3, [0.5, 1e-2, 1e-6, 1e-12])
    bound = spent_level(1.0, 3)
    assert levels == sorted(levels)
    assert levels[-1] < bound
    # the gap is at most log((1 + a e^{2S})/(1 - a)) + ... < 10 a for S < 1
    assert bound - levels[-1] < 1e-11
    assert levels[0] == pytest.approx(bound / 2, rel=1e-12)  # at a = 1/2 the normalisers cancel


def test_chain_level_against_powers_of_the_kernel():
    """The lazy chain as a matrix, powers taken one by one, exact."""
    one, two, start = (F(1, 2), F(1, 2)), (F(2, 3), F(1, 3)), (F(1), F(0))
    for steps in range(1, 6):
        laws = []
        for law in (one, two):
            kernel = [
                [1 - min(F(1), law[1] / law[0]) / 2, min(F(1), law[1] / law[0]) / 2],
                [min(F(1), law[0] / law[1]) / 2, 1 - min(F(1), law[0] / law[1]) / 2],
            ]
            current = start
            for _ in range(steps):
                current = tuple(sum(current[i] * kernel[i][j] for i in range(2)) for j in range(2))
            laws.append(current)
        assert chain_level(one, two, start, steps) == max(
            max(a / b, b / a) for a, b in zip(laws[0], laws[1], strict=True)
        )
    assert chain_level(one, two, start, 1) == 2
    assert ExactLevel(exp_eps=F(3, 2)).compare(chain_level(one, two, start, 1)) == 1
