"""What the QA node knows: views since the last reset of the world, the running episode and its open corrections."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from vantage.answering.engine import QuestionAnswering
from vantage.errors import EpisodeError, UsageError
from vantage.types import Answer, Detection, Episode, NoiseReport, Observation, Question, Verdict

_SAME_VIEW_PERIOD = 1.0  # s between two looks at a view that does not change


class Watcher:
    """Feeds the question answering and keeps its claims. Thread-safe.

    Args:
        report: called with episode id, question id, stamp in ns and the report when an assessment changed.
    """

    def __init__(self, engine: QuestionAnswering, report: Callable[[str, str, int, NoiseReport], None]) -> None:
        self._engine, self._report = engine, report
        self._lock = threading.RLock()
        self._episode: Episode | None = None
        self._since = -1
        self._last: Observation | None = None
        self._looked_at = 0.0
        self._told: dict[str, NoiseReport] = {}
        self._asked: dict[str, Answer] = {}
        self.views = 0

    def begin(self, episode: Episode) -> None:
        """An episode runs: its questions are watched, and what was seen before it is another place."""
        with self._lock:
            self._episode = episode
            self._last = None
            self._engine.reset()
            self._told.clear()
            self._asked.clear()

    def end(self, episode_id: str) -> None:
        """The episode is over: say once more what is wrong with its questions."""
        with self._lock:
            if self._episode is not None and self._episode.episode_id == episode_id and self._last is not None:
                self._assess(self._last.stamp, final=True)

    def world_reset(self, stamp: int) -> None:
        """The world was put somewhere else at this stamp; what was seen before is another place."""
        with self._lock:
            if stamp != self._since:  # also an earlier one: a world that was started anew begins its clock anew
                self._since = stamp
                self._last = None
                self._engine.reset()

    def observe(self, observation: Observation) -> tuple[Detection, ...] | None:
        """Take in a view; None when it is of before the reset or shows what was seen a moment ago.

        Raises:
            VantageError: the perceiver cannot work with it.
        """
        with self._lock:
            if observation.stamp < self._since or (self._last is not None and self._is_old(self._last, observation)):
                return None
            detections = self._engine.observe(observation)
            self._last, self._looked_at = observation, time.monotonic()
            self.views += 1
            self._assess(observation.stamp)
            return detections

    def ask(self, episode_id: str, question_id: str, text: str) -> Answer:
        """
        Raises:
            EpisodeError: another episode is in memory.
            UsageError: there is no question.
        """
        with self._lock:
            question = self._question(episode_id, question_id, text)
            answer = self._engine.ask(question)
            self._asked[question.question_id] = answer
            return answer

    def check(self, episode_id: str, question_id: str, text: str) -> tuple[bool, bool, NoiseReport]:
        """Whether the question was understood, whether its premises were verified, and what is wrong with them.

        Raises:
            EpisodeError: another episode is in memory.
            UsageError: there is no question.
        """
        with self._lock:
            question = self._question(episode_id, question_id, text)
            self._asked[question.question_id] = self._engine.ask(question)
            return self._engine.check(question.text)

    def confirm(self, episode_id: str, question_id: str, accept: bool) -> Answer:
        """The answer to the corrected question, or what stands when the correction is refused.

        Raises:
            EpisodeError: another episode is in memory.
            UsageError: no correction of this question was proposed.
        """
        with self._lock:
            self._check_episode(episode_id)
            asked = self._asked.get(question_id)
            if asked is None or not asked.noise.corrected_question:
                raise UsageError(f"no correction of question '{question_id}' was proposed; ask or check it first")
            if not accept:
                return asked
            return self._engine.ask(Question(question_id, asked.noise.corrected_question, asked.phase))

    @property
    def episode_id(self) -> str:
        """Of the newest episode; empty before the first."""
        with self._lock:
            return "" if self._episode is None else self._episode.episode_id

    def _is_old(self, last: Observation, new: Observation) -> bool:
        if new.stamp <= last.stamp:
            return True
        return new.viewpoint == last.viewpoint and time.monotonic() - self._looked_at < _SAME_VIEW_PERIOD

    def _assess(self, stamp: int, final: bool = False) -> None:
        episode = self._episode
        for question in episode.questions if episode is not None else ():
            found = self._engine.assess(question.text)
            told = self._told.get(question.question_id)
            if final or told is None or _differ(told, found.noise):
                self._told[question.question_id] = found.noise
                if episode is not None and (final or told is not None or found.verdict != Verdict.NEEDS_LOOK):
                    self._report(episode.episode_id, question.question_id, stamp, found.noise)

    def _question(self, episode_id: str, question_id: str, text: str) -> Question:
        self._check_episode(episode_id)
        if text.strip():
            return Question(question_id, text)
        known = self._episode.questions if self._episode is not None else ()
        found = next((item for item in known if item.question_id == question_id), None)
        if found is None:
            raise UsageError(f"the running episode has no question '{question_id}'; give the question in words")
        return found

    def _check_episode(self, episode_id: str) -> None:
        if episode_id and episode_id != self.episode_id:
            raise EpisodeError(
                f"episode '{episode_id}' is not in memory, '{self.episode_id}' is; leave the id empty to ask anyway"
            )


def _differ(a: NoiseReport, b: NoiseReport) -> bool:
    return (a.noise_type, a.false_claim, a.correction) != (b.noise_type, b.false_claim, b.correction)
