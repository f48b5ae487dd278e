"""Checksums of bags: whether their bytes are still those that were recorded.

An MCAP file has a CRC-32 of each chunk, of its data section and of its summary with the footer; together they cover
every byte (https://mcap.dev/spec, records Chunk, Data End, Footer). rosbags leaves them out, so they are put into the
finished file. The file also holds a copy of ``metadata.yaml``, by which that one is checked.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple
from zlib import crc32

from vantage.errors import RecordingError
from vantage.file_references import why_link_out

MAGIC = b"\x89MCAP0\r\n"
_CHUNK, _METADATA, _DATA_END, _FOOTER = 0x06, 0x0C, 0x0F, 0x02
_HEAD = struct.Struct("<BQ")  # of a record: its kind, the bytes that follow
_TIMES_AND_SIZE = struct.Struct("<QQQ")  # at the beginning of a chunk
_CRC = struct.Struct("<I")  # also the length of a string
_FOOTER_FIELDS = struct.Struct("<QQI")  # where the summary begins, where its offsets begin, CRC
_FOOTER_SIZE = _HEAD.size + _FOOTER_FIELDS.size
_DATA_END_RECORD = struct.Struct("<BQI")
_DATA_END_SIZE = _DATA_END_RECORD.size
_BLOCK = 1 << 20  # bytes read at once


class _Layout(NamedTuple):
    """Where the parts of a file are, in bytes from its beginning, and its checksums (0: none)."""

    data_end: int
    summary: int
    footer: int
    data_crc: int
    summary_crc: int


class _Record(NamedTuple):
    kind: int
    start: int  # of its content, bytes from the beginning of the file
    size: int


def write_checksums(path: Path) -> None:
    """Put the checksums into a finished MCAP file whose chunks are not compressed.

    Raises:
        RecordingError: it is no finished MCAP file.
        OSError: it cannot be read or written.
    """
    with path.open("r+b") as file:
        layout = _layout(file, path)
        for record in _records(file, path, len(MAGIC), layout.data_end):
            if record.kind == _CHUNK:
                _sum_chunk(file, record)
        _put(file, layout.data_end + _HEAD.size, _crc_of(file, 0, layout.data_end))
        _put(file, layout.footer + _FOOTER_SIZE - _CRC.size, _crc_of(file, layout.summary, _summary_end(layout)))


def require_own_files(folder: Path) -> None:
    """
    Raises:
        RecordingError: a link in a bag leads out of it, or something in it is no file.
    """
    if not folder.is_dir():
        return
    if out := why_link_out(folder):
        raise RecordingError(out)
    for item in folder.iterdir():
        if not item.is_file() and not item.is_dir():
            raise RecordingError(f"{item} is no file that a bag has; remove it, or move the bag away")


def verify_bag(folder: Path) -> bool:
    """Whether a bag has checksums, all of which are right; false for one without.

    Raises:
        RecordingError: a checksum is wrong, so its bytes were changed after it was recorded; or what lies there are not
            its own files.
    """
    require_own_files(folder)
    files = sorted(folder.glob("*.mcap"))
    try:
        summed = [_verify(path) for path in files]
        if not all(summed) or len(files) != 1:
            return False
        return _verify_metadata(folder / "metadata.yaml", files[0])
    except OSError as error:
        raise RecordingError(f"{folder} cannot be read: {error.strerror or error}") from error


def _verify(path: Path) -> bool:
    with path.open("rb") as file:
        layout = _layout(file, path)
        if layout.summary_crc and layout.summary_crc != _crc_of(file, layout.summary, _summary_end(layout)):
            raise _damaged(path)
        if layout.data_crc and layout.data_crc != _crc_of(file, 0, layout.data_end):
            raise _damaged(path)
    return bool(layout.data_crc and layout.summary_crc)


def _verify_metadata(path: Path, recording: Path) -> bool:
    """Compare what people and tools read first with its copy in the recording, whatever the indentation."""
    with recording.open("rb") as file:
        layout = _layout(file, recording)
        copies = [
            strings[2]
            for record in _records(file, recording, len(MAGIC), layout.data_end)
            if record.kind == _METADATA and len(strings := _strings(file, record)) == 3 and strings[0] == b"rosbag2"
        ]
    if not copies:
        return False
    if path.read_bytes().split() != [b"rosbag2_bagfile_information:", *copies[-1].split()]:
        raise _damaged(path)
    return True


def _layout(file: BinaryIO, path: Path) -> _Layout:
    size = file.seek(0, 2)
    footer = size - len(MAGIC) - _FOOTER_SIZE
    if footer < len(MAGIC) + _DATA_END_SIZE:
        raise _damaged(path)
    tail = _read(file, footer, _FOOTER_SIZE + len(MAGIC))
    if _HEAD.unpack_from(tail) != (_FOOTER, _FOOTER_FIELDS.size) or not tail.endswith(MAGIC):
        raise _damaged(path)
    summary, _, summary_crc = _FOOTER_FIELDS.unpack_from(tail, _HEAD.size)
    summary = summary or footer
    data_end = summary - _DATA_END_SIZE
    if len(MAGIC) <= data_end <= footer - _DATA_END_SIZE:
        *found, data_crc = _DATA_END_RECORD.unpack(_read(file, data_end, _DATA_END_SIZE))
        if found == [_DATA_END, _CRC.size]:
            return _Layout(data_end, summary, footer, data_crc, summary_crc)
    if summary_crc:
        raise _damaged(path)
    return _Layout(data_end, summary, footer, 0, 0)  # readers without checksums decide


def _summary_end(layout: _Layout) -> int:
    """The summary's checksum goes on over the footer, up to itself."""
    return layout.footer + _FOOTER_SIZE - _CRC.size


def _records(file: BinaryIO, path: Path, start: int, end: int) -> Iterator[_Record]:
    while start < end:
        kind, size = _HEAD.unpack(_read(file, start, _HEAD.size))
        start += _HEAD.size
        if start + size > end:
            raise _damaged(path)
        yield _Record(kind, start, size)
        start += size


def _sum_chunk(file: BinaryIO, chunk: _Record) -> None:
    at = chunk.start + _TIMES_AND_SIZE.size
    compression = at + _CRC.size
    (named,) = _CRC.unpack(_read(file, compression, _CRC.size))
    if named == 0:  # not compressed: the bytes in the file are those that the checksum is of
        begin = compression + _CRC.size + 8
        _put(file, at, _crc_of(file, begin, chunk.start + chunk.size))


def _strings(file: BinaryIO, record: _Record) -> list[bytes]:
    """The name of a Metadata record, then its keys and values."""
    data = _read(file, record.start, record.size)
    found: list[bytes] = []
    at = 0
    while at + _CRC.size <= len(data):
        (size,) = _CRC.unpack_from(data, at)
        at += _CRC.size
        found.append(data[at : at + size])
        at += size + (_CRC.size if len(found) == 1 else 0)  # over the length of the map
    return found


def _crc_of(file: BinaryIO, start: int, end: int) -> int:
    file.seek(start)
    value, left = 0, end - start
    while left > 0:
        block = file.read(min(_BLOCK, left))
        if not block:
            break
        value, left = crc32(block, value), left - len(block)
    return value


def _read(file: BinaryIO, start: int, size: int) -> bytes:
    file.seek(start)
    return file.read(size)


def _put(file: BinaryIO, at: int, value: int) -> None:
    file.seek(at)
    file.write(_CRC.pack(value))


def _damaged(path: Path) -> RecordingError:
    return RecordingError(
        f"{path} is damaged: its bytes are not those that were recorded; restore it from a copy or record its "
        "episode again"
    )
