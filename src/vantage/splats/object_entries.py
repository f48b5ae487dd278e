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

from vantage.errors import ConfigError
from vantage.splats.compose import Crop, Placement
from vantage.splats.upright import upright_rotation
from vantage.splats.yaml_fields import Fields


def read_objects(fields: Fields, key: str, folder: Path) -> list[tuple[Path, Placement]]:
    """Where each capture is and how it is placed, in the order of the file.

    Raises:
        ConfigError: unknown keys or wrong values.
    """
    return [_read_object(entry, folder) for entry in fields.parts(key)]


def _read_object(entry: Fields, folder: Path) -> tuple[Path, Placement]:
    cloud: Path = entry.need("cloud", lambda key: entry.path(key, folder))
    label: str = entry.need("label", entry.text)
    if not label:
        raise ConfigError(f"{entry.where}: 'label' is empty; name the class of the thing")
    placement = Placement(
        label=label,
        position=entry.need("position", lambda key: entry.numbers(key, 2, 3)),
        yaw=entry.number("yaw") or 0.0,
        R_upright=upright_rotation(entry.text("up"), entry.numbers("rotation", 4), entry.where),
        metres_per_unit=entry.positive("metres_per_unit", 1.0),
        color=entry.text("color") or "",
        material=entry.text("material") or "",
        on=entry.text_or_id("on"),
        crop=_read_crop(entry.part("crop")),
    )
    entry.done()
    return cloud, placement


def _read_crop(fields: Fields | None) -> Crop:
    if fields is None:
        return Crop()
    low = fields.point("min") or (-math.inf, -math.inf, -math.inf)
    high = fields.point("max") or (math.inf, math.inf, math.inf)
    least = fields.number("min_opacity") or 0.0
    fields.done()
    if any(a >= b for a, b in zip(low, high, strict=True)):
        raise ConfigError(f"{fields.where}: is empty from {low} to {high}; set 'min' below 'max'")
    if not 0.0 <= least <= 1.0:
        raise ConfigError(f"{fields.where}: 'min_opacity' must be within 0..1, got {least}")
    return Crop(low, high, least)
