"""Who was drawn: names, registers in memory, in a mapping and in a file, copies,
processes, and both box samplers.
"""

import copy
import dataclasses
import multiprocessing
import pickle
import subprocess
import sys
import threading
from collections import UserDict

import filelock
import numpy as np
import pandas as pd
import pytest

from mollified.boxes import BoxSampler, ContinuousBoxSampler
from mollified.laws import Gaussian
from mollified.privacy import Register

Q0 = (0.5, 0.25, 0.125, 0.125)
LINE = Gaussian.standard(1)


def finite(**options):
    sampler = BoxSampler.from_reference(Q0, 1.0, **options)
    return sampler, lambda name: sampler.draw(Q0, users=[name])


def continuous(**options):
    sampler = ContinuousBoxSampler(LINE, 1.0, pool=16, **options)
    return sampler, lambda name: sampler.draw(LINE, user=name)


BOTH = pytest.mark.parametrize("prepare", [finite, continuous])


@BOTH
@pytest.mark.parametrize(
    ("first", "same"),
    [
        ("Ann", " Ann "),
        ("Ann  Lee", "Ann Lee"),
        ("é", "e\u0301"),
        (18, np.int64(18)),
        (18, "18"),
        ("x", np.str_("x")),
    ],
)
def test_spellings_of_one_name_are_one_person(prepare, first, same):
    _, draw = prepare()
    draw(first)
    with pytest.raises(ValueError, match=r"^users? must .*drawn before"):
        draw(same)


@BOTH
@pytest.mark.parametrize(
    "name",
    [
        18.0,
        float("nan"),
        [None],
        True,
        b"Ann",
        ("Ann",),
        pd.NA,
        np.bool(True),
        "",
        "  ",
    ],
)
def test_what_is_no_name_is_refused_in_all_classes(prepare, name):
    _, draw = prepare()
    with pytest.raises((TypeError, ValueError), match=r"^users? must"):
        draw(name)


@pytest.mark.parametrize("kind", [list, tuple, np.array, pd.Series, pd.Index])
def test_names_come_in_any_row_and_the_one_that_is_repeated_is_named(kind):
    sampler = BoxSampler.from_reference(Q0, 1.0)
    sampler.draw(np.eye(4)[:3], users=kind(["a", "b", "c"]))
    with pytest.raises(ValueError, match=r"^users must .*'d' twice"):
        sampler.draw(np.eye(4)[:3], users=kind(["e", "d", "d"]))
    with pytest.raises(ValueError, match=r"^users must .*'b'"):
        sampler.draw(np.eye(4)[:2], users=kind(["f", "b"]))
    sampler.draw(
        np.eye(4)[:2], users=kind(["f", "g"])
    )  # nobody of a call that failed was noted


@BOTH
@pytest.mark.parametrize(
    "copied",
    [
        copy.deepcopy,
        lambda it: pickle.loads(pickle.dumps(it)),
        lambda it: pickle.loads(pickle.dumps(it, 2)),
    ],
)
def test_a_copy_of_a_sampler_does_not_draw_people_in_silence(prepare, copied):
    sampler, draw = prepare()
    draw("a")
    other = copied(sampler)
    for name in ("a", "b"):
        with pytest.raises(ValueError, match=r"^register must .*shared"):
            other.draw(Q0, users=[name]) if prepare is finite else other.draw(
                LINE, user=name
            )
    other.draw(Q0 if prepare is finite else LINE)  # without a name it draws as before


def test_a_copy_has_a_floor_that_cannot_be_written():
    sampler = BoxSampler.from_reference(Q0, 1.0)
    for one in (sampler, pickle.loads(pickle.dumps(sampler)), copy.deepcopy(sampler)):
        with pytest.raises(ValueError, match="read-only"):
            one.floor[0] = 0.9


@BOTH
def test_shallow_copies_and_replacements_share_the_register(prepare):
    sampler, draw = prepare()
    draw("a")
    for other in (copy.copy(sampler), dataclasses.replace(sampler, eps=1.5)):
        with pytest.raises(ValueError, match=r"^users? must .*drawn before"):
            other.draw(Q0, users=["a"]) if prepare is finite else other.draw(
                LINE, user="a"
            )


@pytest.mark.parametrize("kind", ["memory", "dict", "mapping", "file"])
def test_samplers_of_two_kinds_share_one_register(kind, tmp_path):
    store = {
        "memory": None,
        "dict": {},
        "mapping": UserDict(),
        "file": tmp_path / "drawn",
    }[kind]
    register = Register(store)
    _, one = finite(register=register)
    _, two = continuous(register=register if kind == "memory" else Register(store))
    one("a")
    with pytest.raises(ValueError, match=r"drawn before.*'a'"):
        two("a")
    two("b")
    with pytest.raises(ValueError, match=r"drawn before.*'b'"):
        one("b")
    assert "a" in register
    assert "c" not in register


def test_a_batch_is_noted_whole_or_not_at_all():
    for register in (Register(), Register({})):
        register.add(["a"])
        with pytest.raises(ValueError, match=r"drawn before.*'a'"):
            register.add(["b", "a", "c"])
        assert "b" not in register
        assert "c" not in register


def test_a_register_file_outlives_a_run_and_a_killed_writer(tmp_path):
    path = tmp_path / "drawn"
    Register(path).add(["a", "é\nx"])
    register = pickle.loads(pickle.dumps(Register(path)))
    assert "a" in register
    assert "é x" in register  # blanks of all kinds are one blank
    with path.open("ab") as file:
        file.write(b'["b", "ha')
    later = Register(path)
    assert "b" not in later  # nobody of a draw that was not noted whole
    later.add(["b"])
    assert path.read_text().splitlines()[1:] == ['["a", "\\u00e9 x"]', '["b"]']
    assert "b" in register


@pytest.mark.parametrize(
    "text", ['"a"\n', "name,age\rAnn,3", "name,age\nAnn,3\n", '["a"]\n["b"]', "x"]
)
def test_a_file_that_is_no_register_is_refused_and_stays_as_it_is(tmp_path, text):
    path = tmp_path / "people.csv"
    path.write_bytes(text.encode())
    for ask in (lambda register: "a" in register, lambda register: register.add(["d"])):
        with pytest.raises(ValueError, match="no register"):
            ask(Register(path))
    assert path.read_bytes() == text.encode()


@pytest.mark.parametrize("change", ["shorter", "other", "longer", "gone"])
def test_a_register_that_was_written_over_is_refused(tmp_path, change):
    path = tmp_path / "drawn"
    register = Register(path)
    register.add(["a"])
    head, line = path.read_text().splitlines(keepends=True)
    {
        "shorter": lambda: path.write_text(head),
        "other": lambda: path.write_text(f'{head}["b"]\n'),
        "longer": lambda: path.write_text(f'{head}["b"]\n{line}'),
        "gone": path.unlink,
    }[change]()
    with pytest.raises(ValueError, match="written over"):
        register.add(["c"])


def test_a_link_to_a_register_has_its_lock(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "drawn")
    Register(tmp_path / "drawn").add(["a"])
    assert "a" in Register(tmp_path / "link")
    assert sorted(path.name for path in tmp_path.glob("*.lock")) == ["drawn.lock"]


def test_a_batch_that_finds_no_room_leaves_the_file_as_it_was(tmp_path):
    """The limit on the size of files stands for a full disk."""
    program = """
import resource, signal, sys
from mollified.privacy import Register
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
register = Register(sys.argv[1])
register.add(["a"])
resource.setrlimit(resource.RLIMIT_FSIZE, (80, resource.RLIM_INFINITY))
try:
    register.add([f"person {number}" for number in range(100)])
except OSError:
    pass
else:
    raise SystemExit("it was written")
no_limit = resource.RLIM_INFINITY
resource.setrlimit(resource.RLIMIT_FSIZE, (no_limit, no_limit))
register.add(["person 0"])
"""
    pytest.importorskip("resource")
    run = subprocess.run(
        [sys.executable, "-c", program, tmp_path / "drawn"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert (tmp_path / "drawn").read_text().splitlines()[1:] == [
        '["a"]',
        '["person 0"]',
    ]


@pytest.mark.parametrize(
    "users",
    [
        pd.DataFrame({"id": ["a", "b"], "age": [3, 4]}),
        {"a": 1, "b": 2},
        np.array([["a"], ["b"]]),
        "ab",
        3,
    ],
)
def test_tables_and_mappings_are_no_rows_of_names(users):
    sampler = BoxSampler.from_reference(Q0, 1.0)
    with pytest.raises(TypeError, match=r"^users must .*list"):
        sampler.draw(np.eye(4)[:2], users=users)


def _take(path, started, taken):
    """Draw ten people, each with the same names as the other processes, and count who
    was drawn here.
    """
    sampler = BoxSampler.from_reference(Q0, 1.0, register=Register(path))
    started.wait()
    won = 0
    for number in range(10):
        try:
            sampler.draw(Q0, users=[number])
            won += 1
        except ValueError as error:
            assert "drawn before" in str(error)  # noqa: PT017
    taken.put(won)


def test_each_person_is_drawn_once_by_processes_that_race(tmp_path):
    context = multiprocessing.get_context("spawn")
    started = context.Barrier(3)
    taken = context.Queue()
    workers = [
        context.Process(target=_take, args=(tmp_path / "drawn", started, taken))
        for _ in range(3)
    ]
    for worker in workers:
        worker.start()
    won = [taken.get(timeout=60) for _ in workers]
    for worker in workers:
        worker.join()
    assert sum(won) == 10
    assert len((tmp_path / "drawn").read_text().splitlines()) == 1 + 10


def _try(draw, answer):
    try:
        draw("b")
    except ValueError as error:
        answer.put(str(error))
    else:
        answer.put("drawn")


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
@pytest.mark.skipif(
    "fork" not in multiprocessing.get_all_start_methods(),
    reason="this system cannot fork",
)
@pytest.mark.parametrize("store", [None, {}, UserDict()])
def test_a_fork_of_a_process_does_not_draw_people_in_silence(store):
    _, draw = finite(register=Register(store))
    context = multiprocessing.get_context("fork")
    answer = context.Queue()
    worker = context.Process(target=_try, args=(draw, answer))
    worker.start()
    assert "shared" in answer.get(timeout=60)
    worker.join()


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
@pytest.mark.skipif(
    "fork" not in multiprocessing.get_all_start_methods(),
    reason="this system cannot fork",
)
def test_a_fork_does_not_wait_for_a_thread_of_its_parent(tmp_path, monkeypatch):
    """The thread is within `add` and waits for the lock of the file."""
    register = Register(tmp_path / "drawn")
    register.add(["a"])
    _, draw = finite(register=register)
    within = threading.Event()
    go = threading.Event()
    holder = threading.Thread(target=register.add, args=(["c"],))
    acquire = filelock.FileLock.acquire

    def acquire_late(lock, *args, **options):
        if threading.current_thread() is holder:
            within.set()
            go.wait()
        return acquire(lock, *args, **options)

    monkeypatch.setattr(filelock.FileLock, "acquire", acquire_late)
    holder.start()
    within.wait()
    context = multiprocessing.get_context("fork")
    answer = context.Queue()
    worker = context.Process(target=_try, args=(draw, answer))
    worker.start()
    assert answer.get(timeout=30) == "drawn"
    go.set()
    holder.join()
    worker.join()
    assert "b" in register and "c" in register  # noqa: PT018


def test_a_person_is_not_noted_where_the_file_cannot_be_written(tmp_path):
    sampler = BoxSampler.from_reference(Q0, 1.0, register=Register(tmp_path))
    with pytest.raises(OSError, match=tmp_path.name):
        sampler.draw(Q0, users=["a"])


@pytest.mark.parametrize("store", [3, ["a"], {"a"}, True])
def test_other_stores_and_other_registers_are_refused(store):
    with pytest.raises(TypeError, match=r"^store must"):
        Register(store)
    with pytest.raises(TypeError, match=r"^register must"):
        BoxSampler.from_reference(Q0, 1.0, register=store)
