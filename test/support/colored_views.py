"""Views of one colored square each, from places 1 m apart."""

from __future__ import annotations

import numpy as np

from vantage.answering.vlm.view_memory import View, ViewMemory
from vantage.spatial import Intrinsics, Viewpoint
from vantage.types import Observation

LENS = Intrinsics.from_fov(64, 48, 1.2)
COLORS = {"red": (230, 20, 20), "green": (20, 230, 20), "blue": (20, 20, 230)}


def colored(number: int, color: str = "", share: float = 0.1, seed: int | None = None) -> Observation:
    """An observation at x = ``number`` m with the stamp ``number``."""
    rgb = np.full((48, 64, 3), 30, np.uint8)
    side = round((share * rgb[..., 0].size) ** 0.5)
    if color:
        rgb[4 : 4 + side, 4 : 4 + side] = COLORS[color]
    return Observation(number, Viewpoint(1.0 * number, 0.0, 1.0, 0.0, 0.0), LENS, rgb)


def colored_views(*colors: str) -> tuple[View, ...]:
    memory = ViewMemory()
    for number, color in enumerate(colors):
        memory.add(colored(number, color))
    return memory.views
