"""The headers of binary PLY files: which elements follow, with which properties, and where each of them starts."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from vantage.errors import FormatError
from vantage.splats.formats.reading import AGAIN, size_of

EXPORT = "export the trained Gaussians as a binary PLY"

_TYPES = {
    "char": "i1", "int8": "i1", "uchar": "u1", "uint8": "u1", "short": "i2", "int16": "i2", "ushort": "u2",
    "uint16": "u2", "int": "i4", "int32": "i4", "uint": "u4", "uint32": "u4", "float": "f4", "float32": "f4",
    "double": "f8", "float64": "f8",
}  # fmt: skip
_ORDERS = {"binary_little_endian": "<", "binary_big_endian": ">"}
_LONGEST_HEADER = 1 << 16
_LONGEST_NUMBER = 40


@dataclass
class Element:
    """One element of a PLY file.

    Attributes:
        layout: name and type of each property, the types as of NumPy with their byte order.
        start: where its data start in the file; None where that or its own size depends on the data before.
    """

    name: str
    count: int
    layout: list[tuple[str, str]] = field(default_factory=list)
    start: int | None = None

    @property
    def names(self) -> list[str]:
        return [name for name, _ in self.layout]

    @property
    def itemsize(self) -> int:
        return sum(np.dtype(kind).itemsize for _, kind in self.layout)

    def read(self, file: BinaryIO, path: Path) -> NDArray[Any]:
        """Its data, one record for each entry.

        Raises:
            FormatError: the file ends before.
        """
        self.seek(file, path)
        return np.fromfile(file, dtype=np.dtype(self.layout), count=self.count)

    def seek(self, file: BinaryIO, path: Path) -> None:
        """Go to where its data start.

        Raises:
            FormatError: the file ends before its data do.
        """
        start, size = self.start or 0, size_of(file)
        if start + self.count * self.itemsize > size:
            raise FormatError(
                f"{path} announces {self.count} entries of {self.itemsize} bytes as '{self.name}' but ends after "
                f"{size} bytes; {AGAIN}"
            )
        file.seek(start)


def read_header(file: BinaryIO, path: Path) -> dict[str, Element]:
    """The elements that lie at a known place, by their names.

    Raises:
        FormatError: not a binary PLY file, or a header that contradicts itself.
    """
    file.seek(0)
    head = file.read(_LONGEST_HEADER)
    lines, data = _lines(head, path)
    order, elements = "", []
    for words in lines:
        if words[0] == "format" and len(words) == 3:
            if words[1] not in _ORDERS:
                raise FormatError(f"{path} is a PLY file of format {words[1][:40]!a}, not binary; {EXPORT}")
            order = _ORDERS[words[1]]
        elif words[0] == "element" and len(words) == 3 and _is_count(words[2]):
            elements.append(Element(words[1], int(words[2])))
        elif words[0] == "property" and len(words) == 3 and words[1] in _TYPES and elements:
            elements[-1].layout.append((words[2], _TYPES[words[1]]))
        elif words[0] == "property" and len(words) == 5 and words[1] == "list" and elements:
            elements[-1].layout.append((words[4], "list"))
        else:
            raise FormatError(f"{path} has a PLY header line that makes no sense: {' '.join(words)[:60]!a}; {EXPORT}")
    if not order:
        raise FormatError(f"{path} does not say its PLY format; {EXPORT}")
    found: dict[str, Element] = {}
    for element in elements:
        names = element.names
        if any(kind == "list" for _, kind in element.layout) or len(set(names)) != len(names):
            break
        element.layout = [(name, order + kind) for name, kind in element.layout]
        element.start = data
        data += element.count * element.itemsize
        found.setdefault(element.name, element)
    return found


def _is_count(word: str) -> bool:
    return word.isascii() and word.isdecimal() and len(word) < _LONGEST_NUMBER


def _lines(head: bytes, path: Path) -> tuple[list[list[str]], int]:
    """The words of each line of the header but the first and last, without comments, and where the data start."""
    lines: list[list[str]] = []
    start = 0
    while (stop := head.find(b"\n", start)) >= 0:
        words = head[start:stop].decode("latin-1").split()
        if start == 0 and words != ["ply"]:
            break
        start = stop + 1
        if words == ["end_header"]:
            return lines[1:], start
        if words and words[0] not in ("comment", "obj_info"):
            lines.append(words)
    raise FormatError(f"{path} has no complete PLY header; {EXPORT}")
