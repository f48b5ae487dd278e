"""The agent that turns on the spot, on a world of boxes."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from box_room import BoxRoom, furnished_room

from vantage.config import ActionSettings, AgentSettings, Settings
from vantage.planning.agents.baselines import StaticAgent
from vantage.planning.protocol import Agent
from vantage.recording.events import EpisodeListener
from vantage.registry import AGENTS
from vantage.runs.episode import EpisodeRunner
from vantage.spatial import Viewpoint
from vantage.types import Episode, EpisodeState, Phase, Question, Status, StepResult, Verdict

SETTINGS = replace(Settings(), agent=AgentSettings(min_pixels=12))
START = Viewpoint(2.7, 1.6, 1.4, math.pi / 2, -0.3)  # with its back to the table
MUG = "What color is the mug on the table?"


class Log(EpisodeListener):
    def __init__(self):
        self.actions, self.poses, self.doing = [], [], []

    def observed(self, observation):
        self.poses.append(observation.viewpoint)

    def commanded(self, command, stamp):
        self.actions.append(command.action)

    def thought(self, view, detections, observation):
        self.doing.append(view.doing)


def run(*texts, start=START, max_steps=60, world=None, settings=SETTINGS, phase=Phase.ANSWER.value):
    questions = tuple(Question(f"q{k}", text, phase) for k, text in enumerate(texts))
    log = Log()
    episode = Episode("e", "search", "boxes", start, questions, max_steps)
    world = world or BoxRoom(furnished_room(), 160, 120)
    return EpisodeRunner(world, StaticAgent(settings), [log]).run(episode, 0), log


def test_it_is_a_registered_agent():
    assert isinstance(AGENTS.create("static", SETTINGS), Agent)


def test_it_turns_once_and_stays_where_it_is():
    outcome, log = run(MUG)
    assert set(log.actions) == {"yaw+"}
    assert outcome.steps == 11, "twelve headings of 30 degrees, the first one included"
    assert {(pose.x, pose.y, pose.z, pose.pitch) for pose in log.poses} == {(2.7, 1.6, 1.4, -0.3)}
    headings = {round(pose.yaw / (math.pi / 6)) % 12 for pose in log.poses}
    assert headings == set(range(12))
    assert "looking round on the spot" in log.doing


def test_it_answers_what_can_be_seen_from_there():
    answer = run(MUG)[0].answers[0]
    assert (answer.text, answer.verdict) == ("red", Verdict.ANSWERED)
    assert answer.evidence


def test_what_cannot_be_seen_from_there_stays_open():
    behind = Viewpoint(0.5, 0.5, 1.0, math.pi, 0.0)  # behind the partition
    answer = run(MUG, start=behind)[0].answers[0]
    assert answer.text != "red"
    assert answer.verdict is not Verdict.UNANSWERABLE, "what was not seen is not absent"


def test_it_turns_once_for_all_questions():
    outcome, _log = run(MUG, "What is the table made of?")
    assert outcome.steps == 11
    assert [answer.question_id for answer in outcome.answers] == ["q0", "q1"]


@pytest.mark.parametrize("budget", [0, 1, 5])
def test_a_short_budget_ends_the_turning(budget):
    outcome, _log = run(MUG, max_steps=budget)
    assert outcome.state == EpisodeState.FINISHED
    assert outcome.steps == budget
    assert len(outcome.answers) == 1


def test_uneven_turns_still_show_every_heading():
    settings = replace(SETTINGS, actions=ActionSettings(rotation=0.7))
    outcome, _ = run(MUG, settings=settings)
    assert outcome.steps == 8  # nine times 0.7 rad is more than once round


def test_where_turning_left_ends_it_turns_right():
    class Stiff(BoxRoom):
        """Turns no further left than it stood, by two actions."""

        def step(self, command):
            turned = math.remainder(command.target.yaw - START.yaw, math.tau)
            if turned > 2.5 * math.pi / 6:
                self._gate.admit(command, self._viewpoint)
                return StepResult(Status.COLLIDED, "the cable is taut", command, self.observe())
            return super().step(command)

    outcome, log = run(MUG, world=Stiff(furnished_room(), 160, 120))
    assert log.actions[:3] == ["yaw+"] * 3
    assert set(log.actions[3:]) == {"yaw-"}
    assert outcome.answers[0].text == "red"
    assert outcome.steps <= 3 + 11


def test_to_explore_it_looks_round_and_tells_what_it_saw():
    outcome, _ = run("Look around.", phase=Phase.EXPLORE.value)
    assert outcome.steps == 11
    assert "of the space was seen" in outcome.answers[0].text
