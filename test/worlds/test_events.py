"""The log of events: numbers, order, memory."""

from __future__ import annotations

import threading

from vantage.types import Event
from vantage.worlds.events import EventLog


def test_events_are_numbered_and_stamped() -> None:
    stamps = iter([10, 20])
    log = EventLog(lambda: next(stamps))
    assert (log.newest, log.since(0)) == (0, [])
    assert log.add("link", "the cable is out") == Event(1, 10, "link", "the cable is out", False)
    log.add("alarm", "a switch was hit", fatal=True)
    assert log.newest == 2
    assert log.since(0) == [
        Event(1, 10, "link", "the cable is out", False),
        Event(2, 20, "alarm", "a switch was hit", True),
    ]
    assert [event.number for event in log.since(1)] == [2]
    assert log.since(2) == log.since(99) == []


def test_the_oldest_are_forgotten_but_numbers_go_on() -> None:
    log = EventLog(lambda: 0)
    for number in range(1500):
        log.add("garbage", str(number))
    kept = log.since(0)
    assert [event.number for event in kept] == list(range(501, 1501))
    assert kept[0].sentence == "500"


def test_several_threads_lose_nothing() -> None:
    log = EventLog()
    threads = [threading.Thread(target=lambda n=n: [log.add("link", f"{n} {i}") for i in range(200)]) for n in range(4)]
    for thread in threads:
        thread.start()
    seen: list[Event] = []
    while any(thread.is_alive() for thread in threads):
        seen += log.since(seen[-1].number if seen else 0)
    seen += log.since(seen[-1].number if seen else 0)
    assert [event.number for event in seen] == list(range(1, 801))
    assert [event.stamp for event in seen] == sorted(event.stamp for event in seen)
    assert {event.sentence for event in seen} == {f"{n} {i}" for n in range(4) for i in range(200)}
