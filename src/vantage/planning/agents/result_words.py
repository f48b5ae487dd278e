"""What became of a motion, in the words that whoever chose it is told: a model or a person."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from vantage.types import Status

RESULT_WORDS: Mapping[Status, str] = MappingProxyType(
    {
        Status.DONE: "Done",
        Status.COLLIDED: "Collision occurred. You remained at the same position",
        Status.REJECTED: "Refused: beyond what the camera can do. You remained at the same position",
        Status.TIMED_OUT: "It took too long. See where you are now",
        Status.STOPPED: "Stopped. See where you are now",
    }
)
