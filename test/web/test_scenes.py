"""Scenes that pages show: quickly while a camera moves, exactly at rest."""

from __future__ import annotations

import numpy as np
import pytest
from small_room import small_room

from vantage.spatial import Intrinsics
from vantage.splats import load_scene, save_scene
from vantage.splats.rendering import make_renderer, psnr
from vantage.web import SPLAT, Orbit, Scenes, places_at, scenes

pytestmark = pytest.mark.needs("web")
SMALL = Intrinsics.from_fov(160, 120, 1.2)


@pytest.fixture(scope="module")
def room(tmp_path_factory):
    cloud, graph = small_room()
    return save_scene(tmp_path_factory.mktemp("scene") / "room", None, graph, cloud)


def test_a_large_cloud_is_thinned_and_looks_nearly_the_same(room, monkeypatch):
    scene = load_scene(room)
    count = len(scene.cloud)
    assert scenes.thinned(scene) is scene  # small enough
    monkeypatch.setattr(scenes, "_QUICK", count // 2)
    few = scenes.thinned(scene)
    assert len(few.cloud) <= count // 2
    assert (few.cloud.scales[0] > scene.cloud.scales[0]).all()
    kept = Scenes(lambda: make_renderer("cpu", 1))
    shown = kept.get(next(iter(places_at(room).values())), SPLAT)
    viewpoint = Orbit.around(*shown.bounds).viewpoint
    exact, quick = (shown.seen(viewpoint, SMALL, outside=True, coarse=coarse) for coarse in (False, True))
    assert 18.0 < psnr(quick.rgb, exact.rgb) < 60.0
    np.testing.assert_array_equal(shown.seen(viewpoint, SMALL, outside=True).rgb, exact.rgb)
    assert shown.gaussians < count
    kept.close()
