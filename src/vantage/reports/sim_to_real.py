"""What a rig saw beside what the splat model of its room shows from the same viewpoints, and how episodes went in both.

A recorded episode gives pictures, poses and intrinsics; the scene is drawn with the same. Exposure is no part of a
scene, so each figure is given twice: for the pictures as they are, and after one gain and one bias per channel that
were fitted over all views. The pictures of a bag are JPEGs, which alone costs some dB.
"""

from __future__ import annotations

import math
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vantage.benchmarks.judging import Judge, RuleJudge
from vantage.config import Settings
from vantage.errors import RecordingError, SceneError
from vantage.recording import (
    CAMERA_INFO,
    COMMAND_RESULT,
    IMAGE_COMPRESSED,
    TF,
    decode_pixels,
    read_bag,
    read_camera_transform,
    read_intrinsics,
    read_stamp,
    read_time,
    read_viewpoint,
)
from vantage.reports.image_metrics import SMALLEST, Exposure, ExposureFit, ImageSimilarity, Picture, likeness
from vantage.reports.sim_to_real_episodes import EpisodeTrace, both_flown, read_trace
from vantage.spatial import R_BODY_OPTICAL, Intrinsics, Matrix, Viewpoint, rigid
from vantage.splats import SplatScene, load_scene
from vantage.splats.rendering import Renderer, make_renderer


@dataclass(frozen=True, eq=False)
class Look:
    """One look of an episode.

    Attributes:
        picture: the CompressedImage message.
        T_world_body: (4, 4), None where the bag does not say.
        intrinsics: None where the bag does not say.
        action: that led there; empty for the first look.
    """

    stamp: int
    picture: Any
    T_world_body: Matrix | None
    intrinsics: Intrinsics | None
    action: str


def read_looks(bag: str | Path) -> tuple[list[Look], int]:
    """The first look and the one after each command, or all pictures of a bag without commands; and of how many
    looks the picture is missing.

    Raises:
        RecordingError: the bag cannot be read, holds no pictures, or pictures that a lens distorts.
    """
    poses: dict[int, Matrix] = {}
    reached: dict[int, Matrix] = {}
    cameras: dict[int, Intrinsics] = {}
    actions: dict[int, str] = {}
    for topic, _, message in read_bag(bag, (TF, CAMERA_INFO, COMMAND_RESULT)):
        try:
            if topic is CAMERA_INFO:
                cameras[read_stamp(message)] = _camera(bag, message)
            elif topic is COMMAND_RESULT:
                stamp = read_time(message.observation_stamp)
                actions[stamp], reached[stamp] = str(message.action), read_viewpoint(message.reached).T_world_body()
            elif (found := read_camera_transform(message)) is not None:
                poses[found[0]] = found[1]
        except ValueError as error:
            raise RecordingError(f"{bag} holds an impossible value on {topic.name}: {error}") from error
    poses = reached | poses
    pictures: dict[int, Any] = {}
    first = -1
    for _, _, message in read_bag(bag, (IMAGE_COMPRESSED,)):
        stamp = read_stamp(message)
        if not pictures:
            first = stamp
        if stamp == first or stamp in actions or not actions:
            pictures.setdefault(stamp, message)
    if not pictures:
        raise RecordingError(f"{bag} holds no pictures on {IMAGE_COMPRESSED.name}; give the bag of a recorded episode")
    looks = [
        Look(stamp, pictures[stamp], poses.get(stamp), _at(cameras, stamp), actions.get(stamp, ""))
        for stamp in sorted(pictures)
    ]
    return looks, sum(stamp not in pictures for stamp in actions)


def _camera(bag: str | Path, message: Any) -> Intrinsics:
    if np.any(np.asarray(message.d, np.float64)):
        raise RecordingError(
            f"{bag}: {CAMERA_INFO.name} says that a lens distorts the pictures, and a scene is drawn without "
            "distortion; record through Vantage's camera, which takes it out"
        )
    return read_intrinsics(message)


def _at(cameras: dict[int, Intrinsics], stamp: int) -> Intrinsics | None:
    """Those of the stamp, or the newest before it."""
    before = [known for known in cameras if known <= stamp]
    return cameras[max(before)] if before else None


_T_BODY_OPTICAL = rigid(R_BODY_OPTICAL, np.zeros(3))
_UNKNOWN = ImageSimilarity(math.nan, math.nan)
_SHOWN = 0.5  # alpha from which the scene counts as showing something in a pixel
_WHOLE = 0.9  # share of a picture below which a scene has holes


@dataclass(frozen=True, eq=False)
class ComparedView:
    """One look of the rig and the same in the scene.

    Attributes:
        number: 1, 2, 3, ... in the order of the recording.
        viewpoint: of the camera, without roll; None where the bag does not say.
        problem: why the view is not counted, in words; empty when it is.
        covered: share of the picture in which the scene shows something.
        raw, fitted: likeness of the pictures as they are, and with the exposure fitted; NaN where none is drawn.
    """

    number: int
    stamp: int
    action: str
    viewpoint: Viewpoint | None
    problem: str = ""
    covered: float = math.nan
    raw: ImageSimilarity = _UNKNOWN
    fitted: ImageSimilarity = _UNKNOWN
    look: Look | None = None
    drawn_png: bytes = b""

    @property
    def drawn(self) -> bool:
        """Whether there is a picture of the scene."""
        return bool(self.drawn_png)


@dataclass(frozen=True, eq=False)
class Comparison:
    """What ``compare`` found.

    Attributes:
        scene: its name.
        exposure: what was fitted to the drawn pictures.
        rig, simulated: how the episodes went; None where there is none.
        parting: where the two episodes part, in words.
        remarks: what else a reader should know, one sentence each.
    """

    bag: Path
    scene: str
    views: tuple[ComparedView, ...]
    exposure: Exposure
    rig: EpisodeTrace | None = None
    simulated: EpisodeTrace | None = None
    parting: str = ""
    remarks: tuple[str, ...] = ()

    @property
    def counted(self) -> tuple[ComparedView, ...]:
        """The views behind the means; at least one."""
        return tuple(view for view in self.views if not view.problem)

    @property
    def raw(self) -> ImageSimilarity:
        """Means over the counted views."""
        return _mean([view.raw for view in self.counted])

    @property
    def fitted(self) -> ImageSimilarity:
        """Means over the counted views."""
        return _mean([view.fitted for view in self.counted])

    def pictures(self, view: ComparedView) -> tuple[Picture, Picture] | None:
        """What the rig saw, and what the scene shows with the exposure fitted; None where it is not drawn."""
        if view.look is None or not view.drawn:
            return None
        return decode_pixels(view.look.picture), self.exposure.apply(_decoded(view.drawn_png))

    def data(self) -> dict[str, Any]:
        """The comparison as JSON can hold it; null where there is no figure."""
        episodes = {"rig": self.rig, "simulated": self.simulated}
        return {
            "bag": str(self.bag),
            "scene": self.scene,
            "counted": len(self.counted),
            "raw": _figures(self.raw),
            "fitted": _figures(self.fitted),
            "gain": list(self.exposure.gain),
            "bias": list(self.exposure.bias),
            "views": [
                {
                    "number": view.number,
                    "action": view.action,
                    "problem": view.problem,
                    "covered": _finite(view.covered),
                    "raw": _figures(view.raw),
                    "fitted": _figures(view.fitted),
                }
                for view in self.views
            ],
            **{name: None if flown is None else flown.data() for name, flown in episodes.items()},
            "remarks": [*self.remarks, *([self.parting] if self.parting else [])],
        }

    def lines(self) -> list[str]:
        """The comparison in words."""
        worst = min(self.counted, key=lambda view: view.fitted.ssim)
        lines = [
            f"{len(self.counted)} of {len(self.views)} views compared with scene '{self.scene}'",
            f"as they are: PSNR {self.raw.psnr:.2f} dB, SSIM {self.raw.ssim:.4f}",
            f"exposure fitted: PSNR {self.fitted.psnr:.2f} dB, SSIM {self.fitted.ssim:.4f}; least alike in view "
            f"{worst.number} (PSNR {worst.fitted.psnr:.2f} dB, SSIM {worst.fitted.ssim:.4f})",
        ]
        lines += [f"view {view.number} is not counted: {view.problem}" for view in self.views if view.problem]
        lines += [f"on the rig: {self.rig.line()}"] if self.rig is not None else []
        lines += [f"in the model: {self.simulated.line()}"] if self.simulated is not None else []
        return [*lines, *([self.parting] if self.parting else []), *self.remarks]


def compare(
    bag: str | Path,
    scene: SplatScene | str | Path,
    settings: Settings | None = None,
    simulated: str | Path | None = None,
    judge: Judge | None = None,
) -> Comparison:
    """Draw the views of a bag in a scene and compare them.

    Args:
        scene: the model of the room in which the bag was recorded, in the rig's world frame; or its path.
        settings: of the renderer.
        simulated: bag of the same episode, flown in the model.

    Raises:
        ConfigError, FormatError: there is no such scene, or its files are wrong.
        RecordingError: a bag cannot be read, holds no pictures, or another episode than the other one.
        SceneError: not one view can be compared.
    """
    settings, judge = settings or Settings(), judge or RuleJudge()
    looks, missing = read_looks(bag)
    rig = read_trace(bag, judge)
    model, parting = both_flown(rig, simulated, judge) if simulated is not None else (None, "")
    place = scene if isinstance(scene, SplatScene) else load_scene(scene)
    fit = ExposureFit()
    with closing(make_renderer(settings.world.renderer, settings.world.threads)) as renderer:
        views = [_view(number, look, place, renderer, fit) for number, look in enumerate(looks, start=1)]
    if all(view.problem for view in views):
        raise SceneError(
            f"none of the {len(views)} views of {bag} can be compared with scene '{place.name}' (view 1: "
            f"{views[0].problem}); give the scene of the place where it was recorded, in the rig's world frame"
        )
    exposure = fit.result()
    views = [_with_exposure(view, exposure) for view in views]
    remarks = tuple(_remarks(views, missing, rig, place.name))
    return Comparison(Path(bag), place.name, tuple(views), exposure, rig, model, parting, remarks)


def _view(number: int, look: Look, scene: SplatScene, renderer: Renderer, fit: ExposureFit) -> ComparedView:
    """One view with its raw figures; counted ones are added to the fit."""
    pose = look.T_world_body
    viewpoint = None if pose is None else Viewpoint.from_T_world_body(pose)
    view = ComparedView(number, look.stamp, look.action, viewpoint, look=look)
    try:
        real = decode_pixels(look.picture)
    except RecordingError:
        return replace(view, problem="its picture cannot be decoded", look=None)
    camera = look.intrinsics
    if camera is None:
        return replace(view, problem="the bag does not say with which intrinsics it was taken")
    if real.shape[:2] != (camera.height, camera.width) or min(real.shape[:2]) < SMALLEST:
        shown = f"{real.shape[1]} x {real.shape[0]} pixels, its intrinsics are for {camera.width} x {camera.height}"
        return replace(view, problem=f"its picture has {shown}")
    if pose is None or viewpoint is None:
        return replace(view, problem="the bag does not say from where it was taken")
    drawn = renderer.render(scene.cloud, pose @ _T_BODY_OPTICAL, camera)
    problem = _outside(pose, scene)
    if not problem:
        fit.add(drawn.rgb, real)
    covered = float((drawn.alpha >= _SHOWN).mean())
    return replace(view, problem=problem, covered=covered, raw=likeness(real, drawn.rgb), drawn_png=_encoded(drawn.rgb))


def _with_exposure(view: ComparedView, exposure: Exposure) -> ComparedView:
    if view.look is None or not view.drawn:
        return view
    return replace(view, fitted=likeness(decode_pixels(view.look.picture), exposure.apply(_decoded(view.drawn_png))))


def _outside(pose: Matrix, scene: SplatScene) -> str:
    x, y, z = (float(value) for value in pose[:3, 3])
    inside = np.all(pose[:3, 3] >= scene.bounds_min) and np.all(pose[:3, 3] <= scene.bounds_max)
    if inside:
        return ""
    low, high = (", ".join(f"{value:.2f}" for value in corner) for corner in (scene.bounds_min, scene.bounds_max))
    return f"({x:.2f}, {y:.2f}, {z:.2f}) m lies outside the scene, ({low}) to ({high}) m"


def _remarks(views: list[ComparedView], missing: int, rig: EpisodeTrace | None, scene: str) -> list[str]:
    remarks = []
    holes = [view.number for view in views if view.covered < _WHOLE]
    if holes:
        shown = ", ".join(str(number) for number in holes[:10]) + (", ..." if len(holes) > 10 else "")
        remarks.append(f"the scene leaves more than {1 - _WHOLE:.0%} of the picture empty in view {shown}")
    if missing:
        remarks.append(f"the bag lacks the pictures of {missing} looks")
    if len({(look.intrinsics) for view in views if (look := view.look) is not None}) > 1:
        remarks.append("the intrinsics changed during the recording; each view was drawn with its own")
    if rig is None:
        remarks.append("the bag holds no episode, so there is no outcome")
    elif rig.episode.scene not in ("", scene):
        remarks.append(f"the episode names its place '{rig.episode.scene}', the scene is called '{scene}'")
    return remarks


def _mean(found: list[ImageSimilarity]) -> ImageSimilarity:
    return ImageSimilarity(float(np.mean([item.psnr for item in found])), float(np.mean([item.ssim for item in found])))


def _figures(found: ImageSimilarity) -> dict[str, float | None]:
    return {"psnr": _finite(found.psnr), "ssim": _finite(found.ssim)}


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _encoded(picture: Picture) -> bytes:
    """PNG, so that long episodes fit into memory and nothing is lost."""
    done, data = cv2.imencode(".png", cv2.cvtColor(picture, cv2.COLOR_RGB2BGR), [cv2.IMWRITE_PNG_COMPRESSION, 1])
    if not done:
        raise RecordingError(f"a picture of shape {picture.shape} cannot be encoded")
    return bytes(data.tobytes())


def _decoded(png: bytes) -> Picture:
    pixels: NDArray[np.uint8] | None = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR)  # type: ignore[assignment]
    if pixels is None:
        raise RecordingError("a picture that was drawn cannot be read back")
    return np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2RGB), np.uint8)
