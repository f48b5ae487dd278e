"""``.splat`` files: 32 bytes per Gaussian, degree-0 colour, made for web viewers.

Position 3 x float32, linear scale 3 x float32, red green blue opacity 4 x uint8, quaternion w x y z 4 x uint8 as
``128 q + 128``; little-endian. There is no header, so a wrong file shows only in its values. The frame is that of the
PLY file a capture was made from. A quaternion whose four bytes are 128 is no rotation; captures may hold a few.
"""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO

import numpy as np

from vantage.errors import FormatError
from vantage.files import replacing
from vantage.splats.cloud import GaussianCloud
from vantage.splats.formats.raw_gaussians import RawGaussians, check_count, size_of
from vantage.splats.harmonics import C0

RECORD = np.dtype([("mean", "<f4", 3), ("scale", "<f4", 3), ("rgba", "u1", 4), ("quaternion", "u1", 4)])


def read_splat(file: BinaryIO, path: Path) -> RawGaussians:
    """Read Gaussians.

    Raises:
        FormatError: empty or truncated.
    """
    size = size_of(file)
    if size == 0 or size % RECORD.itemsize:
        raise FormatError(
            f"{path} has {size} bytes, which is not a positive multiple of {RECORD.itemsize}; it is empty, truncated "
            "or no .splat file, copy or export it again"
        )
    check_count(size // RECORD.itemsize, 1, size, path)
    table = np.fromfile(file, dtype=RECORD)
    rgba = np.asarray(table["rgba"] / np.float32(255), dtype=np.float32)
    return RawGaussians(
        means=table["mean"],
        scales=table["scale"],
        quaternions=(table["quaternion"].astype(np.float32) - np.float32(128)) / np.float32(128),
        opacities=rgba[:, 3],
        sh=np.asarray((rgba[:, :3] - 0.5) / C0, dtype=np.float32)[:, None, :],
    )


def write_splat(cloud: GaussianCloud, path: Path) -> None:
    """Write a cloud; what depends on the viewing direction, and the instances, are lost."""
    table = np.zeros(len(cloud), RECORD)
    table["mean"], table["scale"] = cloud.means, cloud.scales
    table["rgba"][:, :3] = np.rint(cloud.base_colors() * 255)
    table["rgba"][:, 3] = np.rint(cloud.opacities * 255)
    table["quaternion"] = np.clip(np.rint(cloud.quaternions * 128 + 128), 0, 255)
    with replacing(path, table.nbytes) as partial:
        partial.write_bytes(table.data)
