"""``evaluator_node`` records every episode into a bag, holds the gold data and scores what it recorded."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

from rclpy.context import Context
from rclpy.node import Node
from rclpy.parameter import Parameter
from rclpy.serialization import deserialize_message
from vantage_eqa.msg import EpisodeScore as EpisodeScoreMessage
from vantage_eqa.srv import ScoreBag

from vantage.benchmarks.judging import make_judge
from vantage.benchmarks.statistics import EpisodeScore
from vantage.errors import VantageError
from vantage.nodes.evaluator.recalled_looks import RecalledLooks
from vantage.nodes.evaluator.recalled_poses import RecalledPoses
from vantage.nodes.evaluator.recorder import Recorder
from vantage.nodes.runtime import (
    TOLD_FOR,
    Diagnostics,
    Health,
    RclpyFactory,
    advertise,
    callbacks_of,
    check_choice,
    declare,
    declare_settings,
    destroyed_on_failure,
    every,
    interface,
    listen,
    run_node,
    serve,
)
from vantage.recording import (
    DEPTH,
    EPISODE,
    EPISODE_SCORE,
    RECORDED,
    RECORDING_SUMMARY,
    Codec,
    FolderLock,
    Topic,
    wanted_in_bag,
)
from vantage.registry import JUDGES
from vantage.reports import score_bag, score_runs
from vantage.runs import GoldData
from vantage.untrusted_text import visible

NAME = "evaluator_node"
GROUPS = ("run", "model", "judge")  # of settings that it uses
_QUEUE = 200  # messages of a topic that may wait while another is being worked on
_IMAGE_QUEUE = 60
_TICK = 0.05  # s


class EvaluatorNode(Node):
    """Takes all topics serialized, one message at a time. Alone to publish, and to read, gold data."""

    @destroyed_on_failure
    def __init__(self, context: Context, parameters: list[Parameter] | None = None) -> None:
        super().__init__(
            NAME,
            context=context,
            parameter_overrides=parameters,
            automatically_declare_parameters_from_overrides=True,
        )
        settings = declare_settings(self, GROUPS)
        episodes = declare(self, "episodes", "", "folder of the episode set whose gold data is used; empty for none")
        out = declare(self, "out", "bags", "folder for the bags")
        self._judge_name = declare(self, "judge", "rules", "who marks the answers: rules, or model:NAME:WHICH")
        check_choice(self, "judge", self._judge_name.partition(":")[0], JUDGES.names())
        self._judge = make_judge(self._judge_name, settings)
        self._codec = Codec(RclpyFactory())
        self._publishers_by_topic = {topic: advertise(self, topic) for topic in RECORDED if topic.is_truth}
        self._scores = advertise(self, EPISODE_SCORE)
        self._warning, self._warned_at = "", -float("inf")
        wanted = wanted_in_bag(settings)
        tasks = declare(self, "tasks", False, "whether the planner's agent carries tasks out, one an episode")
        gold = GoldData(episodes, tasks) if episodes else None
        self._recalled = RecalledPoses(self, self._codec)
        looks = RecalledLooks(self, self._codec, lambda topic, data: self._recorder.take_recalled(topic, data))
        self._claim = FolderLock(out)
        self._recorder = Recorder(
            Path(out),
            wanted,
            gold,
            self._codec,
            lambda topic, data: deserialize_message(data, interface(topic.type)),
            self._publish,
            self._on_finished,
            self._on_failed,
            self._warn,
            lambda topic: int(self.count_publishers(topic.name)),
            self._recalled.ask,
            looks.ask,
        )
        callbacks = callbacks_of(self)
        self._scoring = callbacks.job_queue("scoring")
        for topic in sorted(RECORDED, key=lambda topic: topic is not EPISODE):  # first what opens a bag
            if not topic.is_truth and topic is not RECORDING_SUMMARY and (wanted(topic) or topic is DEPTH):
                queue = _IMAGE_QUEUE if topic.name.endswith("image_raw") else _QUEUE
                listen(self, topic, self._record(topic), raw=True, depth=queue)
        every(self, _TICK, self._recalled.tick)
        every(self, _TICK, looks.tick)
        every(self, _TICK, self._recorder.tick)
        serve(self, ScoreBag, "score_bag", self._on_score_bag, callbacks.job_queue("score_bag"))
        self._diagnostics = Diagnostics(self, self._health)

    def destroy_node(self) -> None:
        self._recorder.close()
        self._claim.release()
        super().destroy_node()

    def _record(self, topic: Topic) -> Callable[[bytes, dict[str, Any]], None]:
        def record(data: bytes, info: dict[str, Any]) -> None:
            self._recorder.take(topic, data, info.get("publication_sequence_number"))

        return record

    def _publish(self, topic: Topic, message: Any) -> None:
        self._publishers_by_topic[topic].publish(message)

    def _on_finished(self, episode_id: str, path: Path) -> None:
        if not self._scoring.submit(lambda: self._score(episode_id, path)):
            self._score(episode_id, path)  # the node is about to go

    def _score(self, episode_id: str, path: Path) -> None:
        try:
            score = score_bag(path, self._judge)
        except Exception as error:  # somebody waits for a score
            known = isinstance(error, VantageError)
            sentence = str(error) if known else callbacks_of(self).failed(f"scoring {path}", error)
            self._warn(sentence)
            self._on_failed(episode_id, sentence)
            return
        self._scores.publish(score_message(self._codec, score))
        mark = f"{score.judge_score:.0f}/5" if score.complete else f"not scored: {score.incomplete_reason}"
        self.get_logger().info(visible(f"episode '{episode_id}' recorded in {path}: {mark}"))

    def _on_failed(self, episode_id: str, reason: str) -> None:
        """Nobody need wait for the score of an episode of which there will be no bag."""
        score = score_message(self._codec, EpisodeScore(episode_id, incomplete_reason=reason))
        score.unrecorded = True
        self._scores.publish(score)

    def _warn(self, sentence: str) -> None:
        self._warning, self._warned_at = sentence, time.monotonic()
        self.get_logger().warning(visible(sentence))

    def _on_score_bag(self, request: Any, response: Any) -> Any:
        try:
            table = score_runs(request.path, self._judge)
        except VantageError as error:
            response.message = str(error)
            return response
        response.ok = True
        complete = [score for score in table.scores if score.complete]
        incomplete = [score for score in table.scores if not score.complete]
        response.scores = [score_message(self._codec, score) for score in complete]
        response.incomplete = [f"{score.bag or score.episode_id}: {score.incomplete_reason}" for score in incomplete]
        return response

    def _health(self) -> Health:
        values = {
            "recording": self._recorder.episode_id,
            "bags": str(self._recorder.bags),
            "unreadable": str(self._recorder.unreadable),
        }
        warning = self._warning if time.monotonic() - self._warned_at < TOLD_FOR else ""
        return Health(not warning, warning or "ready", values)


def score_message(codec: Codec, score: EpisodeScore) -> Any:
    """EpisodeScore.msg of a score, without the judge's reason, which may quote gold answers on a public topic."""
    names = set(EpisodeScoreMessage.get_fields_and_field_types()) - {"judge_reason"}
    values = {item.name: getattr(score, item.name) for item in fields(score) if item.name in names}
    figures = {"figure_names": list(score.figures), "figure_values": [float(value) for value in score.figures.values()]}
    return EpisodeScoreMessage(header=codec.header(0), **values, **figures)


def main(arguments: list[str] | None = None) -> int:
    """Run the node until Ctrl-C or SIGTERM."""
    return run_node(EvaluatorNode, arguments)


if __name__ == "__main__":
    sys.exit(main())
