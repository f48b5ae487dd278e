"""A splat scene in memory: a cloud in the world frame, what is known about it, and whether its graph agrees."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vantage.errors import FormatError, SceneError
from vantage.scenes.graph import SceneGraph
from vantage.spatial import Matrix, Viewpoint
from vantage.splats.cloud import GaussianCloud
from vantage.types import Point

Box = tuple[Point, Point]

OUTSIDE_BOUNDS = 1.0  # m: walls and what stands in a doorway may stick out of the inner space of a room
OUTSIDE_BOX = 0.1  # m: trained Gaussians are no exact surface samples
STRAYS = 0.01  # share of an object's Gaussians that may lie farther out, as floaters of a capture do
START_REACH = 0.25  # m around the start, where the scene file names no start region
_TOUCH = 1e-6  # m


@dataclass(frozen=True, eq=False)
class SplatScene:
    """A cloud in the world frame (Z up, metres) and what is known about it.

    Attributes:
        bounds_min, bounds_max: where a camera may be, m.
        floor: z of the floor, m.
        start: a good first view, where the scene file names one.
        shows: what the scene shows, in words.
        attribution: whom to credit for a capture.
        source: the file or folder it came from.
        start_region: corners of the free space in which episodes may start, m; around ``start`` where none is named.
        classes: (M,) int32: the class of each instance id, 0 for none; None where the cloud's format knows none.
        metric: whether a unit of the scene is known to be a metre or known not to be; None where nobody says.
    """

    name: str
    cloud: GaussianCloud
    graph: SceneGraph | None
    bounds_min: Point
    bounds_max: Point
    floor: float
    start: Viewpoint | None = None
    shows: str = ""
    attribution: str = ""
    source: Path = Path()
    start_region: Box | None = None
    classes: NDArray[np.int32] | None = None
    metric: bool | None = None

    @cached_property
    def fingerprint(self) -> str:
        """A key of the Gaussians in the world frame and the bounds: equal content, equal key, on any path."""
        digest = hashlib.sha256(np.array([self.bounds_min, self.bounds_max], "<f8").tobytes())
        cloud = self.cloud
        for values in (cloud.means, cloud.scales, cloud.quaternions, cloud.opacities, cloud.sh, cloud.instances):
            digest.update(repr(values.shape).encode())
            digest.update(values.data)
        return digest.hexdigest()[:32]


def moved(cloud: GaussianCloud, T_world_cloud: Matrix, metres_per_unit: float, what: str) -> GaussianCloud:
    """The cloud in the world frame, m.

    Raises:
        SceneError: a number becomes larger than a cloud can hold.
    """
    try:
        with np.errstate(all="ignore"):  # what overflows is found when the cloud checks itself
            return cloud.transformed(T_world_cloud, metres_per_unit)
    except FormatError as error:
        raise SceneError(
            f"{what}: with {metres_per_unit:.6g} metres per unit and its pose the cloud becomes larger than numbers "
            "reach; choose a smaller scale and position"
        ) from error


def robust_bounds(cloud: GaussianCloud) -> Box:
    """Bounds of a capture that nobody measured: all but the outermost 1 % of its clearly visible Gaussians.

    They are widened by half the largest extent, except downwards, so that a camera can go around a single object.
    """
    low, high = content_box(cloud, 1.0)
    margin = max(0.5 * float((high - low).max()), 1e-3)
    return point(low - [margin, margin, 0.0]), point(high + margin)


def content_box(cloud: GaussianCloud, outliers: float) -> tuple[Matrix, Matrix]:
    """Corners (3,) of the clearly visible Gaussians without ``outliers`` percent at either end of each axis.

    Raises:
        SceneError: the cloud is empty.
    """
    if not len(cloud):
        raise SceneError("a cloud without Gaussians has no extent; choose another one")
    clear = cloud.opacities > 0.1
    means = cloud.means[clear] if clear.any() else cloud.means
    low, high = np.percentile(means.astype(np.float64), [outliers, 100.0 - outliers], axis=0)
    return low, high


def check_start(start: Viewpoint | None, low: Point, high: Point, where: str) -> None:
    """Make sure that a first view lies within the bounds ``low`` to ``high``, m.

    Raises:
        SceneError: it does not.
    """
    if start is None:
        return
    if (start.position < np.array(low) - _TOUCH).any() or (start.position > np.array(high) + _TOUCH).any():
        raise SceneError(
            f"{where}: the start {point(start.position)} m lies outside the bounds {low} to {high} m; "
            "move it, or set 'bounds'"
        )


def checked_start_region(
    region: Box | None, start: Viewpoint | None, low: Point, high: Point, where: str
) -> Box | None:
    """The region that a scene file names, checked, or what lies around the start within the bounds.

    Raises:
        SceneError: the region is empty or leaves the bounds ``low`` to ``high``.
    """
    if region is not None:
        corners = np.array(region)
        if (corners[0] > corners[1]).any():
            raise SceneError(f"{where}: start_region has min {region[0]} above max {region[1]}; exchange them")
        if (corners[0] < np.array(low) - _TOUCH).any() or (corners[1] > np.array(high) + _TOUCH).any():
            raise SceneError(
                f"{where}: start_region {region[0]} to {region[1]} m leaves the bounds {low} to {high} m; shrink it"
            )
        return region
    if start is None:
        return None
    nearest, farthest = start.position - START_REACH, start.position + START_REACH
    return point(np.clip(nearest, low, high)), point(np.clip(farthest, low, high))


def point(values: Matrix) -> Point:
    """Three numbers of an array (3,)."""
    x, y, z = (float(value) for value in values)
    return x, y, z


def check_graph(graph: SceneGraph, cloud: GaussianCloud, bounds_min: Point, bounds_max: Point, where: str) -> None:
    """Compare ids, boxes and bounds; a cloud without any instance ids has only its bounds compared.

    Raises:
        SceneError: Gaussians of an id that the graph lacks, an object without Gaussians or far outside the bounds,
            or Gaussians far outside the box of their object.
    """
    low, high = np.asarray(bounds_min), np.asarray(bounds_max)
    for node in graph.nodes:
        what = f"'{node.label}' (id {node.instance_id})"
        if (np.asarray(node.bounds_min) > high + OUTSIDE_BOUNDS).any() or (
            np.asarray(node.bounds_max) < low - OUTSIDE_BOUNDS
        ).any():
            raise SceneError(f"{where}: {what} of the graph lies far outside the bounds of the scene; make both anew")
    if not cloud.instances.any():
        return
    order = np.argsort(cloud.instances, kind="stable")
    ids, starts = np.unique(cloud.instances[order], return_index=True)
    members = dict(zip(ids.tolist(), np.split(order, starts[1:]), strict=True))
    members.pop(0, None)
    nodes = {node.instance_id: node for node in graph.nodes}
    strange = sorted(set(members) - set(nodes))
    if strange:
        raise SceneError(
            f"{where}: {len(strange)} instance ids of the cloud are not in the graph, such as {strange[0]}; "
            "make cloud and graph anew from the same scene"
        )
    for instance, node in nodes.items():
        what = f"'{node.label}' (id {instance})"
        if instance not in members:
            raise SceneError(f"{where}: {what} of the graph has no Gaussians in the cloud; make both anew")
        means = cloud.means[members[instance]]
        outside = (means < np.asarray(node.bounds_min) - OUTSIDE_BOX) | (
            means > np.asarray(node.bounds_max) + OUTSIDE_BOX
        )
        share = float(outside.any(axis=1).mean())
        if share > STRAYS:
            raise SceneError(
                f"{where}: {share:.0%} of the Gaussians of {what} lie more than {OUTSIDE_BOX} m outside its box; "
                "make cloud and graph anew from the same scene"
            )
