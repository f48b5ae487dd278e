"""Seats at which people go through the episodes of a study, each with a world and a thread of its own."""

from __future__ import annotations

import hashlib
import logging
import shutil
import threading
from collections.abc import Sequence
from contextlib import closing, suppress

from vantage.benchmarks.sets import EpisodeSet
from vantage.errors import UsageError, VantageError
from vantage.planning import check_axes
from vantage.planning.agents import REPLAY, HumanAgent, Mailbox
from vantage.registry import WORLDS
from vantage.runs import Job, Worker
from vantage.types import Episode, EpisodePhase, EpisodeState, Participation, Phase, Question
from vantage.untrusted_text import visible
from vantage.web.play.study import Study, Trial

_log = logging.getLogger(__name__)

CONSENT = (
    "You take part in a study of how people search homes and answer questions. The pictures that you are shown, what "
    "you choose, what you answer and how long you take are recorded under a pseudonym that is drawn at random. No name "
    "and no address is recorded. You may stop at any time, and have all that was recorded of you deleted by naming "
    "your pseudonym."
)
_PRACTICE = "Practice: try the keys and buttons, then write any word as the answer. Nothing of this is recorded."
_ALL, _NEXT = "That was all. Thank you.", "The episode is finished; this is the next one."
_BROKEN_OFF = "The episode was not finished, and is given back."
_STOPPED = "This could not go on; tell who runs the study."
TOLD = (_ALL, _NEXT, _BROKEN_OFF, _STOPPED)
_PRACTICE_STEPS = 20
_ENDED = 60.0  # s until a seat's thread has ended


def digest_of(consent: str) -> str:
    """SHA-256 of a text in UTF-8, as hexadecimal digits."""
    return hashlib.sha256(consent.encode()).hexdigest()


class Seat:
    """One seat: who sits there is given one episode after the other.

    Args:
        replays: whether she sees her own exploration again while she is asked.

    Attributes:
        mailbox: where its person is reached.
        told: what became of the last episode, one of ``TOLD``; empty before.
        failure: what went wrong, for who runs the study alone, for it may name homes and files; empty for nothing.
    """

    def __init__(
        self, name: str, job: Job, episode_set: EpisodeSet, study: Study, idle: float, replays: bool = False
    ) -> None:
        self.name, self.mailbox = name, Mailbox(idle)
        self.told = self.failure = ""
        self._job, self._set, self._study = job, episode_set, study
        self._mode = REPLAY if replays else job.settings.agent.mode
        self._episodes = {episode.episode_id: episode for episode in episode_set.episodes}
        self._agent = HumanAgent(job.settings, self.mailbox)
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()
        self._ending = False

    @property
    def pseudonym(self) -> str | None:
        """Of who sits here."""
        return self._study.sitting(self.name)

    @property
    def busy(self) -> bool:
        """Whether an episode is on."""
        return self._thread is not None and self._thread.is_alive()

    def agree(self, consent: str) -> str:
        """Somebody agreed to a text and sits down; gives her pseudonym.

        Raises:
            UsageError: the seat is taken.
        """
        return self._study.join(self.name, digest_of(consent))

    def begin(self) -> bool:
        """Begin, or go on with, what who sits here is to do next: practice first, then one episode after the other
        until none is left for her; false where there is nothing to do.

        Raises:
            UsageError: nobody sits here.
        """
        with self._lock:
            name = self.pseudonym
            if name is None:
                raise UsageError("nobody sits here; agree to the text first")
            if self.busy:
                return True
            if self._ending or (self._study.people[name].practised and self._study.next(name) is None):
                return False
            self.failure = ""
            self.mailbox.reopen()
            self._thread = threading.Thread(target=self._play, args=(name,), name=f"seat {self.name}", daemon=True)
            self._thread.start()
            return True

    def leave(self) -> None:
        """Who sits here goes; what she finished stays, and what she was doing is given back."""
        with self._lock:
            self._stop("the person left")
            name = self.pseudonym
            if name is not None:
                self._study.leave(name)

    def close(self) -> None:
        """End the thread; what was being done can be begun anew."""
        self._ending = True
        self.mailbox.close("the study was ended")
        with self._lock:  # whoever is about to begin has begun, and is told too
            self._stop("the study was ended")

    def _stop(self, why: str) -> None:
        self.mailbox.close(why)
        thread = self._thread
        if thread is not None:
            thread.join(_ENDED)

    def _play(self, name: str) -> None:
        worker: Worker | None = None
        try:
            worker = Worker(self._job, self._agent)
            if not self._study.people[name].practised:
                self._sit(name, 1)
                worker.practise(self._practice(name), self._gone)
                if self._gone():
                    self._given_back(name)
                    return
                self._study.practised(name)
            while not self._gone():
                trial = self._study.next(name)
                if trial is None:
                    self.told = _ALL
                    return
                self._run(worker, name, trial)
        except (VantageError, OSError) as error:
            self.failure = str(error)
            self.told = _STOPPED
            _log.error("%s stopped: %s", self.name, visible(self.failure))
            self._let_go(name)
        finally:
            self.mailbox.close("the seat has stopped")
            if worker is not None:
                worker.close()

    def _run(self, worker: Worker, name: str, trial: Trial) -> None:
        bag = self._study.bag(trial)
        if bag.exists():  # of an episode that nobody finished
            shutil.rmtree(bag)
        self._sit(name, trial.repeat)
        worker.record_to(bag.parent)
        outcome = worker.run(self._episodes[trial.episode_id], self._gone)
        if outcome.state == EpisodeState.FINISHED:
            self._study.finished(name)
            self.told = _NEXT
            return
        shutil.rmtree(bag, ignore_errors=True)
        self._given_back(name)
        self.told = _BROKEN_OFF
        if outcome.state == EpisodeState.FAILED:
            raise UsageError(outcome.reason)

    def _let_go(self, name: str) -> None:
        """Leave nothing half-written of what could not go on, and give it back; where not even that can be written
        down, on a full disk say, who sits here goes on with it once it can."""
        with suppress(OSError):
            self._study.remove_unfinished(name)
        with suppress(OSError):
            self._given_back(name)

    def _given_back(self, name: str) -> None:
        """Others may be given what she was doing, unless the program ends, after which she goes on with it."""
        if not self._ending and name in self._study.people:
            self._study.give_back(name)

    def _gone(self) -> bool:
        return bool(self.mailbox.closed)

    def _sit(self, name: str, repeat: int) -> None:
        who = self._study.people[name]
        self._agent.seat(Participation(name, who.consent_sha256, self._mode, who.client_id), repeat)

    def _practice(self, name: str) -> Episode:
        first = self._study.next(name)
        return practice_before(self._set.episodes, None if first is None else self._episodes[first.episode_id])


def practice_before(episodes: Sequence[Episode], first: Episode | None) -> Episode:
    """An episode that asks nothing of a set, where possible in another home than what comes first; it explores before
    it asks where the set does, so that what can be done then is tried too.

    Args:
        episodes: of the set, at least one.
        first: what comes after practice; None for nothing.
    """
    scene = "" if first is None else first.scene
    place = next((episode for episode in episodes if episode.scene != scene), episodes[0])
    questions = (Question("practice", _PRACTICE, Phase.ANSWER.value),)
    explore = EpisodePhase(Phase.EXPLORE.value, _PRACTICE_STEPS)
    answer = EpisodePhase(Phase.ANSWER.value, 0 if _explores_first(place) else _PRACTICE_STEPS, questions)
    phases = (explore, answer) if _explores_first(place) else (answer,)
    return Episode.of_phases("practice", place.benchmark, place.scene, place.start, phases, place.seed)


def make_seats(
    names: Sequence[str], job: Job, episode_set: EpisodeSet, study: Study, idle: float, replays: bool = False
) -> dict[str, Seat]:
    """Seats of those names.

    Raises:
        UnknownNameError: ``control.dof`` names an axis that does not exist.
        UsageError: the world is hardware, no episode has an exploration that can be replayed, or the camera cannot move
            along an axis that ``control.dof`` names.
    """
    if replays and not any(_explores_first(episode) for episode in episode_set.episodes):
        raise UsageError(
            f"{episode_set.folder} has no episode that asks after an exploration, so there is none to replay; leave "
            f"out --mode {REPLAY}"
        )
    if job.world not in ("splat", "house"):
        raise UsageError(f"people play in simulated homes alone, not in world '{job.world}'; leave out --world")
    with closing(WORLDS.create(job.world, job.settings)) as world:
        check_axes(job.settings, world.info)
    return {name: Seat(name, job, episode_set, study, idle, replays) for name in names}


def _explores_first(episode: Episode) -> bool:
    return bool(episode.phases) and not episode.phases[0].questions and any(each.questions for each in episode.phases)
