"""Asks the world where things were at looks. Worlds in which nothing can be moved offer no such service."""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass, field
from typing import Any

from rclpy.node import Node
from rclpy.task import Future
from vantage_eqa.srv import RecallPoses

from vantage.nodes.evaluator.moved_looks import Recalled, Told
from vantage.nodes.runtime import callbacks_of
from vantage.recording import Codec, read_poses, read_stamp

_SERVICE = "recall_poses"  # offered before the next one, so that a world which offers that alone changes nothing
_RESET = "reset_world"
_FIND = 1.0  # s to find a world; a replay has none
_AGAIN = 1.0  # s after which a request is repeated
_DEADLINE = 4.0  # s for an answer; less than a recording waits for what is missing


@dataclass
class _Asked:
    stamp: int
    told: Told
    since: float = field(default_factory=time.monotonic)


class RecalledPoses:
    """Answers come in the order of the questions. To be used where the callbacks of the node run, and nowhere else."""

    def __init__(self, node: Node, codec: Codec) -> None:
        self._node, self._codec = node, codec
        self._client = node.create_client(RecallPoses, _SERVICE)
        self._asked: deque[_Asked] = deque()
        self._reply: Future | None = None
        self._sent = 0.0

    def ask(self, stamp: int, told: Told) -> None:
        """Have ``told`` called with where things were at the look of a stamp, ns."""
        self._asked.append(_Asked(stamp, told))
        self.tick()

    def tick(self) -> None:
        """Send what waits, and give up what waited too long."""
        while self._asked:
            waited = time.monotonic() - self._asked[0].since
            if self._reply is not None and waited <= _DEADLINE and time.monotonic() - self._sent <= _AGAIN:
                return
            self._forget_reply()
            if waited > _DEADLINE:
                self._answer(None, f"the world did not tell within {_DEADLINE:.0f} s where things were")
                continue
            changes = self._changes()
            if changes is False or (changes is None and waited > _FIND):
                self._answer(None)
                continue
            if changes and self._client.service_is_ready():
                self._send(self._asked[0].stamp)
            return

    def _changes(self) -> bool | None:
        """Whether things can be moved in the world that is there; None where none was found so far."""
        resolve, count = self._node.resolve_service_name, self._node.count_services
        return True if count(resolve(_SERVICE)) else False if count(resolve(_RESET)) else None

    def _send(self, stamp: int) -> None:
        request = RecallPoses.Request(observation_stamp=self._codec.time(stamp))
        self._sent = time.monotonic()
        reply = self._reply = self._client.call_async(request)
        guarded = callbacks_of(self._node).guarded(f"a reply of {_SERVICE}", self._on_reply)
        reply.add_done_callback(guarded)

    def _on_reply(self, reply: Any) -> None:
        if self._reply is None or reply is not self._reply:
            return  # it was given up
        self._reply = None
        response = reply.result()
        try:
            found = _read(response) if response.ok else None
            self._answer(found, response.message if found is None else "")
        except ValueError as error:
            self._answer(None, f"what the world told cannot be true: {error}")
        self.tick()

    def _answer(self, found: Recalled | None, trouble: str = "") -> None:
        self._asked.popleft().told(found, trouble)

    def _forget_reply(self) -> None:
        if self._reply is not None:
            self._client.remove_pending_request(self._reply)
            self._reply = None


def _read(response: Any) -> Recalled:
    """
    Raises:
        ValueError: a pose is none.
    """
    start = response.start
    return Recalled(str(start.episode_id), read_stamp(start), read_poses(start), read_poses(response.poses))
