"""The computations behind the figures: each returns a tidy table and a dict of facts for the prose."""
