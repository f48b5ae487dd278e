"""Where a camera is and where it may go, in the words and degrees that a model is told."""

from __future__ import annotations

import math

from vantage.models import prompt
from vantage.spatial import Viewpoint
from vantage.worlds import WorldInfo

_AXES = ("+X", "+Y", "-X", "-Y")  # that headings of 0, 90, 180 and 270 degrees look along
_AT_LIMIT = 0.5  # degrees from a limit at which the pitch counts as at it
_FRAMES = {
    "world": "Moves follow the axes of the world, whatever the heading: forward is +X, left is +Y and up is +Z.",
    "heading": "Moves follow the heading: forward goes where the camera faces, but stays level; up is always +Z.",
    "camera": "Moves follow the camera: forward goes where it looks, and up is what is up in the picture.",
}


def pose_text(at: Viewpoint, info: WorldInfo) -> str:
    """Position (m), heading and pitch (degrees and words) of a viewpoint, one line each.

    Args:
        info: of the world, whose limits of pitch are named where the camera has reached one.
    """
    return prompt("camera_pose").fill(
        x=f"{at.x:.2f}", y=f"{at.y:.2f}", z=f"{at.z:.2f}", heading=heading_words(at.yaw), pitch=_pitch(at.pitch, info)
    )


def heading_words(yaw: float) -> str:
    """A heading (rad) in degrees from 0 to 359, and in words: ``30 degrees, 30 degrees to the left of +X``."""
    degrees = round(math.degrees(yaw)) % 360
    quarter = round(degrees / 90)
    off = degrees - 90 * quarter
    axis = _AXES[quarter % 4]
    side = f"{abs(off)} degrees to the {'left' if off > 0 else 'right'} of {axis}" if off else f"along {axis}"
    return f"{degrees} degrees, {side}"


def pitch_words(pitch: float) -> str:
    """A pitch (rad) in degrees and in words: ``-30 degrees, looking 30 degrees down``."""
    degrees = round(math.degrees(pitch))
    if not degrees:
        return "0 degrees, level"
    return f"{degrees} degrees, looking {abs(degrees)} degrees {'up' if degrees > 0 else 'down'}"


def limit_words(info: WorldInfo) -> str:
    """Between which heights (m) and pitches (degrees) the camera moves; what has no bound is left out."""
    limits, told = info.limits, []
    low, high = limits.bounds_min[2], limits.bounds_max[2]
    if limits.keeps_height:
        told.append(f"The height of the camera stays at Z = {low:.2f}.")
    elif math.isfinite(low) and math.isfinite(high):
        told.append(f"The height of the camera goes from Z = {low:.2f} to Z = {high:.2f}.")
    least, most = (round(math.degrees(value)) for value in (limits.pitch_min, limits.pitch_max))
    told.append(f"The pitch goes from {least} degrees (down) to {most} degrees (up).")
    return " ".join(told)


def frame_words(frame: str) -> str:
    """Whose axes the moves of an action space follow; empty where its frame is none of ``vantage.config.FRAMES``."""
    return _FRAMES.get(frame, "")


def _pitch(pitch: float, info: WorldInfo) -> str:
    words, limits = pitch_words(pitch), info.limits
    if math.degrees(pitch - limits.pitch_min) <= _AT_LIMIT:
        return f"{words}, the lowest that the camera can look"
    if math.degrees(limits.pitch_max - pitch) <= _AT_LIMIT:
        return f"{words}, the highest that the camera can look"
    return words
