"""From where the pictures of a home are taken: chosen by what can be seen, once for all tasks in it.

Cameras stand at eye height where a body has room, look in eight directions, level or down. Of those, six are taken that
together show most: first of the things and rooms that tasks in this home name, then of all others. Whatever is asked in
a home, and whatever is left out of it, the views are the same.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from itertools import product
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from shapely.geometry import Point

from vantage.benchmarks.heal.home_facts import HomeFacts, read_home
from vantage.benchmarks.heal.sights import CAMERA, LEAST_PIXELS, LEAST_ROOM, VIEWS, Seen
from vantage.errors import SceneError
from vantage.scenes.geometry import free_map
from vantage.scenes.spec import RoomSpec, SceneSpec, object_bounds, polygon
from vantage.spatial import Intrinsics, Viewpoint, apply, invert
from vantage.splats import GaussianCloud, load_scene
from vantage.splats.rendering import RenderedView, Renderer, make_renderer

_COARSE = 4  # times fewer pixels along each side while views are looked for
_HEIGHT, _BODY, _STEP = 1.5, 0.25, 0.1  # m: of the eye, around it, between the places that are tried
_SPOTS, _YAWS, _PITCHES = 10, 8, (-0.15, -0.5)  # in each room, rad
_MARGIN = 1.2  # of pixels that a few can tell
_INSET = 0.5  # m from the outline of its room, where that leaves any place: nobody stands in doorways
_LEAST_DEPTH = 0.05  # m
_NEAR, _MOST_NEAR = 0.5, 0.1  # m, and share of a picture that may be nearer
_EXCHANGES = 3  # rounds in which each view is exchanged for the best in its place
_GOOD = 4.0  # times the least number of pixels, beyond which more show no better
_WHOLE = 0.8  # of the largest share of its box that any view shows of a thing: what is seen whole
_OTHERS = 0.02  # what a thing counts that no task names

Counts = NDArray[np.float64]


def views_of(folder: Path, wanted: Collection[int]) -> tuple[tuple[Viewpoint, ...], tuple[Seen, ...]]:
    """The views of a home that lies in a folder, and how well they show what is wanted.

    Args:
        wanted: instance ids of things, and ids of rooms with a minus, that tasks name.

    Raises:
        ConfigError, FormatError, SceneError: no painted home lies there.
    """
    home, cloud, renderer = read_home(folder), load_scene(folder).cloud, make_renderer("cpu", 1)
    try:
        views = _chosen(home, cloud, sorted(wanted), renderer)
        return views, seen_from(home, cloud, views, wanted, renderer)
    finally:
        renderer.close()


def seen_from(
    home: HomeFacts, cloud: GaussianCloud, views: Sequence[Viewpoint], wanted: Collection[int], renderer: Renderer
) -> tuple[Seen, ...]:
    """How well views show things and rooms, by the instance ids in pictures of the home as it is."""
    things = sorted(wanted)
    counted = _Counted(home, things)
    looks = [counted.seen(_shown(cloud, view, CAMERA, renderer), view, CAMERA) for view in views]
    pixels, share = (np.array(each) for each in zip(*looks, strict=True))
    best = _effective(pixels, share, _WHOLE * share.max(axis=0), _GOOD * _least(things)).argmax(axis=0)
    return tuple(
        Seen(thing, int(view), int(pixels[view, column]), int(100.0 * share[view, column]))
        for column, (thing, view) in enumerate(zip(things, best, strict=True))
    )


class _Counted:
    """Counts the pixels of things, and of rooms with all that is in them, and what share they are of the boxes around
    things: little of those that are cut off or hidden."""

    def __init__(self, home: HomeFacts, things: Sequence[int]) -> None:
        ids = {obj.instance_id: obj.room for obj in home.spec.objects}
        bounds = {obj.instance_id: object_bounds(obj) for obj in home.spec.objects}
        self._corners = {
            column: np.array(list(product(*zip(*bounds[thing], strict=True))))
            for column, thing in enumerate(things)
            if thing > 0
        }
        self._columns: NDArray[np.float64] = np.zeros((max(ids) + 1, len(things)))
        for column, thing in enumerate(things):
            members = [thing] if thing > 0 else [key for key, room in ids.items() if room == -thing]
            self._columns[members, column] = 1.0

    def seen(self, picture: RenderedView, view: Viewpoint, camera: Intrinsics) -> tuple[Counts, Counts]:
        """Pixels, and their share of the box, 0..1; of what is not seen 0."""
        counts = np.bincount(picture.instances.ravel(), minlength=len(self._columns)).astype(np.float64)
        pixels: Counts = np.asarray(counts @ self._columns)
        share: Counts = (pixels > 0).astype(np.float64)
        T_camera_world = invert(view.T_world_camera_optical())
        for column in np.flatnonzero(pixels).tolist():
            if column in self._corners:
                points = apply(T_camera_world, self._corners[column])
                points[:, 2] = np.maximum(points[:, 2], _LEAST_DEPTH)
                outline = cv2.convexHull(camera.project(points).astype(np.float32))
                share[column] = min(1.0, pixels[column] / max(cv2.contourArea(outline), 1.0))
        return pixels, share


def _chosen(home: HomeFacts, cloud: GaussianCloud, wanted: Sequence[int], renderer: Renderer) -> tuple[Viewpoint, ...]:
    others = [thing for thing in home.names if thing > 0 and thing not in wanted]
    things = [*wanted, *others]
    counted = _Counted(home, things)
    camera = Intrinsics.from_fov(CAMERA.width // _COARSE, CAMERA.height // _COARSE, CAMERA.horizontal_fov)
    least = _MARGIN / _COARSE**2 * _least(things)
    tried, looks = list[Viewpoint](), list[tuple[Counts, Counts]]()
    for view in _candidates(home.spec):
        picture = _shown(cloud, view, camera, renderer)
        if float((picture.depth < _NEAR).mean()) <= _MOST_NEAR:
            tried.append(view)
            looks.append(counted.seen(picture, view, camera))
    if not tried:
        raise SceneError(f"no camera finds room in home '{home.spec.name}', so that no pictures of it can be taken")
    weights = np.array([1.0] * len(wanted) + [_OTHERS] * len(others))
    pixels, share = (np.array(each) for each in zip(*looks, strict=True))
    whole = np.where(pixels >= least, share, 0.0).max(axis=0)
    worth = _worth(_effective(pixels, share, _WHOLE * whole, _GOOD * least) / least)
    return tuple(tried[number] for number in _best(worth * weights, min(VIEWS, len(tried))))


def _best(worth: Counts, count: int) -> list[int]:
    """Rows (N, T) of which the largest values together are large: taken one after the other, then each exchanged."""
    chosen = list[int]()
    for turn in range(count * (1 + _EXCHANGES)):
        if turn >= count:
            del chosen[0]
        before = worth[chosen].max(axis=0, initial=0.0)
        gains = np.maximum(worth, before).sum(axis=1)
        gains[chosen] = -1.0
        chosen.append(int(gains.argmax()))
    return sorted(chosen)


def _least(things: Sequence[int]) -> Counts:
    return np.array([LEAST_PIXELS if thing > 0 else LEAST_ROOM for thing in things], dtype=np.float64)


def _effective(pixels: Counts, share: Counts, whole: Counts, most: Counts) -> Counts:
    """Pixels, at most so many, of which those of things that are cut off or hidden count less: those of which less than
    a ``whole`` share of the box is seen."""
    return np.asarray(np.minimum(pixels, most) * np.minimum(1.0, share / np.maximum(whole, 1e-6)))


def _worth(share: Counts) -> Counts:
    """Of pixels as shares of the least number: to be shown at all counts most, to be shown large some."""
    return np.asarray((share >= 1.0) + 0.25 * np.minimum(share, 1.0) + 0.25 * np.minimum(share / _GOOD, 1.0))


def _shown(cloud: GaussianCloud, view: Viewpoint, camera: Intrinsics, renderer: Renderer) -> RenderedView:
    return renderer.render(cloud, view.T_world_camera_optical(), camera)


def _candidates(spec: SceneSpec) -> Iterator[Viewpoint]:
    free = free_map(spec, spec.bounds_min[2] + _HEIGHT, _BODY, _STEP)
    x, y = free.middles()
    for room in spec.rooms:
        columns, rows = np.nonzero(free.free & free.cells_of(room))
        places = np.column_stack([x[columns], y[rows]])
        area = polygon(room.outline)
        inner = np.array([area.exterior.distance(Point(place)) >= _INSET for place in places], dtype=np.bool_)
        for spot in _apart(places[inner] if inner.any() else places, room):
            for turn in range(_YAWS):
                for pitch in _PITCHES:
                    yaw = math.remainder(2.0 * math.pi * turn / _YAWS, 2.0 * math.pi)
                    height = spec.bounds_min[2] + _HEIGHT
                    yield Viewpoint(*(round(float(each), 4) for each in (*spot, height, yaw, pitch)))


def _apart(places: NDArray[np.float64], room: RoomSpec) -> NDArray[np.float64]:
    """Some of the places (N, 2) in a room, far from each other; the first is nearest to its corner."""
    if not len(places):
        return places
    gaps = np.linalg.norm(places - np.array(room.outline[0]), axis=1)
    taken = [int(gaps.argmin())]
    gaps = np.linalg.norm(places - places[taken[0]], axis=1)
    while len(taken) < min(_SPOTS, len(places)):
        taken.append(int(gaps.argmax()))
        gaps = np.minimum(gaps, np.linalg.norm(places - places[taken[-1]], axis=1))
    return places[taken]
