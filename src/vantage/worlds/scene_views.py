"""What a camera sees of a splat scene: shared by the world of splats and the simulated camera of a rig."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from typing import Generic, TypeVar

import numpy as np

from vantage.scenes.graph import SceneGraph
from vantage.spatial import Intrinsics, Matrix, Viewpoint
from vantage.splats import SplatScene
from vantage.splats.rendering import RenderedView, Renderer
from vantage.types import InstanceLabel

_KEPT_SCENES = 2
_UNDER_CEILING = 0.1  # m
_LONG_LENS = 0.5  # rad across a picture from above: walls hide little of what stands behind them
_SEEN = 0.5  # share of a pixel that must be covered for depth and id to count; captures have a haze around objects

_T = TypeVar("_T")


class KeptScenes(Generic[_T]):
    """What was made of the scenes used last, by name; not thread-safe.

    Args:
        dropped: is told of what is not kept any more.
    """

    def __init__(self, load: Callable[[str], _T], dropped: Callable[[_T], None] = lambda _: None) -> None:
        self._load, self._dropped = load, dropped
        self._kept: OrderedDict[str, _T] = OrderedDict()

    def get(self, name: str) -> _T:
        """Raises what ``load`` raises; the others are kept then."""
        kept = self._kept.get(name)
        if kept is None:
            kept = self._kept[name] = self._load(name)
            while len(self._kept) > _KEPT_SCENES:
                self._dropped(self._kept.popitem(last=False)[1])
        self._kept.move_to_end(name)
        return kept

    def clear(self) -> None:
        while self._kept:
            self._dropped(self._kept.popitem()[1])


def view_of(
    renderer: Renderer, scene: SplatScene, T_world_camera_optical: Matrix, intrinsics: Intrinsics
) -> RenderedView:
    """What a camera at a pose (4, 4) sees, without depth and id where little is; read-only."""
    view = renderer.render(scene.cloud, T_world_camera_optical, intrinsics)
    faint = view.alpha < _SEEN
    view.depth[faint], view.instances[faint] = np.nan, 0
    for image in (view.rgb, view.depth, view.instances):
        image.setflags(write=False)
    return view


def view_from_above(
    renderer: Renderer, scene: SplatScene, camera: Intrinsics
) -> tuple[RenderedView, Viewpoint, Intrinsics]:
    """What a camera with a long lens sees straight from above without the ceiling; where it is, and its intrinsics.

    All within the bounds is in view, with the world's x upwards. What is higher than 0.1 m below the lowest ceiling of
    the graph, or the upper bound where no graph names one, is cut away.

    Args:
        camera: that has as many pixels.
    """
    nodes = () if scene.graph is None else scene.graph.nodes
    ceilings = [node.bounds_min[2] for node in nodes if node.label == "ceiling"]
    top = min([scene.bounds_max[2], *ceilings]) - _UNDER_CEILING
    cut = replace(scene, cloud=scene.cloud.select(scene.cloud.means[:, 2] < top), graph=None)
    lens = Intrinsics.from_fov(camera.width, camera.height, _LONG_LENS)
    (low_x, low_y, _), (high_x, high_y, _) = scene.bounds_min, scene.bounds_max
    away = max((high_x - low_x) * lens.fy / camera.height, (high_y - low_y) * lens.fx / camera.width)
    above = Viewpoint(0.5 * (low_x + high_x), 0.5 * (low_y + high_y), top + away, 0.0, -0.5 * math.pi)
    return view_of(renderer, cut, above.T_world_camera_optical(), lens), above, lens


def legend_of(graph: SceneGraph | None) -> dict[int, InstanceLabel]:
    """What instance ids stand for, as far as looks tell it: a floor says of which kind of room it is."""
    if graph is None:
        return {}
    rooms = {room.room_id: room.label for room in graph.rooms}
    return {
        node.instance_id: InstanceLabel(
            node.instance_id,
            node.label,
            node.color,
            node.material,
            node.states,
            node.shape,
            rooms.get(node.room, "") if node.label == "floor" else "",
        )
        for node in graph.nodes
    }
