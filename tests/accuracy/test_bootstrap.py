"""What docstrings of the bootstrap and of composition say of accuracy, at the ends that
they state, against balls.
"""

import math
from fractions import Fraction as F

import numpy as np
import pytest
from flint import arb, ctx

from mollified.bootstrap import (
    audit_bootstrap,
    bootstrap_delta,
    bootstrap_mechanism,
    certified_delta,
    choose_parameters,
    corrected_histogram,
    epsilon_at,
    event_threshold,
    expected_error,
    gaussian_error,
    hoeffding_records,
    largest_bound,
    largest_m,
    order_records,
    pure_records,
    recipe,
    release_exact,
    renyi_delta,
    renyi_records,
    smallest_k,
    smoothed_law,
    smoothed_parameters,
    step_loss,
    theorem_parameters,
    theorem_records,
    two_symbol_deltas,
)
from mollified.bootstrap.accountant import dominating_walks, upper_delta
from mollified.bootstrap.mechanism import independent_releases
from mollified.bootstrap.release_law import uniform_integers
from mollified.bootstrap.setting import Setting
from mollified.privacy import (
    ball,
    certified_response_delta,
    renyi_epsilon,
    response_delta,
    response_epsilon,
)
from mollified.privacy.gaussian_mechanism import gaussian_delta
from tests.accuracy import states
from tests.mollified.helpers import Words

LARGEST = 2**62
SMALLEST_NORMAL = 2.3e-308


@pytest.fixture(autouse=True)
def _balls_of_300_bits():
    with ctx.workprec(300):
        yield


def settings(seed, many, top=62):
    """Sizes from 1 to 2^top, log-uniform, and a level from the middle of the loss's law
    to its far end.
    """
    rng = np.random.default_rng(seed)
    for trial in range(many):
        n, k, m = (int(2 ** rng.uniform(0, top)) for _ in range(3))
        size = int(2 ** (top * rng.random() ** 3))
        if trial % 8 == 0:
            n, k, m = [
                (1, 1, 1),
                (1, 1, 2**top),
                (2**top, 1, 2**top),
                (1, 2**top, 2**top),
            ][trial // 8 % 4]
        size, lam, total = size + 2, math.log1p(1 / k), n + k * (size + 2)
        spread = math.sqrt(m * (2 * k + 1) / total)
        eps = lam * (
            m / total + rng.choice([0.0, 3.0, 37.0]) * rng.random() * (spread + 1)
        )
        yield min(eps, 700.0), n, size, k, m


def relative(outcome, truth):
    """How far a float is from a ball, relatively."""
    return float(abs(ball(F(outcome)) / truth - 1).upper())


@states(
    "bootstrap.bootstrap_delta",
    "Return the exact privacy level",
    r"Errs on either side: relatively by at most $10^{-12}$ where it is a normal "
    r"float; for two symbols",
)
@pytest.mark.parametrize("way", ["replace", "add", "remove"])
def test_delta_in_floats_at_all_sizes(way):
    seen = []
    for eps, n, size, k, m in settings(1, 240):
        size = min(size, LARGEST)
        truth = certified_delta(eps, n, size, k, m, neighbours=way)[1]
        if truth.upper() > SMALLEST_NORMAL:
            seen.append(
                relative(bootstrap_delta(eps, n, size, k, m, neighbours=way), truth)
            )
        assert ball(F(upper_delta(eps, n, size, k, m, neighbours=way))) >= truth.lower()
    assert len(seen) > 60
    assert max(seen) <= 1e-12


def pairs(seed, many):
    """Two symbols: sizes and levels at which e^eps does not make noise of delta."""
    rng = np.random.default_rng(seed)
    for trial in range(many):
        n = int(2 ** rng.uniform(0, 4))
        k = int(2 ** rng.uniform(0, 40))
        m = int(2 ** rng.uniform(0, 62))
        m = LARGEST if trial % 10 == 0 else m
        share = (k + 1) / (n + 2 * k)
        spread = math.sqrt(m * share * (1 - share)) / (k + 1)
        yield min((rng.uniform(0, 5) * spread + 1 / k) * rng.random(), 20.0), n, k, m


@states(
    "bootstrap.two_symbol_deltas",
    r"Differences of binomial tails in floats: absolute error about "
    r"$3(10^{-14}+10^{-16}",
)
def test_pairs_of_two_symbols_in_floats_at_all_sizes():
    for eps, n, k, m in pairs(2, 40):
        stated = 3 * (1e-14 + 1e-16 * math.sqrt(m)) * math.exp(eps)
        lower, upper = certified_delta(eps, n, 2, k, m)
        if max(n + 2 * k, m) <= 10**12:
            outcome = two_symbol_deltas(eps, n, k, m)
            assert abs(float(lower.mid()) - outcome.max()) <= stated, (eps, n, k, m)
        assert lower.overlaps(upper)
        assert abs(bootstrap_delta(eps, n, 2, k, m) - float(lower.mid())) <= 2 * stated
        assert ball(F(upper_delta(eps, n, 2, k, m))) >= upper


@states(
    "bootstrap.certified_delta",
    "The two agree (relative width at most $10^{-20}$ where delta is above",
    "eps is taken as the exact value of the float, or is a ball.",
)
def test_brackets_are_narrow_at_all_sizes_and_take_the_float_as_it_is():
    for eps, n, size, k, m in settings(3, 120):
        size = min(size, LARGEST)
        for way in ("replace", "add", "remove"):
            lower, upper = certified_delta(eps, n, size, k, m, neighbours=way)
            assert lower.lower() == upper.lower()
            assert upper.rad() <= upper.mid() * 1e-20
            again = certified_delta(ball(F(eps)), n, size, k, m, neighbours=way)[1]
            assert again.overlaps(upper)
    for n in (256, 257):
        lower, upper = certified_delta(0.1, n, 2, 10, 50)
        assert (lower < upper) == (n > 256)


@states(
    "bootstrap.epsilon_at",
    "Return the least eps in nats, or a float just above it",
    "Found by bisection on an upper bound of delta, then raised until a certified one "
    "fits",
)
@pytest.mark.parametrize("delta", [0.5, 1e-9, 1e-250])
@pytest.mark.parametrize(
    ("n", "size", "k", "m"),
    [
        (1, 3, 1, 1),
        (1000, 4, 10**15, 10**15),
        (10**6, 3, 10**9, LARGEST),
        (LARGEST, 9, LARGEST, LARGEST),
    ],
)
def test_levels_lie_just_above_the_least(delta, n, size, k, m):
    for way in ("replace", "add", "remove"):
        eps = epsilon_at(delta, n, size, k, m, neighbours=way)
        assert certified_delta(eps, n, size, k, m, neighbours=way)[1] <= ball(F(delta))
        below = eps * (1 - 1e-8)
        assert eps == 0 or certified_delta(below, n, size, k, m, neighbours=way)[
            0
        ] > ball(F(delta)) * (1 - 1e-6)


@states(
    "bootstrap.epsilon_at",
    "Found by bisection on an upper bound of delta, then raised until a certified one "
    "fits",
)
def test_levels_of_two_symbols_lie_above_the_least():
    for delta, n, k, m in (
        (0.1, 5, 3, 40),
        (1e-6, 200, 20, 4000),
        (1e-4, 256, 10**6, 10**12),
    ):
        assert certified_delta(epsilon_at(delta, n, 2, k, m), n, 2, k, m)[1] <= ball(
            F(delta)
        )


CHOICES = [
    (1.0, 1e-6, 10**4, 3, 100),
    (0.01, 1e-12, 10**6, 1000, 10**6),
    (1e-3, 0.1, 5, 3, 10**8),
    (30.0, 1e-3, 10**5, 7, 1),
]


@states(
    "bootstrap.largest_m",
    "Errs below, and only where delta at m + 1 lies within $10^{-11}$ (relatively) of "
    "its target",
)
@states(
    "bootstrap.smallest_k",
    "n and neighbours as in `largest_m`; errs above as that errs below.",
)
def test_the_largest_m_and_the_smallest_k_err_on_their_side_only_near_the_target():
    for eps, delta, n, size, k in CHOICES:
        m = largest_m(eps, delta, n, size, k)
        target = ball(F(delta))
        assert certified_delta(eps, n, size, k, m)[1] <= target
        assert certified_delta(eps, n, size, k, m + 1)[0] > target * (1 - 1e-11)
        least = smallest_k(eps, delta, n, size, m + 1)
        assert certified_delta(eps, n, size, least, m + 1)[1] <= target
        assert least == 1 or certified_delta(eps, n, size, least - 1, m + 1)[
            0
        ] > target * (1 - 1e-11)
    for eps, delta, n, k in (
        (1.0, 1e-6, 200, 100),
        (0.01, 1e-4, 256, 10**6),
        (3.0, 0.1, 1, 3),
    ):
        m = largest_m(eps, delta, n, 2, k)
        room = 2 * (1e-13 + 1e-15 * math.sqrt(m + 1)) * math.exp(eps)
        assert certified_delta(eps, n, 2, k, m)[1] <= ball(F(delta))
        assert certified_delta(eps, n, 2, k, m + 1)[0] > ball(F(delta)) - room
        least = smallest_k(eps, delta, n, 2, m + 1)
        assert certified_delta(eps, n, 2, least, m + 1)[1] <= ball(F(delta))
        assert certified_delta(eps, n, 2, least - 1, m + 1)[0] > ball(F(delta)) - room


def levels(seed, many):
    rng = np.random.default_rng(seed)
    for _ in range(many):
        k = int(2 ** rng.uniform(0, 62))
        t = int(2 ** rng.uniform(0, 40))
        level = (
            t * step_loss(k) * (1 + int(rng.integers(-3, 4)) * 2.0**-53)
            if rng.random() < 0.7
            else rng.random()
        )
        if level > 0:
            yield level, k


@states(
    "bootstrap.pure_records",
    r"Return the largest m with $m\log\frac{k+1}k\le\varepsilon$: pure eps-DP.",
    "Decided exactly for the float eps.",
)
def test_pure_records_are_decided_for_the_float():
    for level, k in levels(4, 400):
        m = pure_records(level, k)
        lam = ball(F(k + 1, k)).log()
        assert m * lam <= ball(F(level)) < (m + 1) * lam


@states(
    "bootstrap.event_threshold",
    r"Return the least whole t with $t\lambda\ge\varepsilon$, decided exactly.",
    "A tie up to rounding is one.",
    r"A whole t with $t\lambda$ within $2^{-50}$ of eps",
)
def test_thresholds_are_decided_for_the_float():
    ties = 0
    for level, k in levels(5, 400):
        t = event_threshold(level, k)
        ratio = ball(F(level)) / ball(F(k + 1, k)).log()
        if abs(ratio - t) <= ratio * 2.0**-50:
            ties += 1
        else:
            assert t - 1 < ratio < t
            assert ratio - (t - 1) > ratio * 2.0**-50
    assert ties > 200


def enumerated_bound(n, size, k, m, t, used, delta):
    """The bound of the event from the law of the walk in rationals."""
    total = n + used * size
    law = {0: F(1)}
    for _ in range(m):
        following = {}
        for v, p in law.items():
            for step, weight in ((1, used + 1), (-1, used), (0, total - 2 * used - 1)):
                following[v + step] = following.get(v + step, 0) + p * F(weight, total)
        law = following
    p = sum(w for v, w in law.items() if v >= t)
    q = sum(w for v, w in law.items() if v <= -t)
    return ball((p - F(delta)) / q).log()


@states(
    "bootstrap.largest_bound",
    r"Errs below, by at most $10^{-12}$ relatively where p is above $e^{-10^6}$ and "
    r"above",
)
def test_what_audits_tend_to():
    for n, size, k, m, eps, delta, used in (
        (1, 3, 1, 1, 0.5, 0.0, 1),
        (20, 4, 5, 16, 1.0, 1e-3, 2),
        (9, 3, 10, 5, 5 * step_loss(10), 0.0, 1),
        (10**9, 3, 2, 12, 2.0, 0.0, 2),
    ):
        truth = enumerated_bound(
            n, size, k, m, min(event_threshold(eps, k), m), used, delta
        )
        outcome = ball(F(largest_bound(n, size, k, m, eps, delta, used=used)))
        assert truth * (1 - 1e-12) <= outcome <= truth
    assert largest_bound(1, 3, 1, 10**5, 10**5 * math.log(2), 0.0) == pytest.approx(
        10**5 * math.log(2), rel=1e-12
    )
    assert largest_bound(1, 3, 1, 10**15, 1.0, 0.0) >= 0.0


@states(
    "bootstrap.audit_bootstrap",
    "`used` is the pseudocount that the sampler adds (default k: the promise is kept);"
    ' "floats"',
)
def test_the_audit_draws_by_the_sampler_that_is_named():
    draws = 50
    n = 9
    size = 3
    k = 2
    m = 4
    outcome = audit_bootstrap(
        n, size, k, m, 0.5, 0.0, draws, np.random.default_rng(3), sampler="exact"
    )
    rng = np.random.default_rng(3)
    t = event_threshold(0.5, k)
    hits = [
        sum(
            int(out[0] - out[1] >= t)
            for out in (release_exact(counts, k, m, rng.bytes) for _ in range(draws))
        )
        for counts in ([1, 0, 8], [0, 1, 8])
    ]
    assert [outcome.hits, outcome.other_hits] == hits
    rng = np.random.default_rng(3)
    outcome = audit_bootstrap(n, size, k, m, 0.5, 0.0, draws, np.random.default_rng(3))
    drawn = [
        independent_releases(counts, k, m, draws, rng)
        for counts in ([1, 0, 8], [0, 1, 8])
    ]
    assert [outcome.hits, outcome.other_hits] == [
        int((out[:, 0] - out[:, 1] >= t).sum()) for out in drawn
    ]


@states(
    "bootstrap.bootstrap_mechanism",
    "Idealised numerics: the multinomial is drawn in floats from a pseudo-random "
    "generator",
)
def test_the_logarithms_that_accept_a_count_err_by_an_ulp_of_m():
    """NumPy's last test of a binomial count, in its floats, against balls.

    At m = 2^40 it errs by 1e-4.
    """
    worst = {}
    for m in (2**20, 2**32, 2**40):
        p = 3 / 7
        rng = np.random.default_rng(m)
        outcome = []
        mode = math.floor((m + 1) * p)
        for y in (
            (mode + rng.normal(0, 2 * math.sqrt(m * p * (1 - p)), 300))
            .astype(int)
            .tolist()
        ):
            x1 = float(y + 1)
            f1 = float(mode + 1)
            z = float(m + 1 - mode)
            w = float(m - y + 1)
            floats = (
                (mode + 0.5) * math.log(f1 / x1)
                + (m - mode + 0.5) * math.log(z / w)
                + (y - mode) * math.log(w * p / (x1 * (1 - p)))
            )
            one = ball(F(p))
            two = ball(F(1 - p))
            exact = (
                (mode + arb("0.5")) * (arb(mode + 1) / (y + 1)).log()
                + (m - mode + arb("0.5")) * (arb(m + 1 - mode) / (m - y + 1)).log()
                + (y - mode) * ((m - y + 1) * one / ((y + 1) * two)).log()
            )
            outcome.append(abs(float((ball(F(floats)) - exact).mid())))
        worst[m] = max(outcome)
        assert worst[m] <= 2 * m * 2.0**-53
    assert worst[2**40] > 100 * worst[2**32] > 1e-8
    assert (
        bootstrap_mechanism([1, 2], 1, 2**32, np.random.default_rng(1)).sum() == 2**32
    )
    with pytest.raises(ValueError, match="release_exact"):
        bootstrap_mechanism([1, 2], 1, 2**32 + 1, np.random.default_rng(1))


@states(
    "bootstrap.release_exact",
    "Return the counts of m released records, total m, drawn exactly.",
)
def test_a_word_below_n_is_the_symbol_of_its_record_and_others_are_drawn_again():
    """N = 6: of the eight words of three bits two are drawn again, and six lead to 3, 1
    and 2 records.
    """
    for word in range(8):
        source = Words([word, 0])
        outcome = release_exact([2, 0, 1], 1, 1, source).tolist()
        record = 0 if word > 5 else word
        symbol = [0, 0, 0, 1, 2, 2][record]
        assert outcome == [int(symbol == other) for other in range(3)]
        assert source.asked == ([8] if word < 6 else [8, 8])
    assert smoothed_law([2, 0, 1], 1) == (F(1, 2), F(1, 6), F(1, 3))
    assert uniform_integers(
        LARGEST, 2, Words([LARGEST - 1, 2 * LARGEST + 5])
    ).tolist() == [LARGEST - 1, 5]


@states(
    "bootstrap.corrected_histogram",
    "Entries sum to 1 and can be negative; each is the float nearest to its value.",
)
def test_corrected_shares_are_nearest_floats():
    rng = np.random.default_rng(6)
    for power in (0, 3, 17, 18):
        n = int(10 ** rng.uniform(0, 17))
        k = 10**power
        counts = rng.integers(0, 10**6, 3).tolist()
        m = sum(counts)
        wanted = [float(F(n + 3 * k, n) * F(count, m) - F(k, n)) for count in counts]
        assert corrected_histogram(counts, n, k).tolist() == wanted


BOUNDS = [
    (eps, delta, n, size, k)
    for eps in (1e-6, 0.3, 20.0)
    for delta in (1e-300, 1e-9, 0.9)
    for n, size, k in ((1, 2, 1), (10**6, 50, 40), (10**15, 3, 10**15))
]


@states("bootstrap.theorem_records", r"Errs below, by a share of $2\cdot10^{-12}$.")
@states("bootstrap.hoeffding_records", r"Errs below, by a share of $2\cdot10^{-12}$.")
@states("bootstrap.renyi_records", r"Errs below, by a share of $2\cdot10^{-12}$.")
def test_records_of_closed_forms_err_below():
    share = F(2, 10**12)
    for eps, delta, n, size, k in BOUNDS:
        total = n + k * size
        lam = ball(F(k + 1, k)).log()
        rare = -ball(F(delta)).log()
        level = ball(F(eps))

        def lies(m, total=total, lam=lam, level=level, weight=None):
            return arb(m) / total + (weight * m).sqrt() <= level / lam

        for records, weight in (
            (theorem_records, 8 * (rare + arb(2).log())),
            (
                lambda *args: theorem_records(*args, "corrected"),
                2 * (rare + arb(2).log()),
            ),
            (hoeffding_records, 2 * rare),
        ):
            m = records(eps, delta, n, size, k)
            more = math.floor(m * (1 + share)) + 1
            least = weight / 4
            assert m == 0 or lies(m, weight=weight)
            assert not lies(more, weight=weight) or not more > least.upper() or m == 0
        root = (rare + level).sqrt() - rare.sqrt()
        bound = (-arb(1) / 12).exp() * root**2 * total * arb(k * (k + 1)).sqrt()
        m = renyi_records(eps, delta, n, size, k)
        assert m <= bound
        assert m == 0 or math.floor(m * (1 + share)) + 1 > bound


@states("bootstrap.order_records", "Errs below: each order is valid.")
@states("bootstrap.renyi_delta", "Errs above: each order is valid.")
def test_renyi_bounds_lie_on_their_side():
    for eps, delta, n, size, k in BOUNDS:
        size = max(size, 3)
        m = min(order_records(eps, delta, n, size, k), LARGEST)
        assert m == 0 or certified_delta(eps, n, size, k, m)[1] <= ball(F(delta))
        for records in (1, max(m, 1), 10 * max(m, 1)):
            if records <= LARGEST:
                truth = certified_delta(eps, n, size, k, records)[1]
                assert truth <= ball(F(renyi_delta(eps, n, size, k, records)))


@states(
    "bootstrap.recipe",
    r"Return k and m of the three steps, for a given gamma",
    '"printed": the result can miss (1).',
)
def test_the_recipe_is_decided_and_can_miss_its_condition_as_printed():
    missed = 0
    for gamma, delta, eps in (
        (F(1, 2), F(1, 2), F(1, 10)),
        (F(1, 10**6), F(1, 10**12), F(1, 100)),
        (F(9, 10), F(1, 3), F(40)),
    ):
        for n, size in ((1, 2), (10, 2), (10**9, 10**6)):
            low = 2 / ball(gamma) ** 2 * ball(2 / delta).log()
            for form in ("printed", "corrected"):
                k, m = recipe(gamma, delta, eps, n, size, form)
                total = n + k * size
                edge = low if form == "printed" else low.ceil()
                assert ball(eps * k * total) >= edge * ball(2 * gamma * total + 1)
                before = n + (k - 1) * size
                least = 1 if form == "printed" else 2
                assert k == least or not ball(eps * (k - 1) * before) >= edge * ball(
                    2 * gamma * before + 1
                )
                top = ball(eps / (F(1, total) + 2 * gamma)) / ball(F(k + 1, k)).log()
                assert m <= top < m + 1
                assert form == "printed" or m >= low
                missed += form == "printed" and bool(m < low)
    assert missed


@states(
    "bootstrap.smoothed_parameters",
    "Return k and m of the least expected error at pure eps-DP.",
    r"m is the largest with $m\log\frac{k+1}k\le\varepsilon$, up to a share "
    r"$10^{-12}$.",
)
def test_the_smoothed_histogram_has_the_least_error_at_pure_privacy():
    for eps, n, size in ((1.0, 1000, 10), (0.01, 50, 3), (8.0, 1, 2)):
        k, m = smoothed_parameters(eps, n, size)
        tried = {j: pure_records(eps, j) for j in range(1, 6 * k + 50)}
        best = min(
            expected_error(n, size, j, most) for j, most in tried.items() if most
        )
        assert m == tried[k]
        assert expected_error(n, size, k, m) == best


@states(
    "bootstrap.theorem_parameters",
    "Return k and m of about the least error by Theorem 2 at its best gamma.",
    "The smallest k, up to 1 %, whose largest m brings the error within `within`",
    r"The error falls as k grows and tends to $(1-\frac1{|\Sigma|})",
    "Raises ValueError or TypeError as `theorem_records`, for within outside (0, 1) "
    "or most_records < 1",
)
def test_theorem_2_at_its_best():
    for eps, delta, n, size in ((1.0, 1e-6, 1000, 10), (0.1, 0.1, 10**5, 3)):
        spent = 2 * math.log(2 / delta)
        limit = (1 - 1 / size) * (
            size / (eps * n) * (math.sqrt(spent) + math.sqrt(spent + eps / size))
        ) ** 2
        k, m = theorem_parameters(eps, delta, n, size, most_records=10**15)
        assert m == theorem_records(eps, delta, n, size, k)
        assert limit < expected_error(n, size, k, m) <= 1.01 * limit
        smaller = math.floor(k / 1.01) - 1
        assert (
            expected_error(
                n, size, smaller, theorem_records(eps, delta, n, size, smaller)
            )
            > 1.01 * limit
        )
        far = expected_error(
            n, size, 10**9, theorem_records(eps, delta, n, size, 10**9)
        )
        assert far == pytest.approx(limit, rel=1e-3)
    for bad in ({"within": 0.0}, {"within": 1.0}, {"most_records": 0}):
        with pytest.raises(ValueError, match=next(iter(bad))):
            theorem_parameters(1.0, 1e-6, 1000, 10, **bad)


@states(
    "bootstrap.expected_error",
    "Return the largest expected squared l2 error of the corrected histogram.",
    "It is that of flat data:",
)
def test_the_expected_error_is_that_of_flat_data():
    n = 12
    size = 3
    k = 4
    m = 7
    total = n + k * size

    def error(counts):
        law = smoothed_law(counts, k)
        return F(total, n) ** 2 * sum(p * (1 - p) for p in law) / m

    assert expected_error(n, size, k, m) == pytest.approx(
        float(error([4, 4, 4])), rel=1e-15
    )
    assert all(
        error([a, b, n - a - b]) <= error([4, 4, 4])
        for a in range(n + 1)
        for b in range(n + 1 - a)
    )


@states(
    "bootstrap.gaussian_error",
    "Return the expected squared l2 error of the Gaussian mechanism on the counts.",
    "Counts over n, noise made to sum to 0:",
    "Errs relatively by at most $10^{-12}$.",
)
def test_the_error_of_the_gaussian_mechanism_is_that_of_the_least_noise():
    for eps, delta in ((1.0, 1e-6), (0.01, 0.1), (5.0, 1e-12)):
        sigma = math.sqrt(gaussian_error(10, 5, eps, delta) * 100 / 4)
        assert gaussian_delta(eps, math.sqrt(2) / sigma) == pytest.approx(
            delta, rel=1e-10
        )


@states(
    "bootstrap.Parameters",
    "Hold k, m, the expected error that they give, and its limit as k grows",
    "Over all k and m the error does not fall much below the limit, the Gaussian "
    "mechanism's",
)
@states(
    "bootstrap.choose_parameters",
    "Return k and m of the least expected error, by the exact accountant.",
    "Up to a share `within` of it.",
    r"With the largest m the error tends to a limit as k grows; for k well above the "
    r"Gaussian mechanism's $\sigma$",
    "So the smallest k is returned, up to 1 %, whose largest m brings the error "
    "within `within` of the limit",
    "Neighbours replace one record: with n private neither this error nor a k and m "
    "that depend on n could be had.",
    "Raises ValueError or TypeError for n < 1, size < 2, eps <= 0, delta or within "
    "outside (0, 1)",
)
def test_the_choice_of_k_and_m_is_within_its_share_of_the_limit():
    n = 1000
    size = 10
    eps = 1.0
    delta = 1e-4
    chosen = choose_parameters(n, size, eps, delta)
    assert chosen.limit == gaussian_error(n, size, eps, delta)
    assert (
        chosen.error
        == expected_error(n, size, chosen.k, chosen.m)
        <= 1.01 * chosen.limit
    )
    smaller = math.floor(chosen.k / 1.01) - 1
    assert (
        expected_error(n, size, smaller, largest_m(eps, delta, n, size, smaller))
        > 1.01 * chosen.limit
    )
    excess = (
        expected_error(n, size, 20_000, largest_m(eps, delta, n, size, 20_000))
        / chosen.limit
        - 1
    )
    assert excess == pytest.approx((n / size - 0.5) / 20_000, rel=0.1)
    few = choose_parameters(10, 1000, 5.0, 1e-9)
    assert few.error < few.limit
    for bad in (
        {"within": 0.0},
        {"within": 1.0},
        {"most_records": 10**15 + 1},
        {"neighbours": "add"},
    ):
        with pytest.raises(ValueError, match=next(iter(bad))):
            choose_parameters(n, size, eps, delta, **bad)


# Composition


def response(eps, eps0, runs):
    """The exact delta at the floats given, in a ball: e^eps0 rational up to 2^-500, no
    tie is exact but zero.
    """
    with ctx.workprec(600):
        mantissa, exponent = ball(F(eps0)).exp().mid().man_exp()
        return certified_response_delta(
            ball(F(eps)), int(mantissa) * F(2) ** int(exponent), runs
        )


@states(
    "privacy.response_delta",
    "Errs on either side, relatively by at most $10^{-12}$ where it is a normal float.",
)
@states(
    "privacy.response_delta",
    "Raises ValueError or TypeError for eps < 0, eps0 outside [1e-30, 50]",
)
def test_responses_in_floats_at_all_sizes():
    rng = np.random.default_rng(7)
    seen = []
    for trial in range(200):
        eps0 = 10 ** rng.uniform(-30, math.log10(50))
        runs = int(10 ** rng.uniform(0, 15))
        if trial % 10 == 0:
            runs = 10**15
        elif trial % 10 == 1:
            eps0 = 50.0
        mean = runs * eps0 * math.tanh(eps0 / 2)
        spread = math.sqrt(runs) * eps0 / math.cosh(eps0 / 2)
        eps = min(max(mean + rng.uniform(-4, 12) * spread, 0.0), runs * eps0 * 0.99)
        truth = response(eps, eps0, runs)
        if truth.upper() > SMALLEST_NORMAL:
            seen.append(relative(response_delta(eps, eps0, runs), truth))
    assert len(seen) > 150
    assert max(seen) <= 1e-12
    for bad in (
        (-0.1, 1.0, 1),
        (0.1, 1e-31, 1),
        (0.1, 51.0, 1),
        (0.1, 1.0, 0),
        (0.1, 1.0, 10**15 + 1),
    ):
        with pytest.raises(ValueError, match=r"^(eps|eps0|runs) must"):
            response_delta(*bad)


RESPONSES = [
    (1e-300, 0.1, 1000),
    (1e-5, 0.1, 25),
    (0.3, 1.0, 10**6),
    (1e-9, 1e-9, 10**15),
    (1e-12, 7.0, 10**15),
]


@states(
    "privacy.response_epsilon",
    r"Errs above, by 1e-10 of itself and by what a share $2\cdot10^{-12}$ of delta "
    r"moves.",
)
@states(
    "privacy.response_epsilon",
    "Raises ValueError or TypeError for delta outside [1e-300, 1)",
)
def test_levels_of_responses_lie_just_above_the_least():
    for delta, eps0, runs in [*RESPONSES, (1e-20, 1e-30, 10**15)]:
        eps = response_epsilon(delta, eps0, runs)
        if eps < runs * F(eps0):
            assert response(eps, eps0, runs) <= ball(F(delta))
        assert eps == 0 or response(eps * (1 - 1.1e-10), eps0, runs) > ball(
            F(delta)
        ) * (1 - 2e-12)
    for bad in (0.0, 1e-301, 1.0):
        with pytest.raises(ValueError, match=r"^delta must"):
            response_epsilon(bad, 1.0, 1)


@states(
    "privacy.renyi_epsilon",
    "A valid level at every order, so an imperfect search errs on the large side; "
    "rounding errs by 1e-12",
    "Raises ValueError or TypeError for eps0 outside [1e-30, 50], runs outside "
    "1..10^15",
)
def test_the_level_of_renyi_is_that_of_some_order():
    """Against the formula in balls on a fine grid of orders: at most the best of them,
    and above the least level.
    """
    for delta, eps0, runs in RESPONSES:
        outcome = renyi_epsilon(eps0, runs, delta)
        best = runs * ball(F(eps0))
        for less in np.geomspace(1.3e-4, 5e4, 4000):
            alpha = 1 + ball(F(less))
            step = ball(F(eps0))
            moment = ((alpha * step).exp() + ((1 - alpha) * step).exp()) / (
                1 + step.exp()
            )
            level = (runs * moment.log() - (ball(F(delta)) * alpha).log()) / (
                alpha - 1
            ) + ((alpha - 1) / alpha).log()
            best = best.min(level)
        slack = 1e-12 * abs(best) + 1e-14
        assert ball(F(outcome)) <= best.max(arb(0)) + slack
        assert ball(F(outcome)) >= best.max(arb(0)) * (1 - 1e-4) - slack, (
            "the grid is no finer than that"
        )
        assert outcome >= response_epsilon(delta, eps0, runs) * (1 - 2e-10)
    for bad in (
        (1e-31, 1, 0.1),
        (51.0, 1, 0.1),
        (1.0, 0, 0.1),
        (1.0, 10**15 + 1, 0.1),
        (1.0, 1, 1e-301),
        (1.0, 1, 1.0),
    ):
        with pytest.raises(ValueError, match=r"^(eps0|runs|delta) must"):
            renyi_epsilon(*bad)


def test_one_dominating_pair_but_for_two_symbols():
    assert [len(dominating_walks(Setting(5, size, 1, 3))) for size in (2, 3)] == [5, 1]
