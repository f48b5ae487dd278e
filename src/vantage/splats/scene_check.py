"""Whether a scene graph and the cloud beside it speak of the same things."""

from __future__ import annotations

import numpy as np

from vantage.errors import SceneError
from vantage.scenes.graph.graph import SceneGraph
from vantage.splats.cloud import GaussianCloud
from vantage.types import Point

OUTSIDE_BOUNDS = 1.0  # m: walls and what stands in a doorway may stick out of the inner space of a room
OUTSIDE_BOX = 0.1  # m: trained Gaussians are no exact surface samples
STRAYS = 0.01  # share of a thing's Gaussians that may lie farther out, as floaters of a capture do


def check_graph(graph: SceneGraph, cloud: GaussianCloud, bounds_min: Point, bounds_max: Point, where: str) -> None:
    """Compare ids, boxes and bounds; a cloud without any instance ids has only its bounds compared.

    Raises:
        SceneError: Gaussians of an id that the graph lacks, a thing without Gaussians, a thing far outside the bounds,
            or Gaussians far outside the box of their thing.
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
