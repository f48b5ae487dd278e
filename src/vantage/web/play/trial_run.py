"""A study tried out by people by rote, several at once, through the same seats as people use."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from vantage.benchmarks import benchmark_of
from vantage.benchmarks.sets import EpisodeSet
from vantage.errors import RecordingError, VantageError
from vantage.planning.agents import Sight
from vantage.reports import score_bag
from vantage.web.play.scripted_person import ScriptedPerson
from vantage.web.play.seats import CONSENT, Seat
from vantage.web.play.study import Study

_WAITED = 60.0  # s for a picture, of a home that is being loaded
_MOST_PEOPLE = 64  # who sit down at one seat one after another


@dataclass(frozen=True)
class TrialRun:
    """What came of it.

    Attributes:
        episodes: finished.
        successes: of these, by the benchmark's own scores with the judge of rules.
        people: who took part.
        lost, doubled: see ``Study``.
        gold_sent: sights that held a gold answer, in anything besides the question.
        actions: taken, practice included.
        kinds: names of the actions taken.
        seconds: in all.
        waits: s from each action to the next picture.
    """

    episodes: int
    successes: int
    people: int
    lost: int
    doubled: int
    gold_sent: int
    actions: int
    kinds: frozenset[str]
    seconds: float
    waits: Sequence[float]


def try_out(study: Study, seats: Mapping[str, Seat], episode_set: EpisodeSet) -> TrialRun:
    """People by rote at every seat until every episode was given as often as was asked for.

    Raises:
        VantageError: an episode did not end, or a seat stopped.
    """
    started = time.monotonic()
    found = [_Visit(study, seat, episode_set) for seat in seats.values()]
    threads = [threading.Thread(target=visit.run, name="person by rote") for visit in found]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    failed = [visit.error for visit in found if visit.error is not None]
    if failed:
        raise failed[0]
    trials = [trial for who in study.people.values() for trial in who.done]
    scores = [score_bag(study.bag(trial)) for trial in trials if study.bag(trial).is_dir()]
    return TrialRun(
        len(trials),
        sum(score.success for score in scores),
        len(study.people),
        study.lost(),
        study.doubled(),
        sum(visit.gold_sent for visit in found),
        sum(len(visit.taken) for visit in found),
        frozenset(action for visit in found for action in visit.taken),
        time.monotonic() - started,
        [wait for visit in found for wait in visit.waits],
    )


class _Visit:
    """People by rote at one seat, one after another."""

    def __init__(self, study: Study, seat: Seat, episode_set: EpisodeSet) -> None:
        self._study, self._seat = study, seat
        self._truths = benchmark_of(episode_set.info.benchmark).truths(episode_set)
        episodes = {episode.episode_id: episode for episode in episode_set.episodes}
        self._person = ScriptedPerson(episodes, self._truths)
        self.error: VantageError | None = None
        self.gold_sent = 0
        self.waits: list[float] = []
        self.taken: list[str] = []

    def run(self) -> None:
        try:
            for _ in range(_MOST_PEOPLE):
                before = self._study.remaining()
                name = self._seat.agree(CONSENT)
                played = self._seat.begin() and self._play(name)
                self._seat.leave()
                if not played or self._study.remaining() == 0 or self._study.remaining() == before:
                    return
        except VantageError as error:
            self.error = error
        finally:
            self._seat.close()

    def _play(self, name: str) -> bool:
        """Play on until nothing is left for her; whether there was anything."""
        shown: Sight | None = None
        acted = 0.0
        playing, until = "", time.monotonic() + _WAITED
        while self._seat.busy:
            sight = self._seat.mailbox.look(0, 0.5) if shown is None else self._next(shown)
            if sight is None:
                if time.monotonic() > until:
                    raise RecordingError(f"seat '{self._seat.name}' showed nothing for {_WAITED:g} s")
                continue
            until = time.monotonic() + _WAITED
            if acted:
                self.waits.append(time.monotonic() - acted)
            who = self._study.people[name]
            trial = who.now if who.practised else None
            if shown is None or sight.number <= shown.number:
                playing = trial.episode_id if trial is not None else ""
                self._person.begin(playing)
            self.gold_sent += self._holds_gold(playing, sight)
            decided = self._person.decide(sight)
            self.taken += [decided.action] if decided.action else []
            acted = time.monotonic() if decided.action else 0.0
            self._seat.mailbox.decide(sight.number, decided)
            shown = sight
        if self._seat.failure:
            raise RecordingError(f"seat '{self._seat.name}': {self._seat.failure}")
        return bool(self._study.people[name].done)

    def _next(self, shown: Sight) -> Sight | None:
        """Another sight than the one shown, be it of the next episode, whose numbers begin anew."""
        sight = self._seat.mailbox.look(0, 0.5)
        return None if sight is shown else sight

    def _holds_gold(self, episode_id: str, sight: Sight) -> bool:
        """Whether a text of a sight besides the question is a gold answer or names the home."""
        truth = self._truths.get(episode_id)
        if truth is None:
            return False
        told = " ".join((sight.phase, sight.last_action, sight.result)).lower()
        golds = (text for gold in truth.questions for text in (gold.answer, gold.correction, gold.false_claim))
        return any(len(text) > 3 and text.lower() in told for text in golds)
