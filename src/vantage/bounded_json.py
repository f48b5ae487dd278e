"""JSON of strangers: how deeply nested it is and how many values it holds is counted before anything is made of it.

Python's parser goes as deep as the text does, until its own recursion ends, and makes 24 bytes of each byte of ``{}``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

MOST_DEPTH = 100  # lists and objects within each other
MOST_VALUES = 4_000_000  # of one document: items, and objects and lists
_PIECE = 1 << 20  # characters that are counted at once
_STRUCTURE = b'"[]{},'
_OTHERS = bytes(set(range(256)) - set(_STRUCTURE))
_ESCAPES = re.compile(r"\\*")


def bounded_json(
    data: str | bytes,
    parse_int: Callable[[str], Any] | None = None,
    parse_constant: Callable[[str], Any] | None = None,
) -> Any:
    """What ``json.loads`` makes of a text.

    Raises:
        ValueError: it is not JSON, or beyond the bounds.
    """
    text = data if isinstance(data, str) else data.decode(json.detect_encoding(data), "surrogatepass")
    check_json(text)
    try:
        return json.loads(text, parse_int=parse_int, parse_constant=parse_constant)
    except RecursionError as error:  # of a text that is called from very deep
        raise ValueError(_too_deep()) from error


def check_json(text: str) -> None:
    """
    Raises:
        ValueError: a JSON text is nested more deeply than ``MOST_DEPTH``, or has more than ``MOST_VALUES`` values.
    """
    opened = text.count("[") + text.count("{")
    if opened > MOST_DEPTH or opened + text.count(",") > MOST_VALUES:
        _check_structure(text)


def _check_structure(text: str) -> None:
    import numpy as np  # here, because most texts are small

    quoted, depth, values = np.bool_(False), 0, 0
    for piece in _structure(text):
        signs = np.frombuffer(piece, np.uint8)
        within = np.bitwise_xor.accumulate(np.concatenate(([quoted], signs == ord('"'))))
        quoted = within[-1]
        signs = signs[~within[1:]]
        opening = (signs == ord("[")) | (signs == ord("{"))
        closing = (signs == ord("]")) | (signs == ord("}"))
        values += int(np.count_nonzero(opening | (signs == ord(","))))
        depths = depth + np.cumsum(opening.astype(np.int32) - closing.astype(np.int32))
        if values > MOST_VALUES:
            raise ValueError(f"it has more than {MOST_VALUES} values; split it, or check the path")
        if len(depths):
            depth = int(depths[-1])
            if depths.max() > MOST_DEPTH:
                raise ValueError(_too_deep())


def _structure(text: str) -> Iterator[bytes]:
    """The quotes, brackets, braces and commas of a text, in pieces; no quote that a string escapes."""
    start = 0
    while start < len(text):
        end = min(start + _PIECE, len(text))
        if text[end - 1] == "\\":  # what the last one escapes belongs to it
            end = _ESCAPES.match(text, end).end() + 1  # type: ignore[union-attr]
        piece = text[start:end].encode("utf-8", "surrogatepass")
        yield piece.replace(b"\\\\", b"").replace(b'\\"', b"").translate(None, _OTHERS)
        start = end


def _too_deep() -> str:
    return f"it is nested too deeply, more than {MOST_DEPTH} levels; write it anew"
