"""Views fused into an observed scene."""

from dataclasses import replace

import numpy as np
import pytest
from box_world import BoxWorld, look_around
from drawn_room import BASKET, BED, CABINET, DESK, DESK_TOP, POSITIONS, TABLE, TABLE_TOP, empty_room, put
from hypothesis import given, settings, strategies as st
from looker import Looker, looked_from
from sampling import examples

from vantage.perception.map import observed_scene
from vantage.perception.map.observed_scene import ObservedScene
from vantage.perception.perceivers.privileged import PrivilegedPerceiver
from vantage.spatial import Viewpoint
from vantage.types import Detection


def detection(instance_id=5, label="mug", center=(1.0, 1.0, 0.8), size=0.1, **changes):
    half = size / 2
    found = Detection(
        instance_id,
        label,
        "red",
        "ceramic",
        0.6,
        100,
        (0, 0, 10, 10),
        center,
        tuple(c - half for c in center),
        tuple(c + half for c in center),
    )
    return replace(found, **changes)


def observation(x=0.0, stamp=1):
    return replace(BoxWorld().observe(Viewpoint(x, 0.0, 1.0, 0.0, 0.0)), stamp=stamp, depth=None)


@pytest.fixture(scope="module")
def furnished():
    world = empty_room()
    put(world, 30, "mug", 1.5, 1.5, TABLE_TOP, "red", "ceramic")
    put(world, 31, "mug", 1.8, 1.2, TABLE_TOP, "blue", "ceramic")
    put(world, 32, "ball", 0.52, 3.42, 0.02, "green", "plastic", (0.16, 0.16, 0.16))
    put(world, 33, "pillow", 4.5, 3.4, 0.5, "white", "fabric", (0.4, 0.5, 0.14))
    put(world, 34, "suitcase", 2.6, 3.7, 0.0, "red", "leather", (0.5, 0.2, 0.4))
    put(world, 35, "radio", 0.4, 0.9, DESK_TOP, "green", "plastic", (0.2, 0.3, 0.2))
    behind_the_radio = (0.9, 0.5, 1.4)
    return looked_from(world, (*POSITIONS, behind_the_radio))


def test_objects_carry_what_the_views_showed(furnished):
    mug = furnished.memory.get(30)
    assert (mug.label, mug.color, mug.material) == ("mug", "red", "ceramic")
    assert mug.views > 2
    assert mug.whole
    np.testing.assert_allclose(mug.bounds_min, (1.44, 1.44, TABLE_TOP), atol=0.02)
    np.testing.assert_allclose(mug.bounds_max, (1.56, 1.56, TABLE_TOP + 0.14), atol=0.02)
    assert 1 <= len(mug.evidence) <= 5
    assert furnished.memory.get(CABINET).states == ("closed",)


def test_supports_from_observed_geometry(furnished):
    scene = furnished.memory
    places = {k: scene.support_of(scene.get(k)) for k in (30, 31, 32, 33, 34, 35, TABLE)}
    assert {k: (p.relation, p.key) for k, p in places.items()} == {
        30: ("on", TABLE),
        31: ("on", TABLE),
        32: ("in", BASKET),
        33: ("on", BED),
        34: ("on", 1),
        35: ("on", DESK),
        TABLE: ("on", 1),
    }
    table = scene.get(TABLE)
    assert {obj.instance_id for obj in scene.objects_at(table)} == {30, 31}
    assert scene.count_at(table, ["mug"]) == 2
    assert scene.count_at(table, ["ball"]) == 0
    assert scene.objects_at(scene.get(BASKET), "on") == ()


def test_closed_containers_are_known(furnished):
    assert [obj.instance_id for obj in furnished.memory.closed_containers()] == [CABINET, 34]  # and the suitcase


def test_a_support_looked_at_from_all_sides_is_complete(furnished):
    scene = furnished.memory
    for key in (TABLE, BED, DESK, CABINET):
        inspection = scene.inspection_of(scene.get(key), furnished.coverage)
        assert inspection.complete, (scene.get(key).label, inspection.seen, inspection.edge)


def test_a_table_seen_in_part_is_not_complete():
    world = empty_room()
    half = looked_from(world, [(1.6, 3.0, 1.3)], pitches=(-0.35,), turns=1)
    viewpoint = Viewpoint(1.7, 3.2, 1.4, -np.pi / 2 + 0.62, -0.35)  # the table leaves the image to the right
    half.observe(world.observe(viewpoint))
    table = half.memory.get(TABLE)
    assert table is not None
    inspection = half.memory.inspection_of(table, half.coverage)
    assert not table.whole
    assert not inspection.complete


def test_single_views_are_complete_only_where_the_whole_top_was_seen():
    world = empty_room()
    put(world, 33, "pillow", 4.4, 3.4, 0.5, "white", "fabric", (0.4, 0.5, 0.14))
    tops = {TABLE: ((1.2, 1.0), (2.0, 2.0)), BED: ((3.0, 2.9), (4.95, 3.95)), DESK: ((0.05, 0.05), (0.65, 1.2))}
    complete = 0
    above = (
        (1.6, 2.6, 1.7),
        (1.2, 0.6, 1.8),
        (2.6, 1.5, 1.6),
    )  # near enough for flat objects on the table and the desk
    for observed in look_around(world, POSITIONS + above, (-0.6, -0.9), 6):
        looker = Looker()
        looker.observe(observed)
        for key, (low, high) in tops.items():
            obj = looker.memory.get(key)
            if obj is not None and looker.memory.inspection_of(obj, looker.coverage).complete:
                complete += 1
                np.testing.assert_allclose(obj.bounds_min[:2], low, atol=0.12)
                np.testing.assert_allclose(obj.bounds_max[:2], high, atol=0.12)
    assert complete >= 2


def test_a_table_seen_from_below_its_top_is_not_looked_at():
    low = looked_from(empty_room(), [(2.8, 2.2, 0.5), (0.9, 2.6, 0.5)], pitches=(0.0,), turns=8)
    inspection = low.memory.inspection_of(low.memory.get(TABLE), low.coverage)
    assert inspection.seen < 0.2
    assert len(inspection.unseen) > 20


def test_what_a_big_object_hides_on_a_table_is_unseen():
    world = empty_room()
    put(world, 40, "box", 1.6, 1.5, TABLE_TOP, "brown", "paper", (0.1, 0.9, 0.7))
    one_side = looked_from(world, [(3.2, 1.5, 1.3)], pitches=(-0.35,), turns=16)
    inspection = one_side.memory.inspection_of(one_side.memory.get(TABLE), one_side.coverage)
    assert inspection.seen < 0.8
    hidden = np.array(inspection.unseen)
    assert (hidden[:, 0] < 1.65).mean() > 0.9


def test_only_detections_name_objects():
    world = empty_room()
    scene = ObservedScene()
    scene.add(world.observe(Viewpoint(2.5, 0.6, 1.3, 2.0, -0.4)), [])
    assert scene.objects == ()


def test_objects_without_identity_are_told_apart_by_place():
    scene = ObservedScene()
    scene.add(observation(), [detection(-1), detection(-1, center=(2.0, 1.0, 0.8))])
    scene.add(observation(1.0), [detection(-1, center=(1.05, 1.0, 0.8)), detection(-1, "book")])
    assert sorted(obj.label for obj in scene.objects) == ["book", "mug", "mug"]
    assert all(obj.instance_id < 0 for obj in scene.objects)


def test_attributes_that_were_not_made_out_do_not_win():
    scene = ObservedScene()
    scene.add(observation(), [detection(color="", material="", pixels=5000)])
    scene.add(observation(1.0), [detection(color="blue", pixels=100)])
    scene.add(observation(2.0), [detection(color="red", pixels=300)])
    assert scene.get(5).color == "red"


def test_the_same_view_proves_nothing_twice():
    scene = ObservedScene()
    for stamp in range(5):
        scene.add(observation(stamp=stamp), [detection()])
    assert scene.get(5).views == 1
    assert scene.get(5).confidence == pytest.approx(0.6)
    assert len(scene.get(5).evidence) == 1
    scene.add(observation(1.0), [detection()])
    assert scene.get(5).confidence == pytest.approx(1 - 0.4 * 0.4)


def test_a_weak_view_alone_does_not_stretch_a_object():
    scene = ObservedScene()
    scene.add(observation(), [detection(pixels=1000)])
    scene.add(observation(1.0), [detection(pixels=100, bounds_min=(0.2, 0.95, 0.75))])
    assert scene.get(5).bounds_min == pytest.approx((0.95, 0.95, 0.75))
    scene.add(observation(2.0), [detection(pixels=90, bounds_min=(0.22, 0.95, 0.75))])
    assert scene.get(5).bounds_min == pytest.approx((0.2, 0.95, 0.75))  # two weak views agree
    scene.add(observation(3.0), [detection(pixels=900, bounds_max=(1.5, 1.05, 0.85))])
    assert scene.get(5).bounds_max == pytest.approx((1.5, 1.05, 0.85))


def test_a_place_seen_from_afar_is_not_looked_at():
    world = empty_room()
    near, far = ObservedScene(min_pixels=12), ObservedScene(min_pixels=1000)
    perceiver = PrivilegedPerceiver(12)
    for observed in look_around(world, POSITIONS, (-0.9, -0.35), 8):
        detections = perceiver.perceive(observed)
        near.add(observed, detections)
        far.add(observed, detections)
    assert near.inspection_of(near.get(TABLE), None).seen > 0.95
    assert far.inspection_of(far.get(TABLE), None).seen < 0.5


def test_memory_is_bounded(monkeypatch):
    monkeypatch.setattr(observed_scene, "MAX_OBJECTS", 10)
    scene = ObservedScene()
    for k in range(1, 200):
        scene.add(observation(0.2 * k), [detection(k), detection(1)])
    assert len(scene.objects) == 10
    assert scene.get(1).views == 64
    assert len(scene.get(1).evidence) == 5


def test_reset_forgets():
    scene = ObservedScene()
    scene.add(observation(), [detection()])
    scene.given_up.add((1, "on", 0))
    scene.reset()
    assert scene.objects == ()
    assert scene.frames == 0
    assert scene.given_up == set()


def test_find_by_label():
    scene = ObservedScene()
    scene.add(observation(), [detection(1), detection(2, "book"), detection(3, "vase")])
    assert {obj.instance_id for obj in scene.find(["mug", "vase"])} == {1, 3}


@settings(max_examples=examples(60), deadline=None)
@given(st.lists(st.tuples(st.integers(0, 30), st.integers(1, 5000), st.floats(0, 1)), min_size=1, max_size=90))
def test_more_views_never_lower_confidence_nor_lose_space(looks):
    scene = ObservedScene()
    before = (0.0, 0, 0)
    for place, pixels, confidence in looks:
        scene.add(observation(0.3 * place), [detection(pixels=pixels, confidence=confidence)])
        obj = scene.get(5)
        after = (obj.confidence, obj.views, obj.pixels)
        assert all(new >= old for new, old in zip(after, before, strict=True))
        assert obj.confidence <= 0.99
        before = after


def test_weighings_are_kept_and_narrow_each_other_down():
    scene = ObservedScene()
    scene.add(observation(), [detection(5), detection(6, center=(2.0, 1.0, 0.8))])
    assert scene.get(5).mass is None
    scene.weighed(5, 0.2, 0.3)
    scene.weighed(5, 0.25, 0.4)
    scene.weighed(99, 1.0, 2.0)  # what was never seen is left out
    assert scene.get(5).mass == (0.25, 0.3)
    assert scene.get(6).mass is None
    with pytest.raises(ValueError, match="a mass lies between"):
        scene.weighed(5, 2.0, 1.0)
    scene.reset()
    assert scene.changes == 0


def test_things_that_become_one_have_one_weight():
    scene = ObservedScene()
    low, high = detection(0, "sofa", (1.0, 1.0, 0.4), 0.8), detection(0, "sofa", (1.9, 1.0, 0.4), 0.8)
    keys = [scene.add(observation(x), [each])[0] for x, each in ((0.0, low), (1.0, high))]
    scene.weighed(keys[0], 3.0, 4.0)
    scene.weighed(keys[1], 3.5, 5.0)
    whole = replace(low, bounds_max=high.bounds_max, center=(1.45, 1.0, 0.4), pixels=3000)
    scene.add(observation(3.0), [whole])
    scene.add(observation(5.0), [whole])
    assert len(scene.objects) == 1
    assert scene.get(keys[1]).mass == (3.5, 4.0)
    assert scene.get(keys[0]) is scene.get(keys[1])
