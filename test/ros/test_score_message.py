"""EpisodeScore.msg of a score."""

from __future__ import annotations

import math

from vantage.benchmarks.statistics.metrics import EpisodeScore
from vantage.nodes.evaluator.evaluator_node import score_message
from vantage.nodes.runtime.rclpy_messages import RclpyFactory
from vantage.recording.to_messages import Codec


def test_it_holds_the_judge_s_version_and_the_named_figures_but_no_reason() -> None:
    figures = {"rooms_seen": 3, "coverage": math.nan}
    score = EpisodeScore("e1", "toy", judge="rules", judge_version="1", judge_reason="expected 'red'", figures=figures)
    message = score_message(Codec(RclpyFactory()), score)
    assert (message.episode_id, message.judge_version, message.judge_reason) == ("e1", "1", "")
    assert message.figure_names == ["rooms_seen", "coverage"]
    assert message.figure_values[0] == 3.0
    assert math.isnan(message.figure_values[1])
