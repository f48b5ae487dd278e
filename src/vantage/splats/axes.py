"""The own axes of a Gaussian, in compiled code."""

from __future__ import annotations

from typing import Any

from vantage.jit import kernel


@kernel
def axes_of(quaternions: Any, n: int, axes: Any) -> None:
    """The unit axes of a Gaussian as the rows of ``axes`` (3, 3)."""
    w, x, y, z = (
        float(quaternions[n, 0]),
        float(quaternions[n, 1]),
        float(quaternions[n, 2]),
        float(quaternions[n, 3]),
    )
    axes[0, 0], axes[1, 0], axes[2, 0] = 1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)
    axes[0, 1], axes[1, 1], axes[2, 1] = 2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)
    axes[0, 2], axes[1, 2], axes[2, 2] = 2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)
