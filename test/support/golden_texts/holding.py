"""Where the nets are kept, and how they are written and compared."""

from __future__ import annotations

import lzma
from collections.abc import Mapping
from pathlib import Path

from golden_texts.comparing import text_differences
from vantage.files import write_whole

GOLDEN = Path(__file__).resolve().parents[2] / "nets" / "golden"
_MOST_TOLD = 40  # differences of one file


def keep(net: str, texts: Mapping[str, str]) -> None:
    """Write the files of a net, and remove those that it has no more. Names that end in ``.xz`` are compressed."""
    folder = GOLDEN / net
    folder.mkdir(parents=True, exist_ok=True)
    for item in folder.iterdir():
        if item.is_file() and item.name not in texts:
            item.unlink()
    for name, text in texts.items():
        data = text.encode()
        write_whole(folder / name, lzma.compress(data) if name.endswith(".xz") else data)


def held(net: str) -> dict[str, str]:
    """The files of a net by their names."""
    found = {}
    for item in sorted((GOLDEN / net).glob("*")):
        data = item.read_bytes()
        found[item.name] = (lzma.decompress(data) if item.name.endswith(".xz") else data).decode()
    return found


def differences(net: str, texts: Mapping[str, str], tolerance: float = 1e-9) -> list[str]:
    """What differs from the held files of a net, one sentence each: which file, which key or line, and both values."""
    before = held(net)
    found = [f"{name}: is held and not made any more" for name in before if name not in texts]
    found += [f"{name}: is made and not held" for name in texts if name not in before]
    for name in before:
        if name in texts:
            told = list(text_differences(name.removesuffix(".xz"), before[name], texts[name], tolerance))
            left = len(told) - _MOST_TOLD
            found += [*told[:_MOST_TOLD], *([f"{name}: {left} more differences"] if left > 0 else [])]
    return found


def check(net: str, texts: Mapping[str, str], tolerance: float = 1e-9) -> None:
    """
    Raises:
        AssertionError: the texts differ from those held; names each difference.
    """
    found = differences(net, texts, tolerance)
    assert not found, "\n".join(
        [f"{len(found)} differences from test/nets/golden/{net} (docs/developing.md, The nets):", *found]
    )
