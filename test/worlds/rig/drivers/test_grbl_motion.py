import itertools
import math

import numpy as np
import pytest
from grbl_rig import JOINTS
from hypothesis import assume, given, settings, strategies as st
from sampling import examples

from vantage.worlds.rig.drivers.driver import QUEUE
from vantage.worlds.rig.drivers.grbl_motion import BRAKE, PIECE, PieceQueue, pieces, time_at
from vantage.worlds.rig.kinematics.trajectory import plan

ACCELERATIONS = np.array([joint.acceleration for joint in JOINTS])
RESOLUTION = np.array([joint.resolution for joint in JOINTS])
MIDDLE = np.array([1.0, 0.8, 0.9, 0.0, 0.0])
WAYS = st.lists(st.floats(-0.5, 0.5), min_size=5, max_size=5).map(np.array)


def profile_of(way):
    return plan(MIDDLE, MIDDLE + way, JOINTS, BRAKE)


def time_taken(profile, todo, hardest):
    """s that a controller needs which knows all pieces, gets to each one's rate as hard as it can, and ends at rest."""
    ends = [profile.share(piece.end) for piece in todo]
    lengths = [b - a for a, b in itertools.pairwise([0.0, *ends])]
    rates = [piece.rate * length / 60.0 for piece, length in zip(todo, lengths, strict=True)]
    speeds = [0.0, *(min(a, b) for a, b in itertools.pairwise(rates)), 0.0]
    for i, length in enumerate(lengths):
        speeds[i + 1] = min(speeds[i + 1], math.sqrt(speeds[i] ** 2 + 2.0 * hardest * length))
    for i, length in reversed(list(enumerate(lengths))):
        speeds[i] = min(speeds[i], math.sqrt(speeds[i + 1] ** 2 + 2.0 * hardest * length))
    total = 0.0
    for begin, end, rate, length in zip(speeds, speeds[1:], rates, lengths, strict=False):
        top = min(rate, math.sqrt(0.5 * (begin**2 + end**2) + hardest * length))
        ramps = (2.0 * top**2 - begin**2 - end**2) / (2.0 * hardest)
        total += (2.0 * top - begin - end) / hardest + max(0.0, length - ramps) / top
    return total


@given(WAYS)
@settings(max_examples=examples(60))
def test_pieces_cover_the_motion(way):
    assume(np.abs(way).max() > 1e-4)
    profile = profile_of(way)
    todo = list(pieces(profile, ACCELERATIONS))
    assert np.array_equal(todo[-1].goal, profile.target)
    assert sum(piece.seconds for piece in todo) == pytest.approx(profile.duration)
    assert max(piece.seconds for piece in todo) <= PIECE + 1e-9


@given(WAYS)
@settings(max_examples=examples(60))
def test_no_piece_asks_for_more_than_a_joint_can_do(way):
    assume(np.abs(way).max() > 1e-4)
    profile = profile_of(way)
    before = profile.start
    for piece in pieces(profile, ACCELERATIONS):
        speed = np.abs(piece.goal - before) * piece.rate / 60.0
        assert np.all(speed <= np.array([joint.speed for joint in JOINTS]) * (1.0 + 1e-9))
        before = piece.goal


@pytest.mark.parametrize("harder", [1.0, 1.5, 4.0])
@pytest.mark.parametrize("way", [0.005, 0.05, 0.7])
def test_a_controller_takes_as_long_as_the_profile(way, harder):
    profile = profile_of(np.array([way, 0.0, 0.0, 0.0, 0.0]))
    todo = list(pieces(profile, harder * ACCELERATIONS))
    assert time_taken(profile, todo, harder * profile.acceleration) == pytest.approx(profile.duration, abs=PIECE)


def test_a_controller_as_strong_as_the_joints_follows_exactly():
    profile = profile_of(np.array([0.3, 0.0, 0.0, 0.5, 0.0]))
    todo = list(pieces(profile, ACCELERATIONS))
    assert time_taken(profile, todo, profile.acceleration) == pytest.approx(profile.duration, abs=2e-3)


@given(WAYS, st.floats(0.0, 1.0))
@settings(max_examples=examples(60))
def test_time_at_is_the_inverse_of_share(way, part):
    assume(np.abs(way).max() > 1e-3)
    profile = profile_of(way)
    t = part * profile.duration
    assert time_at(profile, profile.share(t)) == pytest.approx(t, abs=1e-6)


class Run:
    """A feed in a time of its own, with a controller that is ``late`` s behind and tells where it is."""

    def __init__(self, way=0.5):
        self.profile = profile_of(np.array([way, 0.1 * way, 0.0, 0.0, way]))
        self.feed = PieceQueue(self.profile, RESOLUTION, 0.3, 15)
        self.now, self.first, self.longest = 100.0, 0.0, 0.0

    def go(self, delay=lambda: 0.002, stuck=None, late=0.0, reports=0.02):
        """Send everything as the feed allows; returns the joint that the feed found astray."""
        sent, next_report = 0.0, self.now
        todo = list(pieces(self.profile, ACCELERATIONS))
        for piece in todo:
            while (pause := self.feed.pause(piece, self.now)) > 0.0:
                self.now += max(1e-6, min(pause, next_report - self.now))
                if self.now >= next_report:
                    next_report = self.now + reports
                    at = max(0.0, min(sent, self.now - self.first - late))
                    positions = self.profile.at(at)
                    if stuck is not None:
                        positions[stuck] = self.profile.start[stuck]
                    free = 15 - sum(piece.end > at for piece in todo if piece.end <= sent)
                    astray = self.feed.see(positions, free, self.now)
                    if astray is not None:
                        return astray
            self.feed.send(piece, self.now)
            self.now += delay()
            self.feed.taken(piece, self.now)
            sent = piece.end
            self.first = self.first or self.now
            at = max(0.0, self.now - self.first - late)
            half = 0.5 * self.profile.velocity(piece.end) / self.profile.acceleration
            self.longest = max(self.longest, sent - at + half)
        return None


def test_waiting_motion_never_takes_longer_than_the_queue():
    run = Run()
    assert run.go() is None
    assert 0.6 * QUEUE < run.longest <= QUEUE


def test_reports_of_a_controller_that_is_behind_slow_the_feed():
    run = Run()
    assert run.go(late=0.1) is None
    assert run.longest <= QUEUE + 0.02


@pytest.mark.parametrize("late", [False, True])
def test_after_a_late_line_less_may_wait(late):
    run = Run()
    todo = list(pieces(run.profile, ACCELERATIONS))
    for piece in todo[:8]:
        run.feed.send(piece, piece.end - 0.115)
        run.feed.taken(piece, piece.end - 0.115)
    begin = todo[7].end
    assert begin > BRAKE
    run.feed.send(todo[8], begin - (0.02 if late else 0.08))
    run.feed.see(run.profile.at(todo[8].end - 0.1), 12, begin)
    assert (run.feed.pause(todo[9], begin) > 0.02) is late


@pytest.mark.parametrize("stuck", [0, 1, 4])
def test_a_stuck_joint_is_found_and_named(stuck):
    assert Run().go(stuck=stuck) == stuck


def test_a_controller_that_stands_still_is_found():
    run = Run()
    assert run.go(late=math.inf) in (0, 1, 4)
    assert run.now - run.first < 0.5


def test_a_joint_that_should_not_move_must_not():
    run = Run()
    piece = next(pieces(run.profile, ACCELERATIONS))
    run.feed.send(piece, 1.0)
    assert run.feed.see(run.profile.start + np.array([0.0, 0.0, 0.01, 0.0, 0.0]), 14, 1.01) is not None
