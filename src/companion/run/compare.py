"""Execute every notebook and say which verdicts and figures differ: `python -m companion.run.compare`.

No page is written. One report names all that differs under other versions of the libraries: verdicts, figures,
notebooks that failed, and the versions themselves.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from companion.ledger.claims import LedgerError, examine, load_claims, read_evidence
from companion.paths import CompanionError, Layout, json_text, write_whole
from companion.profiles import DEFAULT, check_profile
from companion.run.build import alone
from companion.run.notices import changed_figures, last_line, tables_of
from companion.run.provenance import versions
from companion.run.runner import execute_apart

__all__ = ["Comparison", "compare_run", "main", "report", "write_report"]

#: The status of a comparison that found a difference; 1 means that it could not be made.
DIFFERS = 3


@dataclass(frozen=True)
class Comparison:
    """Hold what differs: each list has one line a difference, and is empty where there is none."""

    profile: str
    pages: int
    verdicts: list[str] = field(default_factory=list)
    figures: list[str] = field(default_factory=list)
    failures: dict[str, str] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)

    @property
    def differs(self) -> bool:
        """Whether anything is not as accepted."""
        return bool(self.verdicts or self.figures or self.failures)


def _verdicts(layout: Layout, runs: Mapping[str, Path]) -> list[str]:
    """Return a line for each claim of these pages that does not come out as the ledger says."""
    own = [claim for claim in load_claims(layout.root) if claim.notebook in runs]
    names = {claim.id for claim in own}
    evidence = [item for item in read_evidence(run / "evidence" for run in runs.values()) if item.claim in names]
    return examine(own, evidence, ())[1]


def _figures(layout: Layout, runs: Mapping[str, Path], profile: str) -> list[str]:
    """Return a line for each figure of these pages whose data are not the accepted ones, or that was not made."""
    changed = changed_figures(layout, runs, profile)
    return [
        changed[f"{page}/{spec.id}"].finding if path.is_file() else f"figure {spec.id} was not made by {page}"
        for page, spec, path in tables_of(layout, runs)
        if not path.is_file() or f"{page}/{spec.id}" in changed
    ]


def compare_run(
    layout: Layout,
    profile: str,
    pages: Sequence[str] = (),
    jobs: int = 2,
    *,
    base: Path | None = None,
    variables: Mapping[str, str] | None = None,
) -> Comparison:
    """Execute notebooks, all by default, from the start, and compare; kept executions are neither used nor made.

    `base` receives a folder for each page; `variables` are added to the environment of the notebooks. Raises
    CompanionError for an unknown profile or page.
    """
    base = base or layout.build / "compare" / profile
    chosen = list(pages) or layout.pages()
    failures = execute_apart(layout, chosen, {"profile": check_profile(profile)}, base, jobs=jobs, variables=variables)
    runs = {page: base / page / "run" for page in sorted(chosen) if page not in failures}
    try:
        verdicts = _verdicts(layout, runs)
    except LedgerError as error:
        raise CompanionError(f"the ledger or the evidence cannot be read:\n{error}") from error
    return Comparison(profile, len(chosen), verdicts, _figures(layout, runs, profile), failures, versions())


def _listed(title: str, lines: Sequence[str]) -> str:
    return "\n".join([f"### {title} ({len(lines)})", "", *(f"- {line}" for line in lines)]) if lines else ""


def report(comparison: Comparison) -> str:
    """Return the comparison as Markdown, most important first."""
    had = ", ".join(f"{name} {version}" for name, version in comparison.versions.items())
    failed = [f"`{page}`: {last_line(text)}" for page, text in comparison.failures.items()]
    parts = [
        f"{comparison.pages} notebooks, profile {comparison.profile}, with {had}.",
        "" if comparison.differs else "Every verdict and every figure is as accepted.",
        _listed("Verdicts that changed", comparison.verdicts),
        _listed("Figures that changed", comparison.figures),
        _listed("Notebooks that failed", failed),
    ]
    parts += [
        f"<details><summary>{page}</summary>\n\n```\n{text.strip()[-3000:]}\n```\n\n</details>"
        for page, text in comparison.failures.items()
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def write_report(comparison: Comparison, folder: Path) -> None:
    """Write `report.md` for people and `report.json` for programs."""
    write_whole(folder / "report.md", report(comparison))
    write_whole(folder / "report.json", json_text({**asdict(comparison), "differs": comparison.differs}))


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare and write the report; return 0 where all is as accepted, 3 where something differs, 1 for an error."""
    parser = argparse.ArgumentParser(
        prog="python -m companion.run.compare", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("pages", nargs="*", metavar="PAGE", help="names of notebooks (default: all)")
    parser.add_argument("--profile", default=DEFAULT)
    parser.add_argument("--jobs", type=int, default=2, help="how many notebooks run side by side (default 2)")
    options = parser.parse_args(arguments)
    try:
        layout = Layout.find()
        with alone(layout):
            found = compare_run(layout, options.profile, options.pages, options.jobs)
            write_report(found, layout.build / "compare")
    except CompanionError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    print(report(found))
    return DIFFERS if found.differs else 0


if __name__ == "__main__":
    raise SystemExit(main())
