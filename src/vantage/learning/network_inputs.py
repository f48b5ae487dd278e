"""What a network is given of a look besides visual features: arrays of the body, the phase and the last action."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vantage.types import Observation

Floats = NDArray[np.float32]

_ROOM = 10.0  # m that count as 1
_HAND = 0.1  # m between the fingers that count as 1
_ACROSS = ("tool", "gripper", "phase", "asked")  # given as they are, but for units


def picture(rgb: NDArray[np.uint8], size: int) -> NDArray[np.uint8]:
    """A picture (H, W, 3) as a square one of some pixels an edge."""
    if rgb.shape[:2] == (size, size):
        return rgb
    return np.asarray(cv2.resize(rgb, (size, size), interpolation=cv2.INTER_AREA), np.uint8)


def looked(
    observation: Observation, size: int, phase: str, phases: Sequence[str], action: int, actions: int, asked: bool
) -> dict[str, Any]:
    """A look as the observation of ``EpisodeEnv``.

    Args:
        size: edge of ``rgb``, pixels.
        phase: the one that is on, of ``phases``; one that is not among them is told as none.
        action: number of the last action, of so many ``actions``; negative where there was none yet.
        asked: whether the questions of the episode are public.
    """
    touch, view = observation.touch, observation.viewpoint
    tool, gripper = np.zeros(12, np.float32), np.zeros(2, np.float32)
    if touch is not None:
        tool = touch.T_world_tool[:3].reshape(12).astype(np.float32)
        gripper[:] = max(0.0, float(np.nan_to_num(touch.gripper_width))), touch.holds
    last = np.zeros(actions, np.float32)
    if action >= 0:
        last[action] = 1.0
    return {
        "rgb": picture(observation.rgb, size),
        "pose": np.array([*view.position, view.yaw, view.pitch], np.float32),
        "tool": tool,
        "gripper": gripper,
        "phase": np.array([each == phase for each in phases], np.float32),
        "asked": np.array([asked], np.float32),
        "last_action": last,
    }


def body_size(phases: Sequence[str]) -> int:
    """Of the vectors that ``body_of`` makes."""
    return 7 + 12 + 2 + len(phases) + 1


def body_of(look: Mapping[str, Any]) -> Floats:
    """Pose, tool, gripper, phase and whether questions are public, as one vector of numbers around 1; angles as sine
    and cosine.

    Args:
        look: an observation of ``EpisodeEnv``.
    """
    x, y, z, yaw, pitch = (float(value) for value in look["pose"])
    pose = [x / _ROOM, y / _ROOM, z / _ROOM, np.sin(yaw), np.cos(yaw), np.sin(pitch), np.cos(pitch)]
    tool, gripper, phase, asked = (np.array(look[key], np.float32) for key in _ACROSS)
    tool[3::4] /= _ROOM
    gripper[0] /= _HAND
    return np.concatenate([np.array(pose, np.float32), tool, gripper, phase, asked])
