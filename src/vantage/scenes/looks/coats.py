"""What a part of an object is coated with: its colors at any place in white light, its shine, and the seed of both.

All that paints a home asks here, so that a cloud of Gaussians and meshes with textures show the same things.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vantage.scenes.looks.looks import Pattern, finish_of, pattern_of
from vantage.scenes.looks.textures import Array, Finish, Patch
from vantage.scenes.spec import ObjectSpec, Part
from vantage.spatial import rotation_matrix

_SEEDS = 31  # from one object to the next


def seed_of(obj: ObjectSpec, index: int) -> int:
    """What varies the look of a part, given by its place among the parts of its object."""
    return _SEEDS * obj.instance_id + index


@dataclass(frozen=True)
class Coat:
    """How one part looks, whatever it is painted with.

    Attributes:
        finish: its colors, gloss, sharpness and glow; of what is laid in a pattern, those of its pieces.
        pattern: the boards or tiles that it is laid with, None for plain ones.
        seed: varies the colors from part to part.
    """

    part: Part
    finish: Finish
    pattern: Pattern | None
    seed: int
    is_wall: bool

    def colors(self, points: Array, joints: bool = True) -> Array:
        """RGB (N, 3), about 0..1, at points (N, 3) on the part, m in the frame of the object.

        Args:
            joints: whether those between boards and tiles are darker; they are a few millimetres wide.
        """
        count = len(points)
        base = np.tile(np.asarray(self.part.rgb, dtype=np.float64), (count, 1))
        sizes = np.tile(np.asarray(self.part.size, dtype=np.float64), (count, 1))
        seeds = np.full(count, self.seed, dtype=np.int64)
        center = np.asarray(self.part.center)
        if self.part.is_turned:
            points = center + (points - center) @ rotation_matrix(self.part.rotation)
        found = self.finish.paint(Patch(points, points - center, sizes, base, seeds))
        if joints and self.pattern is not None:
            across, along = (points[:, 1], points[:, 2]) if self.is_wall else (points[:, 0], points[:, 1])
            found = np.where(self.pattern.joints(across, along)[:, None], self.pattern.joint * base, found)
        return found


def coat_of(obj: ObjectSpec, index: int, room_label: str = "") -> Coat:
    """The coat of a part, given by its place among the parts of its object, in a kind of room.

    Raises:
        SceneError: there is no such look.
    """
    part = obj.parts[index]
    pattern = pattern_of(obj, part, room_label)
    finish = pattern.finish if pattern else finish_of(obj, part)
    return Coat(part, finish, pattern, seed_of(obj, index), obj.label == "wall")
