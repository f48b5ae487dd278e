"""Messages of bags as text."""

from __future__ import annotations

import hashlib
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np

from vantage.recording.bags import read_bag

_LONG = 64  # items from which an array of bytes is a picture or the like


def in_full(bag: Path) -> str:
    """A line for each message of a bag, real numbers to seven digits; what pictures hold is left out, because versions
    of OpenCV pack them differently."""
    return "".join(f"{topic.name} {stamp} {plain(message, 7, False)}\n" for topic, stamp, message in read_bag(bag))


def plain(message: Any, digits: int = 9, hashed: bool = True) -> str:
    """A message in one line of text, field by field.

    Args:
        digits: of real numbers.
        hashed: long arrays by their hash; otherwise as they are, but for bytes.
    """
    if is_dataclass(message):
        named = {item.name: getattr(message, item.name) for item in fields(message) if not item.name.startswith("_")}
        return "{" + ", ".join(f"{name}={plain(value, digits, hashed)}" for name, value in named.items()) + "}"
    if isinstance(message, np.ndarray):
        if message.size > _LONG and hashed:
            return hashlib.sha256(np.ascontiguousarray(message).tobytes()).hexdigest()
        if message.size > _LONG and message.dtype == np.uint8:
            return "bytes"
        return plain(message.tolist(), digits, hashed)
    if isinstance(message, (list, tuple)):
        return "[" + ", ".join(plain(each, digits, hashed) for each in message) + "]"
    if isinstance(message, float):
        return repr(round(message, digits) + 0.0)
    return repr(message)
