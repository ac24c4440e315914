"""The edges of classifiers on a pair: against brute force, against each other, and at cases known by hand."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product

import numpy as np
import pytest

from mollified.instances import random_sparse_law
from mollified.weak_learning import (
    edge_region,
    edges,
    largest_edge,
    support_value,
    total_variation_exact,
    weak_game,
    weights_to_try,
)

F = Fraction
SIGNS = (F(-1), F(1))


def pairs(count, most=5, seed=7):
    rng = np.random.default_rng(seed)
    for _ in range(count):
        size = int(rng.integers(2, most + 1))
        yield random_sparse_law(rng, size), random_sparse_law(rng, size), rng


def test_support_value_is_the_largest_weighted_edge_over_all_signs():
    for p, q, rng in pairs(60):
        weight = F(int(rng.integers(0, 17)), 16)
        best = max(weight * a + (1 - weight) * b for a, b in (edges(c, p, q) for c in product(SIGNS, repeat=len(p))))
        assert support_value(p, q, weight) == best


def test_every_corner_is_a_classifier_and_every_classifier_lies_below_the_path():
    for p, q, _ in pairs(60):
        path = edge_region(p, q)
        reached = {edges(c, p, q) for c in product(SIGNS, repeat=len(p))}
        assert set(path) <= reached
        assert path[0] == (-1, 1)
        assert path[-1] == (1, -1)
        for (a, b), (c, d) in pairwise(path):
            assert all((c - a) * (y - b) - (d - b) * (x - a) <= 0 for x, y in reached)  # to the right of each side


def test_both_strategies_of_the_game_reach_its_value():
    for p, q, rng in pairs(200):
        ask = [F(int(rng.integers(0, 33)), 32) for _ in range(2)]
        game = weak_game(p, q, *ask)
        assert max(map(abs, game.classifier)) <= 1
        first = sum(a * c for a, c in zip(p, game.classifier, strict=True)) - ask[0]
        second = -sum(b * c for b, c in zip(q, game.classifier, strict=True)) - ask[1]
        assert min(first, second) == game.value
        assert support_value(p, q, game.weight) - game.weight * ask[0] - (1 - game.weight) * ask[1] == game.value
        assert all(
            support_value(p, q, w) - w * ask[0] - (1 - w) * ask[1] >= game.value
            for w in [F(n, 50) for n in range(51)] + list(weights_to_try(p, q))
        )


def test_largest_edge_lies_between_its_bounds_and_attains_them():
    for p, q, _ in pairs(200):
        tv = total_variation_exact(p, q)
        assert tv / (2 - tv) <= largest_edge(p, q) <= tv
    for g in (F(1, 7), F(1, 2), F(1)):
        assert largest_edge((F(1), F(0)), (1 - g, g)) == g / (2 - g)
    assert largest_edge((F(3, 4), F(1, 4)), (F(1, 4), F(3, 4))) == F(1, 2)  # symmetric: equal to the total variation
    assert largest_edge((F(1, 2), F(1, 2)), (F(1, 2), F(1, 2))) == 0


@pytest.mark.parametrize("zero", [(0, 0), (F(0), F(0))])
def test_the_zero_classifier_has_no_edges(zero):
    with pytest.raises(ValueError, match="classifier"):
        edges(zero, (F(1), F(0)), (F(0), F(1)))
