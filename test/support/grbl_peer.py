"""The other end of a serial line, for tests of what talks to Grbl: says what a test tells it to, and moves at once."""

from __future__ import annotations

import os
import re
import select
import threading
import tty

SETTINGS = {
    "10": "3",
    "13": "0",
    "20": "1",
    "22": "1",
    **{f"10{i}": steps for i, steps in enumerate(("80.000", "80.000", "400.000", "100.000", "100.000"))},
    **{f"11{i}": rate for i, rate in enumerate(("15000.000", "15000.000", "9000.000", "6000.000", "6000.000"))},
    **{f"12{i}": value for i, value in enumerate(("1500.000", "1500.000", "1000.000", "500.000", "500.000"))},
    **{f"13{i}": travel for i, travel in enumerate(("2000.000", "1600.000", "1500.000", "370.000", "150.000"))},
}
BANNER = "Grbl 1.1h ['$' for help]"


class Peer:
    """A pseudo-terminal with a thread behind it.

    Attributes:
        port: where to open it.
        got: lines and real-time bytes in the order in which they came, but for ``?``.
        answers: what is said to a line, in place of what Grbl says; None says nothing.
        silent: reports are not answered.
    """

    def __init__(self, state: str = "Idle", place: tuple[float, ...] = (0.0, 0.0, 400.0, 0.0, 0.0)) -> None:
        self.state, self.place = state, list(place)
        self.settings = dict(SETTINGS)
        self.build = ["[VER:1.1h.20260101:]", "[OPT:VNH,15,128]", "[AXS:5:XYZAB]"]
        self.banner, self.extra, self.report = BANNER, "|Bf:15,128|FS:0,0", "MPos"
        self.answers: dict[str, list[str] | None] = {}
        self.got: list[str] = []
        self.silent = self.deaf = False
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        self.port = os.ttyname(self._slave)
        self._line = b""
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._serve, name="grbl peer", daemon=True)
        self._thread.start()

    def say(self, *lines: str | bytes) -> None:
        for line in lines:
            os.write(self._master, line if isinstance(line, bytes) else f"{line}\r\n".encode())

    def hang_up(self) -> None:
        self._ended.set()
        self._thread.join(5.0)
        for end in (self._slave, self._master):
            if end >= 0:
                os.close(end)
        self._master = self._slave = -1

    close = hang_up

    def lines(self, start: str = "") -> list[str]:
        return [line for line in self.got if line.startswith(start)]

    def _serve(self) -> None:
        while not self._ended.is_set():
            if not select.select([self._master], [], [], 0.02)[0]:
                continue
            for byte in os.read(self._master, 4096):
                self._take(bytes([byte]))

    def _take(self, byte: bytes) -> None:
        if self.deaf:
            return
        if byte == b"?":
            if not self.silent:
                place = ",".join(f"{value:.3f}" for value in self.place)
                self.say(f"<{self.state}|{self.report}:{place}{self.extra}>")
        elif byte in b"!~\x18" or byte >= b"\x80":
            self.got.append(byte.decode("latin1"))
            self._realtime(byte)
        elif byte == b"\n":
            line, self._line = self._line.decode(), b""
            self.got.append(line)
            self._answer(line)
        else:
            self._line += byte

    def _realtime(self, byte: bytes) -> None:
        if byte == b"!" and self.state in ("Idle", "Run"):
            self.state = "Hold:0"
        elif byte == b"\x18":
            self._line = b""
            self.state = "Alarm" if self.state == "Alarm" else "Idle"
            self.say("", self.banner)

    def _answer(self, line: str) -> None:
        if line in self.answers:
            said = self.answers[line]
            if said is not None:
                self.say(*said)
        elif line == "$$":
            self.say(*(f"${key}={value}" for key, value in self.settings.items()), "ok")
        elif line == "$I":
            self.say(*self.build, "ok")
        elif line in ("$H", "$X"):
            self.state = "Idle"
            self.say("ok")
        elif line.startswith("$"):
            self.say("error:3")
        elif self.state == "Alarm":
            self.say("error:9")
        elif self.state == "Idle":
            for letter, value in re.findall(r"([XYZAB])(-?[\d.]+)", line.partition("G53")[2]):
                self.place["XYZAB".index(letter)] = float(value)
            self.say("ok")
