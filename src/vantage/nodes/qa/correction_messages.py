"""Corrections as messages, and their publisher: on their topic, as text in RViz and in the log; expiry as noise report.

A correction that awaits confirmation is published repeatedly, so that late subscribers hear of it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from rclpy.node import Node

from vantage.answering.symbolic import wording
from vantage.nodes.qa.pending_corrections import Correction, Key
from vantage.nodes.runtime import advertise
from vantage.recording import CORRECTION, SEARCH_MARKERS, Codec, correction_markers, read_answer
from vantage.runs import Ruling, ruled
from vantage.types import NoiseReport, Point, Question
from vantage.untrusted_text import visible

_NOWHERE = (0.0, 0.0, 0.0)


class CorrectionPublisher:
    """Thread-safe.

    Args:
        report: publishes a noise report: episode id, question id, stamp in ns, report.
        place_of: where a person is to look, world frame, m; None where nobody knows.
    """

    def __init__(
        self,
        node: Node,
        codec: Codec,
        report: Callable[[str, str, int, NoiseReport], None],
        place_of: Callable[[Correction], Point | None],
    ) -> None:
        self._node, self._codec, self._report, self._place_of = node, codec, report, place_of
        self._corrections = advertise(node, CORRECTION, depth=100)
        self._markers = advertise(node, SEARCH_MARKERS)
        self._lock = threading.Lock()
        self._numbers: dict[Key, int] = {}
        self._shown: dict[int, tuple[Point, tuple[str, ...]]] = {}

    def tell(self, item: Correction, ruling: Ruling) -> None:
        """A correction was opened or has ended."""
        name, meant = visible(item.question.question_id), visible(wording.meant(item.answer.noise))
        log = self._node.get_logger()
        if ruling is Ruling.OPEN:
            log.info(f"question '{name}': did you mean {meant}? confirm_correction within {item.time_left:.0f} s")
        elif ruling is Ruling.LAPSED:
            log.warning(f"question '{name}': nobody confirmed {meant} in time")
            self._report_lapse(item)
        self._say(item, ruling)
        self._show(item, ruling)

    def repeat(self, items: Iterable[Correction]) -> None:
        """Say again what waits here, for those who did not listen before."""
        for item in items:
            if item.source == self._node.get_name():
                self._say(item, Ruling.OPEN)

    def _say(self, item: Correction, ruling: Ruling) -> None:
        """What others wait for, they say themselves; their corrections are only ruled here."""
        if item.source == self._node.get_name() or ruling is not Ruling.OPEN:
            self._corrections.publish(correction_message(self._codec, self._now(), item, ruling))

    def _show(self, item: Correction, ruling: Ruling) -> None:
        with self._lock:
            gone = []
            number = self._numbers.get(item.key)
            if ruling is not Ruling.OPEN:
                if number is None:
                    return
                del self._numbers[item.key], self._shown[number]
                gone.append(number)
            else:
                if number is None:
                    number = next(k for k in range(len(self._numbers) + 1) if k not in self._shown)
                    self._numbers[item.key] = number
                words = item.question.text, f"{wording.meant(item.answer.noise)} (y/n)"
                self._shown[number] = self._place_of(item) or _NOWHERE, words
            self._markers.publish(correction_markers(self._codec, self._now(), self._shown, gone))

    def _report_lapse(self, item: Correction) -> None:
        said = ruled(item.answer, Ruling.LAPSED).text
        report = replace(item.answer.noise, explanation=said)
        self._report(item.episode_id, item.question.question_id, self._now(), report)

    def _now(self) -> int:
        return int(self._node.get_clock().now().nanoseconds)


def correction_message(codec: Codec, stamp: int, correction: Correction, ruling: Ruling) -> Any:
    """vantage_eqa/msg/Correction."""
    return codec.make(
        "vantage_eqa/msg/Correction",
        header=codec.header(stamp),
        source=correction.source,
        question=correction.question.text,
        state=int(ruling),
        time_left=correction.time_left if ruling is Ruling.OPEN else 0.0,
        answer=codec.answer(stamp, correction.episode_id, correction.answer),
    )


def read_correction(message: Any) -> tuple[Correction, Ruling]:
    """
    Raises:
        ValueError: it holds a state or a verdict that there is not.
    """
    answer, now = read_answer(message.answer), time.monotonic()
    question = Question(answer.question_id, message.question, answer.phase)
    left = max(0.0, float(message.time_left))
    found = Correction(message.answer.episode_id, question, answer, message.source, now + left, now)
    return found, Ruling(message.state)
