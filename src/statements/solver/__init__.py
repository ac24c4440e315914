r"""Proofs for all instances of small sizes.

Polynomials are put to z3, finite spaces are exhausted.
"""

from statements.solver.answers import (
    Answer,
    Mistranslated,
    exhaust,
    proved_sizes,
    scope,
    settle,
    solve,
)
from statements.solver.questions import Budget

__all__ = [
    "Answer",
    "Budget",
    "Mistranslated",
    "exhaust",
    "proved_sizes",
    "scope",
    "settle",
    "solve",
]
