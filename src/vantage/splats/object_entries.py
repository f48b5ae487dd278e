"""The ``objects`` of a scene file: captures to place into the scene.

::

    objects:
      - cloud: ${VANTAGE_DATA}/splats/plant/plant.splat    # or a scene file of the capture
        label: houseplant
        color: green
        material: ceramic
        up: -y                        # or rotation: [x, y, z, w]; both turn the capture to Z up
        metres_per_unit: 0.4
        crop: {min: [-1, -1, 0.03], max: [1, 1, 2], min_opacity: 0.05}    # upright, in the capture's units
        position: [2.0, 1.0]          # m, of the middle of its underside; with z, or else it stands on 'on'
        yaw: 0.5                      # rad
        on: table                     # label or instance id of what carries it; left out for the floor
"""

from __future__ import annotations

import math
from pathlib import Path

from vantage.decoding import Section
from vantage.errors import ConfigError
from vantage.spatial import Matrix
from vantage.splats.compose import Crop, Placement
from vantage.splats.upright import upright_rotation


def read_objects(section: Section, key: str) -> list[tuple[Path, Placement]]:
    """Where each capture is and how it is placed, in the order of the file.

    Raises:
        ConfigError: unknown keys or wrong values.
    """
    return [_read_object(entry) for entry in section.sections(key, [])]


def read_upright(section: Section) -> Matrix:
    """The rotation (3, 3) to Z up that ``up`` or ``rotation`` of a section says.

    Raises:
        ConfigError: both are given, or one has a wrong value.
    """
    up = section.text("up") if "up" in section else None
    rotation = section.numbers("rotation", 4) if "rotation" in section else None
    return upright_rotation(up, rotation, section.where)


def _read_object(entry: Section) -> tuple[Path, Placement]:
    cloud, label = entry.path("cloud"), entry.text("label")
    if cloud is None:
        raise entry.error("cloud", "is empty; name the file of the capture")
    if not label:
        raise entry.error("label", "is empty; name the class of the thing")
    placement = Placement(
        label=label,
        position=entry.numbers("position", (2, 3)),
        yaw=entry.number("yaw", 0.0),
        R_upright=read_upright(entry),
        metres_per_unit=entry.positive("metres_per_unit", 1.0),
        color=entry.text("color", ""),
        material=entry.text("material", ""),
        on=entry.text_or_whole("on") if "on" in entry else None,
        crop=_read_crop(entry.section("crop", {})),
    )
    entry.done()
    return cloud, placement


def _read_crop(section: Section) -> Crop:
    low = section.point("min") if "min" in section else (-math.inf, -math.inf, -math.inf)
    high = section.point("max") if "max" in section else (math.inf, math.inf, math.inf)
    least = section.number("min_opacity", 0.0, 0.0, 1.0)
    section.done()
    if any(a >= b for a, b in zip(low, high, strict=True)):
        raise ConfigError(f"{section.where}: is empty from {low} to {high}; set 'min' below 'max'")
    return Crop(low, high, least)
