"""Reference images, not quantised and with every vote: the picture by its definition, and how well a renderer agrees.

``plain_render`` takes Gaussian by Gaussian, nearest first, in float64 and without tiles: slow and easy to check. The
projection is that of Zwicker et al., "EWA Volume Splatting" (2001), as used by Kerbl et al., "3D Gaussian Splatting"
(2023), with gsplat's constants.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vantage.spatial import Intrinsics, Matrix, invert
from vantage.splats.cloud import GaussianCloud
from vantage.splats.harmonics import basis
from vantage.splats.rendering.renderer import BLACK, FAR, NEAR, RenderedView, Rgb

Image = NDArray[np.float64]

BLUR = 0.3  # pixels^2, on the diagonal of the projected covariance
MOST = 0.999  # alpha is capped here
LEAST = 1.0 / 255.0  # and skipped below
ENOUGH = 1e-4  # a pixel ends before its transmittance would fall to this
MARGIN = 0.15  # of the image's size beyond its edges: up to there the Jacobian follows the Gaussian's direction


@dataclass(frozen=True)
class _Footprints:
    """Visible Gaussians on the image, nearest first."""

    index: Any  # (V,) in the cloud
    center: Image  # (V, 2), pixels
    conic: Image  # (V, 3): the inverse covariance's xx, xy, yy
    reach: Image  # (V, 2), pixels beyond which alpha is below LEAST
    depth: Image  # (V,), m
    color: Image  # (V, 3)


def plain_render(
    cloud: GaussianCloud,
    T_world_camera_optical: Matrix,
    intrinsics: Intrinsics,
    background: Rgb = BLACK,
    near: float = NEAR,
    far: float = FAR,
) -> ExactView:
    """See ``Renderer.render``."""
    seen = _project(cloud, np.asarray(T_world_camera_optical, dtype=np.float64), intrinsics, near, far)
    height, width = intrinsics.height, intrinsics.width
    left = np.ones((height, width))
    going = np.ones((height, width), dtype=bool)
    rgb = np.zeros((height, width, 3))
    weighted, total = np.zeros((height, width)), np.zeros((height, width))
    votes: dict[int, Image] = {}
    first = np.floor(np.clip(seen.center - seen.reach - 1, 0, (width, height))).astype(int)
    last = np.ceil(np.clip(seen.center + seen.reach + 1, 0, (width, height))).astype(int)
    opacities, names = cloud.opacities.astype(np.float64), cloud.instances.tolist()
    for k, i in enumerate(seen.index):
        (x0, y0), (x1, y1) = first[k], last[k]
        if x0 == x1 or y0 == y1:
            continue
        box = (slice(y0, y1), slice(x0, x1))
        du = np.arange(x0, x1) + 0.5 - seen.center[k, 0]
        dv = (np.arange(y0, y1) + 0.5 - seen.center[k, 1])[:, None]
        a, b, c = seen.conic[k]
        alpha = np.minimum(opacities[i] * np.exp(-0.5 * (a * du * du + c * dv * dv) - b * du * dv), MOST)
        alpha[alpha < LEAST] = 0
        going[box] &= left[box] * (1 - alpha) > ENOUGH
        weight = np.where(going[box], left[box] * alpha, 0)
        left[box] -= weight
        rgb[box] += weight[..., None] * seen.color[k]
        weighted[box] += weight * seen.depth[k]
        total[box] += weight
        if names[i] not in votes:
            votes[names[i]] = np.zeros((height, width))
        votes[names[i]][box] += weight
    with np.errstate(invalid="ignore"):
        depth = np.where(total > 0, weighted / total, np.nan)
    return ExactView(rgb + left[..., None] * np.asarray(background, dtype=np.float64), depth, 1 - left, votes)


def _project(cloud: GaussianCloud, pose: Matrix, lens: Intrinsics, near: float, far: float) -> _Footprints:
    view = invert(pose)
    z = cloud.means.astype(np.float64) @ view[2, :3] + view[2, 3]
    drawn = np.flatnonzero((near <= z) & (z <= far) & (cloud.opacities >= LEAST))
    index = drawn[np.argsort(z[drawn].astype(np.float32), kind="stable")]
    cloud = cloud.select(index)
    means = cloud.means.astype(np.float64)
    x, y, z = (means @ view[:3, :3].T + view[:3, 3]).T

    half_x, half_y = MARGIN * lens.width / lens.fx, MARGIN * lens.height / lens.fy
    tx = np.clip(x / z, -lens.cx / lens.fx - half_x, (lens.width - lens.cx) / lens.fx + half_x)
    ty = np.clip(y / z, -lens.cy / lens.fy - half_y, (lens.height - lens.cy) / lens.fy + half_y)
    jacobian = np.zeros((len(cloud), 2, 3))
    jacobian[:, 0, 0], jacobian[:, 0, 2] = lens.fx / z, -lens.fx * tx / z
    jacobian[:, 1, 1], jacobian[:, 1, 2] = lens.fy / z, -lens.fy * ty / z
    flatten = jacobian @ view[:3, :3]
    flat = flatten @ cloud.covariances() @ flatten.transpose(0, 2, 1) + BLUR * np.eye(2)
    inverse = np.linalg.inv(flat)

    away = means - pose[:3, 3]
    away /= np.maximum(np.linalg.norm(away, axis=1, keepdims=True), 1e-12)
    color = 0.5 + np.einsum("nk,nkc->nc", basis(away, cloud.degree), cloud.sh.astype(np.float64))
    reach = np.sqrt(2.0 * np.maximum(np.log(cloud.opacities.astype(np.float64) / LEAST), 0.0))[:, None]
    return _Footprints(
        index,
        np.stack([lens.fx * x / z + lens.cx, lens.fy * y / z + lens.cy], axis=1),
        np.stack([inverse[:, 0, 0], inverse[:, 0, 1], inverse[:, 1, 1]], axis=1),
        reach * np.sqrt(np.stack([flat[:, 0, 0], flat[:, 1, 1]], axis=1)),
        z,
        np.maximum(color, 0.0),
    )


@dataclass(frozen=True)
class ExactView:
    """What a reference sees.

    Attributes:
        rgb: (H, W, 3), 0 for black and 1 for white, not clipped.
        depth: (H, W), weighted mean of z in the optical frame, m; NaN where nothing is seen.
        alpha: (H, W), 0..1.
        votes: (H, W) summed weights of each instance id.
    """

    rgb: Image
    depth: Image
    alpha: Image
    votes: Mapping[int, Image] = field(default_factory=dict)

    def rgb8(self) -> NDArray[np.uint8]:
        """(H, W, 3), rounded as renderers do."""
        return np.floor(np.clip(self.rgb, 0, 1) * 255 + 0.5).astype(np.uint8)

    def instances(self) -> NDArray[np.int32]:
        """(H, W): the id with the most votes, the smaller of equals; 0 where there are none."""
        return _elected(self.votes, self.alpha.shape)

    def classes(self, table: NDArray[np.int32]) -> NDArray[np.int32]:
        """(H, W): the same for classes, where ``table`` (M,) holds the class of each id and others have class 0."""
        summed: dict[int, Image] = {}
        for name, votes in self.votes.items():
            kind = int(table[name]) if 0 <= name < len(table) else 0
            summed[kind] = summed[kind] + votes if kind in summed else votes
        return _elected(summed, self.alpha.shape)


def _elected(votes: Mapping[int, Image], shape: tuple[int, ...]) -> NDArray[np.int32]:
    if not votes:
        return np.zeros(shape, np.int32)
    names = np.array(sorted(votes))
    planes = np.stack([votes[int(name)] for name in names])
    return np.where(planes.max(axis=0) > 0, names[planes.argmax(axis=0)], 0).astype(np.int32)


def psnr(image: Any, reference: Any, peak: float = 255.0) -> float:
    """Peak signal-to-noise ratio of two images with values in 0..peak, dB; infinite where they are equal."""
    error = float(np.mean((np.asarray(image, np.float64) - np.asarray(reference, np.float64)) ** 2))
    return float("inf") if error == 0 else 10 * float(np.log10(peak**2 / error))


@dataclass(frozen=True)
class Agreement:
    """How near a renderer comes to a reference.

    Attributes:
        psnr_db: of the 8-bit images.
        same_values: share of equal 8-bit values.
        depth_p999: 99.9th percentile of the difference in depth where both see something, m; 0 where neither does.
        same_seen: share of pixels in which both see something or neither does.
        same_instances: share of pixels with the id of the exact vote.
    """

    psnr_db: float
    same_values: float
    depth_p999: float
    same_seen: float
    same_instances: float


def agreement(view: RenderedView, exact: ExactView) -> Agreement:
    """Compare two views of one camera."""
    both = np.isfinite(view.depth) & np.isfinite(exact.depth)
    gaps = np.abs(view.depth.astype(np.float64) - exact.depth)[both]
    return Agreement(
        psnr(view.rgb, exact.rgb8()),
        float((view.rgb == exact.rgb8()).mean()),
        float(np.quantile(gaps, 0.999)) if gaps.size else 0.0,
        float((np.isfinite(view.depth) == np.isfinite(exact.depth)).mean()),
        float((view.instances == exact.instances()).mean()),
    )
