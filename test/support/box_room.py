"""A World that can be walked: the boxes of ``BoxWorld``, the real safety gate, collisions with boxes."""

import numpy as np
from box_world import BoxWorld

from vantage.spatial import Intrinsics, Viewpoint
from vantage.types import Status, StepResult
from vantage.worlds.limits import MotionLimits, SafetyGate
from vantage.worlds.protocol import WorldInfo

RADIUS = 0.1
SIZE = (4.0, 3.0, 2.4)


def furnished_room():
    """4 x 3 x 2.4 m: a table with a red mug, a high shelf with a blue vase, a partition in the middle."""
    boxes = BoxWorld()
    x, y, z = SIZE
    boxes.add(1, "floor", (0, 0, -0.05), (x, y, 0))
    boxes.add(2, "ceiling", (0, 0, z), (x, y, z + 0.05))
    for number, low, high in (
        (3, (-0.05, 0, 0), (0, y, z)),
        (4, (x, 0, 0), (x + 0.05, y, z)),
        (5, (0, -0.05, 0), (x, 0, z)),
        (6, (0, y, 0), (x, y + 0.05, z)),
    ):
        boxes.add(number, "wall", low, high)
    boxes.add(7, "table", (3.1, 0.3, 0.0), (3.8, 1.3, 0.75), "brown", "wood")
    boxes.add(8, "mug", (3.4, 0.7, 0.75), (3.5, 0.8, 0.87), "red", "ceramic")
    boxes.add(9, "shelf", (1.2, 2.7, 1.6), (2.2, 3.0, 1.65), "white", "wood")
    boxes.add(10, "vase", (1.6, 2.8, 1.65), (1.75, 2.93, 1.9), "blue", "glass")
    boxes.add(11, "partition", (1.9, 0.0, 0.0), (2.0, 1.2, 1.8), "gray", "plastic")
    return boxes


class BoxRoom:
    """Serves the boxes as a world."""

    def __init__(self, boxes, width=320, height=240):
        self._boxes = boxes
        self._lens = Intrinsics.from_fov(width, height, 1.2)
        low, high = (RADIUS,) * 3, tuple(edge - RADIUS for edge in SIZE)
        limits = MotionLimits(low, high, -1.1, 1.1, max_translation=0.5, max_rotation=1.0)
        self.info = WorldInfo(
            "boxes", frozenset({"rgb", "depth", "instances"}), frozenset({"viewpoint"}), RADIUS, limits
        )
        self._gate = SafetyGate(limits)
        self._viewpoint = Viewpoint(0, 0, 0, 0, 0)

    def reset(self, episode, seed):
        self._gate.begin(episode.episode_id, episode.restored)
        self._viewpoint = episode.start
        return self.observe()

    def step(self, command):
        refusal = self._gate.admit(command, self._viewpoint)
        if refusal is not None:
            return StepResult(refusal.status, refusal.reason, command, self.observe(), refusal.cause)
        way = np.linspace(self._viewpoint.position, command.target.position, 6)
        if any(self._touches(point) for point in way):
            return StepResult(Status.COLLIDED, "collided", command, self.observe())
        self._viewpoint = command.target
        return StepResult(Status.DONE, "", command, self.observe())

    def _touches(self, point):
        for _, low, high in self._boxes.boxes:
            gap = np.maximum(np.maximum(np.array(low) - point, point - np.array(high)), 0.0)
            if np.linalg.norm(gap) < RADIUS - 1e-6:
                return True
        return False

    def observe(self):
        return self._boxes.observe(self._viewpoint, self._lens)

    def stop(self, reason):
        self._gate.stop(reason)

    def clear_stop(self):
        self._gate.clear_stop()

    def close(self):
        pass
