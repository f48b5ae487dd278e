"""What the hand could do: costs, neighbours in one go, and what failed too often."""

from __future__ import annotations

import math
from types import SimpleNamespace

import pytest

from vantage.perception.map import Inside
from vantage.planning.agents.hand_jobs import FREE, OPEN, WEIGH, HandJobs, Job
from vantage.spatial import Viewpoint


def test_neighbours_make_a_weighing_worth_more():
    alone, together = Job(WEIGH, 1, 80.0), Job(WEIGH, 1, 130.0, (2, 3))
    assert together.rate > alone.rate
    assert Job(FREE, 0, 0.0).patience == math.inf
    assert alone.cost < alone.patience < math.inf


def test_only_wanted_neighbours_stay():
    job = Job(WEIGH, 1, 130.0, (2, 3))
    assert job.among({2, 3, 4}) == job
    fewer = job.among({3})
    assert fewer.then == (3,)
    assert 80.0 < fewer.cost < job.cost
    assert job.among(set()).then == ()


class _Floor:
    def cost(self, place):
        return math.hypot(*place)


class _Thing:
    def __init__(self, key, label, low, high, states=(), mass=None):
        self.instance_id, self.label, self.bounds_min, self.bounds_max = key, label, low, high
        self.states, self.mass = states, mass
        self.center = tuple(0.5 * (a + b) for a, b in zip(low, high, strict=True))


UPPER, LOWER = (3.0, 0.0, 0.8), (3.0, 0.0, 0.3)


class _Scene:
    floor_level, held = 0.0, None

    def __init__(self, *things):
        self.objects, self.shut = things, (UPPER, LOWER)

    def handles_of(self, obj):
        handles = SimpleNamespace(key=41, center=UPPER), SimpleNamespace(key=42, center=LOWER)
        return handles if obj.label == "cabinet" else ()

    def inside_of(self, obj):
        return Inside(shut=self.shut)

    def support_of(self, obj):
        return type("On", (), {"relation": "on", "key": 9})()

    def get(self, key):
        return None


class _Now:
    floor, here = _Floor(), Viewpoint(0.0, 0.0, 1.4, 0.0, 0.0)


@pytest.fixture
def jobs():
    mug = _Thing(1, "mug", (1.0, 0.0, 0.7), (1.1, 0.1, 0.8))
    cup = _Thing(2, "cup", (1.2, 0.0, 0.7), (1.3, 0.1, 0.8))
    weighed = _Thing(3, "bowl", (1.4, 0.0, 0.7), (1.5, 0.1, 0.8), mass=(0.2, 0.3))
    cabinet = _Thing(4, "cabinet", (3.0, 0.0, 0.0), (4.0, 0.5, 1.0), states=("closed",))
    window = _Thing(5, "window", (3.0, 0.0, 0.0), (4.0, 0.5, 1.0), states=("closed",))
    return HandJobs(_Scene(mug, cup, weighed, cabinet, window), _Now(), 0.25)


def test_what_is_weighed_or_never_opened_is_no_job(jobs):
    found = {(job.what, job.key): job for job in jobs.left()}
    assert set(found) == {(WEIGH, 1), (WEIGH, 2), (OPEN, 4)}
    assert found[WEIGH, 1].then == (2,)
    assert found[OPEN, 4].cost > 45.0


def test_what_was_done_or_failed_too_often_is_left_alone(jobs):
    by_key = {job.key: job for job in jobs.left()}
    jobs.succeeded(by_key[1], 60)
    jobs.failed(by_key[2], is_final=False, steps=40)
    jobs.failed(by_key[4], is_final=True, steps=200)
    assert {job.key for job in jobs.left()} == {2}
    jobs.failed(by_key[2], is_final=False, steps=40)
    assert jobs.left() == []


def test_what_mostly_fails_is_thought_to_cost_more(jobs):
    before = {job.key: job for job in jobs.left()}
    jobs.failed(before[4], is_final=False, steps=150)
    after = {job.key: job for job in jobs.left()}
    assert after[4].cost > before[4].cost
    assert after[4].rate < before[4].rate
    assert after[2] == before[2]


def test_each_door_is_opened_by_its_handle_until_all_was_looked_into(jobs):
    def opening():
        return next((job for job in jobs.left() if job.what == OPEN), None)

    scene, cabinet = jobs._memory, jobs._memory.objects[3]
    assert opening().handle == 42  # the lower one, into which nobody sees when the upper one is open
    jobs.succeeded(opening(), 50)
    cabinet.states, scene.shut = ("open",), (UPPER,)
    assert opening().handle == 41
    scene.shut = ((3.0, 0.5, 0.3),)  # where no handle is known
    assert opening() is None
    scene.shut = ()
    assert opening() is None
