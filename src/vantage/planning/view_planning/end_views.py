"""How well a view shows several objects at once: each as a whole, large enough, and with nothing before it.

Of an object no more than its box is known. Points on the sides of the box stand for its surface, each weighted by the
pixels that its part of the box covers. Of a view that was taken, the pixels of its detections say more than that.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vantage.perception.map import CoverageMap
from vantage.planning.view_planning.box_pixels import box_pixels
from vantage.planning.view_planning.information_gain import SLACK, Panorama
from vantage.reader_thresholds import SIZE_PIXELS, TOP_SHARE, VISIBLE_SHARE
from vantage.spatial import apply, invert
from vantage.types import Observation, Point

ENOUGH = 0.7  # quality of a look from which on it shows an object
_WHOLE = 2.0 * VISIBLE_SHARE / ENOUGH  # share of a box that a good look shows
_PIXELS = 1.3 * SIZE_PIXELS / ENOUGH  # of an object in a good look: what is detected is more than what shows
_ALONG, _ALONG_TOP = 5, 9  # points along each edge of a box, and of a top
_STRICT = 4  # power that makes a top of which a tenth too much is hidden no good look
_SURELY = 0.08  # share of a top that is seen in a look that is enough beyond what is needed
_UNNOTICED = 0.6  # factor of the quality of a look in which the object was not detected
_THIN = 0.02  # m: least edge of a box
_TOLERANCE, _SLOPE = 0.05, 0.02  # by how much what is seen may lie before a point and not hide it: m, and of its depth
_FALL = 8  # power with which a face is seen worse from too far
_ASLANT = 0.3  # quality of a face that is seen at too large an angle
_NO_SIDE = 1e-9  # px that a box covers where none of its sides is seen


@dataclass(frozen=True)
class Face:
    """A side of an object that has to be seen from before it.

    Attributes:
        middle: world frame, m.
        normal: unit vector out of it.
        cosine: of the largest angle between the normal and the way to the camera.
        within: m within which it has to be seen from straight before it; aslant, nearer by the square root of the
            cosine.
    """

    middle: Point
    normal: Point
    cosine: float
    within: float = math.inf

    def quality(self, positions: NDArray[np.float64]) -> NDArray[np.float64]:
        """How well it is seen from positions (M, 3) where nothing hides it, 0..1, shape (M,)."""
        way = positions - np.array(self.middle)
        distance = np.maximum(np.linalg.norm(way, axis=1), 1e-6)
        cosine = way @ np.array(self.normal) / distance
        fronting = np.where(cosine >= self.cosine, 1.0, _ASLANT)
        if math.isinf(self.within):
            return fronting
        narrowed = self.within * np.sqrt(np.maximum(cosine, 0.0))
        return np.asarray(fronting * np.minimum(narrowed / distance, 1.0) ** _FALL)


@dataclass(frozen=True)
class Shown:
    """An object, or the top of one, that a view must show.

    Attributes:
        low, high: corners of its box, world frame, m.
        key: its identity in memory.
        top: its top must show, not some side of it.
        of_top: share of the top that has to show.
        steep: sine of the angle from which one sees into it, 0 for what need not be looked into.
        fill: share of the pixels of its box that it covers itself.
        face: the side that tells what is told of it; None for any side.
        least: factor by which it has to be larger than what is only recognised.
    """

    low: Point
    high: Point
    key: int = 0
    top: bool = False
    of_top: float = TOP_SHARE
    steep: float = 0.0
    fill: float = 0.5
    face: Face | None = None
    least: float = 1.0

    @cached_property
    def _surface(self) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Points on the sides of the box (N, 3), the normals of these (N, 3), and the area of each point (N,), m^2."""
        low, high = np.array(self.low), np.array(self.high)
        middle, half = 0.5 * (low + high), np.maximum(0.5 * (high - low), 0.5 * _THIN)
        count = _ALONG_TOP if self.top else _ALONG
        along = (2.0 * np.arange(count) + 1.0) / count - 1.0
        first, second = (each.ravel() for each in np.meshgrid(along, along))
        points, normals, areas = [], [], []
        for axis in range(3):
            for side in (1.0,) if self.top else (-1.0, 1.0):
                if self.top and axis != 2:
                    continue
                one, other = (axis + 1) % 3, (axis + 2) % 3
                face, normal = np.zeros((len(first), 3)), np.zeros(3)
                face[:, one], face[:, other], face[:, axis], normal[axis] = first, second, side, side
                points.append(middle + face * half)
                normals.append(np.repeat(normal[None], len(first), axis=0))
                areas.append(np.full(len(first), 4.0 * half[one] * half[other] / len(first)))
        return np.concatenate(points), np.concatenate(normals), np.concatenate(areas)

    def _pixels(self, positions: NDArray[np.float64], focal: float) -> NDArray[np.float64]:
        """Pixels (M, N) for which each point stands, seen from positions (M, 3); 0 for sides that look away."""
        points, normals, areas = self._surface
        return np.asarray(box_pixels(np.ascontiguousarray(positions), points, normals, areas, float(focal)))

    def _quality(self, share: NDArray[Any], pixels: NDArray[Any]) -> NDArray[np.float64]:
        """Quality of looks by the share of the box that they show, and by the pixels of the object."""
        if self.top:
            share = np.minimum(share / (self.of_top + _SURELY), 1.0 / ENOUGH) ** _STRICT * ENOUGH
        share = np.minimum(share / (1.0 if self.top else _WHOLE), 1.0)
        return np.asarray(np.minimum(share, np.minimum(pixels / (_PIXELS * self.least), 1.0)))

    def covered(self, position: NDArray[np.float64], focal: float) -> float:
        """Pixels that its box covers, seen from a position (3,)."""
        return float(self._pixels(position[None], focal).sum())

    def _side(self, positions: NDArray[np.float64]) -> NDArray[np.float64]:
        """How well one sees into it, and the side that matters, from positions (M, 3), 0..1, shape (M,)."""
        low, high, found = np.array(self.low), np.array(self.high), np.ones(len(positions))
        if self.steep:
            way = positions - [*(0.5 * (low + high))[:2], high[2]]
            rise = way[:, 2] / np.maximum(np.linalg.norm(way, axis=1), 1e-6)
            found = np.where(rise >= self.steep, 1.0, 0.5 * np.clip(rise / self.steep, 0.0, 1.0))
        return found if self.face is None else np.asarray(found * self.face.quality(positions))

    def expected(
        self, panorama: Panorama, coverage: CoverageMap, positions: NDArray[np.float64], focal: float
    ) -> NDArray[np.float64]:
        """Quality of the views from positions (M, 3) by all that is known to stand in between, 0..1; shape (M, yaws,
        pitches)."""
        points, _, _ = self._surface
        pixels = self._pixels(positions, focal)
        slack = SLACK + 0.5 * min(high - low for low, high in zip(self.low, self.high, strict=True))
        seen = panorama.points_in_view(coverage, positions, points, pixels, slack)
        share = seen / np.maximum(pixels.sum(axis=1)[:, None, None], _NO_SIDE)
        return self._quality(share, seen * self.fill) * self._side(positions)[:, None, None]

    def most(self, positions: NDArray[np.float64], focal: float) -> NDArray[np.float64]:
        """The best quality that views from positions (M, 3) can have where nothing stands in between, shape (M,)."""
        pixels = self._pixels(positions, focal).sum(axis=1)
        return np.asarray(np.minimum(pixels * self.fill / (_PIXELS * self.least), 1.0) * self._side(positions))

    def seen(self, observation: Observation, pixels_of: Mapping[int, int]) -> float:
        """Quality of a view that was taken, by its depth image; without one, by what lies in the image.

        Args:
            pixels_of: the pixels of each object that was detected in it, by identity.
        """
        camera, here = observation.intrinsics, observation.viewpoint
        points, _, _ = self._surface
        pixels = self._pixels(here.position[None], camera.fx)[0]
        optical = apply(invert(here.T_world_camera_optical()), points)
        ahead = optical[:, 2] > 1e-6
        at = np.zeros((len(points), 2), np.int64)
        at[ahead] = np.floor(camera.project(optical[ahead]))
        shown = ahead & (at >= 0).all(axis=1) & (at < [camera.width, camera.height]).all(axis=1)
        if observation.depth is not None:
            height, width = observation.depth.shape
            found = observation.depth[at[shown, 1] * height // camera.height, at[shown, 0] * width // camera.width]
            z = optical[shown, 2]
            shown[shown] = ~(found < z - _TOLERANCE - _SLOPE * z)
        seen = pixels[shown].sum()[None]
        share = seen / max(float(pixels.sum()), _NO_SIDE)
        detected = self.key in pixels_of
        of_object = seen * self.fill
        if detected and not self.top:
            middle = apply(invert(here.T_world_camera_optical()), 0.5 * (np.array(self.low) + self.high)[None])[0]
            along = max(float(middle[2]) / max(math.hypot(*middle.tolist()), 1e-6), 0.0)
            of_object = np.array([pixels_of[self.key] * along**3])  # corners of a picture stretch what lies in them
        quality = self._quality(share, of_object) * self._side(here.position[None])
        return float(quality[0]) * (1.0 if detected or self.top else _UNNOTICED)


@dataclass(frozen=True)
class EndView:
    """All that one view must show; its quality is that with which it shows the worst shown of them."""

    shown: Sequence[Shown]

    def expected(
        self, panorama: Panorama, coverage: CoverageMap, positions: NDArray[np.float64], focal: float
    ) -> NDArray[np.float32]:
        """Of views from positions (M, 3), 0..1, shape (M, yaws, pitches)."""
        worst = [each.expected(panorama, coverage, positions, focal) for each in self.shown]
        return np.asarray(np.min(worst, axis=0), np.float32)

    def most(self, positions: NDArray[np.float64], focal: float) -> NDArray[np.float64]:
        """What views from positions (M, 3) have at most, 0..1, shape (M,)."""
        return np.asarray(np.min([each.most(positions, focal) for each in self.shown], axis=0))

    def seen(self, observation: Observation, pixels_of: Mapping[int, int]) -> float:
        """Of a view that was taken, 0..1; ``pixels_of`` as for ``Shown.seen``."""
        return min((each.seen(observation, pixels_of) for each in self.shown), default=math.inf)


_AT_ONCE = 24  # positions whose views are worked out together
_ROUNDING = 1e-4  # by which sums of pixels may surpass what bounds them


def best_first(
    most: NDArray[np.float64],
    value: Callable[[NDArray[np.int64]], tuple[NDArray[np.float32], NDArray[np.float64]]],
) -> Iterator[tuple[int, int, float]]:
    """Views from several positions, those of the highest value first, as position, heading and quality. Positions at
    which no view can have a value that comes up are not worked out.

    Args:
        most: what no value of a view surpasses, by position; -inf where none is possible.
        value: gives the quality and the value (-inf: not possible) of all views from some positions, each of shape
            (some, headings).
    """
    order = np.argsort(-most, kind="stable")
    bounds = np.append(most[order] + _ROUNDING, -np.inf)
    order = order[most[order] > -np.inf]
    known: dict[int, tuple[NDArray[np.float32], NDArray[np.float64]]] = {}
    done = 0
    while True:
        best, where = -np.inf, (0, 0)
        for place in sorted(known):
            heading = int(known[place][1].argmax())
            if known[place][1][heading] > best:
                best, where = float(known[place][1][heading]), (place, heading)
        if done < len(order) and best <= bounds[done]:
            some = np.sort(order[done : done + _AT_ONCE])
            quality, values = value(some)
            known |= {int(place): (quality[row], values[row]) for row, place in enumerate(some)}
            done += len(some)
        elif best > -np.inf:
            place, heading = where
            yield place, heading, float(known[place][0][heading])
            known[place][1][heading] = -np.inf
        else:
            return
