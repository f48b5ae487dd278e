"""Planned motion keeps every limit, ends at rest where it should, and passes straight joints at full speed."""

import itertools
import math

import pytest
from hypothesis import given, settings, strategies as st
from sampling import examples

from vantage.worlds.rig.emulators.grbl.planner import Planner, junction_speed, make_block

RATES = (200.0, 150.0, 80.0)
ACCELERATIONS = (2000.0, 1500.0, 400.0)
DEVIATION = 0.01

points = st.lists(st.tuples(*[st.floats(-50.0, 50.0)] * 3), min_size=1, max_size=8)
speeds = st.lists(st.floats(1.0, 400.0), min_size=8, max_size=8)


def filled(targets, wanted, now=0.0):
    planner = Planner(15, (0.0, 0.0, 0.0))
    for target, speed in zip(targets, wanted, strict=False):
        block = make_block(planner.last, target, speed, RATES, ACCELERATIONS)
        if block is not None:
            planner.add(block, now, ACCELERATIONS, DEVIATION)
    return planner


def samples(planner, step=1e-3, hold_at=math.inf):
    """(t, position, speed, acceleration of the block under way) until the motion rests."""
    t, held = 0.0, False
    while planner.moving:
        block = planner.blocks[0]
        yield t, planner.position, planner.speed, block
        t += step
        if t >= hold_at and not held:
            planner.hold(t)
            held = True
        planner.advance(t)


def check_limits(found, step):
    for (_, p0, v0, b0), (_, p1, v1, b1) in itertools.pairwise(found):
        most = max(b0.acceleration, b1.acceleration)
        assert abs(v1 - v0) <= most * step + 1e-6
        assert v0 <= min(b0.top, b0.speed) + 1e-6
        for a, b, rate in zip(p0, p1, RATES, strict=True):
            assert abs(b - a) <= rate * step + 1e-6


@settings(max_examples=examples(40), deadline=None)
@given(points, speeds)
def test_limits_are_kept_and_the_end_is_reached_at_rest(targets, wanted):
    planner = filled(targets, wanted)
    end, last, step = planner.end or 0.0, planner.last, max(1e-3, (planner.end or 0.0) / 2000)
    found = list(samples(planner, step))
    check_limits(found, step)
    assert planner.position == last
    assert planner.speed == 0.0
    assert not planner.blocks
    if found:
        assert found[-1][0] <= end <= found[-1][0] + step
        assert found[-1][2] <= max(ACCELERATIONS) * 2 * step + 1e-6


@settings(max_examples=examples(40), deadline=None)
@given(points, speeds, st.floats(0.0, 1.0))
def test_a_hold_brakes_on_the_path_and_resumes_to_the_end(targets, wanted, share):
    planner = filled(targets, wanted)
    last, end = planner.last, planner.end or 0.0
    step = max(1e-3, end / 2000)
    free = [p for _, p, _, _ in samples(filled(targets, wanted), step)]
    found = list(samples(planner, step, hold_at=share * end))
    check_limits(found, step)
    assert planner.speed == 0.0
    if free:  # it stands on the way that it would have gone
        assert min(math.dist(planner.position, p) for p in [*free, last]) <= max(RATES) * 2 * step + 1e-6
    now = found[-1][0] + 2 * step if found else 1.0
    planner.advance(now)
    planner.resume(now)
    if planner.end is not None:
        planner.advance(planner.end)
    assert planner.position == last


@given(points, speeds, st.integers(0, 40))
@settings(max_examples=examples(40), deadline=None)
def test_what_is_added_under_way_keeps_the_limits_too(targets, wanted, pause):
    planner = Planner(15, (0.0, 0.0, 0.0))
    found, t, step = [], 0.0, 1e-3
    for target, speed in zip(targets, wanted, strict=False):
        block = make_block(planner.last, target, speed, RATES, ACCELERATIONS)
        if block is not None:
            planner.add(block, t, ACCELERATIONS, DEVIATION)
        for _ in range(pause):
            if planner.moving:
                found.append((t, planner.position, planner.speed, planner.blocks[0]))
            t += step
            planner.advance(t)
            if not planner.moving:
                check_limits(found, step)
                found = []
    check_limits(found, step)


@given(st.integers(1, 15), st.tuples(*[st.floats(-40.0, 40.0)] * 3), st.floats(5.0, 300.0))
@settings(max_examples=examples(40), deadline=None)
def test_a_line_in_pieces_takes_as_long_as_in_one(count, target, speed):
    if math.hypot(*target) < 1.0:
        return
    pieces = [tuple((i + 1) / count * value for value in target) for i in range(count)]
    planner = filled(pieces, [speed] * count)
    assert planner.end == pytest.approx(filled([target], [speed]).end, rel=1e-6)


def test_one_block_is_a_trapezoid():
    planner = filled([(100.0, 0.0, 0.0)], [100.0])
    assert planner.end == pytest.approx(100.0 / 100.0 + 100.0 / 2000.0)
    planner.advance(0.05)
    assert planner.speed == pytest.approx(100.0)
    assert planner.position[0] == pytest.approx(2.5)
    planner.advance(0.525)
    assert planner.position[0] == pytest.approx(50.0)


def test_the_weakest_axis_limits_a_slanted_block():
    block = make_block((0.0,) * 3, (30.0, 0.0, 40.0), 1e9, RATES, ACCELERATIONS)
    assert block.top == pytest.approx(min(200.0 / 0.6, 80.0 / 0.8))
    assert block.acceleration == pytest.approx(min(2000.0 / 0.6, 400.0 / 0.8))


def test_corners():
    def lines(first, second):
        a = make_block((0.0,) * 3, first, 100.0, RATES, ACCELERATIONS)
        b = make_block(first, [p + q for p, q in zip(first, second, strict=True)], 100.0, RATES, ACCELERATIONS)
        return junction_speed(a, b, ACCELERATIONS, DEVIATION)

    assert lines((10.0, 0.0, 0.0), (5.0, 0.0, 0.0)) == math.inf
    assert lines((10.0, 0.0, 0.0), (-5.0, 0.0, 0.0)) == 0.0
    square, gentle = lines((10.0, 0.0, 0.0), (0.0, 10.0, 0.0)), lines((10.0, 0.0, 0.0), (10.0, 1.0, 0.0))
    half = math.sqrt(0.5)
    assert square == pytest.approx(math.sqrt(1500.0 * math.sqrt(2.0) * DEVIATION * half / (1 - half)))
    assert gentle > 3 * square


def test_nothing_to_do_is_no_block():
    assert make_block((1.0, 2.0, 3.0), (1.0, 2.0, 3.0), 10.0, RATES, ACCELERATIONS) is None


def test_a_slower_override_brakes_to_the_new_speed():
    planner = filled([(100.0, 0.0, 0.0)], [100.0])
    planner.advance(0.5)
    planner.feed = 0.5
    planner.resume(0.5)
    planner.advance(0.55)
    assert planner.speed == pytest.approx(50.0)
    assert planner.end > 1.5


def test_times_on_the_way():
    planner = filled([(100.0, 0.0, 0.0)], [100.0])
    block = planner.blocks[0]
    for distance in (0.0, 1.0, 2.5, 50.0, 99.0, 100.0):
        time = planner.time_at(block, distance)
        assert filled_at(time) == pytest.approx(distance, abs=1e-6)
    planner.hold(0.5)
    assert planner.time_at(block, 99.0) is None


def filled_at(time):
    planner = filled([(100.0, 0.0, 0.0)], [100.0])
    planner.advance(time)
    return planner.position[0]
