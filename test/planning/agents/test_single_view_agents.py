"""Agents that answer at once: unseen, with the embedded reasoner and with models, and from one picture."""

from __future__ import annotations

from dataclasses import replace

import pytest
from box_room import BoxRoom, furnished_room

from vantage.answering.vlm import filled
from vantage.config import AgentSettings, ControlSettings, Settings
from vantage.errors import ModelError, UsageError
from vantage.models.prompts import prompt
from vantage.planning.agents import single_view_agents
from vantage.planning.agents.single_view_agents import BlindAgent, VqaAgent
from vantage.planning.protocol import Agent
from vantage.registry import AGENTS
from vantage.runs.episode import EpisodeRunner
from vantage.spatial import Viewpoint
from vantage.types import Answer, Episode, EpisodeState, Question, Verdict
from vantage.worlds.blind import BlindWorld

NOWHERE = Viewpoint(0.0, 0.0, 0.0, 0.0, 0.0)


class Guesser:
    """Says what it is told to, and remembers what it was asked."""

    name = "guesser"

    def __init__(self, says: str | ModelError) -> None:
        self.says, self.asked = says, ""

    def chat(self, prompt: str, images: object = (), schema: object = None) -> str:
        self.asked = prompt
        assert not images
        if isinstance(self.says, ModelError):
            raise self.says
        return self.says

    def yes_probability(self, prompt: str, images: object = ()) -> float | None:
        return None


def answered(text: str, settings: Settings) -> Answer:
    episode = Episode("e", "open-eqa", "home", NOWHERE, (Question("q1", text), Question("q2", text)), 0)
    outcome = EpisodeRunner(BlindWorld(), BlindAgent(settings)).run(episode, 0)
    assert (outcome.state, outcome.steps) == (EpisodeState.FINISHED, 0)
    assert [answer.question_id for answer in outcome.answers] == ["q1", "q2"]
    return outcome.answers[0]


def with_model(monkeypatch: pytest.MonkeyPatch, says: str | ModelError) -> tuple[Settings, Guesser]:
    model = Guesser(says)
    monkeypatch.setattr(single_view_agents, "shared_model", lambda which, settings: model)
    return replace(Settings(), agent=AgentSettings(model="openai:guesser")), model


@pytest.mark.parametrize("mode", ["plain", "nap", "nacot"])
def test_the_embedded_reasoner_says_what_it_would_have_to_see(mode: str) -> None:
    answer = answered("What color is the mug?", replace(Settings(), agent=AgentSettings(mode=mode)))
    assert answer.verdict is Verdict.NEEDS_LOOK
    assert "mug" in answer.text
    assert (answer.model, answer.perception) == (f"symbolic/{mode}", "none")


@pytest.mark.parametrize("text", ["", "?!", "Why do people dream?", "x" * 100_000])
def test_what_it_does_not_understand_needs_a_model(text: str) -> None:
    answer = answered(text, Settings())
    assert answer.verdict in (Verdict.NEEDS_MODEL, Verdict.UNANSWERABLE)


def test_a_model_guesses_from_the_words_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    settings, model = with_model(monkeypatch, " White.\n")
    answer = answered("What color is the </question> fridge?", settings)
    assert (answer.text, answer.verdict) == ("White.", Verdict.ANSWERED)
    assert "fridge?" in model.asked
    assert "</question> fridge" not in model.asked
    assert answer.model.startswith("guesser/blind#")


@pytest.mark.parametrize(
    ("says", "verdict"), [("", Verdict.UNANSWERABLE), (ModelError("no reply; try again"), Verdict.NEEDS_MODEL)]
)
def test_a_model_that_says_nothing_or_fails_is_a_verdict(
    monkeypatch: pytest.MonkeyPatch, says: str | ModelError, verdict: Verdict
) -> None:
    settings, _ = with_model(monkeypatch, says)
    assert answered("What color is the fridge?", settings).verdict is verdict


def test_a_question_without_words_is_not_put_to_a_model(monkeypatch: pytest.MonkeyPatch) -> None:
    settings, model = with_model(monkeypatch, "White")
    assert answered("?!", settings).verdict is Verdict.UNANSWERABLE
    assert model.asked == ""


def test_it_is_an_agent() -> None:
    assert isinstance(AGENTS.create("blind", Settings()), Agent)


class Looker(Guesser):
    """Is shown pictures."""

    def __init__(self, says: str | ModelError) -> None:
        super().__init__(says)
        self.shown: list[int] = []

    def chat(self, prompt: str, images: object = (), schema: object = None) -> str:
        assert isinstance(images, tuple)
        self.shown.append(len(images))
        return super().chat(prompt)


def looked(monkeypatch: pytest.MonkeyPatch, says: str | ModelError, **control: str) -> tuple[Answer, Looker]:
    model = Looker(says)
    monkeypatch.setattr(single_view_agents, "shared_model", lambda which, settings: model)
    settings = replace(Settings(), agent=AgentSettings(model="openai:x"), control=ControlSettings(**control))
    at = Viewpoint(2.7, 1.6, 1.4, 0.0, 0.0)
    episode = Episode("e", "search", "boxes", at, (Question("q1", "What color is the mug?"),), 25)
    outcome = EpisodeRunner(BoxRoom(furnished_room(), 64, 48), VqaAgent(settings)).run(episode, 0)
    assert (outcome.state, outcome.steps) == (EpisodeState.FINISHED, 0)
    return outcome.answers[0], model


def test_one_picture_is_shown_and_is_the_evidence(monkeypatch: pytest.MonkeyPatch) -> None:
    answer, model = looked(monkeypatch, "Red", prompt="paper")
    assert (answer.text, answer.verdict) == ("Red", Verdict.ANSWERED)
    assert model.shown == [1]
    assert model.asked == filled("plain", 1, question="What color is the mug?")
    assert answer.evidence[0].viewpoint == Viewpoint(2.7, 1.6, 1.4, 0.0, 0.0)
    assert answer.model == f"guesser/vqa#{prompt('plain').version}"


def test_with_the_full_prompt_it_is_told_where_the_camera_was(monkeypatch: pytest.MonkeyPatch) -> None:
    answer, model = looked(monkeypatch, "Red")
    assert "Z = 1.40" in model.asked
    assert "Heading: 0 degrees, along +X\nPitch: 0 degrees, level" in model.asked
    assert model.asked.endswith(filled("plain", 1, question="What color is the mug?"))
    assert answer.model != f"guesser/vqa#{prompt('plain').version}"


def test_a_model_that_says_nothing_of_a_picture_is_a_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    assert looked(monkeypatch, "")[0].verdict is Verdict.UNANSWERABLE
    assert looked(monkeypatch, ModelError("late; try again"))[0].verdict is Verdict.NEEDS_MODEL


def test_a_picture_from_above_is_called_one(monkeypatch: pytest.MonkeyPatch) -> None:
    answer, model = looked(monkeypatch, "Red", start="bird", prompt="paper")
    assert model.asked == prompt("from_above").fill(question="What color is the mug?")
    assert answer.model.endswith(prompt("from_above").version)
    _, model = looked(monkeypatch, "Red", start="bird")
    assert model.asked.endswith(prompt("from_above").fill(question="What color is the mug?"))


def test_without_a_model_there_is_nobody_to_look() -> None:
    with pytest.raises(UsageError, match="agent 'vqa' asks a model"):
        VqaAgent(Settings())
