"""A typed verdict from a model's reply and from what supports or contradicts it.

``findings`` asks what the perceiver named and whether the model agrees with itself.

``noise.explanation`` tells why a question is mistaken, and then, in sentences that begin with ``Verified``, ``Not
verified`` and ``Contradicted``, what speaks for and against that; the text of an answer stays as it would be.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from vantage.answering.protocol import Assessment, LookAt, LookFor
from vantage.answering.symbolic import finished, proposes
from vantage.answering.vlm.model_text import Reply
from vantage.answering.vlm.view_confidence import Choice, YesNo
from vantage.answering.vlm.view_memory import View, spread
from vantage.models import prompt
from vantage.questions.lexicon import canonical, plural
from vantage.types import Evidence, NoiseReport, NoiseType, Verdict

STATEMENT_PROMPT, PRESENCE_PROMPT = "truer_statement", "presence"
NEGATIVE = ("no", "0", "none", "zero", "nothing")  # answers that say that nothing is there
_SEEN_OFTEN = 2  # views that must name an object before it counts: one may have misread it
_MOST_KINDS = 4096  # that are remembered
_MOST_LOOKS = 6  # views in which an absent object is looked for
_THERE = 0.5  # probability of yes from which on the model itself sees an object
_MOST_WORDS = 3  # of a label
_PLACE = re.compile(r"\s(?:on|in|at|under|below|above|next|near|beside|behind|left|right|between|with|of|from|by)\s.*")
_LEAD = re.compile(r"^(?:(?:there (?:is|are)|the|a|an|any|some|no)\s+)+", re.IGNORECASE)


@dataclass
class Findings:
    """
    Attributes:
        verified: what something else than the model's word speaks for, in words.
        unverified: what nothing speaks for.
        contradicted: what something speaks against.
        doubts: how many of the unverified could have been verified by what there is.
        view: another view that shows what the model calls absent.
    """

    verified: list[str] = field(default_factory=list)
    unverified: list[str] = field(default_factory=list)
    contradicted: list[str] = field(default_factory=list)
    doubts: int = 0
    view: View | None = None

    def doubt(self, what: str) -> None:
        """Something that nothing speaks for, though something could."""
        self.unverified.append(what)
        self.doubts += 1

    def text(self) -> str:
        """Sentences; empty where there was nothing to verify."""
        parts = (("Verified", self.verified), ("Not verified", self.unverified), ("Contradicted", self.contradicted))
        return " ".join(f"{title}: {'; '.join(dict.fromkeys(items))}." for title, items in parts if items)


class NamedObjects:
    """In how many views the perceiver named each kind of object. Safe to call from several threads.

    Of more than ``_MOST_KINDS`` kinds, those that were not named for the longest are forgotten.
    """

    def __init__(self) -> None:
        self._views: dict[str, int] = {}  # the kind that was named last comes last
        self._lock = threading.Lock()

    def reset(self) -> None:
        with self._lock:
            self._views.clear()

    def add(self, labels: Iterable[str]) -> None:
        """The labels of one view."""
        with self._lock:
            for label in dict.fromkeys(canonical(label) for label in labels if label):
                self._views[label] = self._views.pop(label, 0) + 1
            while len(self._views) > _MOST_KINDS:
                del self._views[next(iter(self._views))]

    def has(self, phrase: str) -> bool | None:
        """Whether an object such as "the red mugs on the table" was named; None where nothing at all was."""
        with self._lock:
            if not self._views:
                return None
            return any(self._views[label] >= _SEEN_OFTEN for label in self._labels(phrase))

    def _labels(self, phrase: str) -> list[str]:
        """Known labels that the last words of a phrase are, the longest first."""
        words = _PLACE.sub("", f" {_LEAD.sub('', phrase.strip())} ").lower().split()
        ends = [" ".join(words[-count:]) for count in range(min(_MOST_WORDS, len(words)), 0, -1)]
        several = {plural(label): label for label in self._views}
        return [label for end in ends if (label := several.get(end, canonical(end))) in self._views]


def findings(yes_no: YesNo, reply: Reply, view: View, views: Sequence[View], named: NamedObjects) -> Findings:
    """Check a verdict.

    Args:
        view: on which the model rests it.
        views: all that are remembered; some of them are searched for what is said to be absent.

    Raises:
        ModelError: the model cannot be asked.
    """
    found = Findings()
    if not reply.formed:
        found.doubt("the reply was not in the form asked for")
    for obj in reply.there:
        _check_there(obj, named, found)
    if not reply.objects:
        if reply.missing and reply.answer.lower() not in NEGATIVE:
            found.doubt(f"an answer about '{reply.missing[0]}', which the model calls absent")
        return found
    absent = reply.missing or ((_object_of(reply.false_claim),) if reply.noise is NoiseType.LATENT else ())
    for obj in filter(None, absent):
        _check_absent(yes_no, obj, views, named, found)
    if reply.false_claim and reply.correction:
        _check_statements(yes_no, reply, view, found)
    elif reply.noise is not NoiseType.LATENT or not any(absent):
        found.doubt("the model did not say both what is wrong and what is right")
    return found


def _check_there(obj: str, named: NamedObjects, found: Findings) -> None:
    has = named.has(obj)
    if has:
        found.verified.append(f"the perceiver named '{obj}' too")
    elif has is None:
        found.unverified.append(f"that there is '{obj}' (there are no detections to compare with)")
    else:
        found.doubt(f"that there is '{obj}' (the perceiver did not name it)")


def _check_absent(yes_no: YesNo, obj: str, views: Sequence[View], named: NamedObjects, found: Findings) -> None:
    if named.has(obj):
        found.contradicted.append(f"the perceiver named '{obj}', which the model calls absent")
        return
    text = prompt(PRESENCE_PROMPT).fill(thing=f"a {_LEAD.sub('', obj)}")
    told = [(yes_no.of(text, view), view) for view in spread(views, _MOST_LOOKS)]
    seen = [(probability, view) for probability, view in told if probability is not None and probability >= _THERE]
    if seen:
        found.view = max(seen, key=lambda pair: pair[0])[1]
        found.contradicted.append(f"the model sees '{obj}' in another view, which it calls absent")
    elif any(probability is not None for probability, _ in told):
        found.verified.append(f"none of {len(told)} views shows '{obj}'")
    else:
        found.doubt(f"that there is no '{obj}'")


def _check_statements(yes_no: YesNo, reply: Reply, view: View, found: Findings) -> None:
    """Ask which statement is truer, in both orders: one who always says yes, or always A, contradicts himself."""
    text = prompt(STATEMENT_PROMPT)
    pairs = (reply.correction, reply.false_claim), (reply.false_claim, reply.correction)
    right, wrong = (yes_no.of(text.fill(first=a, second=b), view) for a, b in pairs)
    if right is None or wrong is None:
        found.doubt("the correction")
    elif right > _THERE > wrong:
        found.verified.append("asked both ways, the model finds the correction truer than the claim")
    else:
        found.contradicted.append("asked both ways, the model does not find the correction truer than the claim")


def _object_of(claim: str) -> str:
    """``red mug`` of "there is a red mug on the table"."""
    return _PLACE.sub("", f" {_LEAD.sub('', claim.strip())} ").strip()


_UNTOLD = 0.5  # confidence in a view of which the model cannot tell how sure it is
_FOOLED = 0.5  # most that the word of a model counts that calls a picture of nothing sufficient
_DOUBT = 0.9  # for each object that could have been verified and was not
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
