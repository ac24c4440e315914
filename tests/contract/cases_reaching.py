"""Cases for the page on reaching the target: the family of outputs, its checks and its studies."""

from __future__ import annotations

from fractions import Fraction

from tests.contract.cases_verify import CLAIMED, NOT_FRACTIONS, NOT_LAWS, POSITIVE, ROOT, SHARE, random
from tests.contract.kinds import Case

HALF, ONE = Fraction(1, 2), Fraction(1)
COIN = (HALF, HALF)
LAWS = [[0.75, 0.25], [0.5, 0.5]]
NOT_ROWS = [None, "p", [0.5, 0.5], [[0.5, 0.6], [0.5, 0.5]], [[1.5, -0.5], [0.5, 0.5]]]
ZERO = (Fraction(0), ONE)

CASES = [
    Case(
        "mbde_family.exact_family_projection",
        lambda: {"p": COIN, "reference": COIN, "root": Fraction(2)},
        {},
        {"p": NOT_LAWS, "reference": [*NOT_LAWS, ZERO], "root": ROOT},
    ),
    Case(
        "mbde_family.extreme_members",
        lambda: {"reference": COIN, "root": Fraction(2)},
        {},
        {"reference": [*NOT_LAWS, ZERO], "root": ROOT},
    ),
    *[
        Case(
            f"mbde_family.{name}",
            lambda: {"p": LAWS, "reference": LAWS, "oscillation": [0.5, 0.5]},
            {},
            {
                "p": NOT_ROWS,
                "reference": [*NOT_ROWS, [[1.0, 0.0], [0.5, 0.5]]],
                "oscillation": [None, "o", 0.5, [0.5], [0.0, 1.0]],
            },
        )
        for name in ("family_projection", "family_gain")
    ],
    random("mbde_family.oscillation", claimed=CLAIMED),
    random("mbde_family.closest_member", mix=(Fraction(0), SHARE)),
    random("mbde_family.never_below_family", narrow=(ONE, [*POSITIVE, Fraction(2)])),
    random("mbde_family.half_gain", share=(HALF, POSITIVE)),
    Case(
        "verify.mbde_family.limit_reached",
        lambda: {"p": COIN, "reference": COIN, "root": Fraction(2)},
        {},
        {"p": NOT_LAWS, "reference": NOT_LAWS, "root": ROOT},
    ),
    random("high_edges.gain_at_high_edges", flags={"full": True}),
    random("high_edges.mollification_in_limit", flags={"full": True}),
    Case("verify.high_edges.share_tangent", lambda: {"slope": Fraction(3, 2)}, {}, {"slope": NOT_FRACTIONS}),
    Case("verify.reaching.closer_with_budget", lambda: {"p": COIN}, {}, {"p": NOT_LAWS}),
    random("reaching.bound_grows", smallest=(Fraction(1, 3), [*POSITIVE, Fraction(2)])),
    Case(
        "verify.reaching.target_in_mollifier",
        lambda: {"modes": ((Fraction(0), ONE),), "level": ONE, "exceeds": False},
        {},
        {"modes": [None, (), 3, ((ONE,),), ((0.5, 0.5),), ((ONE, Fraction(0)),)], "level": POSITIVE},
    ),
    Case("verify.reaching.edges_bring_closer", lambda: {"shrinking": True}, {}),
    random("reaching.guarantee_grows", smallest=(Fraction(1, 3), [*POSITIVE, Fraction(2)])),
    random("reaching.target_output", factor=(Fraction(2), POSITIVE)),
    random("reaching.variation_bounded", claimed=CLAIMED),
    random("reaching.rounds_limited", factor=CLAIMED),
    Case(
        "verify.reaching.drops_exceed",
        lambda: {"rounds": 1, "eps": ONE},
        {"rounds": "count"},
        {"eps": POSITIVE},
    ),
    Case(
        "studies.reaching.two_limits",
        lambda: {"p": [0.75, 0.25], "reference": [0.5, 0.5], "eps": [1.0]},
        {"p": "probabilities", "reference": "probabilities"},
        {"eps": [None, [], [0.0], 1.0]},
    ),
    Case(
        "studies.reaching.gain_ratios",
        lambda: {"eps": [1.0], "instances": 2, "sizes": [2], "coin_points": 2, "seed": 1},
        {"instances": "count", "seed": "size"},
        {"eps": [None, [], [0.0], 1.0], "sizes": [None, [], [0], 2], "coin_points": [None, 1, 2.0]},
    ),
    Case(
        "studies.reaching.overshoot",
        lambda: {"edges": [0.1], "edge_q": 0.4, "low": 1.0, "high": 2.0, "points": 2, "rounds": 1},
        {"edge_q": "eps", "low": "eps", "high": "eps", "points": "count", "rounds": "count"},
        {"edges": [None, "e", 0.1, [], [1.0]]},
    ),
]
