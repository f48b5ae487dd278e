"""Spherical harmonics: orthonormal, right signs, exact under rotation."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from vantage.spatial import rotation_from_quaternion
from vantage.splats.harmonics import C0, basis, degree_of, rotate


def directions(n: int, seed: int = 0) -> np.ndarray:
    d = np.random.default_rng(seed).normal(size=(n, 3))
    return d / np.linalg.norm(d, axis=1, keepdims=True)


def test_the_basis_is_orthonormal_over_the_sphere() -> None:
    """A product of Gauss-Legendre and uniform nodes integrates polynomials of degree 6 exactly."""
    z, weights = np.polynomial.legendre.leggauss(8)
    phi = np.arange(16) * 2 * np.pi / 16
    zz, pp = (axis.ravel() for axis in np.meshgrid(z, phi, indexing="ij"))
    d = np.stack([np.sqrt(1 - zz**2) * np.cos(pp), np.sqrt(1 - zz**2) * np.sin(pp), zz], axis=1)
    y = basis(d, 3)
    gram = y.T @ (np.repeat(weights, 16)[:, None] * y) * (2 * np.pi / 16)
    assert gram == pytest.approx(np.eye(16), abs=1e-12)


def test_signs_and_order_of_the_first_terms() -> None:
    y = basis(np.eye(3), 1)
    c1 = 0.4886025119029199
    assert y == pytest.approx(np.array([[C0, 0, 0, -c1], [C0, -c1, 0, 0], [C0, 0, c1, 0]]))


@pytest.mark.parametrize(("count", "degree"), [(1, 0), (4, 1), (9, 2), (16, 3)])
def test_degree_of(count: int, degree: int) -> None:
    assert degree_of(count) == degree
    assert basis(directions(5), degree).shape == (5, count)


@given(st.tuples(*[st.floats(-1, 1)] * 4).filter(lambda q: sum(v * v for v in q) > 0.01), st.sampled_from([1, 2, 3]))
def test_rotated_coefficients_give_the_same_colour_along_the_rotated_direction(
    q: tuple[float, float, float, float], degree: int
) -> None:
    R = rotation_from_quaternion(*q)
    sh = np.random.default_rng(1).normal(size=(3, (degree + 1) ** 2, 3)).astype(np.float32)
    d = directions(7)
    before = np.einsum("dk,nkc->ndc", basis(d, degree), sh)
    after = np.einsum("dk,nkc->ndc", basis(d @ R.T, degree), rotate(sh, R))
    assert after == pytest.approx(before, abs=1e-5)
