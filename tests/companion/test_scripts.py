"""Scripts as modules: joined into one that a page from a folder may load."""

import json
import re
import shutil
import subprocess

import pytest

from companion.paths import CompanionError
from companion.site.scripts import FOLDER, joined
from companion.site.theme import SCRIPTS
from tests.repository import ROOT, load_tool

NODE = shutil.which("node")
#: Scripts that hold data; they are written when the ledger is known.
TABLES = {"numbers-table.js"}


def written(folder, **texts):
    for name, text in texts.items():
        path = folder / f"{name.replace('__', '/')}.js"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder / "main.js"


def value_of(program):
    """Return what a program is in a JavaScript that knows no modules of a page."""
    if NODE is None:
        pytest.skip("Node.js is not installed")
    text = f"console.log(JSON.stringify({program}))"
    answer = subprocess.run(
        [NODE, "-e", text], capture_output=True, text=True, check=True
    )
    return json.loads(answer.stdout)


def test_a_script_is_joined_with_what_it_imports_and_each_module_has_its_own_names(
    tmp_path,
):
    main = written(
        tmp_path,
        main=(
            'import { twice } from "./lib/numbers.js";\n'
            'import {\n  ONE,\n  hidden as other,\n} from "./lib/one.js";\n\n'
            "const hidden = 10;\n"
            "export const sum = twice(ONE) + other + hidden;\n"
        ),
        lib__numbers=(
            'import { ONE } from "./one.js";\n\n'
            "const hidden = 100;\n"
            "export function twice(x) {\n  return x * 2 * ONE + 0 * hidden;\n}\n"
        ),
        lib__one="export const ONE = 1;\nexport const hidden = 5;\n",
    )
    program = joined(main)
    assert value_of(program) == {"sum": 2 + 5 + 10}
    assert program.count("const ONE = 1;") == 1, "a module is run once"


@pytest.mark.parametrize(
    ("texts", "words"),
    [
        ({"main": 'import x from "./lib/one.js";\n'}, "does not know: import x"),
        ({"main": "export default 1;\n"}, "does not know: export default"),
        ({"main": "import('./lib/one.js');\n"}, r"does not know: import\("),
        ({"main": 'import { a } from "./lib/none.js";\n'}, "none.js"),
        (
            {
                "main": 'import { a } from "./lib/one.js";\n',
                "lib/one": "const a = 1;\n",
            },
            "one.js does not export a",
        ),
        (
            {
                "main": 'import { a } from "./lib/one.js";\n',
                "lib/one": 'import { b } from "../main.js";\n',
            },
            "circle: main.js -> one.js -> main.js",
        ),
    ],
)
def test_what_cannot_be_joined_is_an_error(tmp_path, texts, words):
    main = written(
        tmp_path, **{name.replace("/", "__"): t for name, t in texts.items()}
    )
    with pytest.raises(CompanionError, match=words):
        joined(main)


def test_every_script_of_the_book_is_joined_and_sets_nothing_global():
    names = {path.name for path in (ROOT / FOLDER).glob("*.js")}
    assert {name for name, _ in SCRIPTS} - TABLES <= names
    for path in (ROOT / FOLDER).glob("*.js"):
        text = joined(path)
        assert re.match(r"\(\(\) => \{\n\"use strict\";", text)
        assert not re.search(r"window\.\w+ =(?!=)|\bvar\b", text), path.name


def test_every_module_is_a_script_or_part_of_one():
    folder = ROOT / FOLDER
    scripts = "".join(joined(path) for path in folder.glob("*.js"))
    for path in folder.rglob("*/*.js"):
        variable = f"{path.parent.name}_{path.stem}".replace("-", "_")
        assert f"const {variable} =" in scripts, path.name


@pytest.mark.parametrize("broken", ["node", "registry"])
def test_scripts_that_cannot_be_linted_are_named_and_fail_where_they_have_to_be(
    monkeypatch, capsys, broken
):
    tool = load_tool("lint_javascript")

    def refused(*_):
        raise subprocess.CalledProcessError(1, "npm")

    monkeypatch.setattr(tool, "installed", refused)
    if broken == "node":
        monkeypatch.setattr(tool.shutil, "which", lambda name: None)
    monkeypatch.delenv(tool.VARIABLE, raising=False)
    assert tool.main() == 0
    assert f"{FOLDER} is not checked" in capsys.readouterr().err
    monkeypatch.setenv(tool.VARIABLE, "1")
    assert tool.main() == 1
