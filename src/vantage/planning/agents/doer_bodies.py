"""With which body a doer acts in a world: what the world tells of itself decides."""

from __future__ import annotations

from collections.abc import Callable

from vantage.answering import Answering
from vantage.config import Settings
from vantage.perception.map import CoverageMap
from vantage.planning.actions import ActionSpace
from vantage.planning.execution import ActionBody, KinematicBody, PoseBody, SkillBody
from vantage.planning.mobile_actions import MobileActions
from vantage.planning.skills import Guard, HouseBody, Situation, SkillDoor, UnitSteps, space_of
from vantage.spatial import Viewpoint
from vantage.types import Changes
from vantage.worlds import WorldInfo

_MOST_COMMANDS = 80  # of one skill, as skills ask for them: begun anew, it goes by what was seen since


def space_for(info: WorldInfo, start: Viewpoint) -> CoverageMap | None:
    """A map of space as fine as skills need it, in a world with a hand that feels; None elsewhere."""
    return space_of(info, start) if "touch" in info.senses else None


def counts_commands(settings: Settings, info: WorldInfo) -> bool:
    """Whether a command is an action, as large as the world allows: where a set has no sizes for a hand."""
    return settings.actions.space != MobileActions.name


def make_body(
    settings: Settings,
    info: WorldInfo,
    start: Viewpoint,
    knows: Answering,
    coverage: CoverageMap,
    actions: ActionSpace,
    guard: Guard,
    left: Callable[[], int],
) -> ActionBody | None:
    """The body for a world; None where nothing can be moved by a hand.

    Args:
        guard: stands in the door of skills.
        left: tells how many commands the budget still allows.

    Raises:
        ConfigError: the file of a rig with an arm is wrong.
    """
    if "arm" not in info.acts or settings.agent.hands_off:
        return None
    if info.changes is Changes.KINEMATIC:
        return KinematicBody(
            knows.memory,
            coverage,
            actions,
            info,
            start,
            left,
            settings.world.hand_reach,
            counts_commands(settings, info),
        )
    if "touch" in info.senses:
        sizes = settings.actions
        units = None
        if not counts_commands(settings, info):
            units = UnitSteps(sizes.translation, sizes.rotation, sizes.hand_step, sizes.wrist_turn)
        body, grasp = HouseBody(settings.house.robot), settings.house.grasp
        situation = Situation(knows.perceiver, info, body, grasp=grasp, shared=(knows.memory, coverage))
        return SkillBody(SkillDoor(situation, guard, _MOST_COMMANDS, units))
    return _of_rig(settings)


def _of_rig(settings: Settings) -> ActionBody | None:
    """By the named poses of the rig's arm, where its file has one."""
    from vantage.worlds.rig import arm_poses, load_rig, rig_file

    found = arm_poses(load_rig(rig_file(settings.rig.file)))
    return None if found is None else PoseBody(*found)
