"""The PLY files of trained 3D Gaussian Splatting (Kerbl et al., 2023), as written by its reference implementation.

Opacity is a logit, scales are natural logarithms, quaternions are w x y z of any length, and ``f_rest`` holds all
red, then all green, then all blue coefficients.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vantage.errors import FormatError
from vantage.files import replacing
from vantage.splats.cloud import Floats, GaussianCloud
from vantage.splats.harmonics import COEFFICIENTS

_TYPES = {
    "char": "i1", "int8": "i1", "uchar": "u1", "uint8": "u1", "short": "i2", "int16": "i2", "ushort": "u2",
    "uint16": "u2", "int": "i4", "int32": "i4", "uint": "u4", "uint32": "u4", "float": "f4", "float32": "f4",
    "double": "f8", "float64": "f8",
}  # fmt: skip
_ORDERS = {"binary_little_endian": "<", "binary_big_endian": ">"}
_NEEDED = (
    *("x", "y", "z", "f_dc_0", "f_dc_1", "f_dc_2", "opacity"),
    *("scale_0", "scale_1", "scale_2", "rot_0", "rot_1", "rot_2", "rot_3"),
)
_LONGEST_HEADER = 1 << 16
_EXPORT = "export the trained Gaussians as a binary PLY"


def read_ply(path: Path) -> GaussianCloud:
    """Read a cloud; properties are found by name, unknown ones are ignored.

    Raises:
        FormatError: not such a file, truncated, empty, or with impossible values.
    """
    with path.open("rb") as file:
        head = file.read(_LONGEST_HEADER)
        order, count, layout, before, start = _parse_header(head, path)
        dtype = np.dtype([(name, order + kind) for name, kind in layout])
        rest = _check_properties([name for name, _ in layout], path)
        size = os.fstat(file.fileno()).st_size
        if start + before + count * dtype.itemsize > size:
            raise FormatError(
                f"{path} announces {count} Gaussians of {dtype.itemsize} bytes but ends after {size} bytes; "
                "it is truncated or damaged, copy it again"
            )
        file.seek(start + before)
        table = np.fromfile(file, dtype=dtype, count=count)
    return _cloud_of(table, rest, path)


def _parse_header(head: bytes, path: Path) -> tuple[str, int, list[tuple[str, str]], int, int]:
    """Byte order, number of vertices, their layout, bytes of elements before them, and where the data start."""
    end = head.find(b"end_header")
    stop = head.find(b"\n", end)
    if not head.startswith(b"ply") or end < 0 or stop < 0:
        raise FormatError(f"{path} has no complete PLY header; {_EXPORT}")
    order = ""
    elements: list[tuple[str, int, list[tuple[str, str]]]] = []
    for line in head[:end].decode("latin-1").splitlines()[1:]:
        words = line.split()
        if not words or words[0] in ("comment", "obj_info"):
            continue
        if words[0] == "format" and len(words) == 3:
            if words[1] not in _ORDERS:
                raise FormatError(f"{path} is a PLY file of format '{words[1]}', not binary; {_EXPORT}")
            order = _ORDERS[words[1]]
        elif words[0] == "element" and len(words) == 3 and words[2].isdecimal() and len(words[2]) < 40:
            elements.append((words[1], int(words[2]), []))
        elif words[0] == "property" and len(words) == 3 and words[1] in _TYPES and elements:
            elements[-1][2].append((words[2], _TYPES[words[1]]))
        elif words[0] == "property" and len(words) == 5 and words[1] == "list" and elements:
            elements[-1][2].append((words[4], "list"))
        else:
            raise FormatError(f"{path} has a PLY header line that makes no sense: '{line[:60]}'; {_EXPORT}")
    if not order:
        raise FormatError(f"{path} does not say its PLY format; {_EXPORT}")
    before = 0
    for name, count, layout in elements:
        names = [entry for entry, _ in layout]
        if any(kind == "list" for _, kind in layout) or len(set(names)) != len(names):
            break
        if name == "vertex":
            return order, count, layout, before, stop + 1
        before += count * sum(np.dtype(kind).itemsize for _, kind in layout)
    raise FormatError(f"{path} is a PLY file without a plain list of vertices (a mesh?); {_EXPORT}")


def _check_properties(names: list[str], path: Path) -> int:
    """The number of ``f_rest`` properties."""
    missing = [name for name in _NEEDED if name not in names]
    if missing:
        raise FormatError(
            f"{path} is a PLY file without Gaussians (a mesh or a point cloud?), it lacks {', '.join(missing)}; "
            + _EXPORT
        )
    rest = sum(name.startswith("f_rest_") for name in names)
    absent = any(f"f_rest_{k}" not in names for k in range(rest))
    if absent or rest not in [3 * (k - 1) for k in COEFFICIENTS]:
        raise FormatError(f"{path} has {rest} f_rest properties, expected 0, 9, 24 or 45 in a row; {_EXPORT}")
    return rest


def _cloud_of(table: NDArray[Any], rest: int, path: Path) -> GaussianCloud:
    if len(table) == 0:
        raise FormatError(f"{path} holds no Gaussians; {_EXPORT}")

    def columns(*names: str) -> Floats:
        return np.stack([table[name] for name in names], axis=1).astype(np.float32)

    sh = np.empty((len(table), 1 + rest // 3, 3), np.float32)
    sh[:, 0] = columns("f_dc_0", "f_dc_1", "f_dc_2")
    if rest:
        flat = columns(*(f"f_rest_{k}" for k in range(rest)))
        sh[:, 1:] = flat.reshape(len(table), 3, rest // 3).transpose(0, 2, 1)
    with np.errstate(over="ignore"):
        scales = np.exp(columns("scale_0", "scale_1", "scale_2"))
        opacities = 1.0 / (1.0 + np.exp(-table["opacity"].astype(np.float64)))
    names = table.dtype.names or ()
    instances = table["instance_id"] if "instance_id" in names else np.zeros(len(table))
    return GaussianCloud(
        columns("x", "y", "z"),
        scales,
        unit_quaternions(columns("rot_0", "rot_1", "rot_2", "rot_3")),
        opacities.astype(np.float32),
        sh,
        instances.astype(np.int32),
    )


def unit_quaternions(quaternions: NDArray[Any]) -> Floats:
    """Normalised; those that are not finite pass through, for the cloud to report.

    Raises:
        FormatError: one is zero.
    """
    lengths = np.linalg.norm(quaternions.astype(np.float64), axis=1, keepdims=True)
    if (lengths == 0).any():
        raise FormatError(f"{int((lengths == 0).sum())} quaternions are zero, which is no rotation; {_EXPORT}")
    return np.asarray(quaternions / lengths, dtype=np.float32)


def write_ply(cloud: GaussianCloud, path: Path) -> None:
    """Write a cloud, with a property ``instance_id`` where it has instances."""
    rest = 3 * (cloud.sh.shape[1] - 1)
    floats = ["x", "y", "z", "nx", "ny", "nz", "f_dc_0", "f_dc_1", "f_dc_2", *(f"f_rest_{k}" for k in range(rest))]
    floats += ["opacity", "scale_0", "scale_1", "scale_2", "rot_0", "rot_1", "rot_2", "rot_3"]
    named = bool(cloud.instances.any())
    layout = [(name, "<f4") for name in floats] + ([("instance_id", "<i4")] if named else [])
    opacity = np.clip(cloud.opacities.astype(np.float64), 1e-7, 1 - 1e-7)
    values = np.zeros((len(cloud), len(floats)), np.float32)
    values[:, 0:3] = cloud.means
    values[:, 6:9] = cloud.sh[:, 0]
    values[:, 9 : 9 + rest] = cloud.sh[:, 1:].transpose(0, 2, 1).reshape(len(cloud), rest)
    values[:, 9 + rest] = np.log(opacity / (1 - opacity))
    values[:, 10 + rest : 13 + rest] = np.log(np.maximum(cloud.scales, 1e-30))
    values[:, 13 + rest :] = cloud.quaternions
    table = np.zeros(len(cloud), np.dtype(layout))
    for k, name in enumerate(floats):
        table[name] = values[:, k]
    if named:
        table["instance_id"] = cloud.instances
    header = ["ply", "format binary_little_endian 1.0", f"element vertex {len(cloud)}"]
    header += [f"property {'int' if kind == '<i4' else 'float'} {name}" for name, kind in layout]
    with replacing(path) as partial, partial.open("wb") as file:
        file.write(("\n".join([*header, "end_header"]) + "\n").encode())
        table.tofile(file)
