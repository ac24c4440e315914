"""The page of a notebook that is verified: it records as ever, draws nothing, and computes a figure only when asked.

What a figure's table or facts decide is computed again and compared with the accepted data; a picture decides nothing.
"""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

from companion.figures import compute
from companion.page import Page
from companion.paths import Layout
from companion.references import FigureChanged, check_key, compare_with_reference, table_text
from companion.registry import FigureSpec
from companion.shown import Figure, Shown, non_empty

__all__ = ["FIGURES", "FigureOnDemand", "VerifiedPage"]

#: The file beside the evidence that says what became of each figure of the page.
FIGURES = "figures.json"


def _compare(layout: Layout, spec: FigureSpec, profile: str, params: dict[str, Any], table: Any) -> dict[str, str]:
    """Return the state of a figure that was computed: identical, within its tolerance, or changed, and how."""
    try:
        if params != spec.parameters(profile):
            raise FigureChanged(f"figure {spec.id} is made with parameters that differ from data/figures.yml")
        compare_with_reference(layout, spec, profile, table)
    except FigureChanged as error:
        return {"state": "changed", "message": str(error)}
    same = layout.reference(profile, spec.id).read_text(encoding="utf-8") == table_text(spec.id, table)
    return {"state": "identical" if same else "within tolerance"}


class FigureOnDemand(Figure):
    """A figure whose `table` and `facts` are computed, and compared, when a cell first reads one of them."""

    def __init__(self, page: VerifiedPage, spec: FigureSpec, overrides: dict[str, Any]) -> None:
        self.id = spec.id
        self._page, self._spec, self._overrides = page, spec, overrides
        self.params = spec.parameters(page.profile, overrides)

    def __getattr__(self, name: str) -> Any:
        """Compute the table and the facts, then return the one that is asked for."""
        if name not in ("table", "facts"):
            raise AttributeError(f"figure {self.__dict__.get('id')!r} has no {name!r} where it is verified")
        self.table, self.facts = self._page.computed(self._spec, self._overrides)
        return self.__dict__[name]

    def __repr__(self) -> str:
        return f"Figure {self.id}; call .show(caption=..., alt=...)"

    def show(self, caption: str, alt: str) -> Shown:
        """Return the text for who cannot see the figure; raise ValueError where it or the caption is empty."""
        text = f"Figure {self.id}: {non_empty('alt', alt)}"
        return Shown(non_empty("caption", caption), text, text)


class VerifiedPage(Page):
    """The run of one notebook that is verified: evidence, solutions and values as in a build, no pictures.

    A figure with other data than the accepted ones is noted, and the notebook goes on.
    """

    def __init__(self, name: str, profile: str = "quick") -> None:
        super().__init__(name, profile)
        self._figures: dict[str, dict[str, Any]] = {}
        self._note_figures()

    def figure(self, figure: str, table: Any = None, draw: Any = None, **overrides: Any) -> Figure:
        """Return a figure of this page that is not drawn; what the registry computes is computed on demand.

        Raises CompanionError for an unknown figure, or a figure of another page.
        """
        spec = self._spec(figure, table, draw)
        self._figures.setdefault(spec.id, {"state": "not asked for"})
        shown = FigureOnDemand(self, spec, overrides)
        if table is not None:
            check_key(spec, table)
            shown.table, shown.facts = table, {}
            self._note(spec, {}, table, 0.0)
        self._note_figures()
        return shown

    def computed(self, spec: FigureSpec, overrides: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
        """Return table and facts of a figure, and note how the table compares with the accepted one."""
        started = time.process_time()
        table, facts, params = compute(spec, self.profile, overrides)
        self._note(spec, params, table, round(time.process_time() - started, 3))
        self._note_figures()
        return table, facts

    def _note(self, spec: FigureSpec, params: dict[str, Any], table: Any, seconds: float) -> None:
        state = _compare(self._layout, spec, self.profile, params, table)
        if self._figures[spec.id]["state"] != "changed":  # a figure asked for twice is as good as its worst
            self._figures[spec.id] = {**state, "processor_seconds": seconds}

    def _note_figures(self) -> None:
        path = Path(self.directory) / FIGURES
        path.write_text(json.dumps(self._figures, indent=1, sort_keys=True) + "\n", encoding="utf-8", newline="\n")
