"""The scene file that follows from an alignment is one that loads, stands on z = 0 and starts at a sensible place."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import yaml
from turned_rooms import ceiling, sparse_room, table_with_box, turned

from vantage.errors import UsageError
from vantage.spatial import Intrinsics, apply, invert
from vantage.splats.alignment.aligned_scene import place_in_world
from vantage.splats.alignment.gravity import find_alignment
from vantage.splats.cloud import GaussianCloud
from vantage.splats.formats.clouds import save_ply
from vantage.splats.scene import SplatScene
from vantage.splats.scene_file import load_scene

QUATERNION = (0.3, -0.5, 0.2, 0.7)


def aligned(cloud: GaussianCloud, unit: float, folder: Path) -> SplatScene:
    save_ply(cloud, folder / "c.ply")
    document = {"cloud": "c.ply", **place_in_world(find_alignment(cloud), unit).document()}
    (folder / "scene.yaml").write_text(yaml.safe_dump(document))
    return load_scene(folder)


def test_a_room_is_entered(tmp_path: Path) -> None:
    room = sparse_room(2)
    scene = aligned(turned(room, QUATERNION, 4.0, (3, 4, 5))[0], 0.25, tmp_path)
    assert scene.floor == 0.0
    low, high = np.percentile(scene.cloud.means, [1, 99], axis=0)
    assert low[2] == pytest.approx(0.0, abs=0.02)
    assert high[2] == pytest.approx(ceiling(2), abs=0.02)
    assert 0.5 * (low + high)[:2] == pytest.approx([0, 0], abs=0.1)
    size = np.ptp(np.percentile(room.means, [1, 99], axis=0), axis=0)
    assert sorted(high - low) == pytest.approx(sorted(size), abs=0.05)
    assert scene.start is not None
    assert scene.start_region is not None
    gap = np.linalg.norm(scene.cloud.means - scene.start.position, axis=1).min()
    assert gap > 0.3
    assert scene.start.z == pytest.approx(1.5, abs=0.1)
    assert (np.array(scene.start_region[0]) < scene.start.position).all()
    assert (np.array(scene.start_region[1]) > scene.start.position).all()


def test_a_object_is_seen_whole_from_outside(tmp_path: Path) -> None:
    scene = aligned(turned(table_with_box(), QUATERNION, 2.0, (3, 4, 5))[0], 0.5, tmp_path)
    assert scene.start is not None
    camera = Intrinsics.from_fov(640, 480, 1.2)
    points = apply(invert(scene.start.T_world_camera_optical()), scene.cloud.means.astype(float))
    assert points[:, 2].min() > 0.25
    pixels = camera.project(points)
    inside = (pixels >= 0).all(axis=1) & (pixels[:, 0] < 640) & (pixels[:, 1] < 480)
    assert inside.mean() > 0.99
    assert np.ptp(np.percentile(pixels, [1, 99], axis=0), axis=0).max() > 150


def test_even_a_tiny_object_leaves_room_for_a_body(tmp_path: Path) -> None:
    scene = aligned(table_with_box(), 0.1, tmp_path)
    assert scene.start is not None
    assert np.linalg.norm(scene.cloud.means - scene.start.position, axis=1).min() > 0.3
    low, high = np.array(scene.bounds_min), np.array(scene.bounds_max)
    assert (scene.start.position - low).min() > 0.2
    assert (high - scene.start.position).min() > 0.2


@pytest.mark.parametrize("unit", [0.0, -1.0, float("nan"), float("inf")])
def test_impossible_units(unit: float) -> None:
    with pytest.raises(UsageError, match="metres per unit must be a positive number"):
        place_in_world(find_alignment(table_with_box()), unit)
