"""What a camera sees of a splat scene: shared by the world of splats and the simulated camera of a rig."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

import numpy as np

from vantage.scenes.graph import SceneGraph
from vantage.spatial import Intrinsics, Matrix
from vantage.splats import SplatScene
from vantage.splats.rendering import RenderedView, Renderer
from vantage.types import InstanceLabel

_KEPT_SCENES = 2
_SEEN = 0.5  # share of a pixel that must be covered for depth and id to count; captures have a haze around objects

_T = TypeVar("_T")


class KeptScenes(Generic[_T]):
    """What was made of the scenes used last, by name; not thread-safe."""

    def __init__(self, load: Callable[[str], _T]) -> None:
        self._load = load
        self._kept: OrderedDict[str, _T] = OrderedDict()

    def get(self, name: str) -> _T:
        """Raises what ``load`` raises; the others are kept then."""
        kept = self._kept.get(name)
        if kept is None:
            kept = self._kept[name] = self._load(name)
            while len(self._kept) > _KEPT_SCENES:
                self._kept.popitem(last=False)
        self._kept.move_to_end(name)
        return kept

    def clear(self) -> None:
        self._kept.clear()


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
