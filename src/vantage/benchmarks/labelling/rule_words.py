"""What a view must show for an answer to count, in words for a model, from the thresholds of the judge."""

from __future__ import annotations

import math

from vantage.benchmarks.labelling.aspects import LETTER
from vantage.benchmarks.labelling.visibility_settings import VisibilitySettings
from vantage.config import CameraSettings
from vantage.models import prompt
from vantage.spatial import Intrinsics
from vantage.types import FIRST_VIEW_RULE

_CENTRED = " in the middle of the picture (that its corners stretch things does not count)"
_ASLANT = ", and so must words seen from the side: half as far from 75 degrees"
_FRONTS = "the front of the thing faces", "its screen faces, if it has one"  # by the first rule, and now
_NOISE = 1e-6  # of a bound, by which it may miss a whole number that it is meant to be


def view_rule_text(thresholds: VisibilitySettings, camera: CameraSettings) -> str:
    """The rule of ``SceneVisibility.answers`` for all questions alike, so that it tells nothing of any of them.

    Args:
        camera: through which the view is seen.
    """
    lens = Intrinsics.from_fov(camera.width, camera.height, camera.horizontal_fov)
    first = thresholds.view_rule == FIRST_VIEW_RULE
    state = max(thresholds.state_pixels, thresholds.pixels)
    return prompt("shown_by_view").fill(
        width=camera.width,
        height=camera.height,
        view=f"{math.degrees(camera.horizontal_fov):.0f}",
        fraction=_at_least(100.0 * thresholds.fraction),
        pixels=_at_least(thresholds.pixels),
        middle="" if first else _CENTRED,
        aslant="" if first else _ASLANT,
        side=_side(thresholds.pixels),
        colour_pixels=_at_least(thresholds.colour_pixels),
        material_pixels=_at_least(thresholds.material_pixels),
        count_pixels=_at_least(thresholds.count_pixels),
        print_angle=_at_most(math.degrees(thresholds.print_angle)),
        print_distance=f"{_at_most(100.0 * thresholds.print_distance) / 100.0:.2f}",
        print_share=_at_least(100.0 * thresholds.print_share),
        letter=f"{100.0 * LETTER:g}",
        letter_pixels=_at_least(LETTER * lens.fx / max(thresholds.print_distance, LETTER)),
        state_pixels=_at_least(state),
        state_side=_side(state),
        part_fraction=_at_least(100.0 * thresholds.part_fraction),
        front_angle=_at_most(math.degrees(thresholds.front_angle)),
        front=_FRONTS[0] if first else _FRONTS[1],
        look_down=_at_least(math.degrees(thresholds.look_down)),
        place_fraction=_at_least(0.0 if first else 100.0 * thresholds.place_fraction),
        top_fraction=_at_least(100.0 * thresholds.top_fraction),
    )


def share_rule(fraction: float) -> str:
    """The rule of who asks for nothing but a visible fraction (0..1) of every target."""
    return prompt("shown_by_share").fill(fraction=_at_least(100.0 * fraction))


def _at_least(value: float) -> int:
    """A whole number that is not below a bound."""
    return math.ceil(value - _NOISE)


def _at_most(value: float) -> int:
    """A whole number that is not above a bound."""
    return math.floor(value + _NOISE)


def _side(pixels: float) -> int:
    """Of the smallest square that covers so many pixels."""
    return _at_least(math.sqrt(pixels))
