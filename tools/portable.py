"""Run pages as on other processors, and say how far their data move: `make portable`.

`python tools/portable.py --help` lists the options.

The instruction set, the mathematics libraries and the number of threads are set by
variables that PyTorch, MKL, oneDNN, OpenBLAS and NumPy read when they start, so that
one machine stands for several. A figure passes where its largest distance is below a
tenth of its tolerance; a verdict has to be the accepted one. Means over chaotic runs
may use the whole of theirs: elsewhere they move by their standard error, of which the
tolerance is a multiple.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.build import alone
from companion.cli import jobs
from companion.ledger.claims import examine, load_claims, read_evidence
from companion.ledger.registry import load_registry
from companion.paths import CompanionError, Layout, write_whole
from companion.profiles import DEFAULT, PROFILES
from companion.run.cache import key_of
from companion.run.deviations import distances, last_line
from companion.run.execute import THREADS
from companion.run.runner import execute_apart
from companion.snapshots.compare import Distance

#: What a distance may be, in tolerances.
SHARE = 0.1
#: A page is one that trains where its sources lead to this file.
TRAINER = "src/mollified/training/network.py"
#: Of the other pages every so many-th is run, by name.
EACH = 8
#: What PyTorch, MKL, oneDNN, OpenBLAS and NumPy read when they start, the last one what
#: it must not use.
VARIABLES = (
    "ATEN_CPU_CAPABILITY",
    "MKL_CBWR",
    "ONEDNN_MAX_CPU_ISA",
    "OPENBLAS_CORETYPE",
    "NPY_DISABLE_CPU_FEATURES",
)
#: For PyTorch's name of each level: the names for MKL, oneDNN and OpenBLAS, and the
#: features that NumPy keeps.
LEVELS = {
    "default": ("COMPATIBLE", "SSE41", "Nehalem", ""),
    "avx2": ("AVX2", "AVX2", "Haswell", "X86_V3 AVX2 FMA3"),
    "avx512": ("AVX512", "AVX512_CORE", "SkylakeX", "X86_V3 X86_V4"),
}
#: The variable that turns training to float32, for the control.
TRAINING = "MOLLIFIED_TRAINING"


def emulated() -> dict[str, dict[str, str]]:
    """Return the processors that this machine can stand for, and how.

    Each has a name, and the variables that make it so.

    `as it is` changes nothing: it holds this machine against the one of the accepted
    data. `torch default` restricts PyTorch alone, `default` all libraries, to what any
    x86-64 has; `avx2` and `avx512` are left out where the processor has less.
    """
    from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__  # type: ignore[import-not-found]
    from torch.backends import cpu

    # elsewhere than on x86-64 it has other names
    levels = [*LEVELS]
    here = str(cpu.get_cpu_capability()).lower()
    able = levels[: levels.index(here) + 1] if here in levels else levels[:1]
    settings: dict[str, dict[str, str]] = {
        "as it is": {},
        "torch default": {VARIABLES[0]: "default"},
    }
    for name in able:
        *values, features = LEVELS[name]
        off = [
            feature
            for feature in __cpu_dispatch__
            if __cpu_features__[feature] and feature not in features.split()
        ]
        settings[name] = dict(
            zip(VARIABLES, [name, *values, " ".join(off)], strict=True)
        )
    for name in ("as it is", "default", *able[1:2]):
        settings[f"{name}, 2 threads"] = settings[name] | dict.fromkeys(THREADS, "2")
    return settings


def pages_that_train(layout: Layout, profile: str) -> list[str]:
    """Return the pages whose sources lead to the training of a network."""
    registry = load_registry(layout.registry)
    return [
        page
        for page in layout.pages()
        if TRAINER in key_of(layout, page, profile, registry).parts
    ]


def measure(
    layout: Layout,
    profile: str,
    pages: Sequence[str],
    name: str,
    variables: Mapping[str, str],
    jobs: int | None,
) -> tuple[list[tuple[str, Distance]], list[str]]:
    """Run pages under one setting.

    Returns the distance of each figure, and a line for all else that differs.
    """
    base = (
        layout.build / "portable" / profile / name.replace(", ", "-").replace(" ", "-")
    )
    entries = execute_apart(
        layout, pages, profile, base, jobs=jobs, variables=variables
    )
    other = [
        f"{page} failed: {last_line(entry.failed)}"
        for page, entry in entries.items()
        if entry.failed
    ]
    whole = {page: entry for page, entry in entries.items() if not entry.failed}
    figures = [
        (name.partition("/")[0], far)
        for name, far in distances(layout, whole, profile).items()
    ]
    evidence = read_evidence(entry.run / "evidence" for entry in whole.values())
    return figures, other + examine(load_claims(layout.root), evidence, ())[1]


@dataclass
class Report:
    """Collect how far figures are from the accepted ones, under all settings."""

    measured: list[Distance] = field(default_factory=list)
    differs: bool = False
    summary: dict[str, dict[str, float]] = field(default_factory=dict)

    def add(
        self, name: str, figures: Sequence[tuple[str, Distance]], other: Sequence[str]
    ) -> None:
        """Add a setting; print the farthest figure of each page, and all else."""
        print(f"\n{name}")
        farthest = dict(sorted(figures, key=lambda pair: pair[1].tolerances))
        for page, item in sorted(farthest.items()):
            print(f"  {page:24s} {item.figure}: {item}")
        print("".join(f"  {line}\n" for line in other), end="", flush=True)
        self.measured += [item for _, item in figures]
        self.differs = self.differs or bool(other)
        self.summary[name] = {item.figure: item.tolerances for _, item in figures}

    def farthest(self, *, runs: bool) -> float:
        """Return the largest distance: of means over chaotic runs, or of the others."""
        items = (item for item in self.measured if bool(item.runs) == runs)
        return max((item.tolerances for item in items), default=0.0)

    def result(self, *, control: bool) -> int:
        """Print the largest distances; return 0 where they are as they should be."""
        worst = self.farthest(runs=False)
        means = self.farthest(runs=True)
        verdicts = "differ" if self.differs else "agree"
        print(
            f"\nlargest distance: {worst:.3g} tolerances (allowed: {SHARE}); "
            f"verdicts {verdicts}"
        )
        if means:
            print(f"means over chaotic runs: {means:.3g} tolerances (allowed: 1)")
        within = worst <= SHARE
        if control:
            return 3 if within else 0
        return 0 if within and means <= 1 and not self.differs else 3


def pages_of(layout: Layout, options: Any) -> Sequence[str]:
    """Return the pages to run: those asked for, or those that train, and others."""
    if options.pages:
        return list(options.pages)
    training = pages_that_train(layout, options.profile)
    if options.control:
        return training
    others = [page for page in layout.pages() if page not in training]
    return [*training, *others[::EACH]]


def run_portable(layout: Layout, options: Any) -> int:
    """Run and report; return 0 within a tenth of tolerances, 3 elsewhere."""
    settings = emulated()
    if unknown := set(options.only or ()) - set(settings):
        raise CompanionError(
            f"--only takes {', '.join(map(repr, settings))}, got {', '.join(unknown)}"
        )
    pages = pages_of(layout, options)
    extra = {TRAINING: "float32"} if options.control else {}
    report = Report()
    with alone(layout):
        for name in options.only or settings:
            variables = settings[name] | extra
            figures, other = measure(
                layout, options.profile, pages, name, variables, options.jobs
            )
            report.add(name, figures, other)
    path = layout.build / "portable" / "report.json"
    write_whole(path, json.dumps(report.summary, indent=1) + "\n")
    return report.result(control=options.control)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what the command line asks for; return 0, or 3 where something differs.

    A mistake ends it with words.
    """
    parser = argparse.ArgumentParser(
        description="Run notebooks as on other processors."
    )
    parser.add_argument(
        "pages",
        nargs="*",
        metavar="PAGE",
        help="default: those that train, and some others",
    )
    parser.add_argument(
        "--root", type=Path, help="folder of the book (default: found upward from here)"
    )
    parser.add_argument("--profile", default=DEFAULT, choices=PROFILES)
    parser.add_argument(
        "--jobs",
        type=jobs,
        help="how many notebooks run side by side (default: all cores)",
    )
    parser.add_argument(
        "--only",
        action="append",
        metavar="SETTING",
        help="a setting; can be given again",
    )
    parser.add_argument(
        "--control", action="store_true", help="train in float32: has to differ"
    )
    options = parser.parse_args(arguments)
    try:
        return run_portable(
            Layout(options.root.resolve()) if options.root else Layout.find(), options
        )
    except CompanionError as error:
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    sys.exit(main())
