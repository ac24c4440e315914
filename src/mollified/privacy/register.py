r"""Remember who was drawn, so that nobody is drawn twice by mistake: a register that objects and processes can share.

A person who is drawn n times spends n times the level. Samplers take public names of people, `users`, and ask a
register, which holds them in memory, in a mapping of the caller's, or in an append-only file with a lock, which other
objects, processes and later runs see too. Names follow one rule, `person`.
"""

from __future__ import annotations

import json
import numbers
import os
import threading
import unicodedata
import uuid
from collections.abc import Iterable, MutableMapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from mollified._validate import echo

__all__ = ["Register", "check_people", "check_register", "note_drawn", "person", "refuse_drawn"]


def person(name: str, value: object) -> str:
    """Return the name of a person: text in Unicode's composed form with single blanks, or a whole number as its digits.

    So 18, numpy.int64(18) and "18" are one person, and "Ann" and " Ann " are; "Ann" and "ann" are two. Raises TypeError
    that names the argument for anything else: 18.0 comes where one number is missing, and could be two people.
    """
    if isinstance(value, str):
        text = " ".join(unicodedata.normalize("NFC", value).split())
        if not text:
            raise ValueError(f"{name} must hold names that are not empty, got {value!r}")
        return text
    if isinstance(value, numbers.Integral) and not isinstance(value, bool | np.bool):
        return str(int(value))
    raise TypeError(f"{name} must be text or whole numbers, got {echo(name, value)} ({type(value).__name__})")


def check_people(name: str, value: object, size: int | None = None) -> list[str]:
    """Return the names of as many different people; TypeError or ValueError that names the argument and the name."""
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        raise TypeError(f"{name} must be a list of names, got {echo(name, value)}")
    people = [person(name, one) for one in value]
    if size is not None and len(people) != size:
        raise ValueError(f"{name} must name {size} people, one a law, got {len(people)}")
    seen: set[str] = set()
    for one in people:
        if one in seen:
            raise ValueError(f"{name} must be different people, got {one!r} twice")
        seen.add(one)
    return people


class _Memory:
    """Hold names in this object alone."""

    def __init__(self) -> None:
        self._names: set[str] = set()
        self._lock = threading.Lock()

    def first_known(self, people: Sequence[str]) -> str | None:
        return next((one for one in people if one in self._names), None)

    def add(self, people: Sequence[str]) -> str | None:
        with self._lock:
            known = self.first_known(people)
            if known is None:
                self._names.update(people)
            return known


class _Mapping:
    """Hold names as keys of the caller's mapping, by `setdefault`, which is one step in a dict and a manager's dict."""

    def __init__(self, names: MutableMapping[str, Any]) -> None:
        self._names = names

    def first_known(self, people: Sequence[str]) -> str | None:
        return next((one for one in people if one in self._names), None)

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
    """Hold names in a file of the owner's, one a line as JSON; what others append is read first, under a lock."""

    def __init__(self, path: Path) -> None:
        from filelock import FileLock

        self._path = path
        self._names: set[str] = set()
        self._read = 0
        self._thread = threading.Lock()
        self._lock = FileLock(f"{path}.lock")

    def _catch_up(self) -> None:
        """Read what was appended; a last line that a killed process left half written names nobody who was drawn."""
        size = self._path.stat().st_size if self._path.exists() else 0
        if size < self._read:
            raise ValueError(f"register {self._path} has become shorter: people drawn before would be forgotten")
        if size == self._read:
            return
        with self._path.open("rb+") as file:
            file.seek(self._read)
            text = file.read()
            whole = text[: text.rfind(b"\n") + 1]
            self._names.update(self._named(whole))
            self._read += len(whole)
            if len(whole) < len(text):
                file.truncate(self._read)

    def _named(self, text: bytes) -> list[str]:
        try:
            names = [json.loads(line) for line in text.splitlines()]
        except ValueError:
            names = [None]
        if not all(isinstance(one, str) for one in names):
            raise ValueError(f"register {self._path} is no list of names, one a line as JSON")
        return names

    def first_known(self, people: Sequence[str]) -> str | None:
        with self._thread, self._lock:
            self._catch_up()
            return next((one for one in people if one in self._names), None)

    def add(self, people: Sequence[str]) -> str | None:
        with self._thread, self._lock:
            self._catch_up()
            known = next((one for one in people if one in self._names), None)
            if known is None:
                self._append("".join(f"{json.dumps(one)}\n" for one in people).encode("ascii"))
                self._names.update(people)
            return known

    def _append(self, text: bytes) -> None:
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
        with os.fdopen(os.open(self._path, flags, 0o600), "ab") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        self._read += len(text)


class Register:
    """Remember the people who were drawn, in memory, in a mapping, or in a file that processes and runs share.

    `store` is None, a mutable mapping of the caller's whose keys are the names, or the path of a file, which is only
    appended to, under a lock (`filelock`; the file's system must keep locks). One register serves any number of
    samplers: whoever was drawn by one of them is refused by all. A register with a file may be copied and pickled: the
    copies share the file. A copy of another one, made by `copy`, `pickle` or a worker process, would not see what the
    first one notes from then on: it refuses all names, with advice. Raises TypeError for another store,
    ValueError for a file that holds something else, OSError where it cannot be written.

    >>> register = Register()
    >>> register.add(["Ann", 18])
    >>> "18" in register
    True
    """

    def __init__(self, store: MutableMapping[str, Any] | str | os.PathLike[str] | None = None) -> None:
        self._path: Path | None = None
        self._store: _Memory | _Mapping | _File
        if store is None:
            self._store = _Memory()
        elif isinstance(store, str | os.PathLike):
            self._path = Path(store).absolute()
            self._store = _File(self._path)
        elif all(callable(getattr(store, method, None)) for method in ("setdefault", "__contains__", "__delitem__")):
            self._store = _Mapping(store)
        else:
            raise TypeError(f"store must be a path, a mutable mapping or None, got {echo('store', store)}")
        #: The only process that may ask, where no other one sees what it notes; 0 for a copy, which may not.
        self._process = os.getpid() if store is None or isinstance(store, dict) else None

    def __repr__(self) -> str:
        where = repr(str(self._path)) if self._path else type(self._store).__name__[1:].lower()
        return f"Register({where})"

    def __contains__(self, name: object) -> bool:
        """Tell whether this person was drawn; TypeError or ValueError for what is no name."""
        return self._first_known([person("name", name)]) is not None

    def add(self, people: object) -> None:
        """Note people as drawn, all or none, in one step.

        Raises TypeError or ValueError for what are no names of different people, ValueError that names the first who
        was drawn before, OSError where the file cannot be written.
        """
        note_drawn(self, check_people("people", people), "people")

    def _first_known(self, people: Sequence[str]) -> str | None:
        """Return the first of these names who was drawn before, None where nobody was."""
        self._check_shared()
        return self._store.first_known(people)

    def _add_new(self, people: Sequence[str]) -> str | None:
        """Note all and return None, or note nobody and return the first who was drawn before."""
        self._check_shared()
        return self._store.add(people)

    def _check_shared(self) -> None:
        if self._process not in (None, os.getpid()):
            raise ValueError(
                "register must be shared by those who draw: this is a copy of one in memory, made by copy, pickle or "
                "a worker process; give register=Register(path of a file)"
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
        raise TypeError(f"{name} must be a mollified.privacy.Register, got {echo(name, value)}")
    return value


def refuse_drawn(register: Register, people: Sequence[str], name: str) -> None:
    """Raise a ValueError that names the argument and the first of the people who was drawn before."""
    _refuse(register._first_known(people), name)


def note_drawn(register: Register, people: Sequence[str], name: str) -> None:
    """Note people as drawn, all or none; ValueError that names the argument and the first who was drawn before."""
    _refuse(register._add_new(people), name)


def _refuse(known: str | None, name: str) -> None:
    if known is not None:
        raise ValueError(f"{name} must be people who were not drawn before, got {known!r}, who was")
