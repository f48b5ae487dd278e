"""A serial port with a thread that owns it: reads whole lines, calls back at given times, reports a lost port."""

from __future__ import annotations

import contextlib
import errno
import os
import select
import termios
import threading
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

from vantage.errors import HardwareError
from vantage.worlds.rig.clock import Clock, SystemClock

_LONGEST = 1024  # bytes of a line; more without an end is cut and handed on as one
_CHUNK = 4096
HUNG_UP = "the line was hung up"


class Link:
    """One serial port. ``write`` may be called from any thread at any time and never waits.

    Args:
        on_line: gets each line without its end, in the link's thread.
        on_tick: called in the link's thread after everything that came was handed on; returns the most s until it
            wants to be called again.
        on_lost: called once in the link's thread, with the reason, when the port goes away by itself.
        clock: the system's where None.
    """

    def __init__(
        self,
        port: str,
        baud: int,
        on_line: Callable[[bytes], None],
        on_tick: Callable[[], float],
        on_lost: Callable[[str], None],
        clock: Clock | None = None,
    ) -> None:
        self._clock = clock or SystemClock()
        self._port, self._baud = port, baud
        self._on_line, self._on_tick, self._on_lost = on_line, on_tick, on_lost
        # Writers use a number of their own that stays valid: it leads nowhere while the port is closed, so that a late
        # stop can neither fail nor hit a file that has been given the number since. Hence no lock around writing.
        self._wire = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
        weakref.finalize(self, os.close, self._wire)
        self._wake_read, self._wake_write = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        for descriptor in (self._wake_read, self._wake_write):
            weakref.finalize(self, os.close, descriptor)
        self._serial: Any = None
        self._thread: threading.Thread | None = None
        self._closing = threading.Event()
        self._alive = False

    @property
    def alive(self) -> bool:
        """Whether the port is open and has not been lost."""
        return self._alive

    def open(self) -> None:
        """Open the port, for this program alone, and start to read.

        Raises:
            HardwareError: it does not exist, is used by another program, is not permitted or is no serial port.
        """
        self._serial = _opened(self._port, self._baud)
        os.dup2(self._serial.fd, self._wire, inheritable=False)
        self._closing.clear()
        self._alive = True
        self._thread = threading.Thread(target=self._run, name=f"grbl {self._port}", daemon=True)
        self._thread.start()

    def write(self, data: bytes, urgent: bool = False) -> bool:
        """Send bytes at once; False where they could not be sent. ``urgent`` ones push aside what waits to be sent."""
        if not self._alive:
            return False
        with contextlib.suppress(OSError, termios.error):
            try:
                return os.write(self._wire, data) == len(data)
            except BlockingIOError:
                if urgent:
                    termios.tcflush(self._wire, termios.TCOFLUSH)
                    return os.write(self._wire, data) == len(data)
        return False

    @property
    def hung_up(self) -> bool:
        """Whether the other end is closed, known before the link's thread notices it."""
        poll = select.poll()
        poll.register(self._wire, 0)
        gone = select.POLLHUP | select.POLLERR | select.POLLNVAL
        return not self._alive or any(events & gone for _, events in poll.poll(0))

    def wake(self) -> None:
        """Have the link's thread call ``on_tick`` now."""
        with contextlib.suppress(BlockingIOError):
            os.write(self._wake_write, b"w")

    def close(self, timeout: float = 2.0) -> None:
        """Let the port go; harmless when repeated. Not from the link's thread."""
        self._closing.set()
        self.wake()
        if self._thread is not None:
            self._thread.join(timeout)
            self._thread = None

    def _run(self) -> None:
        reason = "its thread ended"
        try:
            reason = self._read()
        finally:
            self._release()
            if not self._closing.is_set():
                self._on_lost(reason)
            self._alive = False  # last, so that whoever waits learns the reason first

    def _read(self) -> str:
        """Until closed or lost; returns why."""
        descriptor = self._serial.fd
        rest = b""
        while not self._closing.is_set():
            ready = self._clock.ready((descriptor, self._wake_read), (), self._on_tick())
            if self._wake_read in ready:
                os.read(self._wake_read, _CHUNK)
            if descriptor not in ready:
                continue
            try:
                data = os.read(descriptor, _CHUNK)
            except BlockingIOError:
                continue
            except OSError as error:
                return error.strerror or type(error).__name__
            if not data:
                return HUNG_UP
            *lines, rest = (rest + data).split(b"\n")
            if len(rest) > _LONGEST:
                lines.append(rest)
                rest = b""
            for line in lines:
                self._on_line(line)
        return "closed"

    def _release(self) -> None:
        nowhere = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
        with contextlib.suppress(OSError, termios.error):
            termios.tcflush(self._serial.fd, termios.TCOFLUSH)  # closing would wait for bytes that nobody takes
        os.dup2(nowhere, self._wire, inheritable=False)
        os.close(nowhere)
        with contextlib.suppress(OSError):
            self._serial.close()


def _opened(port: str, baud: int) -> Any:
    """A ``serial.Serial`` whose closing leaves DTR as it is, so that the next opening does not reset the board."""
    import serial

    if not port:
        raise HardwareError("no serial port is named; set 'port' in the driver's section to one, such as /dev/ttyACM0")
    try:
        line = serial.Serial(port, baud, timeout=0, exclusive=True)
    except (serial.SerialException, ValueError, termios.error) as error:
        raise HardwareError(_explained(port, baud, error)) from error
    with contextlib.suppress(termios.error):
        attributes = termios.tcgetattr(line.fd)
        attributes[2] &= ~termios.HUPCL
        termios.tcsetattr(line.fd, termios.TCSANOW, attributes)
    return line


def _explained(port: str, baud: int, error: Exception) -> str:
    number = getattr(error, "errno", None)
    if isinstance(error, ValueError):
        return f"{baud} baud is not possible on {port}; use that of the firmware, mostly 115200"
    if number == errno.ENOENT:
        return f"the serial port {port} does not exist; plug the controller in or set 'port' ({_candidates()})"
    if number in (errno.EACCES, errno.EPERM):
        return (
            f"no permission to use {port}; add yourself to group dialout (sudo usermod -aG dialout $USER), log in anew"
        )
    if number in (errno.EBUSY, errno.EAGAIN):
        return f"the serial port {port} is used by another program; close that one first"
    if number in (errno.ENXIO, errno.ENODEV, errno.EIO):
        return f"nothing answers behind {port}; unplug the controller and plug it in again"
    return f"{port} is no serial port that can be used ({' '.join(str(error).split())}); set 'port' ({_candidates()})"


def _candidates() -> str:
    from serial.tools import list_ports

    found = sorted(item.device for item in list_ports.comports() if Path(item.device).exists())
    return f"found: {', '.join(found)}" if found else "none was found"
