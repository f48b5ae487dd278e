"""``replay_node`` plays the public topics of a bag again, with their own pace and quality of service."""

from __future__ import annotations

import sys
import threading
import time
from pathlib import Path
from typing import Any

from rclpy.context import Context
from rclpy.node import Node
from rclpy.parameter import Parameter
from rosgraph_msgs.msg import Clock as ClockMessage

from vantage.errors import ConfigError, RecordingError
from vantage.nodes.runtime import advertise, declare, destroyed_on_failure, run_node
from vantage.recording import CLOCK, DEPTH, IMAGE, INSTANCES, REPLAYED, Topic, find_bags, read_bag_raw, topics_in

NAME = "replay_node"
_LINGER = 0.5  # s for the last messages to be taken in
_BETWEEN = 2.0  # s between two bags, in which a recorder closes the one before
_QUEUE = 100  # messages that a slow listener may lag behind
_JOIN = 10.0  # s for the player to end
_MEET = 5.0  # s to wait for somebody who listens
_LONGEST_GAP = 5.0  # s of recorded time; longer silences are shortened


class ReplayNode(Node):
    """Plays bags one after another and goes. Gold data and scores stay in the bag."""

    @destroyed_on_failure
    def __init__(self, context: Context, parameters: list[Parameter] | None = None) -> None:
        super().__init__(
            NAME,
            context=context,
            parameter_overrides=parameters,
            automatically_declare_parameters_from_overrides=True,
        )
        path = declare(self, "bag", "", "a bag or a folder of bags")
        self._rate = declare(self, "rate", 1.0, "speed, as a multiple of the recorded one", constraints="positive")
        if not path:
            raise ConfigError(f"{NAME} needs a bag; give it with --ros-args -p bag:=FOLDER")
        if not self._rate > 0:
            raise ConfigError(f"parameter rate of {NAME} must be positive, got {self._rate}")
        self._bags, partial = find_bags(Path(path))
        for item in partial:
            self.get_logger().warning(f"{item} is partial and is not played")
        self._publishers_by_topic = {
            topic: advertise(self, topic, None if topic.latched else _QUEUE) for topic in REPLAYED
        }
        self._clock = advertise(self, CLOCK)
        self.finished = threading.Event()
        self.failure: RecordingError | None = None
        self.played = 0
        self._halted = threading.Event()
        self._player = threading.Thread(target=self._play, name="replay")

    def start(self) -> None:
        """Begin to play."""
        self._player.start()

    def halt(self) -> None:
        """Stop playing."""
        self._halted.set()

    def destroy_node(self) -> None:
        self._halted.set()
        if self._player.ident is not None:
            self._player.join(_JOIN)
        super().destroy_node()

    def _play(self) -> None:
        try:
            self._await_listeners()
            for number, bag in enumerate(self._bags):
                self._halted.wait(_BETWEEN if number else 0.0)
                self.get_logger().info(f"playing {bag}")
                self._warn_of_lacks(bag)
                self._play_bag(bag)
            self._halted.wait(_LINGER)
        except RecordingError as error:
            self.failure = error
        finally:
            self.finished.set()

    def _play_bag(self, bag: Path) -> None:
        last: int | None = None
        due = time.monotonic()
        for topic, stamp, data in read_bag_raw(bag, REPLAYED):
            due += min(_LONGEST_GAP, (stamp - (stamp if last is None else last)) * 1e-9) / self._rate
            last = stamp
            if self._halted.wait(max(0.0, due - time.monotonic())):
                return
            self._send(topic, stamp, data)

    def _warn_of_lacks(self, bag: Path) -> None:
        """Say before playing what the QA node will miss."""
        held = topics_in(bag)
        if not {IMAGE, DEPTH} <= held:
            self.get_logger().warning(
                f"{bag} holds no raw images or depth, so the QA node will see nothing; record with run.record_raw, "
                f"run.record_depth and run.record_instances set to replay into it"
            )
        elif INSTANCES not in held:
            self.get_logger().warning(
                f"{bag} holds no instance ids, so a QA node with perception privileged or degraded will see nothing; "
                f"record with run.record_instances set, or choose another perceiver"
            )

    def _send(self, topic: Topic, stamp: int, data: bytes) -> None:
        message = ClockMessage()
        message.clock.sec, message.clock.nanosec = divmod(stamp, 10**9)
        self._clock.publish(message)
        self._publishers_by_topic[topic].publish(data)
        self.played += 1

    def _await_listeners(self) -> None:
        """Give subscribers time to find this node; without any, play all the same."""
        ends = time.monotonic() + _MEET
        while time.monotonic() < ends and not self._halted.is_set():
            if any(self._listens(publisher) for publisher in self._publishers_by_topic.values()):
                self._halted.wait(_LINGER)  # the others are being found, too
                return
            time.sleep(0.05)

    @staticmethod
    def _listens(publisher: Any) -> bool:
        return bool(publisher.get_subscription_count() > 0)


def main(arguments: list[str] | None = None) -> int:
    """Play and go; Ctrl-C and SIGTERM end it early."""
    return run_node(ReplayNode, arguments)


if __name__ == "__main__":
    sys.exit(main())
