"""An observed scene that the robot's own hand changes."""

from dataclasses import replace

import numpy as np
import pytest
from box_world import LENS, BoxWorld
from drawn_room import CABINET, HIGH, LOW, POSITIONS, TABLE, TABLE_TOP, empty_room, put
from looker import Looker, looked_from

from vantage.perception.map.coverage import FREE, OCCUPIED, UNKNOWN
from vantage.perception.map.hand_memory import HandMemory
from vantage.perception.map.handles import HandleMemory
from vantage.perception.perceivers.degraded import DegradedPerceiver
from vantage.perception.perceivers.privileged import PrivilegedPerceiver
from vantage.spatial import Viewpoint
from vantage.types import ArmTarget, Command, Detection, InstanceLabel, Status, StepResult, Touch

MUG, OTHER, HANDLE = 30, 31, 1_000_001
START, BED_SIDE = (1.5, 1.5, TABLE_TOP + 0.07), (4.0, 3.3, 0.57)
LOOK_AT_TABLE = Viewpoint(2.5, 0.6, 1.3, 2.5, -0.5)
LOOK_AT_BED = Viewpoint(2.6, 2.0, 1.7, 0.7, -0.6)
LOOK_AT_CABINET = Viewpoint(3.8, 2.0, 1.3, -np.pi / 2, -0.5)


def touch(at, holds=False):
    pose = np.eye(4)
    pose[:3, 3] = at
    return Touch(pose, np.full(3, np.nan), np.full(3, np.nan), 0.05, holds)


def step(looker, world, viewpoint, at, holds=False, arm=None, status=Status.DONE, look=True):
    """One command, and what is seen and felt after it."""
    world.stamp = max(world.stamp, looker.memory.frames)  # stamps go on where the world is another one
    observation = replace(world.observe(viewpoint), touch=touch(at, holds))
    looker.memory.acted(StepResult(status, "", Command(arm=arm or ArmTarget()), observation), looker.coverage)
    if look:
        looker.observe(observation)
    return observation


def shifted(world, instance_id, by):
    """The world after a box of an object was moved."""
    boxes = [
        (key, *((tuple(np.add(low, by)), tuple(np.add(high, by))) if key == instance_id else (low, high)))
        for key, low, high in world.boxes
    ]
    return BoxWorld(boxes, world.legend, world.stamp)


def furnished(*more):
    world = empty_room()
    put(world, MUG, "mug", 1.5, 1.5, TABLE_TOP, "red", "ceramic")
    for instance_id, label, x, y in more:
        put(world, instance_id, label, x, y, TABLE_TOP, "blue", "ceramic")
    return world


def carried(looker, world, instance_id=MUG, start=START, end=BED_SIDE):
    """Pick something up, carry it to the bed, put it there, look."""
    step(looker, world, LOOK_AT_TABLE, start)
    step(looker, world, LOOK_AT_TABLE, start, holds=True)
    middle = np.add(start, (0.4, 0.0, 0.5))
    step(looker, shifted(world, instance_id, np.subtract(middle, start)), LOOK_AT_TABLE, middle, holds=True)
    moved = shifted(world, instance_id, np.subtract(end, start))
    step(looker, moved, LOOK_AT_BED, end, holds=True)
    step(looker, moved, LOOK_AT_BED, end)
    return moved


def test_what_was_carried_is_one_thing_in_a_new_place():
    world = furnished()
    looker = looked_from(world)
    memory = looker.memory
    assert memory.support_of(memory.get(MUG)).key == TABLE
    step(looker, world, LOOK_AT_TABLE, START)
    step(looker, world, LOOK_AT_TABLE, START, holds=True)
    assert memory.held is memory.get(MUG)
    assert memory.support_of(memory.get(MUG)) is None
    looker = looked_from(world)
    carried(looker, world)
    memory = looker.memory
    (mug,) = memory.find(["mug"])
    np.testing.assert_allclose(mug.center, BED_SIDE, atol=0.03)
    assert memory.held is None
    assert memory.support_of(mug).support == "bed"
    assert memory.count_at(memory.get(TABLE), ["mug"]) == 0
    assert mug.color == "red"
    former = memory.former_place(mug)
    np.testing.assert_allclose(np.mean([former.low, former.high], axis=0), START, atol=0.02)
    assert former.placement.key == TABLE


def test_put_back_it_is_where_it_was():
    world = furnished()
    looker = looked_from(world)
    moved = carried(looker, world)
    step(looker, moved, LOOK_AT_BED, BED_SIDE, holds=True)
    step(looker, world, LOOK_AT_TABLE, START, holds=True)
    step(looker, world, LOOK_AT_TABLE, START)
    memory = looker.memory
    (mug,) = memory.find(["mug"])
    np.testing.assert_allclose(mug.center, START, atol=0.03)
    assert memory.support_of(mug).key == TABLE


def test_space_that_it_left_is_seen_anew():
    world = furnished()
    looker = looked_from(world)
    assert looker.coverage.state(np.array([START]))[0] == OCCUPIED
    moved = carried(looker, world)
    assert looker.coverage.state(np.array([START]))[0] != OCCUPIED
    step(looker, moved, LOOK_AT_TABLE, (2.5, 2.5, 1.0))
    assert looker.coverage.state(np.array([np.add(START, (0.0, 0.0, 0.1))]))[0] == FREE


def test_without_identities_it_is_recognised_where_it_was_put():
    world = furnished()
    looker = looked_from(world, perceiver=PrivilegedAnonymous())
    before = len(looker.memory.objects)
    carried(looker, world)
    (mug,) = looker.memory.find(["mug"])
    assert mug.instance_id < 0
    np.testing.assert_allclose(mug.center, BED_SIDE, atol=0.05)
    assert looker.memory.support_of(mug).support == "bed"
    assert len(looker.memory.objects) == before


class PrivilegedAnonymous(PrivilegedPerceiver):
    def __init__(self):
        super().__init__(12)

    def perceive(self, observation):
        return tuple(replace(item, instance_id=0, part_of=0) for item in super().perceive(observation))


@pytest.mark.parametrize("perceiver", [None, PrivilegedAnonymous()])
def test_a_wrong_guess_of_what_is_held_is_put_right(perceiver):
    world = furnished((OTHER, "bowl", 1.5, 1.62))
    looker = looked_from(world, perceiver=perceiver)
    between = (1.5, 1.55, TABLE_TOP + 0.07)  # nearer to the mug, but it is the bowl that is held
    moved = carried(looker, world, OTHER, between, BED_SIDE)
    step(looker, moved, LOOK_AT_TABLE, (2.5, 2.5, 1.0))
    (mug,), (bowl,) = looker.memory.find(["mug"]), looker.memory.find(["bowl"])
    step(looker, moved, LOOK_AT_BED, (2.5, 2.5, 1.0))
    np.testing.assert_allclose(mug.center, START, atol=0.04)
    np.testing.assert_allclose(bowl.center, np.add(BED_SIDE, (0.0, 0.07, 0.0)), atol=0.06)


@pytest.mark.parametrize("perceiver", [None, PrivilegedAnonymous()])
def test_a_wrong_guess_is_put_right_after_it_was_let_go(perceiver):
    world = furnished((OTHER, "bowl", 1.5, 1.62))
    looker = looked_from(world, perceiver=perceiver)
    between = (1.5, 1.55, TABLE_TOP + 0.07)
    moved = shifted(world, OTHER, np.subtract(BED_SIDE, between))
    step(looker, world, LOOK_AT_TABLE, between)
    for at, holds in ((between, True), (BED_SIDE, True), (BED_SIDE, False)):
        step(looker, moved, LOOK_AT_BED, at, holds=holds, look=False)
    step(looker, moved, LOOK_AT_TABLE, (2.5, 2.5, 1.0))
    step(looker, moved, LOOK_AT_BED, (2.5, 2.5, 1.0))
    (mug,), (bowl,) = looker.memory.find(["mug"]), looker.memory.find(["bowl"])
    np.testing.assert_allclose(mug.center, START, atol=0.04)
    np.testing.assert_allclose(bowl.center, np.add(BED_SIDE, (0.0, 0.07, 0.0)), atol=0.06)


def test_something_let_go_in_the_air_is_thought_to_lie_below():
    world = furnished()
    looker = looked_from(world)
    step(looker, world, LOOK_AT_TABLE, START)
    step(looker, world, LOOK_AT_TABLE, START, holds=True)
    up = np.add(START, (0.1, 0.1, 0.4))
    step(looker, world, LOOK_AT_BED, up, holds=True, look=False)
    step(looker, world, LOOK_AT_BED, up, look=False)
    mug = looker.memory.get(MUG)
    np.testing.assert_allclose(mug.bounds_min[2], TABLE_TOP, atol=0.03)
    np.testing.assert_allclose(mug.center[:2], up[:2], atol=0.03)


def cabinet_room(opened):
    """The cabinet with a drawer that was drawn out and a spoon in it, or closed."""
    world = empty_room()
    front = 0.85 if opened else 0.45
    world.legend[CABINET] = replace(world.legend[CABINET], states=("open",) if opened else ("closed",))
    world.legend[HANDLE] = InstanceLabel(HANDLE, "handle", part_of=CABINET)
    world.boxes.append((HANDLE, (3.7, front, 0.54), (3.9, front + 0.03, 0.58)))
    if opened:
        world.boxes += [
            (CABINET, (3.35, 0.45, 0.5), (4.25, 0.85, 0.52)),
            (CABINET, (3.35, 0.83, 0.5), (4.25, 0.85, 0.6)),
        ]
        put(world, MUG, "spoon", 3.8, 0.65, 0.52, "grey", "metal", (0.15, 0.1, 0.05))
    return world


BEFORE = (3.8, 0.5, 0.56)


def opened_and_closed(perceiver=None):
    looker = looked_from(cabinet_room(False), perceiver=perceiver)
    step(looker, cabinet_room(False), LOOK_AT_CABINET, BEFORE)
    opened = ArmTarget(handle="open")
    step(looker, cabinet_room(True), LOOK_AT_CABINET, BEFORE, arm=opened)
    return looker


def test_what_was_opened_is_open_and_shows_what_is_inside():
    looker = opened_and_closed()
    memory = looker.memory
    cabinet = memory.get(CABINET)
    assert cabinet.states == ("open",)
    (spoon,) = memory.find(["spoon"])
    assert memory.support_of(spoon).key == CABINET
    (handle,) = memory.handles_of(cabinet)
    np.testing.assert_allclose(handle.center[1], 0.87, atol=0.02)


def test_what_stands_open_is_as_large_as_it_was_found():
    looker = opened_and_closed()
    cabinet = looker.memory.get(CABINET)
    assert cabinet.bounds_max[1] > 0.6  # with the drawer that stands out
    np.testing.assert_allclose(looker.memory.found_box(cabinet)[1][1], 0.46, atol=0.04)
    table = next(obj for obj in looker.memory.objects if obj.instance_id != CABINET)
    assert looker.memory.found_box(table) == (table.bounds_min, table.bounds_max)


def test_what_was_closed_holds_what_was_in_it():
    looker = opened_and_closed()
    memory = looker.memory
    at = memory.handles[0].center
    step(looker, cabinet_room(True), LOOK_AT_CABINET, at)
    step(looker, cabinet_room(False), LOOK_AT_CABINET, at, arm=ArmTarget(handle="close"))
    cabinet, (spoon,) = memory.get(CABINET), memory.find(["spoon"])
    assert cabinet.states == ("closed",)
    np.testing.assert_allclose(cabinet.bounds_max[1], 0.46, atol=0.04)  # not as when the drawer stood out
    assert (memory.support_of(spoon).relation, memory.support_of(spoon).key) == ("in", CABINET)
    assert spoon.bounds_max[1] <= cabinet.bounds_max[1] + 0.01
    drawn_out = np.array([[3.8, 0.84, 0.65]])
    for _ in range(2):
        step(looker, cabinet_room(False), LOOK_AT_CABINET, (2.5, 2.5, 1.0))
    assert looker.coverage.state(drawn_out)[0] in (FREE, UNKNOWN)


def test_a_motion_that_failed_opens_nothing():
    looker = looked_from(cabinet_room(False))
    step(looker, cabinet_room(False), LOOK_AT_CABINET, BEFORE)
    arm = ArmTarget(handle="open")
    step(looker, cabinet_room(False), LOOK_AT_CABINET, BEFORE, arm=arm, status=Status.COLLIDED)
    assert looker.memory.get(CABINET).states == ("closed",)


def test_handles_are_no_things():
    looker = looked_from(cabinet_room(False))
    assert looker.memory.find(["handle"]) == ()
    assert looker.memory.get(HANDLE) is None
    assert [handle.key for handle in looker.memory.handles] == [HANDLE]


def test_handles_without_identity_are_on_what_is_there():
    looker = looked_from(cabinet_room(False), perceiver=PrivilegedAnonymous())
    (handle,) = looker.memory.handles
    (cabinet,) = looker.memory.find(["cabinet"])
    assert handle.owner == cabinet.instance_id


def test_degraded_perception_of_a_moved_thing_stays_one():
    world = furnished()
    looker = looked_from(world, perceiver=DegradedPerceiver(12, seed=3))
    carried(looker, world)
    assert len(looker.memory.find(["mug"])) <= 1


def test_a_world_without_a_hand_changes_nothing():
    world = furnished()
    looker = looked_from(world)
    before = [(obj.instance_id, obj.bounds_min, obj.states) for obj in looker.memory.objects]
    result = StepResult(Status.DONE, "", Command(target=LOOK_AT_TABLE), world.observe(LOOK_AT_TABLE))
    looker.memory.acted(result, looker.coverage)
    assert [(obj.instance_id, obj.bounds_min, obj.states) for obj in looker.memory.objects] == before


def test_holding_where_nothing_is_known_is_no_error():
    looker = Looker(LOW, HIGH)
    world = furnished()
    step(looker, world, LOOK_AT_BED, START, holds=True, look=False)
    step(looker, world, LOOK_AT_BED, BED_SIDE, holds=True, look=False)
    assert looker.memory.held is None
    step(looker, world, LOOK_AT_BED, BED_SIDE, arm=ArmTarget(handle="open"), look=False)
    looker.memory.reset()
    assert looker.memory.objects == ()


def test_the_arm_is_no_part_of_the_place():
    world = empty_room()
    world.boxes.append((0, (2.45, 1.2, 1.1), (2.55, 1.4, 1.3)))  # the robot has no id
    looker = Looker(LOW, HIGH)
    view = replace(world.observe(Viewpoint(2.5, 0.6, 1.3, np.pi / 2, -0.2), LENS), touch=touch((2.5, 1.4, 1.2)))
    looker.observe(view)
    assert looker.coverage.state(np.array([[2.5, 1.25, 1.2]]))[0] != OCCUPIED
    assert POSITIONS


def test_what_is_known_of_a_thing_goes_with_its_new_name():
    world = furnished((OTHER, "bowl", 1.5, 1.62))
    looker = looked_from(world)
    objects = {key: looker.memory.get(key) for key in (MUG, OTHER)}
    handles = HandleMemory()
    hand = HandMemory(objects, handles)
    at_table = world.observe(LOOK_AT_TABLE)
    for holds in (False, True, False):
        result = StepResult(Status.DONE, "", Command(arm=ArmTarget()), replace(at_table, touch=touch(START, holds)))
        hand.acted(result, {})
    cup = 40
    objects[cup] = objects.pop(MUG)
    hand.renamed(MUG, cup)
    assert set(hand.former) == {cup}
    handle = Detection(HANDLE, "handle", "", "", 1.0, 50, (0, 0, 5, 5), START, START, START, part_of=MUG)
    handles.add([handle], 1, objects)
    hand.renamed(MUG, cup)
    assert [each.key for each in handles.of(cup)] == [HANDLE]


PULLED = (3.8, 0.9, 0.56)


def pulled_out():
    """The drawer was drawn out with the hand at its handle, and looked into from above."""
    looker = looked_from(cabinet_room(False))
    step(looker, cabinet_room(False), LOOK_AT_CABINET, BEFORE)
    step(looker, cabinet_room(True), LOOK_AT_CABINET, PULLED, arm=ArmTarget(handle="open"))
    for y in (1.1, 1.3, 1.6):
        step(looker, cabinet_room(True), Viewpoint(3.8, y, 1.5, -np.pi / 2, -1.0), (3.8, 2.0, 0.9))
    return looker


def test_a_drawer_that_was_looked_into_is_known_when_it_is_closed_again():
    looker = looked_from(cabinet_room(False))
    memory = looker.memory
    inside = memory.inside_of(memory.get(CABINET))
    assert not inside.complete
    assert len(inside.shut) == 1
    looker = pulled_out()
    memory = looker.memory
    assert memory.inside_of(memory.get(CABINET)).complete
    at = memory.handles[0].center
    step(looker, cabinet_room(True), LOOK_AT_CABINET, at)
    step(looker, cabinet_room(False), LOOK_AT_CABINET, BEFORE, arm=ArmTarget(handle="close"))
    assert memory.inside_of(memory.get(CABINET)).complete
    (spoon,) = memory.find(["spoon"])
    assert memory.support_of(spoon).key == CABINET


def test_the_restored_place_is_as_it_was_found_and_what_is_known_stays_known():
    looker = pulled_out()
    memory = looker.memory
    at = memory.find(["spoon"])[0].center
    memory.weighed(MUG, 0.1, 0.15)
    step(looker, cabinet_room(True), LOOK_AT_CABINET, at)
    step(looker, cabinet_room(True), LOOK_AT_CABINET, at, holds=True)
    away = shifted(cabinet_room(True), MUG, (0.0, 1.0, 0.4))
    step(looker, away, LOOK_AT_CABINET, np.add(at, (0.0, 1.0, 0.4)), holds=True)
    assert memory.held is memory.get(MUG)
    changes = memory.changes
    memory.restored(looker.coverage)
    cabinet, spoon = memory.get(CABINET), memory.get(MUG)
    assert memory.held is None
    assert cabinet.states == ("closed",)
    np.testing.assert_allclose(cabinet.bounds_max[1], 0.46, atol=0.04)
    assert (memory.support_of(spoon).relation, memory.support_of(spoon).key) == ("in", CABINET)
    assert spoon.bounds_max[1] <= cabinet.bounds_max[1] + 0.01
    assert memory.inside_of(cabinet).complete
    assert spoon.mass == (0.1, 0.15)
    assert memory.changes > changes
    step(looker, cabinet_room(False), LOOK_AT_CABINET, (2.5, 2.5, 1.0))
    assert memory.held is None
    assert len(memory.find(["spoon"])) == 1


def test_what_was_carried_away_is_restored_to_where_it_was_first():
    world = furnished()
    looker = looked_from(world)
    moved = carried(looker, world)
    further = np.add(BED_SIDE, (-0.3, 0.0, 0.0))
    step(looker, moved, LOOK_AT_BED, BED_SIDE, holds=True)
    again = shifted(moved, MUG, (-0.3, 0.0, 0.0))
    step(looker, again, LOOK_AT_BED, further, holds=True)
    step(looker, again, LOOK_AT_BED, further)
    memory = looker.memory
    memory.restored(looker.coverage)
    (mug,) = memory.find(["mug"])
    np.testing.assert_allclose(mug.center, START, atol=0.03)
    assert memory.support_of(mug).key == TABLE
    assert looker.coverage.state(np.array([further]))[0] == UNKNOWN
    step(looker, world, LOOK_AT_TABLE, (2.5, 2.5, 1.0))
    assert memory.get(MUG).color == "red"
    np.testing.assert_allclose(memory.get(MUG).center, START, atol=0.03)


def test_where_nothing_was_touched_nothing_is_restored():
    looker = looked_from(furnished())
    before = [(obj.instance_id, obj.bounds_min, obj.states) for obj in looker.memory.objects]
    looker.memory.restored()
    assert [(obj.instance_id, obj.bounds_min, obj.states) for obj in looker.memory.objects] == before


def test_what_stood_open_and_was_closed_stands_open_again():
    looker = looked_from(cabinet_room(True))
    memory = looker.memory
    at = memory.handles[0].center
    step(looker, cabinet_room(True), LOOK_AT_CABINET, at)
    step(looker, cabinet_room(False), LOOK_AT_CABINET, BEFORE, arm=ArmTarget(handle="close"))
    assert memory.get(CABINET).states == ("closed",)
    memory.restored(looker.coverage)
    assert memory.get(CABINET).states == ("open",)


def test_furniture_is_not_what_the_hand_holds_where_something_small_is_near():
    world = furnished()
    world.add(32, "nightstand", (1.58, 1.4, TABLE_TOP), (1.88, 1.6, TABLE_TOP + 0.3), "white", "wood")
    looker = looked_from(world)
    at = (1.59, 1.5, TABLE_TOP + 0.07)
    step(looker, world, LOOK_AT_TABLE, at)
    step(looker, world, LOOK_AT_TABLE, at, holds=True, look=False)
    assert looker.memory.held.label == "mug"


def test_a_grasp_goes_by_where_box_and_depth_show_a_thing():
    world = furnished()
    looker = Looker(LOW, HIGH, perceiver=DegradedPerceiver(12, seed=4))
    view = replace(world.observe(LOOK_AT_TABLE, LENS), touch=touch(BED_SIDE))
    looker.observe(view)
    (mug,) = looker.memory.find(["mug"])
    low, high = mug.reached_at
    assert np.linalg.norm(0.5 * np.add(low, high) - START) < 0.04
    assert np.subtract(high, low) == pytest.approx(np.subtract(mug.bounds_max, mug.bounds_min))
    mug.spotted((START[0] + 0.3, *START[1:]), 1.0)  # as of something before it
    assert mug.reached_at == (mug.bounds_min, mug.bounds_max)
    mug.moved_to((0.0, 0.0, 0.0), (0.1, 0.1, 0.1))
    assert mug.spot is None
    assert mug.reached_at == ((0.0, 0.0, 0.0), (0.1, 0.1, 0.1))


def test_what_lies_before_an_opened_door_is_not_in_the_thing():
    looker = looked_from(cabinet_room(False))
    step(looker, cabinet_room(False), LOOK_AT_CABINET, BEFORE)
    opened = cabinet_room(True)  # here what stands out is a leaf, which swung
    put(opened, MUG, "spoon", 4.1, 0.7, 0.0, "grey", "metal", (0.15, 0.1, 0.05))
    step(looker, opened, LOOK_AT_CABINET, (3.4, 0.95, 0.56), arm=ArmTarget(handle="open"))
    memory = looker.memory
    cabinet = memory.get(CABINET)
    assert memory.body_of(cabinet).high == memory.found_box(cabinet)[1]
    assert cabinet.bounds_max[1] > 0.6
    looker = opened_and_closed()
    cabinet = looker.memory.get(CABINET)
    assert looker.memory.body_of(cabinet).high == cabinet.bounds_max, "a drawer holds things where it stands"
