"""Real spherical harmonics in the order and with the signs of 3D Gaussian Splatting.

Source: Kerbl et al., "3D Gaussian Splatting" (2023); polynomials after Sloan, "Efficient Spherical Harmonic Evaluation"
(2013). The colour of a Gaussian seen along the unit direction d (from the camera to it) is ``0.5 + sum_k Y_k(d) c_k``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

C0 = 0.28209479177387814
C1 = 0.4886025119029199
C2 = (1.0925484305920792, 0.31539156525252005, 0.5462742152960396)
C3 = (0.5900435899266435, 2.890611442640554, 0.4570457994644658, 0.3731763325901154, 1.445305721320277)

COEFFICIENTS = (1, 4, 9, 16)


def degree_of(coefficients: int) -> int:
    """The degree, 0..3, of a number of coefficients per colour."""
    return COEFFICIENTS.index(coefficients)


def basis(directions: NDArray[Any], degree: int) -> NDArray[np.float64]:
    """Y_k(d), shape (N, (degree + 1) ** 2), for unit directions of shape (N, 3)."""
    d = np.asarray(directions, dtype=np.float64)
    x, y, z = d[:, 0], d[:, 1], d[:, 2]
    terms: list[NDArray[Any]] = [np.full(len(d), C0)]
    if degree > 0:
        terms += [-C1 * y, C1 * z, -C1 * x]
    if degree > 1:
        xx, yy, zz = x * x, y * y, z * z
        terms += [C2[0] * x * y, -C2[0] * y * z, C2[1] * (2 * zz - xx - yy), -C2[0] * x * z, C2[2] * (xx - yy)]
    if degree > 2:
        terms += [
            -C3[0] * y * (3 * xx - yy),
            C3[1] * x * y * z,
            -C3[2] * y * (4 * zz - xx - yy),
            C3[3] * z * (2 * zz - 3 * xx - 3 * yy),
            -C3[2] * x * (4 * zz - xx - yy),
            C3[4] * z * (xx - yy),
            -C3[0] * x * (xx - 3 * yy),
        ]
    return np.stack(terms, axis=1)


def rotate(sh: NDArray[np.float32], rotation: NDArray[np.float64]) -> NDArray[np.float32]:
    """Coefficients (N, K, 3) of the same colours after the Gaussians were turned by ``rotation`` (3, 3).

    The harmonics of one degree span a space that rotations keep, so the exact matrix follows from a few samples:
    ``Y(D) c' = Y(D R) c`` for rows of directions D.
    """
    degree = degree_of(sh.shape[1])
    if degree == 0:
        return sh
    samples = np.random.default_rng(0).normal(size=(64, 3))
    samples /= np.linalg.norm(samples, axis=1, keepdims=True)
    before, after = basis(samples @ rotation, degree), basis(samples, degree)
    turned: NDArray[np.float32] = sh.copy()
    for band in range(1, degree + 1):
        part = slice(band * band, (band + 1) ** 2)
        matrix = np.linalg.lstsq(after[:, part], before[:, part], rcond=None)[0].astype(np.float32)
        turned[:, part] = np.einsum("jk,nkc->njc", matrix, sh[:, part])
    return turned
