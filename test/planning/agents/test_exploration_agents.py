"""The agent that looks where most was not seen yet, on a world of boxes.

The agent that asks a model, on a world of boxes with pictures.
"""

import math
from dataclasses import replace

import pytest
from box_room import BoxRoom, furnished_room
from painted_room import PaintedRoom
from scripted_models import BrokenModel, RuleModel, share_of, verdict

from vantage.answering import factory
from vantage.config import AgentSettings, Settings
from vantage.errors import UsageError
from vantage.planning.agents.exploration_agents import CoverageAgent, VlmAgent
from vantage.planning.protocol import Agent
from vantage.recording.events import EpisodeListener
from vantage.registry import AGENTS
from vantage.runs.episode import EpisodeRunner
from vantage.spatial import Viewpoint
from vantage.types import Episode, EpisodeState, Phase, Question, Verdict

SETTINGS = replace(
    Settings(), agent=AgentSettings(min_pixels=12, perception="none", model="transformers:folder", mode="nacot")
)
AWAY = Viewpoint(2.7, 2.2, 1.2, math.pi / 2, 0.0)  # with its back to the table


def sees_mug(prompt, image):
    """Yes where a red mug is large enough, whatever is asked about the view; no to anything about it being absent."""
    return 0.95 if share_of("red", image) > 0.001 else 0.03


def tells_color(prompt, image):
    return verdict(answer="red" if share_of("red", image) > 0.0005 else "I do not know")


def run(model, monkeypatch, text="What color is the mug?", settings=SETTINGS, max_steps=40, start=AWAY):
    monkeypatch.setattr(factory, "shared_model", lambda which, group: model)
    episode = Episode("e", "search", "boxes", start, (Question("q1", text),), max_steps)
    return EpisodeRunner(PaintedRoom(), VlmAgent(settings)).run(episode, 0)


def test_it_is_a_registered_agent():
    agent = AGENTS.create("vlm", SETTINGS)
    assert isinstance(agent, Agent)
    assert (agent.name, agent.perception) == ("vlm", "none")


def test_without_a_model_it_says_what_to_do():
    with pytest.raises(UsageError, match=r"name one with --model NAME:WHICH"):
        VlmAgent(Settings())


@pytest.mark.parametrize("mode", ["plain", "nap", "nacot"])
def test_it_looks_until_a_view_suffices_and_answers_from_it(monkeypatch, mode):
    reply = tells_color if mode != "plain" else lambda prompt, image: "red"
    model = RuleModel(reply, sees_mug)
    settings = replace(SETTINGS, agent=replace(SETTINGS.agent, mode=mode))
    outcome = run(model, monkeypatch, settings=settings)
    answer = outcome.answers[0]
    assert (answer.text, answer.verdict) == ("red", Verdict.ANSWERED)
    assert answer.model.startswith(f"rule/{mode}#")
    assert 0 < outcome.steps < 40
    assert len(model.chats) == 1, "one answer, from the one view that suffices"


def test_where_the_first_view_suffices_it_takes_no_step(monkeypatch):
    facing = Viewpoint(2.7, 1.0, 1.2, -0.3, -0.3)
    outcome = run(RuleModel(tells_color, sees_mug), monkeypatch, start=facing)
    assert outcome.steps == 0
    assert outcome.answers[0].text == "red"


def test_one_who_is_never_sure_looks_at_all_and_answers_all_the_same(monkeypatch):
    outcome = run(RuleModel(verdict(answer="green"), 0.3), monkeypatch, max_steps=10)
    assert outcome.steps == 10
    assert (outcome.answers[0].text, outcome.answers[0].verdict) == ("green", Verdict.ANSWERED)
    assert outcome.answers[0].confidence <= 0.3


def test_a_model_that_cannot_be_asked_ends_the_search_with_its_reason(monkeypatch):
    outcome = run(BrokenModel(), monkeypatch)
    assert outcome.state == EpisodeState.FINISHED
    assert outcome.steps == 0
    assert outcome.answers[0].verdict is Verdict.NEEDS_MODEL
    assert "does not answer; start it" in outcome.answers[0].text


def test_the_search_agent_asks_a_model_alike(monkeypatch):
    monkeypatch.setattr(factory, "shared_model", lambda which, group: RuleModel(tells_color, sees_mug))
    settings = replace(SETTINGS, agent=replace(SETTINGS.agent, perception="privileged"))
    episode = Episode("e", "search", "boxes", AWAY, (Question("q1", "What color is the mug?"),), 40)
    outcome = EpisodeRunner(PaintedRoom(), AGENTS.create("search", settings)).run(episode, 0)
    assert (outcome.state, outcome.answers[0].text) == (EpisodeState.FINISHED, "red")
    assert outcome.answers[0].model.startswith("rule/nacot#")


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
    assert known.shares[-1] > 0.95  # all but the inside of objects
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
