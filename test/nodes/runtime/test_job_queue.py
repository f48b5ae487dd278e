"""Lanes: order, lines of their own for each key, errors that end nothing, and ends in time."""

from __future__ import annotations

import threading

import pytest

from vantage.nodes.runtime.job_queue import JobQueue

SOON = 10.0  # s


@pytest.fixture
def failures() -> list[Exception]:
    return []


@pytest.fixture
def job_queue(failures):
    job_queue = JobQueue("test", failures.append)
    yield job_queue
    assert job_queue.close(SOON)


class Gate:
    """A job that tells that it runs and waits until it may end."""

    def __init__(self) -> None:
        self.entered, self.open = threading.Event(), threading.Event()

    def __call__(self) -> None:
        self.entered.set()
        assert self.open.wait(SOON)


def test_jobs_are_done_in_the_order_in_which_they_came(job_queue: JobQueue) -> None:
    done: list[int] = []
    for number in range(100):
        assert job_queue.submit(lambda number=number: done.append(number), f"key {number % 3}")
    assert job_queue.drain(SOON)
    assert done == list(range(100))


def test_the_oldest_of_a_key_gives_way_and_others_stay(job_queue: JobQueue) -> None:
    gate, done = Gate(), []
    job_queue.submit(gate)
    assert gate.entered.wait(SOON)
    kept = [job_queue.submit(lambda number=number: done.append(number), "views", 2) for number in range(5)]
    job_queue.submit(lambda: done.append("other"), "other", 2)
    assert kept == [True, True, False, False, False]
    assert job_queue.waiting("views") == 2
    gate.open.set()
    assert job_queue.drain(SOON)
    assert done == [3, 4, "other"]
    assert job_queue.waiting("views") == 0


def test_what_a_job_raises_is_told_and_the_next_is_done(job_queue: JobQueue, failures: list[Exception]) -> None:
    done = []
    job_queue.submit(lambda: 1 // 0)
    job_queue.submit(lambda: done.append(1))
    assert job_queue.drain(SOON)
    assert done == [1]
    assert [type(error) for error in failures] == [ZeroDivisionError]


def test_as_many_jobs_run_at_once_as_there_are_threads(failures: list[Exception]) -> None:
    job_queue, together = JobQueue("test", failures.append, threads=3), threading.Barrier(3)
    for _ in range(3):
        job_queue.submit(lambda: together.wait(SOON) and None)
    assert job_queue.drain(SOON)
    assert job_queue.close(SOON)
    assert not failures


def test_drain_waits_for_what_runs_and_tells_when_it_takes_too_long(job_queue: JobQueue) -> None:
    gate = Gate()
    job_queue.submit(gate)
    assert gate.entered.wait(SOON)
    assert job_queue.busy
    assert not job_queue.drain(0.01)
    gate.open.set()
    assert job_queue.drain(SOON)
    assert not job_queue.busy


def test_a_job_may_drain_its_own_lane(job_queue: JobQueue) -> None:
    found = []
    job_queue.submit(lambda: found.append(job_queue.drain(SOON)))
    assert job_queue.drain(SOON)
    assert found == [True]


def test_a_closed_lane_does_what_waits_and_takes_nothing_more(failures: list[Exception]) -> None:
    job_queue, gate, done = JobQueue("test", failures.append), Gate(), []
    job_queue.submit(gate)
    job_queue.submit(lambda: done.append("waited"))
    assert gate.entered.wait(SOON)
    assert not job_queue.close(0.01), "the first job does not end by itself"
    assert not job_queue.submit(lambda: done.append("late"))
    gate.open.set()
    assert job_queue.close(SOON)
    assert done == ["waited"]


def test_many_callers_lose_no_job(failures: list[Exception]) -> None:
    job_queue, done, lock = JobQueue("test", failures.append, threads=4), [0], threading.Lock()

    def job() -> None:
        with lock:
            done[0] += 1

    def call() -> None:
        for _ in range(200):
            job_queue.submit(job)

    callers = [threading.Thread(target=call) for _ in range(8)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join(SOON)
    assert job_queue.drain(SOON)
    assert job_queue.close(SOON)
    assert done == [1600]


def test_a_free_thread_takes_what_comes_right_after_a_long_job(failures: list[Exception]) -> None:
    """A thread that was told of work but has not begun yet is not free for more."""
    for _ in range(50):
        job_queue, gate, quick = JobQueue("test", failures.append, threads=8), Gate(), threading.Event()
        job_queue.submit(lambda: None)
        assert job_queue.drain(SOON)  # one thread is idle now
        job_queue.submit(gate)
        job_queue.submit(quick.set)
        assert quick.wait(SOON), "it waits behind the long job, though threads are free"
        gate.open.set()
        assert job_queue.close(SOON)


class Escaping(BaseException):
    """Raised by libraries that are not written in Python."""


def test_nothing_that_escapes_ends_the_thread_of_a_lane() -> None:
    def failed(error: BaseException) -> None:
        raise RuntimeError("and telling it fails")

    def escape() -> None:
        raise Escaping

    job_queue, done = JobQueue("test", failed), []
    for _ in range(3):
        job_queue.submit(escape)
    job_queue.submit(lambda: done.append(1))
    assert job_queue.drain(SOON)
    assert done == [1]
    assert job_queue.close(SOON)


def test_a_lane_that_does_not_finish_drops_what_waits(failures: list[Exception]) -> None:
    job_queue, gate, done = JobQueue("test", failures.append, finishes=False), Gate(), []
    job_queue.submit(gate)
    job_queue.submit(lambda: done.append("waited"), "key", 2)
    assert gate.entered.wait(SOON)
    assert job_queue.waiting() == 1
    assert not job_queue.close(0.01), "what runs is waited for"
    assert job_queue.waiting() == 0
    gate.open.set()
    assert job_queue.close(SOON)
    assert done == []
