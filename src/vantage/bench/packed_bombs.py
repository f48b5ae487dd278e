"""Small files that unpack to gigabytes, or promise them: clouds, houses, checkpoints and bags."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from rosbags.rosbag2 import StoragePlugin, Writer
from rosbags.rosbag2.enums import CompressionFormat, CompressionMode
from rosbags.rosbag2.storage_mcap import zstd  # type: ignore[attr-defined]
from rosbags.typesys import Stores, get_typestore

from vantage.recording import RECORDING_SUMMARY

_GIGABYTES = 2
_MEGABYTE = bytes(1 << 20)
_PROMISED = 10**12  # vertices
_FLOATS = ("x", "y", "z", "f_dc_0", "f_dc_1", "f_dc_2", "opacity", "scale_0", "scale_1", "scale_2")
_TURNS = ("rot_0", "rot_1", "rot_2", "rot_3")


def _zeros(gigabytes: int = _GIGABYTES) -> Iterator[bytes]:
    return (_MEGABYTE for _ in range(gigabytes << 10))


def _gzip(head: bytes) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, 16 + zlib.MAX_WBITS)
    pieces = [packer.compress(head), *map(packer.compress, _zeros()), packer.flush()]
    return b"".join(pieces)


def _zip(parts: Mapping[str, bytes | None]) -> bytes:
    """An archive; None stands for gigabytes of zeros."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, data in parts.items():
            with archive.open(name, "w", force_zip64=True) as part:
                for piece in _zeros() if data is None else (data,):
                    part.write(piece)
    return written.getvalue()


def _ply(count: int) -> bytes:
    lines = ["ply", "format binary_little_endian 1.0", f"element vertex {count}"]
    lines += [f"property float {name}" for name in (*_FLOATS, *_TURNS)]
    return ("\n".join([*lines, "end_header"]) + "\n").encode() + bytes(56 * 10)


def _spz(count: int) -> bytes:
    return _gzip(struct.pack("<4sIIBBBB", b"NGSP", 3, count, 3, 12, 0, 0))


def _sog() -> bytes:
    """One whose description unpacks to gigabytes."""
    return _zip({"meta.json": None})


def _lines_of_houses() -> bytes:
    packer = zlib.compressobj(1, zlib.DEFLATED, 16 + zlib.MAX_WBITS)
    lines = b"{}\n" * (1 << 18)
    return b"".join([*(packer.compress(lines) for _ in range(_GIGABYTES << 6)), packer.flush()])


def _shared_parts() -> bytes:
    """A checkpoint a thousand of whose parts lie at the same place."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("archive/data.pkl", b"\x80\x02}.")
        archive.writestr("archive/data/0", bytes(4 << 20))
        first = archive.infolist()[-1]
        for number in range(1, 1000):
            other = zipfile.ZipInfo(f"archive/data/{number}")
            other.header_offset, other.CRC = first.header_offset, first.CRC
            other.file_size, other.compress_size = first.file_size, first.compress_size
            archive.filelist.append(other)
    return written.getvalue()


PROMISED_PLY: Mapping[str, Callable[[], bytes]] = {
    "a trillion vertices": lambda: _ply(_PROMISED),
    "a billion vertices": lambda: _ply(10**9),
}
PACKED_SPZ: Mapping[str, Callable[[], bytes]] = {
    "gigabytes of zeros": lambda: _spz(10_000_000),
    "four billion Gaussians": lambda: _spz(2**32 - 1),
}
PACKED_SOG: Mapping[str, Callable[[], bytes]] = {"a description of gigabytes": _sog}
PACKED_HOUSES: Mapping[str, Callable[[], bytes]] = {
    "a line of gigabytes": lambda: _gzip(b"{}"),
    "millions of houses": _lines_of_houses,
}
PACKED_CHECKPOINTS: Mapping[str, Callable[[], bytes]] = {
    "a packed part of gigabytes": lambda: _zip({"archive/data.pkl": None, "archive/version": b"3"}),
    "a thousand parts at one place": _shared_parts,
}


def write_bag(folder: Path, packed: bool = False) -> Path:
    """A bag of one message of a topic that scores are read from; ``packed`` has its chunk unpack to gigabytes."""
    store = get_typestore(Stores.ROS2_JAZZY)
    writer: Any = Writer(folder, version=9, storage_plugin=StoragePlugin.MCAP)
    if packed:
        writer.set_compression(CompressionMode.STORAGE, CompressionFormat.ZSTD)
    with writer:
        kind = "std_msgs/msg/String"
        connection = writer.add_connection(f"/{RECORDING_SUMMARY.name.lstrip('/')}", kind, typestore=store)
        writer.write(connection, 1, store.serialize_cdr(store.types[kind]("nothing"), kind))
        if packed:
            packer: Any = zstd.ZstdCompressor()
            bomb = b"".join([*map(packer.compress, _zeros()), packer.flush()])
            writer.storage.compressor = lambda _: bomb
    return folder
