r"""Checks of the comparison on the ring: what MBDE can reach at its level, and what runs of the contenders show."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import pandas as pd
from flint import arb, ctx

from mollified._validate import check_count, check_each, check_finite, check_fraction, check_fractions, check_interval
from mollified.ball_mbde import BITS, ball, ball_theta
from mollified.checks import Check, Tally
from mollified.exact_level import ExactLevel

__all__ = ["beaten_by", "gap_at_most", "loses_modes", "loss_floor", "most_cover"]


def loss_floor(
    *, floor: Fraction, eps: Fraction, radii: Sequence[Fraction], variance: Fraction = Fraction(1, 4), rounds: int = 3
) -> Check:
    r"""Check that every output of MBDE from $Q_0=N(0,I)$ loses at least `floor` nats on rings. Certified.

    $-\mathbb E_P\log Q_T\ge-\mathbb E_P\log Q_0-\sup\log\frac{Q_T}{Q_0}$, with $-\mathbb E_P\log
    Q_0=\log2\pi+\rho^2/2+v$ for eight modes $N(m_i,vI)$ at radius $\rho$ and
    $\log\frac{Q_T}{Q_0}<\frac\varepsilon2(1-\theta_T)$ (v3, Theorem 4, sharpened).
    """
    least, level = check_fraction("floor", floor), check_fraction("eps", eps, above=0)
    places, width = check_fractions("radii", radii), check_fraction("variance", variance, above=0)
    rounds = check_count("rounds", rounds)
    tally = Tally("certified")
    with ctx.workprec(BITS):
        most = ball(level) / 2 * (1 - ball_theta(ExactLevel(eps=level), rounds)[-1])
        for radius in places:
            start = (2 * arb.pi()).log() + ball(radius**2 / 2 + width)
            slack = start - most - ball(least)
            tally.add(
                float(slack.mid()),
                decided=bool(slack > 0),
                radius=radius,
                variance=width,
                eps=level,
                T=rounds,
                floor=least,
                loss_of_Q0=start.str(10, radius=False),
                most_gained=most.str(10, radius=False),
            )
    return tally.check()


def _rows(table: object, column: str, name: str, value: object) -> pd.DataFrame:
    """Return the rows of a table of runs in which `column` is `value`."""
    if not isinstance(table, pd.DataFrame) or table.empty:
        raise TypeError(f"table must be a non-empty DataFrame, got {table!r:.80}")
    if column not in table.columns or value not in set(table[column]):
        raise ValueError(f"{name} must be a value of column {column!r} of the table, got {value!r}")
    return table[table[column] == value]


def gap_at_most(table: pd.DataFrame, first: str, second: str, *, most: float, column: str = "loss") -> Check:
    """Check seed by seed that two contenders differ by at most `most` in a column (nats for the loss). Floats.

    Raises ValueError or TypeError for contenders that are not in the table, or seeds without a partner.
    """
    limit = check_finite("most", most)
    one, two = _rows(table, "contender", "first", first), _rows(table, "contender", "second", second)
    if column not in table.columns:
        raise ValueError(f"column must be in the table, got {column!r}")
    pairs = one.merge(two, on="seed", suffixes=("_1", "_2"), validate="one_to_one")
    if len(pairs) != len(one) or len(pairs) != len(two):
        raise ValueError(f"second must have the seeds of the first, got {second!r}")
    tally = Tally("float")
    for row in pairs.to_dict("records"):
        a, b = float(row[f"{column}_1"]), float(row[f"{column}_2"])
        tally.add(limit - abs(a - b), seed=row["seed"], first=f"{first} {a}", second=f"{second} {b}")
    return tally.check()


def beaten_by(losses: Sequence[float], others: Sequence[float], *, margin: float) -> Check:
    """Check that every run of the second list has a loss at least `margin` nats below every run of the first. Floats.

    The runs need not be paired. Raises ValueError or TypeError for empty lists or entries that are not finite.
    """
    lists = []
    for name, values in (("losses", losses), ("others", others)):
        lists.append(check_each(name, values, check_finite))
    least = check_finite("margin", margin)
    tally = Tally("float")
    for loss in lists[0]:
        for other in lists[1]:
            tally.add(loss - other - least, loss=loss, other=other, margin=least)
    return tally.check()


def loses_modes(table: pd.DataFrame, column: str, value: object, *, modes: int = 8) -> Check:
    """Check that every run with that value in `column` covers fewer than `modes` modes. Floats.

    The table has columns seed, modes and near. Raises ValueError or TypeError where no run has the value.
    """
    wanted = check_count("modes", modes)
    tally = Tally("float", keep="first")
    for row in _rows(table, column, "value", value).to_dict("records"):
        slack = wanted - 0.5 - float(row["modes"])
        tally.add(slack, seed=row["seed"], modes=row["modes"], near=row["near"])
    return tally.check()


def most_cover(table: pd.DataFrame, column: str, values: Sequence[object], *, share: float = 0.75) -> Check:
    """Check that at least `share` of the runs cover all eight modes, for each of the values of `column`. Floats.

    An instance is a value. Raises ValueError or TypeError for no values, a value that no run has, or a share outside
    [0, 1].
    """
    if isinstance(values, str) or not isinstance(values, Sequence) or not values:
        raise TypeError(f"values must be a non-empty sequence, got {values!r:.80}")
    wanted = check_interval("share", share, 0.0, 1.0)
    tally = Tally("float")
    for value in values:
        rows = _rows(table, column, "values", value)
        full = float((rows["modes"] == 8).mean())
        tally.add(full - wanted, value=value, full=full, runs=len(rows))
    return tally.check()
