"""``evaluator_node`` records every episode into a bag, holds the gold data and scores what it recorded."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

from rclpy.callback_groups import MutuallyExclusiveCallbackGroup, ReentrantCallbackGroup
from rclpy.context import Context
from rclpy.node import Node
from rclpy.parameter import Parameter
from rclpy.serialization import deserialize_message
from vantage_eqa.msg import EpisodeScore as EpisodeScoreMessage
from vantage_eqa.srv import ScoreBag

from vantage.benchmarks.judging import make_judge
from vantage.benchmarks.metrics import EpisodeScore
from vantage.errors import VantageError
from vantage.nodes.diagnostics import Diagnostics, Health, steady_clock
from vantage.nodes.messages import RclpyFactory, interface
from vantage.nodes.parameters import check_choice, declare, declare_settings
from vantage.nodes.recorder import Recorder
from vantage.nodes.running import run_node, whole_or_gone
from vantage.nodes.topics import advertise, listen
from vantage.registry import JUDGES
from vantage.runs.batch import wanted_in_bag
from vantage.runs.gold import GoldData
from vantage.runs.messages import Codec
from vantage.runs.scoring import score_bag, score_runs
from vantage.runs.topics import DEPTH, EPISODE, EPISODE_SCORE, RECORDED, RECORDING_SUMMARY, Topic

NAME = "evaluator_node"
GROUPS = ("run", "model")  # of settings that it uses
_QUEUE = 200  # messages of a topic that may wait while another is being worked on
_IMAGE_QUEUE = 30
_TICK = 0.05  # s


class EvaluatorNode(Node):
    """Takes all topics serialized, one message at a time. Alone to publish, and to read, gold data."""

    @whole_or_gone
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
        self._warning = ""
        wanted = wanted_in_bag(settings)
        self._recorder = Recorder(
            Path(out),
            wanted,
            GoldData(episodes) if episodes else None,
            self._codec,
            lambda topic, data: deserialize_message(data, interface(topic.type)),
            self._publish,
            self._on_finished,
            self._warn,
        )
        one_by_one, at_once = MutuallyExclusiveCallbackGroup(), ReentrantCallbackGroup()
        self._last_number: dict[Topic, int] = {}
        for topic in sorted(RECORDED, key=lambda topic: topic is not EPISODE):  # first what opens a bag
            if not topic.is_truth and topic is not RECORDING_SUMMARY and (wanted(topic) or topic is DEPTH):
                queue = _IMAGE_QUEUE if topic.name.endswith("image_raw") else _QUEUE
                listen(self, topic, self._record(topic), one_by_one, raw=True, depth=queue)
        self.create_timer(_TICK, self._recorder.tick, callback_group=one_by_one, clock=steady_clock())
        self.create_service(ScoreBag, "score_bag", self._on_score_bag, callback_group=at_once)
        self._diagnostics = Diagnostics(self, self._health, at_once)

    def destroy_node(self) -> None:
        self._recorder.close()
        super().destroy_node()

    def _record(self, topic: Topic) -> Callable[[bytes, dict[str, Any]], None]:
        def record(data: bytes, info: dict[str, Any]) -> None:
            self._count(topic, info.get("publication_sequence_number"))
            self._recorder.take(topic, data)

        return record

    def _count(self, topic: Topic, number: int | None) -> None:
        """A gap in a publisher's numbers is a loss, whether on the way or in a full queue."""
        if number is None:
            return
        last = self._last_number.get(topic)
        self._last_number[topic] = number
        if last is not None and number > last + 1 and self.count_publishers(topic.name) == 1:
            self._recorder.lost(topic, number - last - 1)

    def _publish(self, topic: Topic, message: Any) -> None:
        self._publishers_by_topic[topic].publish(message)

    def _on_finished(self, episode_id: str, path: Path) -> None:
        score = score_bag(path, self._judge)
        self._scores.publish(score_message(self._codec, score))
        mark = f"{score.judge_score:.0f}/5" if score.complete else f"not scored: {score.incomplete_reason}"
        self.get_logger().info(f"episode '{episode_id}' recorded in {path}: {mark}")

    def _warn(self, sentence: str) -> None:
        self._warning = sentence
        self.get_logger().warning(sentence)

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
        values = {"recording": self._recorder.episode_id, "bags": str(self._recorder.bags)}
        return Health(not self._warning, self._warning or "ready", values)


def score_message(codec: Codec, score: EpisodeScore) -> Any:
    """EpisodeScore.msg of a score, without the judge's reason, which may quote gold answers on a public topic."""
    names = set(EpisodeScoreMessage.get_fields_and_field_types()) - {"judge_reason"}
    values = {item.name: getattr(score, item.name) for item in fields(score) if item.name in names}
    return EpisodeScoreMessage(header=codec.header(0), **values)


def main(arguments: list[str] | None = None) -> int:
    """Run the node until Ctrl-C or SIGTERM."""
    return run_node(EvaluatorNode, arguments)


if __name__ == "__main__":
    sys.exit(main())
