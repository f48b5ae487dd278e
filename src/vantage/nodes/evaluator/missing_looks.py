"""Which messages about the looks of an episode did not arrive, and the requests for them.

Messages of one topic arrive in order. So a message is lost once a later one of its topic is there, and at the end of
the episode once nothing arrives any more. The middleware keeps a few messages for a subscriber that has no time; the
world is asked for others, look by look, until they are there or the world no longer has them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable

from vantage.nodes.evaluator.open_recording import OpenRecording
from vantage.recording import COMMAND_RESULT, RECALLABLE, Topic

# Takes the stamp of the look that was sent again, ns, None where the world has none; and why, in words.
Answered = Callable[[int | None, str], None]
Ask = Callable[[int, Answered], None]  # for the first look at or after a stamp, ns

OF_EACH_LOOK = tuple(topic for topic in RECALLABLE if topic is not COMMAND_RESULT)
_ARRIVAL = 1.0  # s for messages of a look after the world said that it sent them
_TRIES = 3  # requests for one look, or for a series of results, of which something is not there although it was sent
_MOST_RESULTS = 1000  # missing at a time; a world keeps fewer looks, and a stranger's command may have any number
_HOPELESS = 2  # looks after which a topic counts as one of which the world keeps nothing


def nothing_recalled(stamp: int, answered: Answered) -> None:
    """Answer that no world sends anything again."""
    answered(None, "nobody sends looks again")


class MissingLooks:
    """What is missing of one episode. One caller at a time.

    Args:
        recorded: topics of which the bag holds a message of each look.
        ask: asks the world for a look.
        lacking: topics without which a look cannot be judged, of those that did not arrive, by its stamp.
        warn: takes sentences about what the world no longer has.
    """

    def __init__(
        self,
        recorded: Iterable[Topic],
        ask: Ask,
        lacking: Callable[[int], Iterable[Topic]],
        warn: Callable[[str], None],
    ) -> None:
        self._recorded, self._ask, self._lacking, self._warn = tuple(recorded), ask, lacking, warn
        self._stamps: defaultdict[Topic, set[int]] = defaultdict(set)
        self._newest: dict[Topic, int] = {}
        self._recalled: set[tuple[Topic, int]] = set()  # by stamp; of results, by number
        self._gone: set[tuple[Topic, int]] = set()  # what the world no longer has, likewise
        self._hopeless: Counter[Topic] = Counter()
        self._tries: Counter[int] = Counter()
        self._complete: set[int] = set()  # looks of which nothing is missing, by stamp
        self._asked: int | None = None
        self._answered = False
        self._answered_at: float | None = None
        self._results_since = -1  # where results that are missing are looked for, ns
        self._exhausted, self._why = False, ""  # whether there is no later look of which to ask
        self._walks, self._walked = 1, False  # through looks for results, and whether the newest one met any look
        self._over = False

    def heard(self, topic: Topic, key: int) -> None:
        """A message about a look has arrived by itself; its stamp, ns, or the number of its result."""
        self._stamps[topic].add(key)
        self._newest[topic] = max(key, self._newest.get(topic, key))

    def recall(self, topic: Topic, key: int) -> bool:
        """Take note of a message that was sent again, by its stamp or the number of its result; False where it is
        there already."""
        if key in self._stamps[topic]:
            return False
        self._stamps[topic].add(key)
        self._recalled.add((topic, key))
        self._gone.discard((topic, key))
        return True

    def was_recalled(self, topic: Topic, key: int) -> bool:
        """Whether a message that arrives by itself was sent again before."""
        return (topic, key) in self._recalled

    def was_passed(self, topic: Topic, key: int) -> bool:
        """Whether a later message of the topic has arrived by itself."""
        return self._newest.get(topic, -1) > key

    def is_missing(self, recording: OpenRecording, number: int) -> bool:
        """Whether the result of a command did not arrive, although a later one did or the episode is over."""
        return number in self._results(recording)

    def count(self, recording: OpenRecording) -> int:
        """How many looks and results are missing that may still come, or that the world may have."""
        return len(self._looks(recording, late=True)) + len(self._results(recording))

    def gone(self) -> Counter[Topic]:
        """How many messages are missing that the world no longer has, by topic."""
        return Counter(topic for topic, _ in self._gone)

    @property
    def asks(self) -> bool:
        """Whether a request was not answered yet."""
        return self._asked is not None and not self._answered

    def tick(self, recording: OpenRecording, now: float, over: bool) -> None:
        """Ask for what is missing, unless a request is on its way.

        Args:
            now: s, monotonic.
            over: nothing arrives by itself any more.
        """
        self._over = self._over or over
        looks, results = self._looks(recording), self._results(recording)
        if self._asked is not None:
            if not self._answered:
                return
            self._answered_at = now if self._answered_at is None else self._answered_at
            arriving = self._asked in looks or (self._exhausted and bool(results))
            if arriving and now - self._answered_at < _ARRIVAL:
                return
            self._asked = None
        if results and self._exhausted and self._walked and self._walks < _TRIES:
            self._walks += 1
            self._exhausted, self._results_since, self._walked = False, -1, False
            self._ask_for_results(recording, results)
        elif results and self._exhausted:
            self._give_up_results(results)
        elif results:
            self._ask_for_results(recording, results)
        else:
            self._walks, self._walked = 1, False
            if looks:
                self._ask_for_look(recording, min(looks), looks)

    def _ask_for_results(self, recording: OpenRecording, missing: list[int]) -> None:
        """Go through the looks from that of the result before the first one that is missing to that of the next one."""
        before = max((number for number in recording.results if number < missing[0]), default=None)
        after = min((number for number in recording.results if number > missing[0]), default=None)
        since = 0 if before is None else recording.results[before]  # that it began may have been heard late
        self._results_since = max(since, self._results_since)

        def answered(found: int | None, why: str) -> None:
            self._answered = True
            self._why = why or "it keeps later looks alone"
            self._exhausted = found is None or (after is not None and found >= recording.results[after])
            self._walked = self._walked or not self._exhausted
            if found is not None:
                self._results_since = found + 1

        self._send(self._results_since, answered)

    def _give_up_results(self, missing: list[int]) -> None:
        first = missing[0]
        run = [number for position, number in enumerate(missing) if number == first + position]
        self._gone.update((COMMAND_RESULT, number) for number in run)
        self._exhausted, self._results_since = False, -1
        self._walks, self._walked = 1, False
        self._warn(
            f"{len(run)} command results from {first} on did not arrive, and the world cannot send them: {self._why}"
        )

    def _ask_for_look(self, recording: OpenRecording, stamp: int, looks: dict[int, set[Topic]]) -> None:
        self._tries[stamp] += 1
        if self._tries[stamp] > _TRIES:
            for topic in looks[stamp]:
                self._hopeless[topic] += 1
            self._give_up(recording, stamp, f"the world sent the look {_TRIES} times without it")
            return

        def answered(found: int | None, why: str) -> None:
            self._answered = True
            if found != stamp:
                self._give_up(recording, stamp, why or "it keeps later looks alone")

        self._send(stamp, answered)

    def _send(self, stamp: int, answered: Answered) -> None:
        self._asked, self._answered, self._answered_at = stamp, False, None
        self._ask(stamp, answered)

    def _give_up(self, recording: OpenRecording, stamp: int, why: str) -> None:
        lost = self._looks(recording).get(stamp, set())
        self._gone.update((topic, stamp) for topic in lost)
        if lost:
            names = ", ".join(sorted(topic.name for topic in lost))
            self._warn(f"{names} of the look at {stamp} ns did not arrive, and the world cannot send it: {why}")

    def _looks(self, recording: OpenRecording, late: bool = False) -> dict[int, set[Topic]]:
        """What is missing of which look, by its stamp, ns; with what is late and may still arrive by itself, or not."""
        found: dict[int, set[Topic]] = {}
        for stamp in {*recording.results.values(), *recording.resets} - self._complete:
            if stamp <= recording.begun:
                continue
            missing = {topic for topic in self._recorded if topic in self._newest and stamp not in self._stamps[topic]}
            missing.update(self._lacking(stamp))
            lost = {topic for topic in missing if self._is_lost(topic, stamp, late)}
            if lost:
                found[stamp] = lost
            elif not missing:
                self._complete.add(stamp)
        return found

    def _is_lost(self, topic: Topic, stamp: int, late: bool) -> bool:
        passed = late or self._over or self.was_passed(topic, stamp)
        return passed and (topic, stamp) not in self._gone and self._hopeless[topic] < _HOPELESS

    def _results(self, recording: OpenRecording) -> list[int]:
        """Numbers of the commands whose results are missing."""
        newest = max(recording.results, default=0)
        if self._over and recording.expected is not None:
            newest = max(newest, recording.expected[0])
        if len(recording.results) >= newest:
            return []
        newest = min(newest, len(recording.results) + _MOST_RESULTS)
        numbers = (number for number in range(1, newest + 1) if number not in recording.results)
        return [number for number in numbers if (COMMAND_RESULT, number) not in self._gone]
