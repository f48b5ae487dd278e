"""A cloud of 3D Gaussians: where they are, how big, how opaque, what colour, which object and part they are of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vantage.errors import FormatError
from vantage.spatial import Matrix, apply, quaternion
from vantage.splats import harmonics

Floats = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class GaussianCloud:
    """N Gaussians in one frame. Two clouds are equal only when they are the same object.

    Attributes:
        means: (N, 3) float32, m.
        scales: (N, 3) float32, standard deviations along the Gaussian's own axes, m.
        quaternions: (N, 4) float32, unit, w x y z: rotation from the Gaussian's axes to the cloud frame.
        opacities: (N,) float32, 0..1.
        sh: (N, K, 3) float32 with K = 1, 4, 9 or 16: spherical harmonics of red, green and blue.
        instances: (N,) int32: which object a Gaussian belongs to, 0 for none.
        parts: (N,) int32: which part of its object, counted from 1, 0 for none; all 0 where they are left out.

    Raises:
        FormatError: wrong shapes, values that are not finite or out of range, quaternions that are not of unit length.
    """

    means: Floats
    scales: Floats
    quaternions: Floats
    opacities: Floats
    sh: Floats
    instances: NDArray[np.int32]
    parts: NDArray[np.int32] = field(default_factory=lambda: np.zeros(0, np.int32))

    def __post_init__(self) -> None:
        for name in ("means", "scales", "quaternions", "opacities", "sh"):
            object.__setattr__(self, name, np.ascontiguousarray(getattr(self, name), dtype=np.float32))
        if len(self.parts) == 0:
            object.__setattr__(self, "parts", np.zeros(len(self.means), np.int32))
        for name in ("instances", "parts"):
            object.__setattr__(self, name, np.ascontiguousarray(getattr(self, name), dtype=np.int32))
        self._check()

    def _check(self) -> None:
        n = len(self.means)
        shapes: dict[str, tuple[int, ...]] = {"means": (n, 3), "scales": (n, 3), "quaternions": (n, 4)}
        shapes |= {"opacities": (n,), "instances": (n,), "parts": (n,)}
        for name, shape in shapes.items():
            if getattr(self, name).shape != shape:
                raise FormatError(f"{name} of a cloud has shape {getattr(self, name).shape}; expected {shape}")
        if self.sh.ndim != 3 or self.sh.shape[::2] != (n, 3) or self.sh.shape[1] not in harmonics.COEFFICIENTS:
            raise FormatError(f"sh of a cloud has shape {self.sh.shape}; expected ({n}, K, 3) with K of 1, 4, 9, 16")
        for name in ("means", "scales", "quaternions", "opacities", "sh"):
            values = getattr(self, name)
            if not np.isfinite(values).all():
                bad = int(np.count_nonzero(~np.isfinite(values).reshape(n, -1).all(axis=1)))
                raise FormatError(f"{name} of {bad} of {n} Gaussians are not finite; remove these Gaussians")
        if n == 0:
            return
        if (self.scales < 0).any():
            raise FormatError("scales of a cloud are negative; pass standard deviations in metres, not logarithms")
        if self.opacities.min() < 0 or self.opacities.max() > 1:
            raise FormatError("opacities of a cloud lie outside 0..1; pass them after the sigmoid")
        if np.abs(np.linalg.norm(self.quaternions, axis=1) - 1).max() > 1e-3:
            raise FormatError("quaternions of a cloud are not of unit length; normalise them")

    @staticmethod
    def empty(degree: int = 0) -> GaussianCloud:
        """A cloud without Gaussians."""
        k = harmonics.COEFFICIENTS[degree]
        return GaussianCloud(
            np.zeros((0, 3), np.float32),
            np.zeros((0, 3), np.float32),
            np.zeros((0, 4), np.float32),
            np.zeros(0, np.float32),
            np.zeros((0, k, 3), np.float32),
            np.zeros(0, np.int32),
        )

    def __len__(self) -> int:
        return len(self.means)

    @property
    def degree(self) -> int:
        """Degree of the spherical harmonics, 0..3."""
        return harmonics.degree_of(self.sh.shape[1])

    def base_colors(self) -> Floats:
        """(N, 3) colours, 0..1, without what depends on the viewing direction."""
        return np.asarray(np.clip(0.5 + harmonics.C0 * self.sh[:, 0], 0, 1), dtype=np.float32)

    def rotations(self) -> NDArray[np.float64]:
        """(N, 3, 3): columns are the Gaussians' axes in the cloud frame."""
        w, x, y, z = self.quaternions.astype(np.float64).T
        rows = [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
        return np.stack([np.stack(row, axis=-1) for row in rows], axis=1)

    def covariances(self) -> NDArray[np.float64]:
        """(N, 3, 3), m^2."""
        axes = self.rotations() * self.scales[:, None, :].astype(np.float64)
        return np.asarray(axes @ axes.transpose(0, 2, 1))

    def select(self, which: NDArray[Any]) -> GaussianCloud:
        """The Gaussians of a boolean mask (N,) or of indices (M,)."""
        return GaussianCloud(
            self.means[which],
            self.scales[which],
            self.quaternions[which],
            self.opacities[which],
            self.sh[which],
            self.instances[which],
            self.parts[which],
        )

    def transformed(self, T_world_cloud: Matrix, scale: float = 1.0) -> GaussianCloud:
        """The cloud in another frame: scaled about its origin first, then moved by a rigid transform (4, 4)."""
        transform = np.asarray(T_world_cloud, dtype=np.float64)
        rotation = transform[:3, :3]
        x, y, z, w = quaternion(rotation)
        qw, qx, qy, qz = self.quaternions.astype(np.float64).T
        turned = np.stack(
            [
                w * qw - x * qx - y * qy - z * qz,
                w * qx + x * qw + y * qz - z * qy,
                w * qy - x * qz + y * qw + z * qx,
                w * qz + x * qy - y * qx + z * qw,
            ],
            axis=1,
        )
        return GaussianCloud(
            apply(transform, self.means.astype(np.float64) * scale),
            self.scales * np.float32(scale),
            turned,
            self.opacities,
            harmonics.rotate(self.sh, rotation),
            self.instances,
            self.parts,
        )


def concatenate(clouds: Sequence[GaussianCloud]) -> GaussianCloud:
    """All Gaussians of several clouds in one frame, in order; lower degrees are padded with zeros."""
    if not clouds:
        return GaussianCloud.empty()
    k = max(cloud.sh.shape[1] for cloud in clouds)
    padded = [np.pad(cloud.sh, ((0, 0), (0, k - cloud.sh.shape[1]), (0, 0))) for cloud in clouds]
    return GaussianCloud(
        np.concatenate([cloud.means for cloud in clouds]),
        np.concatenate([cloud.scales for cloud in clouds]),
        np.concatenate([cloud.quaternions for cloud in clouds]),
        np.concatenate([cloud.opacities for cloud in clouds]),
        np.concatenate(padded),
        np.concatenate([cloud.instances for cloud in clouds]),
        np.concatenate([cloud.parts for cloud in clouds]),
    )
