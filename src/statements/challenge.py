r"""Near misses of a statement that holds: made from its text, tried, and named in words that teach.

Right sides that ask for more by 2, 10, 50, 100 %, constants moved by 3 %, signs, terms left out, cosh for sinh, max for
min, < for <=, hypotheses left out, whole arguments moved by one; in the statement, and in what it uses.
"""

import ast
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from statements.reading import OPERATORS, Unit, make, resolve, used
from statements.search import REFUSALS, Batch, Problem, decide, look

#: By how much right sides are moved; how the words for a change of a definition say that it is one.
SHARES, DEFINITION = (0.02, 0.1, 0.5, 1.0), " in the definition of "
SWAPS = {
    "cosh": "sinh", "sinh": "cosh", "tanh": "sinh", "floor": "ceil", "ceil": "floor", "max": "min", "min": "max",
    "all": "any", "any": "all",
}  # fmt: skip
STRICTER: dict[type[ast.cmpop], type[ast.cmpop]] = {ast.LtE: ast.Lt, ast.GtE: ast.Gt}
SKIPPED = {"range", "len", "zip", "enumerate"}
#: Instances of each size that a near miss is tried on, and exact decisions for each.
TRIED_ON, DECISIONS, FIRST = 200, 4, 8


@dataclass
class Challenge:
    """Hold near misses in words: refuted by an exact instance, surviving, or broken."""

    refuted: list[str] = field(default_factory=list)
    survived: list[str] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)

    @property
    def tried(self) -> int:
        """How many are counted."""
        return len(self.refuted) + len(self.survived) + len(self.broken)

    def line(self) -> str:
        """Return one line for the reader; of right sides the largest share that survives."""
        sides = {text.partition(" % ")[0].rpartition(" ")[0]: text for text in self.survived if " % " in text}
        named = [*sides.values(), *(text for text in self.survived if " % " not in text)]
        stated = [text for text in named if DEFINITION not in text]
        parts = [f"{len(self.refuted)} of {self.tried} stronger statements refuted"]
        parts += ["not refuted on the instances tried: " + ", ".join(stated)] if stated else []
        more = {"not refuted, of definitions": len(named) - len(stated), "not computable": len(self.broken)}
        return "; ".join([*parts, *(f"{count} {words}" for words, count in more.items() if count)])


class Edit(NamedTuple):
    """Hold a change of a text: what takes whose place, its kind, words that name it; right sides have a `group`."""

    unit: Unit
    old: ast.AST
    new: ast.AST
    kind: str
    words: str
    group: str = ""


def _changes(node: ast.AST, above: ast.AST | None, unit: Unit, whole: set[str], place: str) -> Iterator[Any]:
    """Give kind, new node and words for each change of one node, and the group of right sides; `place` names it."""
    text = f"`{ast.unparse(node)}`" if isinstance(node, ast.expr) else ""

    def become(kind: str, new: ast.expr) -> tuple[str, ast.AST, str]:
        return kind, new, f"{text} could be `{ast.unparse(new)}`"

    match node:
        case ast.Compare(left=left, ops=ops, comparators=sides) if place:
            for at, (how, side) in enumerate(zip(ops, sides, strict=True)):
                rest = [ast.Compare(side, ops[at + 1 :], sides[at + 1 :])] if sides[at + 1 :] else []  # it stays there
                sign, larger = (1, "larger") if isinstance(how, ast.GtE | ast.Gt | ast.Eq) else (-1, "smaller")
                for share in SHARES if type(how) in OPERATORS and not isinstance(how, ast.NotEq) else ():
                    moved = ast.Call(ast.Name("_moved", ast.Load()), [side, ast.Constant(sign * share)], [])
                    words = f"`{ast.unparse(side)}` could be {100 * share:.0f} % {larger}"
                    head = ast.Compare(left, ops[: at + 1], [*sides[:at], moved])
                    yield "side", ast.BoolOp(ast.And(), [head, *rest]), words, f"{place}.{at}"
                if type(how) in STRICTER:
                    strict = ast.Compare(left, [*ops[:at], STRICTER[type(how)](), *ops[at + 1 :]], sides)
                    yield "strict", strict, "the inequality could be strict"
        case ast.Constant(value=int() | float() as value) if value and value is not True:
            within = f" in `{ast.unparse(above)}`" if isinstance(above, ast.expr) else ""
            for new in (float(f"{value * factor:.12g}") for factor in (1.03, 0.97)):
                yield "constant", ast.Constant(new), f"{text} could be `{new:.6g}`{within}"
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as sign, right=right):
            added = isinstance(sign, ast.Add)
            yield become("sign", ast.BinOp(left, ast.Sub() if added else ast.Add(), right))
            yield "term", left, f"`{ast.unparse(right)}` could be left out of {text}"
            alone = right if added else ast.UnaryOp(ast.USub(), right)
            yield "term", alone, f"`{ast.unparse(left)}` could be left out of {text}"
        case ast.UnaryOp(op=ast.USub(), operand=operand) if not isinstance(operand, ast.Constant):
            yield "sign", operand, f"{text} could have the other sign"
        case ast.Call(func=ast.Name(id=name), args=arguments) if resolve(unit.function, SWAPS.get(name, "")):
            yield become("function", ast.Call(ast.Name(SWAPS[name], ast.Load()), arguments, []))
        case ast.Name(id=name, ctx=ast.Load()) if name in whole:
            for step in (ast.Add(), ast.Sub()):
                yield become("argument", ast.BinOp(ast.Name(name, ast.Load()), step, ast.Constant(1)))


def _sites(node: ast.AST, above: ast.AST | None = None) -> Iterator[tuple[ast.AST, ast.AST | None]]:
    """Give the nodes that may be changed, with what they stand in: none inside an index or a range."""
    yield node, above
    skipped = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in SKIPPED
    for child in () if skipped else ast.iter_child_nodes(node):
        if not (isinstance(node, ast.Subscript) and child is node.slice):
            yield from _sites(child, node)


def edits(unit: Unit, called: str, whole: Iterable[str] = (), *, right_sides: bool = False) -> list[Edit]:
    """Return all changed texts of a unit; `called` says in words what it is, `whole` names integer arguments."""
    ending, arguments = f"{DEFINITION}`{called}`" * bool(called), {*whole} & {*unit.parameters}
    found = [
        Edit(unit, node, new, kind, words + ending, *group)
        for place, (node, above) in enumerate(_sites(unit.tree))
        for kind, new, words, *group in _changes(node, above, unit, arguments, str(place) * right_sides)
    ]
    return sorted(found, key=lambda edit: edit.kind != "side")


def _refutes(problem: Problem, view: Batch, wanted: Any) -> str:
    """Decide exactly a few instances that floats call violated or undefined, from the clearest to the least."""
    rows = np.flatnonzero(wanted & ~(view.margin >= 0))
    order = np.argsort(np.nan_to_num(view.margin[rows], nan=-1e-9), kind="stable")
    rows = rows[order][:: max(1, len(rows) // 99)]
    outcome = "holds"
    for k in dict.fromkeys(k * (len(rows) - 1) // (DECISIONS - 1) for k in range(DECISIONS)) if len(rows) else ():
        found = decide(problem, view.raws(rows[k]))
        if found.outcome == "fails":
            return "refuted"
        outcome = "broken" if found.outcome == "undefined" else outcome
    return outcome


def _stronger(old: Batch, new: Batch) -> Any:
    """Return on which instances a near miss asks for more, by its gaps or by what it leaves to be met."""
    pairs = zip(old.gaps, new.gaps, strict=True) if len(old.gaps) == len(new.gaps) else [(old.margin, new.margin)]
    more = ~old.feasible
    with np.errstate(all="ignore"):
        for before, after in pairs:
            more |= ~(after >= before - 1e-9 * (1e-3 + np.abs(before) + np.abs(after)))
    return new.feasible & more


def _sample(batch: Batch, rng: np.random.Generator, most: int) -> Any:
    """Return instances of all sorts: the worst, random ones, and some that miss a hypothesis."""
    inside, outside = np.flatnonzero(batch.feasible), np.flatnonzero(~batch.feasible)
    worst = inside[np.argsort(np.nan_to_num(batch.margin[inside], nan=-1.0))[: most // 4]]
    rows = np.unique(np.r_[worst, rng.permutation(inside)[:most], rng.permutation(outside)[: most // 3]])
    return batch.cube[:, rows]


def challenge(problem: Problem, batches: Sequence[Batch], rng: np.random.Generator, most: int) -> Challenge:
    """Try `most` near misses of a statement on its instances; its hypotheses, not those of the space, are left out."""
    found, settled = Challenge(), set()
    for row, unit in [*enumerate(problem.hypotheses)][len(problem.space.constraints) :]:
        rest = replace(problem, hypotheses=[item for item in problem.hypotheses if item is not unit])
        left = [(b, ~(np.delete(b.hypotheses, row, axis=0) < 0).any(axis=0) & (b.hypotheses[row] < 0)) for b in batches]
        refuted = any(_refutes(rest, b, wanted) == "refuted" for b, wanted in left)
        (found.refuted if refuted else found.survived).append(f"the hypothesis `{unit.text}` is not needed")
    few, found_at = problem.one_at_a_time, dict[int, list[Any]]()
    for batch in batches[::-1]:  # what an attack found is the narrowest, and comes first
        found_at.setdefault(batch.size, []).append(_sample(batch, rng, TRIED_ON // 5 if few else TRIED_ON))
    cubes = [(size, np.concatenate(parts, axis=1)) for size, parts in found_at.items()]
    if few:  # most near misses fail on the first few
        first = [(size, cube[:, ::FIRST]) for size, cube in cubes]
        cubes = [*first, *((size, np.delete(cube, np.s_[::FIRST], axis=1)) for size, cube in cubes)]
    base: list[Batch] = []
    for size, cube in cubes:
        with suppress(*REFUSALS):
            base += [look(problem, size, cube)] if cube.size else []
    whole = [name for name, item in problem.space.coordinates.items() if item.whole]
    texts = edits(problem.statement, "", whole, right_sides=True)
    for unit in dict.fromkeys(unit for _, unit, _ in problem.used()):
        texts += edits(unit, unit.called, whole)
    for edit in texts[:most]:
        if edit.group and edit.group in settled:
            continue
        outcome = _try(problem, edit, base)
        settled |= {edit.group} if outcome == "refuted" else set()
        if outcome != "weaker":
            getattr(found, outcome).append(edit.words)
    return found


def _touched(problem: Problem, edited: Unit) -> set[Any]:
    """Return the names of quantities, and the hypotheses, that a change of one text may change."""
    kept: list[tuple[Any, Unit]] = [(name, unit) for name, unit, helper in problem.used() if not helper]
    kept += [(unit, unit) for unit in problem.hypotheses]
    return {key for key, unit in kept if edited in (unit, *(part for _, part, _ in used([unit])))}


def _try(problem: Problem, edit: Edit, base: Sequence[Batch]) -> str:
    near, asked, broken = replace(problem, made=make(problem.made, *edit[:3])), False, False
    touched = _touched(problem, edit.unit)
    for batch in base:
        try:
            view = look(near, batch.size, batch.cube, batch, touched)
        except REFUSALS:
            broken = True
            continue
        wanted = view.feasible if edit.kind == "strict" else _stronger(batch, view)
        if wanted.any():
            asked, outcome = True, _refutes(near, view, wanted)
            if outcome == "refuted":
                return outcome
            broken |= outcome == "broken"
    return "broken" if broken else "survived" if asked else "weaker"
