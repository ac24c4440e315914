r"""Write a statement as a formula, from the text that is checked; what no formula says is shown as source."""

import ast
import linecache
import re
import textwrap
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from operator import add
from typing import Any

from statements.reading import Unit

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


@dataclass(frozen=True)
class Written:
    """Hold how one text is shown: what it is named, its formula, "" where none says it, and its source."""

    name: str
    latex: str
    source: str


def formula(unit: Unit) -> str:
    """Return a text as a formula, or "" where it is more than one expression, or has parts that no formula says."""
    (made,) = map(expression, unit.tree.body) if len(unit.tree.body) == 1 else ("",)
    return "" if r"\texttt" in made else made


def source(unit: Unit, called: str) -> str:
    """Return a text as it stands in its file: `called = lambda ...`, or the lines of a function."""
    code = unit.function.__code__
    lines = linecache.getlines(code.co_filename, unit.function.__globals__)
    first, last = unit.tree.body[0], unit.tree.body[-1]
    if unit.function.__name__ != "<lambda>":
        return textwrap.dedent("".join(lines[code.co_firstlineno - 1 : last.end_lineno])).rstrip()
    line = lines[first.lineno - 1]
    head = f"{called} = lambda {', '.join(unit.parameters)}: ".replace("lambda :", "lambda:")
    text = ast.get_source_segment("".join(lines), first) or unit.text
    before = line.encode()[: first.col_offset].decode()
    if "\n" in text and not before.strip():  # in brackets of its own
        return f"{head}(\n{textwrap.indent(textwrap.dedent(before + text), '    ')}\n)"
    return head + text.replace("\n" + before[: len(before) - len(before.lstrip())], "\n")


def typeset(problem: Any) -> list[Written]:
    """Return how a check is shown: hypotheses and statement first, then each name that they use."""
    quantities = {key: unit for key, unit, helper in problem.used() if not helper}
    stated = [*problem.hypotheses, problem.statement, *quantities.values()]
    helpers = {key: part for unit in stated for key, part in unit.uses.items() if key not in unit.parameters}
    parts = [*map(formula, problem.hypotheses)]
    given = [_joined(parts, r",\ ", r",\\ ")] if parts else []
    main = _joined([*given, formula(problem.statement)], r"\ \Longrightarrow\ ", r"\\ \Longrightarrow\ ")
    texts = [source(unit, "given") for unit in problem.hypotheses] + [source(problem.statement, "statement")]
    found = [Written("", main if all([*parts, formula(problem.statement)]) else "", "\n".join(texts))]
    for key, unit in [*quantities.items(), *helpers.items()]:
        called = name(key)
        if key in helpers:
            called += rf"\left({', '.join(map(name, unit.parameters))}\right)"
        made = formula(unit)
        found.append(Written(key, made and f"{called} = {made}", source(unit, key)))
    return found
