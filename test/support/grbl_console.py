"""A small five-axis machine for tests, and a host that talks to an emulated controller in a time of its own."""

from __future__ import annotations

import re

from vantage.worlds.rig.emulators.grbl.axes import Axis
from vantage.worlds.rig.emulators.grbl.controller import Controller

AXES = (
    Axis("X", 10.0, 310.0, 200.0, 2000.0, 80.0, start=12.0, joint=0),
    Axis("Y", 10.0, 210.0, 200.0, 2000.0, 80.0, start=12.0, joint=1),
    Axis("Z", 300.0, 400.0, 100.0, 1000.0, 400.0, homes_up=True, start=398.0, joint=2),
    Axis("A", -180.0, 180.0, 180.0, 1800.0, 100.0, rotary=True, start=-178.0, joint=3),
    Axis("B", -70.0, 70.0, 180.0, 1800.0, 100.0, rotary=True, start=-68.0, joint=4),
)
HOME = (10.0, 10.0, 400.0, -180.0, -70.0)
GREETING = ["", "Grbl 1.1h ['$' for help]", "[MSG:'$H'|'$X' to unlock]"]


class Console:
    """Bytes go to the controller at ``now``, which passes with ``wait`` only."""

    def __init__(self, homed: bool = True, **choices: object) -> None:
        self.controller = Controller(choices.pop("axes", AXES), **choices)
        self.now = 0.0
        self._aside: list[str] = []
        self.heard()
        if homed:
            assert self.ask("$H", 10.0) == ["ok"]

    @property
    def motion(self):
        return self.controller.motion

    def send(self, data: str | bytes) -> None:
        """Bytes as they are; text as a line."""
        self.controller.receive(data if isinstance(data, bytes) else f"{data}\n".encode(), self.now)

    def wait(self, seconds: float) -> None:
        self.now += seconds
        self.controller.advance(self.now)

    def heard(self) -> list[str]:
        """Lines that came since the last time."""
        kept, self._aside = self._aside, []
        return kept + self.controller.replies.take(self.now).decode("latin1").split("\r\n")[:-1]

    def ask(self, data: str | bytes, seconds: float = 0.0) -> list[str]:
        """Send, wait, and tell what came."""
        self.send(data)
        self.wait(seconds)
        return self.heard()

    def status(self) -> tuple[str, tuple[float, ...], dict[str, str]]:
        """State, position and the other fields of a report; other lines stay unheard."""
        *self._aside, line = self.ask(b"?")
        return read_status(line)


def read_status(line: str) -> tuple[str, tuple[float, ...], dict[str, str]]:
    match = re.fullmatch(r"<([A-Z][a-z]+(?::\d)?)\|([MW]Pos):([-\d.,]+)((?:\|[A-Za-z]+:[^|>]*)*)>", line)
    assert match, line
    fields = dict(field.split(":", 1) for field in match.group(4).split("|")[1:])
    return match.group(1), tuple(float(value) for value in match.group(3).split(",")), fields
