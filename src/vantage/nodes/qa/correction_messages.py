"""Corrections as messages. While one waits, it is said again and again, so that nobody need have listened before."""

from __future__ import annotations

import time
from typing import Any

from vantage.nodes.qa.pending_corrections import Correction
from vantage.recording.messages import Codec
from vantage.recording.reading import read_answer
from vantage.runs.confirmation import Ruling
from vantage.types import Question


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
