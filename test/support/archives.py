"""Archives that come with the tests, unpacked under every Python: first patches of 3.10 and 3.11 have no filters."""

from __future__ import annotations

import tarfile
from pathlib import Path
from typing import Any


def unpack(path: Path, folder: Path) -> None:
    filtered: dict[str, Any] = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
    with tarfile.open(path) as archive:
        archive.extractall(folder, **filtered)
