"""Random messages of any ROS type, and bytes that are none; repeatable by the seed of the draws."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import Any

from rclpy.serialization import serialize_message
from rosidl_parser.definition import (
    AbstractNestedType,
    AbstractString,
    AbstractWString,
    Array,
    BasicType,
    BoundedSequence,
    NamespacedType,
)

from vantage.nodes.runtime.rclpy_messages import interface

_FLOATS = (0.0, -0.0, 1.0, -1.0, 1e30, 1e308, -1e308, math.nan, math.inf, -math.inf, 1e-320)
_SINGLE = 3.4e38  # beyond it a float32 is refused before it is sent
_TEXTS = ("", " ", "one", "../../etc/passwd", "/", "a/b", "\x1b[31mred\x1b[0m\x07", "<b>&amp;", "\u202eabc", "%s%n")
_LONG = 5_000
_MOST = 4  # elements of a list, at random
_BYTES = 400


def random_message(kind: Any, draw: random.Random) -> Any:
    """A message whose fields are at their limits, empty, absurd or merely random."""
    message = kind()
    for name, field in zip(message.get_fields_and_field_types(), message.SLOT_TYPES, strict=True):
        setattr(message, name, _value(field, draw))
    return message


def random_bytes(kind: Any, draw: random.Random) -> bytes:
    """Bytes in the place of a message: noise, one that was cut off, or one with flipped bits."""
    way = draw.randrange(3)
    if way == 0:
        return draw.randbytes(draw.randrange(_BYTES))
    data = bytearray(serialize_message(random_message(kind, draw)))
    if way == 1:
        return bytes(data[: draw.randrange(len(data) + 1)])
    for _ in range(draw.randint(1, 8)):
        data[draw.randrange(len(data))] ^= 1 << draw.randrange(8)
    return bytes(data)


def _value(field: Any, draw: random.Random) -> Any:
    if isinstance(field, AbstractNestedType):
        return _list(field, draw)
    if isinstance(field, (AbstractString, AbstractWString)):
        text = "x" * draw.randrange(_LONG) if draw.random() < 0.05 else draw.choice(_TEXTS)
        most = getattr(field, "maximum_size", None)
        return text if most is None else text[:most]
    if isinstance(field, NamespacedType):
        return random_message(interface("/".join(field.namespaced_name())), draw)
    assert isinstance(field, BasicType)
    return _scalar(field.typename, draw)


def _list(field: Any, draw: random.Random) -> Sequence[Any]:
    length = field.size if isinstance(field, Array) else draw.randint(0, _MOST)
    if isinstance(field, BoundedSequence):
        length = min(length, field.maximum_size)
    return [_value(field.value_type, draw) for _ in range(length)]


def _scalar(name: str, draw: random.Random) -> Any:
    if name == "boolean":
        return draw.random() < 0.5
    if name in ("octet", "char"):
        return draw.randbytes(1) if name == "octet" else draw.randrange(128)
    if name in ("float", "double"):
        value = draw.choice((*_FLOATS, draw.uniform(-10.0, 10.0)))
        return value if name == "double" or not math.isfinite(value) else max(-_SINGLE, min(_SINGLE, value))
    bits = int(name.removeprefix("u").removeprefix("int"))
    low, high = (0, 2**bits - 1) if name.startswith("u") else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
    return draw.choice((low, high, max(low, -1), 0, 1, 2, draw.randint(low, high)))
