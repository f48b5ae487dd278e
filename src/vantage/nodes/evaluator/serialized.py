"""What can be read from a serialized message without making an object of it."""

from __future__ import annotations

import struct

from vantage.recording.topics import SEARCH_MARKERS, TF, TF_STATIC, Topic

_LISTS = (TF, TF_STATIC, SEARCH_MARKERS)  # their first stamp lies behind the length of the list


def stamp_of(topic: Topic, data: bytes) -> int | None:
    """The first stamp in a serialized message, ns, without deserializing it; None where it holds none."""
    offset = 8 if topic in _LISTS else 4
    if len(data) < offset + 8:
        return None
    order = "<" if data[1] & 1 else ">"
    if topic in _LISTS and struct.unpack_from(f"{order}I", data, 4)[0] == 0:
        return None
    seconds, nanoseconds = struct.unpack_from(f"{order}iI", data, offset)
    return int(seconds) * 10**9 + int(nanoseconds)
