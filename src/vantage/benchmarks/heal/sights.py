"""What counts as shown by the pictures of a home."""

from __future__ import annotations

from dataclasses import dataclass

from vantage.spatial import Intrinsics

CAMERA = Intrinsics.from_fov(960, 720, 1.4)
VIEWS = 6  # of every home, however many rooms it has
LEAST_PIXELS = 600  # of a thing in one picture, for it to count as shown
LEAST_SHARE = 10  # per cent of what the box around a thing covers, in the picture and beside it, that show the thing
LEAST_ROOM = CAMERA.width * CAMERA.height // 5  # pixels of a room and what is in it


@dataclass(frozen=True)
class Seen:
    """How well the views of a home show a thing.

    Attributes:
        thing: its instance id; of a room its id with a minus.
        view: number of the view that shows most of it, from 0.
        pixels: there.
        share: per cent of what the box around it covers that these are; 100 of a room.
    """

    thing: int
    view: int
    pixels: int
    share: int

    @property
    def enough(self) -> bool:
        return self.pixels >= (LEAST_PIXELS if self.thing > 0 else LEAST_ROOM) and self.share >= LEAST_SHARE
