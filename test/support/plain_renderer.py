"""The definition of the picture under the names that tests use, and clouds to draw with it."""

from __future__ import annotations

import numpy as np

from vantage.splats.cloud import GaussianCloud
from vantage.splats.rendering.reference import ExactView as PlainView, plain_render, psnr

__all__ = ["PlainView", "plain_render", "psnr", "random_cloud"]


def random_cloud(
    n: int, degree: int = 0, seed: int = 0, size: float = 0.08, depth: tuple[float, float] = (1.0, 5.0)
) -> GaussianCloud:
    """Gaussians in front of a camera at the origin that looks along x."""
    rng = np.random.default_rng(seed)
    x = rng.uniform(*depth, n)
    means = np.stack([x, x * rng.uniform(-0.8, 0.8, n), x * rng.uniform(-0.6, 0.6, n)], axis=1)
    quaternions = rng.normal(size=(n, 4))
    quaternions /= np.linalg.norm(quaternions, axis=1, keepdims=True)
    return GaussianCloud(
        means,
        size * np.exp(rng.normal(size=(n, 3))),
        quaternions,
        rng.uniform(0.0, 1.0, n),
        0.5 * rng.normal(size=(n, (degree + 1) ** 2, 3)),
        rng.integers(0, 6, n),
    )
