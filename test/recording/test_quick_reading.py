"""The quality of service of a topic is read once for each text, and what is long or broken as before."""

from __future__ import annotations

import pytest
from rosbags.rosbag2 import ReaderError

from vantage.recording.quick_reading import quality_of_service


def told(text: str) -> bytes:
    """Metadata of a channel in an MCAP file."""
    parts = ("offered_qos_profiles", text)
    return b"".join(len(part).to_bytes(4, "little") + part.encode() for part in parts)


USUAL = told(
    "- history: 1\n  depth: 5\n  reliability: 1\n  durability: 2\n  deadline: {sec: 0, nsec: 0}\n"
    "  lifespan: {sec: 0, nsec: 0}\n  liveliness: 1\n  liveliness_lease_duration: {sec: 0, nsec: 0}\n"
    "  avoid_ros_namespace_conventions: false\n"
)


def test_the_same_text_tells_the_same_each_time() -> None:
    first, again = quality_of_service(USUAL), quality_of_service(USUAL)
    assert first == again
    assert first is not again, "whoever changes the list changes nobody else's"
    assert first[0].depth == 5
    assert quality_of_service(b"") == []


def test_what_is_long_or_broken_is_read_as_before() -> None:
    assert quality_of_service(USUAL + b"\0" * 5000)[0].depth == 5
    for _ in range(2):
        with pytest.raises(ReaderError, match="Could not load YAML"):
            quality_of_service(told("{"))
