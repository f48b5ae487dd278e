"""The world is put back in the middle of an episode: where that is no disturbance, and which looks are judged."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from phased import REENTER, look_answer_look_again

from vantage.nodes.evaluator.open_recording import MessageOrigin, OpenRecording
from vantage.recording.bags import BagWriter
from vantage.recording.topics import EPISODE

WHOLE = look_answer_look_again("four")
RESET = ["the world was reset in the middle of the episode"]


@pytest.fixture
def recording(tmp_path: Path) -> Iterator[OpenRecording]:
    """Two commands before the phase that is restored, and two in it; looks at 10, 20 and 40, 50 ns."""
    with BagWriter(tmp_path, "four") as bag:
        made = OpenRecording(WHOLE.in_phase(0), 0, bag, {EPISODE: 1}, phases=["explore", "answer"])
        made.results = {1: 10, 2: 20, 3: 40, 4: 50}
        made.ended = 60
        yield made


@pytest.mark.parametrize(("stamp", "told"), [(30, []), (40, []), (15, RESET), (45, RESET), (55, RESET)])
def test_only_a_reset_where_a_restored_phase_begins_is_meant(
    recording: OpenRecording, stamp: int, told: list[str]
) -> None:
    assert recording.phase_began(WHOLE.in_phase(2), 2, MessageOrigin(1))
    recording.resets = [1, stamp]
    assert recording.interference() == told
    assert recording.phases[-1] == REENTER


def test_without_such_a_phase_it_is_a_disturbance(recording: OpenRecording) -> None:
    assert recording.phase_began(WHOLE.in_phase(3), 2, MessageOrigin(1))
    recording.resets = [1, 30]
    assert (recording.interference(), recording.first_looks(), recording.pending) == (RESET, [], {})


def test_the_first_look_after_it_is_judged_once_whichever_is_heard_first(recording: OpenRecording) -> None:
    recording.results = {1: 10, 2: 20}
    recording.resets = [1, 30]
    assert recording.first_looks() == []
    assert recording.phase_began(WHOLE.in_phase(2), 2, MessageOrigin(1))
    assert recording.first_looks() == [30]
    assert recording.pending == {30: WHOLE.start}
    recording.resets.append(33)  # repeated, because its picture got lost
    assert [recording.first_looks(), recording.first_looks()] == [[33], []]
    recording.results |= {3: 40}
    assert recording.interference() == []
