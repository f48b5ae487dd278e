"""The agent that looks where most was not seen yet, on a world of boxes."""

import math

from box_room import BoxRoom, furnished_room

from vantage.config import Settings
from vantage.planning.agents.exploration_agents import CoverageAgent
from vantage.planning.protocol import Agent
from vantage.recording.events import EpisodeListener
from vantage.registry import AGENTS
from vantage.runs.episode import EpisodeRunner
from vantage.spatial import Viewpoint
from vantage.types import Episode, Phase, Question, Verdict

BEHIND = Viewpoint(1.0, 0.6, 1.2, math.pi, 0.0)  # west of the partition, looking away


class Known(EpisodeListener):
    def __init__(self):
        self.shares, self.doing = [], set()

    def thought(self, view, detections, observation):
        self.shares.append(view.known)
        self.doing.add(view.doing)


def explore(text, max_steps, phase=Phase.ANSWER.value):
    episode = Episode("e", "search", "room", BEHIND, (Question("q", text, phase),), max_steps)
    known = Known()
    outcome = EpisodeRunner(BoxRoom(furnished_room()), CoverageAgent(Settings()), [known]).run(episode, 0)
    return outcome, known


def test_it_is_registered():
    assert isinstance(AGENTS.create("coverage", Settings()), Agent)


def test_it_sees_more_with_every_step_until_all_was_seen_and_looks_for_nothing_in_particular():
    outcome, known = explore("", 80, Phase.EXPLORE.value)
    assert outcome.steps < 80
    assert outcome.answers[0].verdict is Verdict.ANSWERED
    assert known.shares == sorted(known.shares)
    assert known.shares[-1] > 2 * known.shares[0]
    assert known.shares[-1] > 0.95  # all but the inside of things
    assert known.doing <= {"looking at what was not seen yet", ""}


def test_it_uses_its_budget_while_there_is_something_to_see():
    outcome, known = explore("", 10, Phase.EXPLORE.value)
    assert outcome.steps == 10
    assert outcome.answers[0].verdict is Verdict.NEEDS_LOOK
    assert known.shares[-1] < 0.9


def test_it_stops_when_what_it_saw_answers_the_question():
    outcome, _ = explore("What color is the mug on the table?", 60)
    (answer,) = outcome.answers
    assert (answer.text, answer.verdict) == ("red", Verdict.ANSWERED)
    assert outcome.steps < 60
