"""Check a folder against its list of sums, as a reader does with `sha256sum`."""

from pathlib import Path

from companion.archive import NAME
from companion.provenance import sha256_of


def check_sums(root: Path) -> list[str]:
    """Return what differs under `root` from its list of sums: changed, missing and
    unlisted files.
    """
    lines = (root / NAME).read_text(encoding="utf-8").splitlines()
    wanted = {name: digest for digest, name in (line.split("  ", 1) for line in lines)}
    assert len(wanted) == len(lines), "a name comes twice"
    there = {
        path.relative_to(root).as_posix(): path
        for path in root.rglob("*")
        if path.is_file()
    }
    del there[NAME]
    faults = [f"missing: {name}" for name in sorted(wanted.keys() - there)]
    faults += [f"not listed: {name}" for name in sorted(there.keys() - wanted)]
    return faults + [
        f"changed: {name}"
        for name in sorted(wanted.keys() & there)
        if sha256_of(there[name]) != wanted[name]
    ]
