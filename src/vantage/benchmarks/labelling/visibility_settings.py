"""The thresholds of the view rule: when a view counts as showing what a question needs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace

from vantage.benchmarks.labelling.aspects import AspectSettings, legible_distance
from vantage.config import CameraSettings
from vantage.errors import FormatError
from vantage.reader_thresholds import (
    COLOUR_PIXELS,
    COUNT_PIXELS,
    MATERIAL_PIXELS,
    PLACE_SHARE,
    SIZE_PIXELS,
    TOP_SHARE,
    VISIBLE_SHARE,
)
from vantage.registry import did_you_mean
from vantage.spatial import Intrinsics
from vantage.types import VIEW_RULE
from vantage.wording import shown

_BY_QUESTION = ("colour_pixels", "material_pixels", "count_pixels")
_MOST_SAMPLES, _MOST_THRESHOLD = 10**5, 1e8


@dataclass(frozen=True)
class VisibilitySettings(AspectSettings):
    """When a view counts as showing a target, and what is to be told of it.

    Attributes:
        samples: least number on the surface of a target; large ones get more.
        depth_tolerance: how far behind the observed depth a sample may lie, m.
        depth_slope: the same as a share of the distance.
        fraction: least visible fraction of a target that has to be recognised.
        top_fraction: least visible fraction of the top of a support on which something is said to be absent.
        place_fraction: least visible fraction of the top of a support of which the things are counted or compared.
        pixels: least number of pixels that the visible part would cover in the middle of the image.
        colour_pixels, material_pixels: the same where colour or material are asked for.
        count_pixels: the same of each thing that is counted.
    """

    samples: int = 240
    depth_tolerance: float = 0.04
    depth_slope: float = 0.01
    fraction: float = VISIBLE_SHARE
    top_fraction: float = TOP_SHARE
    place_fraction: float = PLACE_SHARE
    pixels: float = SIZE_PIXELS
    colour_pixels: float = COLOUR_PIXELS
    material_pixels: float = MATERIAL_PIXELS
    count_pixels: float = COUNT_PIXELS

    @staticmethod
    def of(thresholds: Mapping[str, float], where: str, view_rule: int = VIEW_RULE) -> VisibilitySettings:
        """As an episode set keeps them; those that it does not name are the usual ones, but for
        the pixels of a kind of question, which are those of all.

        Raises:
            FormatError: there is no such threshold, it cannot be so high or low, or the rule is of a later program;
                begins with ``where``.
        """
        if view_rule > VIEW_RULE:
            raise FormatError(
                f"{where}: the set was labelled by view rule {view_rule}, this program knows {VIEW_RULE}; update it"
            )
        known = {item.name for item in fields(VisibilitySettings)} - {"view_rule"}
        for key, value in thresholds.items():
            if key not in known:
                raise FormatError(f"{where}: there is no '{key}'{did_you_mean(key, sorted(known))}")
            low, high = (1, _MOST_SAMPLES) if key == "samples" else (0.0, _MOST_THRESHOLD)
            if not low <= value <= high:
                raise FormatError(f"{where}: {key} = {shown(value)} is outside [{low}, {high}]")
        given = {**dict.fromkeys(_BY_QUESTION, thresholds.get("pixels", SIZE_PIXELS)), **thresholds}
        samples = int(given.pop("samples", VisibilitySettings.samples))
        return VisibilitySettings(samples=samples, view_rule=view_rule, **given)

    @property
    def thresholds(self) -> dict[str, float]:
        """As an episode set keeps them."""
        return {key: float(value) for key, value in asdict(self).items() if key != "view_rule"}

    def through(self, camera: CameraSettings) -> VisibilitySettings:
        """The same for another camera: print is read where its letters have as many pixels."""
        lens = Intrinsics.from_fov(camera.width, camera.height, camera.horizontal_fov)
        return replace(self, print_distance=legible_distance(lens.fx))
