"""PSNR and SSIM of pictures, and the exposure between them."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from sampling import examples

from vantage.reports.image_metrics import Exposure, ExposureFit, likeness, ssim


def scene(seed=0, size=(40, 56)):
    """Smooth blobs, (H, W, 3)."""
    noise = np.random.default_rng(seed).uniform(0, 255, (*size, 3)).astype(np.float32)
    smooth = cv2.GaussianBlur(noise, (0, 0), 3.0)
    return np.clip(128 + 6 * (smooth - smooth.mean()), 0, 255).astype(np.uint8)


def ssim_by_hand(one, other):
    """Wang et al. 2004, equations 6 and 13 to 17, window by window."""
    a, b = (cv2.cvtColor(p, cv2.COLOR_RGB2GRAY).astype(float) for p in (one, other))
    at = np.arange(11) - 5
    w = np.exp(-(at[:, None] ** 2 + at[None] ** 2) / (2 * 1.5**2))
    w /= w.sum()
    c1, c2 = (0.01 * 255) ** 2, (0.03 * 255) ** 2
    found = []
    for i in range(a.shape[0] - 10):
        for j in range(a.shape[1] - 10):
            x, y = a[i : i + 11, j : j + 11], b[i : i + 11, j : j + 11]
            mx, my = (w * x).sum(), (w * y).sum()
            vx, vy, cov = (w * (x - mx) ** 2).sum(), (w * (y - my) ** 2).sum(), (w * (x - mx) * (y - my)).sum()
            found.append((2 * mx * my + c1) * (2 * cov + c2) / ((mx**2 + my**2 + c1) * (vx + vy + c2)))
    return float(np.mean(found))


@pytest.mark.parametrize("noise", [2.0, 15.0, 60.0])
def test_ssim_is_that_of_the_paper(noise):
    one = scene()
    other = np.clip(one + np.random.default_rng(1).normal(0, noise, one.shape), 0, 255).astype(np.uint8)
    assert ssim(one, other) == pytest.approx(ssim_by_hand(one, other), abs=1e-9)
    assert ssim(one, other) == pytest.approx(ssim(other, one))


def test_equal_pictures_are_wholly_alike_and_others_less():
    one = scene()
    assert likeness(one, one).ssim == pytest.approx(1.0)
    assert likeness(one, one).psnr == float("inf")
    brighter = likeness(one, np.clip(one.astype(int) + 10, 0, 255).astype(np.uint8))
    assert brighter.psnr == pytest.approx(20 * np.log10(255 / 10), abs=0.3)
    assert likeness(one, scene(9)).ssim < 0.5 < brighter.ssim


@pytest.mark.parametrize("other", [np.zeros((40, 57, 3), np.uint8), np.zeros((10, 56, 3), np.uint8)])
def test_pictures_that_cannot_be_compared_are_refused(other):
    with pytest.raises(ValueError, match="cannot be compared"):
        ssim(other if len(other) == 10 else scene(), other)


@given(st.floats(0.4, 1.6), st.floats(-25.0, 25.0), st.integers(0, 100))
@settings(max_examples=examples(20), deadline=None)
def test_gain_and_bias_are_found_from_several_pictures_in_spite_of_saturation(gain, bias, seed):
    fit = ExposureFit()
    for k in range(3):
        picture = scene(seed + k)
        fit.add(picture, Exposure((gain,) * 3, (bias,) * 3).apply(picture))
    found = fit.result()
    assert found.gain == pytest.approx((gain,) * 3, rel=0.03)
    assert found.bias == pytest.approx((bias,) * 3, abs=3.0)


def test_what_cannot_be_fitted_is_left_as_it_is():
    assert ExposureFit().result() == Exposure()
    grey = np.full((20, 20, 3), 100, np.uint8)
    fit = ExposureFit()
    fit.add(grey, np.full((20, 20, 3), 130, np.uint8))
    assert fit.result() == Exposure((1.0, 1.0, 1.0), (30.0, 30.0, 30.0))
    fit = ExposureFit()
    fit.add(scene(), 255 - scene())
    assert fit.result().gain == (1.0, 1.0, 1.0)
