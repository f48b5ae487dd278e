"""Asks the world to send what it published of a look once more. A world that cannot offers no such service."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from rclpy.node import Node
from rclpy.task import Future
from vantage_eqa.srv import RecallPoses

from vantage.nodes.evaluator.missing_looks import Answered
from vantage.nodes.runtime import callbacks_of, listen
from vantage.recording import RECALLABLE, Codec, Topic, read_stamp, recalled

_SERVICE = "recall_look"
_FIND = 3.0  # s to find a world that offers it
_AGAIN = 3.0  # s after which a request is repeated; the world may wait for a subscriber meanwhile
_UNHEARD = 5  # requests for one look whose messages the world could not send, because it found no subscriber yet


class RecalledLooks:
    """One request at a time. To be used where the callbacks of the node run, and nowhere else.

    Args:
        take: called with each topic and serialized message that is sent again.
    """

    def __init__(self, node: Node, codec: Codec, take: Callable[[Topic, bytes], None]) -> None:
        self._node, self._codec, self._take = node, codec, take
        self._client = node.create_client(RecallPoses, _SERVICE)
        self._listens = False  # from when the first look is missing
        self._unheard = 0
        self._wanted: tuple[int, Answered] | None = None
        self._reply: Future | None = None
        self._sent = 0.0
        self._absent_since: float | None = None

    def ask(self, stamp: int, answered: Answered) -> None:
        """Ask for the first look at or after a stamp, ns; a request that is still on its way is given up."""
        self._forget_reply()
        if not self._listens:
            self._listens = True
            for topic in RECALLABLE:
                listen(self._node, recalled(topic), self._taker(topic), raw=True)
        self._wanted, self._unheard = (stamp, answered), 0
        self.tick()

    def tick(self) -> None:
        """Send the request, again where no response came in time, and say so where nobody offers the service."""
        if self._wanted is None or (self._reply is not None and time.monotonic() - self._sent <= _AGAIN):
            return
        self._forget_reply()
        now = time.monotonic()
        if self._client.service_is_ready():
            self._absent_since = None
            request = RecallPoses.Request(observation_stamp=self._codec.time(self._wanted[0]))
            self._sent = now
            self._reply = self._client.call_async(request)
            self._reply.add_done_callback(callbacks_of(self._node).guarded(f"a reply of {_SERVICE}", self._on_reply))
            return
        self._absent_since = now if self._absent_since is None else self._absent_since
        if now - self._absent_since > _FIND:
            self._answer(None, f"nobody offers {_SERVICE}")

    def _on_reply(self, reply: Any) -> None:
        if self._reply is None or reply is not self._reply:
            return  # it was given up
        self._reply = None
        response = reply.result()
        found = read_stamp(response.poses)
        if response.ok:
            self._answer(found, "")
        elif found and self._unheard < _UNHEARD:
            self._unheard += 1  # the world has it, but found nobody to send it to; asked again with the next tick
        else:
            self._answer(None, str(response.message))

    def _answer(self, found: int | None, trouble: str) -> None:
        if self._wanted is not None:
            (_, answered), self._wanted = self._wanted, None
            answered(found, trouble)

    def _forget_reply(self) -> None:
        if self._reply is not None:
            self._client.remove_pending_request(self._reply)
            self._reply = None

    def _taker(self, topic: Topic) -> Callable[[bytes], None]:
        return lambda data: self._take(topic, data)
