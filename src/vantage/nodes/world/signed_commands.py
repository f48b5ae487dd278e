"""Signatures of an arm's commands between processes: who has no key cannot imitate who commands.

What is signed is what the message asks for, the session of the world, and the stamp of the first look of its episode,
so that what was heard on the network is of no use later, not even where the same episode is run again.
"""

from __future__ import annotations

import hmac
import json
from typing import Any

_SIGNED = "vantage arm command 1"  # what the bytes that are signed begin with
_PLAIN = ("episode_id", "source", "sequence", "mode", "gripper_width", "gripper_force", "handle", "action")
_STEP = ("forward", "left", "up", "height", "roll")
_OBJECT = ("verb", "thing", "place")


def sign_command(message: Any, key: bytes, session: str, began: int) -> None:
    """Fill the signature of an ArmCommand.

    Args:
        session: of the world, as ``grant_warrant`` tells it.
        began: stamp of the first look of the running episode, ns.
    """
    message.signature = list(_signature(message, key, session, began))


def is_signed(message: Any, key: bytes, session: str, began: int) -> bool:
    """Whether an ArmCommand was signed with a key; see ``sign_command``."""
    return hmac.compare_digest(bytes(message.signature), _signature(message, key, session, began))


def _signature(message: Any, key: bytes, session: str, began: int) -> bytes:
    pose = message.target_pose
    fields = [
        _SIGNED,
        session,
        began,
        message.header.frame_id,
        *(getattr(message, name) for name in _PLAIN),
        list(message.joint_names),
        list(message.positions),
        [getattr(pose.position, axis) for axis in "xyz"],
        [getattr(pose.orientation, axis) for axis in "xyzw"],
        [getattr(message.step, name) for name in _STEP],
        [getattr(message.object_action, name) for name in _OBJECT],
    ]
    return hmac.digest(key, json.dumps(fields, separators=(",", ":")).encode("ascii"), "sha256")
