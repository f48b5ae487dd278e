"""Keys and groups of the actions that a person can take, whatever the action space."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

_GRADED = re.compile(r"(?P<what>[a-z_]+)_(?P<grade>\d+(?:\.\d+)?)")
_PER_SECOND = 0.5  # of the largest grade, for each s that the key is held
HOLD = " "  # the key that is held for a graded action
KEYS: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(("move_forward", "x+"), "w"),
        **dict.fromkeys(("move_backward", "x-"), "s"),
        **dict.fromkeys(("move_left", "y+"), "a"),
        **dict.fromkeys(("move_right", "y-"), "d"),
        **dict.fromkeys(("move_up", "z+"), "r"),
        **dict.fromkeys(("move_down", "z-"), "f"),
        **dict.fromkeys(("turn_left", "yaw+"), "ArrowLeft"),
        **dict.fromkeys(("turn_right", "yaw-"), "ArrowRight"),
        **dict.fromkeys(("look_up", "pitch+"), "ArrowUp"),
        **dict.fromkeys(("look_down", "pitch-"), "ArrowDown"),
        "hand_forward": "i",
        "hand_backward": "k",
        "hand_left": "j",
        "hand_right": "l",
        "hand_up": "u",
        "hand_down": "n",
        "lift_up": "t",
        "lift_down": "b",
        "wrist_left": "q",
        "wrist_right": "e",
        "release": "x",
        "open": "o",
        "close": "c",
    }
)
_IN_WORDS = {  # of actions whose names alone say too little; x and y are directions of the home
    "z+": "up",
    "z-": "down",
    "yaw+": "turn left",
    "yaw-": "turn right",
    "pitch+": "look up",
    "pitch-": "look down",
}


def plain_actions(actions: Sequence[str]) -> list[str]:
    """Those that are not graded."""
    return [action for action in actions if not _GRADED.fullmatch(action)]


def graded_actions(actions: Sequence[str]) -> list[str]:
    """Those that differ in a number alone, such as the force of a grasp, from the least to the most."""
    found = [(float(match["grade"]), action) for action in actions if (match := _GRADED.fullmatch(action))]
    return [action for _, action in sorted(found)]


def graded_by(seconds: float, graded: Sequence[str]) -> str:
    """The action of a key that was held for so long: the longer, the more.

    Raises:
        IndexError: there is no graded action.
    """
    place = int(max(0.0, seconds) * _PER_SECOND * len(graded))
    return graded[min(place, len(graded) - 1)]


def in_words(action: str) -> str:
    """The name of an action for a button, with its key."""
    key = KEYS.get(action, "")
    words = f", {_IN_WORDS[action]}" if action in _IN_WORDS else ""
    return action.replace("_", " ") + words + (f" [{key.removeprefix('Arrow')}]" if key else "")
