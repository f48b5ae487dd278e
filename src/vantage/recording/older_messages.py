"""Messages whose types had other fields when they were recorded become messages of today's types."""

from __future__ import annotations

import struct
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
from rosbags.interfaces import Connection, MessageDefinitionFormat, Nodetype
from rosbags.typesys import Stores, TypesysError, get_types_from_msg, get_typestore
from rosbags.typesys.store import Typestore

_KEPT = 64  # definitions

Renewal = Callable[[bytes], bytes]  # of a serialized (CDR) message


def renewal(connection: Connection, store: Typestore) -> Renewal | None:
    """What makes messages of a bag's connection those of today's type of the same name; None where they are already.

    Fields that are new are 0, False or empty, fields that are gone are dropped.

    Args:
        store: of today's types.

    Raises:
        ValueError: the bag does not say how to read them.
    """
    name, definition = connection.msgtype, connection.msgdef
    if name not in store.types or connection.digest in ("", store.hash_rihs01(name)):
        return None
    if definition.format is not MessageDefinitionFormat.MSG:
        return None
    try:
        older = _store_of(name, definition.data)
    except (TypesysError, ValueError, LookupError) as error:
        raise ValueError(f"the definition of {name} cannot be read: {error}") from error

    def renewed(data: bytes) -> bytes:
        try:
            message = older.deserialize_cdr(data, name)
            return bytes(store.serialize_cdr(_fitted(message, name, store), name))
        except (AttributeError, LookupError, TypeError, struct.error) as error:
            raise ValueError(f"a message of an older {name} is none of today's: {error}") from error

    return renewed


@lru_cache(maxsize=_KEPT)
def _store_of(name: str, definition: str) -> Typestore:
    store = get_typestore(Stores.EMPTY)
    store.register(get_types_from_msg(definition, name))
    return store


def _fitted(message: Any, name: str, store: Typestore) -> Any:
    """A message with the fields that its type has today."""
    if not hasattr(message, "__msgtype__"):
        raise TypeError(f"a field of {name} holds {type(message).__name__}")
    fields = {
        field: _value(getattr(message, field), node, store) if hasattr(message, field) else _unset(node, store)
        for field, node in store.fielddefs[name][1]
    }
    return store.types[name](**fields)


def _value(value: Any, node: Any, store: Typestore) -> Any:
    kind, what = node
    if kind is Nodetype.NAME:
        return _fitted(value, what, store)
    if kind is not Nodetype.BASE and what[0][0] is Nodetype.NAME:
        return [_fitted(item, what[0][1], store) for item in value]
    return value


def _unset(node: Any, store: Typestore) -> Any:
    kind, what = node
    if kind is Nodetype.NAME:
        return store.types[what](**{field: _unset(inner, store) for field, inner in store.fielddefs[what][1]})
    if kind is Nodetype.BASE:
        return {"string": "", "bool": False, "float32": 0.0, "float64": 0.0}.get(what[0], 0)
    element, size = what
    count = size if kind is Nodetype.ARRAY else 0
    if element[0] is Nodetype.BASE and element[1][0] != "string":
        return np.zeros(count, element[1][0])
    return [_unset(element, store) for _ in range(count)]
