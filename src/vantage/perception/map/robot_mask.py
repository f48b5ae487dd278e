"""Views without the robot itself: its arm and hand are before the camera, and are no part of the place."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vantage.perception.map.placement import Box
from vantage.types import Observation

_THICK = 0.09  # m from the middle of a link to its surface, at the most
_AROUND = 0.04  # m around the box of what is held
_LONGEST_LINK = 0.8  # m; what is longer leads from the origin of the world to the robot
_LONGEST_REACH = 1.6  # m from the camera, beyond which no part of an arm is


def without_robot(observation: Observation, held: Box | None = None) -> Observation:
    """The same view, in which the depth of what belongs to the robot, and of what it holds, is not known (NaN).

    Without an arm it is the observation itself. Where there are instance ids, the robot has the id 0; elsewhere it is
    what lies near the lines between its links. What is held is what has its id or, without one, lies in its box.
    """
    if observation.touch is None or observation.depth is None:
        return observation
    depth = observation.depth
    if observation.instances is not None and observation.instances.shape == depth.shape:
        own: NDArray[np.bool_] = observation.instances == 0
        if held is not None and held.key > 0:
            own |= observation.instances == held.key
    else:
        own = _near_links(observation, depth)
    if held is not None and held.key < 0:
        own |= _in_box(observation, depth, held)
    if not own.any():
        return observation
    return replace(observation, depth=np.where(own, np.float32(np.nan), depth))


def _near_links(observation: Observation, depth: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Which pixels show a point within the thickness of a link, (h, w)."""
    own = np.zeros(depth.shape, np.bool_)
    joints = _link_origins(observation)
    if len(joints) < 2:
        return own
    rows, columns, points = _near_points(observation, depth)
    near = np.zeros(len(points), np.bool_)
    for start, end in joints:
        way = end - start
        share = np.clip((points - start) @ way / max(float(way @ way), 1e-12), 0.0, 1.0)
        near |= np.linalg.norm(points - start - share[:, None] * way, axis=1) < _THICK
    own[rows[near], columns[near]] = True
    return own


def _in_box(observation: Observation, depth: NDArray[np.float32], held: Box) -> NDArray[np.bool_]:
    """Which pixels show a point in the box of what is held, (h, w)."""
    own = np.zeros(depth.shape, np.bool_)
    rows, columns, points = _near_points(observation, depth)
    inside = ((points >= np.array(held.low) - _AROUND) & (points <= np.array(held.high) + _AROUND)).all(axis=1)
    own[rows[inside], columns[inside]] = True
    return own


def _near_points(
    observation: Observation, depth: NDArray[np.float32]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """Rows and columns of pixels within the reach of the arm, and their points (N, 3), world frame, m."""
    camera = observation.depth_camera
    rows, columns = np.nonzero((depth > 0.0) & (depth < _LONGEST_REACH))
    z = depth[rows, columns].astype(np.float64)
    optical = np.stack([(columns + 0.5 - camera.cx) / camera.fx, (rows + 0.5 - camera.cy) / camera.fy, np.ones(len(z))])
    T_world_camera_optical = observation.viewpoint.T_world_camera_optical()
    return rows, columns, (optical * z).T @ T_world_camera_optical[:3, :3].T + T_world_camera_optical[:3, 3]


def _link_origins(observation: Observation) -> list[tuple[NDArray[np.float64], NDArray[np.float64]]]:
    """Where each link begins and where the one that carries it does, world frame, m; the tool besides."""
    posture, touch = observation.posture, observation.touch
    if posture is None or touch is None:
        return []
    poses: dict[str, NDArray[np.float64]] = {}
    found = []
    for link in posture.links:
        carrier = poses.get(link.parent)
        poses[link.child] = link.T_parent_child if carrier is None else carrier @ link.T_parent_child
        if carrier is not None:
            found.append((carrier[:3, 3], poses[link.child][:3, 3]))
    tool = np.asarray(touch.T_world_tool)[:3, 3]
    if poses:
        hand = min((pose[:3, 3] for pose in poses.values()), key=lambda at: float(np.linalg.norm(at - tool)))
        found.append((hand, tool))
    return [pair for pair in found if float(np.linalg.norm(pair[1] - pair[0])) < _LONGEST_LINK]
