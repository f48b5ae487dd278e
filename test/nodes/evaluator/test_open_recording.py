"""Publishers of a topic told apart by the numbers of their messages."""

from __future__ import annotations

import random

from vantage.nodes.evaluator.open_recording import MessageOrigin, PublisherTracker


def test_one_writer_counts_on_and_a_gap_is_a_loss() -> None:
    writers = PublisherTracker(lambda: True)
    assert [writers.heard(number) for number in (7, 8, 11, 12)] == [
        MessageOrigin(1),
        MessageOrigin(1),
        MessageOrigin(1, lost=2),
        MessageOrigin(1),
    ]


def test_one_that_is_started_anew_is_another_writer() -> None:
    writers = PublisherTracker(lambda: True)
    assert [writers.heard(number).writer for number in (1, 2, 3, 1, 2)] == [1, 1, 1, 2, 2]


def test_a_number_out_of_order_is_a_strangers_where_there_is_one() -> None:
    writers = PublisherTracker(lambda: False)
    assert [writers.heard(number).writer for number in (5, 6, 1, 7, 2, 8, 30, 9)] == [1, 1, 2, 1, 2, 1, 3, 1]


def test_where_numbers_allow_two_writers_it_is_the_expected_one_else_the_last_one() -> None:
    writers = PublisherTracker(lambda: False)
    for number in (3, 1, 2, 3):
        writers.heard(number)
    assert writers.heard(4, expected=1).writer == 1
    assert writers.heard(4).writer == 2


def test_a_message_that_comes_again_is_known() -> None:
    writers = PublisherTracker(lambda: True)
    assert writers.heard(1, b"running") == MessageOrigin(1)
    assert writers.heard(1, b"running") == MessageOrigin(1, repeated=True)
    assert writers.heard(1, b"finished") == MessageOrigin(2)
    assert writers.heard(2, b"finished") in (MessageOrigin(1), MessageOrigin(2))


def test_without_numbers_all_are_one() -> None:
    writers = PublisherTracker(lambda: False)
    assert {writers.heard(number, b"x") for number in (None, 2**64 - 1, None)} == {MessageOrigin(0)}


def test_interleaved_writers_are_told_apart_and_few_are_kept() -> None:
    draw = random.Random(1)
    writers, counts = PublisherTracker(lambda: False), [1000 * k for k in range(5)]
    names: list[set[int]] = [set() for _ in counts]
    for _ in range(2000):
        k = draw.randrange(len(counts))
        counts[k] += 1
        names[k].add(writers.heard(counts[k]).writer)
    assert [len(found) for found in names] == [1] * 5
    assert len(set.union(*names)) == 5
    for number in range(10_000, 20_000, 5):
        writers.heard(number)
    assert len(writers._writers) <= 16
