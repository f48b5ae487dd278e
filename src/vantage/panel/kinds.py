"""The kinds of frames: which threshold of the view rule each is about, and how the measured value is scaled.

Every value is turned so that a larger one is easier for a reader, and none is below ``_LEAST``, because the fit takes
logarithms: the angle of a print counts by its cosine, that is how much its letters are foreshortened.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from vantage.benchmarks.labelling import LETTER, SceneVisibility, VisibilitySettings
from vantage.spatial import Intrinsics, Viewpoint
from vantage.types import TruthQuestion

_LEAST = 0.01  # of a value, in its unit
_MOST_CUT = 0.02  # share of a target outside of the image, where what hides it is measured


def _same(value: float) -> float:
    return max(value, _LEAST)


def _cosine(angle: float) -> float:
    return max(math.cos(angle), _LEAST)


@dataclass(frozen=True)
class Kind:
    """What one kind of frames calibrates.

    Attributes:
        title: of the value, for people.
        setting: the threshold, a field of ``VisibilitySettings``.
        unit: of the value: ``px``, ``share`` (0..1), ``cos`` or ``rad``.
        loose, strict: thresholds that every view passes, and none.
        most: largest value that there is; infinite without one.
        scale: from what the rule measures to the value.
    """

    title: str
    setting: str
    unit: str
    loose: float
    strict: float
    most: float = math.inf
    scale: Callable[[float], float] = _same

    def threshold(self, settings: VisibilitySettings, lens: Intrinsics) -> float:
        """Of the rule, in the unit of the value."""
        needed = float(getattr(settings, self.setting))
        if self.setting == "print_distance":
            needed = lens.fx * LETTER / max(needed, LETTER)
        return self.scale(needed)

    def bounds(self, settings: VisibilitySettings, lens: Intrinsics) -> tuple[float, float]:
        """Between which values frames are drawn: an eighth and four times the threshold, as far as there are such."""
        at = self.threshold(settings, lens)
        return max(at / 8.0, _LEAST), min(4.0 * at, self.most)

    def others_pass(
        self, visibility: SceneVisibility, truth: TruthQuestion, viewpoint: Viewpoint, lens: Intrinsics
    ) -> bool:
        """Whether a view passes all tests of the rule but the one that this kind is about."""
        loose = self._judged(visibility, self.loose)
        if loose.shortfall(truth, viewpoint, lens) is not None:
            return False
        if self.setting != "fraction":
            return True
        return all(visibility.view(key, viewpoint, lens).cut_off <= _MOST_CUT for key in truth.target_instances)

    def measured(
        self, visibility: SceneVisibility, truth: TruthQuestion, viewpoint: Viewpoint, lens: Intrinsics
    ) -> float:
        """The value of a view that passes all other tests; of several targets or parts, the least one."""
        if self.setting == "fraction" or self.setting in _PIXELS:
            views = [visibility.view(key, viewpoint, lens) for key in truth.target_instances]
            return self.scale(min(view.fraction if self.setting == "fraction" else view.pixels for view in views))
        shortfall = self._judged(visibility, self.strict).shortfall(truth, viewpoint, lens)
        value = self.most if shortfall is None else shortfall.measured
        while self.setting == "part_fraction":  # of several parts the first is told, and then those that show less
            worse = self._judged(visibility, value).shortfall(truth, viewpoint, lens)
            if worse is None or not worse.measured < value:
                break
            value = worse.measured
        return self.scale(value)

    def _judged(self, visibility: SceneVisibility, threshold: float) -> SceneVisibility:
        """By another threshold; of states, which ask for more pixels than all else does, the general one is loose."""
        other: dict[str, Any] = {self.setting: threshold}
        if self.setting == "state_pixels":
            other["pixels"] = self.loose
        return visibility.judged_by(replace(visibility.settings, **other))

    def angular(self, value: float, lens: Intrinsics) -> str:
        """The value as the eye has it, whatever the camera: minutes of arc or steradians; empty for other units."""
        if self.unit != "px":
            return ""
        if self.setting == "print_distance":
            return f"{math.degrees(value / lens.fx) * 60.0:.1f} arcmin"
        return f"{value / (lens.fx * lens.fy):.2e} sr"


def _pixels(title: str, setting: str) -> Kind:
    return Kind(title, setting, "px", loose=1.0, strict=math.inf)


_PIXELS = ("pixels", "colour_pixels", "material_pixels", "count_pixels")


KINDS = {
    "size": _pixels("pixels of a thing to be recognised", "pixels"),
    "colour": _pixels("pixels of a thing whose colour is asked for", "colour_pixels"),
    "material": _pixels("pixels of a thing whose material is asked for", "material_pixels"),
    "count": _pixels("pixels of the smallest thing to be counted", "count_pixels"),
    "hidden": Kind("visible share of a thing", "fraction", "share", loose=0.0, strict=2.0, most=1.0),
    "letter": Kind("height of a letter", "print_distance", "px", loose=1e9, strict=1e-9),
    "slant": Kind("foreshortening of a print", "print_angle", "cos", math.pi, -1.0, 1.0, _cosine),
    "state": Kind("pixels of a thing whose state is asked for", "state_pixels", "px", loose=1.0, strict=math.inf),
    "part": Kind("visible share of a door, lid or drawer", "part_fraction", "share", 0.0, 2.0, 1.0),
    "front": Kind("cosine off the front of what is on or off", "front_angle", "cos", math.pi, -1.0, 1.0, _cosine),
    "top": Kind("visible share of a top on which something is not", "top_fraction", "share", 0.0, 2.0, 1.0),
    "place": Kind("visible share of a top on which things are counted", "place_fraction", "share", 0.0, 2.0, 1.0),
    "contents": Kind("elevation above the rim", "look_down", "rad", -2.0, 2.0, 0.5 * math.pi),
}
