r"""Write a statement as a formula, and a counterexample as Python that stands alone, from the text that is checked.

A script needs python-flint alone: under a few lines of ball arithmetic, `alone.txt`, it has all texts as they are
decided, and asserts every hypothesis, and that the statement fails.
"""

import ast
import re
import unicodedata
from collections.abc import Iterable, Mapping
from importlib import resources
from operator import add
from types import BuiltinFunctionType, FunctionType
from typing import Any

from statements.arithmetic import Number
from statements.reading import SourceError, Unit, names, resolve, rewritten

RELATIONS = {ast.LtE: r"\le", ast.Lt: "<", ast.GtE: r"\ge", ast.Gt: ">", ast.Eq: "=", ast.NotEq: r"\ne", ast.In: r"\in"}
SIGNS = {"sum": r"\sum", "all": r"\forall", "any": r"\exists", "max": r"\max", "min": r"\min"}
#: How tightly an expression binds, from a disjunction to a name.
OR, AND, NOT, RELATION, SUM, PRODUCT, SIGN, POWER, ATOM = range(9)
#: How functions are written that are not a name with arguments, and how tightly that binds.
FUNCTIONS = {
    "exp": ("e^{{{}}}", POWER), "sqrt": (r"\sqrt{{{}}}", ATOM), "E": (r"\mathbb{{E}}_{{{}}}\left[{}\right]", ATOM),
    "abs": (r"\left| {} \right|", ATOM), "len": (r"\left| {} \right|", ATOM),
    "floor": (r"\left\lfloor {} \right\rfloor", ATOM), "ceil": (r"\left\lceil {} \right\rceil", ATOM),
}  # fmt: skip
NAMED = {"log", "cosh", "sinh", "tanh", "cos", "sin", "max", "min"}
#: How operations are written, how tightly that binds, and how tightly its two sides have to.
OPERATIONS: dict[type[ast.operator], tuple[str, int, int, int]] = {
    ast.Add: ("{} + {}", SUM, SUM, PRODUCT), ast.Sub: ("{} - {}", SUM, SUM, PRODUCT),
    ast.Mod: (r"{} \bmod {}", SUM, SUM, SIGN), ast.Mult: (r"{}\,{}", PRODUCT, PRODUCT, SIGN),
    ast.Div: (r"\frac{{{}}}{{{}}}", POWER, OR, OR), ast.Pow: ("{}^{{{}}}", POWER, ATOM, OR),
    ast.FloorDiv: (r"\left\lfloor \frac{{{}}}{{{}}} \right\rfloor", ATOM, OR, OR),
}  # fmt: skip
VARIANTS = {"phi": "varphi", "epsilon": "varepsilon", "lamda": "lambda"}
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


def _braced(base: str, mark: str) -> str:
    return f"{{{base}}}" if mark in base else base


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
    if isinstance(node.func, ast.Attribute) and node.func.attr == "diff":  # of an expression of SymPy
        return rf"\partial_{{{inside[0]}}} {expression(node.func.value, SIGN)}", SIGN
    if called in FUNCTIONS:
        form, level = FUNCTIONS[called]
        return form.format(*inside), level
    shown = rf"\{called}" if called in NAMED else name(called)
    if called in NAMED and len(inside) == 1 and isinstance(first, ast.Name | ast.Constant):
        return f"{shown} {inside[0]}", SIGN
    return rf"{shown}\left({', '.join(inside)}\right)", ATOM


def _level(node: Any) -> tuple[str, int]:
    match node:
        case ast.BinOp(left=left, op=how, right=right) if type(how) in OPERATIONS:
            form, level, *least = OPERATIONS[type(how)]
            first, second = map(expression, (left, right), least)
            if isinstance(how, ast.Mult) and second[:1].isdigit():
                form = r"{} \cdot {}"
            return form.format(_braced(first, "^") if isinstance(how, ast.Pow) else first, second), level
        case ast.Call():
            return _call(node)
        case ast.Constant(value=int() | float()):
            return str(node.value), ATOM
        case ast.Name():
            return r"\pi" if node.id == "pi" else name(node.id), ATOM
        case ast.Compare():
            signs = ["", *(f" {RELATIONS.get(type(how), '?')} " for how in node.ops)]
            sides = [expression(side, SUM) for side in (node.left, *node.comparators)]
            return "".join(map(add, signs, sides)), RELATION
        case ast.BoolOp():
            word, level = ("and", AND) if isinstance(node.op, ast.And) else ("or", OR)
            parts = [expression(value, level + 1) for value in node.values]
            return _joined(parts, rf"\text{{ {word} }}", rf"\\ \text{{{word} }}"), level
        case ast.UnaryOp(op=how, operand=operand):
            sign, level = ("-", SIGN) if isinstance(how, ast.USub) else (r"\text{not }", NOT)
            return sign + expression(operand, level), level
        case ast.Tuple() | ast.List():
            return rf"\left({', '.join(expression(item) for item in node.elts)}\right)", ATOM
        case ast.Subscript():
            below = r"\mathrm{last}" if ast.unparse(node.slice) == "-1" else expression(node.slice)
            return _braced(expression(node.value, ATOM), "_") + f"_{{{below}}}", ATOM
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
    own = {*unit.function.__code__.co_varnames, *unit.uses}
    own |= {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    for key in names(tree) - own:
        value = resolve(unit.function, key)
        ours = isinstance(value, FunctionType) and value.__module__ == "statements.arithmetic"
        if value is not None and not ours and not isinstance(value, BuiltinFunctionType | type):
            raise SourceError(f"{unit.called} uses {key}, which is not written out")
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
    if len({(key, helper) for key, _, helper in used}) < len(used):
        raise SourceError("two functions have one name")
    parts = [resources.files("statements").joinpath("alone.txt").read_text(encoding="utf-8"), "\n\n"]
    parts += [_text(unit, key if helper else f"make_{key}") for key, unit, helper in used]
    if by_hand:
        parts += [_text(problem.example, "example"), "_given(example())\n"]
    else:
        parts += [f"_values[{key!r}] = {_literal(value)}\n" for key, value in given.items()]
    for unit in problem.hypotheses:
        parts.append(f"\n\n{_text(unit, 'hypothesis')}assert _value(hypothesis)\n")
    parts.append(f"\n\n{_text(problem.statement, 'statement')}found = _value(statement)\n")
    return "".join([*parts, "assert not (all(found) if isinstance(found, tuple) else found)\n"])
