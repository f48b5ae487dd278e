"""rosbags, but reading the quality of service of topics once for each text.

It has ruamel.yaml read that text anew for each topic of each bag: as much work as the messages of a short episode.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from rosbags.rosbag2 import Reader, storage_mcap

_LONGEST = 4096  # bytes of what is remembered
_read: Any = storage_mcap.get_qos


@lru_cache(maxsize=256)
def _remembered(metadata: bytes) -> tuple[Any, ...]:
    return tuple(_read(metadata))


def quality_of_service(metadata: bytes) -> list[Any]:
    """What the metadata of a channel say.

    Raises:
        ReaderError: they say nothing that can be read.
    """
    return list(_remembered(metadata)) if len(metadata) <= _LONGEST else list(_read(metadata))


class BagReader(Reader):
    """A reader of bags, opened as its base class is."""

    def open(self) -> None:
        storage_mcap.get_qos = quality_of_service
        super().open()
