"""An episode on its way into a bag: what was published about it, by whom, and what disturbed it.

The middleware tells only the number of a message: each publisher numbers its messages 1, 2, 3, ...
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from vantage.nodes.evaluator.moved_looks import MovedLooks
from vantage.recording import (
    ANSWER,
    COMMAND_RESULT,
    EPISODE,
    SOURCE,
    TWO_RESULTS,
    BagWriter,
    Topic,
    absolute,
    read_reached,
    read_time,
)
from vantage.runs import Gathering
from vantage.spatial import Viewpoint
from vantage.types import Episode, EpisodeState

_UNKNOWN = 2**63  # numbers from here on say that the middleware does not count
_LONGEST = 0.5  # s between two calls that count as waiting
_MOST_PUBLISHERS = 16  # writers of a topic that are told apart


@dataclass(frozen=True)
class MessageOrigin:
    """Which publisher a message comes from.

    Attributes:
        writer: 1, 2, ... in order of appearance; 0 where the middleware does not number messages.
        lost: messages of this writer that did not arrive before it.
        repeated: it came before, as what a latched topic holds may when subscriptions are matched anew.
    """

    writer: int
    lost: int = 0
    repeated: bool = False


@dataclass
class _Publisher:
    name: int
    last: int  # number
    data: bytes  # of the last message


class PublisherTracker:
    """Tells the publishers of one topic apart. One caller at a time.

    A number that follows the last one of a writer is that writer's. Any other is a gap where only one publisher is on
    the network, and a writer that was not heard before where there are more.

    Args:
        alone: whether there is only one publisher of the topic.
    """

    def __init__(self, alone: Callable[[], bool]) -> None:
        self._alone = alone
        self._writers: list[_Publisher] = []  # the one that was heard last comes last
        self._names = 0

    def heard(self, number: int | None, data: bytes = b"", expected: int = 0) -> MessageOrigin:
        """
        Args:
            data: of the message; without it no repetition is noticed.
            expected: the writer that it is of where numbers allow more than one.
        """
        if number is None or number >= _UNKNOWN:
            return MessageOrigin(0)
        known = sorted(self._writers, key=lambda item: item.name == expected)[::-1]
        for writer in known:
            if data and writer.last == number and writer.data == data:
                return MessageOrigin(writer.name, repeated=True)
        lost, found = 0, next((writer for writer in known if writer.last + 1 == number), None)
        if found is None and self._writers and number > self._writers[-1].last and self._alone():
            found = self._writers[-1]
            lost = number - found.last - 1
        if found is None:
            self._names += 1
            found = _Publisher(self._names, number, data)
        else:
            self._writers.remove(found)
        found.last, found.data = number, data
        self._writers.append(found)
        del self._writers[:-_MOST_PUBLISHERS]
        return MessageOrigin(found.name, lost)


_KEPT = 8  # different disturbances of an episode


@dataclass
class OpenRecording:
    """What is told of an episode counts from one publisher of each topic: the first that tells of it.

    Attributes:
        begun: stamp of its first message, ns; earlier where the result of an earlier command was asked for.
        phases: names of the phases that began.
        restored: of each phase before which the world is put back, how many commands were sent before it.
        judged: whether gold data is at hand.
        writers: who tells of it, by topic.
        results: stamp of the look that shows it, ns, by number of the command.
        dropped: messages that did not arrive, by absolute topic name.
        unreadable: messages that were left out because they could not be read.
        resets: stamps at which the world was put at a start, ns.
        pending: looks to be judged, by stamp.
        awaited: stamps of looks of which the world has yet to tell where things were.
        looks: what was moved in the world.
        gathering: takes in what is seen of the place, where the episode explores.
        started: whether the look from the start has come.
        expected: command results and answers, once the episode is over.
        ended: stamp of the last look before that, ns.
        idle: how long nothing has come since then of what is yet to come, s.
    """

    episode: Episode
    begun: int
    bag: BagWriter
    writers: dict[Topic, int]
    judged: bool = False
    results: dict[int, int] = field(default_factory=dict)
    answers: int = 0
    dropped: dict[str, int] = field(default_factory=dict)
    unreadable: int = 0
    resets: list[int] = field(default_factory=list)
    pending: dict[int, Viewpoint] = field(default_factory=dict)
    awaited: set[int] = field(default_factory=set)
    looks: MovedLooks = field(default_factory=MovedLooks)
    gathering: Gathering | None = None
    started: bool = False
    expected: tuple[int, int] | None = None
    ended: int = 0
    idle: float = 0.0
    phases: list[str] = field(default_factory=list)
    restored: list[int] = field(default_factory=list)
    _to_come: int = 0  # when that was last looked at
    _looked_at: float = 0.0  # s, monotonic
    _disturbances: dict[str, int] = field(default_factory=dict)  # how often each, in words
    _looked_again: set[int] = field(default_factory=set)  # at the start, by stamp, ns

    @property
    def all_told(self) -> bool:
        """Whether the episode is over and all results and answers that its end states have come."""
        results, answers = self.expected or (0, 0)
        return self.expected is not None and len(self.results) >= results and self.answers >= answers

    def shows(self, stamp: int) -> bool:
        """Whether the look of a stamp, ns, shows the result of a command or the world after a reset."""
        return stamp in self.results.values() or stamp in self.resets

    def lost(self, topic: Topic, count: int) -> None:
        """Count messages that did not arrive; fewer than none where some were sent again."""
        name = absolute(topic.name)
        left = self.dropped.pop(name, 0) + count
        if left > 0:
            self.dropped[name] = left

    def disturbed(self, sentence: str) -> None:
        """Keep how the episode was disturbed, in words; a flood of different ones is cut short."""
        if sentence not in self._disturbances and len(self._disturbances) >= _KEPT:
            sentence = "it was disturbed in other ways, too"
        self._disturbances[sentence] = self._disturbances.get(sentence, 0) + 1

    def interference(self) -> list[str]:
        """How the episode was disturbed, in words. The world may be put at a start before the first command only, and
        where a phase that is restored begins."""
        first = min(self.results.values(), default=None)
        said = dict(self._disturbances)
        late = [stamp for stamp in self.resets if first is not None and first < stamp <= self.ended]
        if any(not self._puts_back(stamp) for stamp in late):
            said["the world was reset in the middle of the episode"] = 1
        return [text if count == 1 else f"{text} ({count} times)" for text, count in said.items()]

    def _puts_back(self, stamp: int) -> bool:
        """Whether a reset of a stamp, ns, lies between the last command before a restored phase and the first in it."""
        return any(
            (sent == 0 or sent in self.results)  # else its result has yet to come, and may be later than the stamp
            and self.results.get(sent, self.begun) <= stamp <= self.results.get(sent + 1, stamp)
            for sent in self.restored
        )

    def looks_from_start(self, stamp: int) -> None:
        """The look of a stamp, ns, is the first of all; it has to be judged, and no later phase begins with it."""
        self.started = True
        self.pending.setdefault(stamp, self.episode.start)
        self._looked_again.add(stamp)

    def first_looks(self) -> list[int]:
        """Stamps, ns, of looks at the start to which the world was put back, which have to be judged; each once."""
        found = [stamp for stamp in self.resets if stamp not in self._looked_again and self._puts_back(stamp)]
        self._looked_again.update(found)
        self.pending.update(dict.fromkeys(found, self.episode.start))
        return found

    def is_of_another(self, topic: Topic, heard: MessageOrigin) -> bool:
        """Whether somebody else than before tells of the episode on this topic."""
        return self.writers.setdefault(topic, heard.writer) != heard.writer

    def end(self, message: Any, heard: MessageOrigin, now: float) -> bool:
        """Take in the end; False where it is not the planner's to tell.

        A planner says nothing between the beginning of a phase and what follows, so a gap between is another's doing.
        """
        if self.is_of_another(EPISODE, heard) or heard.lost:
            state = EpisodeState(message.state).name.lower()
            self.disturbed(f"somebody else than the planner told that the episode was {state}")
            return False
        if self.expected is not None:
            self.disturbed("the end of the episode was told more than once")
            return False
        self.expected = (int(message.commands_sent), int(message.answers_given))
        self.ended, self._looked_at, self._to_come = read_time(message.header.stamp), now, self._left()
        return True

    def waited(self, now: float, missing: int = 0) -> float:
        """How long nothing has come, in s, of what is yet to come after the end: who works off much is given time.

        What this process spends stopped or without a processor does not count, because nothing could come then.

        Args:
            now: s, monotonic; to be called often.
            missing: how much the world is asked for.
        """
        left = self._left() + missing
        passed, self._looked_at = min(now - self._looked_at, _LONGEST), now
        self.idle = 0.0 if left < self._to_come else self.idle + passed
        self._to_come = left
        return self.idle

    def _left(self) -> int:
        """Results and answers that are yet to come, and looks to be judged; a result counts for more than its look."""
        results, answers = self.expected or (0, 0)
        missing = max(0, results - len(self.results)) + max(0, answers - self.answers)
        return 2 * missing + len(self.pending) + len(self.awaited)

    def begins_phase(self, episode: Episode) -> bool:
        """Whether an episode that runs is this one in a phase that did not begin before."""
        own = episode.episode_id == self.episode.episode_id
        return own and self.expected is None and episode.phase not in self.phases

    def phase_began(self, episode: Episode, sent: int, heard: MessageOrigin) -> bool:
        """Take in that another phase began; False where it is not the planner's to tell.

        Args:
            sent: commands before it.
        """
        if self.is_of_another(EPISODE, heard) or heard.lost:
            self.disturbed(f"somebody else than the planner told that phase '{episode.phase}' began")
            return False
        self.phases.append(episode.phase)
        if episode.restored:
            self.restored.append(sent)
        return True

    def result(self, message: Any, heard: MessageOrigin | None) -> bool:
        """Take in what became of a command; False where it is no step of the episode or cannot be true.

        Args:
            heard: None where the world was asked for it.
        """
        sequence = int(message.sequence)
        if heard is not None and self.is_of_another(COMMAND_RESULT, heard):
            self.disturbed("somebody else than the world told what became of a command")
            return False
        try:
            _, _, reached = read_reached(message)
        except ValueError as error:
            self.disturbed(f"what became of a command cannot be true: {error}")
            return False
        if sequence in self.results:
            self.disturbed(TWO_RESULTS)
            return False
        stamp = self.results[sequence] = read_time(message.observation_stamp)
        if self.judged:
            self.pending[stamp] = reached
        return True

    def answer(self, heard: MessageOrigin) -> bool:
        """Take in an answer; False where it is not the planner's."""
        if self.is_of_another(ANSWER, heard):
            self.disturbed("somebody else than the planner answered")
            return False
        self.answers += 1
        return True

    def tells_of(self, message: Any) -> bool:
        """Whether a result is of a command that the planner sent in this episode."""
        return bool(message.episode_id == self.episode.episode_id and message.source == SOURCE)
