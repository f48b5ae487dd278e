"""A ChArUco board: chessboard corners that markers give names, so that a part of the board in a picture is enough."""

from __future__ import annotations

import math
import struct
import zlib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vantage.errors import ConfigError
from vantage.files import write_whole
from vantage.registry import did_you_mean
from vantage.spatial import Matrix

_QUIET = 0.5  # squares of white around the board
_LEAST_SQUARES, _MOST_SQUARES = 3, 40
_LEAST_MARKER, _MOST_MARKER = 0.4, 0.9  # of a square: smaller ones are hard to read, larger ones hide the corners
_MOST_PIXELS = 20_000  # of one side of a picture
_INCH = 0.0254  # m


@dataclass(frozen=True, eq=False)
class Corners:
    """What a picture shows of a board.

    Attributes:
        ids: (n,) which inner corners of the chessboard, ascending.
        points: (n, 2) where they are, pixels, with pixel centres at half-integers.
    """

    ids: NDArray[np.int64]
    points: Matrix

    def __len__(self) -> int:
        return len(self.ids)


@dataclass(frozen=True)
class Board:
    """A board of so many squares, lengths in m. Its frame: origin at a corner of the sheet's pattern, x along the rows
    of squares, y along the columns, z away from who looks at it.

    The default fits a sheet of A4 held across.

    Raises:
        ConfigError: sizes or the dictionary make no board.
    """

    squares_x: int = 8
    squares_y: int = 5
    square: float = 0.032
    marker: float = 0.024
    dictionary: str = "5X5_100"

    def __post_init__(self) -> None:
        for name, count in (("squares_x", self.squares_x), ("squares_y", self.squares_y)):
            if not _LEAST_SQUARES <= count <= _MOST_SQUARES:
                raise ConfigError(
                    f"board: {name} = {count}, expected {_LEAST_SQUARES} to {_MOST_SQUARES}; count the squares of a row"
                )
        if not 0 < self.square < np.inf or not _LEAST_MARKER <= self.marker / self.square <= _MOST_MARKER:
            raise ConfigError(
                f"board: a marker of {self.marker:g} m in a square of {self.square:g} m, expected {_LEAST_MARKER:g} to "
                f"{_MOST_MARKER:g} of the square; measure both in m on the printed sheet"
            )
        needed, known = self.squares_x * self.squares_y // 2, len(self._markers.bytesList)
        if needed > known:
            raise ConfigError(
                f"board: {needed} markers are needed and the dictionary '{self.dictionary}' has {known}; "
                "choose a larger one"
            )

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the pattern, m."""
        return self.squares_x * self.square, self.squares_y * self.square

    @property
    def middle(self) -> Matrix:
        """(3,): in the board's frame, m."""
        return np.array([0.5 * self.size[0], 0.5 * self.size[1], 0.0])

    @cached_property
    def corners(self) -> Matrix:
        """(K, 3): the inner corners by id, in the board's frame, m."""
        across, down = np.meshgrid(np.arange(1, self.squares_x), np.arange(1, self.squares_y))
        flat = np.stack([across.ravel(), down.ravel(), np.zeros(across.size)], axis=1)
        return np.asarray(self.square * flat, dtype=np.float64)

    def image(self, pixels: int) -> NDArray[np.uint8]:
        """The board for printing, (H, W) grey, about ``pixels`` wide, in whole pixels a square and with a white rim.

        Raises:
            ConfigError: too few pixels to draw the markers, or too many.
        """
        return self._draw(round(pixels / (self.squares_x + 2 * _QUIET)))

    def write_png(self, path: str | Path, dots_per_inch: float = 300.0) -> tuple[float, float]:
        """A PNG that says how large it is, to be printed in "actual size"; returns width and height of the sheet, m.

        Raises:
            ConfigError: see ``image``.
            OSError: it cannot be written.
        """
        picture = self._draw(round(self.square * dots_per_inch / _INCH))
        done, data = cv2.imencode(".png", picture)
        if not done:
            raise ConfigError(f"board: a picture of shape {picture.shape} cannot be encoded; take fewer dots per inch")
        per_metre = round(self.square * dots_per_inch / _INCH) / self.square
        write_whole(path, _with_density(data.tobytes(), round(per_metre)))
        return picture.shape[1] / per_metre, picture.shape[0] / per_metre

    def detect(self, image: NDArray[np.uint8]) -> Corners | None:
        """The corners in a picture, RGB (H, W, 3) or grey (H, W); None where there are none."""
        grey = cv2.cvtColor(image, cv2.COLOR_RGB2GRAY) if image.ndim == 3 else image
        points, ids, _, _ = self._detector.detectBoard(np.ascontiguousarray(grey))
        if points is None or ids is None or len(ids) == 0:
            return None
        names = np.asarray(ids, np.int64).reshape(-1)
        order = np.argsort(names)
        # OpenCV's pixel centres lie at integers, those of ``spatial.Intrinsics`` at half-integers.
        return Corners(names[order], np.asarray(points, np.float64).reshape(-1, 2)[order] + 0.5)

    def fits(self, corners: Corners | None, fewest: int) -> bool:
        """Whether so many corners were found, not all in one line, so that they say how the board stands."""
        if corners is None or len(corners) < fewest:
            return False
        found = self.corners[corners.ids]
        return bool(np.linalg.matrix_rank(found - found[0], tol=0.1 * self.square) == 2)

    def _draw(self, per_square: int) -> NDArray[np.uint8]:
        """With so many pixels a square."""
        least = math.ceil((self._markers.markerSize + 2) * self.square / self.marker)  # a pixel for each bit
        most = _MOST_PIXELS // (max(self.squares_x, self.squares_y) + 1)
        if not least <= per_square <= most:
            raise ConfigError(
                f"board: {per_square} pixels a square, expected {least} to {most}; draw it in another size"
            )
        rim = round(_QUIET * per_square)
        size = (self.squares_x * per_square + 2 * rim, self.squares_y * per_square + 2 * rim)
        return np.asarray(self._pattern.generateImage(size, marginSize=rim), np.uint8)

    @cached_property
    def _markers(self) -> Any:
        known = {name.removeprefix("DICT_"): name for name in dir(cv2.aruco) if name.startswith("DICT_")}
        name = self.dictionary.upper().removeprefix("DICT_")
        if name not in known:
            raise ConfigError(
                f"board: unknown dictionary '{self.dictionary}'{did_you_mean(name, sorted({*known} - {name}))}"
            )
        return cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, known[name]))

    @cached_property
    def _pattern(self) -> Any:
        return cv2.aruco.CharucoBoard((self.squares_x, self.squares_y), self.square, self.marker, self._markers)

    @cached_property
    def _detector(self) -> Any:
        return cv2.aruco.CharucoDetector(self._pattern)


def _with_density(png: bytes, per_metre: int) -> bytes:
    """The PNG with a pHYs chunk (PNG specification, 11.3.4.3), which goes right after the header chunk."""
    body = b"pHYs" + struct.pack(">IIB", per_metre, per_metre, 1)
    chunk = struct.pack(">I", 9) + body + struct.pack(">I", zlib.crc32(body))
    after_header = 8 + 25
    return png[:after_header] + chunk + png[after_header:]
