"""Threads that draw: how many at a time, and whose wish counts."""

from __future__ import annotations

import threading

import pytest

from vantage.web import Painter

WAIT = 60.0  # s


@pytest.fixture
def painters():
    found = [Painter(), Painter(2)]
    yield found
    for painter in found:
        painter.close()


def test_as_many_draw_at_a_time_as_there_are_threads(painters):
    both = threading.Barrier(2, timeout=WAIT)
    drawn = [painters[1].ask(viewer, both.wait) for viewer in ("a", "b")]
    assert sorted(each.result(WAIT) for each in drawn) == [0, 1]


def test_one_thread_draws_one_after_the_other_and_the_latest_wish_counts(painters):
    begun, go_on, order = threading.Event(), threading.Event(), []

    def first():
        begun.set()
        assert go_on.wait(WAIT)
        order.append("a")

    drawing = painters[0].ask("a", first)
    assert begun.wait(WAIT)
    overtaken = painters[0].ask("b", lambda: order.append("overtaken"))
    latest = painters[0].ask("b", lambda: order.append("b"))
    go_on.set()
    drawing.result(WAIT)
    latest.result(WAIT)
    assert overtaken.cancelled()
    assert order == ["a", "b"]


def test_a_painter_that_is_closed_draws_nothing_more(painters):
    for painter in painters:
        painter.close()
        assert painter.ask("a", lambda: 1).cancelled()
