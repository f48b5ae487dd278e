"""The golden bags score, print and report as they did, key by key, and every message in them is read as it was."""

from __future__ import annotations

from pathlib import Path

import pytest
from golden_texts import bag_scores
from golden_texts.holding import check


@pytest.mark.parametrize("group", bag_scores.groups())
def test_bags_score_and_report_as_they_did(group: str, tmp_path: Path) -> None:
    check(f"scores/{group}", bag_scores.texts(group, tmp_path))
