"""What tells an object's state and what is printed on it, and from where both can be made out.

Geometry alone decides: a print is read from near and from before it, a door is open or closed where the door is seen,
a vessel is full or empty where one looks down into it, and what shines or shows something does so to the front.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from vantage.benchmarks.labelling.ray_crossings import Floats
from vantage.reader_thresholds import (
    CONTENTS_ELEVATION,
    FRONT_ANGLE,
    LETTER_PIXELS,
    PART_SHARE,
    PRINT_ANGLE,
    STATE_PIXELS,
)
from vantage.scenes.looks import print_spot, text_layout
from vantage.scenes.spec import ObjectSpec, Part, object_bounds
from vantage.spatial import rotation_matrix
from vantage.types import FIRST_VIEW_RULE, VIEW_RULE, ViewShortfall

_GRID = (7, 3)  # samples of a print, along and across its lines
_LIFT = 0.006  # m before the surface
LETTER = 0.02  # m: of which ``print_distance`` speaks
_USUAL_FOCAL = 320.0 / math.tan(0.6)  # px: of the camera of the usual settings, 640 pixels of 1.2 rad
_LOW = 0.3  # m: taller objects show by their sides that they are dirty


def legible_distance(focal: float, letter_pixels: float = LETTER_PIXELS) -> float:
    """Largest distance (m) from which letters of 2 cm are read, for ``AspectSettings.print_distance``.

    Args:
        focal: focal length of the camera, pixels.
        letter_pixels: least size of a letter in the image that is read.
    """
    return round(LETTER * focal / letter_pixels, 9)


@dataclass(frozen=True)
class AspectSettings:
    """From where a print or a state can be told.

    Attributes:
        print_distance: largest distance of the camera from a print with letters of 2 cm that is seen from straight
            before it, m; smaller letters must be nearer in proportion, larger ones may be farther away, and prints
            seen at an angle must be nearer by the square root of its cosine, as letters that fill as large a part of
            the image (the first view rule took the distance alone). See ``legible_distance`` for other cameras.
        print_angle: largest angle between the way to the camera and the normal of the print, rad.
        print_share: least share of the print in sight.
        part_fraction: least visible fraction of a door, lid or drawer whose state is asked for.
        state_pixels: as ``VisibilitySettings.pixels``, of what has its state asked for.
        look_down: least elevation of the camera above the rim of what one has to look into, rad.
        front_angle: largest angle off the front of what is switched on or off, rad.
        view_rule: version of the rule by which views are judged; no threshold.
    """

    print_distance: float = legible_distance(_USUAL_FOCAL)
    print_angle: float = PRINT_ANGLE
    print_share: float = 0.95
    part_fraction: float = PART_SHARE
    state_pixels: float = STATE_PIXELS
    look_down: float = CONTENTS_ELEVATION
    front_angle: float = FRONT_ANGLE
    view_rule: int = VIEW_RULE


@dataclass(frozen=True, eq=False)
class PrintedText:
    """The words on one part.

    Attributes:
        points: (N, 3) just before the words, world frame, m.
        normal: (3,) of their middle, world frame.
        letter: height of a letter, m.
        words: that are printed.
    """

    points: Floats
    normal: Floats
    letter: float
    words: str = ""


@dataclass(frozen=True, eq=False)
class Aspects:
    """Of one object.

    Attributes:
        texts: on its parts.
        moving: names of the parts that show whether it is open: those that are open, or all that can be.
        switched: it is on or off. screen: a screen tells that, not a lamp, which tells it to all sides.
        looked_into: it is full, dirty and so on.
        front: (3,) unit vector of its front. rim: (3,) middle of its top.
    """

    texts: tuple[PrintedText, ...]
    moving: tuple[str, ...]
    switched: bool
    screen: bool
    looked_into: bool
    front: Floats
    rim: Floats

    def print_shortfall(self, position: Floats, settings: AspectSettings, focal: float) -> ViewShortfall | None:
        """Why its words are not near or frontal enough from a position; None where they are.

        Args:
            focal: focal length of the camera, pixels; the figures need it, whether there is a shortfall does not.
        """
        for words in self.texts:
            way = position - words.points.mean(axis=0)
            distance, angle = float(np.linalg.norm(way)), _angle(way, words.normal)
            narrowed = 1.0 if settings.view_rule == FIRST_VIEW_RULE else math.sqrt(max(math.cos(angle), 0.0))
            if not distance <= settings.print_distance * words.letter / LETTER * narrowed:
                needed = focal * LETTER / settings.print_distance if settings.print_distance else math.inf
                size = focal * words.letter / distance * narrowed
                return ViewShortfall("letter height", size, needed, distance=distance, angle=angle)
            if not angle <= settings.print_angle:
                return ViewShortfall("print angle", angle, settings.print_angle, distance=distance, angle=angle)
        return None

    def state_shortfall(self, position: Floats, settings: AspectSettings) -> ViewShortfall | None:
        """Why a position is not on the side from which its state can be told; None where it is."""
        way = position - self.rim
        faces = self.switched and (self.screen or settings.view_rule == FIRST_VIEW_RULE)
        aside = _angle(way * (1.0, 1.0, 0.0), self.front) if faces else 0.0
        if aside > settings.front_angle:
            return ViewShortfall("front angle", aside, settings.front_angle)
        elevation = math.atan2(way[2], math.hypot(way[0], way[1]))
        if self.looked_into and not elevation >= settings.look_down:
            return ViewShortfall("elevation", elevation, settings.look_down)
        return None


def aspects_of(obj: ObjectSpec) -> Aspects:
    """What tells about an object of a specification."""
    turn = _turn(obj)
    low, high = object_bounds(obj)
    height = high[2] - low[2]
    opened = [joint.part for joint in obj.joints if joint.position > joint.low + 1e-6]
    moving = opened or [joint.part for joint in obj.joints]
    stained = {"dirty", "clean"}.intersection(obj.states)
    vessel = {"full", "empty"}.intersection(obj.states)
    return Aspects(
        texts=tuple(_printed_text(obj, part) for part in obj.parts if part.text),
        moving=tuple(dict.fromkeys(moving)) if {"open", "closed"}.intersection(obj.states) else (),
        switched=bool({"on", "off"}.intersection(obj.states)),
        screen=any("screen" in part.look for part in obj.parts),
        looked_into=bool(vessel) or bool(stained and height < _LOW),
        front=turn @ np.array([1.0, 0.0, 0.0]),
        rim=np.array([0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1]), high[2]]),
    )


def all_aspects(objects: Iterable[ObjectSpec]) -> dict[int, Aspects]:
    """By instance id."""
    return {obj.instance_id: aspects_of(obj) for obj in objects}


def _printed_text(obj: ObjectSpec, part: Part) -> PrintedText:
    setting = text_layout(part)
    width, height = setting.extent
    across, up = (np.linspace(-0.5, 0.5, count) for count in _GRID)
    right, high = (axis.ravel() for axis in np.meshgrid(across * width, up * height))
    spots = [print_spot(part, float(x), float(y), _LIFT) for x, y in zip(right, high, strict=True)]
    middle = print_spot(part, 0.0, 0.0)
    turn = _turn(obj)
    local, normal = np.array([spot.middle for spot in spots]), np.array(middle.normal)
    if part.is_turned:
        own = rotation_matrix(part.rotation)
        local, normal = (local - part.center) @ own.T + part.center, own @ normal
    return PrintedText(local @ turn.T + np.array(obj.position), turn @ normal, setting.height, part.text)


def _angle(first: Floats, second: Floats) -> float:
    scale = float(np.linalg.norm(first) * np.linalg.norm(second))
    return math.acos(max(-1.0, min(1.0, float(first @ second) / scale))) if scale else 0.0


def _turn(obj: ObjectSpec) -> Floats:
    c, s = math.cos(obj.yaw), math.sin(obj.yaw)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
