"""A full disk and other faults of the machine end in words and lose nothing; a killed kernel is in test_verify."""

import errno
import os
import shutil
import subprocess
import sys

import pytest

from companion import cli
from companion.cli import advice
from tests.companion.toy import environment, make_book, replace

FULL = "The disk is full. Free some space and run the command again: what was finished is kept."


def can_mount() -> bool:
    """Return whether a small disk of one's own can be made here."""
    unshare = shutil.which("unshare")
    if unshare is None:
        return False
    tried = subprocess.run([unshare, "-rm", "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True, check=False)
    return tried.returncode == 0


def on_small_disk(root, room: str, after: str = "true"):
    """Run a build with `_build` on a disk of that size; then make it large and run `after` there."""
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
    arguments, how = ["unshare", "-rm", "sh", "-c", script], {"env": environment(root), "timeout": 300}
    return subprocess.run(arguments, cwd=root, capture_output=True, text=True, check=False, **how)


@pytest.mark.slow
@pytest.mark.parametrize("at", ["executing", "rendering"])
def test_a_full_disk_ends_in_words_and_the_next_build_goes_on(book, at):
    if not can_mount():
        pytest.skip("this machine lets nobody mount a small disk: the test without one covers the messages")
    used = sum(path.stat().st_size for path in book.build.rglob("*") if path.is_file())
    room = {"executing": 0, "rendering": 600}[at]  # KiB: none for a notebook; enough for one, not for the pages
    replace(book.root, "src/toy/pear.py", "11", "12")
    slack = sum(-path.stat().st_size % 4096 for path in book.build.rglob("*") if path.is_file())
    done = on_small_disk(
        book.root,
        f"{(used + slack) // 1024 + room}k",
        "cat _build/html/book/index.html > before\n$build > second 2>&1; echo $? >> second",
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


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.ENOMEM, errno.ENOENT])
def test_an_error_of_the_machine_ends_in_words_and_any_other_keeps_its_traceback(tmp_path, monkeypatch, capsys, number):
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
