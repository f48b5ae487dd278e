"""How an episode went on the rig and in the model of its room, side by side."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from vantage.benchmarks.judging import Judge
from vantage.benchmarks.statistics import EpisodeScore
from vantage.errors import RecordingError
from vantage.recording import Recording, read_recording
from vantage.reports.scoring import score_recording
from vantage.types import Episode, Question, Status


@dataclass(frozen=True, eq=False)
class EpisodeTrace:
    """How one episode went.

    Attributes:
        path_length: m.
        score: where ``score.complete`` is false, ``score.incomplete_reason`` says why there is none.
    """

    episode: Episode
    recording: Recording
    steps: int
    collisions: int
    path_length: float
    score: EpisodeScore

    @property
    def ended(self) -> str:
        """In words."""
        because = f": {self.recording.reason}" if self.recording.reason else ""
        return f"{self.recording.state.name.lower()}{because}"

    def answer(self, question: Question) -> str:
        """What was said to a question, and as what."""
        answer = self.recording.answer_of(question)
        if answer is None:
            return "no answer"
        kind = answer.verdict.name.lower().replace("_", " ")
        return f"{answer.text or '(nothing)'} [{kind}, {answer.confidence:.2f}]"

    def data(self) -> dict[str, Any]:
        """The episode as JSON can hold it; of several phases, each question stands behind the name of its own."""
        several = len(self.recording.phases) > 1
        return {
            "episode": self.episode.episode_id,
            "ended": self.ended,
            "steps": self.steps,
            "collisions": self.collisions,
            "path_length": self.path_length,
            "score": self.score.judge_score if self.score.complete else None,
            "answers": {
                f"{question.phase}: {question.text}" if several else question.text: self.answer(question)
                for question in self.episode.questions
            },
        }

    def line(self) -> str:
        """The episode in words."""
        said = "; ".join(self.answer(question) for question in self.episode.questions)
        mark = f"score {self.score.judge_score:g} of 5" if self.score.complete else "no score"
        return (
            f"{self.ended}, {self.steps} steps, {self.path_length:.2f} m, {self.collisions} collisions, {mark}; {said}"
        )


def read_trace(bag: str | Path, judge: Judge) -> EpisodeTrace | None:
    """The episode of a bag; None where it holds none.

    Raises:
        RecordingError: the bag cannot be read.
    """
    recording = read_recording(bag)
    episode = recording.episode
    if episode is None:
        return None
    return EpisodeTrace(
        episode,
        recording,
        len(recording.motions),
        sum(motion.status == Status.COLLIDED for motion in recording.motions),
        sum(a.distance(b) for way in recording.ways() for a, b in pairwise(way)),
        score_recording(recording, judge),
    )


def both_flown(rig: EpisodeTrace | None, bag: str | Path, judge: Judge) -> tuple[EpisodeTrace, str]:
    """The same episode as it went in the model, and where the two part, in words.

    Raises:
        RecordingError: the bag cannot be read, or holds another episode or none.
    """
    simulated = read_trace(bag, judge)
    if rig is None or simulated is None:
        raise RecordingError(f"{bag if rig is not None else 'the bag of the rig'} holds no episode to set beside")
    here, there = ([question.text for question in flown.episode.questions] for flown in (rig, simulated))
    if here != there:
        raise RecordingError(
            f"{bag} asks {there} and the bag of the rig {here}; give bags of the same episode, flown on the rig and in "
            "the model"
        )
    return simulated, _parting(rig, simulated)


def _parting(rig: EpisodeTrace, simulated: EpisodeTrace) -> str:
    steps = list(zip(rig.recording.motions, simulated.recording.motions, strict=False))
    gaps = []
    for k, (one, other) in enumerate(steps, start=1):
        if (one.action, one.status) != (other.action, other.status):
            return (
                f"the two part at step {k}: the rig did '{one.action}' ({one.status.name.lower()}), the model "
                f"'{other.action}' ({other.status.name.lower()})"
            )
        gaps.append(one.reached.distance(other.reached))
    if rig.steps != simulated.steps:
        return f"the two agree for {len(steps)} steps, then one ends"
    apart = f", {1e3 * float(np.mean(gaps)):.1f} mm apart in the mean" if gaps else ""
    return f"both took the same {len(steps)} steps{apart}"
