"""A typed verdict from a model's reply and what was found about it.

``noise.explanation`` tells why a question is mistaken, and then, in sentences that begin with ``Verified``, ``Not
verified`` and ``Contradicted``, what speaks for and against that; the text of an answer stays as it would be.
"""

from __future__ import annotations

from collections.abc import Sequence

from vantage.answering.assessment import Assessment, LookAt, LookFor
from vantage.answering.symbolic.wording import finished, proposes
from vantage.answering.vlm.model_checks import Findings
from vantage.answering.vlm.model_text import Reply
from vantage.answering.vlm.view_choice import Choice
from vantage.types import Evidence, NoiseReport, NoiseType, Verdict

_UNTOLD = 0.5  # confidence in a view of which the model cannot tell how sure it is
_FOOLED = 0.5  # most that the word of a model counts that calls a picture of nothing sufficient
_DOUBT = 0.9  # for each thing that could have been verified and was not
ANYWHERE = (LookFor(LookAt.ANYWHERE, ""),)


def view_confidence(choice: Choice) -> float:
    """How far a view is to be trusted, 0..1."""
    told = _UNTOLD if choice.confidence is None else choice.confidence
    return min(told, _FOOLED) if choice.fooled else told


def verdict_of(
    reply: Reply, found: Findings, choice: Choice, notes: Sequence[str], final: bool, trusting: bool = False
) -> Assessment:
    """
    Args:
        notes: sentences for the explanation.
        final: no other look can be taken.
        trusting: premises were not to be checked, so that objections are part of the answer and nothing more.
    """
    sure = view_confidence(choice) * _DOUBT**found.doubts
    evidence = _evidence(choice, found)
    remarks = " ".join(filter(None, (*_remarks(choice), found.text(), *notes)))
    if trusting or not reply.objects:
        if not reply.answer:
            return _nothing(remarks)
        if not trusting and reply.cannot_tell:
            return undecided(f"The model cannot tell: {reply.answer}.", sure, notes, evidence)
        report = NoiseReport(explanation=remarks)
        return Assessment(reply.answer, Verdict.ANSWERED, sure, reply.answer, report, evidence)
    why = reply.explanation or reply.correction or reply.false_claim or "Something about the question is wrong"
    said = finished(why, "")
    report = NoiseReport(
        reply.noise,
        reply.false_claim,
        reply.correction,
        reply.corrected_question,
        sure,
        " ".join(filter(None, (said, remarks))),
    )
    if not final and (found.contradicted or reply.noise is NoiseType.LATENT):
        text = finished(found.contradicted[0] if found.contradicted else f"I have not seen {_what(reply)} yet", "")
        return Assessment(text, Verdict.NEEDS_LOOK, sure, "", _open(report, text), evidence, ANYWHERE)
    if found.contradicted:
        doubt = f"{said} But {found.contradicted[0]}."
        text = finished(doubt, reply.answer) if reply.answer and proposes(report) else f"{doubt} Is it so?"
        return Assessment(text, Verdict.NEEDS_CONFIRMATION, 0.5 * sure, reply.answer, report, evidence)
    if reply.noise is not NoiseType.LATENT and reply.correction and reply.answer:
        return Assessment(finished(why, reply.answer), Verdict.CORRECTED, sure, reply.answer, report, evidence)
    return Assessment(said, Verdict.UNANSWERABLE, sure, "", report, evidence)


def undecided(
    text: str, confidence: float, notes: Sequence[str] = (), evidence: tuple[Evidence, ...] = ()
) -> Assessment:
    """More must be seen; notes are for the explanation."""
    noise = NoiseReport(NoiseType.UNKNOWN, explanation=" ".join(filter(None, (text, *notes))))
    return Assessment(text, Verdict.NEEDS_LOOK, confidence, noise=noise, evidence=evidence, look_for=ANYWHERE)


def no_model(text: str) -> Assessment:
    """Nobody could answer."""
    return Assessment(text, Verdict.NEEDS_MODEL, 0.0, noise=NoiseReport(NoiseType.UNKNOWN, explanation=text))


def _nothing(remarks: str) -> Assessment:
    text = " ".join(filter(None, ("The model replied nothing that can be read as an answer.", remarks)))
    return no_model(text)


def _open(report: NoiseReport, text: str) -> NoiseReport:
    return NoiseReport(NoiseType.UNKNOWN, report.false_claim, confidence=report.confidence, explanation=text)


def _what(reply: Reply) -> str:
    names = reply.missing[:3]
    return " and ".join(f"any {name}" for name in names) if names else "all that the question speaks of"


def _evidence(choice: Choice, found: Findings) -> tuple[Evidence, ...]:
    views = [choice.view, *([found.view] if found.view is not None else [])]
    return tuple(dict.fromkeys(view.evidence for view in views))


def _remarks(choice: Choice) -> list[str]:
    remarks = []
    if choice.fooled:
        remarks.append("Not verified: the model calls even a picture of nothing sufficient.")
    if choice.confidence is None:
        remarks.append("Not verified: the model does not say how sure it is.")
    if choice.asked < choice.known:
        remarks.append(f"It was asked about {choice.asked} of {choice.known} views.")
    return remarks
