"""The golden bags score, print and report as they did, key by key, and every message in them is read as it was."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from golden_texts import bag_scores
from golden_texts.comparing import value_differences
from golden_texts.holding import check, held
from sampling import REST


def sample() -> list[Any]:
    """All groups; of those that were recorded over ROS, one in ``make test``."""
    return [pytest.param(name, marks=REST if name == "noisyeqa-ros" else ()) for name in bag_scores.groups()]


@pytest.mark.parametrize("group", sample())
def test_bags_score_and_report_as_they_did(group: str, tmp_path: Path) -> None:
    check(f"scores/{group}", bag_scores.texts(group, tmp_path))


@pytest.mark.parametrize("group", bag_scores.groups())
def test_version_3_of_the_judge_gives_golden_bags_the_marks_of_version_1(group: str) -> None:
    """``judge_v1`` holds what version 1 decided and is never made anew; ``scores`` holds what the judge decides now."""
    was = json.loads(held("judge_v1")[f"{group}.json"])
    now = bag_scores.judged(held(f"scores/{group}")["score.json"])
    assert (was.pop("versions"), now.pop("versions")) == (["1"], ["3"])
    assert list(value_differences(was, now)) == []
