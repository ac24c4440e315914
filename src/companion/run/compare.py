"""Execute every notebook and say which verdicts and figures differ: `python -m companion.run.compare`.

No page is written. One report names all that differs under other versions of the libraries: verdicts, figures,
notebooks that failed, and the versions themselves.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path

from companion.ledger.claims import LedgerError, load_claims, read_evidence
from companion.ledger.verdicts import judge
from companion.paths import CompanionError, Layout
from companion.profiles import DEFAULT, check_profile
from companion.run.build import alone
from companion.run.execute import start
from companion.run.notices import changed_figures, tables_of
from companion.run.provenance import versions

__all__ = ["Comparison", "compare_figures", "compare_run", "compare_verdicts", "main", "report", "write_report"]

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


def compare_verdicts(layout: Layout, runs: Mapping[str, Path]) -> list[str]:
    """Return a line for each claim whose verdict on the evidence of these runs is not the expected one.

    `runs` maps a page to the folder that it wrote to; claims of other pages are left out.
    """
    lines = []
    evidence = {page: read_evidence([folder / "evidence"]) for page, folder in runs.items()}
    for claim in load_claims(layout.root):
        if claim.notebook not in evidence:
            continue
        own = [item for item in evidence[claim.notebook] if item.claim == claim.id]
        found = judge(own, outside=claim.expected == "outside", fails=claim.entry.get("fails"))
        if found.verdict != claim.expected:
            lines.append(f"{claim.id}: was '{claim.expected}', is '{found.verdict}' ({found.reason})")
        elif own and found.proof_gap != claim.proof_gap:
            lines.append(f"{claim.id}: a gap in the proof was {claim.proof_gap}, is {found.proof_gap}")
    return lines


def compare_figures(layout: Layout, runs: Mapping[str, Path], profile: str) -> list[str]:
    """Return a line for each figure of these runs whose data are not the accepted ones, or that was not made."""
    changed, lines = changed_figures(layout, runs, profile), []
    for page, spec, path in tables_of(layout, dict(sorted(runs.items()))):
        if not path.is_file():
            lines.append(f"figure {spec.id} (profile {profile}) was not made by {page}")
        elif (change := changed.get(f"{page}/{spec.id}")) is not None:
            lines.append(change.finding)
    return lines


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
    check_profile(profile)
    chosen = list(pages) or layout.pages()
    for page in chosen:
        layout.notebook(page)
    base = base or layout.build / "compare" / profile
    shutil.rmtree(base, ignore_errors=True)
    failures: dict[str, str] = {}

    def one(page: str) -> None:
        job = start(layout, page, {"profile": profile}, base / page, variables=variables)
        try:
            seconds = job.wait(lambda at: None)
            print(f"{page}: done in {seconds:.1f} s", flush=True)
        except CompanionError as error:
            failures[page] = str(error)
            print(f"{page}: FAILED", flush=True)
        except BaseException:
            job.stop()
            raise

    with ThreadPoolExecutor(jobs) as pool:
        list(pool.map(one, chosen))
    runs = {page: base / page / "run" for page in chosen if page not in failures}
    try:
        verdicts = compare_verdicts(layout, runs)
    except LedgerError as error:
        raise CompanionError(f"the ledger or the evidence cannot be read:\n{error}") from error
    figures = compare_figures(layout, runs, profile)
    return Comparison(profile, len(chosen), verdicts, figures, dict(sorted(failures.items())), versions())


def _listed(title: str, lines: Sequence[str]) -> list[str]:
    return [f"### {title} ({len(lines)})", "", *(f"- {line}" for line in lines), ""] if lines else []


def report(comparison: Comparison) -> str:
    """Return the comparison as Markdown, most important first."""
    had = ", ".join(f"{name} {version}" for name, version in comparison.versions.items())
    head = f"{comparison.pages} notebooks, profile {comparison.profile}, with {had}."
    if not comparison.differs:
        return f"{head}\n\nEvery verdict and every figure is as accepted.\n"
    failed = [f"`{page}`: {text.strip().splitlines()[-1][:300]}" for page, text in comparison.failures.items()]
    traces = [
        part
        for page, text in comparison.failures.items()
        for part in (f"<details><summary>{page}</summary>", "", "```", text.strip()[-3000:], "```", "", "</details>")
    ]
    lines = [head, ""]
    lines += _listed("Verdicts that changed", comparison.verdicts)
    lines += _listed("Figures that changed", comparison.figures)
    lines += _listed("Notebooks that failed", failed)
    return "\n".join([*lines, *traces]).rstrip() + "\n"


def write_report(comparison: Comparison, folder: Path) -> None:
    """Write `report.md` for people and `report.json` for programs."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "report.md").write_text(report(comparison), encoding="utf-8", newline="\n")
    document = {**asdict(comparison), "differs": comparison.differs}
    text = json.dumps(document, indent=1, ensure_ascii=False, sort_keys=True) + "\n"
    (folder / "report.json").write_text(text, encoding="utf-8", newline="\n")


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
        if options.jobs < 1:
            raise CompanionError(f"--jobs must be at least 1, got {options.jobs}")
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
