"""What was lifted, by where the hand and the things were."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from vantage.errors import RecordingError
from vantage.recording import Codec, RosbagsFactory
from vantage.recording.bags import BagWriter
from vantage.recording.from_messages import read_gathered
from vantage.recording.gathered_evidence import PlaceEvidence, lifted_things, read_evidence
from vantage.recording.topics import TRUTH_EVIDENCE
from vantage.types import Gathered, Poses

CODEC = Codec(RosbagsFactory())
NEWS = Gathered((3, 5), (9,), 2.5, 20, 4, 31.25)


def at(x: float, y: float, z: float) -> np.ndarray:
    pose = np.eye(4)
    pose[:3, 3] = x, y, z
    return pose


def hand(holds: bool, z: float) -> tuple[bool, tuple[float, float, float]]:
    return holds, (1.0, 1.0, z)


def test_what_rises_with_the_hand_is_lifted() -> None:
    hands = {1: hand(False, 0.8), 2: hand(True, 0.8), 3: hand(True, 0.85), 4: hand(True, 0.9), 5: hand(False, 0.9)}
    poses = {3: Poses({7: at(1.0, 1.0, 0.82), 8: at(1.3, 1.0, 0.8)}), 4: Poses({7: at(1.0, 1.0, 0.87)})}
    assert lifted_things(hands, poses) == {7: 3}


def test_what_is_pushed_dragged_or_far_from_the_hand_is_not_lifted() -> None:
    held = {2: hand(True, 0.8), 3: hand(True, 0.8)}
    assert lifted_things(held, {3: Poses({7: at(1.0, 1.1, 0.8)})}) == {}
    rising = {2: hand(True, 0.8), 3: hand(True, 0.9)}
    assert lifted_things(rising, {3: Poses({7: at(3.0, 1.0, 0.8)})}) == {}
    assert lifted_things(rising, {}) == {}
    free = {2: hand(False, 0.8), 3: hand(False, 0.9)}
    assert lifted_things(free, {3: Poses({7: at(1.0, 1.0, 0.9)})}) == {}


def test_a_thing_that_slips_before_the_hand_rises_is_lifted_by_the_firmer_grasp() -> None:
    hands = {1: hand(True, 0.8), 2: hand(False, 0.85), 3: hand(True, 0.8), 4: hand(True, 0.85)}
    poses = {2: Poses({7: at(1.0, 1.0, 0.8)}), 4: Poses({7: at(1.0, 1.0, 0.84)})}
    assert lifted_things(hands, poses) == {7: 4}


def test_evidence_is_told_until_a_look() -> None:
    found = PlaceEvidence({10: Gathered((1,), (), 1.0), 20: Gathered((2,), (4,), 2.0)}, {2: 20})
    assert (found.seen_until(15), found.seen_until(20)) == ({1}, {1, 2})
    assert (found.opened_until(15), found.lifted_until(19), found.lifted_until(20)) == (set(), set(), {2})
    assert found.last_until(5) is None
    assert found.last_until(99) == found.looks[20]


def test_a_bag_keeps_it(tmp_path: Path) -> None:
    with BagWriter(tmp_path, "e1") as bag:
        bag.write(TRUTH_EVIDENCE, 5, CODEC.gathered(5, "e1", NEWS))
        path = bag.finish("e1")
    assert read_evidence(path) == PlaceEvidence({5: NEWS}, {})


def test_an_area_that_is_none_is_refused(tmp_path: Path) -> None:
    message = CODEC.gathered(5, "e1", Gathered(floor_seen=math.nan))
    with pytest.raises(ValueError, match="not finite"):
        read_gathered(message)
    with BagWriter(tmp_path, "e1") as bag:
        bag.write(TRUTH_EVIDENCE, 5, message)
        path = bag.finish("e1")
    with pytest.raises(RecordingError, match="truth/evidence"):
        read_evidence(path)
