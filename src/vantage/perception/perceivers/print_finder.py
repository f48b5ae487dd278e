"""Printed text anywhere in the picture as located detections (optional extra ``ocr``): for cameras without any other
perceiver, and for what is written on things that nobody has a name for."""

from __future__ import annotations

import math

import cv2
import numpy as np

from vantage.errors import ModelError
from vantage.perception.perceivers.boxes import FoundBox, check_depth, located
from vantage.perception.perceivers.ocr import Line, PrintReader
from vantage.types import Detection, Observation

LABEL = "sign"  # what a detection of print alone is called
_LIKELY = 0.7  # score of a line from which on it counts
_SIDE = 1280  # pixels of the longer side to which a picture is brought: small print is not found below
_LEADING = 1.2  # heights of a line between lines that belong together


class PrintFinder:
    """Finds print. Lines one below the other are one text."""

    name = "ocr"

    def __init__(self, min_pixels: int = 60, reader: PrintReader | None = None, **_: object) -> None:
        """
        Raises:
            MissingExtraError: the extra is not installed.
        """
        self._reader, self.min_pixels = reader or PrintReader(), min_pixels

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
        scale = max(1.0, _SIDE / max(rgb.shape[:2]))
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
