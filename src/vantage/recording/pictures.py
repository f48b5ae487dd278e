"""Pictures of a recorded episode."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vantage.recording.bags import decode_pixels, read_bag
from vantage.recording.reading import read_stamp
from vantage.recording.topics import IMAGE_COMPRESSED, TRUTH_GOAL_IMAGE


def frames_at(bag: str | Path, stamps: Collection[int]) -> list[NDArray[np.uint8]]:
    """The frames of these stamps, ns, in the order in which they were taken; (H, W, 3) uint8 RGB each.

    Raises:
        RecordingError: the bag cannot be read, or a picture in it.
    """
    wanted = set(stamps)
    messages = (message for _, _, message in read_bag(bag, (IMAGE_COMPRESSED,)))
    return [decode_pixels(message) for message in messages if read_stamp(message) in wanted]


def goal_image(bag: str | Path) -> NDArray[np.uint8] | None:
    """What the goal viewpoint shows, (H, W, 3) uint8 RGB; None where the bag holds no picture of it.

    Raises:
        RecordingError: the bag cannot be read, or the picture in it.
    """
    for _, _, message in read_bag(bag, (TRUTH_GOAL_IMAGE,)):
        return decode_pixels(message)
    return None
