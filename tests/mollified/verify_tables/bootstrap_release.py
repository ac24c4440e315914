"""The checks of the page on releasing data: when they hold and when they fail."""

from fractions import Fraction as F

TABLE = {
    "bootstrap_release.two_wishes": ({}, {"coupled": True}, "exact"),
    "bootstrap_release.releases_add_up": ({}, {"shift": 1}, "exact"),
    "bootstrap_release.worth_at_large_k": ({}, {"half": F(0)}, "certified"),
    "bootstrap_release.audit_fits": ({}, {"used": 4}, "float"),
}

MORE_FAIL = {
    "bootstrap_release.worth_at_large_k": [{"half": F(1)}],
    # the bound for k + 2 pseudo-records is below 0.8 of the level that is promised
    "bootstrap_release.audit_fits": [{"used": 7}],
}
