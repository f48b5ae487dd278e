"""A few frames of two small scenes by the CPU renderer: colors, depth and instance ids as small pictures."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from rig_bags import save_room

from golden_texts.arithmetic import fingerprint
from golden_texts.holding import GOLDEN
from vantage.config import Settings
from vantage.files import write_whole
from vantage.registry import WORLDS
from vantage.spatial import Viewpoint
from vantage.splats.synthesis.from_spec import make_scene
from vantage.types import Episode, Observation, Question

Picture = NDArray[np.uint8]  # (H, W) or (H, W, 3)
FOLDER = GOLDEN / "frames"
MOST_OFF = 0.5  # grey levels of 255, on average over a picture
MOST_ELSEWHERE = 0.01  # share of pixels that show another object
_HASHES = "sha256.txt"
_FAR = 8.0  # m, drawn white
_VALUES = {"camera.width": 96, "camera.height": 72, "world.renderer": "cpu"}
_VIEWS = {
    "room": ((1.0, 1.5, 0.8, 0.0, 0.0), (3.4, 0.6, 1.6, 2.2, -0.5), (0.5, 2.6, 1.9, -0.7, -0.8)),
    "home": ((0.0, 0.0, 1.3, 0.3, -0.2), (0.6, -0.4, 1.5, 2.4, -0.5), (-0.8, 0.5, 1.1, -1.9, 0.1)),
}


def observations(scratch: Path) -> Iterator[tuple[str, Observation]]:
    """What each view shows, by its name."""
    save_room(scratch / "scenes")
    make_scene(3, scratch / "scenes" / "home", "home", density=0.15)
    settings = Settings().with_values({"world.scenes": str(scratch / "scenes"), **_VALUES}, "the nets")
    with closing(WORLDS.create("splat", settings)) as world:
        for scene, places in _VIEWS.items():
            for number, place in enumerate(places):
                asked = (Question("q1", "What is there?"),)
                yield f"{scene}-{number}", world.reset(Episode("e", "search", scene, Viewpoint(*place), asked, 1), 0)


def pictures(name: str, seen: Observation) -> dict[str, Picture]:
    """The files of a view: BGR, depth from black to white over 8 m with black where there is none, and ids."""
    assert seen.depth is not None
    assert seen.instances is not None
    grey = np.nan_to_num(np.clip(seen.depth / _FAR, 0.0, 1.0) * 255.0)
    return {
        f"{name}-color.png": cv2.cvtColor(seen.rgb, cv2.COLOR_RGB2BGR),
        f"{name}-depth.png": np.round(grey).astype(np.uint8),
        f"{name}-ids.png": (seen.instances % 256).astype(np.uint8),
    }


def hashes(seen: Mapping[str, Observation]) -> str:
    """The kind of machine, then a line for each view: hashes of all bytes of its images."""
    lines = [f"arithmetic {fingerprint()}"]
    for name, view in seen.items():
        images = {"rgb": view.rgb, "depth": view.depth, "instances": view.instances}
        lines += [
            f"{name} {kind} {hashlib.sha256(np.ascontiguousarray(image)).hexdigest()}" for kind, image in images.items()
        ]
    return "".join(f"{line}\n" for line in lines)


def keep(scratch: Path) -> int:
    """Write the net; returns how many pictures it has."""
    seen = dict(observations(scratch))
    FOLDER.mkdir(parents=True, exist_ok=True)
    for item in FOLDER.iterdir():
        item.unlink()
    made = {name: picture for view, shown in seen.items() for name, picture in pictures(view, shown).items()}
    for name, picture in made.items():
        write_whole(FOLDER / name, bytes(cv2.imencode(".png", picture)[1].tobytes()))
    write_whole(FOLDER / _HASHES, hashes(seen))
    return len(made)


def differences(name: str, picture: Picture) -> list[str]:
    """Whether a picture is another than the held one, in a sentence."""
    held = cv2.imread(str(FOLDER / name), cv2.IMREAD_UNCHANGED)
    if held is None or held.shape != picture.shape:
        return [f"{name}: is {picture.shape}, held is {None if held is None else held.shape}"]
    if name.endswith("-ids.png"):
        share = float((held != picture).mean())
        return [f"{name}: {share:.1%} of the pixels show another thing"] if share > MOST_ELSEWHERE else []
    off = float(np.abs(held.astype(float) - picture).mean())
    return [f"{name}: differs by {off:.2f} of 255 on average"] if off > MOST_OFF else []


def hash_differences(made: str) -> list[str]:
    """Which images have other bytes than those held; none where those were made on another kind of machine."""
    held, now = ((text).splitlines() for text in ((FOLDER / _HASHES).read_text(encoding="utf-8"), made))
    if held[0] != now[0]:
        return []
    return [f"was '{one}', is '{other}'" for one, other in zip(held, now, strict=True) if one != other]
