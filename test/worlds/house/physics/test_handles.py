"""Opening and closing by handles: the robot goes along, what is in the way stops it and all is put back."""

import math
from dataclasses import replace

import pytest
from house_parts import Bench, never
from row_tables import each_row
from touch_home import CABINET, FRIDGE, touch_home

from vantage.scenes.spec.spec import Joint, ObjectSpec, Part
from vantage.types import CLOSE, OPEN, Cause, Status
from vantage.worlds.house.physics.handles import nearest_part, turn_handle

pytestmark = pytest.mark.needs("house")


@pytest.fixture(scope="module")
def bench():
    return Bench()


def _at_handle(bench, instance, distance=0.6):
    """The hand at the handle of a thing, the robot straight before it."""
    bench.start()
    part = next(part for part in bench.house.parts if part.instance == instance)
    site = bench.sim.data.site(part.handle)
    point, out = site.xpos.copy(), site.xmat.reshape(3, 3)[:, 0].copy()
    x, y, _ = point + distance * out
    bench.start(float(x), float(y), math.atan2(-out[1], -out[0]))
    bench.hand_to(point + 0.05 * out, -out)
    return part


@each_row("instance", [CABINET, FRIDGE])
def test_it_opens_and_closes_again(bench, instance):
    part = _at_handle(bench, instance)
    begun = bench.sim.base_pose()
    assert turn_handle(bench.house, bench.sim, OPEN, never).status is Status.DONE
    assert bench.sim.part_position(part) > 0.9 * part.high
    assert nearest_part(bench.house, bench.sim) == part, "the hand went along"
    assert turn_handle(bench.house, bench.sim, OPEN, never).status is Status.DONE, "it is open already"
    assert turn_handle(bench.house, bench.sim, CLOSE, never).status is Status.DONE
    assert bench.sim.part_position(part) < 0.05 * part.high
    assert bench.sim.base_pose()[:2] == pytest.approx(begun[:2], abs=0.03)


@pytest.mark.parametrize("share", [0.0, 0.5])
def test_where_the_base_does_not_go_the_arm_goes_with_the_handle(bench, monkeypatch, share):
    monkeypatch.setattr("vantage.worlds.house.physics.handles._SHARES", ((share, share),))
    part = _at_handle(bench, CABINET, distance=0.9)
    x, y, yaw = bench.sim.base_pose()
    assert turn_handle(bench.house, bench.sim, OPEN, never).status is Status.DONE
    assert bench.sim.part_position(part) > 0.9 * part.high
    assert bench.sim.base_pose() == pytest.approx((x, y - share * part.high, yaw), abs=0.01)
    assert nearest_part(bench.house, bench.sim) == part, "the hand went along"


def test_without_names_nothing_is_named(bench, monkeypatch):
    monkeypatch.setattr(bench.sim, "names", False)
    monkeypatch.setattr("vantage.worlds.house.physics.handles._FORCE", 0.1)
    _at_handle(bench, FRIDGE)
    told = turn_handle(bench.house, bench.sim, OPEN, never).reason
    assert told.startswith("could not open it: it ")
    assert "fridge" not in told


def test_without_a_handle_nothing_happens(bench):
    bench.start()
    outcome = turn_handle(bench.house, bench.sim, OPEN, never)
    assert outcome.status is Status.COLLIDED
    assert "no handle is within 0.12 m" in outcome.reason
    assert outcome.cause is Cause.NO_HANDLE


def test_what_is_jammed_is_told_and_put_back(bench):
    part = _at_handle(bench, CABINET)
    dof = int(bench.sim.model.joint(part.joint).dofadr[0])
    friction = float(bench.sim.model.dof_frictionloss[dof])
    bench.sim.model.dof_frictionloss[dof] = 500.0
    before = bench.sim.positions()
    try:
        outcome = turn_handle(bench.house, bench.sim, OPEN, never)
    finally:
        bench.sim.model.dof_frictionloss[dof] = friction
    assert outcome.status is Status.COLLIDED
    assert "could not open the cabinet" in outcome.reason
    assert bench.sim.part_position(part) == pytest.approx(0.0, abs=1e-6)
    assert bench.sim.positions() == pytest.approx(before)


def test_a_stop_leaves_it_ajar(bench):
    part = _at_handle(bench, CABINET)
    begun = bench.sim.time
    outcome = turn_handle(bench.house, bench.sim, OPEN, lambda: bench.sim.time - begun > 0.4)
    assert outcome.status is Status.STOPPED
    assert 0.01 < bench.sim.part_position(part) < 0.9 * part.high
    assert bench.sim.time - begun <= 0.4 + 0.02 + 1e-9
    ajar = bench.sim.part_position(part)
    bench.sim.advance(0.5)
    assert bench.sim.part_position(part) == pytest.approx(ajar, abs=0.002)


@each_row("timestep", [0.0005, 0.0065, 0.01])
def test_a_stop_comes_in_time_at_every_time_step(bench, timestep):
    _at_handle(bench, CABINET)
    sim = bench.sim
    sim.model.opt.timestep = timestep
    begun = sim.time
    try:
        outcome = turn_handle(bench.house, sim, OPEN, lambda: sim.time - begun > 0.3)
    finally:
        sim.model.opt.timestep = 0.004
    assert outcome.status is Status.STOPPED
    assert sim.time - begun <= 0.3 + 0.02 + 1e-9


CHEST, BRICK, STONE = 20, 21, 22


def _chest_home():
    """Two heavy things lie on the lid of a chest, before its handle."""
    home = touch_home()
    at = (0.0, 2.2)
    body = Part("box", (0, 0, 0.3), (0.5, 0.6, 0.6), (0.5, 0.3, 0.2), ("z+",))
    lid = Part("box", (0.0, 0, 0.615), (0.5, 0.6, 0.03), (0.5, 0.3, 0.2), name="lid")
    handle = Part("box", (0.265, 0, 0.615), (0.03, 0.14, 0.02), (0.8, 0.1, 0.1), name="lid")
    hinge = Joint("lid", "hinge", (0.0, -1.0, 0.0), (-0.25, 0.0, 0.6), 0.0, 1.3, 0.0)
    chest = ObjectSpec(
        CHEST,
        "chest",
        "brown",
        "wood",
        (*at, 0.0),
        -0.5 * math.pi,
        (body, lid, handle),
        mass=20.0,
        room=1,
        joints=(hinge,),
    )
    things = [
        ObjectSpec(
            number,
            label,
            "red",
            "stone",
            (at[0] + aside, at[1] - 0.17, 0.63),
            0.0,
            (Part("box", (0, 0, 0.05), (0.12, 0.12, 0.1), (0.8, 0.1, 0.1)),),
            "on",
            CHEST,
            mass=4.9,
            room=1,
        )
        for number, label, aside in ((BRICK, "brick", -0.1), (STONE, "stone", 0.1))
    ]
    kept = [obj for obj in home.objects if obj.instance_id != CABINET]
    return replace(home, objects=(*kept, chest, *things))


def test_things_on_a_lid_are_named():
    bench = Bench(_chest_home())
    x, y, z = bench.sim.data.site(next(part.handle for part in bench.house.parts if part.instance == CHEST)).xpos
    bench.start(x, y - 0.6, 0.5 * math.pi)
    bench.hand_to((x, y - 0.05, z + 0.03), (0.0, 1.0, 0.0))
    outcome = turn_handle(bench.house, bench.sim, OPEN, never)
    assert outcome.status is Status.COLLIDED
    assert set(outcome.met) == {BRICK, STONE}
    assert "it met the brick and the stone" in outcome.reason or "it met the stone and the brick" in outcome.reason
