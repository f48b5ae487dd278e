"""Views that are remembered for a model to look at: few, from different places, each with its stamp and pose."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b

import cv2
import numpy as np
from numpy.typing import NDArray

from vantage.spatial import Viewpoint
from vantage.types import Evidence, Observation

MAX_VIEWS = 256  # every heading from some twenty places; a model is never asked about more than a few of them
MAX_BYTES = 64 << 20  # 256 views of 256 kB: a day of looking around stays far below a gigabyte
MAX_SIDE = 1024  # pixels: what vision models take in, as few of them see more in one picture
_QUALITY = 92  # of JPEG: letters stay readable
_STEP = 0.2  # m from which on a view shows another side of objects, less than the usual action
_TURN = 0.3  # rad from which on a view shows new objects, less than the usual action


@dataclass(frozen=True)
class View:
    """A remembered frame.

    Attributes:
        key: of its content: the same picture from the same place at the same time has the same one.
        number: 1, 2, 3, ... in the order in which views came, whatever their stamps say.
        jpeg: the picture, at most ``MAX_SIDE`` pixels along its longer side.
        labels: of what the perceiver named in it.
    """

    key: str
    number: int
    stamp: int
    viewpoint: Viewpoint
    jpeg: bytes
    labels: frozenset[str] = frozenset()

    @property
    def evidence(self) -> Evidence:
        return Evidence(self.stamp, self.viewpoint)

    @property
    def image(self) -> NDArray[np.uint8]:
        """(H, W, 3) uint8, RGB; decoded anew each time, for a memory full of decoded ones would not be small."""
        decoded = cv2.imdecode(np.frombuffer(self.jpeg, np.uint8), cv2.IMREAD_COLOR)
        assert decoded is not None  # what was encoded here
        return np.asarray(cv2.cvtColor(decoded, cv2.COLOR_BGR2RGB), np.uint8)


class ViewMemory:
    """Bounded in number and bytes. Of views from one place it keeps the newest; when it is full, of the two that are
    most alike the older one goes. Not safe for several threads.

    Attributes:
        unposed: views that were left out because nobody knows where they were taken.
        jumps: how often a stamp was earlier than the one before it. Views keep the order in which they came.
    """

    def __init__(self, max_views: int = MAX_VIEWS, max_bytes: int = MAX_BYTES) -> None:
        self._max_views, self._max_bytes = max_views, max_bytes
        self._views: list[View] = []
        self._last_stamp: int | None = None
        self._came = 0
        self.unposed = 0
        self.jumps = 0

    def reset(self) -> None:
        """Forget everything."""
        self._views.clear()
        self._last_stamp = None
        self._came = self.unposed = self.jumps = 0

    @property
    def views(self) -> tuple[View, ...]:
        """In the order in which they came."""
        return tuple(self._views)

    @property
    def size(self) -> int:
        """Bytes of all pictures."""
        return sum(len(view.jpeg) for view in self._views)

    def add(self, observation: Observation, labels: Sequence[str] = ()) -> bool:
        """Remember a view, in place of what was seen from there before; False where it has no pose."""
        if not observation.viewpoint.is_finite:
            self.unposed += 1
            return False
        if self._last_stamp is not None and observation.stamp < self._last_stamp:
            self.jumps += 1
        self._last_stamp = observation.stamp
        self._came += 1
        view = _view(observation, self._came, labels)
        gaps = _gaps(_poses(self._views), _poses([view]))[:, 0]
        near = [old for old, gap in zip(self._views, gaps, strict=True) if gap < 1.0]
        if any(old.jpeg == view.jpeg for old in near):
            return True  # nothing changed there: what was found out about that view stands
        self._views = [old for old in self._views if old not in near]
        self._views.append(view)
        while len(self._views) > self._max_views or (len(self._views) > 1 and self.size > self._max_bytes):
            del self._views[self._most_alike()]
        return True

    def _most_alike(self) -> int:
        """The older one of the two views that are most alike."""
        poses = _poses(self._views)
        gaps = _gaps(poses, poses)
        gaps[np.tril_indices(len(gaps))] = np.inf  # each pair once, at its older view
        return int(np.argmin(gaps)) // len(gaps)


def _poses(views: Sequence[View]) -> NDArray[np.float64]:
    """(N, 5): m and rad."""
    poses = [(at.x, at.y, at.z, at.yaw, at.pitch) for at in (view.viewpoint for view in views)]
    return np.array(poses, np.float64).reshape(-1, 5)


def _gaps(ones: NDArray[np.float64], others: NDArray[np.float64]) -> NDArray[np.float64]:
    """How much each of (N, 5) differs from each of (M, 5), shape (N, M); from 1 on, views show other objects."""
    apart = ones[:, None] - others[None]
    apart[..., 3] = (apart[..., 3] + math.pi) % math.tau - math.pi
    apart /= (_STEP, _STEP, _STEP, _TURN, _TURN)
    return np.asarray(np.linalg.norm(apart, axis=-1))


def spread(views: Sequence[View], number: int, first: Sequence[View] = ()) -> tuple[View, ...]:
    """At most so many views that differ most, in the order in which they came; those of ``first`` are taken first.

    Farthest-point sampling, from the newest view on.
    """
    if len(views) <= number:
        return tuple(views)
    chosen = list(first[-number:]) or [views[-1]]
    poses = _poses(views)
    gaps = _gaps(poses, _poses(chosen)).min(axis=1)
    while len(chosen) < number:
        at = int(np.argmax(gaps))
        chosen.append(views[at])
        gaps = np.minimum(gaps, _gaps(poses, poses[at : at + 1])[:, 0])
    return tuple(sorted(chosen, key=lambda view: view.number))


def _view(observation: Observation, number: int, labels: Sequence[str]) -> View:
    image = observation.rgb
    scale = MAX_SIDE / max(image.shape[:2])
    if scale < 1.0:
        image = np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    _, data = cv2.imencode(".jpg", cv2.cvtColor(image, cv2.COLOR_RGB2BGR), [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
    jpeg = bytes(data.tobytes())
    at = observation.viewpoint
    words = f"{observation.stamp} {at.x} {at.y} {at.z} {at.yaw} {at.pitch}".encode()
    key = blake2b(jpeg, key=blake2b(words, digest_size=16).digest(), digest_size=16).hexdigest()
    return View(key, number, observation.stamp, at, jpeg, frozenset(labels))
