"""Lint and format the scripts of the book: `tools/lint_javascript.py [--fix]`.

ESLint and Prettier need Node.js with npm. They are installed from the lock in
`tools/javascript/` into the environment, once for each lock. Without Node.js, or where
npm reaches no registry, the scripts are not checked, which is said; where
`CHECK_SCRIPTS` is set, as in the workflow of the repository, that is an error.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SETTINGS = ROOT / "tools" / "javascript"
SCRIPTS = "book/_scripts"
#: What the installation is made from, and what the programs read beside it.
LOCK = ("package.json", "package-lock.json")
CONFIG = ("eslint.config.mjs", "prettier.json")
#: The variable that says that scripts have to be checked.
VARIABLE = "CHECK_SCRIPTS"


def installed(folder: Path, npm: str) -> Path:
    """Install the locked programs where that is not done, and return their folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in (*LOCK, *CONFIG):
        shutil.copyfile(SETTINGS / name, folder / name)
    texts = b"".join((SETTINGS / name).read_bytes() for name in LOCK)
    wanted = hashlib.sha256(texts).hexdigest()
    stamp = folder / ".complete"
    if not stamp.is_file() or stamp.read_text(encoding="utf-8") != wanted:
        stamp.unlink(missing_ok=True)
        command = [npm, "ci", "--no-audit", "--no-fund", "--ignore-scripts"]
        subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
        stamp.write_text(wanted, encoding="utf-8")
    return folder / "node_modules"


def check(node: str, modules: Path, *, fix: bool) -> int:
    """Run both programs on the scripts; return 0 where they find nothing."""
    settings = modules.parent
    eslint = [
        node,
        str(modules / "eslint/bin/eslint.js"),
        "--max-warnings=0",
        f"--config={settings / 'eslint.config.mjs'}",
    ]
    prettier = [
        node,
        str(modules / "prettier/bin/prettier.cjs"),
        "--log-level=warn",
        f"--config={settings / 'prettier.json'}",
    ]
    if fix:
        eslint.append("--fix")
        prettier.append("--write")
    else:
        prettier.append("--check")
    codes = [
        subprocess.run([*program, SCRIPTS], cwd=ROOT, check=False).returncode
        for program in (eslint, prettier)
    ]
    return max(codes)


def unchecked(reason: str) -> int:
    """Say why the scripts are not checked; return 1 where they have to be."""
    print(f"lint: {SCRIPTS} is not checked: {reason}", file=sys.stderr)
    return int(VARIABLE in os.environ)


def main() -> int:
    """Check the scripts, or say why they are not checked."""
    node = shutil.which("node")
    npm = shutil.which("npm")
    if node is None or npm is None:
        return unchecked("Node.js with npm is not installed")
    try:
        modules = installed(Path(sys.prefix) / "tools" / "javascript", npm)
    except subprocess.CalledProcessError:
        return unchecked("npm could not install ESLint and Prettier")
    return check(node, modules, fix="--fix" in sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
