"""Action spaces that leave out axes of the gantry."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType

from vantage.planning.actions import YAW, GantryActions, Offset
from vantage.spatial import Viewpoint


@dataclass(frozen=True)
class LevelActions(GantryActions):
    """Keeps height and pitch."""

    names = ("x+", "x-", "y+", "y-", "yaw+", "yaw-")
    turns = MappingProxyType({(YAW, 1): "yaw+", (YAW, -1): "yaw-"})

    def lattice_moves(self, viewpoint: Viewpoint) -> tuple[tuple[str, Offset], ...]:
        return tuple(move for move in super().lattice_moves(viewpoint) if move[0] in self.names)


@dataclass(frozen=True)
class StillActions(LevelActions):
    """Turns nowhere."""

    names = ("x+", "x-", "y+", "y-")
    turns = MappingProxyType({})
