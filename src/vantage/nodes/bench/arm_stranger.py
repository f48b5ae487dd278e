"""Somebody on the network of a graph who knows all names and numbers, has no key, and commands the arm of its world."""

from __future__ import annotations

import random
import threading
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from rclpy.context import Context
from rclpy.node import Node

from vantage.nodes.bench.graph_processes import Caller
from vantage.nodes.bench.hostile_draws import drawn_targets, hostile_command
from vantage.nodes.runtime import RclpyFactory, advertise, interface, listen
from vantage.recording import ARM_COMMAND, COMMAND_RESULT, JOINT_STATES, SOURCE, Codec, read_poses, read_time
from vantage.types import Cause, Episode, EpisodeState, Poses, Status

_PERIOD = 0.022  # s between two commands: of refusals to strangers the world tells 50 a second
_ANSWER = 60.0  # s for a result
_PATIENCE = 300.0  # s for a reply; the physics of a home is first made ready by a reset
_LAST = 2**31 - 1  # s, a stamp after all looks


class Stranger(Node):
    """On the same domain, in another process than the graph; knows all names and numbers, and has no key."""

    def __init__(
        self, context: Context, caller: Caller, seed: int, things: Sequence[int], joints: Sequence[str]
    ) -> None:
        super().__init__("bench_stranger", context=context)
        self.arm = tuple(joints)
        self.caller, self.codec = caller, Codec(RclpyFactory())
        self.draw = random.Random(seed)
        self.found = Counter[str]()
        self._targets = drawn_targets(self.draw, things, joints)
        self._told = threading.Condition()
        self._results: list[Any] = []
        self._told_of: set[str] = set()
        self._sent: dict[str, int] = {}  # by action: results that it had
        self._next = 0.0
        self.next_number: dict[str, int] = {}  # of the planner, by episode
        self.joints: dict[str, float] = {}
        self._commands = advertise(self, ARM_COMMAND)
        listen(self, COMMAND_RESULT, self._on_result, depth=2000)
        listen(self, JOINT_STATES, self._on_joints)

    def _on_joints(self, message: Any) -> None:
        self.joints = dict(zip(message.name, message.position, strict=False))

    def _on_result(self, message: Any) -> None:
        with self._told:
            if message.action in self._sent:
                self._sent[message.action] += 1
                self._told_of |= {message.episode_id} if message.source == SOURCE else set()
            elif message.source == SOURCE and message.status != Status.REJECTED:
                self.next_number[message.episode_id] = int(message.sequence) + 1
            self._results.append(message)
            del self._results[:-200]
            self._told.notify_all()

    def command(self, episode_id: str) -> None:
        """Send the next command, as if it was the planner's, and await what becomes of it."""
        time.sleep(max(0.0, self._next - time.monotonic()))
        self._next = time.monotonic() + _PERIOD
        action = f"attack {self.found['commands']}"
        number = self.next_number.get(episode_id, 1)
        stamp = self._results[-1].header.stamp if self._results else None
        at = 0 if stamp is None else read_time(stamp)
        message = hostile_command(self.draw, next(self._targets), episode_id, SOURCE, number, action, at)
        with self._told:
            self._sent[action] = 0
            self._results.clear()
            self._commands.publish(message)
            self.found["commands"] += 1
            told = self._told.wait_for(lambda: self._result_of(message), _ANSWER)
        result = self._result_of(message) if told else None
        if result is None:
            self.found["unanswered"] += 1
        elif result.status == Status.REJECTED and result.cause != Cause.NONE:
            self.found["refused"] += 1
            self.found[f"cause {Cause(result.cause).name.lower()}"] += 1
        else:
            self.found["carried_out"] += 1

    def _result_of(self, sent: Any) -> Any:
        """A command that cannot be read has a result without its action."""
        key = (sent.episode_id, sent.source, sent.sequence)
        return next(
            (
                told
                for told in self._results
                if (told.episode_id, told.source, told.sequence) == key and told.action in (sent.action, "")
            ),
            None,
        )

    @property
    def repeated(self) -> int:
        """Commands that had several results."""
        return sum(count > 1 for count in self._sent.values())

    def told_of(self, episode_id: str) -> bool:
        """Whether the world told a result of a hostile command as if it was one of the planner in an episode."""
        return episode_id in self._told_of

    def request(self, kind: str, name: str, **fields: Any) -> Any:
        self.found["requests"] += 1
        return self.caller.call(kind, name, interface(kind).Request(**fields), _PATIENCE)

    def meddle(self, kind: str, episode: Episode) -> None:
        """Clear a stop, or reset the world to an episode of nobody's, which anybody may."""
        if kind == "clear_stop":
            answer = self.request("std_srvs/srv/Trigger", "clear_stop")
        else:
            answer = self.begin(replace(episode, episode_id="strange"))
        self.found["unanswered"] += answer is None

    def begin(self, episode: Episode) -> Any:
        """Reset the world."""
        message = self.codec.episode(0, episode, EpisodeState.PENDING)
        return self.request("vantage_eqa/srv/ResetWorld", "reset_world", episode=message)

    def granted(self) -> Any:
        """What the world tells of its warrants."""
        return self.caller.call("vantage_eqa/srv/GrantWarrant", "grant_warrant")

    def poses(self) -> tuple[Poses, Poses] | None:
        """Where things were at the start of the running episode, and where they are."""
        request = interface("vantage_eqa/srv/RecallPoses").Request(observation_stamp=self.codec.time(_LAST * 10**9))
        told = self.caller.call("vantage_eqa/srv/RecallPoses", "recall_poses", request)
        return (read_poses(told.start), read_poses(told.poses)) if told is not None and told.ok else None
