"""A client that hears of the pending corrections of a running graph and confirms or rejects them."""

from __future__ import annotations

import threading
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Any

from rclpy.context import Context
from rclpy.node import Node
from vantage_eqa.srv import ConfirmCorrection

from vantage.errors import WorldError
from vantage.nodes.qa.correction_messages import read_correction
from vantage.nodes.qa.pending_corrections import Correction, Key
from vantage.nodes.runtime import Spinner, listen, ros_context
from vantage.recording import CORRECTION, read_answer
from vantage.runs import Ruling
from vantage.types import Answer

_ANSWER = 30.0  # s for the QA node to answer the corrected question


class ConfirmClient:
    """Receives pending corrections and confirms or rejects them; every wait has a deadline."""

    def __init__(self, context: Context) -> None:
        self._changed = threading.Condition()
        self._open: dict[Key, Correction] = {}
        node = Node("vantage_confirm", context=context)
        listen(node, CORRECTION, self._on_correction, depth=100)
        self._service = node.create_client(ConfirmCorrection, "confirm_correction")
        self._spinner = Spinner([node], context)

    def close(self) -> None:
        self._spinner.close()

    def next(self, seconds: float, besides: Collection[Correction]) -> Correction | None:
        """A correction that waits and is none of ``besides``; None when none came within ``seconds``.

        Another proposal for the same question is another correction.
        """

        def found() -> Correction | None:
            fresh = (item for item in self._open.values() if not any(_same(item, known) for known in besides))
            waiting = [item for item in fresh if item.time_left > 0]
            return min(waiting, key=lambda item: item.deadline, default=None)

        with self._changed:
            self._changed.wait_for(lambda: found() is not None, seconds)
            return found()

    def is_over(self, item: Correction) -> bool:
        """Whether it does not wait any more."""
        with self._changed:
            known = self._open.get(item.key)
            return known is None or not _same(known, item) or item.time_left <= 0

    def confirm(self, item: Correction, accept: bool) -> Answer:
        """Say yes or no; the answer to the corrected question, or that there is none.

        Raises:
            WorldError: nobody takes it, or it does not wait any more.
        """
        ends = time.monotonic() + _ANSWER
        if not self._service.wait_for_service(timeout_sec=_ANSWER):
            raise WorldError(f"confirm_correction was not offered within {_ANSWER:.0f} s; is qa_node running?")
        request = ConfirmCorrection.Request(
            episode_id=item.episode_id, question_id=item.question.question_id, accept=accept
        )
        future, done = self._service.call_async(request), threading.Event()
        future.add_done_callback(lambda _: done.set())
        if not done.wait(max(0.0, ends - time.monotonic())):
            raise WorldError(f"qa_node took no word on question '{item.question.question_id}' within {_ANSWER:.0f} s")
        response: Any = future.result()
        if not response.ok:
            raise WorldError(str(response.message))
        return read_answer(response.answer)

    def _on_correction(self, message: Any) -> None:
        item, ruling = read_correction(message)
        with self._changed:
            if ruling is Ruling.OPEN:
                self._open[item.key] = item
            elif item.key in self._open and _same(self._open[item.key], item):
                del self._open[item.key]
            self._changed.notify_all()


def _same(one: Correction, other: Correction) -> bool:
    """Whether two messages are about one proposal of one node."""
    return (one.key, one.source, one.answer.text) == (other.key, other.source, other.answer.text)


@contextmanager
def open_confirm_client(domain_id: int | None = None) -> Iterator[ConfirmClient]:
    """A client of the graph on this domain, until the block ends."""
    with ros_context([], domain_id) as context:
        client = ConfirmClient(context)
        try:
            yield client
        finally:
            client.close()
