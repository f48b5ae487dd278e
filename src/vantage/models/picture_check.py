"""The tiny picture by which a model that takes none is found out before anything depends on it."""

from __future__ import annotations

import re

import numpy as np

from vantage.models.prompts import prompt
from vantage.models.protocol import Call, Image

_SIDE = 64  # pixels: models cut pictures into patches of up to 32, and some refuse what is smaller than one
_SIGHT = re.compile(
    r"image|picture|pixel|vision|visual|multi-?modal|mmproj|modalit|content.{0,20}(?:list|array|string|type)",
    re.IGNORECASE,
)
_MOST_TOKENS = 16  # of the reply, for one word; some servers take no smaller bound


def tiny_picture() -> Image:
    """A red square on white, (64, 64, 3) uint8 RGB."""
    picture = np.full((_SIDE, _SIDE, 3), 255, np.uint8)
    middle = slice(_SIDE // 4, 3 * _SIDE // 4)
    picture[middle, middle] = (220, 20, 20)
    return picture


def picture_call(number: int = 1) -> Call:
    """Asks for one word about the tiny picture, shown so many times."""
    return Call(prompt("tiny_picture").text, (tiny_picture(),) * number, most_tokens=_MOST_TOKENS)


def is_about_pictures(refusal: str) -> bool:
    """Whether what is said of a refused call speaks of pictures, or of content in parts, as they are sent."""
    return bool(_SIGHT.search(refusal))
