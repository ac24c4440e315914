"""Ledger, figures, provenance and build of the companion book; this package knows no mathematics."""

__version__ = "0.1.0"
