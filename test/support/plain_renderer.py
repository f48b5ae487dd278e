"""The definition of the picture, pixel by pixel and Gaussian by Gaussian, in float64 and without tiles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from vantage.spatial import Intrinsics, invert
from vantage.splats.cloud import GaussianCloud
from vantage.splats.harmonics import basis


@dataclass
class PlainView:
    rgb: np.ndarray  # (H, W, 3) float64, not clipped
    depth: np.ndarray
    alpha: np.ndarray
    votes: dict[int, np.ndarray]


def plain_render(
    cloud: GaussianCloud,
    T_world_camera: Any,
    lens: Intrinsics,
    background: tuple[float, float, float] = (0, 0, 0),
    near: float = 0.01,
    far: float = 1000.0,
) -> PlainView:
    T = invert(np.asarray(T_world_camera, dtype=np.float64))
    eye = np.asarray(T_world_camera)[:3, 3]
    centers = cloud.means.astype(np.float64) @ T[:3, :3].T + T[:3, 3]
    v, u = np.mgrid[0 : lens.height, 0 : lens.width] + 0.5
    left = np.ones((lens.height, lens.width))
    going = np.ones_like(left, dtype=bool)
    rgb = np.zeros((lens.height, lens.width, 3))
    weighted = np.zeros_like(left)
    total = np.zeros_like(left)
    votes: dict[int, np.ndarray] = {}
    covariances = cloud.covariances()
    for i in np.argsort(centers[:, 2].astype(np.float32), kind="stable"):
        x, y, z = centers[i]
        if not near <= z <= far:
            continue
        half_x, half_y = 0.5 * lens.width / lens.fx, 0.5 * lens.height / lens.fy
        tx = np.clip(x / z, -lens.cx / lens.fx - 0.3 * half_x, (lens.width - lens.cx) / lens.fx + 0.3 * half_x)
        ty = np.clip(y / z, -lens.cy / lens.fy - 0.3 * half_y, (lens.height - lens.cy) / lens.fy + 0.3 * half_y)
        J = np.array([[lens.fx / z, 0, -lens.fx * tx / z], [0, lens.fy / z, -lens.fy * ty / z]])
        flat = J @ T[:3, :3] @ covariances[i] @ T[:3, :3].T @ J.T + 0.3 * np.eye(2)
        inverse = np.linalg.inv(flat)
        du, dv = u - (lens.fx * x / z + lens.cx), v - (lens.fy * y / z + lens.cy)
        power = -0.5 * (inverse[0, 0] * du**2 + 2 * inverse[0, 1] * du * dv + inverse[1, 1] * dv**2)
        alpha = np.minimum(cloud.opacities[i] * np.exp(power), 0.999)
        alpha[alpha < 1 / 255] = 0
        going &= left * (1 - alpha) > 1e-4
        weight = np.where(going, left * alpha, 0)
        left = left - weight
        direction = (cloud.means[i] - eye) / np.linalg.norm(cloud.means[i] - eye)
        color = np.maximum(0.5 + basis(direction[None], cloud.degree)[0] @ cloud.sh[i].astype(np.float64), 0)
        rgb += weight[..., None] * color
        weighted += weight * z
        total += weight
        name = int(cloud.instances[i])
        votes[name] = votes.get(name, np.zeros_like(left)) + weight
    with np.errstate(invalid="ignore"):
        depth = np.where(total > 0, weighted / total, np.nan)
    return PlainView(rgb + left[..., None] * np.array(background), depth, 1 - left, votes)


def psnr(image: Any, reference: Any) -> float:
    """Of two images with values in 0..255, dB."""
    error = float(np.mean((np.asarray(image, np.float64) - np.asarray(reference, np.float64)) ** 2))
    return float("inf") if error == 0 else 10 * float(np.log10(255**2 / error))


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
