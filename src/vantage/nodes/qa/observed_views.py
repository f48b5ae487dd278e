"""What the QA node knows: views since the last reset of the world, the running episode, and what was asked."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import replace

from vantage.answering import Answering
from vantage.answering.symbolic import proposes
from vantage.errors import EpisodeError, UsageError
from vantage.nodes.qa.view_filter import ViewFilter
from vantage.questions.parsing import parse
from vantage.runs import awaits_person
from vantage.types import (
    Answer,
    Detection,
    Episode,
    Key,
    NoiseReport,
    NoiseType,
    Observation,
    Point,
    Question,
    StepResult,
    Verdict,
)

_MOST = 512  # kinds and colors of objects


class LastSeenPositions:
    """Bounded: what was not seen for the longest time is forgotten. One caller at a time."""

    def __init__(self) -> None:
        self._centers: OrderedDict[tuple[str, str], Point] = OrderedDict()

    def note(self, detections: Iterable[Detection]) -> None:
        """Keep the places of what one view shows, world frame, m."""
        for item in detections:
            key = item.label, item.color
            self._centers[key] = item.center
            self._centers.move_to_end(key)
        while len(self._centers) > _MOST:
            self._centers.popitem(last=False)

    def clear(self) -> None:
        """Forget everything."""
        self._centers.clear()

    def meant_by(self, question: str) -> Point | None:
        """Where the object is that a question is about, world frame, m; one of the color that it names comes first."""
        parsed = parse(question)
        if parsed is None:
            return None
        words = set(question.lower().rstrip("?").split())
        for label in parsed.labels:
            found = [(color in words, center) for (kind, color), center in self._centers.items() if kind == label]
            if found:
                return max(reversed(found), key=lambda item: item[0])[1]
        return None


MOST_CORRECTED = 256  # questions whose corrections may still be confirmed


class ObservedViews:
    """Feeds the question answering and keeps its claims. Thread-safe: views come from one thread, questions from any.

    Nothing that may take long is done under the lock, so that views are taken in while a model thinks.

    Args:
        report: called with episode id, question id, stamp in ns and the report when an assessment changed.
        assesses: whether the questions of the episode are assessed at every view; a model would have to be asked.

    Attributes:
        engine: the question answering.
        view_filter: which views were left out, and why.
        views: how many were looked at.
    """

    def __init__(
        self, engine: Answering, report: Callable[[str, str, int, NoiseReport], None], assesses: bool = True
    ) -> None:
        self.engine, self._report, self._assesses = engine, report, assesses
        self._lock = threading.RLock()
        self._episode: Episode | None = None
        self._phases: set[str] = set()  # of the episode, that began
        self._ended = False  # the episode
        self._told: dict[Key, NoiseReport] = {}
        self._corrected: OrderedDict[str, Question] = OrderedDict()
        self._last_seen = LastSeenPositions()
        self.view_filter = ViewFilter()
        self.views = 0

    def begin(self, episode: Episode) -> bool:
        """An episode runs, or another phase of it: its questions are watched.

        Returns:
            Whether what was seen before it is another place; not where the episode goes on with its next phase.
        """
        goes_on = self._goes_on(episode)
        last = self.view_filter.last
        if goes_on and last is not None:
            self._assess(last.stamp, final=True)
        with self._lock:
            self._episode, self._ended = episode, False
            if goes_on:
                self._phases.add(episode.phase)
                for question in episode.questions:  # one of this id may have been asked in a phase that is over
                    self._corrected.pop(question.question_id, None)
                return False
            self._phases = {episode.phase}
            self.view_filter.begin()
            self._told.clear()
            self._corrected.clear()
            self._forget()
        return True

    def end(self, episode_id: str) -> None:
        """The episode is over: say once more what is wrong with its questions."""
        last = self.view_filter.last
        if self.episode_id != episode_id:
            return
        if last is not None:
            self._assess(last.stamp, final=True)
        with self._lock:
            self._ended = True

    def world_reset(self, stamp: int) -> bool:
        """The world was put somewhere else at this stamp; what was seen before is another place.

        In a phase that is restored it was put back, and is the same place as it was found.

        Returns:
            Whether it is news, and another place.
        """
        with self._lock:
            # An earlier stamp is news, too: a world that was started anew begins its clock anew.
            news = self.view_filter.reset(stamp)
            if news and self._episode is not None and self._episode.restored and not self._ended:
                self._last_seen.clear()
                self.engine.restored()
                return False
            if news:
                self._forget()
        return news

    def observe(self, observation: Observation) -> tuple[Detection, ...] | None:
        """Take in a view; None when it is left out, which ``view_filter`` counts.

        Raises:
            VantageError: the perceiver cannot work with it.
        """
        with self._lock:
            if not self.view_filter.accepts(observation):
                return None
        detections = self.engine.observe(observation)
        with self._lock:
            self.views += 1
            self._last_seen.note(detections)
        self._assess(observation.stamp)
        return detections

    def acted(self, result: StepResult) -> None:
        """Take in what became of a command of a robot with a hand, before the view that shows it."""
        with self._lock:
            if result.command.arm is not None:
                self.view_filter.changed()
        self.engine.acted(result)

    def ask(self, episode_id: str, question_id: str, text: str) -> Answer:
        """
        Raises:
            EpisodeError: another episode is in memory.
            UsageError: there is no question.
        """
        return self._ask(self.question(episode_id, question_id, text))

    def check(self, episode_id: str, question_id: str, text: str) -> tuple[bool, bool, NoiseReport]:
        """Whether the question was understood, whether its premises were verified, and what is wrong with them.

        Where nothing is, the report is as sure as the answer, which rests on the premises.

        Raises:
            EpisodeError: another episode is in memory.
            UsageError: there is no question.
        """
        question = self.question(episode_id, question_id, text)
        answer = self._ask(question)
        understood, holds, report = self.engine.check(question.text)
        if holds and report.noise_type is NoiseType.NONE and answer.verdict is Verdict.ANSWERED:
            report = replace(report, confidence=answer.confidence)
        return understood, holds, report

    def confirm(self, question: Question, accept: bool) -> Answer:
        """The answer once a person has said whether a correction is what was meant."""
        return self.engine.confirm(question, accept)

    def corrected(self, episode_id: str, question_id: str) -> Question:
        """The question of an id for which a correction was proposed.

        Raises:
            EpisodeError: another episode is in memory.
            UsageError: no correction of this question was proposed.
        """
        with self._lock:
            self._check_episode(episode_id)
            asked = self._corrected.get(question_id)
        if asked is None:
            raise UsageError(f"no correction of question '{question_id}' was proposed; ask or check it first")
        return asked

    def question(self, episode_id: str, question_id: str, text: str) -> Question:
        """The question in words, or the one of the episode that is meant by its id.

        Raises:
            EpisodeError: another episode is in memory.
            UsageError: there is no question.
        """
        with self._lock:
            self._check_episode(episode_id)
            episode = self._episode
        known = episode.questions if episode is not None else ()
        found = next((item for item in known if item.question_id == question_id), None)
        if text.strip():
            phase = Question.phase if episode is None else episode.phase
            return Question(question_id, text, phase if found is None else found.phase)
        if found is None:
            raise UsageError(f"the running episode has no question '{question_id}'; give the question in words")
        return found

    def place_of(self, question: str) -> Point | None:
        """Where to show a person what a question is about: at the object, else above the camera; world frame, m."""
        with self._lock:
            place, last = self._last_seen.meant_by(question), self.view_filter.last
        if place is not None or last is None:
            return place
        at = last.viewpoint
        return at.x, at.y, at.z

    @property
    def episode_id(self) -> str:
        """Of the newest episode; empty before the first."""
        with self._lock:
            return "" if self._episode is None else self._episode.episode_id

    def _goes_on(self, episode: Episode) -> bool:
        """Whether this is the next phase of the episode that runs."""
        with self._lock:
            same = self._episode is not None and self._episode.episode_id == episode.episode_id
            return same and not self._ended and episode.phase not in self._phases

    def _forget(self) -> None:
        self.engine.reset()
        self._last_seen.clear()

    def _ask(self, question: Question) -> Answer:
        answer = self.engine.ask(question)
        with self._lock:
            self._corrected.pop(question.question_id, None)
            if awaits_person(answer) or proposes(answer.noise):
                self._corrected[question.question_id] = question
            while len(self._corrected) > MOST_CORRECTED:
                self._corrected.popitem(last=False)
        return answer

    def _assess(self, stamp: int, final: bool = False) -> None:
        with self._lock:
            episode = self._episode
        if episode is None or not self._assesses:
            return
        for question in episode.questions:
            found = self.engine.assess(question.text)
            told = self._told.get(question.key)
            if final or told is None or _differ(told, found.noise):
                self._told[question.key] = found.noise
                if final or told is not None or found.verdict != Verdict.NEEDS_LOOK:
                    self._report(episode.episode_id, question.question_id, stamp, found.noise)

    def _check_episode(self, episode_id: str) -> None:
        if episode_id and episode_id != self.episode_id:
            raise EpisodeError(
                f"episode '{episode_id}' is not in memory, '{self.episode_id}' is; leave the id empty to ask anyway"
            )


def _differ(a: NoiseReport, b: NoiseReport) -> bool:
    return (a.noise_type, a.false_claim, a.correction) != (b.noise_type, b.false_claim, b.correction)
