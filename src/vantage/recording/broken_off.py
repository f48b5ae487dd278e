"""What can still be read of a bag whose recording was not finished: its file has no index, and may end anywhere."""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from vantage.errors import RecordingError
from vantage.recording.bags import BAD_BAG
from vantage.recording.integrity import MAGIC, require_own_files
from vantage.recording.interfaces import typestore
from vantage.recording.topics import RECORDED, Topic, absolute

_CHANNEL, _MESSAGE, _CHUNK = 0x04, 0x05, 0x06
_HEAD = struct.Struct("<BQ")  # of a record: its kind, the bytes that follow
_MESSAGE_FIELDS = struct.Struct("<HIQQ")  # channel, sequence, log time, publish time
_CHUNK_FIELDS = struct.Struct("<QQQII")  # first and last time, size, CRC, length of the compression's name
_LARGEST = 1 << 30  # bytes of a record: what claims more is damaged


def read_broken_off(path: str | Path, topics: tuple[Topic, ...] | None = None) -> Iterator[tuple[Topic, int, Any]]:
    """As ``read_bag``, of a ``.partial`` folder or a damaged bag: all messages before the file breaks off.

    Records of MCAP (https://mcap.dev/spec) are read one after another, one in memory at a time; chunks must not be
    compressed, as in bags that are written here.

    Raises:
        RecordingError: there is no file, or it is no MCAP file.
    """
    require_own_files(Path(path))
    files = sorted(Path(path).rglob("*.mcap"))
    if not files:
        raise RecordingError(f"{path} holds no MCAP file; nothing of the episode was recorded")
    wanted = {absolute(topic.name): topic for topic in (RECORDED if topics is None else topics)}
    channels: dict[int, Topic] = {}
    try:
        with files[-1].open("rb") as file:
            if file.read(len(MAGIC)) != MAGIC:
                raise RecordingError(f"{files[-1]} is no MCAP file")
            for kind, body in _of_file(file):
                inner = _in(_in_chunk(body)) if kind == _CHUNK else iter([(kind, body)])
                yield from _messages(inner, wanted, channels)
    except (struct.error, UnicodeDecodeError, IndexError):
        return
    except OSError as error:
        raise RecordingError(f"{files[-1]} cannot be read: {error.strerror}") from error


def _messages(
    records: Iterator[tuple[int, memoryview]], wanted: dict[str, Topic], channels: dict[int, Topic]
) -> Iterator[tuple[Topic, int, Any]]:
    store = typestore()
    for kind, body in records:
        if kind == _CHANNEL:
            number, _, length = struct.unpack_from("<HHI", body)
            topic = wanted.get(bytes(body[8 : 8 + length]).decode())
            if topic is not None:
                channels[number] = topic
        elif kind == _MESSAGE:
            number, _, stamp, _ = _MESSAGE_FIELDS.unpack_from(body)
            if number in channels:
                topic = channels[number]
                try:
                    message = store.deserialize_cdr(bytes(body[_MESSAGE_FIELDS.size :]), topic.type)
                except BAD_BAG:
                    continue
                yield topic, int(stamp), message


def _of_file(file: BinaryIO) -> Iterator[tuple[int, memoryview]]:
    """Whole records, one in memory at a time; of what is cut at the end a chunk alone, for messages may be whole in it.

    Records of kinds that say nothing here are passed over, whatever their size.
    """
    length = os.fstat(file.fileno()).st_size
    while len(head := file.read(_HEAD.size)) == _HEAD.size:
        kind, size = _HEAD.unpack(head)
        if kind in (_CHANNEL, _MESSAGE, _CHUNK):
            body = file.read(min(size, _LARGEST))
            if len(body) == size or kind == _CHUNK:
                yield kind, memoryview(body)
            if len(body) < size:
                return
        elif size > length:
            return
        else:
            file.seek(size, os.SEEK_CUR)


def _in(data: memoryview) -> Iterator[tuple[int, memoryview]]:
    """Whole records of a chunk."""
    at = 0
    while at + _HEAD.size <= len(data):
        kind, size = _HEAD.unpack_from(data, at)
        end = at + _HEAD.size + size
        if end > len(data):
            return
        yield kind, data[at + _HEAD.size : end]
        at = end


def _in_chunk(body: memoryview) -> memoryview:
    if len(body) < _CHUNK_FIELDS.size:
        return body[:0]
    named = _CHUNK_FIELDS.unpack_from(body)[4]
    return body[_CHUNK_FIELDS.size + named + 8 :] if named == 0 else body[:0]
