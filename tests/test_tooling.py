"""The frame of the book: configuration, lock, commands, citation, and the rules of the house."""

import ast
import importlib.metadata
import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.version import Version

from companion.site import browser
from tests.repository import PROJECT, ROOT, load_tool, text_of, tracked, yaml_of
from tests.site_checks import toc_pages

CONFIG, MAKEFILE = yaml_of("_config.yml"), text_of("Makefile")

#: Longest module, in lines that are not blank.
LONGEST = 250
#: Longest kernel, all its modules together.
KERNEL = 1_841
#: Settings of Sphinx and its extensions that _config.yml may set; anything else is likely misspelt.
SPHINX_KEYS = {
    "extensions", "html_theme_options", "html_context", "html_static_path", "html_css_files", "html_last_updated_fmt",
    "html_show_sphinx", "html_copy_source", "html_sourcelink_suffix", "language", "templates_path",
    "suppress_warnings", "bibtex_default_style", "bibtex_reference_style", "myst_heading_anchors",
    "nb_execution_mode", "nb_render_markdown_format", "nb_merge_streams", "nb_mime_priority_overrides",
    "nb_number_source_lines", "numfig", "exercise_style",
}  # fmt: skip


LOCK_TOOL, ENV_TOOL = load_tool("lock"), load_tool("env")


def lock_lines() -> list[str]:
    text = text_of("requirements.lock")
    return [line for line in text.splitlines() if line.strip() and not line.startswith("#")]


def pins() -> dict[str, list[Requirement]]:
    found: dict[str, list[Requirement]] = {}
    for line in lock_lines():
        pin = Requirement(line)
        found.setdefault(plain(pin.name), []).append(pin)
    return found


def plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


# Configuration


def book_extra() -> list[str]:
    return PROJECT["optional-dependencies"]["book"]


def unknown_keys(given, known, path: str = "") -> list[str]:
    """Return keys that are not in the default configuration, nested ones with their path."""
    faults = []
    for key, value in given.items():
        if key not in known:
            faults.append(f"{path}{key}")
        elif isinstance(value, dict) and isinstance(known[key], dict):
            faults += unknown_keys(value, known[key], f"{path}{key}.")
    return faults


def default_config():
    folder = importlib.util.find_spec("jupyter_book").submodule_search_locations[0]
    return yaml.safe_load((Path(folder) / "default_config.yml").read_text(encoding="utf-8"))


def test_every_key_of_the_configuration_is_known():
    known = {**default_config(), "bibtex_bibfiles": []}
    assert unknown_keys(CONFIG, known) == []
    wrong = {"titel": "x", "html": {"use_isues_button": False}, "sphinx": {"config": {}}}
    assert unknown_keys(wrong, known) == ["titel", "html.use_isues_button"]
    assert set(CONFIG["sphinx"]["config"]) <= SPHINX_KEYS


def test_configuration_renders_only_and_asks_no_other_host():
    assert CONFIG["execute"]["execute_notebooks"] == "off"
    assert CONFIG["repository"]["branch"] == "main"
    assert not any(CONFIG["html"][key] for key in CONFIG["html"] if key.startswith("use_") and "button" in key)
    extensions = CONFIG["sphinx"]["config"]["extensions"]
    assert not {"sphinx_thebe", "sphinx_comments"} & set(extensions)
    assert CONFIG["sphinx"]["recursive_update"] is True


def test_pages_of_the_toc_exist_and_none_is_left_out():
    named = toc_pages(ROOT / "_toc.yml")
    assert len(set(named)) == len(named)
    assert [name for name in named if not (ROOT / f"{name}.md").is_file()] == []
    there = {
        path.relative_to(ROOT).with_suffix("").as_posix()
        for part in ("book", "notebooks")
        for path in (ROOT / part).glob("*.md")
    }
    assert sorted(there - set(named)) == []


def test_bibliography_has_the_five_texts():
    text = (ROOT / CONFIG["bibtex_bibfiles"][0]).read_text(encoding="utf-8")
    keys = re.findall(r"(?m)^@\w+\{([\w-]+),", text)
    assert {"husain2018", "husain2019", "husain2020", "bellet-lecture", "bootstrapping"} <= set(keys)
    assert len(set(keys)) == len(keys)


# The lock and the environments


def test_lock_has_a_pin_for_each_dependency_within_its_bounds():
    wanted = [*PROJECT["dependencies"], *book_extra(), *PROJECT["optional-dependencies"]["test"]]
    found = pins()
    for text in wanted:
        need = Requirement(text)
        versions = [str(next(iter(pin.specifier)).version) for pin in found.get(plain(need.name), [])]
        assert versions, f"{need.name} is not in the lock"
        assert all(need.specifier.contains(version, prereleases=True) for version in versions), text


def test_lock_is_made_of_plain_pins():
    text = text_of("requirements.lock")
    assert LOCK_TOOL.prune(text) == lock_lines()
    for banned in ("+cpu", "nvidia-", "cuda-", "triton", "--hash", "--find-links", "--index", "://", "file:", "-e "):
        assert not any(banned in line for line in lock_lines()), banned
    assert [str(pin.specifier) for pin in pins()["torch"]] == ["==2.13.0"]


@pytest.mark.parametrize(
    "line", ["torch==2.13.0+cpu", "numpy>=2", "numpy==2.0 --hash=sha256:00", "--index-url x", "a @ file:" + "///a"]
)
def test_lock_tool_refuses_what_is_no_plain_pin(line):
    with pytest.raises(ValueError, match="not a plain pin"):
        LOCK_TOOL.prune(f"numpy==2.4.6\n{line}\n")


def test_lock_tool_drops_cuda_packages():
    resolved = "# c\nnvidia-cublas==13.1 ; sys_platform == 'linux'\ntriton==3.7.1\ncuda-toolkit==13.0\nnumpy==2.4.6\n"
    assert LOCK_TOOL.prune(resolved) == ["numpy==2.4.6"]


def test_installed_packages_are_those_of_the_lock():
    environment = {"python_full_version": "{}.{}.{}".format(*sys.version_info[:3])}
    for name, given in pins().items():
        wanted = [pin for pin in given if pin.marker is None or pin.marker.evaluate(environment)]
        for pin in wanted:
            assert pin.specifier.contains(Version(importlib.metadata.version(name)).public), name


def test_python_versions_agree_in_all_places():
    bounds = Requirement(f"python{PROJECT['requires-python']}").specifier
    low, high = ENV_TOOL.NEEDED, ENV_TOOL.TOO_NEW
    inside = [f"{low[0]}.{minor}" for minor in range(low[1], high[1])]
    assert all(version in bounds for version in inside)
    assert f"{high[0]}.{high[1]}" not in bounds
    workflow = yaml_of(".github/workflows/test.yml")
    assert workflow["jobs"]["test"]["strategy"]["matrix"]["python-version"] == inside


def test_environment_is_complete_only_with_the_stamp_of_its_lock(tmp_path, monkeypatch, capsys):
    calls = []
    monkeypatch.setattr(
        ENV_TOOL, "create", lambda folder: folder.mkdir(parents=True, exist_ok=True) or folder / "python"
    )
    monkeypatch.setattr(ENV_TOOL, "pip", lambda python, *arguments: calls.append(arguments[0]))
    folder = tmp_path / "venv"
    ENV_TOOL.main(folder)
    made = len(calls)
    assert made == 4
    ENV_TOOL.main(folder)
    assert len(calls) == made, "nothing changed, nothing is done"
    (folder / ".complete").write_text("of another lock", encoding="utf-8")
    ENV_TOOL.main(folder)
    assert len(calls) == 2 * made, "another lock: made again"
    (folder / ".complete").unlink()

    def interrupted(python, *arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr(ENV_TOOL, "pip", interrupted)
    with pytest.raises(KeyboardInterrupt):
        ENV_TOOL.main(folder)
    assert not (folder / ".complete").exists(), "an interrupted run leaves no stamp"


def test_environment_that_is_a_link_is_refused_and_its_target_keeps_its_files(tmp_path, monkeypatch):
    monkeypatch.setattr(ENV_TOOL, "create", lambda folder: pytest.fail("an environment was made"))
    target, link = tmp_path / "of-another-tree", tmp_path / "venv"
    target.mkdir()
    files = {".complete": "of another tree", "pyvenv.cfg": "home = elsewhere"}
    for name, text in files.items():
        (target / name).write_text(text, encoding="utf-8")
    link.symlink_to(target)
    with pytest.raises(SystemExit, match=f"is a link to {re.escape(str(target))}: remove the link"):
        ENV_TOOL.main(link)
    assert {path.name: path.read_text(encoding="utf-8") for path in target.iterdir()} == files


def test_environment_refuses_a_python_that_is_too_old(tmp_path, monkeypatch):
    monkeypatch.setattr(ENV_TOOL, "NEEDED", (9, 0))
    with pytest.raises(SystemExit, match=r"3\.11, 3\.12 or 3\.13 is needed"):
        ENV_TOOL.main(tmp_path / "venv")


# Commands


def targets() -> set[str]:
    return set(re.findall(r"(?m)^([a-z][a-z-]*):", MAKEFILE))


@pytest.mark.parametrize(
    "name", ["README.md", "CONTRIBUTING.md", ".ci/run", "book/how-it-is-built.md", ".github/workflows/test.yml"]
)
def test_commands_that_are_told_exist(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    told = set(re.findall(r"(?m)(?:^\s*(?:\$ |run: )?|`)make ([a-z][a-z-]*)", text))
    assert told
    assert sorted(told - targets()) == []


def make(*arguments: str) -> subprocess.CompletedProcess[str]:
    clean = {name: value for name, value in os.environ.items() if name not in ("FIG", "WHY", "PROFILE", "MAKEFLAGS")}
    return subprocess.run(["make", *arguments], cwd=ROOT, env=clean, capture_output=True, text=True, check=False)


def test_make_alone_lists_the_commands_and_no_file_stands_for_one():
    assert set(re.search(r"(?m)^\.PHONY: (.*)$", MAKEFILE)[1].split()) == targets()
    answer = make()
    assert answer.returncode == 0
    for name in targets() - {"need-figure"}:
        assert f"make {name} " in answer.stdout


@pytest.mark.slow
@pytest.mark.parametrize("target", ["figure", "accept"])
def test_make_figure_without_a_figure_says_what_to_do(target):
    answer = make(target)
    assert answer.returncode == 2
    assert "Name the figure" in answer.stderr
    known = yaml_of("data/figures.yml")
    assert sorted(name for name in known if f"  {name}  [" not in answer.stderr) == []


def test_form_for_errors_asks_what_the_book_says():
    asked = [item["id"] for item in yaml_of(".github/ISSUE_TEMPLATE/error-in-the-book.yml")["body"] if "id" in item]
    assert asked == ["claim", "version", "said", "expected", "counterexample", "name"]
    page = text_of("book/report-an-error.md")
    told = page[page.index("## What to give") : page.index("## Where")]
    assert len(re.findall(r"(?m)^\d\. ", told)) == len(asked) - 1, "the page names the same things, but for the name"


# The browser of the tests


def test_browser_named_by_the_reader_must_exist(monkeypatch):
    monkeypatch.setenv(browser.VARIABLE, "no-such-browser")
    with pytest.raises(browser.BrowserMissing, match="names 'no-such-browser', which is no program here"):
        browser.find_browser()


def test_browser_on_the_path_is_found(tmp_path, monkeypatch):
    program = tmp_path / "google-chrome"
    program.write_text("#!/bin/sh\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.delenv(browser.VARIABLE, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert browser.find_browser() == program


def test_missing_browser_is_installed_or_an_error_says_what_to_do(monkeypatch, capsys):
    installs = []
    monkeypatch.delenv(browser.VARIABLE, raising=False)
    monkeypatch.setattr(browser, "find_browser", lambda: None)
    monkeypatch.setattr(browser, "_run", lambda *command, environment=None: installs.append(command[0]) is not None)
    assert browser.main() == 1
    assert installs, "an installation was tried"
    message = capsys.readouterr().err
    assert "apt-get install chromium" in message
    assert browser.VARIABLE in message


# Citation, licences, versions


def test_citation_is_valid_and_names_the_five_texts():
    program = Path(sys.prefix) / "tools" / "cffconvert" / "bin" / "cffconvert"
    assert program.is_file(), "cffconvert is not there: run `make env`"
    answer = subprocess.run(
        [str(program), "--validate", "-i", str(ROOT / "CITATION.cff")], capture_output=True, text=True, check=False
    )
    assert answer.returncode == 0, answer.stdout + answer.stderr
    citation = yaml_of("CITATION.cff")
    assert citation["type"] == "software"
    assert citation["preferred-citation"]["title"] == CONFIG["title"]
    assert len(citation["references"]) == 5
    assert citation["authors"] == PROJECT["authors"]


# The rules of the house


def imported(path: Path) -> set[str]:
    """Return the top-level packages that a module imports, wherever in it the import stands."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {name.name.split(".")[0] for name in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.split(".")[0])
    return found


@pytest.mark.parametrize(
    ("package", "other"),
    [
        ("mollified", "companion"),
        ("companion", "mollified"),
        ("statements", "companion"),
        ("statements", "mollified"),
    ],
)
def test_packages_do_not_import_each_other(package, other):
    modules = sorted((ROOT / "src" / package).rglob("*.py"))
    assert modules
    assert [path.name for path in modules if other in imported(path)] == []


def test_the_kernel_that_checks_statements_is_short_and_knows_no_paper():
    texts = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "src" / "statements").glob("*.py"))]
    assert sum(1 for text in texts for line in text.splitlines() if line.strip()) <= KERNEL
    assert not [word for word in ("MBDE", "husain", "bootstrapping", "claims.yml") for text in texts if word in text]


def test_modules_are_short_and_say_what_they_offer():
    long, silent = [], []
    for path in sorted((ROOT / "src").rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        count = sum(1 for line in text.splitlines() if line.strip())
        if count > LONGEST:
            long.append(f"{path.relative_to(ROOT)}: {count}")
        if path.name not in ("__init__.py", "__main__.py") and "__all__ = [" not in text:
            silent.append(path.name)
    assert long == []
    assert silent == []


#: What no file may hold: paths of a machine, hosts of registries. Written so that this file is clean as well.
BANNED = [
    re.compile("".join(parts))
    for parts in (
        (r"(?<![\w.])/", r"work/"),
        (r"(?<![\w.])/", r"home/\w"),
        (r"(?<![\w.])/", r"root/"),
        (r"(?<![\w.])/", r"opt/"),
        (r"/Users", r"/\w"),
        (r"[A-Z]:\\", r"Users"),
        (r"pypi", r"\.org"),
        (r"pythonhosted", r"\.org"),
        (r"download\.pytorch", r"\.org"),
        (r"registry\.", r"npmjs"),
        (r"deb\.debian", r"\.org"),
        (r"file:", r"///"),
    )
]


def banned_in(text: str) -> list[str]:
    return [match[0] for pattern in BANNED for match in [pattern.search(text)] if match]


@pytest.mark.slow
def test_no_file_names_a_path_of_a_machine_or_a_registry():
    faults = {}
    for name in tracked():
        try:
            text = text_of(name)
        except UnicodeDecodeError:
            continue
        found = banned_in(text)
        if found:
            faults[name] = found
    assert faults == {}


@pytest.mark.parametrize(
    "text", ["cd /" + "work/main", "see https://pypi" + ".org/x", "C:\\" + "Users\\me", "file:" + "///a"]
)
def test_banned_content_is_found(text):
    assert banned_in(text)
