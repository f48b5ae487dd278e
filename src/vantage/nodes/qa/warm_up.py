"""Loads what answering loads when it is first used, so that the first view takes no longer than others."""

from __future__ import annotations

import numpy as np

from vantage.answering import Answering
from vantage.spatial import Intrinsics, Viewpoint
from vantage.types import InstanceLabel, Observation

_WIDTH, _HEIGHT = 64, 48  # pixels
_DISTANCE = 2.0  # m
_QUESTION = "What color is the box on the table?"


def warm_up(answering: Answering) -> None:
    """Take in a made-up view of one thing, and a question; what is known afterwards is of no use."""
    size = _HEIGHT, _WIDTH
    rgb, depth = np.full((*size, 3), 128, np.uint8), np.full(size, _DISTANCE, np.float32)
    instances = np.ones(size, np.int32)
    for each in (rgb, depth, instances):
        each.setflags(write=False)  # as those of messages, for which loops are compiled apart
    lens = Intrinsics.from_fov(_WIDTH, _HEIGHT, 1.0)
    seen = Observation(1, Viewpoint(0.0, 0.0, 1.0, 0.0, 0.0), lens, rgb, depth, instances, {1: InstanceLabel(1, "box")})
    answering.observe(seen)
    answering.assess(_QUESTION)
