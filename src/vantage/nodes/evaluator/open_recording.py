"""An episode on its way into a bag: what was told of it, by whom, and what disturbed it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from vantage.nodes.evaluator.publisher_tracking import Heard
from vantage.recording.bags import BagWriter
from vantage.recording.events import SOURCE
from vantage.recording.reading import read_reached, read_time
from vantage.recording.recordings import TWO_RESULTS
from vantage.recording.topics import ANSWER, COMMAND_RESULT, EPISODE, Topic
from vantage.spatial import Viewpoint
from vantage.types import Episode, EpisodeState

_KEPT = 8  # different disturbances of an episode


@dataclass
class OpenRecording:
    """What is told of an episode counts from one publisher of each topic: the first that tells of it.

    Attributes:
        begun: stamp of its first message, ns.
        judged: whether gold data is at hand.
        writers: who tells of it, by topic.
        results: stamp of the look that shows it, ns, by number of the command.
        dropped: messages that did not arrive, by absolute topic name.
        unreadable: messages that were left out because they could not be read.
        resets: stamps at which the world was put at a start, ns.
        pending: looks to be judged, by stamp.
        started: whether the look from the start has come.
        expected: command results and answers, once the episode is over.
        ended: stamp of the last look before that, ns.
        ended_at: when that was heard, s, monotonic.
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
    started: bool = False
    expected: tuple[int, int] | None = None
    ended: int = 0
    ended_at: float = 0.0
    _disturbances: dict[str, int] = field(default_factory=dict)  # how often each, in words

    @property
    def all_told(self) -> bool:
        """Whether the episode is over and all results and answers that its end states have come."""
        results, answers = self.expected or (0, 0)
        return self.expected is not None and len(self.results) >= results and self.answers >= answers

    def disturbed(self, sentence: str) -> None:
        """Keep how the episode was disturbed, in words; a flood of different ones is cut short."""
        if sentence not in self._disturbances and len(self._disturbances) >= _KEPT:
            sentence = "it was disturbed in other ways, too"
        self._disturbances[sentence] = self._disturbances.get(sentence, 0) + 1

    def interference(self) -> list[str]:
        """How the episode was disturbed, in words. The world may be put at a start before the first command only."""
        first = min(self.results.values(), default=None)
        said = dict(self._disturbances)
        if first is not None and any(first < stamp <= self.ended for stamp in self.resets):
            said["the world was reset in the middle of the episode"] = 1
        return [text if count == 1 else f"{text} ({count} times)" for text, count in said.items()]

    def is_of_another(self, topic: Topic, heard: Heard) -> bool:
        """Whether somebody else than before tells of the episode on this topic."""
        return self.writers.setdefault(topic, heard.writer) != heard.writer

    def end(self, message: Any, heard: Heard, now: float) -> bool:
        """Take in the end; False where it is not the planner's to tell.

        A planner says nothing between the beginning and the end, so a gap between the two is another's doing.
        """
        if self.is_of_another(EPISODE, heard) or heard.lost:
            state = EpisodeState(message.state).name.lower()
            self.disturbed(f"somebody else than the planner told that the episode was {state}")
            return False
        if self.expected is not None:
            self.disturbed("the end of the episode was told more than once")
            return False
        self.expected = (int(message.commands_sent), int(message.answers_given))
        self.ended, self.ended_at = read_time(message.header.stamp), now
        return True

    def result(self, message: Any, heard: Heard) -> Viewpoint | None:
        """Take in what became of a command; the pose after it where it is a step of the episode and can be true."""
        sequence = int(message.sequence)
        if self.is_of_another(COMMAND_RESULT, heard):
            self.disturbed("somebody else than the world told what became of a command")
            return None
        try:
            _, _, reached = read_reached(message)
        except ValueError as error:
            self.disturbed(f"what became of a command cannot be true: {error}")
            return None
        if sequence in self.results:
            self.disturbed(TWO_RESULTS)
            return None
        self.results[sequence] = read_time(message.observation_stamp)
        return reached

    def answer(self, heard: Heard) -> bool:
        """Take in an answer; False where it is not the planner's."""
        if self.is_of_another(ANSWER, heard):
            self.disturbed("somebody else than the planner answered")
            return False
        self.answers += 1
        return True

    def tells_of(self, message: Any) -> bool:
        """Whether a result is of a command that the planner sent in this episode."""
        return bool(message.episode_id == self.episode.episode_id and message.source == SOURCE)
