"""Views of a calibration board in a folder: joint positions and pictures, so that no motion has to be repeated."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import cv2
import numpy as np
import yaml
from numpy.typing import NDArray

from vantage.decoding import Section
from vantage.errors import ConfigError
from vantage.files import write_whole
from vantage.spatial import Intrinsics, Matrix
from vantage.worlds.rig.kinematics.chain import Chain

_LIST = "views.yaml"
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
        data = np.frombuffer(path.read_bytes(), np.uint8)
        picture = cv2.imdecode(data, cv2.IMREAD_COLOR) if data.size else None
    except (OSError, ValueError, cv2.error) as error:
        raise view.error("picture", f"{path} cannot be read as a picture; take the views anew") from error
    if picture is None:
        raise view.error("picture", f"{path} is no picture; take the views anew")
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2RGB), np.uint8)
