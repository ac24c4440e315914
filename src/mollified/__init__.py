"""Private sampling with mollifiers: the mathematics of the companion book.

Import from the module that is named after the object, for example
``from mollified.mollifiers.relative_mollifier import RelativeMollifier``. This package knows nothing of books.
"""

from importlib.metadata import version

__all__ = ["__version__"]

#: The version of the distribution, which pyproject.toml states.
__version__ = version("mollified")
