"""Print on things, read from pixels (optional extra ``ocr``)."""

from __future__ import annotations

import functools
import re
import threading
from collections import OrderedDict
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vantage.errors import MissingExtraError
from vantage.types import Detection, Observation

_PAD = 0.1  # of the box, on each side: the print may reach its edge
_GOOD_SIDE = 160  # pixels of the shorter side up to which a crop is enlarged
_MOST_ENLARGED = 4.0
_LONGEST_SIDE = 960  # pixels: larger crops are shrunk, so that reading takes a bounded time
_SURE = 0.7  # score of a line from which on it counts
_KEPT = 1024  # readings
_THREADS = 2


class PrintReader:
    """Reads words on detected things; usable from several threads, which read one after the other."""

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
        self._readings: OrderedDict[tuple[object, ...], str] = OrderedDict()
        self._lock = threading.Lock()

    def read(self, observation: Observation, detection: Detection) -> str:
        """The words on a detected thing, in upper case, from top to bottom; empty where none can be read."""
        left, top, width, height = detection.box
        if min(width, height) < self._min_side or detection.pixels < self._min_pixels:
            return ""
        key = observation.stamp, observation.viewpoint, detection.box
        with self._lock:
            if key in self._readings:
                return self._readings[key]
        words = self.words_in(_crop(observation.rgb, left, top, width, height))
        if words is None:
            return ""
        with self._lock:
            self._readings[key] = words
            while len(self._readings) > _KEPT:
                self._readings.popitem(last=False)
        return words

    def words_in(self, picture: NDArray[np.uint8]) -> str | None:
        """The words in a picture (H, W, 3; RGB), in upper case; None where time was up."""
        found: list[str] = []
        worker = threading.Thread(target=lambda: found.append(self._recognised(picture)), daemon=True)
        worker.start()
        worker.join(self._deadline)
        return found[0] if found else None

    def _recognised(self, picture: NDArray[np.uint8]) -> str:
        with _reading:
            lines = self._engine(np.ascontiguousarray(picture[:, :, ::-1]))
        if not lines.txts:
            return ""
        ranked = sorted(
            zip(lines.boxes, lines.txts, lines.scores, strict=True), key=lambda line: _reading_order(line[0])
        )
        words = " ".join(text for _, text, score in ranked if score >= _SURE)
        return " ".join(re.sub(r"[^A-Z0-9&%.'\- ]", " ", words.upper()).split())


_reading = threading.Lock()


@functools.cache
def _make_engine() -> Any:
    try:
        import onnxruntime  # noqa: F401
        from rapidocr import RapidOCR
    except ImportError as error:
        raise MissingExtraError(
            f"reading print needs the extra 'ocr', which is not installed ({error}); run make setup WITH=ocr"
        ) from error
    return RapidOCR(params={"Global.log_level": "critical", "EngineConfig.onnxruntime.intra_op_num_threads": _THREADS})


def _reading_order(corners: Any) -> tuple[int, float]:
    """Lines from top to bottom, and from left to right where they stand side by side."""
    corners = np.asarray(corners)
    height = max(float(np.ptp(corners[:, 1])), 1.0)
    return round(float(corners[:, 1].mean()) / height), float(corners[:, 0].min())


def _crop(rgb: NDArray[np.uint8], left: int, top: int, width: int, height: int) -> NDArray[np.uint8]:
    """The padded box, enlarged where it is small and shrunk where it is large."""
    pad = 2 + round(_PAD * max(width, height))
    part = rgb[max(0, top - pad) : top + height + pad, max(0, left - pad) : left + width + pad]
    scale = min(_MOST_ENLARGED, max(1.0, _GOOD_SIDE / min(part.shape[:2])), _LONGEST_SIDE / max(part.shape[:2]))
    if scale == 1.0:
        return part
    how = cv2.INTER_CUBIC if scale > 1.0 else cv2.INTER_AREA
    return np.asarray(cv2.resize(part, None, fx=scale, fy=scale, interpolation=how), dtype=np.uint8)
