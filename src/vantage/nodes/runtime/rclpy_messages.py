"""Message classes of rclpy by their type names, and the factory that makes them."""

from __future__ import annotations

import array
import importlib
from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vantage.errors import MissingExtraError

_TYPECODES = {"b": "b", "B": "B", "h": "h", "H": "H", "i": "i", "I": "I", "l": "q", "L": "Q", "f": "f", "d": "d"}


@cache
def interface(type_name: str) -> Any:
    """The class behind a name such as ``sensor_msgs/msg/Image`` or ``std_srvs/srv/Trigger``.

    Raises:
        MissingExtraError: no ROS prefix in this environment has it.
    """
    package, kind, name = type_name.split("/")
    try:
        return getattr(importlib.import_module(f"{package}.{kind}"), name)
    except (ImportError, AttributeError) as error:
        raise MissingExtraError(
            f"the ROS interface {type_name} is not built here ({error}); run 'make setup' or source its workspace"
        ) from error


class RclpyFactory:
    """Makes the messages that rclpy publishes."""

    def make(self, type_name: str, fields: Mapping[str, Any]) -> Any:
        return interface(type_name)(**fields)

    def array(self, values: NDArray[Any]) -> Any:
        """One copy of the memory; rclpy takes an ``array`` of the right type without looking at its elements, and
        truth values only as a list."""
        flat = np.ascontiguousarray(values).reshape(-1)
        if flat.dtype == np.bool_:
            return flat.tolist()
        sequence = array.array(_TYPECODES[flat.dtype.char])
        sequence.frombytes(flat.view(np.uint8).data if flat.size else b"")
        return sequence

    def byte(self, value: int) -> bytes:
        return bytes([value])
