"""Zero-shot detection: objects found in the picture by their names, with any such model of ``transformers``.

Plumbing tested: no weights come with this package, and the tests run a model of random ones.
"""

from __future__ import annotations

import inspect
import math
import threading
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vantage.config import Settings
from vantage.errors import ConfigError, MissingExtraError
from vantage.models import told
from vantage.perception.perceivers.boxes import FoundBox, check_depth, located
from vantage.scenes.catalog import labels as all_labels
from vantage.types import Detection, Observation

_MOST_SHARED = 2  # detectors kept at once
_MAKING = threading.Lock()
_TOGETHER = {"grounding-dino": 30, "mm-grounding-dino": 30}  # labels that fit into the text of one call; others: all


class ZeroShotDetector:
    """Finds objects of given kinds in a picture, one picture at a time, whichever thread asks.

    Args:
        which: name or folder of a model such as OWLv2 or Grounding DINO.
        labels: what to look for.
        threshold: score from which on a box counts, 0..1.
        device: ``cpu``, ``cuda`` or ``auto``.

    Raises:
        MissingExtraError: transformers or torch is not installed.
        ModelError: there is no such model, or it is of another kind.
    """

    def __init__(self, which: str, labels: Sequence[str], threshold: float, device: str = "auto") -> None:
        try:
            import torch
            from transformers import AutoModelForZeroShotObjectDetection, AutoProcessor
        except ImportError as error:
            raise MissingExtraError(
                "zero-shot detection needs torch and transformers; install the extra 'models' (make setup WITH=models)"
            ) from error
        self._torch, self._lock = torch, threading.Lock()
        self._device = ("cuda" if torch.cuda.is_available() else "cpu") if device == "auto" else device
        with told(f"no zero-shot detector can be loaded from '{which}'", "name another in pixels.detector"):
            self._processor: Any = AutoProcessor.from_pretrained(which, trust_remote_code=False)
            model: Any = AutoModelForZeroShotObjectDetection.from_pretrained(which, trust_remote_code=False)
            self._model = model.to(self._device).eval()
            kind = str(model.config.model_type)
        self._labels, self._threshold = tuple(labels), threshold
        self._together = _TOGETHER.get(kind, len(self._labels))

    def boxes(self, rgb: NDArray[np.uint8]) -> list[FoundBox]:
        """What a picture (H, W, 3) shows.

        Raises:
            ModelError: the model failed on it.
        """
        found: list[FoundBox] = []
        for first in range(0, len(self._labels), self._together):
            with self._lock:
                found += self._of(rgb, list(self._labels[first : first + self._together]))
        return found

    def _of(self, rgb: NDArray[np.uint8], labels: list[str]) -> list[FoundBox]:
        with told("the zero-shot detector failed on a picture", "try another model"):
            with self._torch.inference_mode():
                inputs = self._processor(images=rgb, text=[labels], return_tensors="pt").to(self._device)
                outputs = self._model(**inputs)
                read = self._processor.post_process_grounded_object_detection
                more = {"input_ids": inputs["input_ids"]} if "input_ids" in inspect.signature(read).parameters else {}
                [result] = read(
                    outputs,
                    **more,
                    threshold=self._threshold,
                    target_sizes=[tuple(rgb.shape[:2])],
                    text_labels=[labels],
                )
            return _finite(result)


def _finite(result: Mapping[str, Any]) -> list[FoundBox]:
    """The boxes of a result; without those that have no name, no extent, or numbers that are none."""
    found = []
    for score, box, label in zip(result["scores"], result["boxes"], result["text_labels"], strict=True):
        numbers = [float(score), *(float(value) for value in box)]
        if not label or not all(map(math.isfinite, numbers)):
            continue
        x0, y0, x1, y1 = (round(value) for value in numbers[1:])
        if x1 > x0 and y1 > y0:
            found.append(FoundBox(str(label), numbers[0], (x0, y0, x1 - x0, y1 - y0)))
    return found


class DetectorPerceiver:
    """A perceiver by a zero-shot detector. Colors are read from the pixels; materials and states are not told."""

    name = "detector"

    def __init__(self, detector: ZeroShotDetector, min_pixels: int = 60) -> None:
        self._detector, self.min_pixels = detector, min_pixels

    def perceive(self, observation: Observation) -> tuple[Detection, ...]:
        """The objects that this view shows, by falling number of pixels.

        Raises:
            VantageError: the observation has no depth.
            ModelError: the detector failed.
        """
        check_depth(observation, self.name)
        return located(observation, self._detector.boxes(observation.rgb), self.min_pixels)


def make_detector(min_pixels: int = 60, settings: Settings | None = None, **_: object) -> DetectorPerceiver:
    """From the settings ``pixels.*``.

    Raises:
        ConfigError: no detector is named.
        MissingExtraError, ModelError: see ``ZeroShotDetector``.
    """
    settings = settings or Settings()
    pixels = settings.pixels
    if not pixels.detector:
        raise ConfigError("no detector is named; set pixels.detector to the name or folder of a zero-shot detector")
    labels = [label.strip() for label in pixels.labels.split(",") if label.strip()] or list(all_labels())
    with _MAKING:
        detector = _made(pixels.detector, tuple(labels), pixels.threshold, settings.model.device)
    return DetectorPerceiver(detector, min_pixels)


@lru_cache(maxsize=_MOST_SHARED)
def _made(which: str, labels: tuple[str, ...], threshold: float, device: str) -> ZeroShotDetector:
    """Loaded once in a process: perceivers begin anew with each episode, weights do not."""
    return ZeroShotDetector(which, labels, threshold, device)
