"""Asks a person to confirm the corrected question of a running episode: published until an answer comes back."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

from rclpy.node import Node

from vantage.errors import WorldError
from vantage.nodes.qa import Correction, Key, correction_message
from vantage.nodes.runtime import advertise, listen
from vantage.recording import CORRECTION, Codec
from vantage.runs import Ruling, withheld
from vantage.types import Answer, Question

_AGAIN = 1.0  # s between two times that it is said
_SLICE = 0.05  # s between two looks at whether to give up


class ConfirmationRequester:
    """Waits for what a person says through ``confirm_correction`` of the QA node.

    Args:
        timeout: s that a person has.
    """

    def __init__(self, node: Node, codec: Codec, timeout: float) -> None:
        self._node, self._codec, self._timeout = node, codec, timeout
        self._changed = threading.Condition()
        self._rulings: dict[Key, Ruling] = {}
        self._waits_for: Key | None = None
        self._halted = False
        self._publisher = advertise(node, CORRECTION)
        listen(node, CORRECTION, self._on_correction)

    def ask(self, episode_id: str, question: Question, answer: Answer, canceled: Callable[[], bool]) -> Ruling:
        """What became of the correction; ends after ``timeout`` s.

        Raises:
            WorldError: the node is shutting down.
        """
        source, now = self._node.get_name(), time.monotonic()
        item = Correction(episode_id, question, withheld(answer), source, now + self._timeout, now)
        with self._changed:
            self._rulings.clear()
            self._waits_for = item.key
        ruling = Ruling.CANCELED
        try:
            ruling = self._wait(item, canceled)
        finally:
            with self._changed:
                self._waits_for = None
            self._say(item, ruling)
        return ruling

    def halt(self) -> None:
        """Let a wait end with an error."""
        with self._changed:
            self._halted = True
            self._changed.notify_all()

    def _wait(self, item: Correction, canceled: Callable[[], bool]) -> Ruling:
        said = -_AGAIN
        while item.time_left > 0.0:
            if time.monotonic() - said >= _AGAIN:
                said = time.monotonic()
                self._say(item, Ruling.OPEN)
            with self._changed:
                self._changed.wait_for(lambda: self._halted or item.key in self._rulings, min(_SLICE, item.time_left))
                if item.key in self._rulings:
                    return self._rulings[item.key]
                if self._halted:
                    raise WorldError(f"{item.source} is shutting down, while a person was being asked")
            if canceled():
                return Ruling.CANCELED
        return Ruling.LAPSED

    def _say(self, item: Correction, ruling: Ruling) -> None:
        stamp = int(self._node.get_clock().now().nanoseconds)
        self._publisher.publish(correction_message(self._codec, stamp, item, ruling))

    def _on_correction(self, message: Any) -> None:
        answer = message.answer
        key = answer.episode_id, answer.phase, answer.question_id
        with self._changed:
            if message.source == self._node.get_name() and key == self._waits_for and message.state != message.OPEN:
                self._rulings[key] = Ruling(message.state)
                self._changed.notify_all()
