r"""Check a statement by writing it as Python.

A space has instances; a statement is read from its source, tried and decided; mutants
of it are tried, and proofs are run. Floats look at many instances and search for the
worst; rationals and balls decide. The page *How a statement is checked* of the book
shows it on examples.
"""

from statements.arithmetic import (
    E,
    Number,
    Undecided,
    arctanh,
    ceil,
    cos,
    cosh,
    erfc,
    exp,
    expm1,
    floor,
    log,
    log1p,
    normal_tail,
    pi,
    sin,
    sinh,
    sqrt,
    tanh,
    xlog,
)
from statements.challenge import Challenge
from statements.checking import Effort, NoInstance, NotRefuted, check, twin
from statements.outcome import Outcome
from statements.proof import (
    Unproved,
    boxes,
    concave_between,
    convex,
    double_zero,
    nonnegative,
    single_zero,
    zero,
)
from statements.proving import prove
from statements.rewrite import SourceError
from statements.space import (
    Space,
    assume,
    choice,
    counts,
    index,
    law,
    real,
    shape,
    vector,
    whole,
)

__all__ = [
    "Challenge",
    "E",
    "Effort",
    "NoInstance",
    "NotRefuted",
    "Number",
    "Outcome",
    "SourceError",
    "Space",
    "Undecided",
    "Unproved",
    "arctanh",
    "assume",
    "boxes",
    "ceil",
    "check",
    "choice",
    "concave_between",
    "convex",
    "cos",
    "cosh",
    "counts",
    "double_zero",
    "erfc",
    "exp",
    "expm1",
    "floor",
    "index",
    "law",
    "log",
    "log1p",
    "nonnegative",
    "normal_tail",
    "pi",
    "prove",
    "real",
    "shape",
    "sin",
    "single_zero",
    "sinh",
    "sqrt",
    "tanh",
    "twin",
    "vector",
    "whole",
    "xlog",
    "zero",
]
