r"""Write a statement as a formula, and a counterexample as Python that stands alone, from the text that is checked.

A script needs python-flint alone: under a few lines of ball arithmetic, `alone.txt`, it has all texts as they are
decided, and asserts every hypothesis, and that the statement fails.
"""

import ast
import re
import unicodedata
from collections.abc import Iterable, Mapping
from graphlib import TopologicalSorter
from importlib import resources
from types import BuiltinFunctionType, FunctionType
from typing import Any

import numpy as np

from statements.arithmetic import Number
from statements.reading import BUILTINS, SourceError, Unit, resolve, rewritten

__all__ = ["formula", "name", "script", "typeset"]

RELATIONS = {ast.LtE: r"\le", ast.Lt: "<", ast.GtE: r"\ge", ast.Gt: ">", ast.Eq: "=", ast.NotEq: r"\ne", ast.In: r"\in"}
SIGNS = {"sum": r"\sum", "all": r"\forall", "any": r"\exists", "max": r"\max", "min": r"\min"}
#: How functions are written: a name, or what stands on the left and on the right of the argument.
FUNCTIONS: dict[str, str | tuple[str, str]] = {
    **{name: rf"\{name}" for name in ("log", "cosh", "sinh", "tanh", "cos", "sin", "max", "min")},
    "exp": ("e^{", "}"), "sqrt": (r"\sqrt{", "}"), "abs": (r"\left| ", r" \right|"), "len": (r"\left| ", r" \right|"),
    "floor": (r"\left\lfloor ", r" \right\rfloor"), "ceil": (r"\left\lceil ", r" \right\rceil"),
}  # fmt: skip
VARIANTS = {"phi": "varphi", "epsilon": "varepsilon", "lamda": "lambda"}
#: How tightly an expression binds, from a disjunction to a name.
OR, AND, NOT, RELATION, SUM, PRODUCT, SIGN, POWER, ATOM = range(9)
#: Marks that a line of a page holds.
WIDE = 80


def name(text: str) -> str:
    r"""Return a name as a formula: θ is \theta, c_star is c^*, γ_P is \gamma_P, Qθ is Q_\theta."""
    head, _, tail = text.partition("_")
    star, tail = tail.split("_")[0] == "star", re.sub(r"^star_?", "", tail)
    if split := re.match(r"^(\D+?)(\d+)$|^([A-Za-z])([^\x00-\x7f])$", head):
        head, tail = split[1] or split[3], (split[2] or split[4]) + tail
    words = unicodedata.name(head, "").split() if len(head) == 1 else []
    letter = VARIANTS.get(words[-1].lower(), words[-1].lower()) if words else ""
    shown = head if len(head) == 1 else rf"\operatorname{{{head}}}"
    if words[:1] == ["GREEK"]:
        shown = "\\" + (letter if "SMALL" in words else letter.capitalize())
    below = name(tail) if len(tail) == 1 and not tail.isdigit() else tail if len(tail) < 2 else rf"\mathrm{{{tail}}}"
    return shown + (f"_{{{below}}}".replace("_{_", "_{") if below else "") + "^*" * star


def _infix(node: ast.BinOp) -> tuple[str, int]:
    if isinstance(node.op, ast.Div | ast.FloorDiv):
        made = rf"\frac{{{expression(node.left)}}}{{{expression(node.right)}}}"
        return (made, POWER) if isinstance(node.op, ast.Div) else (rf"\left\lfloor {made} \right\rfloor", ATOM)
    if isinstance(node.op, ast.Pow):
        base = expression(node.left, ATOM)
        return (f"{{{base}}}" if "^" in base else base) + f"^{{{expression(node.right)}}}", POWER
    if isinstance(node.op, ast.Mult):
        right = expression(node.right, SIGN)
        return expression(node.left, PRODUCT) + (r" \cdot " if right[:1].isdigit() else r"\,") + right, PRODUCT
    sign, level = {ast.Add: ("+", PRODUCT), ast.Sub: ("-", PRODUCT)}.get(type(node.op), (r"\bmod", SIGN))
    return f"{expression(node.left, SUM)} {sign} {expression(node.right, level)}", SUM


def _over(node: Any, level: int) -> tuple[str, str]:
    over = []
    for part in node.generators:
        zipped = isinstance(part.iter, ast.Call) and ast.unparse(part.iter.func) == "zip"
        among = ast.Tuple(part.iter.args, ast.Load()) if zipped else part.iter
        within = "".join(rf",\ {expression(test)}" for test in part.ifs)
        over.append(rf"{expression(part.target)} \in {expression(among)}{within}")
    return f"_{{{', '.join(over)}}}", expression(node.elt, level)


def _call(node: ast.Call) -> tuple[str, int]:
    called, first = ast.unparse(node.func), node.args[0] if node.args else None
    if isinstance(first, ast.GeneratorExp | ast.ListComp) and called in SIGNS:
        quantified = called in ("all", "any")
        made = " ".join(_over(first, RELATION if quantified else PRODUCT))
        return SIGNS[called] + made, NOT if quantified else PRODUCT
    inside = [expression(item) for item in node.args]
    if called == "E" and len(inside) == 2:
        return rf"\mathbb{{E}}_{{{inside[0]}}}\left[{inside[1]}\right]", ATOM
    if isinstance(node.func, ast.Attribute) and node.func.attr == "diff":  # of an expression of SymPy
        return rf"\partial_{{{inside[0]}}} {expression(node.func.value, SIGN)}", SIGN
    known = FUNCTIONS.get(called)
    if isinstance(known, tuple):
        return known[0] + inside[0] + known[1], POWER if called == "exp" else ATOM
    if known and len(inside) == 1 and isinstance(first, ast.Name | ast.Constant):
        return f"{known} {inside[0]}", SIGN
    return rf"{known or name(called)}\left({', '.join(inside)}\right)", ATOM


def _level(node: Any) -> tuple[str, int]:
    match node:
        case ast.BinOp():
            return _infix(node)
        case ast.Call():
            return _call(node)
        case ast.Constant(value=int() | float()):
            return str(node.value), ATOM
        case ast.Name():
            return r"\pi" if node.id == "pi" else name(node.id), ATOM
        case ast.Compare():
            links = zip(node.ops, node.comparators, strict=True)
            parts = [f" {RELATIONS.get(type(how), '?')} {expression(side, SUM)}" for how, side in links]
            return expression(node.left, SUM) + "".join(parts), RELATION
        case ast.BoolOp():
            word, level = ("and", AND) if isinstance(node.op, ast.And) else ("or", OR)
            parts = [expression(value, level + 1) for value in node.values]
            return _joined(parts, rf"\text{{ {word} }}", rf"\\ \text{{{word} }}"), level
        case ast.UnaryOp(op=ast.USub()):
            return f"-{expression(node.operand, SIGN)}", SIGN
        case ast.UnaryOp():
            return rf"\text{{not }}{expression(node.operand, NOT)}", NOT
        case ast.Tuple() | ast.List():
            return rf"\left({', '.join(expression(item) for item in node.elts)}\right)", ATOM
        case ast.Subscript():
            below = r"\mathrm{last}" if ast.unparse(node.slice) == "-1" else expression(node.slice)
            base = expression(node.value, ATOM)
            return (f"{{{base}}}" if "_" in base else base) + f"_{{{below}}}", ATOM
        case ast.IfExp():
            yes, test, no = (expression(item) for item in (node.body, node.test, node.orelse))
            return rf"\begin{{cases}}{yes} & {test}\\ {no} & \text{{else}}\end{{cases}}", POWER
        case ast.GeneratorExp() | ast.ListComp():
            below, each = _over(node, OR)
            return rf"\left({each}\right){below}", ATOM
        case ast.Return(value=ast.Tuple(elts=parts)):
            return _joined(map(expression, parts), "", r",\\ ", wide=0), OR
        case ast.Return():
            return expression(node.value), OR
        case ast.Assign():
            return f"{expression(node.targets[0])} := {expression(node.value)}", OR
    text = re.sub(r"([\\_^{}#$%&~])", r"\\\1", ast.unparse(node).splitlines()[0])
    return rf"\texttt{{{text}}}", ATOM


def expression(node: Any, level: int = OR) -> str:
    """Return the formula of a piece of text, in brackets where it binds less tightly than `level`."""
    made, binds = _level(node)
    return made if binds >= level else rf"\left({made}\right)"


def _joined(parts: Iterable[str], sign: str, broken: str, wide: int = WIDE) -> str:
    """Return parts with a sign between, on as many lines as they need; `broken` stands between two lines."""
    lines: list[str] = []
    for part in parts:
        if lines and len(re.findall(r"\\[a-zA-Z]+|[^{}_^\s\\]", lines[-1] + part)) <= wide:
            part = lines.pop() + sign + part
        lines.append(part)
    return lines[0] if len(lines) == 1 else rf"\begin{{gathered}}{broken.join(lines)}\end{{gathered}}"


def formula(unit: Unit) -> str:
    """Return a text as a formula, its lines one below the other."""
    return _joined(map(expression, unit.tree.body), "", r"\\ ", wide=0)


def typeset(problem: Any) -> list[str]:
    """Return the formulas of a check: hypotheses and statement first, then what each name in them stands for."""
    quantities = {key: unit for key, unit, helper in problem.used() if not helper}
    stated = [*problem.hypotheses, problem.statement, *quantities.values()]
    helpers = {key: part for unit in stated for key, part in unit.uses.items() if key not in unit.parameters}
    given = [_joined(map(formula, problem.hypotheses), r",\ ", r",\\ ")] if problem.hypotheses else []
    main = _joined([*given, formula(problem.statement)], r"\ \Longrightarrow\ ", r"\\ \Longrightarrow\ ")
    where = [f"{name(key)} = {formula(unit)}" for key, unit in quantities.items()]
    for key, unit in helpers.items():
        where.append(rf"{name(key)}\left({', '.join(map(name, unit.parameters))}\right) = {formula(unit)}")
    return [main, *where]


def _text(unit: Unit, called: str) -> str:
    tree = rewritten(unit)
    tree.name = called
    own = set(unit.function.__code__.co_varnames)
    own |= {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and not node.id.startswith("_") and node.id not in own | set(unit.uses):
            value = resolve(unit.function, node.id)
            ours = isinstance(value, FunctionType) and value.__module__ in ("statements.arithmetic", "statements.space")
            if value is not None and not ours and not isinstance(value, BuiltinFunctionType | type):
                raise SourceError(f"{unit.called} uses {node.id}, which is not written out")
            if value in (max, min):
                node.id = BUILTINS[node.id].__name__
    return ast.unparse(tree) + "\n\n\n"


def _literal(value: Any) -> str:
    if isinstance(value, Number):
        return f"fmpq({int(value.value.p)}, {int(value.value.q)})"
    return str(value) if isinstance(value, int) else "V([" + ", ".join(map(_literal, value)) + "])"


def script(problem: Any, given: Mapping[str, Any], *, by_hand: bool) -> str:
    """Return the source of a check of one instance: what is `given`, or the text that gives it, the example by hand.

    Raises SourceError where a text calls what is neither of this package nor one of its helpers.
    """
    used = problem.used()
    helpers, quantities = ({name: unit for name, unit, helper in used if helper is kind} for kind in (True, False))
    if len(helpers) + len(quantities) < len(used):
        raise SourceError("two functions have one name")
    parts = [resources.files("statements").joinpath("alone.txt").read_text(encoding="utf-8"), "\n\n"]
    parts += [_text(unit, name) for name, unit in helpers.items()]
    parts += [_text(problem.example, "example")] if by_hand else []
    for name, value in given.items():
        said = f"V(example()[{name!r}])" if isinstance(value, np.ndarray) else f"example()[{name!r}]"
        parts.append(f"{name} = {said if by_hand else _literal(value)}\n")
    needs = {name: [key for key in unit.parameters if key in quantities] for name, unit in quantities.items()}
    for name in TopologicalSorter(needs).static_order():
        unit = quantities[name]
        parts.append(f"\n\n{_text(unit, f'make_{name}')}{name} = make_{name}({', '.join(unit.parameters)})\n")
    for unit in problem.hypotheses:
        parts.append(f"\n\n{_text(unit, 'hypothesis')}assert hypothesis({', '.join(unit.parameters)})\n")
    unit = problem.statement
    parts.append(f"\n\n{_text(unit, 'statement')}found = statement({', '.join(unit.parameters)})\n")
    return "".join([*parts, "assert not (all(found) if isinstance(found, tuple) else found)\n"])
