import errno
import fcntl
import os
import threading
import time

import pytest
import serial
from grbl_peer import Peer
from grbl_rig import driver_threads

from vantage.errors import HardwareError
from vantage.worlds.rig.drivers.serial_link import Link


class Ear:
    """What a link tells."""

    def __init__(self):
        self.lines, self.lost, self.heard = [], [], threading.Event()
        self.tick = lambda: 0.05

    def link(self, port, baud=115200):
        return Link(port, baud, self.line, lambda: self.tick(), self.gone)

    def line(self, line):
        self.lines.append(line)
        self.heard.set()

    def gone(self, reason):
        self.lost.append(reason)
        self.heard.set()


@pytest.fixture
def peer():
    peer = Peer()
    yield peer
    peer.close()


@pytest.fixture
def ear():
    return Ear()


@pytest.fixture
def link(peer, ear):
    link = ear.link(peer.port)
    link.open()
    yield link
    link.close()
    assert driver_threads() == []


def test_lines_come_whole(peer, link, ear):
    peer.say(b"[MSG:ha")
    assert not ear.heard.wait(0.1)
    peer.say(b"lf]\r\nok\r\n")
    while len(ear.lines) < 2:
        assert ear.heard.wait(2.0)
    assert ear.lines == [b"[MSG:half]\r", b"ok\r"]


def test_a_line_without_an_end_is_cut(peer, link, ear):
    peer.say(b"x" * 3000)
    assert ear.heard.wait(2.0)
    assert 1024 < len(ear.lines[0]) <= 3000


def test_what_is_written_arrives(peer, link):
    assert link.write(b"$I\n")
    end = time.monotonic() + 2.0
    while peer.got != ["$I"] and time.monotonic() < end:
        time.sleep(0.01)
    assert peer.got == ["$I"]


def test_a_port_is_for_one_program_alone(peer, link, ear):
    with pytest.raises(HardwareError, match="used by another program; close that one first"):
        ear.link(peer.port).open()


def test_a_closed_port_can_be_opened_by_others(peer, ear):
    first, second = ear.link(peer.port), ear.link(peer.port)
    first.open()
    first.close()
    first.close()
    second.open()
    second.close()
    assert ear.lost == []
    assert driver_threads() == []


def test_a_lost_line_is_told_once_and_let_go(peer, link, ear):
    peer.hang_up()
    assert ear.heard.wait(2.0)
    end = time.monotonic() + 2.0
    while link.alive and time.monotonic() < end:
        time.sleep(0.01)
    assert not link.alive
    assert len(ear.lost) == 1
    assert link.hung_up
    assert not link.write(b"!", urgent=True)


def test_a_line_that_was_hung_up_is_known_before_its_thread_notices(peer, ear):
    noticing, told = threading.Event(), threading.Event()

    def busy():
        told.set()
        noticing.wait(5.0)
        return 0.05

    ear.tick = busy
    link = ear.link(peer.port)
    link.open()
    assert told.wait(2.0)
    assert not link.hung_up
    peer.hang_up()
    assert link.alive
    assert link.hung_up
    noticing.set()
    link.close()


def test_a_late_write_hits_no_file_that_was_opened_since(peer, ear, tmp_path):
    link = ear.link(peer.port)
    link.open()
    link.close()
    paths = [tmp_path / str(i) for i in range(20)]
    files = [path.open("wb") for path in paths]
    link._alive = True  # as a thread sees it that has just looked
    link.write(b"!", urgent=True)
    for file in files:
        file.close()
    assert all(path.read_bytes() == b"" for path in paths)


def test_a_full_line_does_not_delay_an_urgent_byte(peer, link):
    peer._ended.set()  # from now on nobody reads
    peer._thread.join()
    end = time.monotonic() + 5.0
    while link.write(b"G1X1\n" * 100) and time.monotonic() < end:
        pass
    begin = time.monotonic()
    link.write(b"!", urgent=True)
    assert not link.write(b"G1X1\n" * 10_000)
    assert time.monotonic() - begin < 0.1


def test_closing_does_not_wait_for_bytes_that_nobody_takes(peer, ear):
    link = ear.link(peer.port)
    link.open()
    peer._ended.set()
    peer._thread.join()
    while link.write(b"G1X1\n" * 100):
        pass
    begin = time.monotonic()
    link.close()
    assert time.monotonic() - begin < 1.0


def test_a_missing_port_is_told(ear):
    with pytest.raises(HardwareError, match=r"/dev/ttyNONE9 does not exist; plug the controller in or set 'port'"):
        ear.link("/dev/ttyNONE9").open()


def test_no_port_is_told(ear):
    with pytest.raises(HardwareError, match="no serial port is named; set 'port'"):
        ear.link("").open()


def test_a_file_is_no_port(ear, tmp_path):
    path = tmp_path / "file"
    path.touch()
    with pytest.raises(HardwareError, match="no serial port that can be used"):
        ear.link(str(path)).open()


def test_an_impossible_speed_is_told(peer, ear, monkeypatch):
    def refuse(*arguments, **options):
        raise ValueError("Invalid baud rate: 7")

    monkeypatch.setattr(serial, "Serial", refuse)
    with pytest.raises(HardwareError, match="7 baud is not possible"):
        ear.link(peer.port, 7).open()


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.EACCES, "add yourself to group dialout"),
        (errno.EBUSY, "used by another program"),
        (errno.EIO, "unplug the controller and plug it in again"),
    ],
)
def test_other_reasons_say_what_to_do(peer, ear, monkeypatch, number, words):
    real = os.open

    def refuse(path, *arguments, **options):
        if path == peer.port:
            raise OSError(number, os.strerror(number))
        return real(path, *arguments, **options)

    link = ear.link(peer.port)
    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(HardwareError, match=words):
        link.open()
    assert not link.alive


def test_closing_leaves_dtr_alone(peer, link):
    import termios

    assert not termios.tcgetattr(peer._slave)[2] & termios.HUPCL


def test_descriptors_are_given_back(peer, ear):
    def count():
        return len(os.listdir("/proc/self/fd"))

    before = count()
    for _ in range(3):
        link = ear.link(peer.port)
        link.open()
        link.close()
        del link
    assert count() == before


def test_another_lock_is_respected(peer, ear):
    other = os.open(peer.port, os.O_RDWR | os.O_NOCTTY)
    fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
    with pytest.raises(HardwareError, match="used by another program"):
        ear.link(peer.port).open()
    os.close(other)
