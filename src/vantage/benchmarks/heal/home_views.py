"""From where the pictures of a home are taken: chosen by what can be seen, once for all tasks in it.

Cameras stand at eye height where a body has room, look in eight directions, level or down. Of those, six are taken one
after the other, each of which shows most of what the ones before do not: first the things and rooms that tasks in this
home name, then all others. Whatever is asked in a home, and whatever is left out of it, the views are the same.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vantage.benchmarks.heal.home_facts import HomeFacts, read_home
from vantage.benchmarks.heal.sights import CAMERA, LEAST_PIXELS, LEAST_ROOM, VIEWS, Seen
from vantage.scenes.geometry import free_map
from vantage.scenes.spec import RoomSpec, SceneSpec
from vantage.spatial import Intrinsics, Viewpoint
from vantage.splats import GaussianCloud, load_scene
from vantage.splats.rendering import RenderedView, Renderer, make_renderer

_COARSE = 4  # times fewer pixels along each side while views are looked for
_HEIGHT, _BODY, _STEP = 1.5, 0.25, 0.1  # m: of the eye, around it, between the places that are tried
_SPOTS, _YAWS, _PITCHES = 10, 8, (-0.15, -0.5)  # in each room, rad
_NEAR, _MOST_NEAR = 0.5, 0.1  # m, and share of a picture that may be nearer
_GOOD = 4.0  # times the least number of pixels, beyond which more show no better
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
    pixels = np.array([counted.pixels(_shown(cloud, view, CAMERA, renderer)) for view in views])
    best = pixels.argmax(axis=0)
    return tuple(Seen(thing, int(best[k]), int(pixels[best[k], k])) for k, thing in enumerate(things))


class _Counted:
    """Counts the pixels of things, and of rooms with all that is in them."""

    def __init__(self, home: HomeFacts, things: Sequence[int]) -> None:
        ids = {obj.instance_id: obj.room for obj in home.spec.objects}
        self._columns: NDArray[np.float64] = np.zeros((max(ids) + 1, len(things)))
        for column, thing in enumerate(things):
            members = [thing] if thing > 0 else [key for key, room in ids.items() if room == -thing]
            self._columns[members, column] = 1.0

    def pixels(self, view: RenderedView) -> Counts:
        counts = np.bincount(view.instances.ravel(), minlength=len(self._columns)).astype(np.float64)
        return np.asarray(counts @ self._columns)


def _chosen(home: HomeFacts, cloud: GaussianCloud, wanted: Sequence[int], renderer: Renderer) -> tuple[Viewpoint, ...]:
    others = [thing for thing in home.names if thing > 0 and thing not in wanted]
    things = [*wanted, *others]
    counted = _Counted(home, things)
    camera = Intrinsics.from_fov(CAMERA.width // _COARSE, CAMERA.height // _COARSE, CAMERA.horizontal_fov)
    tried, rows = list[Viewpoint](), list[Counts]()
    for view in _candidates(home.spec):
        picture = _shown(cloud, view, camera, renderer)
        if float((picture.depth < _NEAR).mean()) <= _MOST_NEAR:
            tried.append(view)
            rows.append(counted.pixels(picture))
    least = np.array([LEAST_PIXELS if thing > 0 else LEAST_ROOM for thing in things]) / _COARSE**2
    weights = np.array([1.0] * len(wanted) + [_OTHERS] * len(others))
    worth = _worth(np.array(rows) / least)
    best: Counts = np.zeros(len(things))
    chosen = list[int]()
    for _ in range(min(VIEWS, len(tried))):
        gains = (np.maximum(worth, best) - best) @ weights
        gains[chosen] = -1.0
        chosen.append(int(gains.argmax()))
        best = np.maximum(best, worth[chosen[-1]])
    return tuple(tried[number] for number in chosen)


def _worth(share: Counts) -> Counts:
    """Of pixels as shares of the least number: to be shown at all counts most, to be shown large some."""
    return np.asarray((share >= 1.0) + 0.5 * np.minimum(share, 1.0) + 0.5 * np.minimum(share / _GOOD, 1.0))


def _shown(cloud: GaussianCloud, view: Viewpoint, camera: Intrinsics, renderer: Renderer) -> RenderedView:
    return renderer.render(cloud, view.T_world_camera_optical(), camera)


def _candidates(spec: SceneSpec) -> Iterator[Viewpoint]:
    free = free_map(spec, spec.bounds_min[2] + _HEIGHT, _BODY, _STEP)
    x, y = free.middles()
    for room in spec.rooms:
        columns, rows = np.nonzero(free.free & free.cells_of(room))
        for spot in _apart(np.column_stack([x[columns], y[rows]]), room):
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
