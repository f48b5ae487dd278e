"""The data of the Embodied Agent Interface, from the folder in which its two parts lie."""

from __future__ import annotations

import os
from pathlib import Path

from vantage.benchmarks.heal import behavior_data, virtualhome_data
from vantage.benchmarks.heal.base_tasks import TaskData
from vantage.errors import UsageError


def read_data(folder: str | Path) -> tuple[TaskData, ...]:
    """What lies in a folder, or in that which ``VANTAGE_DATA`` names where none is given: both parts or one.

    Raises:
        UsageError: none is named, or neither part lies there.
        FormatError: a file is missing or damaged.
    """
    named = str(folder) or os.environ.get("VANTAGE_DATA", "")
    if not named:
        raise UsageError(
            f"benchmark 'heal' is made of the data of the Embodied Agent Interface; name the folder that holds "
            f"{virtualhome_data.FOLDER} and {behavior_data.FOLDER} with --from, --data or VANTAGE_DATA"
        )
    root, found = Path(named), []
    if (root / virtualhome_data.FOLDER).is_dir():
        found.append(virtualhome_data.read_virtualhome(root / virtualhome_data.FOLDER))
    if (root / behavior_data.FOLDER).is_dir():
        found.append(behavior_data.read_behavior(root / behavior_data.FOLDER))
    if not found:
        raise UsageError(
            f"{root} holds neither {virtualhome_data.FOLDER} nor {behavior_data.FOLDER}; name the folder in which the "
            "data of the Embodied Agent Interface lie"
        )
    return tuple(found)
