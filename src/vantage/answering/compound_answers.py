"""One answer to two questions in one breath: "What color is the mug and where is it?" becomes "blue; on the table"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from vantage.answering.protocol import Assessment
from vantage.answering.symbolic import wording
from vantage.types import NoiseType, Verdict

_OPEN = (Verdict.NEEDS_MODEL, Verdict.NEEDS_LOOK, Verdict.NEEDS_CONFIRMATION)  # of one part: nothing is settled yet


def together(parts: Sequence[Assessment]) -> Assessment:
    """The assessments of the questions in one text as one: open where one of them is, mistaken where one of them is."""
    if len(parts) == 1:
        return parts[0]
    looks = tuple(dict.fromkeys(look for part in parts for look in part.look_for))
    waiting = next((part for verdict in _OPEN for part in parts if part.verdict is verdict), None)
    if waiting is not None:
        return replace(waiting, look_for=looks)
    faulty = [part for part in parts if part.noise.noise_type is not NoiseType.NONE]
    right = [part for part in parts if part.verdict is not Verdict.UNANSWERABLE]
    verdict = (
        Verdict.UNANSWERABLE
        if not right
        else Verdict.CORRECTED
        if faulty or len(right) < len(parts)
        else right[0].verdict
    )
    answer = "; ".join(part.answer for part in parts if part.answer)
    said = " ".join(filter(None, (wording.explanation(part.text, part.answer) for part in parts)))
    return Assessment(
        text=wording.finished(said, answer),
        verdict=verdict,
        confidence=min(part.confidence for part in parts),
        answer=answer,
        noise=faulty[0].noise if faulty else parts[0].noise,
        evidence=tuple(dict.fromkeys(shown for part in parts for shown in part.evidence)),
        look_for=looks,
        rests_on=tuple(dict.fromkeys(shown for part in parts for shown in part.rests_on)),
    )
