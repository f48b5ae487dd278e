"""The furnished room of boxes with pictures: each box in its color, for models that look at pixels."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from box_room import BoxRoom, furnished_room

_COLORS = {"red": (220, 20, 20), "blue": (30, 40, 220), "brown": (120, 90, 60), "white": (235, 235, 235)}
_GRAY = (130, 130, 130)


class PaintedRoom(BoxRoom):
    """Serves ``rgb`` that shows what ``instances`` tells."""

    def __init__(self, boxes=None, width=160, height=120):
        super().__init__(boxes or furnished_room(), width, height)

    def observe(self):
        seen = super().observe()
        rgb = np.full((*seen.instances.shape, 3), _GRAY, np.uint8)
        for instance_id, label in seen.legend.items():
            rgb[seen.instances == instance_id] = _COLORS.get(label.color, _GRAY)
        return replace(seen, rgb=rgb)
