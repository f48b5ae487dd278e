"""Parts of a rig for tests of its cameras: a clock, joints that stand where they are put, and sections of a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from vantage.config import Settings
from vantage.decoding import Section
from vantage.files import shared_folder
from vantage.worlds.rig.clock import Clock, VirtualClock
from vantage.worlds.rig.description import load_rig
from vantage.worlds.rig.parts import RigParts


class Joints:
    """Positions that a test sets, and how often they were asked for."""

    def __init__(self, *positions: float) -> None:
        self.positions = np.array(positions)
        self.asked = 0

    def __call__(self) -> np.ndarray:
        self.asked += 1
        return self.positions


def rig_parts(settings: Settings | None = None, clock: Clock | None = None, joints: Joints | None = None) -> RigParts:
    """Of the rig in ``config/rigs/room.yaml``."""
    description = load_rig(shared_folder("config") / "rigs" / "room.yaml")
    return RigParts(
        settings or Settings(), description, clock or VirtualClock(), joints or Joints(4.0, 4.0, 1.0, 0.0, 0.0)
    )


def section(folder: Path | str = ".", **values: Any) -> Section:
    """The section ``camera`` of a rig file."""
    return Section(values, "rig.yaml: camera", Path(folder))
