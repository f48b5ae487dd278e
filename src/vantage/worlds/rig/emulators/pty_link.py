"""An emulated serial port: a pseudo-terminal behind a path that stays the same when it is unplugged."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
import threading
import tty
import weakref
from pathlib import Path

from vantage.worlds.rig.clock import Clock, SystemClock

_CHUNK = 4096
_MOST_PENDING = 1 << 16  # bytes kept for a host that does not read; later ones are lost


class PtyLink:
    """The controller's end of the line. One thread calls ``exchange``; ``plug`` and ``wake`` come from any other.

    Attributes:
        path: where the host opens the port; absent while unplugged.
        ready: when, on the monotonic clock, the first of the bytes that came last was seen to be there.
    """

    def __init__(self, name: str = "port", clock: Clock | None = None) -> None:
        self._clock = clock or SystemClock()
        self._folder = Path(tempfile.mkdtemp(prefix="vantage-rig-"))
        self._tidy = weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)  # also where nobody closes
        self.path = self._folder / name
        self._wake_read, self._wake_write = os.pipe()
        for end in (self._wake_read, self._wake_write):
            os.set_blocking(end, False)
        self._master = self._slave = -1
        self.ready = 0.0
        self._pending = bytearray()
        self._wanted = True
        self._settled = threading.Event()
        self._connect()

    def plug(self, connected: bool, timeout: float = 5.0) -> bool:
        """Pull the plug or put it back; True when the thread that exchanges has done so within ``timeout`` s."""
        self._settled.clear()
        self._wanted = connected
        self.wake()
        return self._settled.wait(timeout)

    def wake(self) -> None:
        """Make ``exchange`` return now."""
        with contextlib.suppress(BlockingIOError):
            os.write(self._wake_write, b"w")

    def exchange(self, data: bytes, timeout: float | None) -> bytes:
        """Send ``data`` and wait up to ``timeout`` s (None: as long as it takes) for what the host sends or a wake."""
        self._change_plug()
        if self._master >= 0 and data:
            self._pending += data[: max(0, _MOST_PENDING - len(self._pending))]
        self._send()
        readers = [self._wake_read] + ([self._master] if self._master >= 0 else [])
        writers = [self._master] if self._pending else []
        ready = self._clock.ready(readers, writers, timeout)
        self.ready = self._clock.monotonic()
        if self._wake_read in ready:
            os.read(self._wake_read, _CHUNK)
            self._change_plug()
        if writers:
            self._send()
        if self._master < 0 or self._master not in ready:
            return b""
        with contextlib.suppress(BlockingIOError):
            return os.read(self._master, _CHUNK)
        return b""

    def close(self) -> None:
        """Take the port away for good. Call it once no thread exchanges any more; harmless when repeated."""
        self._disconnect()
        self._tidy()
        for end in (self._wake_read, self._wake_write):
            if end >= 0:
                os.close(end)
        self._wake_read = self._wake_write = -1

    def _change_plug(self) -> None:
        if self._wanted and self._master < 0:
            self._connect()
        elif not self._wanted and self._master >= 0:
            self._disconnect()
        self._settled.set()

    def _connect(self) -> None:
        """The slave stays open here too, so that a host may come and go; raw, so that nothing is echoed before it."""
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        fresh = self._folder / "fresh"
        fresh.symlink_to(os.ttyname(self._slave))
        fresh.replace(self.path)

    def _disconnect(self) -> None:
        self.path.unlink(missing_ok=True)
        for end in (self._slave, self._master):
            if end >= 0:
                os.close(end)
        self._master = self._slave = -1
        self._pending.clear()

    def _send(self) -> None:
        while self._pending and self._master >= 0:
            try:
                sent = os.write(self._master, self._pending[:_CHUNK])
            except BlockingIOError:
                return
            del self._pending[:sent]
