"""The check of draws from a release: when it holds and when it fails."""

TABLE = {"budgets.released_density": ({}, {"released": False}, "exact")}
