"""Mollifiers: private sets of laws, and projections onto them."""
