"""What every step is handed."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from venv_setup.environment import inside
from venv_setup.layout import NO_ROS, Layout
from venv_setup.stamps import Stamps

INSTALLING = "installing"
BUILDING = "building"


def say(text: str) -> None:
    print(f"setup: {text}", flush=True)


@dataclass(frozen=True)
class Context:
    """One setup run: the places, the target (Python X.Y and distro), the wishes, the caller's environment.

    `stop` ends the step that runs beside another one once that other one has failed.
    """

    layout: Layout
    python: str
    distro: str
    tests: bool
    extras: tuple[str, ...]
    environ: dict[str, str]
    patience: float = 1.0
    stop: threading.Event = field(default_factory=threading.Event)

    @property
    def stamps(self) -> Stamps:
        return Stamps(self.layout.state / "stamps")

    @property
    def with_ros(self) -> bool:
        return self.distro != NO_ROS

    @property
    def venv_environ(self) -> dict[str, str]:
        return inside(self.layout.venv, self.environ)

    @property
    def target(self) -> tuple[str, str, str]:
        """What every stamp depends on besides files; a moved environment has the wrong paths inside."""
        return (self.python, self.distro, str(self.layout.venv))


@contextmanager
def doing(text: str) -> Iterator[None]:
    """Say what begins, and how long it took once it is done; another step may say something in between."""
    say(text)
    started = time.monotonic()
    yield
    say(f"  done in {time.monotonic() - started:.0f} s: {text.partition(' (')[0]}")
