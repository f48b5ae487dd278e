"""Motions of a mobile robot with an arm, named as it sees them, after the action space of EXCALIBUR (CVPR 2023).

How hard to grasp is part of an action's name, ``grasp_0.35`` for 0.35 kgf: so an action means the same wherever it
stands in a bag, needs nothing that came before it, and a step is counted for each trial of a weight.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from types import MappingProxyType

from vantage.errors import ConfigError, UnknownNameError
from vantage.planning.actions import Offset, check_sizes, replayed
from vantage.planning.egocentric_actions import EgocentricActions
from vantage.registry import did_you_mean
from vantage.spatial import Viewpoint
from vantage.types import CLOSE, KGF, OPEN, ArmStep, ArmTarget, Command, Done

OPEN_WIDTH = 0.12  # m between the fingers of an open hand

_BASE = ("move_forward", "move_backward", "move_left", "move_right", "turn_left", "turn_right", "look_up", "look_down")
_RELEASE, _DONE = "release", "done"
_HANDLES = MappingProxyType({"open": OPEN, "close": CLOSE})
_GRASP = "grasp_"
_MOST_GRASPS = 1000  # names, so that a list of them stays readable
_HAND = MappingProxyType(  # field of an arm's step and its sign
    {
        "hand_forward": ("forward", 1),
        "hand_backward": ("forward", -1),
        "hand_left": ("left", 1),
        "hand_right": ("left", -1),
        "hand_up": ("up", 1),
        "hand_down": ("up", -1),
        "lift_up": ("height", 1),
        "lift_down": ("height", -1),
        "wrist_left": ("roll", -1),
        "wrist_right": ("roll", 1),
    }
)


@dataclass(frozen=True)
class MobileActions:
    """Base and head, hand, lift and wrist, grasp, release, open, close and done; EXCALIBUR, section 3.

    The base moves along its heading and its side, and the camera keeps its height. ``wrist_left`` turns the hand
    counter-clockwise as seen along it from the wrist. ``open`` and ``close`` are for what has its handle in the hand's
    reach. ``done`` ends a phase and costs no step.

    Attributes:
        translation: m per action that moves the base.
        rotation: rad per action that turns base or head.
        frame: ``heading``, which is also made of ``world``, the default of ``actions.frame``.
        hand_step: m per action that moves hand or lift.
        wrist_turn: rad.
        force_step, force_max: kgf; grasps are told apart by whole steps up to the largest force.

    Raises:
        ValueError: a size is not possible.
        ConfigError: frame ``camera``.
    """

    translation: float
    rotation: float
    frame: str = "heading"
    hand_step: float = 0.05
    wrist_turn: float = math.pi / 12
    force_step: float = 0.05
    force_max: float = 5.0

    name = "mobile"
    sizes = ("hand_step", "wrist_turn", "force_step", "force_max")
    turns = EgocentricActions.turns

    def __post_init__(self) -> None:
        check_sizes(self.translation, self.rotation)
        if self.frame not in ("world", "heading"):
            raise ConfigError(
                f"actions.frame is '{self.frame}', but the base of action space '{self.name}' moves along its heading; "
                "set actions.frame=heading"
            )
        object.__setattr__(self, "frame", "heading")
        if not (self.hand_step > 0 and 0 < self.wrist_turn <= math.pi):
            raise ValueError(
                f"the hand needs a positive step and a turn of the wrist up to pi, got {self.hand_step} m and "
                f"{self.wrist_turn} rad"
            )
        if not (0 < self.force_step <= self.force_max <= _MOST_GRASPS * self.force_step):
            raise ValueError(
                f"grasps need a force in steps up to a largest one, {_MOST_GRASPS} at most, got {self.force_step} and "
                f"{self.force_max} kgf"
            )

    @cached_property
    def names(self) -> tuple[str, ...]:
        """See ``ActionSpace.names``; grasps from the gentlest to the firmest."""
        return (*_BASE, *_HAND, *self._forces, _RELEASE, *_HANDLES, _DONE)

    def force(self, action: str) -> float | None:
        """N with which an action closes the hand; None where it does not."""
        return self._forces.get(action)

    def grasp(self, force: float) -> str:
        """The gentlest grasp with at least a force in N, or the firmest there is."""
        strong = (name for name, each in self._forces.items() if each >= force - 1e-9)
        return next(strong, list(self._forces)[-1])

    def decision(self, action: str, viewpoint: Viewpoint) -> Command | Done:
        """See ``ActionSpace.decision``."""
        if action in _BASE:
            return Command(target=self.apply(action, viewpoint), action=action)
        if action == _DONE:
            return Done()
        return Command(arm=self._arm_target(action), action=action)

    def apply(self, action: str, viewpoint: Viewpoint) -> Viewpoint:
        """See ``ActionSpace.apply``."""
        if action in _BASE:
            return self._base.apply(action, viewpoint)
        if action not in self.names:
            raise UnknownNameError(f"unknown action '{action}'{did_you_mean(action, list(self.names))}")
        return viewpoint

    def lattice_moves(self, viewpoint: Viewpoint) -> tuple[tuple[str, Offset], ...]:
        """See ``ActionSpace.lattice_moves``; all level."""
        return tuple(move for move in self._base.lattice_moves(viewpoint) if move[0] in _BASE)

    def replay(self, start: Viewpoint, actions: Iterable[str]) -> list[Viewpoint]:
        """See ``ActionSpace.replay``."""
        return replayed(self, start, actions)

    @cached_property
    def _base(self) -> EgocentricActions:
        return EgocentricActions(self.translation, self.rotation, self.frame)

    @property
    def _forces(self) -> Mapping[str, float]:
        return _forces(self.force_step, self.force_max)

    def _arm_target(self, action: str) -> ArmTarget:
        if action in _HAND:
            field, sign = _HAND[action]
            return ArmTarget(step=ArmStep(**{field: sign * (self.wrist_turn if field == "roll" else self.hand_step)}))
        if action in _HANDLES:
            return ArmTarget(handle=_HANDLES[action])
        if action == _RELEASE:
            return ArmTarget(gripper_width=OPEN_WIDTH)
        force = self._forces.get(action)
        if force is None:
            raise UnknownNameError(f"unknown action '{action}'{did_you_mean(action, list(self.names))}")
        return ArmTarget(gripper_width=0.0, gripper_force=force)


@lru_cache(maxsize=16)
def _forces(step: float, most: float) -> Mapping[str, float]:
    """N by the names of grasps, in steps of some kgf up to the most."""
    digits = next((number for number in range(2, 7) if round(step, number) == step), 6)
    count = math.floor(most / step + 1e-9)
    return MappingProxyType({f"{_GRASP}{k * step:.{digits}f}": k * step * KGF for k in range(1, count + 1)})
