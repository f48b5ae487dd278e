"""An action space of another package: the motions that are built in, an arm's gripper, and a stop."""

from __future__ import annotations

from dataclasses import dataclass

from vantage.planning.egocentric_actions import EgocentricActions
from vantage.registry import ACTION_SPACES
from vantage.spatial import Viewpoint
from vantage.types import ArmTarget, Command, Done


@dataclass(frozen=True)
class GripperActions(EgocentricActions):
    name = "gripper"
    names = (*EgocentricActions.names, "grip", "stop")

    def decision(self, action: str, viewpoint: Viewpoint) -> Command | Done:
        if action == "stop":
            return Done()
        if action == "grip":
            return Command(arm=ArmTarget(gripper_width=0.04, gripper_force=5.0), action=action)
        return super().decision(action, viewpoint)

    def apply(self, action: str, viewpoint: Viewpoint) -> Viewpoint:
        return viewpoint if action in ("grip", "stop") else super().apply(action, viewpoint)


def register() -> None:
    if GripperActions.name not in ACTION_SPACES.names():
        ACTION_SPACES.register(GripperActions.name, GripperActions)
