"""The ROS interfaces without ROS: every message type from its definition, and messages of the rosbags library."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Protocol

from numpy.typing import NDArray
from rosbags.typesys import Stores, get_types_from_msg, get_typestore
from rosbags.typesys.store import Typestore

from vantage.files import shared_folder


class MessageFactory(Protocol):
    """Makes messages of one library's classes."""

    def make(self, type_name: str, fields: Mapping[str, Any]) -> Any:
        """A message of a type such as ``std_msgs/msg/Header``."""
        ...

    def array(self, values: NDArray[Any]) -> Any:
        """A sequence of numbers in the form that the message classes take for unbounded sequences."""
        ...

    def byte(self, value: int) -> Any:
        """A value in the form that the message classes take for ``byte``."""
        ...


class RosbagsFactory:
    """Makes messages that need no ROS."""

    def make(self, type_name: str, fields: Mapping[str, Any]) -> Any:
        return typestore().types[type_name](**fields)

    def array(self, values: NDArray[Any]) -> NDArray[Any]:
        return values

    def byte(self, value: int) -> int:
        return value


@lru_cache(maxsize=1)
def typestore() -> Typestore:
    """All standard types and Vantage's own, read from the interface definitions."""
    store = get_typestore(Stores.ROS2_JAZZY)
    types: dict[str, Any] = {}
    for path in sorted(shared_folder("msg").glob("*.msg")):
        types.update(get_types_from_msg(path.read_text(encoding="utf-8"), f"vantage_eqa/msg/{path.stem}"))
    store.register(types)
    return store


@lru_cache(maxsize=256)
def fields_of(type_name: str) -> tuple[tuple[str, Any], ...]:
    """Names and types of a message's fields, as ``rosbags.interfaces.Nodetype`` describes them."""
    return tuple(typestore().fielddefs[type_name][1])


@lru_cache(maxsize=256)
def definition_of(type_name: str) -> tuple[str, str]:
    """The text that defines a message type with all that it holds, and its hash (REP 2016), as bags tell them."""
    text, _ = typestore().generate_msgdef(type_name, ros_version=2)
    return text, typestore().hash_rihs01(type_name)
