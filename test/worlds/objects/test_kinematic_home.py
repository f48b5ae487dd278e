"""Splat homes whose things are opened, taken, put and switched: where Gaussians go, what is refused and told."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from warrants import let

from vantage.benchmarks.labelling.home_moves import moved_home
from vantage.config import Settings
from vantage.recording.from_messages import read_poses
from vantage.recording.interfaces import RosbagsFactory
from vantage.recording.to_messages import Codec
from vantage.runs.moved_things import MovedThings
from vantage.scenes.generator.generator import generate_home
from vantage.scenes.geometry import Solid
from vantage.scenes.spec import ObjectSpec
from vantage.spatial import Viewpoint, rotation_matrix
from vantage.splats.synthesis.from_spec import in_words, save_home
from vantage.types import (
    ArmTarget,
    Cause,
    Changes,
    Command,
    Episode,
    ObjectAction,
    Status,
    StepResult,
)
from vantage.worlds.conformance.checker import check_world
from vantage.worlds.objects.home_state import HELD_DEPTH
from vantage.worlds.protocol import Kinematic, poses_of
from vantage.worlds.splat import SplatWorld

SPEC = generate_home(3, name="room")
OBJECTS = {obj.instance_id: obj for obj in SPEC.objects}
NIGHTSTAND = next(obj for obj in SPEC.objects if obj.label == "nightstand")
INSIDE = next(obj for obj in SPEC.objects if obj.parent == NIGHTSTAND.instance_id and obj.relation == "in")
LAMP = next(obj for obj in SPEC.objects if "off" in obj.states)
BED = next(obj for obj in SPEC.objects if obj.label == "bed")
DESK = next(obj for obj in SPEC.objects if obj.label == "desk")


@pytest.fixture(scope="module")
def scenes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("homes")
    save_home(SPEC, folder / "room", in_words(SPEC))
    return folder


def settings_of(scenes: Path, reach: float = 50.0) -> Settings:
    known = Settings()
    camera = replace(known.camera, width=64, height=48)
    world = replace(known.world, scenes=str(scenes), renderer="cpu", threads=1, hand_reach=reach)
    return replace(known, camera=camera, world=world)


class Hand:
    """Sends one action after the other."""

    def __init__(self, world: SplatWorld) -> None:
        self.world = world
        start = world.place("room").scene.start
        assert start is not None
        self.episode = Episode("e", "search", "room", start, (), 100)
        self.begin()

    def begin(self, restored: bool = False) -> None:
        self.seen = self.world.reset(replace(self.episode, restored=restored), 0)
        self.sent = self.sent if restored else 0
        if not restored:
            let(self.world, "e", "test", self.seen.stamp)

    def do(self, verb: str, thing: int, place: int = 0) -> StepResult:
        self.sent += 1
        action = ArmTarget(object_action=ObjectAction(verb, thing, place))
        result = self.world.step(Command(None, "", action, "e", "test", self.sent))
        self.seen = result.observation
        return result

    def did(self, verb: str, thing: int, place: int = 0) -> None:
        result = self.do(verb, thing, place)
        assert result.status is Status.DONE, result.reason


@pytest.fixture(scope="module")
def shared(scenes: Path) -> Iterator[SplatWorld]:
    world = SplatWorld(settings_of(scenes))
    yield world
    world.close()


@pytest.fixture
def hand(shared: SplatWorld) -> Hand:
    return Hand(shared)


def rows(world: SplatWorld, obj: ObjectSpec, part: str = "") -> np.ndarray:
    cloud = world.scene.cloud
    own = cloud.instances == obj.instance_id
    return cloud.means[own & (cloud.parts == obj.part_names.index(part) + 1) if part else own]


def test_homes_say_that_they_change_kinematically(hand: Hand) -> None:
    info = hand.world.info
    assert (info.changes, info.acts) == (Changes.KINEMATIC, {"viewpoint", "arm"})
    assert isinstance(hand.world, Kinematic)
    told = poses_of(hand.world)
    assert (told.changes, told.held) == (Changes.KINEMATIC, 0)


def test_a_drawer_moves_along_the_axis_of_its_joint_and_takes_its_content_along(hand: Hand) -> None:
    joint = NIGHTSTAND.joints[0]
    way = joint.high * (rotation_matrix((0.0, 0.0, NIGHTSTAND.yaw)) @ np.asarray(joint.axis))
    front, content = rows(hand.world, NIGHTSTAND, joint.part), rows(hand.world, INSIDE)
    body = rows(hand.world, NIGHTSTAND, NIGHTSTAND.part_names[0])
    hand.did("open", NIGHTSTAND.instance_id)
    assert hand.world.joint_positions()[NIGHTSTAND.instance_id, joint.part] == joint.high
    np.testing.assert_allclose(rows(hand.world, NIGHTSTAND, joint.part)[: len(front)], front + way, atol=1e-5)
    np.testing.assert_array_equal(rows(hand.world, NIGHTSTAND, NIGHTSTAND.part_names[0])[: len(body)], body)
    assert len(rows(hand.world, NIGHTSTAND)) > len(front) + len(body), "the inside of a drawer is painted when it opens"
    moved = rows(hand.world, INSIDE)[: len(content)] - content
    drawn = hand.world.poses()[INSIDE.instance_id][:3, 3] - INSIDE.position
    np.testing.assert_allclose(moved, np.tile(drawn, (len(content), 1)), atol=1e-5)
    assert any(np.allclose(drawn, each.high / joint.high * way, atol=1e-6) for each in NIGHTSTAND.joints)


def test_what_is_closed_again_and_what_is_reset_is_as_it_was_to_the_byte(hand: Hand) -> None:
    cloud, first = hand.world.scene.cloud, hand.seen
    hand.did("open", NIGHTSTAND.instance_id)
    assert hand.world.scene.cloud is not cloud
    assert hand.seen.legend is not first.legend
    hand.did("close", NIGHTSTAND.instance_id)
    assert hand.world.scene.cloud is cloud
    np.testing.assert_array_equal(hand.seen.rgb, first.rgb)
    hand.did("open", NIGHTSTAND.instance_id)
    hand.did("take", INSIDE.instance_id)
    hand.begin(restored=True)
    assert hand.world.scene.cloud is cloud
    assert hand.world.held is None
    np.testing.assert_array_equal(hand.seen.rgb, first.rgb)
    np.testing.assert_array_equal(hand.world.poses()[INSIDE.instance_id][:3, 3], INSIDE.position)
    assert hand.world.occupancy is hand.world.place("room").occupancy
    hand.did("open", NIGHTSTAND.instance_id)


def test_what_is_taken_leaves_the_picture_and_comes_back_where_it_is_put(hand: Hand) -> None:
    thing = INSIDE.instance_id
    assert hand.do("take", thing).cause is Cause.CLOSED
    hand.did("open", NIGHTSTAND.instance_id)
    hand.did("take", thing)
    assert hand.world.held == thing
    assert not len(rows(hand.world, INSIDE))
    assert hand.world.poses()[thing][2, 3] < -0.9 * HELD_DEPTH
    assert hand.do("open", DESK.instance_id).cause is Cause.HAND
    hand.did("put_on", thing, DESK.instance_id)
    low, high = Solid.of(OBJECTS[DESK.instance_id]).bounds
    now = hand.world.poses()[thing][:3, 3]
    assert (low[:2] <= now[:2]).all()
    assert (now[:2] <= high[:2]).all()
    assert (now[2], hand.world.held) == (pytest.approx(high[2], abs=0.5), None)
    means = rows(hand.world, INSIDE)
    assert np.abs(means.mean(axis=0) - now).max() < 0.3
    hand.did("take", thing)
    hand.did("put_beside", thing, next(o.instance_id for o in SPEC.objects if o.parent == DESK.instance_id))
    hand.did("take", thing)
    hand.did("put_in", thing, NIGHTSTAND.instance_id)
    hand.did("close", NIGHTSTAND.instance_id)
    assert hand.do("take", thing).cause is Cause.CLOSED


def test_switches_are_told_in_the_legend_and_change_no_picture(hand: Hand) -> None:
    before = hand.seen
    hand.did("switch_on", LAMP.instance_id)
    assert before.legend is not None
    assert hand.seen.legend is not None
    assert "on" in hand.seen.legend[LAMP.instance_id].states
    assert "on" not in before.legend[LAMP.instance_id].states
    assert hand.seen.rgb is before.rgb
    assert hand.world.switched()[LAMP.instance_id]
    again = hand.do("switch_on", LAMP.instance_id)
    assert (again.status, again.reason) == (Status.DONE, f"the {LAMP.label} is on already")


def test_what_cannot_be_done_is_refused_for_a_cause_and_changes_nothing(hand: Hand) -> None:
    wall = next(obj.instance_id for obj in SPEC.objects if obj.label == "wall")
    thing = INSIDE.instance_id
    for action, cause in (
        (("open", 999), Cause.TARGET),
        (("put_on", thing, 999), Cause.TARGET),
        (("open", LAMP.instance_id), Cause.CAPABILITY),
        (("switch_on", BED.instance_id), Cause.CAPABILITY),
        (("take", wall), Cause.CAPABILITY),
        (("take", BED.instance_id), Cause.HEAVY),
        (("put_on", LAMP.instance_id, DESK.instance_id), Cause.HAND),
        (("take", 0), Cause.TARGET),
        (("shake", thing), Cause.TARGET),
    ):
        result = hand.do(*action)
        assert (result.status, result.cause) == (Status.REJECTED, cause), (action, result.reason)
        assert result.reason
        assert "\n" not in result.reason
    assert hand.world.scene is hand.world.place("room").scene
    hand.did("open", NIGHTSTAND.instance_id)
    hand.did("take", thing)
    assert hand.do("put_on", thing, wall).cause is Cause.CAPABILITY
    hand.did("put_on", thing, DESK.instance_id)
    hand.did("close", NIGHTSTAND.instance_id)
    hand.did("take", thing)
    assert hand.do("put_in", thing, NIGHTSTAND.instance_id).cause is Cause.CLOSED


def test_what_is_far_away_is_out_of_reach(scenes: Path) -> None:
    world = SplatWorld(settings_of(scenes, reach=0.1))
    hand = Hand(world)
    assert hand.do("open", NIGHTSTAND.instance_id).cause is Cause.FAR
    world.close()


def test_the_same_commands_give_the_same_bytes(scenes: Path, hand: Hand) -> None:
    other = Hand(SplatWorld(settings_of(scenes)))
    for each in (hand, other):
        each.did("open", NIGHTSTAND.instance_id)
        each.did("take", INSIDE.instance_id)
        each.did("put_on", INSIDE.instance_id, DESK.instance_id)
    np.testing.assert_array_equal(hand.world.scene.cloud.means, other.world.scene.cloud.means)
    np.testing.assert_array_equal(hand.seen.rgb, other.seen.rgb)
    other.world.close()


def test_what_was_done_is_told_to_judges_and_comes_back_from_messages(hand: Hand) -> None:
    changes = MovedThings()
    changes.look(poses_of(hand.world))
    hand.did("switch_on", LAMP.instance_id)
    codec = Codec(RosbagsFactory())
    news = changes.look(poses_of(hand.world))
    back = read_poses(codec.poses(5, "e", news))
    assert (dict(back.things), dict(back.switched)) == ({}, {LAMP.instance_id: True})
    hand.did("open", NIGHTSTAND.instance_id)
    hand.did("take", INSIDE.instance_id)
    back = read_poses(codec.poses(6, "e", changes.look(poses_of(hand.world))))
    assert (back.held, back.changes) == (INSIDE.instance_id, Changes.KINEMATIC)
    after = {obj.instance_id: obj for obj in moved_home(SPEC, changes.moved).objects}
    assert "on" in after[LAMP.instance_id].states
    assert "open" in after[NIGHTSTAND.instance_id].states
    assert after[INSIDE.instance_id].position[2] < -0.9 * HELD_DEPTH


def test_the_leaf_of_an_opened_door_is_in_the_way_until_it_is_closed(hand: Hand) -> None:
    door = next(obj for obj in SPEC.objects if obj.label == "door")
    away = replace(hand.episode.start, y=hand.episode.start.y + 0.8)  # the leaf swings over the usual start
    hand.episode = replace(hand.episode, start=away)
    hand.begin()
    x, y, _ = door.position
    swung = [np.array([x + dx, y + dy, 1.0]) for dx in np.linspace(-0.5, 0.5, 11) for dy in np.linspace(0.2, 0.9, 8)]
    free = [point for point in swung if hand.world.occupancy.sphere_free(point, 0.05)]
    hand.did("open", door.instance_id)
    blocked = [point for point in free if not hand.world.occupancy.sphere_free(point, 0.05)]
    assert 0 < len(blocked) < len(free)
    hand.did("close", door.instance_id)
    assert all(hand.world.occupancy.sphere_free(point, 0.05) for point in free)


def test_homes_keep_the_promises_of_worlds(scenes: Path, hand: Hand) -> None:
    names = check_world(lambda: SplatWorld(settings_of(scenes)), hand.episode)
    assert "objects_no_thing" in names


def test_other_scenes_have_no_arm(scenes: Path, tmp_path: Path) -> None:
    folder = tmp_path / "room"
    folder.mkdir()
    for file in (scenes / "room").iterdir():
        if file.is_file() and file.name != "spec.json":
            (folder / file.name).write_bytes(file.read_bytes())
    world = SplatWorld(settings_of(tmp_path))
    hand = Hand(world)
    assert (world.info.changes, world.info.acts) == (Changes.NONE, {"viewpoint"})
    assert (world.poses(), world.joint_positions(), world.switched()) == ({}, {}, {})
    assert hand.do("open", NIGHTSTAND.instance_id).cause is Cause.CAPABILITY
    world.close()


def test_a_door_that_would_hit_the_camera_stays(hand: Hand, shared: SplatWorld) -> None:
    x, y = (
        Solid.of(NIGHTSTAND).bounds.mean(axis=0)[:2]
        + 0.35 * np.array([math.cos(NIGHTSTAND.yaw), math.sin(NIGHTSTAND.yaw)])
    ).tolist()
    shared._viewpoint = Viewpoint(x, y, NIGHTSTAND.position[2] + 0.4, 0.0, 0.0)
    assert hand.do("open", NIGHTSTAND.instance_id).cause is Cause.CHECK
