"""Homes as splats and as houses, side by side."""

import numpy as np
import pytest
from touch_home import touch_home

from vantage.bench import bench_looks, looks_table
from vantage.bench.looks import _Tally, _told, places_to_look
from vantage.errors import SceneError
from vantage.scenes.geometry import EYE_HEIGHT
from vantage.spatial import Intrinsics
from vantage.splats.synthesis import cloud_from_spec

CAMERA = Intrinsics.from_fov(160, 120, 1.2)


@pytest.fixture(scope="module")
def home():
    return touch_home()


@pytest.mark.needs("house")
@pytest.mark.needs("gl")
def test_a_home_looks_alike_in_both(home):
    told = bench_looks([(home, cloud_from_spec(home))], 2, 0, CAMERA)
    assert told["ids_agree"] > 0.9
    assert told["exact"]["house"]["ids_right"] > 0.98
    assert told["print_near"] is None
    assert any(line.startswith("pixels with the same id") for line in looks_table(told))


def test_places_are_at_eye_height_and_free(home):
    for place in places_to_look(home, 3, np.random.default_rng(0)):
        assert place.z == pytest.approx(EYE_HEIGHT)
        assert max(abs(place.x), abs(place.y)) <= 2.0


def test_a_home_without_room_is_refused(home, monkeypatch):
    monkeypatch.setattr("vantage.bench.looks._GAP", 9.0)
    with pytest.raises(SceneError, match="no free place to look from"):
        places_to_look(home, 1, np.random.default_rng(0))


@pytest.mark.parametrize("found", [{"near": [False]}, {"colors": [False]}, {"overlaps": [(0.0, "mug")]}])
def test_a_share_of_nothing_right_meets_no_bound(found):
    sound = {"agree": 10, "pixels": 10, "overlaps": [(1.0, "mug")], "colors": [True], "near": [True]}
    assert _told(_Tally(**sound), 1, 1, CAMERA)["met"]
    assert not _told(_Tally(**{**sound, **found}), 1, 1, CAMERA)["met"]
