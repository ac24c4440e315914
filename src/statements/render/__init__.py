r"""Show a check: its statement and each name in it as a formula.

It is source where no formula says it. What a reader compares with a printed statement
is made here, from the text that is checked; no verdict depends on it.
"""

from statements.render.texts import (
    Written,
    formula,
    name,
    proved,
    source,
    typeset,
    value,
)

__all__ = ["Written", "formula", "name", "proved", "source", "typeset", "value"]
