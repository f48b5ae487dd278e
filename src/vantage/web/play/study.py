"""Who is given which episode in a study of people: nobody both of a pair, kinds and homes in turn, every one as often
as was asked for; kept on disk so that nothing is given twice whatever ends the program."""

from __future__ import annotations

import hashlib
import json
import secrets
import shutil
import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from vantage.benchmarks.sets import EpisodeSet, pair_name
from vantage.errors import FormatError, RecordingError, UsageError
from vantage.file_references import why_link_out
from vantage.files import read_json, write_whole
from vantage.recording import PARTIAL, read_recording
from vantage.types import EpisodeState, Truth
from vantage.wording import shown

STATE = "study.json"
_SCHEMA = "vantage.study/1"
_MOST_PEOPLE = 10_000


@dataclass(frozen=True)
class StudyEpisode:
    """What an episode is counted by.

    Attributes:
        twin: what it has in common with its twin, of which nobody gets both.
    """

    episode_id: str
    scene: str
    kind: str
    twin: str


def study_episodes(episode_set: EpisodeSet, truths: Mapping[str, Truth]) -> tuple[StudyEpisode, ...]:
    """The episodes of a set; twins are the noisy and the clean half of a pair, and the two starts of one question."""
    found = []
    for episode in episode_set.episodes:
        truth = truths[episode.episode_id]
        stem, half = pair_name(episode.episode_id)
        kinds = dict.fromkeys(f"{gold.kind} {gold.noise_type.name}" for gold in truth.questions)
        twin = stem if half else truth.pair_id or episode.episode_id
        found.append(StudyEpisode(episode.episode_id, episode.scene, ", ".join(kinds), twin))
    return tuple(found)


@dataclass(frozen=True)
class Trial:
    """One episode as one person does it; ``repeat`` counts the people who are given it, from 1."""

    episode_id: str
    repeat: int = 1


@dataclass
class Participant:
    """One person, of whom nothing is known but what she did here.

    Attributes:
        seat: where she sits.
        practised: whether she went through the practice episode.
        now: what she is doing.
        done: what she finished.
    """

    seat: str
    consent_sha256: str
    client_id: str
    practised: bool = False
    left: bool = False
    now: Trial | None = None
    done: list[Trial] = field(default_factory=list)


class Study:
    """The state of a study, in ``study.json`` of its folder; safe to use from several threads.

    Bags lie beside it, those of the first person who is given an episode in ``1/``, those of the second in ``2/`` and
    so on.

    Args:
        folder: of the study; taken up again where it holds one.
        episodes: what can be given.
        digest: of the episode set.
        seed: of the order.
        per_episode: people who are given each episode.
        mode: in which people play; empty for that of the study that is taken up.
        control: the conditions under which they play, as ``control_text`` has them; None for those of the study that
            is taken up.

    Raises:
        FormatError: the state cannot be read, or a link leads out of the folder.
        UsageError: it is of another set, or was begun with another seed, number of people, mode or control.
    """

    def __init__(
        self,
        folder: Path,
        episodes: Sequence[StudyEpisode],
        digest: str,
        seed: int = 0,
        per_episode: int = 1,
        mode: str = "",
        control: str | None = None,
    ) -> None:
        self.folder = folder
        self._episodes = {episode.episode_id: episode for episode in episodes}
        self._head = {"schema": _SCHEMA, "episodes": digest, "seed": seed, "per_episode": per_episode}
        self._head |= {"mode": mode, "control": control}
        self._seed, self._per_episode = seed, per_episode
        self._lock = threading.RLock()
        if out := why_link_out(folder):
            raise FormatError(out)
        self._people = self._loaded()
        self._reconcile()

    @property
    def people(self) -> Mapping[str, Participant]:
        """All participants by pseudonym."""
        return self._people

    def bag(self, trial: Trial) -> Path:
        """Where the bag of a trial is recorded."""
        return self.folder / str(trial.repeat) / trial.episode_id

    def sitting(self, seat: str) -> str | None:
        """The pseudonym of who sits at a seat."""
        with self._lock:
            return next((name for name, who in self._people.items() if who.seat == seat and not who.left), None)

    def join(self, seat: str, consent_sha256: str) -> str:
        """Somebody who agreed to the text of a digest sits down; gives her pseudonym.

        Raises:
            UsageError: the seat is taken, or no more people fit in.
        """
        with self._lock:
            if self.sitting(seat) is not None:
                raise UsageError("somebody sits here already; take another seat")
            if len(self._people) >= _MOST_PEOPLE:
                raise UsageError(f"a study has {_MOST_PEOPLE} participants at most; begin another one")
            name = f"p-{secrets.token_hex(4)}"
            while name in self._people:
                name = f"p-{secrets.token_hex(4)}"
            self._changing(lambda: self._people.update({name: Participant(seat, consent_sha256, secrets.token_hex(8))}))
            return name

    def leave(self, pseudonym: str) -> None:
        """She is finished; her seat is free, and what she did stays."""
        with self._lock:
            self.give_back(pseudonym)
            self._changing(lambda: setattr(self._people[pseudonym], "left", True))

    def practised(self, pseudonym: str) -> None:
        """She went through the practice episode."""
        self._changing(lambda: setattr(self._people[pseudonym], "practised", True))

    def next(self, pseudonym: str) -> Trial | None:
        """What she does now: what she was doing, or else another episode; None when there is none for her."""
        with self._lock:
            if self._recorded(pseudonym):  # and could not be written down then
                self.finished(pseudonym)
            if self._people[pseudonym].now is None:
                chosen = self._chosen(pseudonym)
                if chosen is not None:
                    self._changing(lambda: setattr(self._people[pseudonym], "now", chosen))
            return self._people[pseudonym].now

    def finished(self, pseudonym: str) -> None:
        """The bag of what she was doing is complete."""

        def change() -> None:
            who = self._people[pseudonym]
            if who.now is not None:
                who.done.append(who.now)
                who.now = None

        self._changing(change)

    def give_back(self, pseudonym: str) -> None:
        """What she was doing may be given to somebody else, unless she finished it."""
        with self._lock:
            if self._recorded(pseudonym):
                self.finished(pseudonym)
            else:
                self._changing(lambda: setattr(self._people[pseudonym], "now", None))

    def delete(self, pseudonym: str) -> int:
        """Remove a participant with all her bags, which others may be given then; returns how many bags.

        Raises:
            UsageError: there is none of that pseudonym.
            OSError: a bag cannot be removed.
        """
        with self._lock:
            who = self._people.get(pseudonym)
            if who is None:
                raise UsageError(f"{self.folder} has no participant '{pseudonym}'; its {STATE} names them")
            trials = [*who.done, *([who.now] if who.now else [])]
            bags = [path for trial in trials for path in (self.bag(trial), *self._unfinished(trial)) if path.is_dir()]
            for path in bags:
                shutil.rmtree(path)
            self._changing(lambda: self._people.pop(pseudonym))
            return len(bags)

    def remove_unfinished(self, pseudonym: str) -> None:
        """Remove what was recorded of a trial that is on and has no complete bag yet.

        Raises:
            OSError: it cannot be removed.
        """
        with self._lock:
            now = self._people[pseudonym].now
            for path in self._unfinished(now) if now is not None else ():
                shutil.rmtree(path)

    def _unfinished(self, trial: Trial) -> list[Path]:
        bag = self.bag(trial)
        return list(bag.parent.glob(f"{bag.name}{PARTIAL}*"))

    def remaining(self) -> int:
        """Trials that nobody finished."""
        with self._lock:
            return len(self._episodes) * self._per_episode - sum(len(who.done) for who in self._people.values())

    def lost(self) -> int:
        """Finished trials that have no bag."""
        with self._lock:
            done = [trial for who in self._people.values() for trial in who.done]
        return sum(not (self.bag(trial) / "metadata.yaml").is_file() for trial in done)

    def doubled(self) -> int:
        """Trials that more than one participant did or does, and twins that one had both of."""
        with self._lock:
            people = list(self._people.values())
        every = [(trial, who) for who in people for trial in (*who.done, *([who.now] if who.now else []))]
        trials = Counter(trial for trial, _ in every)
        twins = Counter((id(who), self._episodes[trial.episode_id].twin) for trial, who in every)
        return sum(count - 1 for count in trials.values()) + sum(count - 1 for count in twins.values())

    def _chosen(self, pseudonym: str) -> Trial | None:
        """The free trial whose kind and home she, then all, had least of; ties fall by lot."""
        mine = [*self._people[pseudonym].done]
        every = [trial for who in self._people.values() for trial in (*who.done, *([who.now] if who.now else []))]
        taken = set(every)
        twins = {self._episodes[trial.episode_id].twin for trial in mine}
        kinds, scenes = self._counts(mine)
        all_kinds, all_scenes = self._counts(every)
        free = []
        for episode in self._episodes.values():
            repeats = (Trial(episode.episode_id, repeat) for repeat in range(1, self._per_episode + 1))
            trial = next((each for each in repeats if each not in taken), None)
            if trial is None or episode.twin in twins:
                continue
            kind, scene = episode.kind, episode.scene
            counts = (trial.repeat, kinds[kind] + scenes[scene], all_kinds[kind] + all_scenes[scene])
            free.append((*counts, self._lot(pseudonym, episode.episode_id), trial.episode_id, trial))
        return min(free)[-1] if free else None

    def _counts(self, trials: Sequence[Trial]) -> tuple[Counter[str], Counter[str]]:
        given = [self._episodes[trial.episode_id] for trial in trials]
        return Counter(each.kind for each in given), Counter(each.scene for each in given)

    def _lot(self, pseudonym: str, episode_id: str) -> str:
        place = list(self._people).index(pseudonym)
        return hashlib.sha256(f"{self._seed} {place} {episode_id}".encode()).hexdigest()

    def _changing(self, change: Callable[[], Any]) -> None:
        """Change the state in memory and on disk, or neither.

        Raises:
            OSError: the state cannot be written.
        """
        with self._lock:
            before = deepcopy(self._people)
            change()
            try:
                self._save()
            except BaseException:
                self._people = before
                raise

    def _save(self) -> None:
        people = {name: asdict(who) for name, who in self._people.items()}
        write_whole(self.folder / STATE, json.dumps({**self._head, "people": people}, indent=1) + "\n", mode=0o600)

    def _loaded(self) -> dict[str, Participant]:
        path = self.folder / STATE
        if not path.exists():
            self._head["control"] = self._head["control"] or ""
            return {}
        try:
            state = read_json(path)
            people = {name: _participant(entry) for name, entry in state["people"].items()}
            state.setdefault("mode", self._head["mode"])  # of a study begun before these were written down
            state.setdefault("control", self._head["control"] or "")
            head = {key: state[key] for key in self._head}
            if strange := sorted(state.keys() - head.keys() - {"people"}):
                raise ValueError(f"it says {shown(strange[0])}, which is not for a study to say")
        except (FormatError, ValueError, LookupError, TypeError, AttributeError) as error:
            raise FormatError(
                f"{path} is no state of a study: {error}; move it away or choose another --out"
            ) from error
        if not self._head["mode"]:
            self._head["mode"] = head["mode"]
        if self._head["control"] is None:
            self._head["control"] = head["control"]
        for key, value in self._head.items():
            if head[key] != value:
                raise UsageError(f"{path} was begun with {key} = {head[key]!r}, not {value!r}; choose another --out")
        for who in people.values():
            for trial in (*who.done, *([who.now] if who.now else [])):
                if trial.episode_id not in self._episodes or not 1 <= trial.repeat <= self._per_episode:
                    raise FormatError(
                        f"{path} names episode '{trial.episode_id}', number {trial.repeat}, which this study does not "
                        "have; choose another --out"
                    )
        return people

    def _reconcile(self) -> None:
        """A bag that was complete when the program was ended counts as finished; one that was not is begun anew."""
        for name in list(self._people):
            if self._recorded(name):
                self.finished(name)

    def _recorded(self, pseudonym: str) -> bool:
        """Whether what she is doing has a bag of an episode that was gone through to its end: one that was broken off
        is complete too, until it is removed."""
        now = self._people[pseudonym].now
        if now is None or not (self.bag(now) / "metadata.yaml").is_file():
            return False
        try:
            return read_recording(self.bag(now)).state == EpisodeState.FINISHED
        except RecordingError:
            return False


def _participant(entry: Mapping[str, Any]) -> Participant:
    values = dict(entry)
    values["now"] = Trial(**values["now"]) if values["now"] else None
    values["done"] = [Trial(**trial) for trial in values["done"]]
    who = Participant(**values)
    texts = [who.seat, who.consent_sha256, who.client_id]
    numbers = []
    for trial in (*who.done, *([who.now] if who.now else [])):
        texts.append(trial.episode_id)
        numbers.append(trial.repeat)
    flags = (who.practised, who.left)
    for kind, items in ((str, texts), (int, numbers), (bool, flags)):
        if any(type(item) is not kind for item in items):
            raise TypeError("a participant has values of the wrong kind")
    return who
