"""Bags: one MCAP file per episode in a rosbag2 folder (version 9), complete or named ``.partial``.

A bag is written as ``<name>.partial/<name>/`` and moved to ``<name>/`` when it is complete, so a folder that carries
the final name always holds a whole recording.
"""

from __future__ import annotations

import shutil
import struct
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rosbags.interfaces import Connection, Qos, QosDurability, QosHistory, QosLiveliness, QosReliability, QosTime
from rosbags.rosbag2 import Reader, ReaderError, StoragePlugin, Writer, WriterError
from rosbags.serde import SerdeError
from rosbags.typesys import Stores, get_types_from_msg, get_typestore
from rosbags.typesys.store import Typestore

from vantage.benchmarks.episode_json import SAFE_NAME
from vantage.benchmarks.episodes_io import SET
from vantage.errors import RecordingError
from vantage.files import shared_folder
from vantage.runs.messages import Codec
from vantage.runs.topics import RECORDED, RECORDING_SUMMARY, Topic

SCHEMA_VERSION = 1
PARTIAL = ".partial"
_UNSET_TIME = QosTime(0, 0)
# What rosbags raises on files and payloads that were cut or overwritten.
_BAD_BAG = (
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


@lru_cache(maxsize=1)
def typestore() -> Typestore:
    """All standard types and Vantage's own, read from the interface definitions."""
    store = get_typestore(Stores.ROS2_JAZZY)
    types: dict[str, Any] = {}
    for path in sorted(shared_folder("msg").glob("*.msg")):
        types.update(get_types_from_msg(path.read_text(encoding="utf-8"), f"vantage_eqa/msg/{path.stem}"))
    store.register(types)
    return store


class RosbagsFactory:
    """Makes messages that need no ROS."""

    def make(self, type_name: str, fields: Mapping[str, Any]) -> Any:
        return typestore().types[type_name](**fields)

    def array(self, values: NDArray[Any]) -> NDArray[Any]:
        return values

    def byte(self, value: int) -> int:
        return value


def absolute(topic: str) -> str:
    """The topic's name at the root, as bags hold it."""
    return topic if topic.startswith("/") else f"/{topic}"


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

    Raises:
        RecordingError: the name is no file name, a complete bag of it exists, or the folder cannot be written.
    """

    def __init__(self, folder: str | Path, name: str) -> None:
        if not SAFE_NAME.fullmatch(name):
            raise RecordingError(f"'{name}' cannot name a bag; use letters, digits, '.', '_' and '-' only")
        self.path = Path(folder) / name
        self._partial = Path(folder) / f"{name}{PARTIAL}"
        if self.path.exists():
            raise RecordingError(f"{self.path} exists already; choose another output folder or remove it")
        self.counts: dict[str, int] = {}
        self._early: list[tuple[Topic, bytes]] = []
        self._connections: dict[str, Connection] = {}
        self._store = typestore()
        self._last_stamp = 0
        try:
            if self._partial.exists():
                shutil.rmtree(self._partial)
            self._partial.mkdir(parents=True)
            self._writer = Writer(self._partial / name, version=9, storage_plugin=StoragePlugin.MCAP)
            self._writer.open()
        except (OSError, WriterError) as error:
            raise RecordingError(f"cannot record to {self._partial}: {error}") from error

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
                connection = self._writer.add_connection(
                    name, topic.type, typestore=self._store, offered_qos_profiles=[offered_qos(topic)]
                )
                self._connections[name] = connection
            self._writer.write(connection, stamp, data)
        except (OSError, WriterError) as error:
            raise RecordingError(f"cannot write {name} to {self._partial}: {error}") from error
        self._last_stamp = max(self._last_stamp, stamp)

    def finish(self, episode_id: str, dropped: Mapping[str, int] | None = None) -> Path:
        """Append the recording's summary, close the file and give the bag its final name.

        Args:
            dropped: messages lost before they reached the recorder, by absolute topic name.
        """
        codec = Codec(RosbagsFactory())
        stamp = self._last_stamp
        self._write_early(stamp)
        summary = codec.recording_summary(stamp, SCHEMA_VERSION, episode_id, self.counts, dropped or {})
        self._put(RECORDING_SUMMARY, stamp, bytes(self._store.serialize_cdr(summary, RECORDING_SUMMARY.type)))
        try:
            self._writer.close()
            (self._partial / self.path.name).rename(self.path)
            self._partial.rmdir()
        except OSError as error:
            raise RecordingError(f"cannot complete {self.path}: {error}") from error
        return self.path

    def abandon(self) -> None:
        """Close the file and leave it under its partial name; harmless after ``finish``."""
        if self._writer.storage is not None:
            with suppress(RecordingError):
                self._write_early(self._last_stamp)
            self._writer.close()

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
        except _BAD_BAG as error:
            raise RecordingError(f"{path} holds a corrupt message on {topic.name}: {error}") from error
        yield topic, stamp, message


def read_bag_raw(path: str | Path, topics: tuple[Topic, ...] | None = None) -> Iterator[tuple[Topic, int, bytes]]:
    """As ``read_bag``, serialized (CDR).

    Raises:
        RecordingError: the bag is missing, truncated or not a bag.
    """
    wanted = {absolute(topic.name): topic for topic in (RECORDED if topics is None else topics)}
    _require_metadata(Path(path))
    try:
        with Reader(path) as reader:
            connections = [item for item in reader.connections if item.topic in wanted]
            if not connections:
                return
            for connection, stamp, data in reader.messages(connections=connections):
                yield wanted[connection.topic], stamp, bytes(data)
    except _BAD_BAG as error:
        raise RecordingError(f"{path} is not a readable bag: {error or type(error).__name__}") from error


def topics_in(path: str | Path) -> frozenset[Topic]:
    """What a bag holds messages of, by its metadata.

    Raises:
        RecordingError: the bag is missing, truncated or not a bag.
    """
    known = {absolute(topic.name): topic for topic in RECORDED}
    _require_metadata(Path(path))
    try:
        with Reader(path) as reader:
            return frozenset(known[item.topic] for item in reader.connections if item.topic in known and item.msgcount)
    except _BAD_BAG as error:
        raise RecordingError(f"{path} is not a readable bag: {error or type(error).__name__}") from error


def _require_metadata(path: Path) -> None:
    if path.is_dir() and not (path / "metadata.yaml").is_file():
        raise RecordingError(f"{path} has no metadata.yaml, so it is no whole bag; record its episode again")


def decode_pixels(message: Any) -> NDArray[np.uint8]:
    """(H, W, 3) uint8 RGB of a CompressedImage.

    Raises:
        RecordingError: the data is not an image.
    """
    import cv2  # here, because most readers of bags need no images

    pixels = cv2.imdecode(np.frombuffer(memoryview(message.data), np.uint8), cv2.IMREAD_COLOR)
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
    partial = sorted(item for item in root.iterdir() if item.is_dir() and item.name.endswith(PARTIAL))
    complete = sorted(item for item in root.iterdir() if (item / "metadata.yaml").is_file())
    if not complete and not partial and any(root.glob("*.mcap")):
        _require_metadata(root)
    if not complete and not partial and (root / SET).is_file():
        raise RecordingError(f"{root} is an episode set, not bags; run it with --out RUNS and give RUNS")
    if not complete and not partial:
        raise RecordingError(f"{root} holds no bag; run episodes with --out {root} first")
    return complete, partial
