"""A study tried out by people by rote, several at once, through the pages that people use, with all that these are
sent searched for gold data."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from vantage.benchmarks import benchmark_of
from vantage.benchmarks.sets import EpisodeSet
from vantage.errors import VantageError
from vantage.models import prompt
from vantage.planning.agents import RESULT_WORDS, Sight
from vantage.reports import score_bag
from vantage.types import Episode, Key, Phase
from vantage.web.page_client import PageClient
from vantage.web.play.controls import graded_actions
from vantage.web.play.gold_search import GoldSearch, secrets_of
from vantage.web.play.page_person import PagePerson
from vantage.web.play.scripted_person import ScriptedPerson
from vantage.web.play.seats import TOLD, Seat
from vantage.web.play.sight_words import front_of, texts_of
from vantage.web.play.study import Study
from vantage.web.server import WebServer

_MOST_PEOPLE = 64  # who sit down at one seat one after another
_NONE = "none"


@dataclass(frozen=True)
class TrialRun:
    """What came of it.

    Attributes:
        episodes: finished.
        successes: of these, by the benchmark's own scores with the judge of rules.
        people: who took part.
        lost, doubled: see ``Study``.
        gold_sent: texts of gold data found in what the pages were sent.
        received: bytes that the pages were sent.
        actions: taken, practice included.
        kinds: names of the actions taken.
        seconds: in all.
        waits: s from each action to the next picture, fetched by the page that shows it.
    """

    episodes: int
    successes: int
    people: int
    lost: int
    doubled: int
    gold_sent: Sequence[tuple[str, str]]
    received: int
    actions: int
    kinds: frozenset[str]
    seconds: float
    waits: Sequence[float]


def try_out(study: Study, seats: Mapping[str, Seat], episode_set: EpisodeSet, server: WebServer, mode: str) -> TrialRun:
    """People by rote at every seat until every episode was given as often as was asked for.

    Args:
        server: of the seats' pages; it runs.
        mode: whose words they show.

    Raises:
        VantageError: an episode did not end, or a seat stopped.
    """
    started = time.monotonic()
    found = [_Visit(study, seat, episode_set, server.address(name), mode) for name, seat in seats.items()]
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
        [each for visit in found for each in visit.search.found],
        sum(visit.search.received for visit in found),
        sum(len(visit.taken) for visit in found),
        frozenset(action for visit in found for action in visit.taken),
        time.monotonic() - started,
        [wait for visit in found for wait in visit.waits],
    )


@dataclass
class _Playing:
    """The episode that is on; an empty name for practice."""

    episode_id: str = ""
    answered: set[Key] = field(default_factory=set)
    said: set[str] = field(default_factory=set)  # what she wrote herself


class _Visit:
    """People by rote at the page of one seat, one after another."""

    def __init__(self, study: Study, seat: Seat, episode_set: EpisodeSet, address: str, mode: str) -> None:
        self._study, self._seat, self._address, self._words = study, seat, address, prompt(mode)
        self._truths = benchmark_of(episode_set.info.benchmark).truths(episode_set)
        self._episodes = {episode.episode_id: episode for episode in episode_set.episodes}
        self._rote = ScriptedPerson(self._episodes, self._truths)
        self._moves: set[str] = {_NONE}
        self.search = GoldSearch()
        self.error: VantageError | None = None
        self.waits: list[float] = []
        self.taken: list[str] = []

    def run(self) -> None:
        try:
            with PageClient(self._address, self.search.heard) as page:
                if self._seat.pseudonym is None:
                    self.search.learn()
                person = PagePerson(page, self._seat)
                for _ in range(_MOST_PEOPLE):
                    before = self._study.remaining()
                    person.sit_down()
                    name = str(self._seat.pseudonym)
                    self._play(person, name)
                    person.leave()
                    if not self._study.people[name].done or self._study.remaining() in (0, before):
                        return
        except VantageError as error:
            self.error = error
        finally:
            self._seat.close()

    def _play(self, person: PagePerson, name: str) -> None:
        """Play on until nothing is left for her."""
        playing, number, acted = _Playing(), 0, 0.0
        person.begin()
        while (sight := person.next()) is not None:
            if acted:
                self.waits.append(time.monotonic() - acted)
            begins = sight.number <= number or number == 0
            if begins:
                who = self._study.people[name]
                playing = _Playing(who.now.episode_id if who.practised and who.now is not None else "")
                self._rote.begin(playing.episode_id)
                person.load_again()
            self._search(playing, sight, name)
            decided = self._rote.decide(sight)
            if decided.answer is not None:
                playing.answered |= self._asked(playing, sight)
                said = decided.answer
                playing.said |= {said.text, said.false_claim, said.correction, said.corrected_question}
            self.taken += [decided.action] if decided.action else []
            number, then = sight.number, person.do(decided)
            acted = then if decided.action else 0.0
        self.search.search((), frozenset())

    def _asked(self, playing: _Playing, sight: Sight) -> set[Key]:
        question = self._rote.asked(sight) if playing.episode_id else None
        return set() if question is None else {question.key}

    def _search(self, playing: _Playing, sight: Sight, name: str) -> None:
        """Look for what is not to be told in all that came since the last sight; of practice, for what comes after."""
        now = self._study.people[name].now
        episode_id = playing.episode_id or (now.episode_id if now is not None else "")
        self._moves |= set(sight.actions)
        if episode_id not in self._episodes:
            self.search.search((), frozenset())
            return
        episode = self._episodes[episode_id]
        expected = front_of(name) | set(TOLD) | playing.said
        if self._is_plain(sight, episode):
            expected |= texts_of(self._words, sight, len(graded_actions(sight.actions)))
        self.search.search(secrets_of(episode, self._truths[episode_id], playing.answered), expected)

    def _is_plain(self, sight: Sight, episode: Episode) -> bool:
        """Whether phase and what became of the last action are told in the words that there are for them."""
        phases = {episode.phase, Phase.ANSWER.value, *(each.name for each in episode.phases)}
        results = (_NONE, *RESULT_WORDS.values())
        return sight.phase in phases and sight.last_action in self._moves and sight.result in results
