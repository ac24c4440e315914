"""The command line: `python -m companion build|pdf|archive|execute|verify|figure|accept|list|digest|clean|serve`."""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml

from companion.cli_publish import add_commands
from companion.ledger.registry import check_reason, find_spec, load_registry
from companion.paths import CompanionError, Layout
from companion.profiles import DEFAULT, PROFILES, check_profile
from companion.run.mishaps import advice, is_mishap

__all__ = ["main"]


def _verify(layout: Layout, options: argparse.Namespace) -> int:
    from companion.run.verify import run_verify

    return run_verify(layout, options)


def _settings(pairs: Sequence[str]) -> dict[str, Any]:
    """Return `key=value` pairs as parameters, values read as YAML; raise CompanionError for a bad pair."""
    found: dict[str, Any] = {}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        if not equals or not name.isidentifier():
            raise CompanionError(f"--set takes name=value, got {pair!r}")
        if name in found:
            raise CompanionError(f"--set gives {name} twice")
        try:
            found[name] = yaml.safe_load(text)
        except yaml.YAMLError as error:
            raise CompanionError(f"--set {name}: cannot read {text!r}") from error
    return found


def _build(layout: Layout, options: argparse.Namespace) -> int:
    from companion.run.build import build

    there = (layout.html / "index.html").is_file()
    try:
        built = build(
            layout,
            options.profile,
            jobs=options.jobs,
            force=options.force,
            render_pages=not options.no_render,
        )
    except (CompanionError, OSError) as error:
        kept = "The pages of the last good build are unchanged." if there else "No pages were written."
        raise CompanionError(f"{error}\n{kept}") from error
    print()
    print("\n".join([*built.scoreboard.lines(), *built.notices.lines()]))
    as_accepted = "" if built.notices else ", every verdict and figure is as accepted"
    pages = "" if built.start_page is None else f", {built.pages} pages"
    executed = f"{len(built.executed)} notebook(s) executed"
    print(f"Profile {options.profile}: {executed}{pages}{as_accepted}, {built.seconds:.1f} s")
    if built.start_page is not None:
        print(f"Start page: {built.start_page}")
    if built.failed is not None:
        raise CompanionError(f"{built.failed}\nTheir pages end there; all other pages are written.")
    return 0


def _execute(layout: Layout, options: argparse.Namespace) -> int:
    """Execute pages for the cache, or, with --set, one page for a reader's own parameters."""
    settings = _settings(options.set)
    if not settings:
        from companion.run.build import alone, execute_pages
        from companion.run.notices import changed_figures

        with alone(layout):
            entries, executed = execute_pages(
                layout, options.profile, options.pages or None, jobs=options.jobs, force=options.force
            )
            changes = changed_figures(layout, {page: entry.run for page, entry in entries.items()}, options.profile)
        print("\n".join([f"{len(executed)} notebook(s) executed", *map(str, changes.values())]))
        return 3 if changes else 0
    if len(options.pages) != 1:
        raise CompanionError("--set goes with exactly one notebook")
    page = options.pages[0]
    target, seconds = _execute_apart(layout, page, {"profile": check_profile(options.profile), **settings})
    print(f"{page}: done in {seconds:.1f} s with your parameters: {target / 'notebook.ipynb'}")
    return 0


def _execute_apart(layout: Layout, page: str, parameters: dict[str, Any]) -> tuple[Path, float]:
    """Execute a notebook apart from the kept executions; return the folder of what it wrote, and the seconds."""
    from companion.run.execute import start

    layout.notebook(page)
    target = layout.build / "explore" / page
    shutil.rmtree(target, ignore_errors=True)
    job = start(layout, page, parameters, target)
    try:
        seconds = job.wait(lambda at: print(f"{page}: cell {at.index}/{at.total} {at.title}".rstrip(), flush=True))
    except CompanionError as error:
        raise CompanionError(f"notebook {page} failed\n{error}") from error
    except KeyboardInterrupt:
        job.stop()
        raise
    return target, seconds


def _made(layout: Layout, page: str, profile: str) -> Path:
    """Execute a notebook, whose cells make its figures, and return the folder of their files."""
    return _execute_apart(layout, page, {"profile": profile})[0] / "run" / "figures" / page


def _figure(layout: Layout, options: argparse.Namespace) -> int:
    """Execute the page of a figure, keep its files, and say how its data compare; return 3 where they changed."""
    profile = check_profile(options.profile)
    spec = find_spec(load_registry(layout.registry), options.figure)
    from companion.ledger.accepted import compare_file
    from companion.run.figures import SUFFIXES, FigureChanged

    made, folder = _made(layout, spec.page, profile), layout.build / "figures" / spec.page
    folder.mkdir(parents=True, exist_ok=True)
    for suffix in SUFFIXES:
        print(shutil.copy(made / f"{spec.id}{suffix}", folder))
    try:
        compare_file(layout, spec, profile, folder / f"{spec.id}.csv")
    except FigureChanged as error:
        print(error)
        return 3
    print("the data are the accepted ones, within tolerance")
    return 0


def _accept(layout: Layout, options: argparse.Namespace) -> int:
    profile, why = check_profile(options.profile), check_reason(options.why)
    registry = load_registry(layout.registry)
    names = list(options.figures)
    if names and options.new:
        raise CompanionError("name figures, or say --new for all that have no accepted data yet, not both")
    if options.new:
        names += [name for name in sorted(registry) if not layout.reference(profile, name).is_file()]
    if not names and not options.new:
        raise CompanionError(f"name a figure or say --new; known: {', '.join(sorted(registry)) or 'none'}")
    specs = [find_spec(registry, name) for name in dict.fromkeys(names)]
    from companion.ledger.accepted import read_table
    from companion.run.acceptance import accept_table

    made = {page: _made(layout, page, profile) for page in {spec.page for spec in specs}}
    for spec in specs:
        accepted = accept_table(layout, spec, profile, read_table(made[spec.page] / f"{spec.id}.csv"), why)
        state = "accepted" if accepted.changed else "was accepted before with the same data"
        print(f"figure {spec.id} (profile {profile}) {state}: {accepted.path} [{accepted.sha256[:8]}]")
    return 0


def _list(layout: Layout, options: argparse.Namespace) -> int:
    """Print profiles, pages and figures; `+` marks a figure with accepted data in that profile."""
    registry = load_registry(layout.registry)
    print(f"profiles: {', '.join(PROFILES)} (default {DEFAULT})")
    for page in layout.pages():
        print(page)
        for name in sorted(registry):
            if registry[name].page == page:
                marks = [f"{p}{'+' if layout.reference(p, name).is_file() else '-'}" for p in PROFILES]
                print(f"  {name}  [{' '.join(marks)}]")
    return 0


def _clean(layout: Layout, options: argparse.Namespace) -> int:
    if layout.build.exists():
        shutil.rmtree(layout.build)
    print(f"removed {layout.build}")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m companion", description="Build and check the book.")
    parser.add_argument("--root", type=Path, help="folder of the book (default: found upward from here)")
    commands = parser.add_subparsers(dest="command", required=True)

    def command(name: str, run: Any, text: str, *, profile: bool = False) -> argparse.ArgumentParser:
        one = commands.add_parser(name, help=text, description=text)
        one.set_defaults(run=run)
        if profile:
            one.add_argument("--profile", default=DEFAULT, help=f"{' or '.join(PROFILES)} (default {DEFAULT})")
        return one

    def running(one: argparse.ArgumentParser) -> None:
        one.add_argument("--jobs", type=int, help="how many notebooks run side by side (default: all cores)")
        one.add_argument("--force", action="store_true", help="execute even what has not changed")

    one = command("build", _build, "execute what changed, judge the claims, render the pages", profile=True)
    running(one)
    one.add_argument("--no-render", action="store_true", help="stop after the claims are judged")
    add_commands(command, running)
    one = command("execute", _execute, "execute notebooks only", profile=True)
    running(one)
    one.add_argument("pages", nargs="*", metavar="PAGE", help="names of notebooks (default: all)")
    one.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a parameter of your own")
    one = command("verify", _verify, "run all notebooks anew, judge the claims, report", profile=True)
    one.add_argument("--jobs", type=int, help="how many notebooks run side by side (default: all cores)")
    one = command("figure", _figure, "make one figure again and compare its data", profile=True)
    one.add_argument("figure", metavar="FIGURE")
    one = command("accept", _accept, "accept the data of figures, with a reason", profile=True)
    one.add_argument("figures", nargs="*", metavar="FIGURE")
    one.add_argument("--new", action="store_true", help="all figures that have no accepted data yet")
    one.add_argument("--why", required=True, help="the reason, in one line")
    command("list", _list, "list profiles, notebooks and figures")
    command("clean", _clean, "remove everything that can be built again")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; return 0 for success, 1 for a failure, 3 for a changed figure, 130 for Ctrl-C."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    options = _parser().parse_args(given)
    try:
        layout = Layout(options.root.resolve()) if options.root else Layout.find()
        if not layout.notebooks.is_dir():
            raise CompanionError(f"{layout.root} is no book: it has no notebooks/ folder")
        status: int = options.run(layout, options)
        return status
    except (CompanionError, OSError) as error:
        if isinstance(error, OSError) and not is_mishap(error):
            raise
        print("\n".join([f"error: {error}", *advice(str(error))]), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\ninterrupted: finished notebooks are kept, the pages are unchanged", file=sys.stderr)
        return 130
