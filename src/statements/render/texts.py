r"""Write the texts of a check.

These are the statement with its hypotheses, and each quantity and helper that it uses.
"""

import ast
import linecache
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

from statements.problem import Problem
from statements.render.cases import truth
from statements.render.facts import is_proof, proof
from statements.render.formulas import Formula
from statements.render.lines import Parts, Pieces, display, separated
from statements.render.loops import Node, Term, Unset, called, entry, listed, loop
from statements.render.shapes import Shapes, shapes
from statements.render.sums import nothing
from statements.render.symbols import symbol
from statements.rewrite import Unit, Use, read, used, with_used


@dataclass(frozen=True)
class Written:
    """Hold how one text is shown.

    It has a name, a formula, "" where none says it, and a source.
    """

    name: str
    latex: str
    source: str


def typeset(problem: Problem) -> list[Written]:
    """Return how a check is shown.

    Hypotheses and statement come first, then each quantity and helper that they use.
    """
    units = [*problem.hypotheses, problem.statement]
    parts = problem.used()
    seen = shapes(problem)
    names = _names([*units, *(use.unit for use in parts)])
    texts = [source(unit, "given") for unit in problem.hypotheses]
    texts.append(source(problem.statement, "statement"))
    whole = Written("", _whole(units, seen, names), "\n".join(texts))
    return [whole, *_where(parts, seen, names)]


def proved(unit: Unit) -> list[Written]:
    """Return how a proof is shown, and the helpers that it uses."""
    parts = used([unit])
    whole = Written("", formula(unit), source(unit, "proof"))
    return [whole, *_where(parts, None, _names(with_used(unit)))]


def formula(unit: Unit) -> str:
    """Return a text about numbers, or a proof, as a formula.

    It is "" where no formula says all of it.
    """
    return _whole([unit], None, _names([unit]))


def value(text: str) -> str:
    """Return an exact value, as it stands in a line of words, as a formula.

    It is "" where no formula says it.
    """
    writer = Formula(read(lambda: None, "a value"), None, set())
    try:
        return writer.little(ast.parse(text, mode="eval").body)
    except (SyntaxError, Unset):
        return ""


def name(text: str) -> str:
    """Return a name as a formula."""
    return symbol(text).tex()


def _names(units: Iterable[Unit]) -> set[str]:
    """Return what the arguments of texts are named."""
    return {*chain.from_iterable(unit.parameters for unit in units)}


def _whole(
    units: Sequence[Unit],
    seen: Shapes | None,
    names: set[str],
) -> str:
    """Return the formula of hypotheses and a statement."""
    try:
        texts = [_statement(Formula(unit, seen, names)) for unit in units]
    except Unset:
        return ""
    *hypotheses, stated = texts
    if not hypotheses:
        return display(stated)
    before = separated(r",\quad ", hypotheses)
    return display([("", before), (r"\quad\Longrightarrow\quad ", stated)])


def _statement(writer: Formula) -> Parts:
    """Return a statement, or all that a tuple states, or a proof.

    A proof has the ranges of its arguments.
    """
    lines, result = _body(writer)
    if is_proof(result):
        return [("", proof(writer, result)), *_ranges(writer.unit), *lines]
    parts = result.elts if isinstance(result, ast.Tuple) else [result]
    stated = separated(r",\quad ", [writer.write(part)[0] for part in parts])
    return [("", stated), *lines]


def _ranges(unit: Unit) -> Pieces:
    """Return the ranges of the arguments of a proof."""
    texts = []
    for name, low, high in unit.spans():
        text = symbol(name).tex()
        if high:
            texts.append(rf"{low} \le {text} \le {high}".removeprefix(r" \le "))
        elif low:
            texts.append(rf"{text} \ge {low}")
    if not texts:
        return []
    return [(r"\qquad ", r"\text{for }" + r",\ ".join(texts))]


def _where(
    parts: Iterable[Use],
    seen: Shapes | None,
    names: set[str],
) -> list[Written]:
    """Return the quantities and then the helpers that texts use."""
    shown = []
    for key, unit, helper in sorted(parts, key=lambda part: part[2]):
        try:
            latex = display(_definition(key, Formula(unit, seen, names), helper))
        except Unset:
            latex = ""
        shown.append(Written(key, latex, source(unit, key)))
    return shown


def _definition(
    key: str,
    writer: Formula,
    helper: bool,
) -> Parts:
    """Return what a name stands for; of a list that one loop makes its entries."""
    lines, result = _body(writer)
    term = Term(symbol(key), None)
    names = writer.unit.parameters
    if helper and names:
        term = Term(f"{symbol(key).tex()}({listed(names)})", None)
    return [("", _equation(writer, term, result)), *lines]


def _equation(
    writer: Formula,
    term: Term,
    node: Node,
) -> Parts:
    """Return what a term stands for; of a list that one loop makes its entries."""
    shape = writer.shape(node)
    if shape and shape.levels and _made_by_loop(writer, node):
        with writer.scope():
            index = writer.letter(node)
            left = term.at(index).tex()
            return [("", left), (" = ", entry(writer, node, index)[0].tex())]
    sign = r" \iff " if truth(node) else " = "
    return [("", term.tex()), (sign, writer.write(node)[0])]


def _made_by_loop(writer: Formula, node: Node) -> bool:
    """Tell whether a vector is made by one loop, or of a number by `0 * x +`."""
    match node:
        case ast.BinOp(left=left, right=right):
            if _made_by_loop(writer, left) or _made_by_loop(writer, right):
                return True
            return nothing(left) and not isinstance(right, ast.Tuple | ast.List)
        case ast.ListComp(generators=[ast.comprehension(ifs=[])]):
            with writer.scope():
                return r"\in" not in loop(writer, node.generators).below()
        case ast.Call(func=ast.Attribute(attr="array"), args=[inner]):
            return _made_by_loop(writer, inner)
    return False


def _body(writer: Formula) -> tuple[Pieces, Node]:
    """Return the lines that set names, and what a text gives.

    Raises Unset where it does anything else.
    """
    *first, last = _branches(writer.unit.tree.body)
    if not isinstance(last, ast.Return) or last.value is None:
        raise Unset("no value at the end")
    pairs: list[tuple[str, Node]] = []
    for line in first:
        pairs += _assigned(line)
    lines: Pieces = []
    for name, node in pairs:
        if name in writer.terms:
            raise Unset("a name that is set twice")
        if called(node)[0] == "range":
            writer.ranges[name] = node
            continue
        term = Term(symbol(name), writer.shape(node))
        sign = r",\quad " if lines else r"\quad\text{where }"
        lines.append((sign, _equation(writer, term, node)))
        writer.terms[name] = term
    return lines, last.value


def _assigned(line: ast.stmt) -> list[tuple[str, Node]]:
    """Return the names that a line sets, and to what."""
    match line:
        case ast.Assign([ast.Name(id=name)], value):
            return [(name, value)]
        case ast.Assign([ast.Tuple(elts=targets)], ast.Tuple(elts=values)):
            names = [target.id for target in targets if isinstance(target, ast.Name)]
            if len(names) == len(targets) == len(values):
                return [*zip(names, values, strict=True)]
    raise Unset("more than names that are set")


def _branches(body: list[ast.stmt]) -> list[ast.stmt]:
    """Return a body with `if ...: return ...` made one expression."""
    match body:
        case [ast.If(test, [ast.Return(value=ast.expr() as yes)], []), *rest]:
            match _branches(rest):
                case [ast.Return(value=ast.expr() as no)]:
                    return [ast.Return(ast.IfExp(test, yes, no))]
        case [_]:
            return body
    return [body[0], *_branches(body[1:])]


def source(unit: Unit, called: str) -> str:
    """Return a text as it stands in its file.

    That is `called = lambda ...`, or the lines of a function.
    """
    code = unit.function.__code__
    lines = linecache.getlines(code.co_filename, unit.function.__globals__)
    if unit.function.__name__ != "<lambda>":
        last = unit.tree.body[-1].end_lineno
        text = "".join(lines[code.co_firstlineno - 1 : last])
        return textwrap.dedent(text).rstrip()
    text = ast.get_source_segment("".join(lines), unit.tree) or unit.text
    line = lines[unit.tree.lineno - 1]
    indent = line[: len(line) - len(line.lstrip())]
    return f"{called} = " + text.replace("\n" + indent, "\n")
