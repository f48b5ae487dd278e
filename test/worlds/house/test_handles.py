"""Opening and closing by handles: the robot goes along, what is in the way stops it and all is put back."""

import pytest
from house_parts import Bench, never
from row_tables import each_row
from touch_home import CABINET, FRIDGE

from vantage.types import CLOSE, OPEN, Status
from vantage.worlds.house.handles import nearest_part, turn_handle

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
    import math

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
    monkeypatch.setattr("vantage.worlds.house.handles._SHARES", ((share, share),))
    part = _at_handle(bench, CABINET, distance=0.9)
    x, y, yaw = bench.sim.base_pose()
    assert turn_handle(bench.house, bench.sim, OPEN, never).status is Status.DONE
    assert bench.sim.part_position(part) > 0.9 * part.high
    assert bench.sim.base_pose() == pytest.approx((x, y - share * part.high, yaw), abs=0.01)
    assert nearest_part(bench.house, bench.sim) == part, "the hand went along"


def test_without_a_handle_nothing_happens(bench):
    bench.start()
    outcome = turn_handle(bench.house, bench.sim, OPEN, never)
    assert outcome.status is Status.COLLIDED
    assert "no handle is within 0.12 m" in outcome.reason


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
