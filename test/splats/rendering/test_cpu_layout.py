"""What the CPU renderer keeps of a cloud."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from plain_renderer import random_cloud

from vantage.splats.cloud import GaussianCloud, concatenate
from vantage.splats.rendering.cpu_layout import CHUNK, FIELDS, LANES, aligned, arrange


def field(geometry: np.ndarray, index: int) -> np.ndarray:
    return geometry.reshape(-1, FIELDS, LANES)[:, index].reshape(-1)


@pytest.mark.parametrize("degree", [0, 2, 3])
def test_every_gaussian_is_kept_once_with_its_values(degree: int) -> None:
    cloud = random_cloud(500, degree, seed=3)
    layout = arrange(cloud)
    kept = np.flatnonzero(cloud.opacities >= 1 / 255)
    n = len(kept)
    assert np.array_equal(np.sort(layout.origins[:n]), kept)
    origins = layout.origins[:n]
    for axis in range(3):
        assert np.allclose(
            field(layout.geometry, axis)[:n] + layout.center[axis], cloud.means[origins, axis], atol=1e-5
        )
    covariances = cloud.covariances()[origins].reshape(-1, 9)[:, (0, 1, 2, 4, 5, 8)]
    for term in range(6):
        assert np.allclose(field(layout.geometry, 3 + term)[:n], covariances[:, term], rtol=1e-4, atol=1e-7)
    assert np.allclose(2 ** field(layout.geometry, 9)[:n], cloud.opacities[origins], rtol=1e-5)
    k = (degree + 1) ** 2
    sh = layout.harmonics.reshape(-1, k, 3, LANES).transpose(0, 3, 1, 2).reshape(-1, k, 3)
    assert np.array_equal(sh[:n], cloud.sh[origins])
    assert np.array_equal(layout.names[layout.slots[:n]], cloud.instances[origins])


def test_padding_is_never_drawn() -> None:
    cloud = random_cloud(2 * CHUNK, seed=1)
    layout = arrange(cloud.select(np.flatnonzero(cloud.opacities >= 1 / 255)[: CHUNK + 1]))
    assert len(layout.origins) == 2 * CHUNK
    assert (field(layout.geometry, 10)[CHUNK + 1 :] == -1).all()


def test_boxes_hold_what_their_chunk_shows() -> None:
    cloud = random_cloud(1000, seed=2)
    layout = arrange(cloud)
    n = int((cloud.opacities >= 1 / 255).sum())
    for axis in range(3):
        deviation = np.sqrt(np.maximum(field(layout.geometry, (3, 6, 8)[axis]), 0))
        reach = field(layout.geometry, 10) * deviation
        offset = np.abs(field(layout.geometry, axis) - np.repeat(layout.boxes[:, axis], CHUNK))
        assert (offset + reach <= np.repeat(layout.boxes[:, 3 + axis], CHUNK) + 1e-5)[:n].all()


def test_neighbours_share_chunks_though_a_stray_is_far_away() -> None:
    near = random_cloud(4096, seed=5, size=0.001, depth=(1.0, 2.0))
    stray = near.select(np.arange(1)).transformed(
        np.array([[1, 0, 0, 5e4], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1.0]])
    )
    spans = arrange(concatenate([near, stray])).boxes[:-1, 3:].max(axis=1)
    assert np.median(spans) < 0.5  # of about 1.5


def test_what_cannot_be_drawn_is_left_out() -> None:
    cloud = random_cloud(5, seed=1)
    means, scales = cloud.means.copy(), cloud.scales.copy()
    means[1], scales[2] = 1e30, 1e25
    broken = GaussianCloud(means, scales, cloud.quaternions, np.full(5, 0.5), cloud.sh, cloud.instances)
    assert sorted(arrange(broken).origins[:3].tolist()) == [0, 3, 4]
    assert arrange(broken).geometry.max() < 1e18


def test_an_empty_cloud() -> None:
    layout = arrange(GaussianCloud.empty(3))
    assert layout.boxes.shape == (0, 6)
    assert layout.nbytes == 0


def test_memory_starts_at_cache_lines() -> None:
    for count in (1, 3, 100):
        array = aligned(count, np.int64, zero=True)
        assert array.ctypes.data % 64 == 0
        assert array.tolist() == [0] * count


@pytest.mark.parametrize("names", [[0], [3, 4, 9], [-(2**31), 0, 2**31 - 1], [7, 1_000_000], range(-5, 300)])
def test_any_instance_ids_are_numbered_in_ascending_order(names: Sequence[int]) -> None:
    cloud = random_cloud(900, seed=3)
    ids = np.random.default_rng(0).choice(np.array(names), 900).astype(np.int32)
    layout = arrange(GaussianCloud(cloud.means, cloud.scales, cloud.quaternions, cloud.opacities, cloud.sh, ids))
    drawn = cloud.opacities >= 1 / 255
    n = int(drawn.sum())
    assert np.array_equal(layout.names, np.unique(ids[drawn]))
    assert np.array_equal(layout.names[layout.slots[:n]], ids[layout.origins[:n]])
