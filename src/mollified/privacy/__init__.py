"""Differential privacy: composition, noise for numbers, audits."""
