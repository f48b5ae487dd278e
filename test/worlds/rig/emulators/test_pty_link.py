"""A port that can be unplugged: its path stays, what was open on it fails, and no reader is left hanging."""

import contextlib
import os
import subprocess
import sys
import threading
import time

import pytest

from vantage.worlds.rig.emulators.pty_link import PtyLink


@pytest.fixture
def link():
    with contextlib.closing(PtyLink()) as link:
        yield link


def test_bytes_go_both_ways_unchanged(link):
    every = bytes(range(256))
    host = os.open(link.path, os.O_RDWR | os.O_NOCTTY)
    try:
        os.write(host, every)
        received = b""
        while len(received) < len(every):
            received += link.exchange(b"", 2.0)
        assert received == every
        link.exchange(every, 0.0)
        assert os.read(host, 1000) == every
    finally:
        os.close(host)


def test_waking(link):
    begin = time.monotonic()
    threading.Timer(0.05, link.wake).start()
    assert link.exchange(b"", 20.0) == b""
    assert time.monotonic() - begin < 10.0


def test_a_host_that_never_reads_blocks_nobody(link):
    for _ in range(200):
        link.exchange(b"x" * 4096, 0.0)


def test_unplugging(link):
    serving = threading.Event()

    def serve():
        while not serving.is_set():
            link.exchange(b"", 0.5)

    thread = threading.Thread(target=serve)
    thread.start()
    host = os.open(link.path, os.O_RDWR | os.O_NOCTTY)
    try:
        assert link.plug(False)
        assert not link.path.exists()
        with pytest.raises(OSError, match="Input/output error"):
            os.write(host, b"?")
        assert link.plug(True)
        assert link.path.exists()
        again = os.open(link.path, os.O_RDWR | os.O_NOCTTY)
        os.close(again)
    finally:
        os.close(host)
        serving.set()
        link.wake()
        thread.join(5.0)
    assert not thread.is_alive()


def test_unplugging_without_a_server_is_told(link):
    assert not link.plug(False, timeout=0.01)


def test_closing_leaves_nothing_behind():
    link = PtyLink()
    folder = link.path.parent
    before = len(os.listdir("/proc/self/fd"))
    link.close()
    link.close()
    assert not folder.exists()
    assert len(os.listdir("/proc/self/fd")) == before - 4


def test_a_program_that_ends_without_closing_leaves_nothing_behind():
    program = "from vantage.worlds.rig.emulators.pty_link import PtyLink; link = PtyLink(); print(link.path.parent)"
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert ended.stdout.strip()
    assert not os.path.exists(ended.stdout.strip())
