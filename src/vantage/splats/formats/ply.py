"""The PLY files of trained 3D Gaussian Splatting (Kerbl et al., 2023), as written by its reference implementation.

Opacity is a logit, scales are natural logarithms, quaternions are w x y z of any length, and ``f_rest`` holds all
red, then all green, then all blue coefficients. The frame is that of the training cameras, mostly x right, y down,
z forward of the first one, in the units of the reconstruction. ``PlyHeader`` reads the header of any binary PLY file.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from vantage.errors import FormatError
from vantage.files import replacing
from vantage.splats.cloud import GaussianCloud
from vantage.splats.formats.raw_gaussians import AGAIN, RawGaussians, check_count, instance_ids, size_of
from vantage.splats.harmonics import COEFFICIENTS

EXPORT = "export the trained Gaussians as a binary PLY"
_TYPES = {
    "char": "i1", "int8": "i1", "uchar": "u1", "uint8": "u1", "short": "i2", "int16": "i2", "ushort": "u2",
    "uint16": "u2", "int": "i4", "int32": "i4", "uint": "u4", "uint32": "u4", "float": "f4", "float32": "f4",
    "double": "f8", "float64": "f8",
}  # fmt: skip

_ORDERS = {"binary_little_endian": "<", "binary_big_endian": ">"}
_LONGEST_HEADER = 1 << 16
_LONGEST_NUMBER = 40
_BEFORE_REST = ("x", "y", "z", "f_dc_0", "f_dc_1", "f_dc_2")
_AFTER_REST = ("opacity", "scale_0", "scale_1", "scale_2", "rot_0", "rot_1", "rot_2", "rot_3")
_IDS = {"instances": "instance_id", "parts": "part_id"}  # properties of this project
_NATIVE = {"little": "<f4", "big": ">f4"}[sys.byteorder]
_BLOCK = 2048


def read_ply(file: BinaryIO, elements: dict[str, Element], path: Path) -> RawGaussians:
    """Read Gaussians; properties are found by name, unknown ones are ignored.

    Raises:
        FormatError: no Gaussians, or truncated.
    """
    vertex = elements.get("vertex")
    if vertex is None:
        raise FormatError(f"{path} is a PLY file without a plain list of vertices (a mesh?); {EXPORT}")
    rest = _count_rest(vertex.names, path)
    k = 1 + rest // 3
    check_count(vertex.count, k, size_of(file), path)
    coefficients = [f"f_rest_{c * (k - 1) + j}" for j in range(k - 1) for c in range(3)]
    groups = {
        "means": ["x", "y", "z"],
        "scales": ["scale_0", "scale_1", "scale_2"],
        "quaternions": ["rot_0", "rot_1", "rot_2", "rot_3"],
        "opacities": ["opacity"],
        "sh": ["f_dc_0", "f_dc_1", "f_dc_2", *coefficients],
    }
    groups |= {group: [name] for group, name in _IDS.items() if name in vertex.names}
    values = _read_groups(file, vertex, groups, path)
    ids = {group: instance_ids(values[group][:, 0], path) for group in _IDS if group in values}
    with np.errstate(over="ignore"):
        return RawGaussians(
            means=values["means"],
            scales=np.exp(values["scales"]),
            quaternions=values["quaternions"],
            opacities=np.asarray(1.0 / (1.0 + np.exp(-values["opacities"][:, 0].astype(np.float64))), np.float32),
            sh=values["sh"].reshape(-1, k, 3),
            instances=ids.get("instances"),
            parts=ids.get("parts"),
        )


def _read_groups(
    file: BinaryIO, vertex: Element, groups: Mapping[str, Sequence[str]], path: Path
) -> dict[str, NDArray[Any]]:
    """The properties of each group (N, its length): ids in their type, everything else as float32."""
    vertex.seek(file, path)
    kinds = dict(vertex.layout)
    values: dict[str, NDArray[Any]] = {
        group: np.empty((vertex.count, len(names)), kinds[_IDS[group]] if group in _IDS else np.float32)
        for group, names in groups.items()
    }
    place = {name: column for column, name in enumerate(vertex.names)}
    columns = {group: [place[name] for name in names] for group, names in groups.items()}
    plain = all(kinds[name] == _NATIVE for group in groups.keys() - _IDS.keys() for name in groups[group])
    plain = plain and all(np.dtype(kind).itemsize == 4 for kind in kinds.values())
    for start in range(0, vertex.count, _BLOCK):  # a block stays in the cache while its columns are picked
        records = np.fromfile(file, np.dtype(vertex.layout), min(_BLOCK, vertex.count - start))
        block = slice(start, start + len(records))
        for group, names in groups.items():
            if plain:
                rows = records.view(values[group].dtype).reshape(len(records), len(kinds))
                np.take(rows, columns[group], axis=1, out=values[group][block], mode="clip")
            else:
                for column, name in enumerate(names):
                    values[group][block, column] = records[name]
    return values


def _count_rest(names: list[str], path: Path) -> int:
    """The number of ``f_rest`` properties."""
    missing = [name for name in (*_BEFORE_REST, *_AFTER_REST) if name not in names]
    if missing:
        raise FormatError(
            f"{path} is a PLY file without Gaussians (a mesh or a point cloud?), it lacks {', '.join(missing)}; "
            + EXPORT
        )
    rest = sum(name.startswith("f_rest_") for name in names)
    absent = any(f"f_rest_{k}" not in names for k in range(rest))
    if absent or rest not in [3 * (k - 1) for k in COEFFICIENTS]:
        raise FormatError(f"{path} has {rest} f_rest properties, expected 0, 9, 24 or 45 in a row; {EXPORT}")
    return rest


def write_ply(cloud: GaussianCloud, path: Path) -> None:
    """Write a cloud, with properties ``instance_id`` and ``part_id`` where it has any."""
    rest = 3 * (cloud.sh.shape[1] - 1)
    floats = ["x", "y", "z", "nx", "ny", "nz", *_BEFORE_REST[3:], *(f"f_rest_{k}" for k in range(rest)), *_AFTER_REST]
    ids = [(name, getattr(cloud, group)) for group, name in _IDS.items() if getattr(cloud, group).any()]
    layout = [(name, "<f4") for name in floats] + [(name, "<i4") for name, _ in ids]
    opacity = np.clip(cloud.opacities.astype(np.float64), 1e-7, 1 - 1e-7)
    values = np.zeros((len(cloud), len(layout)), "<f4")
    values[:, 0:3] = cloud.means
    values[:, 6:9] = cloud.sh[:, 0]
    values[:, 9 : 9 + rest] = cloud.sh[:, 1:].transpose(0, 2, 1).reshape(len(cloud), rest)
    values[:, 9 + rest] = np.log(opacity / (1 - opacity))
    values[:, 10 + rest : 13 + rest] = np.log(np.maximum(cloud.scales, 1e-30))
    values[:, 13 + rest : 17 + rest] = cloud.quaternions
    for column, (_, numbers) in enumerate(ids, start=len(floats)):
        values[:, column] = numbers.astype("<i4").view("<f4")
    header = ["ply", "format binary_little_endian 1.0", f"element vertex {len(cloud)}"]
    header += [f"property {'int' if kind == '<i4' else 'float'} {name}" for name, kind in layout]
    with replacing(path, values.nbytes) as partial, partial.open("wb") as file:
        file.write(("\n".join([*header, "end_header"]) + "\n").encode())
        file.write(values.data)


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
