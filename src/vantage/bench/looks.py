"""How alike homes look as splats and as houses of MuJoCo: ids of pixels, words for colors, print from near and far.

Both are held against exact rays, too, for splats are soft at their edges, which makes things larger from near.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from vantage.bench.text_legibility import FAR, NEAR, PrintedText, PrintPose, printed_texts, squeezed
from vantage.benchmarks.labelling import Solids
from vantage.errors import SceneError
from vantage.scenes.geometry import EYE_HEIGHT
from vantage.scenes.looks import text_layout
from vantage.scenes.spec import SceneSpec, nearest_color, object_bounds, points_inside, rooms_of
from vantage.spatial import Intrinsics, Matrix, Viewpoint
from vantage.splats import GaussianCloud
from vantage.splats.rendering import CpuRenderer
from vantage.types import Detection, Observation

if TYPE_CHECKING:
    import mujoco

    from vantage.perception.perceivers import OcrReader
    from vantage.worlds.house import HouseCamera

BOUNDS = {"ids_agree": 0.95, "iou": 0.9, "colors_right": 0.9, "print_near": 0.9, "print_far": 0.0}
STEP = 4  # pixels from ray to ray
LARGE = 1000  # pixels of a thing whose outline is compared
_COLORED = 400  # the same of one whose color is named
_REACH, _AT_ONCE = 30.0, 2500  # m, and rays at once
_GAP = 0.5  # m: of a view from all things and walls
_TRIES = 400
_ASIDE = 0.5  # rad: how far beside the middle of a room a view may look at most
_PITCHES = (-0.35, -0.1)  # rad
_SWING = 0.5  # rad to each side of print
_PER_PRINT, _PRINT_TRIES = 3, 12
_GRID = (9, 5)  # places on print that must be seen
_NEAR_ENOUGH = 0.012  # m
_UNHIDDEN = 0.97

Progress = Callable[[str], None]


@dataclass
class _Tally:
    """What is counted over all homes.

    Attributes:
        agree, pixels: pixels with the same id, and all.
        overlaps: intersection over union of each thing in each view where it is large.
        rays, exact: how many rays were cast, and how many ids were theirs, of the house and of splats.
        exact_overlaps: the same as ``overlaps`` against the rays, of the house and of splats.
        colors: of each thing in each view, whether the word for its color is right.
        wrong_colors: label, its color and the word that was found.
        near, far: of each print from each distance, whether it was read.
    """

    agree: int = 0
    pixels: int = 0
    overlaps: list[tuple[float, str]] = field(default_factory=list)
    rays: int = 0
    exact: list[int] = field(default_factory=lambda: [0, 0])
    exact_overlaps: tuple[list[float], list[float]] = field(default_factory=lambda: ([], []))
    colors: list[bool] = field(default_factory=list)
    wrong_colors: list[tuple[str, str, str]] = field(default_factory=list)
    near: list[bool] = field(default_factory=list)
    far: list[bool] = field(default_factory=list)
    misread: list[dict[str, str]] = field(default_factory=list)


def bench_looks(
    homes: Sequence[tuple[SceneSpec, GaussianCloud]],
    views: int,
    prints: int,
    camera: Intrinsics,
    seed: int = 0,
    progress: Progress = lambda _: None,
) -> dict[str, Any]:
    """Look at homes as splats and as houses from the same places.

    Args:
        views: of each home.
        prints: views of print in each home at most, from each distance; 0 for none.
        seed: of the places to look from.

    Raises:
        MissingExtraError: print is to be read and the extra ``ocr`` is not installed.
        SceneError: a home has no place to look from.
        WorldError: there is no OpenGL.
    """
    import mujoco

    from vantage.worlds.house import HouseCamera, build_house

    tally = _Tally()
    reader = _reader() if prints else None
    for home, cloud in homes:
        progress(f"looking at '{home.name}'")
        house = build_house(home)
        data = mujoco.MjData(house.model)
        mujoco.mj_forward(house.model, data)
        solids = Solids.from_spec(home)
        rng = np.random.default_rng([seed, home.seed])
        with closing(HouseCamera(house, camera)) as drawn, closing(CpuRenderer(2)) as renderer:
            handles = {part.handle_id: part.instance for part in house.parts}
            for viewpoint in places_to_look(home, views, rng):
                T = viewpoint.T_world_camera_optical()
                ids = _folded(drawn.depth_and_ids(data, T)[1], handles)
                splats = renderer.render(cloud, T, camera).instances
                _compare(tally, home, ids, splats)
                _compare_with_rays(tally, home, first_met(solids, T, camera), ids, splats)
                _name_colors(tally, home, drawn.color_image(data, T), ids)
            if reader is not None:
                _read_prints(tally, home, _Sight(drawn, data, camera, handles), reader, prints, rng)
    return _told(tally, len(homes), views, camera)


def places_to_look(home: SceneSpec, count: int, rng: np.random.Generator) -> list[Viewpoint]:
    """Views over rooms at eye height, room by room, that are not too near to anything.

    Raises:
        SceneError: there are none.
    """
    rooms = rooms_of(home)
    boxes = [object_bounds(obj) for obj in home.objects if not obj.is_structure]
    low, high = (np.array([box[k] for box in boxes]).reshape(-1, 3) for k in (0, 1))
    found: list[Viewpoint] = []
    for number in range(_TRIES * count):
        outline = np.array(rooms[number % len(rooms)].outline)
        middle = 0.5 * (outline.min(axis=0) + outline.max(axis=0))
        corners = np.minimum(outline.min(axis=0) + _GAP, middle), np.maximum(outline.max(axis=0) - _GAP, middle)
        x, y = rng.uniform(*corners)
        eye = np.array([x, y, home.bounds_min[2] + EYE_HEIGHT])
        gaps = np.linalg.norm(np.maximum(np.maximum(low - eye, eye - high), 0.0), axis=1)
        across = middle - (x, y)
        yaw, pitch = np.arctan2(across[1], across[0]) + rng.uniform(-_ASIDE, _ASIDE), rng.uniform(*_PITCHES)
        if points_inside(outline.tolist(), x, y) and gaps.min(initial=np.inf) > _GAP:
            found.append(Viewpoint(float(x), float(y), float(eye[2]), float(yaw), float(pitch)))
            if len(found) == count:
                return found
    raise SceneError(f"the home '{home.name}' has no free place to look from; give one with more room")


def _reader() -> OcrReader:
    from vantage.perception.perceivers import OcrReader

    return OcrReader()


def _folded(ids: NDArray[np.int32], handles: dict[int, int]) -> NDArray[np.int32]:
    """Ids with those of handles as their owners'."""
    values, places = np.unique(ids, return_inverse=True)
    owners = np.array([handles.get(int(value), 0) or int(value) for value in values], dtype=np.int32)
    found: NDArray[np.int32] = owners[places].reshape(ids.shape)
    return found


def _compare(tally: _Tally, home: SceneSpec, house: NDArray[np.int32], splats: NDArray[np.int32]) -> None:
    tally.agree += int((house == splats).sum())
    tally.pixels += house.size
    for obj in home.objects:
        one, other = house == obj.instance_id, splats == obj.instance_id
        if not obj.is_structure and max(int(one.sum()), int(other.sum())) >= LARGE:
            tally.overlaps.append((float((one & other).sum() / (one | other).sum()), obj.label))


def first_met(solids: Solids, T_world_camera_optical: Matrix, camera: Intrinsics) -> NDArray[np.int32]:
    """What a ray through every ``STEP``-th pixel meets first, ids (h, w), 0 for nothing."""
    v, u = np.mgrid[0 : camera.height : STEP, 0 : camera.width : STEP]
    ways = np.stack([(u + 0.5 - camera.cx) / camera.fx, (v + 0.5 - camera.cy) / camera.fy, np.ones(u.shape)], axis=-1)
    ends = T_world_camera_optical[:3, 3] + _REACH * ways.reshape(-1, 3) @ T_world_camera_optical[:3, :3].T
    found = np.zeros(len(ends), dtype=np.int32)
    for start in range(0, len(ends), _AT_ONCE):
        enter, leave, ids = solids.crossings(T_world_camera_optical[:3, 3], ends[start : start + _AT_ONCE])
        nearest = np.minimum(np.where(enter > 0.0, enter, np.inf), np.where(leave > 0.0, leave, np.inf))
        first = nearest.argmin(axis=0)
        met = np.isfinite(nearest[first, np.arange(len(first))])
        found[start : start + _AT_ONCE] = np.where(met, ids[first], 0)
    return found.reshape(u.shape)


def _compare_with_rays(
    tally: _Tally, home: SceneSpec, rays: NDArray[np.int32], house: NDArray[np.int32], splats: NDArray[np.int32]
) -> None:
    tally.rays += rays.size
    for kind, ids in enumerate((house[::STEP, ::STEP], splats[::STEP, ::STEP])):
        tally.exact[kind] += int((ids == rays).sum())
        for obj in home.objects:
            one, other = rays == obj.instance_id, ids == obj.instance_id
            if not obj.is_structure and int(one.sum()) * STEP**2 >= LARGE:
                tally.exact_overlaps[kind].append(float((one & other).sum() / (one | other).sum()))


def _name_colors(tally: _Tally, home: SceneSpec, rgb: NDArray[np.uint8], ids: NDArray[np.int32]) -> None:
    """The median color of what is seen of each thing, as perceivers take it."""
    for obj in home.objects:
        seen = ids == obj.instance_id
        if obj.is_structure or not obj.color or int(seen.sum()) < _COLORED:
            continue
        r, g, b = np.median(rgb[seen], axis=0) / 255.0
        word = nearest_color((float(r), float(g), float(b)))
        tally.colors.append(word == obj.color)
        if word != obj.color:
            tally.wrong_colors.append((obj.label, obj.color, word))


@dataclass(frozen=True, eq=False)
class _Sight:
    """A house as one sees it."""

    camera: HouseCamera
    data: mujoco.MjData
    intrinsics: Intrinsics
    handles: dict[int, int]

    def read(self, reader: OcrReader, printed: PrintedText, viewpoint: Viewpoint) -> str | None:
        """What is read on an object, cut out of the picture as a perceiver does; None where print is hidden."""
        T = viewpoint.T_world_camera_optical()
        depth, ids = self.camera.depth_and_ids(self.data, T)
        local = (_print_places(printed) - T[:3, 3]) @ T[:3, :3]
        pixels = np.floor(self.intrinsics.project(local)).astype(int)
        inside = ((pixels >= 0) & (pixels < (self.intrinsics.width, self.intrinsics.height))).all(axis=1)
        column, row = np.where(inside[:, None], pixels, 0).T
        free = inside & (np.abs(depth[row, column] - local[:, 2]) < _NEAR_ENOUGH)
        if free.mean() < _UNHIDDEN:
            return None
        rows, columns = np.nonzero(_folded(ids, self.handles) == printed.obj.instance_id)
        left, top = int(columns.min()), int(rows.min())
        box = (left, top, int(columns.max()) - left + 1, int(rows.max()) - top + 1)
        obj, place = printed.obj, (0.0, 0.0, 0.0)
        seen = Detection(obj.instance_id, obj.label, obj.color, obj.material, 1.0, len(rows), box, place, place, place)
        rgb = self.camera.color_image(self.data, T)
        return reader.read(Observation(0, viewpoint, self.intrinsics, rgb), seen)


def _print_places(printed: PrintedText) -> NDArray[np.float64]:
    """Points (N, 3) on the words of a level front, world frame."""
    width, height = text_layout(printed.part).extent
    across, up = (np.linspace(-0.5, 0.5, count) for count in _GRID)
    right, above = (each.ravel() for each in np.meshgrid(across * width, up * height))
    ahead = np.zeros_like(right)
    if printed.part.shape != "box" and printed.part.axis == "z":  # bent around the front
        radius = 0.5 * printed.part.size[1]
        ahead, right = radius * (np.cos(right / radius) - 1.0), radius * np.sin(right / radius)
    c, s = np.cos(printed.facing), np.sin(printed.facing)
    offset = np.stack([c * ahead - s * right, s * ahead + c * right, above], axis=1)
    found: NDArray[np.float64] = printed.middle + offset
    return found


def _read_prints(
    tally: _Tally, home: SceneSpec, sight: _Sight, reader: OcrReader, most: int, rng: np.random.Generator
) -> None:
    for found, distance, told in ((tally.near, NEAR, True), (tally.far, FAR, False)):
        done = 0
        for printed in printed_texts(home):
            if printed.part.print_face != "x+":
                continue
            views = 0
            for _ in range(_PRINT_TRIES):
                if views == _PER_PRINT or done == most:
                    break
                pose = PrintPose(printed, float(rng.uniform(-_SWING, _SWING)), float(rng.uniform(-0.3, 1.0)) * _SWING)
                text = sight.read(reader, printed, pose(distance))
                if text is None:
                    continue
                views, done = views + 1, done + 1
                found.append(squeezed(text) == squeezed(printed.obj.text))
                if told and not found[-1]:
                    tally.misread.append({"thing": printed.obj.label, "text": printed.obj.text, "read": text})


def _told(tally: _Tally, homes: int, views: int, camera: Intrinsics) -> dict[str, Any]:
    overlaps = [overlap for overlap, _ in tally.overlaps]
    found: dict[str, Any] = {
        "homes": homes,
        "views": homes * views,
        "size": [camera.width, camera.height],
        "ids_agree": tally.agree / max(tally.pixels, 1),
        "iou": float(np.mean(overlaps)) if overlaps else None,
        "iou_median": float(np.median(overlaps)) if overlaps else None,
        "iou_lowest": [{"thing": label, "iou": round(overlap, 3)} for overlap, label in sorted(tally.overlaps)[:8]],
        "things": len(overlaps),
        "exact": {
            name: {"ids_right": right / max(tally.rays, 1), "iou": float(np.mean(shares)) if shares else None}
            for name, right, shares in zip(("house", "splats"), tally.exact, tally.exact_overlaps, strict=True)
        },
        "colors_right": _share(tally.colors),
        "colors": len(tally.colors),
        "wrong_colors": [
            {"thing": label, "color": color, "named": word} for label, color, word in sorted(set(tally.wrong_colors))
        ],
        "print_near": _share(tally.near),
        "print_near_views": len(tally.near),
        "print_far": _share(tally.far),
        "print_far_views": len(tally.far),
        "misread": tally.misread,
        "bounds": BOUNDS,
    }
    counted = [key for key in ("ids_agree", "iou", "colors_right", "print_near") if found[key] is not None]
    met = [found[key] >= BOUNDS[key] for key in counted]
    return {**found, "met": all(met) and (found["print_far"] or 0.0) <= BOUNDS["print_far"]}


def _share(found: Sequence[bool]) -> float | None:
    return sum(found) / len(found) if found else None


def looks_table(told: dict[str, Any]) -> list[str]:
    """The figures in lines for people."""
    bounds = told["bounds"]
    rows = [
        ("pixels with the same id", told["ids_agree"], f"at least {bounds['ids_agree']:.0%}", told["views"]),
        (f"IoU of things of {LARGE} pixels", told["iou"], f"at least {bounds['iou']:.2f}", told["things"]),
        ("words for colors right", told["colors_right"], f"at least {bounds['colors_right']:.0%}", told["colors"]),
        (
            f"print read from {NEAR:g} m",
            told["print_near"],
            f"at least {bounds['print_near']:.0%}",
            told["print_near_views"],
        ),
        (
            f"print read from {FAR:g} m",
            told["print_far"],
            f"at most {bounds['print_far']:.0%}",
            told["print_far_views"],
        ),
    ]
    lines = [
        f"{name:32} {value:7.2%}   ({bound}; of {count})" for name, value, bound, count in rows if value is not None
    ]
    for name, exact in told["exact"].items():
        lines.append(f"against exact rays, {name}: ids right {exact['ids_right']:.2%}, IoU {exact['iou'] or 0.0:.2%}")
    return [*lines, f"bounds {'met' if told['met'] else 'NOT MET'}"]
