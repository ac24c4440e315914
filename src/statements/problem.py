r"""A statement over a space, with hypotheses and quantities, read and ready to run."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from types import FunctionType
from typing import Any

import numpy as np

from statements.arithmetic import MODE, Function, Touching, Value, number
from statements.comparison import Truth, truth
from statements.rewrite import Unit, Use, make, read, used
from statements.space import Raws, Space, SpaceType

#: What a function may raise on an instance that it does not take; and in another
#: arithmetic than it was written for.
REFUSALS = (ArithmeticError, ValueError, TypeError, IndexError, RecursionError)
OPEN = (*REFUSALS, AttributeError, KeyError, NotImplementedError)

#: What names and hypotheses (their texts) of one instance stand for, as far as it is
#: computed.
Values = dict[Any, Value]


@dataclass(eq=False)
class Problem:
    """Hold a statement over a space, its hypotheses, quantities, and an example.

    `functions` has what each text makes. `least` is the first precision in bits that is
    worth a try. An `example` gives an instance by hand.
    """

    space: SpaceType
    hypotheses: Sequence[Unit]
    statement: Unit
    functions: Mapping[Unit, Function]
    quantities: Mapping[str, Unit] = field(default_factory=dict)
    example: Unit | None = None
    one_at_a_time: bool = False
    least: int = 0

    def used(self) -> list[Use]:
        """Return the quantities and helpers of the statement and its hypotheses."""
        return used([self.statement, *self.hypotheses])

    def value(self, name: str, values: Values) -> Value:
        """Return what a name stands for, and keep it among the values of the others."""
        if name not in values:
            if name not in self.quantities:
                raise KeyError(f"{name} is needed and not given")
            values[name] = self.of(self.quantities[name], values)
        return values[name]

    def of(self, unit: Unit, values: Values) -> Value:
        """Return what a text gives where its arguments have these values."""
        arguments = (self.value(name, values) for name in unit.parameters)
        return self.functions[unit](*arguments)

    def margins(self, values: Values) -> tuple[list[Value], Truth] | None:
        """Return the margins of the hypotheses, and how the statement comes out.

        Where numbers decide, and do not show that all hypotheses are met, it is None.
        The `values` of names and hypotheses are kept there.
        """
        for unit in self.hypotheses:
            if unit not in values:
                try:
                    values[unit] = truth(self.of(unit, values))
                except Touching:
                    return None
            if MODE.kind == "exact" and not values[unit]:
                return None
        margins = [values[unit].margin for unit in self.hypotheses]
        return margins, truth(self.of(self.statement, values))

    def by_hand(self) -> dict[str, Value]:
        """Return the example as its text gives it."""
        assert self.example is not None, "there is an example by hand"
        return dict(self.functions[self.example]())

    def instance(self, raws: Raws | None) -> Values:
        """Return an instance as numbers that decide; without raws the example.

        Raises KeyError where the example is none of the space.
        """
        if raws is not None:
            return self.space.values(raws, number)
        values: Values = {}
        for name, value in self.by_hand().items():
            item = self.space.coordinates.get(name)
            if item and item.vector:
                values[name] = np.array(list(value), dtype=object)
            else:
                values[name] = value
            if not (item and item.contains(values[name])):
                raise KeyError(
                    f"at gives {name} = {value!r}, which {self.space.__name__} does"
                    " not have"
                )
        return values


def listed(values: Any) -> list[Any]:
    """Return what there is, one or several, as a list; None is nothing."""
    if isinstance(values, list | tuple):
        return [*values]
    return [] if values is None else [values]


def spaces_of(on: object) -> list[SpaceType]:
    """Return the spaces of a check, one or several; raise TypeError for the rest."""
    spaces = listed(on)
    for space in spaces or [on]:
        if not (isinstance(space, type) and issubclass(space, Space)):
            raise TypeError(
                f"on must be a subclass of Space, or several, got {space!r}"
            )
    return spaces


def pose(
    on: object,
    statement: object,
    hypotheses: Iterable[object],
    at: object = None,
) -> Problem:
    """Read a statement over a space.

    `hypotheses` come after the constraints of the space, `at` is a lambda that gives
    the example by hand. Raises NameError where a text names what the space does not
    have.
    """
    (space,) = spaces_of(on)
    known: dict[FunctionType, Unit] = {}
    quantities = {name: read(f, name, known) for name, f in space.quantities.items()}
    stated = [
        read(f, "a hypothesis", known)
        for f in (
            *(item.constraint for item in space.constraints.values()),
            *hypotheses,
        )
    ]
    units = [*quantities.values(), *stated, read(statement, "the statement", known)]
    for unit in units:
        _bind(unit, space, quantities)
    example = read(at, "the example", known) if at else None
    functions = make(known.values())
    return Problem(space, stated, units[-1], functions, quantities, example)


def _bind(unit: Unit, space: SpaceType, quantities: Mapping[str, Unit]) -> None:
    """Let a text use the quantities that its parameters name."""
    names = {*space.coordinates, *space.quantities}
    for name in unit.parameters:
        if name not in names:
            near = ", ".join(get_close_matches(name, sorted(names))) or "-"
            raise NameError(
                f"{unit.called} names {name!r}, which {space.__name__} does not have;"
                f" near it: {near}"
            )
        if name in quantities:
            unit.uses[name] = quantities[name]
