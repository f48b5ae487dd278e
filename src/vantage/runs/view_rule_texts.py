"""What a picture must show for an answer to count, as the benchmark of an episode set judges it."""

from __future__ import annotations

from pathlib import Path

from vantage.benchmarks import benchmark_of
from vantage.benchmarks.sets import read_info
from vantage.config import Settings
from vantage.files import EPISODE_SET


def view_rule_text_of(episodes: str | Path, settings: Settings) -> str:
    """In words, for ``Need.VIEW_RULE``; empty where no single picture decides.

    Args:
        episodes: folder of an episode set, whose gold data are not read.
        settings: group ``camera`` is used.

    Raises:
        FormatError: the set cannot be read, or its thresholds are none.
    """
    info = read_info(Path(episodes) / EPISODE_SET)
    return benchmark_of(info.benchmark).view_rule_text(info, settings.camera)
