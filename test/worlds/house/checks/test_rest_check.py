"""What a home is found to lack as bodies: what falls, what is blocked, where the base does not get."""

from dataclasses import replace

import mujoco
import pytest
from bare_rooms import box, cabinet, room, thing, two_rooms

from vantage.scenes.generator import generate_home
from vantage.worlds.house import build_house, carried_by, check_rest, hand_reaches, load_robot, run_part
from vantage.worlds.house.checks.base_paths import base_map, unreached_rooms

pytestmark = pytest.mark.needs("house")
RADIUS, HEIGHT = 0.22, 1.4


def test_a_generated_home_has_no_faults():
    robot = load_robot()
    report = check_rest(generate_home(2, 2), robot.radius, robot.camera_height, hand_reaches(robot))
    assert report.faults == ()
    assert report.farthest < 0.01
    assert report.complete >= 0.8 * report.joints  # what can be carried away may be blocked where it stands
    assert report.reached == 2
    assert 0 < report.handles_in_reach <= report.handles
    assert 0 < report.things_in_reach <= report.things == report.movable


def test_what_falls_is_told():
    report = check_rest(room(thing(10, [box(0, 0, 0, 0.1, 0.1, 0.1)], (0, 0, 1.0))), RADIUS, HEIGHT)
    assert [(fault.kind, fault.instance) for fault in report.faults] == [("moved", 10)]
    assert report.farthest > 0.8


def test_what_is_in_the_way_of_a_drawer_is_named():
    block = thing(11, [box(0, 0, 0, 0.1, 0.4, 0.3)], (0.4, 0.0, 0.0), 30.0)
    report = check_rest(room(cabinet(10), block), RADIUS, HEIGHT)
    assert [(fault.kind, fault.instance, fault.others) for fault in report.faults] == [("joint", 10, (11,))]
    assert "block 11" in report.faults[0].message
    assert (report.joints, report.complete) == (1, 0)


def test_what_can_be_picked_up_is_taken_out_of_the_way():
    carton = thing(11, [box(0, 0, 0, 0.3, 0.3, 0.3)], (0.45, 0.0, 0.0), 4.0)
    wall = thing(12, [box(0, 0, 0, 0.1, 0.4, 0.4)], (0.7, 0.0, 0.0), 30.0)
    report = check_rest(room(cabinet(10), carton, wall), RADIUS, HEIGHT)
    assert report.faults == ()
    assert any("without block 11" in note for note in report.notes)


def test_a_part_alone_tells_what_it_meets_and_carries():
    spoon = thing(11, [box(0, 0, 0, 0.1, 0.02, 0.01)], (0.0, 0.0, 0.05), 0.05, relation="in", parent=10)
    block = thing(12, [box(0, 0, 0, 0.1, 0.4, 0.3)], (0.4, 0.0, 0.0), 30.0)
    for things, met in (((), ()), ((block,), (12,))):
        house = build_house(room(cabinet(10), spoon, *things), appearance=False, keep=False)
        run = run_part(house, house.parts[0])
        assert (run.complete, run.met) == (not met, met)
        assert carried_by(house, house.parts[0]) == (11,)


def test_a_drawer_runs_with_what_lies_in_it():
    spoon = thing(11, [box(0, 0, 0, 0.1, 0.02, 0.01)], (0.0, 0.0, 0.05), 0.05, relation="in", parent=10)
    house = build_house(room(cabinet(10), spoon), appearance=False, keep=False)
    data = mujoco.MjData(house.model)
    dof = house.model.joint(house.parts[0].joint).dofadr[0]
    data.qfrc_applied[dof] = 15.0
    mujoco.mj_step(house.model, data, 500)
    assert data.joint(house.parts[0].joint).qpos[0] == pytest.approx(0.3, abs=0.01)
    assert data.body(house.movable[11]).xpos[0] > 0.15


def test_things_that_enter_each_other_stay_where_they_are():
    stuck = thing(11, [box(0, 0, 0, 0.1, 0.1, 0.1)], (0.0, 0.0, 0.25))
    report = check_rest(room(cabinet(10), stuck), RADIUS, HEIGHT)
    assert report.faults == ()
    assert report.movable == 0
    assert any("block 11 cannot be picked up" in note for note in report.notes)


@pytest.mark.parametrize(("gap", "lost"), [(0.9, []), (0.5, []), (0.4, [1])])
def test_doorways_let_the_base_through_that_are_wide_enough(gap, lost):
    home = two_rooms(gap)
    start = (4.0, 0.0)
    found = unreached_rooms(home, base_map(home, RADIUS, HEIGHT, start))
    assert [found_room.room_id for found_room in found] == lost


def test_a_start_in_a_wall_reaches_nothing():
    home = two_rooms(0.9)
    assert len(unreached_rooms(home, base_map(home, RADIUS, HEIGHT, (2.05, 1.5)))) == 2
    assert len(unreached_rooms(home, base_map(home, RADIUS, HEIGHT, (90.0, 0.0)))) == 2


def test_a_room_full_of_furniture_is_told():
    home = room(thing(10, [box(0, 0, 0, 3.9, 3.9, 1.0)], mass=200.0))
    report = check_rest(replace(home, name="full"), RADIUS, HEIGHT)
    assert [(fault.kind, fault.instance) for fault in report.faults] == [("room", 1)]
