"""What a client takes the world of a graph for until the first reset tells."""

from __future__ import annotations

from vantage.config import Settings
from vantage.worlds import MotionLimits, WorldInfo


def guessed_info(settings: Settings) -> WorldInfo:
    """From the settings alone: a camera without an arm."""
    limits = MotionLimits(
        pitch_min=settings.limits.pitch_min,
        pitch_max=settings.limits.pitch_max,
        max_translation=settings.limits.max_translation,
        max_rotation=settings.limits.max_rotation,
    )
    senses = {"rgb", "depth", "instances"} if settings.world.instances else {"rgb", "depth"}
    return WorldInfo("ros", frozenset(senses), frozenset({"viewpoint"}), settings.world.body_radius, limits)
