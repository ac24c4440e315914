"""Ledger, figures, provenance and build of the companion book.

This package knows no mathematics.
"""

from importlib.metadata import version

#: The version of the distribution, which pyproject.toml states; `make env` installs it
#: anew where that changes.
__version__ = version("mollified")
