"""The frame of the book: configuration, lock, commands, citation, and the rules of the
house.
"""

import contextlib
import importlib.metadata
import importlib.util
import os
import re
import subprocess
import sys
import venv
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement

from companion.paths import CompanionError
from companion.site import browser
from tests.repository import PROJECT, ROOT, load_tool, text_of, tracked, yaml_of

CONFIG = yaml_of("_config.yml")


ENV_TOOL = load_tool("env")


# Configuration


def dotted(given: dict, path: str = "") -> set[str]:
    """Return the keys of a configuration, nested ones with their path; what Sphinx is
    told has no list of keys.
    """
    names = set()
    for key, value in given.items():
        names.add(f"{path}{key}")
        if isinstance(value, dict) and f"{path}{key}" != "sphinx.config":
            names |= dotted(value, f"{path}{key}.")
    return names


def test_every_key_of_the_configuration_is_known():
    folder = importlib.util.find_spec("jupyter_book").submodule_search_locations[0]
    known = yaml.safe_load(
        (Path(folder) / "default_config.yml").read_text(encoding="utf-8")
    )
    assert dotted(CONFIG) - dotted(known) <= {"bibtex_bibfiles"}
    assert {"html.use_issues_button", "sphinx.config"} <= dotted(CONFIG)
    assert CONFIG["execute"]["execute_notebooks"] == "off", "they are executed before"


# The environment


def test_python_versions_agree_in_all_places():
    bounds = Requirement(f"python{PROJECT['requires-python']}").specifier
    low = ENV_TOOL.NEEDED
    high = ENV_TOOL.TOO_NEW
    inside = [f"{low[0]}.{minor}" for minor in range(low[1], high[1])]
    assert all(version in bounds for version in inside)
    assert f"{high[0]}.{high[1]}" not in bounds
    workflow = yaml_of(".github/workflows/test.yml")
    assert workflow["jobs"]["test"]["strategy"]["matrix"]["python-version"] == inside


def test_environment_is_complete_only_with_the_stamp_of_its_lock_and_a_link_is_refused(
    tmp_path, monkeypatch
):
    calls = []
    monkeypatch.setattr(
        ENV_TOOL,
        "create",
        lambda folder: folder.mkdir(parents=True, exist_ok=True) or folder,
    )
    monkeypatch.setattr(
        ENV_TOOL, "pip", lambda python, *arguments: calls.append(arguments[0])
    )
    folder = tmp_path / "venv"
    link = tmp_path / "link"
    link.symlink_to(folder)
    stamp = folder / ".complete"
    for calls_so_far in (4, 4):  # the second time nothing changed
        ENV_TOOL.main(folder)
        assert len(calls) == calls_so_far
    stamp.write_text("of another lock", encoding="utf-8")
    with pytest.raises(
        SystemExit, match=f"is a link to {re.escape(str(folder))}: remove the link"
    ):
        ENV_TOOL.main(link)
    assert stamp.read_text(encoding="utf-8") == "of another lock"
    ENV_TOOL.main(folder)
    assert len(calls) == 8
    stamp.write_text("of a third", encoding="utf-8")
    monkeypatch.setattr(
        ENV_TOOL, "pip", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt)
    )
    with pytest.raises(KeyboardInterrupt):
        ENV_TOOL.main(folder)
    assert not stamp.exists(), "an interrupted run leaves no stamp"


#: A folder as a reader may have one, and the locales that cannot write its name: one is
#: nowhere generated.
ABROAD = "Bücher – déjà lu"
POOR = ("C", "POSIX", "xx_XX.ISO-8859-1")


def starts(python: Path, locale: str) -> bool:
    """Return whether a Python starts under a locale and finds the sources."""
    clean = {
        name: text
        for name, text in os.environ.items()
        if not name.startswith(("LC_", "LANG", "PYTHON"))
    }
    asked = [str(python), "-c", "import found"]
    return (
        subprocess.run(
            asked, env={**clean, "LC_ALL": locale}, capture_output=True, check=False
        ).returncode
        == 0
    )


def test_environment_in_a_folder_of_any_name_starts_under_any_locale(tmp_path):
    root = tmp_path / ABROAD
    folder = root / ".venv"
    source = root / "src"
    source.mkdir(parents=True)
    (source / "found.py").touch()
    venv.EnvBuilder(symlinks=True).create(folder)
    python = folder / "bin" / "python"
    (packages,) = folder.glob("lib/*/site-packages")
    (packages / "__editable__.found-1.pth").write_text(f"{source}\n", encoding="utf-8")
    if sys.version_info < (3, 13):  # later ones read the file as UTF-8
        assert [starts(python, locale) for locale in POOR] == [False] * 3, (
            "the control: as pip leaves it"
        )
    ENV_TOOL.point_to_sources(folder, root)
    assert [starts(python, locale) for locale in (*POOR, "C.UTF-8")] == [True] * 4


def test_make_runs_nothing_without_asserts():
    shown = ["make", "-f", str(ROOT / "Makefile"), "--eval", "shown: ; @env", "shown"]
    answer = subprocess.run(
        shown,
        env={**os.environ, "PYTHONOPTIMIZE": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "PYTHONUTF8=1\n" in answer.stdout
    assert "PYTHONOPTIMIZE" not in answer.stdout


# The browser of the tests


def test_missing_browser_is_installed_or_an_error_says_what_to_do(monkeypatch):
    installs = []
    monkeypatch.setattr(browser, "find_browser", lambda: None)
    monkeypatch.setattr(
        browser.subprocess, "run", lambda command, **_: installs.append(command)
    )
    with pytest.raises(
        CompanionError, match=f"apt-get install chromium.*{browser.VARIABLE}"
    ):
        browser.ensure_browser()
    assert installs, "an installation was tried"


# Citation, licences, versions


def test_citation_is_valid_and_names_the_five_texts():
    program = Path(sys.prefix) / "tools" / "cffconvert" / "bin" / "cffconvert"
    assert program.is_file(), "cffconvert is not there: run `make env`"
    answer = subprocess.run(
        [str(program), "--validate", "-i", str(ROOT / "CITATION.cff")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert answer.returncode == 0, answer.stdout + answer.stderr
    citation = yaml_of("CITATION.cff")
    assert citation["type"] == "software"
    assert citation["preferred-citation"]["title"] == CONFIG["title"]
    assert len(citation["references"]) == 5
    assert citation["authors"] == PROJECT["authors"]


# The rules of the house


MODULES = {
    path: path.read_text(encoding="utf-8")
    for path in sorted((ROOT / "src").rglob("*.py"))
}


def test_the_kernel_that_checks_statements_knows_no_paper():
    kernel = [path for path in MODULES if path.parent.name == "statements"]
    papers = re.compile(r"MBDE|husain|bootstrapping|claims\.yml")
    assert [path.name for path in kernel if papers.search(MODULES[path])] == []


def test_modules_that_users_import_say_what_they_offer():
    silent = [
        path
        for path, text in MODULES.items()
        if "__all__ = [" not in text and not path.name.startswith("__")
    ]
    assert [
        path.name for path in silent if "mollified" in path.relative_to(ROOT).parts
    ] == []


def test_one_module_bisects():
    texts = {
        path: text
        for path, text in MODULES.items()
        if "mollified" in path.relative_to(ROOT).parts
    }
    texts |= {
        path: path.read_text(encoding="utf-8")
        for path in (ROOT / "notebooks").glob("*.md")
    }
    assert {
        path.name for path, text in texts.items() if "while high - low" in text
    } == {"smallest.py"}


#: What no file may hold: paths of a machine, hosts of registries. A letter in brackets
#: keeps this file clean as well.
BANNED = re.compile(
    r"(?<![\w.])/(?:wor[k]|roo[t]|op[t])/|(?<![\w.])/hom[e]/\w|/User[s]/\w|[A-Z]:\\User[s]|file://[/]"
    r"|pypi\.or[g]|pythonhosted\.or[g]|download\.pytorch\.or[g]|registry\.npmj[s]|deb\.debian\.or[g]"
)


@pytest.mark.slow
def test_no_file_names_a_path_of_a_machine_or_a_registry():
    for text in (
        "cd /" + "work/main",
        "see https://pypi" + ".org/x",
        "C:\\" + "Users\\me",
        "file:" + "///a",
    ):
        assert BANNED.search(text)
    banned = {}
    for name in tracked():
        with contextlib.suppress(UnicodeDecodeError):
            if match := BANNED.search(text_of(name)):
                banned[name] = match[0]
    assert banned == {}


NAMED_FILE = re.compile(
    r"`((?:src|tests|tools|book|notebooks|data|benchmarks|findings)/[\w./-]+\.\w+)`"
)


def test_every_file_that_prose_names_is_there():
    prose = [
        path
        for pattern in ("*.md", "book/*.md", "notebooks/*.md", "data/*.md")
        for path in ROOT.glob(pattern)
        if path.name != "CHANGELOG.md"
    ]
    named = {
        (path.name, name)
        for path in prose
        for name in NAMED_FILE.findall(path.read_text(encoding="utf-8"))
    }
    assert len(named) > 10
    assert not {(page, name) for page, name in named if not (ROOT / name).exists()}
