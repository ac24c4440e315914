#!/usr/bin/env python3
"""Say where code is denser than the house allows: `tools/style.py FILES AND FOLDERS`.

Ruff holds what Ruff can hold; this holds the rest. A Python file is read as it is, of a
page of `notebooks/` each code cell. Prints one line for each fault, and for each
argument how many tokens stand on a line and how many conditional expressions on 1,000.
Returns 1 where there is a fault, or an argument is denser than `BARS` allows.
"""

import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from radon.complexity import cc_visit

#: The most tokens a line, and conditional expressions on 1,000 lines, by suffix.
BARS = {".py": (8.5, 12), ".md": (10, 12)}
#: The most ways through a function, as radon counts them.
MOST_COMPLEX = 10
#: The most lines of code in the body of a function, its docstring left out.
MOST_LINES = 40
#: Names that say that something has a value, and not what it is.
EMPTY_NAMES = {"found", "made", "told", "kept", "given"}
#: Modules whose functions are formulas of statements; a check runs changed texts of
#: them, so that another way to write one is another check.
FORMULAS = "instances.py"
#: `given=` of a check: the hypotheses of a statement, as in "given x > 0".
HYPOTHESES = "given"
_QUIET = {
    tokenize.COMMENT,
    tokenize.DEDENT,
    tokenize.ENCODING,
    tokenize.ENDMARKER,
    tokenize.INDENT,
    tokenize.NEWLINE,
    tokenize.NL,
}
#: A code cell of a page: its first line and its options, and its code.
CELL = re.compile(r"(?ms)^(```\{code-cell\}[^\n]*\n(?::[^\n]*\n)*\n?)(.*?)^```$")
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True)
class Source:
    """Hold a text of Python, the file that has it, and the line before its first.

    `formulas` are the names of a page's functions that its statements use.
    """

    path: Path
    text: str
    offset: int = 0
    formulas: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Fault:
    """Hold one place, and what is wrong there."""

    path: Path
    line: int
    words: str

    def __str__(self) -> str:
        """Return the place and the words, as compilers print them."""
        return f"{self.path}:{self.line}: {self.words}"


@dataclass(frozen=True)
class Density:
    """Hold how many lines, tokens and conditional expressions some texts have."""

    suffix: str = ".py"
    lines: int = 0
    tokens: int = 0
    conditionals: int = 0

    def __add__(self, other: Self) -> Self:
        """Return the density of both texts."""
        return type(self)(
            other.suffix,
            self.lines + other.lines,
            self.tokens + other.tokens,
            self.conditionals + other.conditionals,
        )

    @property
    def tokens_a_line(self) -> float:
        """Return the mean number of tokens on a line that has one."""
        return self.tokens / max(self.lines, 1)

    @property
    def conditionals_a_thousand(self) -> float:
        """Return the number of conditional expressions on 1,000 lines."""
        return 1000 * self.conditionals / max(self.lines, 1)

    @property
    def too_dense(self) -> bool:
        """Return whether a bar is passed."""
        tokens, conditionals = BARS[self.suffix]
        return (
            self.tokens_a_line > tokens or self.conditionals_a_thousand > conditionals
        )

    def __str__(self) -> str:
        """Return the figures, and whether they are too high."""
        words = (
            f"{self.lines} lines, {self.tokens_a_line:.1f} tokens a line,"
            f" {self.conditionals_a_thousand:.0f} conditionals on 1,000 lines"
        )
        return f"{words}: too dense" if self.too_dense else words


def sources(places: Iterable[Path]) -> Iterator[Source]:
    """Give the texts of files and folders: modules whole, pages cell by cell."""
    for place in places:
        files = [place] if place.is_file() else sorted(place.rglob("*"))
        for path in files:
            if path.suffix == ".py":
                yield Source(path, path.read_text(encoding="utf-8"))
            elif path.suffix == ".md":
                yield from cells(path)


def cells(path: Path) -> Iterator[Source]:
    """Give the code cells of a page."""
    text = path.read_text(encoding="utf-8")
    trees = [ast.parse(match[2]) for match in CELL.finditer(text)]
    names: set[str] = set()
    while True:
        size = len(names)
        for tree in trees:
            names |= _used(tree, names)
        if len(names) == size:
            break
    for match in CELL.finditer(text):
        offset = text.count("\n", 0, match.start(2))
        yield Source(path, match[2], offset, frozenset(names))


def _docstring_lines(tree: ast.AST) -> set[int]:
    lines: set[int] = set()
    for node in ast.walk(tree):
        if not isinstance(node, (ast.Module, ast.ClassDef, *_FUNCTIONS)):
            continue
        if ast.get_docstring(node, clean=False) is not None:
            first = node.body[0]
            lines.update(range(first.lineno, (first.end_lineno or 0) + 1))
    return lines


def _token_lines(text: str, tree: ast.AST) -> list[int]:
    """Return the line of each token that is code."""
    quiet = _docstring_lines(tree)
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    code = (token.start[0] for token in tokens if token.type not in _QUIET)
    return [line for line in code if line not in quiet]


def density(source: Source) -> Density:
    """Return how dense a text is."""
    tree = ast.parse(source.text)
    lines = _token_lines(source.text, tree)
    conditionals = sum(isinstance(node, ast.IfExp) for node in ast.walk(tree))
    return Density(source.path.suffix, len(set(lines)), len(lines), conditionals)


# The faults of one node


def _names(node: ast.AST) -> set[str]:
    return {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}


def _is_condition(node: ast.expr) -> bool:
    match node:
        case ast.Compare() | ast.BoolOp() | ast.UnaryOp(op=ast.Not()):
            return True
        case ast.Call(func=ast.Name(id="bool")):
            return True
    return False


def _is_words(node: ast.expr) -> bool:
    match node:
        case ast.Constant(value=str(text)):
            return len(text) > 1
        case ast.JoinedStr():
            return True
    return False


def _product(node: ast.BinOp) -> Iterator[str]:
    """Find a text or a list times a condition."""
    if not isinstance(node.op, ast.Mult):
        return
    for one, other in ((node.left, node.right), (node.right, node.left)):
        if _is_words(one) and not isinstance(other, ast.Constant):
            yield "a text is multiplied: write a conditional"
        if isinstance(one, (ast.List, ast.Tuple)) and _is_condition(other):
            yield "a list is multiplied by a condition: write a conditional"


def _is_empty(node: ast.expr) -> bool:
    match node:
        case ast.List(elts=[]) | ast.Tuple(elts=[]) | ast.Constant(value=""):
            return True
        case ast.Dict(keys=[]):
            return True
    return False


def _adds_perhaps(node: ast.AugAssign) -> Iterator[str]:
    match node.value:
        case ast.IfExp(body=one, orelse=other) if _is_empty(one) or _is_empty(other):
            yield "something or nothing is added: write `if`"


def _packed(node: ast.Assign) -> Iterator[str]:
    """Find `a, b = x, y`, but for a step that gives both their next values."""
    match node:
        case ast.Assign(targets=[ast.Tuple() as target], value=ast.Tuple() as value):
            if not _names(target) & _names(value):
                yield "values are packed into one assignment"


def _comprehension(node: ast.AST) -> Iterator[str]:
    """Find two loops of which one depends on the other, and a loop over one value."""
    generators: list[ast.comprehension] = getattr(node, "generators", [])
    bound: set[str] = set()
    for loop in generators:
        if bound & _names(loop.iter) or len(generators) > 2:
            yield "a comprehension has nested loops: write them out"
            break
        bound |= _names(loop.target)
    for loop in generators:
        match loop.iter:
            case ast.List(elts=[one]) | ast.Tuple(elts=[one]):
                if not isinstance(one, ast.Starred):
                    yield "a loop over one value is an assignment"


def _loop(node: ast.For) -> Iterator[str]:
    if isinstance(node.iter, ast.IfExp):
        yield "a loop that sometimes does not exist: write `if` around it"
    if not isinstance(node.target, (ast.Name, ast.Tuple, ast.List)):
        yield "the target of a loop is not a name"


def _nested(node: ast.IfExp) -> Iterator[str]:
    inside = ast.walk(node)
    next(inside)  # the expression itself
    if any(isinstance(inner, ast.IfExp) for inner in inside):
        yield "a conditional expression stands in another"


_CHECKS = {
    ast.AugAssign: _adds_perhaps,
    ast.Assign: _packed,
    ast.BinOp: _product,
    ast.DictComp: _comprehension,
    ast.For: _loop,
    ast.GeneratorExp: _comprehension,
    ast.IfExp: _nested,
    ast.ListComp: _comprehension,
    ast.SetComp: _comprehension,
}


# The faults of names and of functions


def _name_faults(node: ast.AST) -> Iterator[str]:
    """Find names of locals and parameters that say nothing."""
    match node:
        case ast.Name(id=name, ctx=ast.Store()) if name in EMPTY_NAMES:
            yield f"`{name}` does not say what it holds"
        case ast.arg(arg=name) if name in EMPTY_NAMES - {HYPOTHESES}:
            yield f"`{name}` does not say what it holds"


def _fields(tree: ast.AST) -> set[ast.AST]:
    """Return the names that a class declares: those of a record are public."""
    fields: set[ast.AST] = set()
    for node in ast.walk(tree):
        for item in _body(node):
            if isinstance(item, ast.AnnAssign):
                fields.add(item.target)
    return fields


def _body(node: ast.AST) -> list[ast.stmt]:
    return node.body if isinstance(node, ast.ClassDef) else []


def _body_lines(node: ast.AST, code: set[int]) -> int:
    """Count the lines of code of a function, without those of its signature."""
    body: list[ast.stmt] = getattr(node, "body", [])
    first = body[0].lineno
    last = body[-1].end_lineno or first
    return sum(first <= line <= last for line in code)


def _length(node: ast.AST, code: set[int]) -> Iterator[str]:
    lines = _body_lines(node, code)
    if lines >= MOST_LINES:
        name = getattr(node, "name", "")
        yield f"{name} has {lines} lines, the house wants fewer than {MOST_LINES}"


def _node_faults(node: ast.AST, code: set[int]) -> Iterator[str]:
    yield from _name_faults(node)
    if type(node) in _CHECKS:
        yield from _CHECKS[type(node)](node)  # type: ignore[operator]
    if isinstance(node, _FUNCTIONS):
        yield from _length(node, code)


def _formulas(source: Source, tree: ast.AST) -> set[ast.AST]:
    """Return what stands in formulas of statements: they are written as in print.

    On a page these are lambdas, and the functions that lambdas of the page use.
    """
    formulas: set[ast.AST] = set()
    if source.path.suffix != ".md" and source.path.name != FORMULAS:
        return formulas
    for node in ast.walk(tree):
        named = isinstance(node, _FUNCTIONS) and node.name in source.formulas
        if named or isinstance(node, ast.Lambda):
            formulas.update(inner for inner in ast.walk(node) if inner is not node)
    return formulas


def _used(tree: ast.AST, names: set[str]) -> set[str]:
    """Return the names that lambdas use, and the functions of these names."""
    used: set[str] = set()
    for node in ast.walk(tree):
        function = isinstance(node, _FUNCTIONS) and node.name in names
        if function or isinstance(node, ast.Lambda):
            used |= _names(node)
    return used


def faults(source: Source) -> Iterator[Fault]:
    """Give what a text has that the house does not want."""
    tree = ast.parse(source.text)
    code = set(_token_lines(source.text, tree))
    excused = _fields(tree) | _formulas(source, tree)
    for node in ast.walk(tree):
        if node in excused:
            continue
        for words in _node_faults(node, code):
            line = getattr(node, "lineno", 0) + source.offset
            yield Fault(source.path, line, words)
    for block in cc_visit(source.text):
        if block.complexity > MOST_COMPLEX and source.path.name != FORMULAS:
            words = f"{block.name} is complex, {block.complexity} by radon"
            yield Fault(source.path, block.lineno + source.offset, words)


def main(places: list[str]) -> int:
    """Print the faults and the density of each place; return 1 if there is a fault."""
    passed = True
    for place in places:
        total = Density()
        texts = list(sources([Path(place)]))
        if not texts:
            print(f"{place}: nothing to read, style is of Python and of pages (.md)")
            continue
        for source in texts:
            total += density(source)
            for fault in faults(source):
                print(fault)
                passed = False
        print(f"{place}: {total}")
        passed = passed and not total.too_dense
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
