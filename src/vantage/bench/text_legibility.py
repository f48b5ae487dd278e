"""How legible printed text in generated homes is: with the usual camera nearly always from half a metre, never from
three, with any camera from how many pixels a letter on, and how much of that is left where a scene keeps a share of its
Gaussians alone."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vantage.errors import SceneError, UsageError
from vantage.perception.perceivers import OcrReader
from vantage.scenes.generator import generate_home
from vantage.scenes.looks import text_layout
from vantage.scenes.spec import ObjectSpec, Part, SceneSpec
from vantage.spatial import Intrinsics, Viewpoint
from vantage.splats import GaussianCloud
from vantage.splats.rendering import CpuRenderer, named_by
from vantage.splats.synthesis import cloud_from_spec
from vantage.types import Detection, Observation
from vantage.wording import shown

CAMERA = Intrinsics.from_fov(640, 480, 1.2)
NEAR, FAR = 0.5, 3.0  # m
LEGIBLE_NEAR, LEGIBLE_FAR = 0.90, 0.02  # shares of views: bounds from below and from above
LETTER_PIXELS = (0.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 13.0, 17.0, 24.0, math.inf)  # edges of bins of letters, px
_ROOMS = 5
_SWING = math.radians(30.0)  # to each side of the front, and above it
_PER_PRINT = 4  # views of one print
_TRIES = 8  # places from which a print may be hidden
_UNHIDDEN = 0.97  # share of a label's pixels that must be seen
_SKIN = 0.004  # m: by which ink and plate may stick out of a printed part
_FEWEST = 60  # pixels of a label that is looked at
_MOST_HOMES = 40


@dataclass(frozen=True)
class PrintedText:
    """A printed part: the middle of its front (3,), and the direction (rad) that this faces, in the world."""

    obj: ObjectSpec
    part: Part
    middle: NDArray[np.float64]
    facing: float

    def covers(self, cloud: GaussianCloud) -> NDArray[np.int32]:
        """1 for the Gaussians (N,) of a cloud that are on the front of the printed part, 0 for others."""
        c, s = math.cos(self.facing), math.sin(self.facing)
        turn = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
        local = (cloud.means - np.asarray(self.obj.position)) @ turn - self.part.center
        inside = (np.abs(local) <= 0.5 * np.asarray(self.part.size) + _SKIN).all(axis=1) & (local[:, 0] > -_SKIN)
        return np.asarray(inside & (cloud.instances == self.obj.instance_id), dtype=np.int32)


def lens_of(width: int, height: int, fov: float) -> Intrinsics:
    """A camera of a picture size, pixels, and a horizontal field of view, degrees.

    Raises:
        UsageError: there is no such field of view.
    """
    if not 1.0 <= fov <= 170.0:
        raise UsageError(f"the field of view must be from 1 to 170 degrees, got {fov:g}")
    return Intrinsics.from_fov(width, height, math.radians(fov))


def read_shares(text: str) -> tuple[float, ...]:
    """``1.0,0.5,0.25`` as shares, each once, in their order.

    Raises:
        UsageError: one is no number above 0 and up to 1.
    """
    try:
        found = tuple(dict.fromkeys(float(item) for item in text.split(",")))
    except ValueError:
        found = ()
    if not found or not all(0.0 < share <= 1.0 for share in found):
        raise UsageError(f"shares of Gaussians are numbers above 0 and up to 1 such as 1.0,0.5,0.25, got {shown(text)}")
    return found


def bench_print(
    views: int, seed: int = 0, camera: Intrinsics = CAMERA, gaussians: Sequence[float] = ()
) -> dict[str, Any]:
    """Shares of views from near and far in which the words on an object are read exactly, but for case and blanks, and
    of views in between by the height of a letter in pixels.

    Near views are those of homes, with all that stands around; the others show objects alone, which hides nothing.

    Args:
        views: from each distance.
        seed: of the first home and of the places to look from.
        camera: where it magnifies otherwise than the usual one, near and far are so much nearer or farther that letters
            have as many pixels as there.
        gaussians: shares, above 0 and up to 1, of the Gaussians of a home that are kept, by lot, to look from the same
            places again; a smaller share keeps some of what a greater one does, and nothing is made larger for what is
            missing.

    Returns:
        ``letters`` has the shares by height, ``legible_px`` the height from which on at least ``LEGIBLE_NEAR`` of the
        letters of every greater height were read; None where there is none. ``gaussians`` tells the same for each of
        the shares that were asked for.

    Raises:
        MissingExtraError: the extra ``ocr`` is not installed.
        SceneError: the homes have too little print.
    """
    between = np.random.default_rng(seed)
    near_m, far_m = (distance * camera.fy / CAMERA.fy for distance in (NEAR, FAR))
    done = 0
    with closing(CpuRenderer(2)) as renderer:
        # A reader of its own for each share: they remember what they read in a view.
        trials = {share: _Trial(OcrReader(), renderer, camera) for share in (1.0, *gaussians)}
        for place in itertools.islice(_places(renderer, seed, near_m, camera), views):
            distances = near_m, far_m, near_m * (far_m / near_m) ** float(between.uniform())
            for share, trial in trials.items():
                trial.look(place.thinned(share), *distances)
            done += 1
    if done < views:
        raise SceneError(f"{_MOST_HOMES} homes show print in only {done} views; ask for fewer than {views}")
    whole = trials[1.0]
    return {
        "views": views,
        **whole.told(),
        "bounds": {"legible_near": LEGIBLE_NEAR, "legible_far": LEGIBLE_FAR},
        "met": whole.near >= LEGIBLE_NEAR * views and whole.far <= LEGIBLE_FAR * views,
        "size": [camera.width, camera.height],
        "focal_px": round(camera.fy, 2),
        "near_m": round(near_m, 4),
        "far_m": round(far_m, 4),
        "misread": whole.misread,
        "gaussians": [{"share": share, **trials[share].told()} for share in gaussians],
    }


def _legible_from(letters: Sequence[Mapping[str, float]]) -> float | None:
    """Height in pixels, of the bins in their order, from which on all are read well enough."""
    found = None
    for each in reversed(letters):
        if each["read"] < LEGIBLE_NEAR:
            break
        found = each["from_px"]
    return found


@dataclass(frozen=True)
class PrintPose:
    """A direction from which printed text is viewed."""

    printed: PrintedText
    swing: float
    rise: float

    def __call__(self, distance: float) -> Viewpoint:
        yaw = self.printed.facing + self.swing
        level = math.cos(self.rise)
        away = np.array([math.cos(yaw) * level, math.sin(yaw) * level, math.sin(self.rise)])
        return Viewpoint.looking_at(tuple(self.printed.middle + distance * away), tuple(self.printed.middle))


@dataclass(frozen=True)
class _Place:
    """A print in a home, the home's cloud and that of its object alone, and a direction with a free view of it.

    Attributes:
        lots: 0 to 1, of each Gaussian of the home's cloud (N,); where a share is kept, those below it stay.
    """

    printed: PrintedText
    cloud: GaussianCloud
    alone: GaussianCloud
    pose: PrintPose
    lots: NDArray[np.float64]

    def thinned(self, share: float) -> _Place:
        """The same with a share of the Gaussians."""
        if share == 1.0:
            return self
        mine = self.lots[self.cloud.instances == self.printed.obj.instance_id]
        return replace(self, cloud=self.cloud.select(self.lots < share), alone=self.alone.select(mine < share))


def _places(renderer: CpuRenderer, seed: int, near: float, camera: Intrinsics) -> Iterator[_Place]:
    rng = np.random.default_rng(seed)
    for spec in _homes(seed):
        cloud = cloud_from_spec(spec)
        lots = np.random.default_rng([seed, spec.seed]).random(len(cloud.means))
        for printed in printed_texts(spec):
            alone = cloud.select(cloud.instances == printed.obj.instance_id)
            for pose in _unhidden(renderer, cloud, alone, printed, rng, near, camera):
                yield _Place(printed, cloud, alone, pose, lots)


@dataclass
class _Trial:
    """What a reader makes of print.

    Attributes:
        near, far: how many views from near and from far were read.
        misread: what was made of those from near that were not.
        readings: of each text the height of its letters, pixels, were it seen from before it, and whether it was read.
    """

    reader: OcrReader
    renderer: CpuRenderer
    camera: Intrinsics
    near: int = 0
    far: int = 0
    misread: list[dict[str, str]] = field(default_factory=list)
    readings: list[tuple[float, bool]] = field(default_factory=list)

    def look(self, place: _Place, near: float, far: float, between: float) -> None:
        """Read a print from three distances, m."""
        printed = place.printed
        text = self.read(place.cloud, printed, place.pose, near)
        self.near += self.is_right(printed, text)
        self.far += self.is_right(printed, self.read(place.alone, printed, place.pose, far))
        self.read(place.alone, printed, place.pose, between)
        if not self.is_right(printed, text):
            self.misread.append({"thing": printed.obj.label, "text": printed.obj.text, "read": text})

    def told(self) -> dict[str, Any]:
        """The shares that were read: from near, from far, by the height of letters."""
        views, letters = len(self.readings) // 3, self.bins()
        return {
            "legible_near": round(self.near / views, 4),
            "legible_far": round(self.far / views, 4),
            "letters": letters,
            "legible_px": _legible_from(letters),
        }

    def read(self, cloud: GaussianCloud, printed: PrintedText, pose: PrintPose, distance: float) -> str:
        """What is read from a distance, m, on an object, cut out of the picture as a perceiver does."""
        text = _read(self.reader, self.renderer, cloud, printed, pose(distance), self.camera)
        letter = text_layout(printed.part).height * self.camera.fy / distance
        self.readings.append((letter, self.is_right(printed, text)))
        return text

    @staticmethod
    def is_right(printed: PrintedText, read: str) -> bool:
        return squeezed(read) == squeezed(printed.obj.text)

    def bins(self) -> list[dict[str, float]]:
        """Share that was read by the height of letters; bins without any are left out, the last ends at the largest."""
        found = []
        for low, high in itertools.pairwise(LETTER_PIXELS):
            members = [read for height, read in self.readings if low <= height < high]
            if members:
                end = min(high, max(height for height, _ in self.readings))
                share = round(sum(members) / len(members), 4)
                found.append({"from_px": low, "to_px": round(end, 1), "views": len(members), "read": share})
        return found


def _homes(seed: int) -> Iterator[SceneSpec]:
    for number in range(_MOST_HOMES):
        yield generate_home(seed + number, _ROOMS)


def printed_texts(spec: SceneSpec) -> list[PrintedText]:
    """The objects with one printed part whose front is level."""
    found = []
    for obj in spec.objects:
        parts = [part for part in obj.parts if part.text]
        if len(parts) == 1:
            found.append(PrintedText(obj, parts[0], _front(obj, parts[0]), obj.yaw))
    return found


def _front(obj: ObjectSpec, part: Part) -> NDArray[np.float64]:
    c, s = math.cos(obj.yaw), math.sin(obj.yaw)
    x, y, z = part.center[0] + 0.5 * part.size[0], part.center[1], part.center[2]
    place: NDArray[np.float64] = np.asarray(obj.position) + np.array([c * x - s * y, s * x + c * y, z])
    return place


def _unhidden(
    renderer: CpuRenderer,
    cloud: GaussianCloud,
    alone: GaussianCloud,
    printed: PrintedText,
    rng: np.random.Generator,
    near: float = NEAR,
    camera: Intrinsics = CAMERA,
) -> Iterator[PrintPose]:
    """Directions from which nothing stands before a print at the near distance."""
    around = cloud.select(np.linalg.norm(cloud.means - printed.middle, axis=1) < 2 * near)
    around, alone = (named_by(each, printed.covers(each)) for each in (around, alone))
    found = 0
    for _ in range(_TRIES):
        pose = PrintPose(printed, float(rng.uniform(-_SWING, _SWING)), float(rng.uniform(-0.3, 1.0)) * _SWING)
        eye = pose(near).T_world_camera_optical()
        seen, whole = (int((renderer.render(each, eye, camera).instances == 1).sum()) for each in (around, alone))
        if whole >= _FEWEST and seen >= _UNHIDDEN * whole:
            found += 1
            yield pose
        if found == _PER_PRINT:
            return


def _read(
    reader: OcrReader,
    renderer: CpuRenderer,
    cloud: GaussianCloud,
    printed: PrintedText,
    viewpoint: Viewpoint,
    camera: Intrinsics,
) -> str:
    """What is read on an object, cut out of the picture as a perceiver does."""
    view = renderer.render(cloud, viewpoint.T_world_camera_optical(), camera)
    rows, columns = np.nonzero(view.instances == printed.obj.instance_id)
    if not len(rows):
        return ""
    left, top = int(columns.min()), int(rows.min())
    box = (left, top, int(columns.max()) - left + 1, int(rows.max()) - top + 1)
    obj, place = printed.obj, (0.0, 0.0, 0.0)
    detection = Detection(obj.instance_id, obj.label, obj.color, obj.material, 1.0, len(rows), box, place, place, place)
    return reader.read(Observation(0, viewpoint, camera, view.rgb), detection)


def squeezed(words: str) -> str:
    return "".join(words.upper().split())
