"""A full disk and other faults of the machine end in words and lose nothing; a killed
kernel is in test_verify.
"""

import errno
import os
import shutil
import subprocess
import sys

import pytest

from companion import cli
from companion.build import alone
from companion.cli import advice
from tests.companion.toy import environment, make_book, replace, write
from tests.repository import ROOT

FULL = (
    "The disk is full. Free some space and run the command again: what was finished "
    "is kept."
)


def can_mount() -> bool:
    """Return whether a small disk of one's own can be made here."""
    unshare = shutil.which("unshare")
    if unshare is None:
        return False
    tried = subprocess.run(
        [unshare, "-rm", "mount", "-t", "tmpfs", "none", "/mnt"],
        capture_output=True,
        check=False,
    )
    return tried.returncode == 0


def on_small_disk(root, room: str, after: str = "true"):
    """Run a build with `_build` on a disk of that size; then make it large and run
    `after` there.
    """
    script = f"""
        mount -t tmpfs -o size={room} none _build && cp -a _kept/. _build/
        build="{sys.executable} -m companion build --jobs 1"
        $build
        code=$?
        mount -o remount,size=200m _build
        {after}
        exit $code
    """
    shutil.move(root / "_build", root / "_kept")
    (root / "_build").mkdir()
    arguments = ["unshare", "-rm", "sh", "-c", script]
    how = {"env": environment(root), "timeout": 300}
    return subprocess.run(
        arguments, cwd=root, capture_output=True, text=True, check=False, **how
    )


@pytest.mark.slow
@pytest.mark.parametrize("at", ["executing", "rendering"])
def test_a_full_disk_ends_in_words_and_the_next_build_goes_on(book, at):
    if not can_mount():
        pytest.skip(
            "this machine lets nobody mount a small disk: the test without one "
            "covers the messages"
        )
    used = sum(path.stat().st_size for path in book.build.rglob("*") if path.is_file())
    room = {"executing": 0, "rendering": 600}[
        at
    ]  # KiB: none for a notebook; enough for one, not for the pages
    replace(book.root, "src/toy/pear.py", "11", "12")
    slack = sum(
        -path.stat().st_size % 4096 for path in book.build.rglob("*") if path.is_file()
    )
    done = on_small_disk(
        book.root,
        f"{(used + slack) // 1024 + room}k",
        (
            "cat _build/html/book/index.html > before\n$build > second 2>&1; echo $? "
            ">> second"
        ),
    )
    assert done.returncode == 1, done.stdout + done.stderr
    assert "No space left on device" in done.stderr
    assert FULL in done.stderr
    assert "The pages of the last good build are unchanged." in done.stderr
    before = (book.root / "_kept/html/book/index.html").read_text()
    assert (book.root / "before").read_text() == before
    second = (book.root / "second").read_text()
    assert second.endswith("\n0\n"), second
    assert "apples: nothing changed, kept execution used" in second
    assert ("pears: nothing changed" in second) == (at == "rendering")


#: What a command is called with, beside its name.
NEEDED = {"figure": ["growth"], "accept": ["growth", "--why", "so"]}


def called(root, name):
    return cli.main(["--root", str(root), name, *NEEDED.get(name, [])])


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_a_command_that_writes_is_refused_beside_another(layout, name, capsys):
    write(layout.root, "_build/html/index.html", "<p>One</p>")
    with alone(layout):
        code = called(layout.root, name)
        assert sorted(path.name for path in layout.build.iterdir()) == [".lock", "html"]
    told = capsys.readouterr().err
    assert (code, told) == (0, "") if name in cli.READING else code == 1
    assert name in cli.READING or told.startswith(
        "error: another command is at work on this book"
    )


@pytest.mark.slow
@pytest.mark.parametrize("there", ["layout", "book"])
def test_on_a_disk_that_is_not_written_every_command_ends_in_words(there, request):
    if not can_mount():
        pytest.skip("this machine lets nobody mount a disk of one's own")
    root = request.getfixturevalue(there).root
    expected = {
        name: int(name not in cli.READING or there == "layout") for name in cli.COMMANDS
    }
    program = """
from companion import cli
from tests.companion.test_mishaps import called

found = {name: called(".", name) for name in cli.COMMANDS}
assert found == EXPECTED, found
"""
    script = (
        'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && cd "$1" && exec '
        '"$2" -c "$3"'
    )
    arguments = [
        "unshare",
        "-rm",
        "sh",
        "-c",
        script,
        "sh",
        str(root),
        sys.executable,
        program.replace("EXPECTED", repr(expected)),
    ]
    variables = {
        **environment(root),
        "PYTHONPATH": str(ROOT),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    done = subprocess.run(
        arguments,
        env=variables,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (words,) = advice(os.strerror(errno.EROFS))
    assert done.stderr.count(words) == len(cli.COMMANDS) - len(cli.READING)


def test_a_folder_that_cannot_be_emptied_is_told_as_such(layout, monkeypatch, capsys):
    """And not by what fails later because it is still there."""

    def refuse(path, ignore_errors=False):
        if not ignore_errors:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))

    (layout.build / "apart" / "apples" / "run").mkdir(parents=True)
    monkeypatch.setattr("shutil.rmtree", refuse)
    assert called(layout.root, "figure") == 1
    assert advice(os.strerror(errno.EACCES))[0] in capsys.readouterr().err


@pytest.mark.parametrize(
    "number",
    [errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.ENOMEM, errno.ENOENT],
)
def test_an_error_of_the_machine_ends_in_words_and_any_other_keeps_its_traceback(
    tmp_path, monkeypatch, capsys, number
):
    def fail(*_):
        raise OSError(number, os.strerror(number), "figure.svg")

    monkeypatch.setattr(cli, "load_registry", fail)
    arguments = ["--root", str(make_book(tmp_path)), "figure", "growth"]
    if number == errno.ENOENT:
        assert advice(os.strerror(number)) == []
        with pytest.raises(FileNotFoundError):
            cli.main(arguments)
        return
    assert cli.main(arguments) == 1
    message = capsys.readouterr().err
    assert f"{os.strerror(number)}: 'figure.svg'" in message
    (words,) = advice(message)
    assert words in message
    assert "JOBS=1" in advice("the kernel died without a traceback")[0]
