"""Private sampling with mollifiers: the mathematics of the companion book.

Import from the module that is named after the object, for example
``from mollified.relative_mollifier import RelativeMollifier``. This package knows nothing of books.
"""

__version__ = "0.1.0"
