"""An action space of another kind: forward and turns relative to the heading, an arm's gripper, and a stop."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

from vantage.errors import UnknownNameError
from vantage.registry import ACTION_SPACES
from vantage.spatial import Viewpoint, wrap_angle
from vantage.types import ArmTarget, Command, Done


@dataclass(frozen=True)
class HeadingActions:
    translation: float
    rotation: float

    name = "heading"
    names = ("forward", "left", "right", "grip", "stop")
    lattice_moves = ()

    def decision(self, action: str, viewpoint: Viewpoint) -> Command | Done:
        if action == "stop":
            return Done()
        if action == "grip":
            return Command(arm=ArmTarget(gripper_width=0.04, gripper_force=5.0), action=action)
        return Command(target=self.apply(action, viewpoint), action=action)

    def apply(self, action: str, viewpoint: Viewpoint) -> Viewpoint:
        if action not in self.names:
            raise UnknownNameError(f"unknown action '{action}'")
        if action == "forward":
            ahead, aside = self.translation * math.cos(viewpoint.yaw), self.translation * math.sin(viewpoint.yaw)
            return replace(viewpoint, x=viewpoint.x + ahead, y=viewpoint.y + aside)
        turn = {"left": self.rotation, "right": -self.rotation}.get(action, 0.0)
        return replace(viewpoint, yaw=wrap_angle(viewpoint.yaw + turn))

    def replay(self, start: Viewpoint, actions: Iterable[str]) -> list[Viewpoint]:
        viewpoints = [start]
        for action in actions:
            viewpoints.append(self.apply(action, viewpoints[-1]))
        return viewpoints


def register() -> None:
    if HeadingActions.name not in ACTION_SPACES.names():
        ACTION_SPACES.register(HeadingActions.name, HeadingActions)
