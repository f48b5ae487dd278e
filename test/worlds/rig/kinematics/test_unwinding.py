"""How far joints may turn in one command, and how they unwind when they are asked to."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from chains import X, Y, Z, hinge, slide
from small_rig import START, command, lab_episode, rig_settings, write_rig

from vantage.errors import EpisodeError, WorldError
from vantage.spatial import Matrix, Viewpoint
from vantage.types import Status, StepResult
from vantage.worlds.rig.assembly import Assembly, assemble
from vantage.worlds.rig.kinematics import inverse
from vantage.worlds.rig.kinematics.chain import Chain
from vantage.worlds.rig.kinematics.unwinding import FAR, Unwinding
from vantage.worlds.rig.rig_properties import yaw_range

EDGE = replace(START, yaw=2.9)  # the pan ends at 3.18
ACROSS = replace(START, yaw=2.9 + 0.6 - math.tau)  # 0.6 rad to the left, or 5.68 rad to the right
SPEED = 0.75  # rad/s, the default of rig.unwind_speed

Make = Callable[..., Assembly]


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    """Connected rigs in simulated time, closed at the end."""
    made: list[Assembly] = []

    def build(mode: str = "simulated", settings: dict[str, Any] | None = None, **changes: Any) -> Assembly:
        rig = assemble(rig_settings(write_rig(tmp_path, **changes), mode, **(settings or {})))
        rig.world.connect()
        made.append(rig)
        return rig

    yield build
    for rig in made:
        rig.world.close()


class Track:
    """Where the joints of a rig in simulated time were: at each tick, s and (N,)."""

    def __init__(self, rig: Assembly) -> None:
        self.times, self.places = list[float](), list[Matrix]()
        clock = rig.driver.clock
        sleep = clock.sleep

        def noted(seconds: float) -> None:
            self.times.append(1e-9 * clock.now())
            self.places.append(rig.driver.state().positions)
            sleep(seconds)

        clock.sleep = noted  # type: ignore[method-assign]

    @property
    def fastest(self) -> Matrix:
        """(N,) m/s or rad/s."""
        places, times = np.array(self.places), np.array(self.times)
        apart = np.diff(times) > 1e-9
        return np.asarray((np.abs(np.diff(places, axis=0))[apart] / np.diff(times)[apart, None]).max(axis=0))


def step(rig: Assembly, target: Viewpoint, sequence: int, allow_unwind: bool = False) -> StepResult:
    return rig.world.step(command(target, sequence, allow_unwind=allow_unwind))


def pan(rig: Assembly) -> float:
    return float(rig.driver.state().positions[3])


def test_a_turn_that_swings_the_pan_back_is_refused(make: Make) -> None:
    rig = make()
    rig.world.reset(lab_episode(EDGE), 0)
    assert rig.world.info.limits.violation(EDGE, ACROSS) is None  # the camera turns by no more than it may
    result = step(rig, ACROSS, 1)
    assert result.status == Status.REJECTED
    assert result.reason == (
        "joint 'pan' would turn by 5.683 rad, more than the 1.000 rad of one command, so the move needs an unwind: "
        "turn the other way round, or ask for it with allow_unwind"
    )
    assert pan(rig) == pytest.approx(2.9)
    assert step(rig, replace(EDGE, yaw=2.3), 2).status == Status.DONE


def test_an_unwind_that_is_asked_for_is_a_slow_step_of_its_own(make: Make) -> None:
    rig = make()
    rig.world.reset(lab_episode(EDGE), 0)
    track, target = Track(rig), replace(ACROSS, x=0.4)
    result = step(rig, target, 1, allow_unwind=True)
    assert result.status == Status.DONE, result.reason
    assert result.reached.distance(target) < 1e-9
    assert pan(rig) == pytest.approx(ACROSS.yaw)
    places = np.array(track.places)
    moved = np.abs(np.diff(places, axis=0)) > 1e-9
    assert not np.any(moved[:, 3] & moved[:, 0])  # first the pan alone, then the slide
    assert np.flatnonzero(moved[:, 3]).max() < np.flatnonzero(moved[:, 0]).min()
    assert track.fastest[3] <= SPEED + 1e-6
    assert track.fastest[3] > 0.9 * SPEED
    ordinary = make()
    ordinary.world.reset(lab_episode(EDGE), 0)
    track = Track(ordinary)
    assert step(ordinary, replace(EDGE, yaw=2.0), 1, allow_unwind=True).status == Status.DONE
    assert track.fastest[3] > 1.9  # nothing to unwind: as fast as ever


def test_the_speed_of_an_unwind_is_a_setting(make: Make) -> None:
    rig = make(settings={"rig.unwind_speed": 1.5})
    rig.world.reset(lab_episode(EDGE), 0)
    track = Track(rig)
    assert step(rig, ACROSS, 1, allow_unwind=True).status == Status.DONE
    assert 1.4 < track.fastest[3] <= 1.5 + 1e-6


def test_an_unwind_that_lasts_longer_than_a_command_may_is_refused(make: Make) -> None:
    rig = make(settings={"run.step_timeout": 7.0})
    rig.world.reset(lab_episode(EDGE), 0)
    result = step(rig, ACROSS, 1, allow_unwind=True)
    assert result.status == Status.REJECTED
    assert "would take 7.8 s, more than the 6.0 s that a command has" in result.reason
    assert pan(rig) == pytest.approx(2.9)
    assert step(rig, EDGE, 2).status == Status.DONE  # nothing was stopped


POLE = {"name": "pole", "link": "pan_link", "from": [0.0, 0.0, 0.0], "to": [0.35, 0.0, 0.0], "radius": 0.02}
POST = {"name": "post", "min": [0.4, 0.1, 0.0], "max": [0.45, 0.3, 0.9]}  # ahead of the start, where yaw is 0


def test_an_unwind_passes_every_check_along_its_way(make: Make) -> None:
    rig = make(safety={"bodies": [POLE], "boxes": [POST]})
    rig.world.reset(lab_episode(EDGE), 0)
    result = step(rig, ACROSS, 1, allow_unwind=True)
    assert result.status == Status.REJECTED
    assert "the pole would come within 0.02 m of the forbidden box 'post'" in result.reason
    assert pan(rig) == pytest.approx(2.9)
    assert step(rig, replace(EDGE, yaw=2.6), 2).status == Status.DONE


def test_a_dry_run_tells_of_an_unwind_before_it_says_that_all_is_well(make: Make) -> None:
    rig = make()
    rig.world.reset(lab_episode(EDGE), 0)
    with rig.machine.dry_run():
        assert "needs an unwind" in step(rig, ACROSS, 1).reason
        assert step(rig, ACROSS, 2, allow_unwind=True).reason.startswith("dry run: all checks passed")


def test_an_unwind_can_be_stopped_between_its_legs_and_in_them(make: Make) -> None:
    rig = make("hardware", driver={"name": "mock", "duration": 0.3})
    rig.world.reset(lab_episode(EDGE), 0)
    moves, results = len(rig.driver.moves), list[StepResult]()  # type: ignore[attr-defined]
    target = replace(ACROSS, x=0.4)
    mover = threading.Thread(target=lambda: results.append(step(rig, target, 1, allow_unwind=True)))
    mover.start()
    ends = time.monotonic() + 10.0
    while not rig.driver.state().moving and time.monotonic() < ends:
        time.sleep(0.005)
    rig.world.stop("test")
    mover.join(10.0)
    assert results[0].status == Status.STOPPED
    assert len(rig.driver.moves) == moves + 1  # type: ignore[attr-defined]


def test_the_way_to_a_start_unwinds_slowly(make: Make) -> None:
    rig = make()
    rig.world.reset(lab_episode(replace(START, yaw=3.1)), 0)
    track = Track(rig)
    rig.world.reset(lab_episode(replace(START, yaw=-3.1)), 0)
    assert pan(rig) == pytest.approx(-3.1)
    assert track.fastest[3] <= SPEED + 1e-6
    track = Track(rig)
    rig.world.reset(lab_episode(replace(START, yaw=-0.1)), 0)
    assert track.fastest[3] > 1.9  # 3 rad: any start is reached, at the speed of the joints


def test_a_start_that_cannot_be_reached_in_time_is_refused(make: Make) -> None:
    rig = make(motion_timeout=5.0)
    rig.world.reset(lab_episode(replace(START, yaw=2.0)), 0)
    with pytest.raises(EpisodeError, match=r"in an unwind of 5 s, more than the 5 s of motion_timeout: raise it"):
        rig.world.reset(lab_episode(replace(START, yaw=-2.0)), 0)
    assert rig.world.trouble == ""


def test_a_place_is_gone_to_over_an_unwind_only_when_asked_for(make: Make) -> None:
    rig = make()
    rig.world.go_to(np.array([0.2, 0.2, 0.6, 3.1, 0.0]))
    there = rig.machine.positions_at(replace(START, yaw=-3.0))
    with pytest.raises(WorldError, match=r"'pan' would turn by 6.100 rad, more than 200 degrees.*--allow-unwind"):
        rig.world.go_to(there)
    assert pan(rig) == pytest.approx(3.1)
    track = Track(rig)
    rig.world.go_to(there, allow_unwind=True)
    assert pan(rig) == pytest.approx(-3.0)
    assert track.fastest[3] <= SPEED + 1e-6
    rig.world.go_to(np.array([0.2, 0.2, 0.6, 0.1, 0.0]))


def test_of_several_ways_to_stand_the_one_without_an_unwind_is_taken() -> None:
    """Two pans, one above the other, of which the lower one is much faster."""
    fast, slow = replace(hinge("fast", Z), speed=10.0), replace(hinge("slow", Z), speed=0.5)
    chain = Chain((fast, slow, hinge("tilt", (0.0, -1.0, 0.0))))
    near, most = np.zeros(3), np.full(3, 1.0)
    target = Viewpoint(0.0, 0.0, 0.0, 1.6, 0.0)
    assert abs(inverse.solve(chain, target, near)[0]) > 1.5
    q = inverse.solve(chain, target, near, most)
    assert chain.viewpoint(q).yaw == pytest.approx(1.6)
    assert np.all(np.abs(q) <= 1.0 + 1e-6)
    far = inverse.solve(chain, replace(target, yaw=2.5), near, most)  # out of one stride, so as quick as can be
    assert chain.viewpoint(far).yaw == pytest.approx(2.5)


def rule(deadline: float = 10.0) -> Unwinding:
    return Unwinding((slide("x", X), hinge("a", Z), hinge("b", Y)), 1.0, 0.5, deadline)


def test_only_joints_that_turn_are_limited() -> None:
    start = np.zeros(3)
    assert not rule().needed(start, np.array([9.0, 1.0, -1.0]))
    assert rule().needed(start, np.array([0.0, 0.0, -1.001]))
    (straight,) = rule().legs(start, np.array([9.0, 1.0, 1.0]))
    assert straight.turning == math.inf
    first, last = rule().legs(start, np.array([0.3, 1.2, 0.4]))
    assert (first.target.tolist(), first.turning) == ([0.0, 1.2, 0.0], 0.5)
    assert (last.target.tolist(), last.turning) == ([0.3, 1.2, 0.4], math.inf)
    (alone,) = rule().legs(start, np.array([0.0, 1.2, 0.0]))
    assert alone.turning == 0.5


def test_a_way_around_counts_as_a_whole() -> None:
    start, half = np.zeros(3), 0.6 * FAR
    there_and_back = [np.array([0.0, half, 0.0]), np.zeros(3)]
    legs, reason = rule().to_place(start, there_and_back, True, 60.0)
    assert not reason
    assert [leg.turning for leg in legs] == [0.5, 0.5]
    legs, reason = rule().to_place(start, there_and_back, False, 60.0)
    assert not legs
    assert "joint 'a' would turn by 4.189 rad" in reason
    legs, reason = rule().to_place(start, there_and_back[:1], False, 60.0)
    assert [leg.turning for leg in legs] == [math.inf]


def test_the_yaws_between_which_a_rig_turns_freely(make: Make) -> None:
    chain = make().description.chain
    assert yaw_range(chain) == pytest.approx((-3.18, 3.18))
    pan_joint = chain.joints[3]
    hanging = replace(pan_joint, axis=(0.0, 0.0, -1.0), lower=-1.0, upper=2.5)
    assert yaw_range(replace(chain, joints=(*chain.joints[:3], hanging, chain.joints[4]))) == pytest.approx((-2.5, 1.0))
    endless = replace(pan_joint, upper=math.inf)
    slanted = replace(pan_joint, axis=(0.0, math.sin(0.3), math.cos(0.3)))
    for other in (endless, slanted):
        joints = (*chain.joints[:3], other, chain.joints[4])
        assert yaw_range(replace(chain, joints=joints)) == (-math.inf, math.inf)
