r"""Remember who was drawn, so that nobody is drawn twice by mistake.

A register is one that objects and processes can share. A person who is drawn n times
spends n times the level. Samplers take public names of people, `users`, and ask a
register, which holds them in memory, in a mapping of the caller's, or in an append-only
file with a lock, which other objects, processes and later runs see too. Names follow
one rule, `person`.
"""

from __future__ import annotations

import json
import numbers
import os
import threading
import unicodedata
import uuid
from collections.abc import (
    Container,
    Iterable,
    Iterator,
    Mapping,
    MutableMapping,
    Sequence,
)
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from mollified._validate import echo

__all__ = [
    "Register",
    "check_people",
    "check_register",
    "note_drawn",
    "person",
    "refuse_drawn",
]


#: The first line of a file: what is no register is not written to.
HEAD = b'{"register": "people who were drawn", "form": 1}\n'


def person(name: str, value: object) -> str:
    """Return the name of a person, a text or a whole number, in one form.

    Text in Unicode's composed form with single blanks, a number as its digits. So 18,
    numpy.int64(18) and "18" are one person, and "Ann" and " Ann " are; "Ann" and "ann"
    are two. Raises TypeError that names the argument for anything else: 18.0 comes
    where one number is missing, and could be two people.
    """
    if isinstance(value, str):
        text = " ".join(unicodedata.normalize("NFC", value).split())
        if not text:
            raise ValueError(
                f"{name} must hold names that are not empty, got {value!r}"
            )
        return text
    if isinstance(value, numbers.Integral) and not isinstance(value, bool | np.bool):
        return str(int(value))
    raise TypeError(
        f"{name} must be text or whole numbers, got a {type(value).__name__}"
    )


def check_people(name: str, value: object, size: int | None = None) -> list[str]:
    """Return the names of as many different people, given in one row.

    Raises TypeError or ValueError that names what is wrong. A table or a mapping is
    refused: it would give its labels.
    """
    single = isinstance(value, str | bytes | Mapping) or getattr(value, "ndim", 1) != 1
    if single or not isinstance(value, Iterable):
        raise TypeError(f"{name} must be a list of names, got {echo(name, value)}")
    people = [person(name, one) for one in value]
    if size is not None and len(people) != size:
        raise ValueError(
            f"{name} must name {size} people, one a law, got {len(people)}"
        )
    seen: set[str] = set()
    for one in people:
        if one in seen:
            raise ValueError(f"{name} must be different people, got {one!r} twice")
        seen.add(one)
    return people


def _first_of(people: Sequence[str], names: Container[str]) -> str | None:
    return next((one for one in people if one in names), None)


class _Memory:
    """Hold names in this object alone."""

    def __init__(self) -> None:
        self._names: set[str] = set()
        self._lock = threading.Lock()

    def first_known(self, people: Sequence[str]) -> str | None:
        return _first_of(people, self._names)

    def add(self, people: Sequence[str]) -> str | None:
        with self._lock:
            known = self.first_known(people)
            if known is None:
                self._names.update(people)
            return known


class _Mapping:
    """Hold names as keys of the caller's mapping.

    By `setdefault`, which is one step in a dict and a manager's dict.
    """

    def __init__(self, names: MutableMapping[str, Any]) -> None:
        self._names = names

    def first_known(self, people: Sequence[str]) -> str | None:
        return _first_of(people, self._names)

    def add(self, people: Sequence[str]) -> str | None:
        mark = uuid.uuid4().hex
        done: list[str] = []
        known: str | None = None
        try:
            for one in people:
                known = one
                if self._names.setdefault(one, mark) != mark:
                    break
                done.append(one)
            else:
                known = None
        finally:
            if known is not None:
                for one in done:
                    del self._names[one]
        return known


class _File:
    """Hold names in a file of the owner's.

    A first line that says so, then the people of one draw a line, as JSON. What others
    append is read before each answer, under a lock. A last line that a killed process
    left half written names nobody who was drawn: it is written over.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._names: set[str] = set()
        self._read = 0
        self._last = b""
        self._renew()

    def _renew(self) -> None:
        """Make the locks, which a fork of the process must not share."""
        from filelock import FileLock

        self._process = os.getpid()
        self._thread = threading.Lock()
        self._lock = FileLock(f"{self._path}.lock")

    @contextmanager
    def _alone(self) -> Iterator[None]:
        if self._process != os.getpid():
            self._renew()
        with self._thread, self._lock:
            self._catch_up()
            yield

    def _catch_up(self) -> None:
        """Read the whole lines that were appended.

        Raises ValueError where the file is not as it was left.
        """
        if not self._path.exists():
            self._check_same(self._read == 0)
            return
        with self._path.open("rb") as file:
            file.seek(self._read - len(self._last))
            text = file.read()
        self._check_same(text.startswith(self._last))
        new = text[len(self._last) :]
        whole = new[: new.rfind(b"\n") + 1]
        lines = whole.splitlines(keepends=True)
        if self._read == 0 and new:
            self._check_head(lines.pop(0) if lines else new)
        for line in lines:
            self._names.update(self._named(line))
        self._last = lines[-1] if lines else whole or self._last
        self._read += len(whole)

    def _check_head(self, line: bytes) -> None:
        """Take the first line, or a part of it that a killed process left."""
        if not HEAD.startswith(line):
            raise ValueError(
                f"register {self._path} is no register:"
                " it does not begin with its first line"
            )

    def _check_same(self, same: bool) -> None:
        if not same:
            raise ValueError(
                f"register {self._path} was written over:"
                " people drawn before would be forgotten"
            )

    def _named(self, line: bytes) -> list[str]:
        try:
            names = json.loads(line)
        except ValueError:
            names = None
        if not isinstance(names, list) or not all(
            isinstance(one, str) for one in names
        ):
            raise ValueError(
                f"register {self._path} is no register: a line holds no list of names"
            )
        return names

    def first_known(self, people: Sequence[str]) -> str | None:
        with self._alone():
            return _first_of(people, self._names)

    def add(self, people: Sequence[str]) -> str | None:
        with self._alone():
            known = _first_of(people, self._names)
            if known is None:
                self._append(f"{json.dumps(people)}\n".encode("ascii"))
                self._names.update(people)
            return known

    def _append(self, line: bytes) -> None:
        """Write one line whole, or leave the file as it was."""
        text = line if self._read else HEAD + line
        with os.fdopen(
            os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600), "rb+"
        ) as file:
            file.truncate(self._read)
            file.seek(self._read)
            try:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            except OSError:
                file.truncate(self._read)
                raise
        self._read += len(text)
        self._last = line


class Register:
    """Remember the people who were drawn: in memory, a mapping or a file.

    A mapping or a file is one that processes, and a file one that runs share. `store`
    is None, a mutable mapping of the caller's whose keys are the names, or the path of
    a file, which is only appended to, under a lock (`filelock`; the file's system must
    keep locks, and all must reach it by one path, links aside). One register serves any
    number of samplers: whoever was drawn by one of them is refused by all. A register
    with a file may be copied and pickled: the copies share the file. A copy of another
    one, made by `copy`, `pickle` or a worker process, would not see what the first one
    notes from then on: it refuses all names, with advice. Where processes share a
    mapping, each makes a register of it. Raises TypeError for another store, ValueError
    for a file that holds something else or was written over, OSError where it cannot be
    written.

    >>> register = Register()
    >>> register.add(["Ann", 18])
    >>> "18" in register
    True
    """

    def __init__(
        self,
        store: MutableMapping[str, Any] | str | os.PathLike[str] | None = None,
    ) -> None:
        self._path: Path | None = None
        self._store: _Memory | _Mapping | _File
        if store is None:
            self._store = _Memory()
        elif isinstance(store, str | os.PathLike):
            self._path = Path(store).resolve()
            self._store = _File(self._path)
        elif all(
            callable(getattr(store, method, None))
            for method in ("setdefault", "__contains__", "__delitem__")
        ):
            self._store = _Mapping(store)
        else:
            raise TypeError(
                "store must be a path, a mutable mapping or None,"
                f" got {echo('store', store)}"
            )
        #: The only process that may ask, where others may not see what it notes; 0 for
        #: a copy, which may not.
        self._process = os.getpid() if self._path is None else None

    def __repr__(self) -> str:
        where = (
            repr(str(self._path))
            if self._path
            else type(self._store).__name__[1:].lower()
        )
        return f"Register({where})"

    def __contains__(self, name: object) -> bool:
        """Tell whether this person was drawn.

        Raises TypeError or ValueError for what is no name.
        """
        return self._first_known([person("name", name)]) is not None

    def add(self, people: object) -> None:
        """Note people as drawn, all or none, in one step.

        Raises TypeError or ValueError for what are no names of different people,
        ValueError that names the first who was drawn before, OSError where the file
        cannot be written.
        """
        note_drawn(self, check_people("people", people), "people")

    def _first_known(self, people: Sequence[str]) -> str | None:
        """Return the first of these names who was drawn before, or None."""
        self._check_shared()
        return self._store.first_known(people)

    def _add_new(self, people: Sequence[str]) -> str | None:
        """Note all and return None, or note nobody and return who was drawn before.

        The first of those who were.
        """
        self._check_shared()
        return self._store.add(people)

    def _check_shared(self) -> None:
        if self._process not in (None, os.getpid()):
            raise ValueError(
                "register must be shared by those who draw: this is a copy of one in"
                " memory, made by copy, pickle or a worker process; give"
                " register=Register(path of a file), or make one of a shared mapping in"
                " each"
            )

    def __getstate__(self) -> dict[str, Any]:
        """Return what a copy knows: the file, or nothing."""
        return {"path": self._path}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(state["path"])  # type: ignore[misc]
        if self._path is None:
            self._process = 0


def check_register(name: str, value: object) -> Register:
    """Return a register, or raise a TypeError that names the argument."""
    if not isinstance(value, Register):
        raise TypeError(
            f"{name} must be a mollified.privacy.Register, got {echo(name, value)}"
        )
    return value


def refuse_drawn(register: Register, people: Sequence[str], name: str) -> None:
    """Raise a ValueError if one of the people was drawn before.

    It names the argument and the first of them.
    """
    _refuse(register._first_known(people), name)


def note_drawn(register: Register, people: Sequence[str], name: str) -> None:
    """Note people as drawn, all or none.

    Raises ValueError that names the argument and the first who was drawn before.
    """
    _refuse(register._add_new(people), name)


def _refuse(known: str | None, name: str) -> None:
    if known is not None:
        raise ValueError(
            f"{name} must be people who were not drawn before, got {known!r}, who was"
        )
