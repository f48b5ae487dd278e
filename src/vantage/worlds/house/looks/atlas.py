"""Bitmaps of many charts packed into a few pages, with borders so that neighbours do not mix."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

BORDER = 2  # texels around a bitmap that repeat its edge
_WIDTH = 1024  # texels of a page, unless one bitmap is wider
_TALLEST = 4096  # texels


@dataclass(frozen=True)
class Spot:
    """Where a bitmap lies: its page, and the column and row of its first texel."""

    page: int
    column: int
    row: int


@dataclass(frozen=True)
class Layout:
    """The spots of bitmaps in their order, and the width and height of every page, texels."""

    spots: tuple[Spot, ...]
    pages: tuple[tuple[int, int], ...]


def pack(sizes: Sequence[tuple[int, int]]) -> Layout:
    """Lay bitmaps of widths and heights (texels) in rows, the tallest first."""
    spots: list[Spot] = [Spot(0, 0, 0)] * len(sizes)
    if not sizes:
        return Layout((), ())
    page_width = max(_WIDTH, max(width for width, _ in sizes) + 2 * BORDER)
    pages: list[tuple[int, int]] = []
    column = row = tall = 0
    for k in sorted(range(len(sizes)), key=lambda k: (-sizes[k][1], -sizes[k][0], k)):
        width, height = (side + 2 * BORDER for side in sizes[k])
        if column + width > page_width:
            column, row, tall = 0, row + tall, 0
        if row and row + height > _TALLEST:
            pages.append((page_width, row))
            column = row = tall = 0
        spots[k] = Spot(len(pages), column + BORDER, row + BORDER)
        column, tall = column + width, max(tall, height)
    pages.append((page_width, row + tall))
    return Layout(tuple(spots), tuple(pages))


def paste(page: NDArray[np.uint8], spot: Spot, bitmap: NDArray[np.uint8]) -> None:
    """Put a bitmap (h, w, 3) and its border on a page (H, W, 3)."""
    height, width, _ = bitmap.shape
    top, left = spot.row - BORDER, spot.column - BORDER
    area = page[top : top + height + 2 * BORDER, left : left + width + 2 * BORDER]
    area[BORDER:-BORDER, BORDER:-BORDER] = bitmap
    area[:BORDER, BORDER:-BORDER], area[-BORDER:, BORDER:-BORDER] = bitmap[:1], bitmap[-1:]
    area[:, :BORDER], area[:, -BORDER:] = area[:, BORDER : BORDER + 1], area[:, -BORDER - 1 : -BORDER]


def texture_places(
    uv: NDArray[np.float64], spot: Spot, size: tuple[int, int], page: tuple[int, int]
) -> NDArray[np.float64]:
    """Texture coordinates (V, 2) on a page of places (V, 2; 0..1) in a bitmap of a width and height, texels."""
    corner = np.array([spot.column, spot.row], dtype=np.float64)
    places: NDArray[np.float64] = (corner + uv * size) / page
    return places
