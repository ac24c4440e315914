r"""Studies for the page on relative mollifiers: the projection pictured, and the exact level of the set."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pandas as pd

from mollified._validate import check_count, check_each, check_eps, check_probabilities
from mollified.discrete import Discrete
from mollified.divergences import kl
from mollified.exact_projection import exact_span
from mollified.gaussian import Gaussian
from mollified.mixture import Mixture
from mollified.relative_mollifier import RelativeMollifier
from mollified.spaces import FiniteSpace, Grid

__all__ = ["continuous", "exact_levels", "finite", "moving_mode"]


def finite(eps: float, p: object, q0: object) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return P, $Q_0$, the bounds of $\mathcal M_{\varepsilon,Q_0}$ and the mollification on a finite space.

    Columns x, p, q0, low, high, projected, clipped (1 where a bound is active). Raises as `RelativeMollifier` does.
    """
    target = check_probabilities("p", p)
    reference = check_probabilities("q0", q0, size=target.size)
    space = FiniteSpace(target.size)
    mollifier = RelativeMollifier(Discrete(reference), eps)
    image = mollifier.project(Discrete(target), space)
    logs = image.log_prob(space.points)
    low, high = (np.exp(bound) for bound in mollifier.log_bounds(space.points))
    ratio = image.log_ratio(space.points)
    table = pd.DataFrame(
        {
            "x": np.arange(target.size),
            "p": target,
            "q0": reference,
            "low": low,
            "high": high,
            "projected": np.exp(logs),
            "clipped": (np.abs(ratio) >= mollifier.eps / 2).astype(int),
        }
    )
    with np.errstate(divide="ignore"):
        log_p, log_q0 = np.log(target), np.log(reference)
    member = mollifier.contains(image, space)
    facts = {
        "eps": mollifier.eps,
        "log_constant": image.log_constant,
        "constant": float(np.exp(image.log_constant)),
        "kl_before": kl(log_p, log_q0, space).value,
        "kl_after": kl(log_p, logs, space).value,
        "clipped": float(table["clipped"].sum()),
        "violation": member.violation,
        "mass": member.mass,
    }
    return table, facts


def continuous(eps: Sequence[float], nodes: int, thin: int) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return P (two Gaussians), $Q_0=N(0,1)$ and the mollification of P at several levels on the line.

    Columns eps, x, p, q0, projected, log_ratio, every `thin`-th node of the grid; facts per level: the gain
    $\Delta=\operatorname{KL}(P,Q_0)-\operatorname{KL}(P,\hat P)$ in nats, its quadrature error, log C.
    """
    check_each("eps", eps, check_eps)
    check_count("thin", thin)
    target = Mixture([Gaussian(np.array([-1.5]), 0.09), Gaussian(np.array([1.0]), 0.25)], np.array([0.5, 0.5]))
    reference = Gaussian.standard(1)
    grid = Grid.covering([target, reference], nodes=check_count("nodes", nodes))
    log_p, log_q0 = target.log_prob(grid.points), reference.log_prob(grid.points)
    before = kl(log_p, log_q0, grid)
    rows, facts = [], {"kl_before": before.value}
    for level in eps:
        mollifier = RelativeMollifier(reference, check_eps("eps", level))
        image = mollifier.project(target, grid)
        logs = image.log_prob(grid.points)
        after = kl(log_p, logs, grid)
        keep = slice(None, None, check_count("thin", thin))
        rows.append(
            pd.DataFrame(
                {
                    "eps": level,
                    "x": grid.points[keep, 0],
                    "p": np.exp(log_p[keep]),
                    "q0": np.exp(log_q0[keep]),
                    "projected": np.exp(logs[keep]),
                    "log_ratio": image.log_ratio(grid.points[keep]),
                }
            )
        )
        member = mollifier.contains(image, grid)
        facts[f"delta_{level:g}"] = before.value - after.value
        facts[f"error_{level:g}"] = before.error + after.error
        facts[f"log_constant_{level:g}"] = image.log_constant
        facts[f"violation_{level:g}"] = member.violation
    return pd.concat(rows, ignore_index=True), facts


def _check_root(name: str, text: object) -> None:
    """Raise an error that names the argument unless it is a fraction > 1 in text."""
    if not isinstance(text, str):
        raise TypeError(f"{name} must be fractions as text, got {text!r}")
    try:
        found = Fraction(text)
    except (ValueError, ZeroDivisionError) as error:
        raise ValueError(f"{name} must be fractions as text, got {text!r}") from error
    if found <= 1:
        raise ValueError(f"{name} must be > 1, got {text!r}")


def exact_levels(roots: Sequence[str], atoms: int) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return the exact level of $\mathcal M_{\varepsilon,Q_0}$ for $Q_0=(q,1-q)$, against the promised $\varepsilon$.

    `roots` are values of $e^{\varepsilon/2}$ as fractions in text. Exact in rationals, shown as floats.
    Columns eps, root, q, level, promised.
    """
    check_each("roots", roots, _check_root)
    count = check_count("atoms", atoms, minimum=2)
    rows = []
    for text in roots:
        root = Fraction(text)
        promised = 2 * float(np.log(float(root)))
        for k in range(1, count):
            q = Fraction(k, 2 * count)
            span, _ = exact_span((q, 1 - q), root)
            rows.append((promised, text, float(q), float(np.log(float(span))), promised))
        span, _ = exact_span((Fraction(1, 2), Fraction(1, 2)), root)
        rows.append((promised, text, 0.5, float(np.log(float(span))), promised))
    table = pd.DataFrame(rows, columns=["eps", "root", "q", "level", "promised"])
    half = table[table["q"] == 0.5]
    facts = {f"half_{eps:.3f}": float(level) for eps, level in zip(half["eps"], half["level"], strict=True)}
    return table, facts


def moving_mode(eps: float, p: object, q0: object) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return P, $Q_0$ and the mollification where the mode of P is not the mode of its projection; as `finite`."""
    table, facts = finite(eps, p, q0)
    facts["mode_p"] = float(table["p"].argmax())
    facts["mode_projected"] = float(table["projected"].argmax())
    return table, facts
