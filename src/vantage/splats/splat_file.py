"""``.splat`` files: 32 bytes per Gaussian, degree-0 colour, made for web viewers.

Position 3 x float32, linear scale 3 x float32, red green blue opacity 4 x uint8, quaternion w x y z 4 x uint8 as
``128 q + 128``; little-endian. There is no header, so a wrong file shows only in its values.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from vantage.errors import FormatError
from vantage.files import replacing
from vantage.splats.cloud import GaussianCloud
from vantage.splats.harmonics import C0
from vantage.splats.ply import unit_quaternions

RECORD = np.dtype([("mean", "<f4", 3), ("scale", "<f4", 3), ("rgba", "u1", 4), ("quaternion", "u1", 4)])


def read_splat(path: Path) -> GaussianCloud:
    """Read a cloud.

    Raises:
        FormatError: empty, truncated, or with impossible values.
    """
    size = path.stat().st_size
    if size == 0 or size % RECORD.itemsize:
        raise FormatError(
            f"{path} has {size} bytes, which is not a positive multiple of {RECORD.itemsize}; it is empty, truncated "
            "or no .splat file, copy or export it again"
        )
    table = np.fromfile(path, dtype=RECORD)
    rgba = np.asarray(table["rgba"] / 255, dtype=np.float32)
    return GaussianCloud(
        table["mean"],
        table["scale"],
        unit_quaternions((table["quaternion"].astype(np.float32) - 128) / 128),
        rgba[:, 3],
        np.asarray((rgba[:, :3] - 0.5) / C0, dtype=np.float32)[:, None, :],
        np.zeros(len(table), np.int32),
    )


def write_splat(cloud: GaussianCloud, path: Path) -> None:
    """Write a cloud; what depends on the viewing direction, and the instances, are lost."""
    table = np.zeros(len(cloud), RECORD)
    table["mean"], table["scale"] = cloud.means, cloud.scales
    table["rgba"][:, :3] = np.rint(cloud.base_colors() * 255)
    table["rgba"][:, 3] = np.rint(cloud.opacities * 255)
    table["quaternion"] = np.clip(np.rint(cloud.quaternions * 128 + 128), 0, 255)
    with replacing(path) as partial:
        table.tofile(partial)
