"""The degraded perceiver: how often it errs, that its errors stay, and that it gives no identities."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from box_home import box_home
from box_world import BoxWorld
from drawn_room import CABINET, empty_room

from vantage.config import DegradedSettings, Settings
from vantage.errors import VantageError
from vantage.perception import label_confusions
from vantage.perception.perceivers.degraded import PLACE, DegradedPerceiver, uniform
from vantage.perception.perceivers.privileged import PrivilegedPerceiver
from vantage.perception.protocol import Perceiver
from vantage.registry import PERCEIVERS
from vantage.spatial import Viewpoint
from vantage.types import InstanceLabel

AHEAD = Viewpoint(0.1, 0.0, 1.0, 0.0, 0.0)
FLAWLESS = Settings(degraded=DegradedSettings(miss=0, label=0, color=0, material=0, state=0, position=0))


def always(**rates):
    none = dict.fromkeys(("miss", "label", "color", "material", "state", "position"), 0.0)
    return Settings(degraded=DegradedSettings(**{**none, "growth": 0.0, **rates}))


def shelf_of(count, size=0.2, x=2.0):
    """Closed red plastic boxes in a row, and a wall behind them."""
    world = BoxWorld()
    world.add(1, "wall", (3.0, -4.0, 0.0), (3.1, 4.0, 2.5))
    for k in range(count):
        y = 0.3 * (k % 5 - 2)
        z = 0.4 + 0.3 * (k // 5)
        world.add(k + 2, "chair", (x, y, z), (x + size, y + size, z + size), "red", "plastic", ("closed",))
        world.legend[k + 2] = replace(world.legend[k + 2], shape="square")
    return world


def test_is_a_registered_perceiver():
    perceiver = PERCEIVERS.create("degraded", min_pixels=30, settings=Settings(), seed=4)
    assert isinstance(perceiver, Perceiver)
    assert (perceiver.name, perceiver.min_pixels) == ("degraded", 30)


def test_the_privileged_one_takes_the_same_options():
    assert PERCEIVERS.create("privileged", min_pixels=30, settings=Settings(), seed=4).min_pixels == 30


def test_without_errors_it_sees_what_the_privileged_one_sees_but_for_identities():
    observation = shelf_of(20).observe(AHEAD)
    exact = PrivilegedPerceiver(20).perceive(observation)
    found, truth = DegradedPerceiver(20, FLAWLESS).perceive_with_truth(observation)
    assert truth == tuple(seen.instance_id for seen in exact)
    assert found == tuple(replace(seen, instance_id=0) for seen in exact)


def test_error_rates_are_those_of_the_settings():
    observation = shelf_of(25).observe(AHEAD)
    rates = DegradedSettings(0 + 2000, 0.1, 0.2, 0.2, 0.2, 0.2, 0.02, 0.0)
    counts, offsets, seen = Counter(), [], 0
    exact = {d.instance_id: d for d in PrivilegedPerceiver(20).perceive(observation)}
    for seed in range(60):
        found, truth = DegradedPerceiver(20, Settings(degraded=rates), seed).perceive_with_truth(observation)
        seen += len(exact) - 1
        counts["miss"] += len(exact) - len(truth)
        for detection, true_id in zip(found, truth, strict=True):
            true = exact[true_id]
            offsets.append(np.subtract(detection.center, true.center))
            for aspect in ("label", "color", "material", "states", "shape"):
                counts[aspect] += getattr(detection, aspect) != getattr(true, aspect)
    assert seen == 25 * 60
    assert counts["miss"] / seen == pytest.approx(0.1, abs=0.03)
    for aspect in ("label", "color", "material", "states", "shape"):
        assert counts[aspect] / (seen - counts["miss"]) == pytest.approx(0.2, abs=0.04), aspect
    np.testing.assert_allclose(np.std(offsets, axis=0), 0.02, rtol=0.1)
    np.testing.assert_allclose(np.mean(offsets, axis=0), 0.0, atol=0.003)


def test_errors_grow_as_objects_shrink_up_to_a_bound():
    def spread(x):
        observation = shelf_of(25).observe(replace(AHEAD, x=x))
        exact = {d.instance_id: d for d in PrivilegedPerceiver(5).perceive(observation)}
        offsets = []
        for seed in range(20):
            found, truth = DegradedPerceiver(5, seed=seed).perceive_with_truth(observation)
            offsets += [np.subtract(d.center, exact[k].center) for d, k in zip(found, truth, strict=True) if k != 1]
        return np.std(offsets)

    near, far, farthest = spread(0.1), spread(-4.0), spread(-12.0)
    assert near < far
    assert far == pytest.approx(0.06, rel=0.1)  # WORST times the error at the reference size
    assert farthest == pytest.approx(far, rel=0.1)


def test_staring_and_turning_on_the_spot_show_the_same_errors():
    world = shelf_of(25)
    perceiver = DegradedPerceiver(20, always(label=0.4, color=0.4, position=0.02), seed=3)
    exact = PrivilegedPerceiver(20)

    def errors(viewpoint):
        observation = world.observe(viewpoint)
        true = {d.instance_id: d for d in exact.perceive(observation)}
        found, truth = perceiver.perceive_with_truth(observation)
        return {
            k: (d.label, d.color, tuple(np.round(np.subtract(d.center, true[k].center), 6)))
            for d, k in zip(found, truth, strict=True)
            if not d.truncated
        }

    here = errors(AHEAD)
    assert errors(AHEAD) == here
    turned = errors(replace(AHEAD, yaw=0.15, pitch=0.05))
    assert all(turned[k] == here[k] for k in turned.keys() & here.keys())
    elsewhere = errors(replace(AHEAD, x=AHEAD.x - 3 * PLACE))
    same = [elsewhere[k] == here[k] for k in elsewhere.keys() & here.keys()]
    assert not all(same)


def test_some_objects_are_confusing_wherever_they_are_seen_from():
    views = [shelf_of(25).observe(replace(AHEAD, x=-0.6 * step)) for step in range(8)]
    counts = []
    for seed in range(6):
        perceiver, wrong = DegradedPerceiver(20, always(label=0.3), seed), Counter()
        for view in views:
            found, truth = perceiver.perceive_with_truth(view)
            wrong.update(k for d, k in zip(found, truth, strict=True) if d.label not in ("chair", "wall"))
        counts += [wrong[k] for k in range(2, 27)]
    assert np.mean(counts) / 8 == pytest.approx(0.3, abs=0.08)
    assert np.var(counts) > 1.5 * 8 * 0.3 * 0.7  # independent errors would have this variance


def test_the_building_is_never_missed_or_mistaken():
    home = box_home(1)
    perceiver = DegradedPerceiver(20, always(miss=1.0, label=1.0, color=1.0))
    found = perceiver.perceive(home.world.observe(home.tour()[3]))
    assert found
    assert {d.label for d in found} <= {"floor", "wall", "ceiling"}
    assert all(d.room == "kitchen" or d.label != "floor" for d in found)


def test_labels_are_taken_for_labels_that_look_alike():
    found = DegradedPerceiver(20, always(label=1.0)).perceive(shelf_of(20).observe(AHEAD))
    assert {d.label for d in found} <= {"wall", *label_confusions.LABELS["chair"]}


def test_a_view_of_nothing_and_a_view_without_depth():
    perceiver = DegradedPerceiver(20)
    assert perceiver.perceive(BoxWorld().observe(AHEAD)) == ()
    with pytest.raises(VantageError, match="needs depth"):
        perceiver.perceive(replace(shelf_of(3).observe(AHEAD), depth=None))
    with pytest.raises(VantageError, match="min_pixels"):
        DegradedPerceiver(0)


def test_depth_that_is_nan_everywhere_locates_nothing():
    observation = shelf_of(3).observe(AHEAD)
    assert DegradedPerceiver(20).perceive(replace(observation, depth=np.full_like(observation.depth, np.nan))) == ()


def test_confusions_go_both_ways_and_states_have_one_opposite():
    for table in (
        label_confusions.LABELS,
        label_confusions.COLORS,
        label_confusions.MATERIALS,
        label_confusions.SHAPES,
    ):
        assert all(word in table[other] for word, others in table.items() for other in others)
    assert all(len(others) == 1 for others in label_confusions.STATES.values())
    assert (
        label_confusions.state_axis("open")
        == label_confusions.state_axis("closed")
        != label_confusions.state_axis("on")
    )
    assert label_confusions.misread("unheard of", label_confusions.LABELS, 0.5) == "unheard of"


def test_draws_belong_to_their_keys():
    keys = np.arange(5000)[:, None]
    draws = uniform(7, keys, 3)
    np.testing.assert_array_equal(uniform(7, keys[::-1], 3)[::-1], draws)
    assert not np.array_equal(uniform(8, keys, 3), draws)
    assert ((draws >= 0) & (draws < 1)).all()
    np.testing.assert_allclose(draws.mean(axis=0), 0.5, atol=0.02)
    np.testing.assert_allclose(np.corrcoef(draws.T), np.eye(3), atol=0.05)


def test_a_handle_tells_nothing_of_the_true_identity_of_what_it_is_on():
    world = empty_room()
    world.legend[1_000_001] = InstanceLabel(1_000_001, "handle", "grey", part_of=CABINET)
    world.boxes.append((1_000_001, (3.7, 0.45, 0.54), (3.9, 0.48, 0.58)))
    view = world.observe(Viewpoint(3.8, 2.0, 1.3, -np.pi / 2, -0.5))
    found = DegradedPerceiver(60, always(label=1.0, color=1.0)).perceive(view)
    handle = next(item for item in found if item.label == "handle")
    assert (handle.instance_id, handle.part_of) == (0, 0)
