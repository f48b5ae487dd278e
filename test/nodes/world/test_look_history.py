"""What a world keeps of its looks for a recorder that missed them."""

from __future__ import annotations

from types import SimpleNamespace

from vantage.nodes.world.look_history import LookHistory
from vantage.recording import COMMAND_RESULT, DEPTH, EPISODE, TF


def picture(size: int) -> SimpleNamespace:
    return SimpleNamespace(data=bytes(size))


def test_the_first_look_at_or_after_a_stamp_is_found_with_all_its_messages() -> None:
    history = LookHistory()
    assert history.first_since(0) is None
    history.note(TF, 10, "tf")
    history.note(EPISODE, 10, "is not kept")
    history.note(TF, 20, "tf")
    history.note(COMMAND_RESULT, 20, "first")
    history.note(COMMAND_RESULT, 20, "refused, shown by the same look")
    assert history.first_since(10) == (10, [(TF, "tf")])
    found = history.first_since(11)
    assert found is not None
    assert found[0] == 20
    assert [message for _, message in found[1]] == ["tf", "first", "refused, shown by the same look"]
    assert history.first_since(21) is None
    history.begin()
    assert history.first_since(0) is None


def test_memory_is_bounded_and_the_newest_looks_are_kept() -> None:
    history = LookHistory(limit=10_000)
    for stamp in range(10, 60, 10):
        history.note(TF, stamp, "tf")
        history.note(DEPTH, stamp, picture(2000))
    found = history.first_since(0)
    assert found is not None
    assert found[0] == 40, "two looks of 4000 bytes are kept"
    history.note(DEPTH, 60, picture(50_000))
    assert history.first_since(0) == (60, [(DEPTH, picture(50_000))])
