"""Captured objects put into a scene: each gets its own instance id and its own place in the scene graph."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass, field

import numpy as np

from vantage.errors import SceneError, UsageError
from vantage.registry import did_you_mean
from vantage.scenes.graph import GraphNode, SceneGraph
from vantage.spatial import Matrix, rigid
from vantage.splats.cloud import GaussianCloud, concatenate
from vantage.splats.scene import OUTSIDE_BOX, Box, SplatScene, check_graph, content_box, moved, point
from vantage.splats.upright import yaw_rotation
from vantage.types import Point

UNNAMED = "unnamed thing"  # the label of instances of a scene that had no graph
_OUTLIERS = 0.5  # percent at either end of each axis that do not count for the box of an object
_ROOM = 0.05  # m: how far an object may hover above its support or sink below its top


@dataclass(frozen=True)
class Crop:
    """Which Gaussians of a capture belong to the object; limits in the upright frame of the capture, in its units."""

    low: Point = (-math.inf, -math.inf, -math.inf)
    high: Point = (math.inf, math.inf, math.inf)
    min_opacity: float = 0.0

    def apply(self, upright: GaussianCloud) -> GaussianCloud:
        """The Gaussians whose middle lies within the limits and that are opaque enough."""
        within = (upright.means >= np.array(self.low)) & (upright.means <= np.array(self.high))
        return upright.select(within.all(axis=1) & np.asarray(upright.opacities >= self.min_opacity))


@dataclass(frozen=True, eq=False)
class Placement:
    """How a capture becomes an object in a scene.

    Attributes:
        position: x, y and z of the middle of its underside, m, world frame; without z it stands on ``on`` or the floor.
        yaw: about the vertical, rad.
        R_upright: (3, 3) rotation that turns the capture to Z up.
        on: label or instance id of what carries it.
    """

    label: str
    position: tuple[float, ...]
    yaw: float = 0.0
    R_upright: Matrix = field(default_factory=lambda: np.eye(3))
    metres_per_unit: float = 1.0
    color: str = ""
    material: str = ""
    on: str | int | None = None
    crop: Crop = Crop()


def stand_object(scene: SplatScene, capture: GaussianCloud, placement: Placement) -> SplatScene:
    """A new scene in which a capture, turned upright and cropped, stands where the placement says.

    Raises:
        SceneError: nothing is left of the capture, or as ``place_object``.
        UsageError: as ``place_object``.
    """
    upright = moved(capture, rigid(placement.R_upright, np.zeros(3)), 1.0, f"the '{placement.label}'")
    obj = placement.crop.apply(upright)
    if not len(obj):
        raise SceneError(f"nothing is left of the '{placement.label}' after cropping; widen the crop")
    low, high = content_box(obj, _OUTLIERS)
    foot = placement.metres_per_unit * np.array([0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1]), low[2]])
    if len(placement.position) == 3:
        target = np.array(placement.position)
    else:
        support = _support(scene, placement.on)
        top = scene.floor if support is None else support.bounds_max[2]
        target = np.array([*placement.position, top])
    turn = yaw_rotation(placement.yaw)
    return place_object(
        scene,
        obj,
        placement.label,
        rigid(turn, target - turn @ foot),
        placement.metres_per_unit,
        color=placement.color,
        material=placement.material,
        on=placement.on,
    )


def place_object(
    scene: SplatScene,
    cloud: GaussianCloud,
    label: str,
    T_world_object: Matrix,
    metres_per_unit: float = 1.0,
    *,
    color: str = "",
    material: str = "",
    on: str | int | None = None,
) -> SplatScene:
    """A new scene with an object more; the given one stays as it is.

    The object gets the next free instance id and a node in the graph, which is made where there was none. Gaussians
    far outside the box that holds nearly all of the object are haze and left out.

    Args:
        cloud: the object in its own frame and units; its instance ids do not matter.
        T_world_object: (4, 4) rigid transform, applied after ``metres_per_unit``.
        on: label or instance id of what carries it; None and "floor" are the floor.

    Raises:
        SceneError: the object has no Gaussians, is larger than the bounds or lies outside them, or does not stand on
            what ``on`` names.
        UsageError: no label, no rigid transform, or a unit that is not positive.
    """
    if not label:
        raise UsageError("a thing that is placed into a scene needs a label; name its class")
    if not (metres_per_unit > 0 and math.isfinite(metres_per_unit)):
        raise UsageError(f"the '{label}' has {metres_per_unit} metres per unit; give a positive number")
    transform = np.asarray(T_world_object, dtype=np.float64)
    _require_rigid(transform, label)
    obj = moved(cloud, transform, metres_per_unit, f"the '{label}'")
    low, high = content_box(obj, _OUTLIERS)
    if (high - low > np.subtract(scene.bounds_max, scene.bounds_min) + OUTSIDE_BOX).any():
        raise SceneError(
            f"the '{label}' would be {_words(high - low)} m large, larger than the bounds of scene '{scene.name}' "
            f"({_words(scene.bounds_min)} to {_words(scene.bounds_max)} m); give fewer metres per unit or crop it"
        )
    near = (obj.means >= low - OUTSIDE_BOX) & (obj.means <= high + OUTSIDE_BOX)
    obj = obj.select(np.asarray(near.all(axis=1)))
    if (low > np.array(scene.bounds_max)).any() or (high < np.array(scene.bounds_min)).any():
        raise SceneError(
            f"the '{label}' would lie at {_words(low)} to {_words(high)} m, outside the bounds of scene "
            f"'{scene.name}' ({_words(scene.bounds_min)} to {_words(scene.bounds_max)} m); choose another position"
        )
    support = _support(scene, on)
    if support is not None:
        _require_support(label, (point(low), point(high)), support)
    if scene.graph is not None and scene.graph.nodes and not scene.cloud.instances.any():
        raise SceneError(
            f"scene '{scene.name}' has a scene graph, but its cloud has no instance ids, so that a thing cannot get "
            "one beside them; leave the graph out"
        )
    graph = scene.graph or _bare_graph(scene)
    instance = 1 + max([0, int(scene.cloud.instances.max(initial=0)), *(node.instance_id for node in graph.nodes)])
    node = GraphNode(
        instance,
        label,
        color,
        material,
        point(low),
        point(high),
        "" if support is None else "on",
        0 if support is None else support.instance_id,
    )
    none = np.zeros(len(obj), np.int32)
    obj = dataclasses.replace(obj, instances=none + np.int32(instance), parts=none)
    classes = scene.classes
    if classes is not None:
        classes = np.pad(classes, (0, max(0, instance + 1 - len(classes))))
    composed = dataclasses.replace(
        scene,
        cloud=concatenate([scene.cloud, obj]),
        graph=dataclasses.replace(graph, nodes=(*graph.nodes, node)),
        shows=", ".join(filter(None, (scene.shows, label))),
        classes=classes,
    )
    if composed.graph is not None:
        check_graph(composed.graph, composed.cloud, scene.bounds_min, scene.bounds_max, f"scene '{scene.name}'")
    return composed


def _require_rigid(transform: Matrix, label: str) -> None:
    rotation = transform[:3, :3] if transform.shape == (4, 4) else np.zeros((3, 3))
    proper = np.isfinite(transform).all() and np.abs(rotation @ rotation.T - np.eye(3)).max() < 1e-5
    if not proper or np.linalg.det(rotation) < 0 or not np.array_equal(transform[3], [0, 0, 0, 1]):
        raise UsageError(f"the pose of the '{label}' is no rigid transform of shape (4, 4); give the scale separately")


def _support(scene: SplatScene, on: str | int | None) -> GraphNode | None:
    """What an object stands on; None for the floor."""
    if on is None or on == "floor":
        return None
    if scene.graph is None:
        raise SceneError(f"scene '{scene.name}' has no scene graph, so nothing can be 'on' {on!r}; give x, y and z")
    if isinstance(on, int):
        return scene.graph.node(on)
    found = scene.graph.by_label(on)
    if not found:
        labels = sorted({node.label for node in scene.graph.nodes})
        raise SceneError(f"scene '{scene.name}' has no '{on}' to stand on{did_you_mean(on, labels)}")
    if len(found) > 1:
        ids = ", ".join(str(node.instance_id) for node in found)
        raise SceneError(f"scene '{scene.name}' has {len(found)} things called '{on}'; give one of the ids {ids}")
    return found[0]


def _require_support(label: str, box: Box, support: GraphNode) -> None:
    x, y = (0.5 * (box[0][k] + box[1][k]) for k in range(2))
    low, high = support.bounds_min, support.bounds_max
    if not (low[0] <= x <= high[0] and low[1] <= y <= high[1] and low[2] <= box[0][2] <= high[2] + _ROOM):
        raise SceneError(
            f"the '{label}' at ({x:.2f}, {y:.2f}) m with its underside at {box[0][2]:.2f} m does not stand on "
            f"'{support.label}' (id {support.instance_id}), which spans {_words(low)} to {_words(high)} m; move it "
            "or leave 'on' out"
        )


def _bare_graph(scene: SplatScene) -> SceneGraph:
    """A graph for a scene without one: the instances of its cloud, of which nobody knows what they are."""
    ids = np.unique(scene.cloud.instances)
    nodes = []
    for instance in ids[ids > 0].tolist():
        members = scene.cloud.means[scene.cloud.instances == instance]
        nodes.append(GraphNode(instance, UNNAMED, "", "", point(members.min(axis=0)), point(members.max(axis=0))))
    return SceneGraph(scene.name, 0, scene.bounds_min, scene.bounds_max, tuple(nodes))


def _words(values: object) -> str:
    return "(" + ", ".join(_number(float(value)) for value in np.asarray(values)) + ")"


def _number(value: float) -> str:
    return f"{value:.2f}" if abs(value) < 1e6 else f"{value:.3g}"
