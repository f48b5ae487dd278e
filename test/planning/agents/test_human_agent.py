"""A person as an agent: what she is shown, what she may decide, and what is recorded of it."""

from __future__ import annotations

import math
import threading
from dataclasses import replace

import pytest
from box_room import BoxRoom, furnished_room
from row_tables import each_row

from vantage.config import ControlSettings, Settings
from vantage.errors import UsageError
from vantage.planning.agents.human_agent import HumanAgent
from vantage.planning.agents.mailbox import Decided, Mailbox, Sight, WrittenAnswer
from vantage.planning.protocol import Agent, Participating
from vantage.recording import EpisodeListener
from vantage.registry import AGENTS
from vantage.runs import EpisodeRunner
from vantage.spatial import Viewpoint
from vantage.types import Episode, EpisodeState, Participation, Question, Verdict

START = Viewpoint(2.7, 1.6, 1.4, math.pi / 2, -0.3)
WAIT = 60.0  # s


def episode(steps: int = 3) -> Episode:
    return Episode("e", "search", "secret-home", START, (Question("q", "What color is the box?"),), steps)


class Evening:
    """An episode with a person, run in a thread of its own."""

    def __init__(self, steps: int = 3, idle: float = math.inf, **control) -> None:
        self.mailbox = Mailbox(idle)
        settings = replace(Settings(), control=ControlSettings(**control))
        self.agent = HumanAgent(settings, self.mailbox)
        self.agent.seat(Participation("p-1", "00", "plain", "c"))
        runner = EpisodeRunner(BoxRoom(furnished_room()), self.agent, (EpisodeListener(),))
        gone = lambda: bool(self.mailbox.closed)  # noqa: E731
        self._thread = threading.Thread(target=lambda: setattr(self, "outcome", runner.run(episode(steps), 0, gone)))
        self._thread.start()

    def end(self):
        self._thread.join(WAIT)
        assert not self._thread.is_alive()
        return self.outcome


def test_it_is_an_agent_that_only_a_page_can_reach():
    agent = HumanAgent(Settings(), Mailbox())
    assert isinstance(agent, Agent)
    assert isinstance(agent, Participating)
    assert (agent.name, agent.perception, agent.detections()) == ("human", "eyes", ())
    with pytest.raises(UsageError, match="vantage play"):
        AGENTS.create("human", Settings())


def test_she_acts_within_the_budget_and_answers_with_the_pictures_that_she_chose():
    evening = Evening(steps=1, frames=2)
    first = evening.mailbox.look(timeout=WAIT)
    assert (first.number, first.steps_left, first.result, len(first.pictures)) == (1, 1, "none", 1)
    evening.mailbox.decide(1, Decided(evening.agent._moves[0]))
    second = evening.mailbox.look(1, WAIT)
    assert (second.steps_left, second.actions, len(second.pictures)) == (0, (), 2)
    assert second.result in ("Done", "Collision occurred. You remained at the same position")
    assert "secret-home" not in repr(second)
    with pytest.raises(UsageError, match="no step is left"):
        evening.mailbox.decide(2, Decided(evening.agent._moves[0]))
    evening.mailbox.decide(2, Decided(answer=WrittenAnswer("red", confidence=0.5, evidence=(1,))))
    outcome = evening.end()
    answer = outcome.answers[0]
    assert (outcome.state, answer.text, answer.confidence) == (EpisodeState.FINISHED, "red", 0.5)
    assert len(answer.evidence) == 2
    assert answer.evidence[0].stamp < answer.evidence[1].stamp
    assert evening.agent.participation().thinking_time >= 0.0


def test_a_decision_counts_once_and_a_thousand_others_change_nothing():
    evening = Evening()
    sight = evening.mailbox.look(timeout=WAIT)
    bad = [
        Decided("teleport"),
        Decided(),
        Decided("\x00"),
        Decided("x+", WrittenAnswer("both")),
        Decided(answer=WrittenAnswer("")),
        Decided(answer=WrittenAnswer("a" * 2001)),
        Decided(answer=WrittenAnswer("a", Verdict.NEEDS_MODEL)),
        Decided(answer=WrittenAnswer("a", confidence=math.nan)),
        Decided(answer=WrittenAnswer("a", evidence=(99,))),
    ]
    for number in range(1000):
        with pytest.raises(UsageError):
            evening.mailbox.decide(sight.number if number % 2 else number + 2, bad[number % len(bad)])
    evening.mailbox.decide(1, Decided(answer=WrittenAnswer("red")))
    with pytest.raises(UsageError, match="no longer the current one"):
        evening.mailbox.decide(1, Decided(answer=WrittenAnswer("blue")))
    assert [answer.text for answer in evening.end().answers] == ["red"]


def test_a_restricted_camera_refuses_other_axes_and_stays():
    evening = Evening(steps=2, dof="planar")
    assert evening.agent.control == "dof=x+y+yaw"
    first = evening.mailbox.look(timeout=WAIT)
    assert first.actions == ("x+", "x-", "y+", "y-", "yaw+", "yaw-")
    assert (first.axes, first.left_out) == (("x", "y", "yaw"), ("z+", "z-", "pitch+", "pitch-"))
    for action in first.left_out:
        with pytest.raises(UsageError, match="not possible with a camera restricted to x, y, yaw; choose"):
            evening.mailbox.decide(1, Decided(action))
    assert evening.mailbox.look(timeout=WAIT) is first, "nothing moved"
    evening.mailbox.decide(1, Decided("yaw+"))
    second = evening.mailbox.look(1, WAIT)
    assert (second.number, second.steps_left, second.last_action) == (2, 1, "yaw+")
    evening.mailbox.decide(2, Decided(answer=WrittenAnswer("red")))
    assert evening.end().state == EpisodeState.FINISHED


@each_row("dof, sentence", [("x,roll", "unknown axis"), ("yaw,yaw", "named twice"), (",", "unknown axis")])
def test_axes_that_do_not_exist_are_refused(dof, sentence):
    with pytest.raises(UsageError, match=sentence):
        HumanAgent(replace(Settings(), control=ControlSettings(dof=dof)), Mailbox())


def test_who_decides_nothing_for_long_is_gone_and_so_is_who_is_told_to_go():
    assert Evening(idle=0.2).end().state == EpisodeState.CANCELED
    evening = Evening()
    assert evening.mailbox.look(timeout=WAIT) is not None
    evening.mailbox.close("enough")
    assert evening.end().state == EpisodeState.CANCELED
    assert evening.mailbox.look(timeout=0.1) is None


def test_a_closed_mailbox_is_waited_for_until_it_is_opened_again():
    mailbox = Mailbox()
    mailbox.close("enough")
    found = []
    waiting = threading.Thread(target=lambda: found.append(mailbox.look(timeout=WAIT)))
    waiting.start()
    mailbox.reopen()
    sight = Sight(1, (), "q", "answer", 1, "none", "none", (), False, (1,))
    asking = threading.Thread(target=mailbox.ask, args=(sight, lambda: None))
    asking.start()
    waiting.join(WAIT)
    assert found == [sight]
    for words in ([], {"a": 1}, None, 7):
        with pytest.raises(UsageError, match="characters in each field"):
            mailbox.decide(1, Decided(answer=WrittenAnswer(words, Verdict.UNANSWERABLE)))
    mailbox.decide(1, Decided(answer=WrittenAnswer("red")))
    asking.join(WAIT)
    assert not asking.is_alive()


def test_who_watches_is_told_of_every_change_until_she_does_not_watch_any_more():
    mailbox, told = Mailbox(), []
    tell = lambda: told.append(mailbox.look())  # noqa: E731
    mailbox.watch(tell)
    sight = Sight(1, (), "q", "answer", 1, "none", "none", ("x+",), False, (1,))
    thread = threading.Thread(target=mailbox.ask, args=(sight, lambda: None))
    thread.start()
    shown = mailbox.look(timeout=WAIT)
    mailbox.decide(1, Decided("x+"))
    thread.join(WAIT)
    assert told == [shown, None]
    mailbox.unwatch(tell)
    mailbox.close("the end")
    assert len(told) == 2
