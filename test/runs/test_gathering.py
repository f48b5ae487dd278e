"""What looks add to what is known of a home, judged coarsely."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from sampling import examples

from vantage.benchmarks.labelling import PlaceSight, SceneVisibility, VisibilitySettings
from vantage.errors import SceneError
from vantage.runs import Gathering
from vantage.scenes.generator import generate_home
from vantage.spatial import Intrinsics, Viewpoint
from vantage.types import Poses

HOME = generate_home(5, 2)
SIGHT = PlaceSight(HOME, VisibilitySettings())
LENS = Intrinsics.from_fov(400, 300, 1.2)
NOWHERE = Poses()
ROOM = HOME.rooms[0]
MIDDLE = np.mean(ROOM.outline, axis=0)


def view(yaw: float, x: float = float(MIDDLE[0]), y: float = float(MIDDLE[1])) -> Viewpoint:
    return Viewpoint(x, y, 1.3, yaw, -0.4)


def test_the_first_look_tells_how_much_there_is_and_the_same_look_adds_nothing() -> None:
    gathering = Gathering(SIGHT, SIGHT.things[:2])
    fractions, news = gathering.look(view(0.0), LENS, None)
    assert set(fractions) == set(SIGHT.things[:2])
    assert news is not None
    assert (news.things, news.openable, news.floor_area) == (len(SIGHT.things), len(SIGHT.openable), SIGHT.floor_area)
    assert gathering.look(view(0.0), LENS, None)[1] is None


def test_a_turn_shows_more_things_once_each_and_more_floor() -> None:
    gathering = Gathering(SIGHT, ())
    told = [news for k in range(12) if (news := gathering.look(view(0.5 * k), LENS, None)[1]) is not None]
    seen = [key for news in told for key in news.seen]
    assert len(seen) == len(set(seen)) > 3
    areas = [news.floor_seen for news in told]
    assert areas == sorted(areas)
    assert 0.0 < areas[-1] <= SIGHT.floor_area


def test_it_agrees_with_the_dense_judge_about_most_things() -> None:
    dense = SceneVisibility.of_home(HOME)
    same, total = 0, 0
    for yaw in (0.0, 1.5, 3.0, 4.5):
        shown = SIGHT.look(view(yaw), LENS, SIGHT.things, np.zeros(0, np.bool_), NOWHERE)
        for key in SIGHT.things:
            judged = dense.view(key, view(yaw), LENS)
            enough = judged.fraction >= dense.settings.fraction and judged.pixels >= dense.settings.pixels
            same, total = same + (enough == (key in shown.enough)), total + 1
    assert same / total > 0.97


def test_what_is_opened_and_moved_is_told_and_put_back() -> None:
    obj, joint = next(
        (obj, joint)
        for obj in HOME.objects
        if obj.instance_id in SIGHT.openable
        for joint in obj.joints
        if joint.position == joint.low
    )
    opened = Poses({}, {(obj.instance_id, joint.part): joint.high})
    gathering = Gathering(SIGHT, ())
    before = SIGHT.look(view(1.0), LENS, SIGHT.things, np.zeros(0, np.bool_), NOWHERE)
    gathering.look(view(1.0), LENS, None)
    _, news = gathering.look(view(1.0), LENS, opened)
    assert news is not None
    assert news.opened == (obj.instance_id,)
    away = np.eye(4)
    away[:3, 3] = (500.0, 500.0, 0.0)
    thing = next(iter(before.enough))
    gone = SIGHT.look(view(1.0), LENS, SIGHT.things, np.zeros(0, np.bool_), Poses({thing: away}))
    assert gone.fractions[thing] == 0.0
    again = SIGHT.look(view(1.0), LENS, SIGHT.things, np.zeros(0, np.bool_), Poses())
    assert again.fractions == pytest.approx(before.fractions)
    assert again.enough == before.enough


def test_poses_and_targets_of_another_scene_are_refused() -> None:
    with pytest.raises(SceneError, match="no object 99999"):
        Gathering(SIGHT, (99999,)).look(view(0.0), LENS, None)
    with pytest.raises(SceneError, match="no object 99999"):
        SIGHT.look(view(0.0), LENS, (), np.zeros(0, np.bool_), Poses({99999: np.eye(4)}))


@settings(max_examples=examples(10))
@given(st.floats(-10, 20), st.floats(-10, 20), st.floats(-3, 3))
def test_shares_are_shares_from_anywhere(x: float, y: float, yaw: float) -> None:
    shown = SIGHT.look(view(yaw, x, y), LENS, SIGHT.things, np.zeros(0, np.bool_), NOWHERE)
    assert all(0.0 <= fraction <= 1.0 + 1e-9 for fraction in shown.fractions.values())


def test_floor_that_does_not_count_is_neither_seen_nor_there() -> None:
    near = PlaceSight(HOME, VisibilitySettings(), lambda points: np.linalg.norm(points - MIDDLE, axis=1) < 1.5)
    assert 0.0 < near.floor_area < SIGHT.floor_area
    gathering = Gathering(near, ())
    seen = 0.0
    for k in range(12):
        _, news = gathering.look(view(0.5 * k), LENS, None)
        seen = seen if news is None else news.floor_seen
    assert 0.0 < seen <= near.floor_area
