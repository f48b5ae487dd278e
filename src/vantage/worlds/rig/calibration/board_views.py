"""Views of a calibration board: where the camera goes to take them, and how they are kept in a folder.

The views are near and far, from all sides, with the board all over the picture. Joint positions and pictures are kept,
so that no motion has to be repeated.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from pathlib import Path

import cv2
import numpy as np
import yaml
from numpy.typing import NDArray

from vantage.decoding import Section
from vantage.errors import ConfigError, FormatError, UnreachableError
from vantage.files import opened, write_whole
from vantage.pictures import decode_picture
from vantage.spatial import R_BODY_OPTICAL, Intrinsics, Matrix, apply, rigid
from vantage.worlds.rig.calibration.charuco import Board
from vantage.worlds.rig.calibration.lens_calibration import FEWEST_VIEWS
from vantage.worlds.rig.kinematics import Chain

_LIST = "views.yaml"
_MOST_BYTES = 64 << 20  # of a picture
_INTRINSICS = ("width", "height", "fx", "fy", "cx", "cy")


class ViewFolder:
    """Collects views. The list of them is written anew with each, so that those of a session that was cut short count.

    Raises:
        ConfigError: the folder holds views already.
        OSError: nothing can be written there.
    """

    def __init__(self, folder: Path) -> None:
        if (folder / _LIST).exists():
            raise ConfigError(f"{folder} holds views already; choose another --save, or use them with --from {folder}")
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._views: list[dict[str, object]] = []

    def add(self, joints: Mapping[str, float], rgb: NDArray[np.uint8], intrinsics: Intrinsics | None = None) -> None:
        """Keep a picture (H, W, 3) uint8 and the positions of the joints, m or rad, at which it was taken.

        Args:
            intrinsics: of pictures that are free of distortion; None where nobody knows.
        """
        name = f"view-{len(self._views) + 1:03}.png"
        try:
            data = cv2.imencode(".png", cv2.cvtColor(rgb, cv2.COLOR_RGB2BGR))[1]
        except cv2.error as error:
            raise ConfigError(f"a picture of shape {rgb.shape} cannot be encoded; check the camera") from error
        write_whole(self._folder / name, bytes(data.tobytes()))
        self._views.append({"picture": name, "joints": {key: float(value) for key, value in joints.items()}})
        values: dict[str, object] = {"views": self._views}
        if intrinsics is not None:
            values["intrinsics"] = {key: getattr(intrinsics, key) for key in _INTRINSICS}
        write_whole(self._folder / _LIST, yaml.safe_dump(values, sort_keys=False))


def load_views(folder: Path, chain: Chain) -> tuple[list[Matrix], list[NDArray[np.uint8]], Intrinsics | None]:
    """Joint positions (N,), RGB pictures (H, W, 3) and intrinsics of a folder of views.

    Raises:
        ConfigError: a file is missing or wrong, or the joints are not those of the chain.
    """
    file = Section.of_file(folder / _LIST)
    positions, pictures = [], []
    for view in file.sections("views"):
        joints = view.section("joints")
        positions.append(np.array([joints.number(joint.name) for joint in chain.joints]))
        pictures.append(_picture(view, folder))
        view.done()
    intrinsics = None
    if "intrinsics" in file:
        part = file.section("intrinsics")
        width, height = part.whole("width", low=1), part.whole("height", low=1)
        fx, fy, cx, cy = (part.number(key) for key in _INTRINSICS[2:])
        if fx <= 0 or fy <= 0:
            raise part.error("fx", "focal lengths must be positive")
        part.done()
        intrinsics = Intrinsics(width, height, fx, fy, cx, cy)
    file.done()
    return positions, pictures, intrinsics


def _picture(view: Section, folder: Path) -> NDArray[np.uint8]:
    path = folder / view.text("picture")
    try:
        with opened(path) as file:
            picture = decode_picture(file.read(_MOST_BYTES))
    except (OSError, ValueError, FormatError) as error:
        raise view.error("picture", f"{path} cannot be read as a picture; take the views anew") from error
    if picture is None:
        raise view.error("picture", f"{path} is no picture; take the views anew")
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2RGB), np.uint8)


_FILLED = (0.9, 0.35)  # share of the picture's width that the board fills, from nearest to farthest
_ASPECT = 0.56  # of the picture, at least
_SLANT = math.radians(55.0)  # between the line of sight and the board's normal, at most
_TRIES_PER_VIEW, _FEWEST_TRIES = 16, 240
_STEPS, _LONGEST_STEP, _DAMPING = 25, 0.5, 1e-3
_PATIENCE, _PROGRESS = 8, 0.98  # steps after which each must bring the error down to this share
_MISS = 0.01  # of the distance


def viewing_positions(
    chain: Chain,
    board: Board,
    at: Matrix,
    count: int,
    horizontal_fov: float = 1.2,
    allowed: Callable[[Matrix], bool] = lambda q: True,
    seed: int = 0,
) -> list[Matrix]:
    """Joint positions (N,) within the limits from which the whole board is seen, as different as can be, in an order
    that makes short ways; ``count`` of them, or as many as there are.

    Args:
        at: roughly where the board is in the world: its middle (3,), m, or T_world_board (4, 4), which also says to
            which side it faces.
        allowed: whether the rig may stand so.

    Raises:
        UnreachableError: there are fewer than a calibration needs.
    """
    rng = np.random.default_rng(seed)
    at = np.asarray(at, np.float64)
    middle = apply(at, board.middle[None])[0] if at.shape == (4, 4) else at
    width, height = board.size
    half = math.tan(0.5 * horizontal_fov)
    found, features = [], []
    for _ in range(max(_FEWEST_TRIES, _TRIES_PER_VIEW * count)):
        filled = rng.uniform(*_FILLED[::-1])
        depth = width / (2.0 * half * filled)
        room = depth * half * np.maximum([1.0 - filled, _ASPECT - filled * height / width], 0.0)
        place = np.array([*(rng.uniform(-1.0, 1.0, 2) * room), depth])
        q = _looking(chain, middle, place, _somewhere(chain, rng))
        if q is None or not allowed(q):
            continue
        sight = middle - chain.T_world_camera(q)[:3, 3]
        direction = sight / np.linalg.norm(sight)
        if at.shape == (4, 4) and float(direction @ at[:3, 2]) < math.cos(_SLANT):
            continue
        found.append(q)
        features.append(np.array([*direction, *(place[:2] / depth), math.log(depth)]))
    if len(found) < min(count, FEWEST_VIEWS):
        raise UnreachableError(
            f"only {len(found)} ways to look at a board around ({middle[0]:.2f}, {middle[1]:.2f}, {middle[2]:.2f}) m "
            f"were found, {FEWEST_VIEWS} are needed; put the board in the middle of what the rig can see, facing it"
        )
    chosen = _spread(np.array(features), count)
    return _in_order(chain, [found[k] for k in chosen])


def board_facing(board: Board, middle: Matrix, front: Matrix) -> Matrix:
    """T_world_board (4, 4) of an upright board around ``middle`` (3,), m, whose printed side faces along ``front``
    (3,); of one that lies flat, the rows run along the world's x.

    Raises:
        ConfigError: ``front`` has no direction.
    """
    if not np.linalg.norm(front) > 1e-9:
        raise ConfigError(f"a board cannot face along {np.asarray(front).tolist()}; say to which side its print faces")
    z = -np.asarray(front, np.float64) / np.linalg.norm(front)
    x = np.cross([0.0, 0.0, -1.0], z)
    x = x / np.linalg.norm(x) if np.linalg.norm(x) > 1e-6 else np.array([1.0, 0.0, 0.0])
    rotation = np.stack([x, np.cross(z, x), z], axis=1)
    return rigid(rotation, np.asarray(middle, np.float64) - rotation @ board.middle)


def _somewhere(chain: Chain, rng: np.random.Generator) -> Matrix:
    """Joint positions drawn evenly between the limits."""
    low, high = np.maximum(chain.lower, -math.pi), np.minimum(chain.upper, math.pi)
    endless = np.isinf(chain.lower) | np.isinf(chain.upper)
    low, high = np.where(endless, low, chain.lower), np.where(endless, high, chain.upper)
    return np.asarray(rng.uniform(low, high))


def _looking(chain: Chain, target: Matrix, place: Matrix, q: Matrix) -> Matrix | None:
    """Joint positions near ``q`` at which a target (3,) in the world is at ``place`` in the optical frame (both m),
    by damped least squares (Wampler 1986); None where the limits are in the way."""
    before = math.inf
    for k in range(_STEPS):
        T_world_camera = chain.T_world_camera(q)
        R_optical_world = (T_world_camera[:3, :3] @ R_BODY_OPTICAL).T
        sight = target - T_world_camera[:3, 3]
        error = R_optical_world @ sight - place
        miss = float(np.linalg.norm(error))
        if miss <= _MISS * place[2]:
            return q
        if k >= _PATIENCE and miss > _PROGRESS * before:
            return None
        before = miss
        velocities = chain.jacobian(q)
        slopes = -R_optical_world @ (velocities[:3] + np.cross(velocities[3:], sight, axisa=0, axisc=0))
        step = -slopes.T @ np.linalg.solve(slopes @ slopes.T + _DAMPING * np.eye(3), error)
        q = np.clip(q + step * min(1.0, _LONGEST_STEP / float(np.linalg.norm(step) + 1e-12)), chain.lower, chain.upper)
    return None


def _spread(features: Matrix, count: int) -> list[int]:
    """Indices of so many rows, each as far as can be from those before it."""
    chosen = [int(np.argmin(np.linalg.norm(features - features.mean(axis=0), axis=1)))]
    gaps = np.linalg.norm(features - features[chosen[0]], axis=1)
    while len(chosen) < min(count, len(features)):
        chosen.append(int(np.argmax(gaps)))
        gaps = np.minimum(gaps, np.linalg.norm(features - features[chosen[-1]], axis=1))
    return chosen


def _in_order(chain: Chain, positions: list[Matrix]) -> list[Matrix]:
    """Each next to the nearest that is left, in seconds of motion."""
    left, ordered = positions[1:], positions[:1]
    while left:
        seconds = [float(np.max(np.abs(q - ordered[-1]) / chain.speed)) for q in left]
        ordered.append(left.pop(int(np.argmin(seconds))))
    return ordered
