"""rosbags, but reading the quality of service of topics once for each text, and files of strangers within bounds.

It has ruamel.yaml read that text anew for each topic of each bag: as much work as the messages of a short episode. And
it unpacks chunks, messages and files to whatever size they have.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, BinaryIO

import yaml
from lz4.frame import LZ4FrameDecompressor  # type: ignore[import-untyped]
from rosbags.rosbag2 import Reader, ReaderError, metadata, reader, storage_mcap
from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from vantage.bounded_yaml import check_yaml

MOST_CHUNK = 256 << 20  # bytes of a chunk or message that is unpacked
_MOST_TIMES = 200  # the size of a packed file that it may have unpacked; depth and pictures do not come near
_LONGEST = 4096  # bytes of what is remembered
_read: Any = storage_mcap.get_qos
_zstd: Any = storage_mcap.zstd  # type: ignore[attr-defined]


@lru_cache(maxsize=256)
def _remembered(metadata: bytes) -> tuple[Any, ...]:
    return tuple(_read(metadata))


def quality_of_service(metadata: bytes) -> list[Any]:
    """What the metadata of a channel say.

    Raises:
        ReaderError: they say nothing that can be read.
    """
    return list(_remembered(metadata)) if len(metadata) <= _LONGEST else list(_read(metadata))


class _BoundedYaml(YAML):
    """ruamel's reader for texts that were counted before."""

    def load(self, stream: Any) -> Any:
        """
        Raises:
            YAMLError: the text is not YAML, or beyond the bounds of ``bounded_yaml``.
        """
        try:
            check_yaml(stream)
        except yaml.YAMLError as error:
            raise YAMLError(" ".join(str(error).split())) from error
        return super().load(stream)


def _unpacked(make: Callable[[], Any]) -> Callable[[bytes, int], bytes]:
    """How a chunk of an announced size is unpacked by a new unpacker; never to more."""

    def unpack(data: bytes, size: int) -> bytes:
        if size > MOST_CHUNK:
            raise ReaderError(f"a chunk announces {size} bytes, at most {MOST_CHUNK} are unpacked")
        unpacker, pieces, left, given = make(), [], size + 1, data
        while left > 0 and not unpacker.eof:
            pieces.append(unpacker.decompress(given, left))
            left, given = left - len(pieces[-1]), b""
            if not pieces[-1] and unpacker.needs_input:
                break
        return b"".join(pieces)

    return unpack


_unpacked_zstd = _unpacked(_zstd.ZstdDecompressor)
_UNPACKERS: Mapping[str, Callable[[bytes, int], bytes]] = {
    "": lambda data, _: data,
    "lz4": _unpacked(LZ4FrameDecompressor),
    "zstd": _unpacked_zstd,
}


class _BoundedZstd:
    """What rosbags needs of its module to unpack single messages and whole files."""

    @staticmethod
    def decompress(data: bytes) -> bytes:
        found = _unpacked_zstd(data, MOST_CHUNK)
        if len(found) > MOST_CHUNK:
            raise ReaderError(f"a message unpacks to more than {MOST_CHUNK} bytes")
        return found

    @staticmethod
    @contextmanager
    def open(file: BinaryIO, mode: str) -> Iterator[_BoundedFile]:
        most = MOST_CHUNK + _MOST_TIMES * os.fstat(file.fileno()).st_size
        with _zstd.open(file, mode) as unpacked:
            yield _BoundedFile(unpacked, most)


class _BoundedFile:
    """Reads at most so many bytes of another file."""

    def __init__(self, file: Any, most: int) -> None:
        self._file, self._left = file, most

    def read(self, size: int) -> bytes:
        data: bytes = self._file.read(size)
        self._left -= len(data)
        if self._left < 0:
            raise ReaderError(f"a file unpacks to more than {_MOST_TIMES} times its size")
        return data


class BagReader(Reader):
    """A reader of bags, opened as its base class is."""

    def open(self) -> None:
        """
        Raises:
            ReaderError: it is no bag, or beyond a bound.
        """
        storage_mcap.get_qos = quality_of_service
        storage_mcap.DECOMPRESSORS = dict(_UNPACKERS)
        modules: tuple[Any, Any] = (metadata, reader)
        for module in modules:
            module.YAML = _BoundedYaml
        modules[1].zstd = _BoundedZstd
        super().open()
