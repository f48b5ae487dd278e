from __future__ import annotations

import time

import pytest

from vantage.errors import UsageError
from vantage.nodes.qa.pending_corrections import MOST, Correction, PendingCorrections
from vantage.runs.confirmation import Ruling
from vantage.types import Answer, NoiseReport, NoiseType, Question, Verdict

NOISE = NoiseReport(NoiseType.COLOR, "the mug is blue", "the mug is red", "What is the red mug made of?", 0.9)
ASKED = Question("q", "What is the blue mug made of?")
PROPOSED = Answer("q", "The mug is red. Did you mean ...?", Verdict.NEEDS_CONFIRMATION, 0.9, NOISE)


@pytest.fixture
def told() -> list[tuple[Correction, Ruling]]:
    return []


@pytest.fixture
def pending(told):
    return PendingCorrections("qa_node", lambda item, ruling: told.append((item, ruling)))


def rulings(told):
    return [ruling for _, ruling in told]


@pytest.mark.parametrize("ruling", [Ruling.ACCEPTED, Ruling.REFUSED])
def test_a_person_rules_once(pending, told, ruling):
    pending.propose("e", ASKED, PROPOSED, 10.0)
    assert 9.0 < pending.open[0].time_left <= 10.0
    assert pending.rule("e", "q", ruling).question == ASKED
    assert pending.open == ()
    assert rulings(told) == [Ruling.OPEN, ruling]
    how = "was accepted" if ruling is Ruling.ACCEPTED else "was refused"
    with pytest.raises(UsageError, match=f"{how} before; ask again"):
        pending.rule("e", "q", ruling)
    with pytest.raises(UsageError, match="no correction of question 'other' waits"):
        pending.rule("e", "other", ruling)


@pytest.mark.real_time
def test_a_lapse_is_told_and_known_afterwards(pending, told, monkeypatch):
    now = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: now)
    pending.propose("e", ASKED, PROPOSED, 5.0)
    pending.tick()
    assert rulings(told) == [Ruling.OPEN]
    monkeypatch.setattr(time, "monotonic", lambda: now + 5.1)
    pending.tick()
    pending.tick()
    assert rulings(told) == [Ruling.OPEN, Ruling.LAPSED]
    assert pending.lapsed == 1
    with pytest.raises(UsageError, match="has lapsed before"):
        pending.rule("e", "q", Ruling.ACCEPTED)
    pending.propose("e", ASKED, PROPOSED, 10.0)
    assert pending.rule("e", "q", Ruling.ACCEPTED).key == ("e", "answer", "q"), "asked again, it waits again"


def test_asked_again_it_takes_the_place_of_the_one_before(pending, told):
    pending.propose("e", ASKED, PROPOSED, 10.0)
    pending.propose("e", ASKED, PROPOSED, 20.0)
    assert [item.time_left > 15.0 for item in pending.open] == [True]
    assert rulings(told) == [Ruling.OPEN, Ruling.CANCELED, Ruling.OPEN]


def test_an_episode_need_not_be_named_where_it_is_clear(pending):
    pending.propose("e", ASKED, PROPOSED, 10.0)
    pending.propose("f", ASKED, PROPOSED, 10.0)
    with pytest.raises(UsageError, match="in the episodes 'e', 'f'; say in which"):
        pending.rule("", "q", Ruling.ACCEPTED)
    pending.rule("e", "q", Ruling.REFUSED)
    assert pending.rule("", "q", Ruling.ACCEPTED).episode_id == "f"


def test_an_empty_episode_can_be_said(pending):
    pending.propose("", ASKED, PROPOSED, 10.0)
    pending.propose("e", ASKED, PROPOSED, 10.0)
    assert pending.rule("", "q", Ruling.ACCEPTED).episode_id == ""
    assert [item.episode_id for item in pending.open] == ["e"]


def test_what_another_node_waits_for_is_not_replaced(pending, told):
    pending.propose("e", ASKED, PROPOSED, 10.0, source="planner_node")
    pending.propose("e", ASKED, PROPOSED, 60.0)
    assert [(item.source, item.time_left <= 10.0) for item in pending.open] == [("planner_node", True)]
    assert rulings(told) == [Ruling.OPEN]
    assert pending.rule("e", "q", Ruling.ACCEPTED).source == "planner_node"


def test_what_another_node_waits_for_replaces_an_own_one_which_ends(pending, told):
    pending.propose("e", ASKED, PROPOSED, 60.0)
    pending.propose("e", ASKED, PROPOSED, 10.0, source="planner_node")
    said = [(item.source, ruling) for item, ruling in told]
    assert said == [("qa_node", Ruling.OPEN), ("qa_node", Ruling.CANCELED), ("planner_node", Ruling.OPEN)]
    assert [item.source for item in pending.open] == ["planner_node"]


def test_own_ones_are_taken_back_and_those_of_others_stay(pending, told):
    pending.propose("", ASKED, PROPOSED, 10.0)
    pending.propose("e", ASKED, PROPOSED, 10.0, source="planner_node")
    assert (pending.cancel_own(), pending.cancel_own()) == (1, 0)
    assert [item.source for item in pending.open] == ["planner_node"]
    assert rulings(told)[-1] is Ruling.CANCELED


@pytest.mark.real_time
def test_others_keep_their_deadlines_and_are_told_of_once(pending, told):
    for _ in range(3):
        pending.propose("e", ASKED, PROPOSED, 0.01, source="planner_node")
    time.sleep(0.02)
    pending.tick()
    assert rulings(told) == [Ruling.OPEN], "the planner says when it has lapsed"
    pending.forget(("e", "answer", "q"), Ruling.LAPSED)
    pending.forget(("e", "answer", "q"), Ruling.LAPSED)
    assert rulings(told) == [Ruling.OPEN, Ruling.LAPSED]


@pytest.mark.real_time
def test_a_node_that_falls_silent_waits_for_nothing_any_more(pending, told, monkeypatch):
    pending.propose("e", ASKED, PROPOSED, 60.0, source="planner_node")
    now = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: now + 4.0)
    pending.tick()
    assert len(pending.open) == 1
    monkeypatch.setattr(time, "monotonic", lambda: now + 6.0)
    pending.tick()
    assert rulings(told) == [Ruling.OPEN, Ruling.LAPSED]


def test_nobody_ends_what_another_node_waits_for_by_a_lie(pending, told):
    pending.propose("e", ASKED, PROPOSED, 10.0)
    pending.forget(("e", "answer", "q"), Ruling.ACCEPTED)
    assert len(pending.open) == 1
    assert rulings(told) == [Ruling.OPEN]


def test_it_is_bounded_and_what_gives_way_is_told(pending, told):
    for number in range(MOST + 3):
        pending.propose("e", Question(f"q{number}", "?"), PROPOSED, 10.0)
    assert [item.question.question_id for item in pending.open] == [f"q{n}" for n in range(3, MOST + 3)]
    assert rulings(told).count(Ruling.LAPSED) == 3


def test_taking_back(pending, told):
    pending.propose("e", ASKED, PROPOSED, 10.0)
    pending.propose("e", Question("other", "?"), PROPOSED, 10.0)
    assert pending.cancel("f", "") == 0
    assert pending.cancel("", "q") == 1
    assert pending.cancel() == 1
    assert rulings(told)[-2:] == [Ruling.CANCELED] * 2
