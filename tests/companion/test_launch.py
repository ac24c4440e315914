"""Launch links: on the release tag, to files that exist, and none where they would lead nowhere."""

import json
import os
import re
import subprocess
import sys
import tomllib
from dataclasses import replace
from pathlib import Path
from urllib.parse import parse_qs, quote, unquote, urlsplit

import pytest

from companion.paths import Layout
from companion.publish.launch import BINDER, NEEDED, files_at, launch_of
from companion.publish.publication import Publication, find_publication

ROOT = Path(__file__).resolve().parents[2]
BOOK = Publication("T", ("A",), 2026, "1.2.3", None, "https://github.com/someone/book", None)
FILES = frozenset({"notebooks/one.md", *NEEDED})
GOOD = "https://mybinder.org/v2/gh/someone/book/v1.2.3?urlpath=lab%2Ftree%2Fnotebooks%2Fone.md"


def own_files() -> frozenset[str]:
    command = ["git", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(command, capture_output=True, check=True, text=True).stdout.split("\0")
    return frozenset(name for name in names if name and (ROOT / name).is_file())


def link_faults(address: str, publication: Publication, files: frozenset[str]) -> list[str]:
    """Return what is wrong with a launch link, read as Binder reads it; empty where it leads to what exists."""
    parts = urlsplit(address)
    base, _, rest = f"{parts.scheme}://{parts.netloc}{parts.path}".partition(f"{BINDER}/")
    pieces = rest.split("/")
    if base or len(pieces) != 3:
        return [f"not a link to Binder for a repository and a tag: {address}"]
    faults = []
    if "/".join(pieces[:2]) != (publication.repository or "").removeprefix("https://github.com/"):
        faults.append(f"another repository: {'/'.join(pieces[:2])}")
    if unquote(pieces[2]) != publication.tag:
        faults.append(f"not the release {publication.tag}: {pieces[2]}")
    opened = parse_qs(parts.query).get("urlpath", [""])
    path = opened[0].removeprefix("lab/tree/")
    if len(opened) != 1 or path == opened[0]:
        faults.append(f"does not open a file in JupyterLab: {parts.query}")
    elif path not in files:
        faults.append(f"no such file: {path}")
    return faults + [f"no such file: {name}" for name in NEEDED if name not in files]


def test_link_of_a_page():
    launch = launch_of(BOOK, "one", FILES)
    assert launch is not None
    assert launch.address == GOOD
    assert link_faults(launch.address, BOOK, FILES) == []


@pytest.mark.parametrize("page", Layout(ROOT).pages())
def test_each_link_of_the_book_leads_to_a_file_of_the_tree_at_the_version(page):
    book = replace(find_publication(ROOT), repository="https://github.com/someone/book")
    files = own_files()
    launch = launch_of(book, page, files)
    assert launch is not None, "a page of the book has a link"
    assert link_faults(launch.address, book, files) == []
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    assert f"/v{version}?" in launch.address
    assert (ROOT / "notebooks" / f"{page}.md").is_file()


@pytest.mark.parametrize(
    "repository",
    [
        None,
        "https://gitlab.com/someone/book",
        "https://code.example.org/someone/book",
        "https://github.com.example.org/someone/book",
        "https://github.com/someone",
        "https://github.com/someone/book/tree/main",
    ],
)
def test_no_link_where_binder_does_not_know_the_repository(repository):
    assert launch_of(replace(BOOK, repository=repository), "one", FILES) is None


@pytest.mark.parametrize("lacks", ["notebooks/one.md", *NEEDED])
def test_no_link_to_what_the_release_does_not_have(lacks):
    assert launch_of(BOOK, "one", FILES - {lacks}) is None


@pytest.mark.parametrize("page", ["../one", "One", "one.md", ""])
def test_bad_name_of_a_page_is_refused(page):
    with pytest.raises(ValueError, match="page must be lower-case words"):
        launch_of(BOOK, page, FILES)


@pytest.mark.parametrize(
    ("address", "fault"),
    [
        (GOOD.replace("v1.2.3", "main"), "not the release v1.2.3: main"),
        (GOOD.replace("v1.2.3", "v1.2.4"), "not the release v1.2.3: v1.2.4"),
        (GOOD.replace("one.md", "two.md"), "no such file: notebooks/two.md"),
        (GOOD.replace("one.md", "one.ipynb"), "no such file: notebooks/one.ipynb"),
        (GOOD.replace("notebooks%2F", ""), "no such file: one.md"),
        (GOOD.replace("someone", "nobody"), "another repository: nobody/book"),
        (GOOD.replace("urlpath=lab%2Ftree", "filepath="), "does not open a file in JupyterLab"),
        (GOOD.replace("lab%2Ftree", "tree"), "does not open a file in JupyterLab"),
        (GOOD.replace("/v2/gh/", "/v2/gl/"), "not a link to Binder"),
        (GOOD.replace("https://mybinder.org", "https://example.org"), "not a link to Binder"),
    ],
)
def test_a_wrong_link_is_caught(address, fault):
    assert any(fault in text for text in link_faults(address, BOOK, FILES))


@pytest.mark.parametrize("lacks", NEEDED)
def test_a_release_without_what_binder_needs_is_caught(lacks):
    assert link_faults(GOOD, BOOK, FILES - {lacks}) == [f"no such file: {lacks}"]


def git(root: Path, *arguments: str) -> None:
    who = ["-c", "user.name=x", "-c", "user.email=x@example.org"]
    subprocess.run(["git", "-C", str(root), *who, *arguments], check=True, capture_output=True)


def test_files_are_those_of_the_tag_and_not_of_the_folder(tmp_path):
    git(tmp_path, "init", "-q")
    (tmp_path / "a.md").write_text("a", encoding="utf-8")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "a")
    git(tmp_path, "tag", "v1.2.3")
    (tmp_path / "b.md").write_text("b", encoding="utf-8")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "b")
    assert files_at(tmp_path, "v1.2.3") == {"a.md"}
    assert files_at(tmp_path, "v9.9.9") == frozenset()
    assert files_at(tmp_path / "a.md", "v1.2.3") == frozenset()


# On the pages


def built(root: Path, *, repository: str | None, tag: str = "", costs: bool = True, builder: str = "html") -> str:
    """Build a book of one notebook with Sphinx and return the page, or the whole book for print."""
    (root / "notebooks").mkdir(parents=True)
    for name in NEEDED:
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text("x", encoding="utf-8")
    (root / "notebooks/one.md").write_text("# One\n\nText.\n", encoding="utf-8")
    (root / "index.md").write_text("# Root\n\n```{toctree}\nnotebooks/one\n```\n", encoding="utf-8")
    (root / "CITATION.cff").write_text((ROOT / "CITATION.cff").read_text(encoding="utf-8"), encoding="utf-8")
    settings = "extensions = ['myst_parser']\nexclude_patterns = ['out', '.binder']\n"
    settings += "from companion.site.downloads_page import connect_run as setup\n"
    (root / "conf.py").write_text(settings, encoding="utf-8")
    record = {"seconds": 12, "peak_mib": 410, "cpus": 2, "measured": "2026-01-02"}
    if costs:
        (root / "data/results").mkdir(parents=True)
        document = {"pages": {"one": {"quick": record}}}
        (root / "data/results/costs.json").write_text(json.dumps(document), encoding="utf-8")
    git(root, "init", "-q")
    git(root, "add", ".")
    git(root, "commit", "-qm", "a")
    if tag:
        git(root, "tag", tag)
    kept = {name: value for name, value in os.environ.items() if not name.startswith("COMPANION_")}
    told = {"COMPANION_REPOSITORY": repository} if repository else {}
    environment = {**kept, **told, "COMPANION_ROOT": str(root)}
    command = [sys.executable, "-m", "sphinx", "-W", "-q", "-b", builder, str(root), str(root / "out")]
    answer = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stderr
    if builder == "latex":
        return next((root / "out").glob("*.tex")).read_text(encoding="utf-8")
    assert "mf-run" not in (root / "out/index.html").read_text(encoding="utf-8"), "only notebooks have the line"
    return (root / "out/notebooks/one.html").read_text(encoding="utf-8")


def line_of(page: str) -> str:
    (line,) = re.findall(r'<p class="mf-run">(.*?)</p>', page, re.DOTALL)
    assert page.index("</h1>") < page.index("mf-run") < page.index("<p>Text.</p>"), "right under the title"
    return line


def test_a_page_on_a_desk_has_downloads_and_costs_and_no_launch_link(tmp_path):
    line = line_of(built(tmp_path, repository=None))
    assert re.findall(r'href="(.*?)"', line) == ["../downloads/one.ipynb", "../downloads/one.md"]
    text = re.sub(r"<.*?>", "", line)
    assert text == (
        "Run this page: download it as a notebook or as text. Quick: 12 s, 410 MiB, as last measured on 2 cores."
    )


def test_a_published_page_has_a_launch_link_on_the_tag_that_is_there(tmp_path):
    repository, version = "https://github.com/someone/book", find_publication(ROOT).version
    line = line_of(built(tmp_path, repository=repository, tag=f"v{version}", costs=False))
    opened = quote("lab/tree/notebooks/one.md", safe="")
    address = f"https://mybinder.org/v2/gh/someone/book/v{version}?urlpath={opened}"
    assert re.findall(r'href="(.*?)"', line)[2:] == [address]
    assert re.sub(r"<.*?>", "", line) == "Run this page: download it as a notebook or as text, or run on Binder."


def test_a_published_page_before_its_release_has_no_launch_link(tmp_path):
    line = line_of(built(tmp_path, repository="https://github.com/someone/book", tag="v0.0.1"))
    assert "mybinder" not in line


def test_in_print_the_line_says_the_cost_alone(tmp_path):
    text = " ".join(built(tmp_path, repository="https://github.com/someone/book", builder="latex").split())
    assert text.count("To run this page: quick: 12 s, 410 MiB, as last measured on 2 cores.") == 1
    assert "downloads/one" not in text
