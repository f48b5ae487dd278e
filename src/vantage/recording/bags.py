"""Bags: one MCAP file per episode in a rosbag2 folder (version 9), complete or named ``.partial``.

A bag grows in ``<name>.partial/`` and is moved to ``<name>/`` when it is complete and has its checksums, so a folder
that carries the final name always holds a whole recording. Its metadata says with which setup it was recorded.

Messages whose types had other fields when they were recorded are read as those of today's types (``older_messages``).
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np
import yaml
from numpy.typing import NDArray
from rosbags.interfaces import (
    Connection,
    Qos,
    QosDurability,
    QosHistory,
    QosLiveliness,
    QosReliability,
    QosTime,
)
from rosbags.rosbag2 import ReaderError, WriterError
from rosbags.serde import SerdeError

from vantage.bounded_json import bounded_json
from vantage.bounded_yaml import MOST_BYTES
from vantage.decoding import parse_yaml
from vantage.errors import FormatError, RecordingError
from vantage.files import EPISODE_SET, SAFE_NAME, cannot_write, read_text
from vantage.pictures import decode_picture
from vantage.recording.bag_file import BagFile
from vantage.recording.folder_lock import claimed_setup
from vantage.recording.integrity import require_own_files, write_checksums
from vantage.recording.interfaces import RosbagsFactory, definition_of, typestore
from vantage.recording.older_messages import renewal
from vantage.recording.partial_bags import PARTIAL, PartialBag
from vantage.recording.quick_reading import BagReader
from vantage.recording.to_messages import Codec
from vantage.recording.topics import RECORDED, RECORDING_SUMMARY, Topic, absolute

SCHEMA_VERSION = 1
_SETUP = "vantage_setup"  # key of the metadata's custom data
_UNSET_TIME = QosTime(0, 0)
# What rosbags raises on files and payloads that were cut or overwritten.
BAD_BAG = (
    ReaderError,
    SerdeError,
    OSError,
    EOFError,
    ValueError,
    LookupError,
    AssertionError,
    MemoryError,
    OverflowError,
    struct.error,
)


def offered_qos(topic: Topic) -> Qos:
    """The quality of service under which a topic is offered."""
    return Qos(
        QosHistory.KEEP_LAST,
        topic.depth,
        QosReliability.RELIABLE,
        QosDurability.TRANSIENT_LOCAL if topic.latched else QosDurability.VOLATILE,
        _UNSET_TIME,
        _UNSET_TIME,
        QosLiveliness.AUTOMATIC,
        _UNSET_TIME,
        False,
    )


class BagWriter:
    """Writes one episode. ``finish`` makes it complete; leaving it otherwise keeps what was written as ``.partial``.

    Args:
        folder: where the bag folder goes; created when missing.
        name: of the bag, usually the episode id.
        setup: what the bag says of how it was recorded, by name, as JSON can hold it; where it is None, what this
            process claimed the folder with.

    Raises:
        RecordingError: the name is no file name, a complete bag of it exists, or the folder cannot be written.
    """

    def __init__(self, folder: str | Path, name: str, setup: Mapping[str, Any] | None = None) -> None:
        if not SAFE_NAME.fullmatch(name):
            raise RecordingError(f"'{name}' cannot name a bag; use letters, digits, '.', '_' and '-' only")
        self.path = Path(folder) / name
        if self.path.exists():
            raise RecordingError(f"{self.path} exists already; choose another output folder or remove it")
        self.counts: dict[str, int] = {}
        self._early: list[tuple[Topic, bytes]] = []
        self._connections: dict[str, Connection] = {}
        self._store = typestore()
        self._last_stamp = 0
        self._size = 0  # bytes of all messages
        self._failure: RecordingError | None = None
        try:
            self._partial = PartialBag(Path(folder), name)
            self._writer = BagFile(self._partial.path)
            self._writer.open()
        except (OSError, WriterError) as error:
            raise self._failed(error, "record to") from error
        setup = claimed_setup(Path(folder)) if setup is None else setup
        if setup is not None:
            self._writer.set_custom_data(_SETUP, json.dumps(setup, sort_keys=True, separators=(",", ":")))

    def write(self, topic: Topic, stamp: int, message: Any) -> None:
        """Write a rosbags message; ``stamp`` is the log time in ns."""
        self.write_raw(topic, stamp, bytes(self._store.serialize_cdr(message, topic.type)))

    def write_raw(self, topic: Topic, stamp: int, data: bytes) -> None:
        """Write a serialized (CDR) message.

        What comes at time 0, before anybody has seen the world's clock, is logged just before the first message that
        tells the time; else a bag of a world on system time would last from 1970 till now.

        Raises:
            RecordingError: the disk is full or the bag was closed.
        """
        name = absolute(topic.name)
        self.counts[name] = self.counts.get(name, 0) + 1
        if stamp == 0 and self._last_stamp == 0:
            self._early.append((topic, data))
            return
        self._write_early(max(0, stamp - 1))
        self._put(topic, stamp, data)

    def _write_early(self, stamp: int) -> None:
        early, self._early = self._early, []
        for topic, data in early:
            self._put(topic, stamp, data)

    def _put(self, topic: Topic, stamp: int, data: bytes) -> None:
        name = absolute(topic.name)
        try:
            connection = self._connections.get(name)
            if connection is None:
                definition, digest = definition_of(topic.type)
                connection = self._writer.connect(name, topic.type, definition, digest, offered_qos(topic))
                self._connections[name] = connection
            self._size += len(data)
            self._writer.write(connection, stamp, data)
        except (OSError, WriterError) as error:
            raise self._failed(error, f"write {name} to") from error
        self._last_stamp = max(self._last_stamp, stamp)

    def finish(
        self,
        episode_id: str,
        dropped: Mapping[str, int] | None = None,
        interference: Iterable[str] = (),
        unreadable: int = 0,
    ) -> Path:
        """Append the recording's summary, close the file and give the bag its final name.

        Args:
            dropped: messages lost before they reached the recorder, by absolute topic name.
            interference: how the episode was disturbed, in words; with any, it is never scored.
            unreadable: messages that were left out because they could not be read.
        """
        if self._failure is not None:  # messages are missing
            raise self._failure
        codec = Codec(RosbagsFactory())
        stamp = self._last_stamp
        self._write_early(stamp)
        summary = codec.recording_summary(
            stamp, SCHEMA_VERSION, episode_id, self.counts, dropped or {}, interference, unreadable
        )
        self._put(RECORDING_SUMMARY, stamp, bytes(self._store.serialize_cdr(summary, RECORDING_SUMMARY.type)))
        try:
            self._writer.close()
            write_checksums(self._partial.path / f"{self.path.name}.mcap")
            self._partial.publish(self.path)
        except OSError as error:
            raise self._failed(error, "complete") from error
        return self.path

    def abandon(self) -> None:
        """Close the file and leave it under its partial name; harmless after ``finish``."""
        if self._failure is not None:
            with suppress(OSError):
                self._writer.abort()
        elif self._writer.storage is not None:
            with suppress(RecordingError, OSError):
                self._write_early(self._last_stamp)
                self._writer.close()
            with suppress(OSError):
                self._writer.abort()
        self._partial.leave()

    def _failed(self, error: Exception, doing: str) -> RecordingError:
        """What to raise, now and when more is written."""
        if isinstance(error, OSError):
            sentence = cannot_write(self.path, error, "choose another output folder", self._size)
        else:
            sentence = f"cannot {doing} {self.path}: {error}"
        self._failure = RecordingError(sentence)
        return self._failure

    def __enter__(self) -> BagWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.abandon()


def read_bag(path: str | Path, topics: tuple[Topic, ...] | None = None) -> Iterator[tuple[Topic, int, Any]]:
    """Messages of a bag in order of log time as (topic, log time in ns, rosbags message).

    Args:
        path: of a bag folder.
        topics: only these; None for all that Vantage records.

    Raises:
        RecordingError: the bag is missing, truncated or not a bag.
    """
    store = typestore()
    for topic, stamp, data in read_bag_raw(path, topics):
        try:
            message = store.deserialize_cdr(data, topic.type)
        except BAD_BAG as error:
            raise RecordingError(f"{path} holds a corrupt message on {topic.name}: {error}") from error
        yield topic, stamp, message


def read_bag_raw(path: str | Path, topics: tuple[Topic, ...] | None = None) -> Iterator[tuple[Topic, int, bytes]]:
    """As ``read_bag``, serialized (CDR); messages of older types as those of today's.

    Raises:
        RecordingError: the bag is missing, truncated or not a bag.
    """
    wanted = {absolute(topic.name): topic for topic in (RECORDED if topics is None else topics)}
    _require_metadata(Path(path))
    try:
        with BagReader(path) as reader:
            connections = [item for item in reader.connections if item.topic in wanted]
            if not connections:
                return
            renewals = {item.id: renewal(item, typestore()) for item in connections}
            for connection, stamp, data in reader.messages(connections=connections):
                renewed = renewals[connection.id]
                yield wanted[connection.topic], stamp, bytes(data) if renewed is None else renewed(bytes(data))
    except BAD_BAG as error:
        raise RecordingError(f"{path} is not a readable bag: {error or type(error).__name__}") from error


def topics_in(path: str | Path) -> frozenset[Topic]:
    """What a bag holds messages of, by its metadata.

    Raises:
        RecordingError: the bag is missing, truncated or not a bag.
    """
    known = {absolute(topic.name): topic for topic in RECORDED}
    _require_metadata(Path(path))
    try:
        with BagReader(path) as reader:
            return frozenset(known[item.topic] for item in reader.connections if item.topic in known and item.msgcount)
    except BAD_BAG as error:
        raise RecordingError(f"{path} is not a readable bag: {error or type(error).__name__}") from error


def recorded_setup(path: Path) -> dict[str, Any] | None:
    """What a bag says of how it was recorded, by name; None where it says nothing, as older ones.

    Raises:
        RecordingError: its metadata cannot be read.
    """
    _require_metadata(path)
    try:
        found = parse_yaml(read_text(path / "metadata.yaml", MOST_BYTES))
        data = found["rosbag2_bagfile_information"].get("custom_data") or {}
        setup = bounded_json(data[_SETUP]) if _SETUP in data else None
    except (OSError, ValueError, LookupError, TypeError, AttributeError, yaml.YAMLError, FormatError) as error:
        raise RecordingError(f"{path} has a damaged metadata.yaml; restore it, or move the bag away") from error
    if setup is not None and not isinstance(setup, dict):
        raise RecordingError(f"{path} has a damaged metadata.yaml; restore it, or move the bag away")
    return setup


def _require_metadata(path: Path) -> None:
    """
    Raises:
        RecordingError: a folder is no whole bag, or a link in it leads out of it.
    """
    require_own_files(path)
    if path.is_dir() and not (path / "metadata.yaml").is_file():
        raise RecordingError(f"{path} has no metadata.yaml, so it is no whole bag; record its episode again")


def decode_pixels(message: Any) -> NDArray[np.uint8]:
    """(H, W, 3) uint8 RGB of a CompressedImage.

    Raises:
        RecordingError: the data is not an image.
    """
    import cv2  # here, because most readers of bags need no images

    pixels = decode_picture(memoryview(message.data))
    if pixels is None:
        raise RecordingError("a compressed image cannot be decoded; the bag is corrupt")
    return np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2RGB), np.uint8)


def find_bags(folder: str | Path) -> tuple[list[Path], list[Path]]:
    """Complete bags and partial ones directly in a folder, sorted; a bag folder itself counts as one.

    Raises:
        RecordingError: the folder does not exist or holds neither.
    """
    root = Path(folder)
    if root.is_file():
        raise RecordingError(f"{root} is a file; give the folder of the bag, {root.parent}")
    if not root.is_dir():
        raise RecordingError(f"there is no folder {root}; give a bag or a folder of bags")
    if (root / "metadata.yaml").is_file():
        return [root], []
    if root.name.endswith(PARTIAL):
        return [], [root]
    items = sorted(root.iterdir(), key=lambda item: item.name)
    partial = [item for item in items if item.name.endswith(PARTIAL) and item.is_dir()]
    complete = [item for item in items if (item / "metadata.yaml").is_file()]
    if not complete and not partial and any(root.glob("*.mcap")):
        _require_metadata(root)
    if not complete and not partial and (root / EPISODE_SET).is_file():
        raise RecordingError(f"{root} is an episode set, not bags; run it with --out RUNS and give RUNS")
    if not complete and not partial:
        raise RecordingError(f"{root} holds no bag; run episodes with --out {root} first")
    return complete, partial
