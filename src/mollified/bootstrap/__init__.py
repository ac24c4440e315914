r"""The private bootstrap: the bootstrapping paper, sections 4 to 6.

The mechanism of section 5.1 is `bootstrap_mechanism`, and `release_exact` without
floats. Theorem 2 is in `theorem_records` and `theorem_delta`, Corollary 3's recipe in
`recipe`, and sharper bounds beside them (`hoeffding_records`, `renyi_records`). What
the mechanism really spends is in `bootstrap_delta` and, with a certificate, in
`certified_delta`; `largest_m`, `smallest_k` and `choose_parameters` turn that into
parameters. `audit_bootstrap` audits the code.
"""

from mollified.bootstrap.accountant import (
    bootstrap_delta,
    certified_delta,
    epsilon_at,
    two_symbol_deltas,
)
from mollified.bootstrap.mechanism import (
    bootstrap_mechanism,
    corrected_histogram,
    smoothed_law,
)
from mollified.bootstrap.paper_parameters import (
    paper_k,
    recipe_parameters,
    smoothed_parameters,
    theorem_parameters,
)
from mollified.bootstrap.parameters import (
    Parameters,
    choose_parameters,
    expected_error,
    gaussian_error,
    largest_m,
    smallest_k,
)
from mollified.bootstrap.recipe import recipe
from mollified.bootstrap.release_audit import (
    audit_bootstrap,
    event_threshold,
    largest_bound,
)
from mollified.bootstrap.release_law import release_exact
from mollified.bootstrap.type_laws import compositions
from mollified.bootstrap.typical_bounds import (
    hoeffding_delta,
    hoeffding_records,
    order_records,
    pure_records,
    renyi_delta,
    renyi_records,
    step_loss,
    theorem_delta,
    theorem_records,
    typical_lower,
    typical_upper,
)

__all__ = [
    "Parameters",
    "audit_bootstrap",
    "bootstrap_delta",
    "bootstrap_mechanism",
    "certified_delta",
    "choose_parameters",
    "compositions",
    "corrected_histogram",
    "epsilon_at",
    "event_threshold",
    "expected_error",
    "gaussian_error",
    "hoeffding_delta",
    "hoeffding_records",
    "largest_bound",
    "largest_m",
    "order_records",
    "paper_k",
    "pure_records",
    "recipe",
    "recipe_parameters",
    "release_exact",
    "renyi_delta",
    "renyi_records",
    "smallest_k",
    "smoothed_law",
    "smoothed_parameters",
    "step_loss",
    "theorem_delta",
    "theorem_parameters",
    "theorem_records",
    "two_symbol_deltas",
    "typical_lower",
    "typical_upper",
]
