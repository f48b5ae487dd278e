"""Pictures of boxes in plain colors, with depth, for whatever looks at pixels alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from box_world import BoxWorld

from vantage.scenes.spec.palette import COLORS
from vantage.spatial import Viewpoint
from vantage.types import Observation

AHEAD = Viewpoint(0.0, 0.0, 1.0, 0.0, 0.0)


def table_with_objects() -> BoxWorld:
    world = BoxWorld()
    world.add(1, "wall", (4.0, -3.0, 0.0), (4.1, 3.0, 2.5), "white")
    world.add(2, "floor", (-1.0, -3.0, -0.1), (4.1, 3.0, 0.0), "gray")
    world.add(3, "table", (1.6, -0.8, 0.6), (2.6, 0.8, 0.7), "brown", "wood")
    world.add(4, "box", (1.9, -0.4, 0.7), (2.2, -0.1, 0.95), "red", "paper")
    world.add(5, "book", (1.8, 0.3, 0.7), (2.0, 0.6, 0.76), "blue", "paper")
    return world


def painted(observation: Observation) -> Observation:
    """The picture of what the ids say, without the ids: each object in its color, a little darker where it is far."""
    assert observation.instances is not None
    assert observation.depth is not None
    assert observation.legend is not None
    rgb = np.zeros((*observation.instances.shape, 3))
    for key, label in observation.legend.items():
        rgb[observation.instances == key] = 255.0 * np.array(COLORS.get(label.color, (0.5, 0.5, 0.5)))
    shade = 1.0 - 0.05 * np.clip(np.nan_to_num(observation.depth), 0.0, 4.0)[..., None]
    grain = np.random.default_rng(0).normal(0.0, 2.0, rgb.shape)
    picture = np.clip(rgb * shade + grain, 0, 255).astype(np.uint8)
    return replace(observation, rgb=picture, instances=None, legend=None)
