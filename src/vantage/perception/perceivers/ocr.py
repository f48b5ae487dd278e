"""Printed text, read from pixels by optical character recognition (optional extra ``ocr``).

``OcrReader`` reads the text on a known object; ``TextDetector`` is a perceiver that finds text anywhere in the picture,
for cameras without any other perceiver and for text on objects that nobody has a name for.
"""

from __future__ import annotations

import functools
import math
import re
import threading
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vantage.errors import MissingExtraError, ModelError
from vantage.perception.perceivers.boxes import FoundBox, check_depth, located
from vantage.perception.perceivers.text_readings import TextReading
from vantage.perception.print_spot import PrintSpot
from vantage.spatial import apply
from vantage.types import Detection, Observation, Point

_PAD = 0.06  # of the box, on each side: the print may reach its edge
_SIDE = 512  # pixels of the longer side to which a crop is brought: what reading takes grows with its area
_MOST_ENLARGED = 3.0
_SINGLE = 0.97  # the same of a single character, as which stains and pictures are read
_EDGE = 0.15  # of the height of letters; print nearer to an edge of its object may go on beyond it
_BESIDE = 0.25  # of the height of letters: how far beside print something that hides more of it is looked for
_APART, _BLUR = 0.04, 0.02  # m and m per m: how far print may seem to be outside the bounds of its object
_PLANE_GRID, _PLANE_LEAST = (7, 3), 8  # points on a line of print, and how many of them tell where its surface is
_SLANT = 0.05  # sine of the angle between a ray and a surface below which the ray does not tell where it meets it
_ROUND, _UNCLEAR = (
    0.1,
    0.5,
)  # how far points may lie off a plane, as shares of how far they lie apart along both its axes
_LETTER_SHARE = 0.5  # of the height of what is found as a line, that its letters have at the most
_LETTER_WIDTH, _BORDER = 0.7, 0.9  # in heights of a letter: width of each, and what is found beside them
_KEPT = 1024  # readings
_THREADS = 1  # more wait for each other where other programs run, and take ten times as long

Corners = NDArray[np.float64]


@dataclass(frozen=True)
class Line:
    """A line of print in a picture: its text, its score (0..1) and the corners (4, 2) around it, in pixels (x, y)."""

    text: str
    score: float
    corners: Corners


class OcrReader:
    """Reads words on detected objects; usable from several threads, which read one after the other."""

    def __init__(self, min_side: int = 20, min_pixels: int = 600, deadline: float = 10.0) -> None:
        """
        Args:
            min_side, min_pixels: of a detection, below which no word on it is large enough to be tried.
            deadline: s, after which a reading is given up.

        Raises:
            MissingExtraError: the extra is not installed.
        """
        self._engine = _make_engine()
        self._min_side, self._min_pixels, self._deadline = min_side, min_pixels, deadline
        self._readings: OrderedDict[tuple[object, ...], TextReading] = OrderedDict()
        self._lock = threading.Lock()

    def read(self, observation: Observation, detection: Detection) -> str:
        """The words on a detected object, in upper case, from top to bottom; empty where none can be read."""
        found = self.text_on(observation, detection)
        return "" if found is None else found.words

    def text_on(self, observation: Observation, detection: Detection) -> TextReading | None:
        """What a view shows of the print on a detected object; None where it is too small to tell, or time was up."""
        if min(detection.box[2:]) < self._min_side or detection.pixels < self._min_pixels:
            return None
        key = observation.stamp, observation.viewpoint, detection.box
        with self._lock:
            if key in self._readings:
                return self._readings[key]
        picture, scale, corner = _crop(observation.rgb, detection.box)
        lines = self.lines_in(picture)
        if lines is None:
            return None
        placed = [Line(line.text, line.score, line.corners / scale + corner) for line in lines]
        found = _together(placed, observation, detection)
        with self._lock:
            self._readings[key] = found
            while len(self._readings) > _KEPT:
                self._readings.popitem(last=False)
        return found

    def lines_in(self, picture: NDArray[np.uint8]) -> list[Line] | None:
        """The lines of print in a picture (H, W, 3; RGB), in the order of reading; None where time was up."""
        found: list[list[Line]] = []
        worker = threading.Thread(target=lambda: found.append(self._recognised(picture)), daemon=True)
        worker.start()
        worker.join(self._deadline)
        return found[0] if found else None

    def _recognised(self, picture: NDArray[np.uint8]) -> list[Line]:
        with _reading:
            lines = self._engine(np.ascontiguousarray(picture[:, :, ::-1]))
        if not lines.txts:
            return []
        found = [
            Line(_cleaned(text), float(score), np.asarray(corners, dtype=np.float64))
            for corners, text, score in zip(lines.boxes, lines.txts, lines.scores, strict=True)
        ]
        return sorted(found, key=_reading_order)


_reading = threading.Lock()


@functools.cache
def _make_engine() -> Any:
    """The one engine of this process. It does not enlarge what it is given, which takes most of its time."""
    try:
        import onnxruntime  # noqa: F401
        from rapidocr import RapidOCR
    except ImportError as error:
        raise MissingExtraError(
            f"reading print needs the extra 'ocr', which is not installed ({error}); run make setup WITH=ocr"
        ) from error
    return RapidOCR(
        params={
            "Global.log_level": "critical",
            "EngineConfig.onnxruntime.intra_op_num_threads": _THREADS,
            "EngineConfig.onnxruntime.inter_op_num_threads": _THREADS,
            "Det.limit_type": "max",
            "Det.limit_side_len": 2 * _SIDE,
        }
    )


def _cleaned(text: str) -> str:
    return " ".join(re.sub(r"[^A-Z0-9&%.'\- ]", " ", text.upper()).split())


def _reading_order(line: Line) -> tuple[int, float]:
    """Lines from top to bottom, and from left to right where they stand side by side."""
    height = max(float(np.ptp(line.corners[:, 1])), 1.0)
    return round(float(line.corners[:, 1].mean()) / height), float(line.corners[:, 0].min())


def _crop(rgb: NDArray[np.uint8], box: tuple[int, int, int, int]) -> tuple[NDArray[np.uint8], float, NDArray[np.int64]]:
    """The padded box, brought to a size that is read well and soon; by how much, and its first column and row."""
    left, top, width, height = box
    pad = 2 + round(_PAD * max(width, height))
    corner = np.array([max(0, left - pad), max(0, top - pad)])
    part = rgb[corner[1] : top + height + pad, corner[0] : left + width + pad]
    scale = min(_MOST_ENLARGED, _SIDE / max(part.shape[:2]))
    if scale == 1.0:
        return part, scale, corner
    how = cv2.INTER_CUBIC if scale > 1.0 else cv2.INTER_AREA
    sized = cv2.resize(part, None, fx=scale, fy=scale, interpolation=how)
    return np.asarray(sized, dtype=np.uint8), scale, corner


def _together(lines: list[Line], observation: Observation, detection: Detection) -> TextReading:
    """The lines that are on an object; corners are pixels of the observation."""
    kept: list[tuple[Line, bool, float]] = []
    for line in lines:
        ends, height = _ends_of(line.corners)
        whole = _is_whole(ends, height, observation, detection)
        enough = len(line.text) > 1 or (whole and line.score >= _SINGLE)
        if line.text and enough and line.score >= _LIKELY and _is_on(ends.mean(axis=0), observation, detection):
            kept.append((line, whole, height))
    if not kept:
        return TextReading()
    return TextReading(
        words=" ".join(line.text for line, _, _ in kept),
        score=min(line.score for line, _, _ in kept),
        whole=all(whole for _, whole, _ in kept),
        height=min(height for _, _, height in kept),
        spot=_spot_of(max((line for line, _, _ in kept), key=lambda line: len(line.text)), observation),
    )


def _spot_of(line: Line, observation: Observation) -> PrintSpot | None:
    """Where a line of print is, from a plane through its surface; None where too little of it has a depth.

    Letters on what is round are measured as if they faced the camera.
    """
    along, down = np.meshgrid(*(np.linspace(0.1, 0.9, count) for count in _PLANE_GRID))
    shares = np.stack([(1 - along) * (1 - down), along * (1 - down), along * down, (1 - along) * down], axis=-1)
    pixels = shares.reshape(-1, 4) @ line.corners
    depth = np.array([_depth_at(pixel, observation) for pixel in pixels])
    known = np.isfinite(depth)
    if known.sum() < _PLANE_LEAST:
        return None
    points = _rays(pixels[known], observation) * depth[known, None]
    middle = np.median(points, axis=0)
    _, spread, axes = np.linalg.svd(points - middle)
    rays, normal = _rays(line.corners, observation), axes[2]
    slanted = (np.abs(rays @ normal) < _SLANT * np.linalg.norm(rays, axis=1)).any()
    if spread[2] > _UNCLEAR * spread[1]:  # nothing tells how it is turned about its line
        normal = -middle / np.linalg.norm(middle)
    plane = middle if slanted or spread[2] > _ROUND * spread[0] else normal
    corners = rays * ((middle @ plane) / (rays @ plane))[:, None]
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    across, along_it = sorted((0.5 * float(sides[0] + sides[2]), 0.5 * float(sides[1] + sides[3])))
    letter = min(_LETTER_SHARE * across, along_it / (_LETTER_WIDTH * len(line.text) + _BORDER))
    T_world_camera_optical = observation.viewpoint.T_world_camera_optical()
    towards = T_world_camera_optical[:3, :3] @ (normal if middle @ normal < 0.0 else -normal)
    return PrintSpot(_as_point(apply(T_world_camera_optical, middle[None])[0]), _as_point(towards), letter)


def _rays(pixels: NDArray[np.float64], observation: Observation) -> NDArray[np.float64]:
    """What leads through pixels (N, 2), x and y, in the optical frame at a depth of 1, (N, 3)."""
    lens = observation.intrinsics
    across, down = (pixels[:, 0] - lens.cx) / lens.fx, (pixels[:, 1] - lens.cy) / lens.fy
    return np.stack([across, down, np.ones(len(pixels))], axis=1)


def _as_point(values: NDArray[np.float64]) -> Point:
    return float(values[0]), float(values[1]), float(values[2])


def _ends_of(corners: Corners) -> tuple[Corners, float]:
    """The middles of the two short sides of a line, (2, 2), and its height, in pixels."""
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    first = int(sides[0] + sides[2] >= sides[1] + sides[3])  # the short sides are this one and the one after next
    ends = [0.5 * (corners[k] + corners[(k + 1) % 4]) for k in (first, first + 2)]
    return np.array(ends), 0.5 * float(sides[first] + sides[first + 2])


def _is_whole(ends: Corners, height: float, observation: Observation, detection: Detection) -> bool:
    """Whether an object goes on beyond both ends of a line of print, so that no letter is cut off or hidden there."""
    along = ends[1] - ends[0]
    along = along / max(float(np.linalg.norm(along)), 1e-9)
    left, top, width, height_of_box = detection.box
    low, high = np.array([left, top]), np.array([left + width, top + height_of_box])
    depth = _depth_at(ends.mean(axis=0), observation)
    for end, way in zip(ends, (-along, along), strict=True):
        outer = end + max(1.0, _EDGE * height) * way
        if (outer < low).any() or (outer > high).any():
            return False
        beside = _depth_at(end + _BESIDE * height * way, observation)
        if beside < depth and not _is_on(end + _BESIDE * height * way, observation, detection):
            return False  # something stands before it
    return True


def _depth_at(pixel: NDArray[np.float64], observation: Observation) -> float:
    """Depth at a pixel (x, y), m; NaN where none is known."""
    x, y = (math.floor(value) for value in pixel)
    height, width = observation.rgb.shape[:2]
    if observation.depth is None or not (0 <= y < height and 0 <= x < width):
        return math.nan
    rows, columns = observation.depth.shape
    return float(observation.depth[y * rows // height, x * columns // width])


def _is_on(pixel: NDArray[np.float64], observation: Observation, detection: Detection) -> bool:
    """Whether what a pixel (x, y) shows belongs to an object; where no depth tells, whether it lies in its box."""
    left, top, width, height = detection.box
    x, y = pixel
    if not (left <= x < left + width and top <= y < top + height):
        return False
    depth = _depth_at(pixel, observation)
    if not math.isfinite(depth):
        return True
    ray = _rays(np.array([[x, y]]), observation)
    point = apply(observation.viewpoint.T_world_camera_optical(), depth * ray)[0]
    slack = _APART + _BLUR * depth
    low, high = np.array(detection.bounds_min) - slack, np.array(detection.bounds_max) + slack
    return bool((point >= low).all() and (point <= high).all())


LABEL = "sign"  # what a detection of print alone is called
_LIKELY = 0.7  # score of a line from which on it counts
_WIDEST_SIDE = 1280  # pixels of the longer side to which a picture is brought: small print is not found below
_LEADING = 1.2  # heights of a line between lines that belong together


class TextDetector:
    """Finds print. Lines one below the other are one text."""

    name = "ocr"

    def __init__(self, min_pixels: int = 60, reader: OcrReader | None = None, **_: object) -> None:
        """
        Raises:
            MissingExtraError: the extra is not installed.
        """
        self._reader, self.min_pixels = reader or OcrReader(), min_pixels

    def perceive(self, observation: Observation) -> tuple[Detection, ...]:
        """Texts of this view, by falling number of pixels.

        Raises:
            VantageError: the observation has no depth.
            ModelError: reading took too long.
        """
        check_depth(observation, self.name)
        return located(observation, self.texts_in(observation), self.min_pixels)

    def texts_in(self, observation: Observation) -> list[FoundBox]:
        """Texts and where they are in the picture; see ``perceive``."""
        rgb = observation.rgb
        scale = max(1.0, _WIDEST_SIDE / max(rgb.shape[:2]))
        sized = cv2.resize(rgb, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC) if scale > 1.0 else rgb
        lines = self._reader.lines_in(np.asarray(sized, dtype=np.uint8))
        if lines is None:
            raise ModelError("reading the print of a picture took too long; try a smaller picture")
        found = []
        for group in _grouped([line for line in lines if line.text and line.score >= _LIKELY]):
            corners = np.concatenate([line.corners for line in group]) / scale
            left, top = (math.floor(value) for value in corners.min(axis=0))
            right, bottom = (math.ceil(value) for value in corners.max(axis=0))
            text, score = " ".join(line.text for line in group), min(line.score for line in group)
            found.append(FoundBox(LABEL, score, (left, top, right - left, bottom - top), text=text))
        return found


def _grouped(lines: list[Line]) -> list[list[Line]]:
    """Lines in the order of reading, those together that stand one below the other."""
    groups: list[list[Line]] = []
    for line in lines:
        home = next((group for group in groups if _follows(group[-1], line)), None)
        if home is None:
            groups.append([line])
        else:
            home.append(line)
    return groups


def _follows(above: Line, below: Line) -> bool:
    (left, top), (right, bottom) = above.corners.min(axis=0), above.corners.max(axis=0)
    (other_left, other_top), (other_right, _) = below.corners.min(axis=0), below.corners.max(axis=0)
    near = -0.5 * (bottom - top) <= other_top - bottom <= _LEADING * (bottom - top)
    return bool(near and other_left < right and left < other_right)
