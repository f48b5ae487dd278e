"""Commands of skills in parts no larger than single actions, so that a motion costs as many steps as by actions."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from vantage.planning.skills.body import Body
from vantage.spatial import Viewpoint, wrap_angle
from vantage.types import ArmStep, ArmTarget, Command, Observation

_SAFE = 0.95  # share of a size that a part of a way of the hand takes, which is measured a little otherwise elsewhere


@dataclass(frozen=True)
class UnitSteps:
    """Sizes of single actions.

    Attributes:
        translation, rotation: m and rad of base and head.
        hand_step: m of the hand or the lift.
        wrist_turn: rad of the hand.
    """

    translation: float
    rotation: float
    hand_step: float
    wrist_turn: float

    def parts(self, command: Command, seen: Observation, body: Body) -> list[Command]:
        """Commands that together do what one does, in order; the command itself where it is no larger than an action,
        and where no way of the hand is known.

        Args:
            seen: the newest observation.
        """
        if command.target is not None:
            return [replace(command, target=view) for view in self._views(seen.viewpoint, command.target)]
        arm = command.arm
        if arm is None or arm.handle is not None or arm.gripper_width is not None:
            return [command]
        if arm.step is not None:
            return [replace(command, arm=ArmTarget(step=part)) for part in self._hand_steps(arm.step)]
        goal = arm.joints if arm.joints is not None else arm.T_world_tool
        if goal is None or seen.posture is None:
            return [command]
        sizes = _SAFE * self.hand_step, _SAFE * self.wrist_turn
        way = body.hand_way(seen.posture.joints, seen.viewpoint, goal, *sizes)
        return [replace(command, arm=ArmTarget(joints=posture)) for posture in way] or [command]

    def _views(self, here: Viewpoint, there: Viewpoint) -> list[Viewpoint]:
        """Turn first, then tilt, then drive: each of these is an action of its own."""
        turn, tilt = wrap_angle(there.yaw - here.yaw), there.pitch - here.pitch
        views = []
        for k in range(1, (count := _count(abs(turn), self.rotation)) + 1):
            views.append(replace(here, yaw=wrap_angle(here.yaw + turn * k / count)))
        for k in range(1, (count := _count(abs(tilt), self.rotation)) + 1):
            views.append(replace(here, yaw=there.yaw, pitch=here.pitch + tilt * k / count))
        way = there.x - here.x, there.y - here.y, there.z - here.z
        for k in range(1, (count := _count(math.hypot(*way), self.translation)) + 1):
            share = k / count
            place = (here.x + share * way[0], here.y + share * way[1], here.z + share * way[2])
            views.append(Viewpoint(*place, there.yaw, there.pitch))
        return [*views[:-1], there]

    def _hand_steps(self, step: ArmStep) -> list[ArmStep]:
        parts = []
        for name in ("height", "forward", "left", "up", "roll"):
            value = getattr(step, name)
            count = _count(abs(value), self.wrist_turn if name == "roll" else self.hand_step)
            parts += [ArmStep(**{name: value / count}) for _ in range(count)]
        return parts or [step]


def _count(way: float, size: float) -> int:
    """How many actions of a size a way takes; 0 for hardly any way."""
    return math.ceil(way / size - 1e-6) if way > 1e-6 else 0
