"""Recorded episodes that explore, answer, look again and refine, with what is gathered told by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from gold_bags import CODEC, GoldListener
from open_field import START, OpenFieldWorld
from phased import PhasedAgent

from vantage.benchmarks.excalibur.excalibur_scores import score_excalibur
from vantage.benchmarks.judging import RuleJudge
from vantage.benchmarks.statistics import EpisodeScore
from vantage.errors import WorldError
from vantage.planning.protocol import Participating
from vantage.recording import (
    TRUTH_EVIDENCE,
    BagWriter,
    EpisodeListener,
    ParticipantPublisher,
    PlannerPublisher,
    QaPublisher,
    WorldPublisher,
    read_recording,
)
from vantage.runs import EpisodeRunner
from vantage.types import Answer, Done, Episode, EpisodePhase, Gathered, Question, Truth, TruthQuestion, Verdict

ASKED = {
    "q1": "Is the red mug heavier than the blue mug?",
    "q2": "How many bowls are in the kitchen?",
    "q3": "What are the colors of the things in the drawer?",
    "q4": "Is there a vase on the table?",
}
GOLD = (
    TruthQuestion("q1", "yes/no", "yes", category="color, heavier", target_instances=(1, 2), to_weigh=(1, 2)),
    TruthQuestion("q2", "count", "40", category="contained", target_instances=(3,)),
    TruthQuestion("q3", "query", "blue, red", category="color, contained", target_instances=(4,), to_open=(9,)),
    TruthQuestion("q4", "yes/no", "no", category="on top", target_instances=(5,)),
)
FIRST = {"q1": "no", "q2": "42", "q3": "red", "q4": "yes"}
AGAIN = {"q1": "yes", "q2": "42", "q3": "red and blue", "q4": "no"}
EXPLORED = {0: Gathered((1, 3), (), 4.0, 10, 4, 40.0), 2: Gathered((2, 5), (), 10.0, 10, 4, 40.0)}
SEEN = EXPLORED | {5: Gathered((4,), (9,), 20.0, 10, 4, 40.0)}  # by the number of the look


def whole_episode(name: str = "e1", scene: str = "home-1") -> Episode:
    """Four phases with the questions of ``ASKED``, put twice."""
    asked = {phase: tuple(Question(key, text, phase) for key, text in ASKED.items()) for phase in ("answer", "refine")}
    phases = (
        EpisodePhase("explore", 4),
        EpisodePhase("answer", 0, asked["answer"]),
        EpisodePhase("reenter", 10, restored=True),
        EpisodePhase("refine", 0, asked["refine"]),
    )
    return Episode.of_phases(name, "excalibur", scene, START, phases)


class TextAgent(PhasedAgent):
    """Moves as it is told, and answers by question and phase; ``None`` says that it does not know."""

    name = "told"

    def __init__(self, scripts: Mapping[str, Sequence[str]], texts: Mapping[str, Mapping[str, str | None]]) -> None:
        super().__init__(scripts)
        self._said = texts

    def act(self, observation: Any, last: Any) -> Any:
        decision = super().act(observation, last)
        if not isinstance(decision, Answer):
            return decision
        text = self._said[decision.phase].get(decision.question_id)
        return replace(decision, text=text or "", verdict=Verdict.ANSWERED if text else Verdict.NEEDS_LOOK)


class _Gathering(EpisodeListener):
    def __init__(self, bag: BagWriter, told: Mapping[int, Gathered]) -> None:
        self._bag, self._told, self._looks, self._name = bag, told, 0, ""

    def started(self, episode: Episode, agent: Any, stamp: int) -> None:
        self._name = episode.episode_id

    def observed(self, observation: Any) -> None:
        news = self._told.get(self._looks)
        if news is not None:
            self._bag.write(TRUTH_EVIDENCE, observation.stamp, CODEC.gathered(observation.stamp, self._name, news))
        self._looks += 1


class BreakingWorld(OpenFieldWorld):
    """Cannot go on after some commands."""

    def __init__(self, last: int) -> None:
        super().__init__()
        self._last = last

    def step(self, command: Any) -> Any:
        if command.sequence > self._last:
            raise WorldError("the physics of the house blew up: a velocity is not finite")
        return super().step(command)


def record_four(
    folder: Path,
    agent: Any = None,
    told: Mapping[int, Gathered] = SEEN,
    *,
    episode: Episode | None = None,
    world: Any = None,
    setup: Mapping[str, Any] | None = None,
) -> Path:
    """A bag; the agent moves three times, then twice when it looks again, unless it is given."""
    whole = episode or whole_episode()
    told_agent = TextAgent(
        {"explore": ["x+", "y+", "x+"], "reenter": ["x+", "yaw+"]}, {"answer": FIRST, "refine": AGAIN}
    )
    gold = tuple(replace(each, phase=phase) for phase in ("answer", "refine") for each in GOLD)
    with BagWriter(folder, whole.episode_id, setup) as bag:
        listeners = [
            GoldListener(bag, Truth(whole.episode_id, gold), lambda _: {1: 0.5}),
            _Gathering(bag, told),
            PlannerPublisher(CODEC, bag.write),
            WorldPublisher(CODEC, bag.write, lambda topic: not topic.optional),
            QaPublisher(CODEC, bag.write),
        ]
        if isinstance(agent, Participating):
            listeners.append(ParticipantPublisher(CODEC, bag.write, agent.participation))
        EpisodeRunner(world or OpenFieldWorld(), agent or told_agent, listeners).run(whole, 0)
        return bag.finish(whole.episode_id)


def score_of(bag: Path) -> EpisodeScore:
    return score_excalibur(read_recording(bag), RuleJudge())


class StillAgent(TextAgent):
    """Says that it is done wherever nothing is asked."""

    name = "still"

    def __init__(self, texts: Mapping[str, str | None]) -> None:
        super().__init__({}, {"answer": texts, "refine": texts})

    def act(self, observation: Any, last: Any) -> Any:
        return super().act(observation, last) if self._open else Done()
