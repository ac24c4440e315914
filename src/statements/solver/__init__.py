r"""Proofs for all instances of small sizes.

Polynomials are put to z3, finite spaces are exhausted, see `answers`.
"""
