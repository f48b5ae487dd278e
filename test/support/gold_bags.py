"""Recorded episodes with gold data, in the open field."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from open_field import START, OpenFieldWorld, make_episode
from scripted_agent import ScriptedAgent

from vantage.planning.protocol import Agent
from vantage.recording.bags import BagWriter
from vantage.recording.events import EpisodeListener, Outcome
from vantage.recording.interfaces import RosbagsFactory
from vantage.recording.publishers import PlannerPublisher, QaPublisher, WorldPublisher, encode_image
from vantage.recording.to_messages import Codec
from vantage.recording.topics import TRUTH, TRUTH_GOAL_IMAGE, TRUTH_VISIBILITY
from vantage.runs.episode import EpisodeRunner
from vantage.spatial import Viewpoint
from vantage.types import (
    Answer,
    Episode,
    Evidence,
    NoiseReport,
    NoiseType,
    Observation,
    Truth,
    TruthQuestion,
    Verdict,
    ViewShortfall,
)

CODEC = Codec(RosbagsFactory())
CLEAN = TruthQuestion("q1", "color", "red", target_instances=(1, 2))
NOISY = TruthQuestion(
    "q1",
    "location",
    "on the table",
    premise_holds=False,
    noise_type=NoiseType.COLOR,
    false_claim="the ball is green",
    correction="the ball is red",
    corrected_question="Where is the red ball?",
    target_instances=(1,),
)


def gold(question: TruthQuestion = CLEAN, actions: tuple[str, ...] | None = ("x+", "yaw+")) -> Truth:
    goal = None if actions is None else Viewpoint(1.25, 1.0, 1.0, 0.5, 0.0)
    return Truth("?", (question,), goal, actions, 0.25)


TOO_SMALL = ViewShortfall("pixels", 574.0, 800.0, 1)  # why frames of these bags do not answer


class GoldListener(EpisodeListener):
    """Writes gold data; ``seen`` says what frame k shows of each target, ``answers`` which questions it answers."""

    def __init__(
        self,
        bag: BagWriter,
        truth: Truth | None,
        seen: Callable[[int], dict[int, float]],
        answers: Callable[[int], tuple[bool, ...]] = lambda _: (),
    ) -> None:
        self._bag, self._truth, self._seen, self._answers, self._frames = bag, truth, seen, answers, 0
        self._name = ""

    def started(self, episode: Episode, agent: Agent, stamp: int) -> None:
        self._name = episode.episode_id
        if self._truth is not None:
            self._bag.write(TRUTH, stamp, CODEC.truth(stamp, replace(self._truth, episode_id=self._name)))
        picture = encode_image(np.full((24, 32, 3), 90, np.uint8), ".png")
        self._bag.write(TRUTH_GOAL_IMAGE, stamp, CODEC.compressed_image(stamp, picture, "png"))

    def observed(self, observation: Observation) -> None:
        shortfalls = [None if answers else TOO_SMALL for answers in self._answers(self._frames)]
        message = CODEC.visibility(observation.stamp, self._name, self._seen(self._frames), shortfalls)
        self._bag.write(TRUTH_VISIBILITY, observation.stamp, message)
        self._frames += 1


class Telling(ScriptedAgent):
    """Gives a prepared answer; its evidence are the frames of these numbers."""

    def __init__(self, actions: Sequence[str], answer: Answer, evidence: Sequence[int] = ()) -> None:
        super().__init__(actions)
        self._answer, self._wanted, self._frames = answer, tuple(evidence), []

    def act(self, observation, last):
        self._frames.append(Evidence(observation.stamp, observation.viewpoint))
        decision = super().act(observation, last)
        if not isinstance(decision, Answer):
            return decision
        return replace(self._answer, evidence=tuple(self._frames[k] for k in self._wanted))


def said(text: str, verdict: Verdict = Verdict.ANSWERED, noise: NoiseReport | None = None) -> Answer:
    return Answer("q1", text, verdict, 0.9, noise or NoiseReport(), perception="privileged")


def record(
    folder: Path,
    name: str,
    agent: Agent,
    truth: Truth | None = None,
    seen: Callable[[int], dict[int, float]] = lambda _: {1: 1.0, 2: 1.0},
    *,
    answers: Callable[[int], tuple[bool, ...]] = lambda _: (),
    finish: bool = True,
    dropped: dict[str, int] | None = None,
    whole: Episode | None = None,
    **episode: object,
) -> tuple[Path, Outcome]:
    """A bag of an episode that starts at (1, 1, 1) m, or of a ``whole`` one; motions beyond x = 3 m collide."""
    asked = whole or make_episode(name, start=START, **episode)
    with BagWriter(folder, name) as bag:
        listeners = [
            GoldListener(bag, truth, seen, answers),
            PlannerPublisher(CODEC, bag.write),
            WorldPublisher(CODEC, bag.write, lambda topic: not topic.optional),
            QaPublisher(CODEC, bag.write),
        ]
        outcome = EpisodeRunner(OpenFieldWorld(), agent, listeners).run(asked, 0)
        path = bag.finish(name, dropped) if finish else bag.path
    return path, outcome
