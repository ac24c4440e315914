r"""Show a check: its statement and each name in it as a formula.

It is source where no formula says it. What a reader compares with a printed statement
is made here, by `texts`, from the text that is checked; no verdict depends on it.
"""
