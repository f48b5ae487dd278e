"""A typed verdict from a model's reply and from what supports or contradicts it.

``findings`` asks what the perceiver named and whether the model agrees with itself.

``noise.explanation`` tells why a question is mistaken, and then, in sentences that begin with ``Verified``, ``Not
verified`` and ``Contradicted``, what speaks for and against that; the text of an answer stays as it would be.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from vantage.answering.protocol import Assessment, LookAt, LookFor
from vantage.answering.symbolic import finished
from vantage.answering.vlm.model_text import Reply
from vantage.answering.vlm.view_choice import Choice
from vantage.answering.vlm.view_confidence import YesNo
from vantage.answering.vlm.view_memory import View, spread
from vantage.questions import COLORS, MATERIAL_ADJECTIVES
from vantage.questions.lexicon import canonical, plural
from vantage.types import Detection, Evidence, NoiseReport, NoiseType, Verdict

STATEMENT_PROMPT, PRESENCE_PROMPT = "truer_statement", "presence"
NEGATIVE = ("no", "0", "none", "zero", "nothing")  # answers that say that nothing is there
_SEEN_OFTEN = 2  # views that must name an object before it counts: one may have misread it
_MOST_KINDS = 4096  # that are remembered
_MOST_LOOKS = 6  # views in which an absent object is looked for
_MOST_WORDS = 3  # of a label
_ROOMS = frozenset(
    {"room", "kitchen", "living room", "bedroom", "bathroom", "hall", "hallway", "office", "study", "dining room"}
    | {"workshop", "laundry room", "home", "house", "apartment"}
)
_CONTRADICTED = 0.5  # confidence that is left to a reply against which something speaks
_ABSENT = (NoiseType.LATENT, NoiseType.PERCEPTION, NoiseType.SEMANTIC)  # types that say that a thing is not there
_SMALL_WORDS = frozenset({"a", "an", "the", "any", "some", "one", "of", "and"})
_SORTS = {
    "color": frozenset({*COLORS, "grey"}),
    "material": frozenset({*MATERIAL_ADJECTIVES, *MATERIAL_ADJECTIVES.values()}),
    "shape": frozenset({"round", "square", "rectangular"}),
}
_SAME_QUALITY = {"grey": "gray", **{adjective: material for material, adjective in MATERIAL_ADJECTIVES.items()}}
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
        views: others, that show what the model calls absent.
    """

    verified: list[str] = field(default_factory=list)
    unverified: list[str] = field(default_factory=list)
    contradicted: list[str] = field(default_factory=list)
    doubts: int = 0
    views: tuple[View, ...] = ()

    def doubt(self, what: str) -> None:
        """Something that nothing speaks for, though something could."""
        self.unverified.append(what)
        self.doubts += 1

    def text(self) -> str:
        """Sentences; empty where there was nothing to verify."""
        parts = (("Verified", self.verified), ("Not verified", self.unverified), ("Contradicted", self.contradicted))
        return " ".join(f"{title}: {'; '.join(dict.fromkeys(items))}." for title, items in parts if items)


class NamedObjects:
    """In how many views the perceiver named each kind of object, and how it looked. Safe to call from several threads.

    Of more than ``_MOST_KINDS`` kinds, those that were not named for the longest are forgotten.
    """

    def __init__(self) -> None:
        self._views: dict[Named, int] = {}  # what was named last comes last
        self._lock = threading.Lock()

    def reset(self) -> None:
        with self._lock:
            self._views.clear()

    def add(self, seen: Iterable[Detection]) -> None:
        """What was seen in one view."""
        kinds = [Named(canonical(each.label), each.color, each.material, each.shape) for each in seen if each.label]
        with self._lock:
            for kind in dict.fromkeys(kinds):
                self._views[kind] = self._views.pop(kind, 0) + 1
            while len(self._views) > _MOST_KINDS:
                del self._views[next(iter(self._views))]

    def has(self, phrase: str) -> bool | None:
        """Whether such an object was named, with all that a phrase says of it ("a red mug"). None where that cannot be
        told: nothing was named at all, or the phrase says what the perceiver does not ("the small mug", "three mugs").

        What stands where is told by no name, so that a place in the phrase ("on the table") does not count.
        """
        words = _PLACE.sub("", f" {_LEAD.sub('', phrase.strip())} ").lower().split()
        with self._lock:
            often = self._often()
            if not self._views:
                return None
            label, qualities = _named_by(words, frozenset(kind.label for kind in often))
            if not label:
                return False
            alike = [kind for kind in often if kind.label == label]
            told = [_fits(kind, qualities) for kind in alike]
            return True if True in told else None if None in told else False

    def has_kind(self, phrase: str) -> bool | None:
        """The same of the kind of object alone, whatever it looks like."""
        words = _PLACE.sub("", f" {_LEAD.sub('', phrase.strip())} ").lower().split()
        with self._lock:
            if not self._views:
                return None
            return bool(_named_by(words, frozenset(kind.label for kind in self._often()))[0])

    def _often(self) -> list[Named]:
        """What was named in several views: the kind of it, for looks are misread now and then."""
        often: dict[str, int] = {}
        for kind, views in self._views.items():
            often[kind.label] = often.get(kind.label, 0) + views
        return [kind for kind in self._views if often[kind.label] >= _SEEN_OFTEN]


@dataclass(frozen=True)
class Named:
    """A kind of object, with what the perceiver says of its looks; empty for nothing."""

    label: str
    color: str = ""
    material: str = ""
    shape: str = ""


def _named_by(words: Sequence[str], labels: frozenset[str]) -> tuple[str, list[str]]:
    """The label that the last words of a phrase are, the longest first, and the words before it; else nothing."""
    several = {plural(label): label for label in labels}
    for count in range(min(_MOST_WORDS, len(words)), 0, -1):
        end = " ".join(words[-count:])
        label = several.get(end, canonical(end))
        if label in labels:
            return label, list(words[:-count])
    return "", []


def _fits(kind: Named, qualities: Iterable[str]) -> bool | None:
    """Whether an object has some qualities; None where one is of a sort that was not told of it."""
    told: bool | None = True
    for word in qualities:
        if word in _SMALL_WORDS:
            continue
        sort = next((sort for sort, values in _SORTS.items() if word in values), "")
        own = getattr(kind, sort, "") if sort else ""
        if not own:
            told = None
        elif own != _SAME_QUALITY.get(word, word):
            return False
    return told


def findings(
    yes_no: YesNo, reply: Reply, shown: Sequence[View], views: Sequence[View], named: NamedObjects, most: int = 1
) -> Findings:
    """Check a verdict.

    Args:
        shown: on which the model rests it.
        views: all that are remembered; some of them are searched for what is said to be absent.
        most: pictures that go into one call.

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
    absent = claimed_absent(reply)
    for obj in absent:
        _check_absent(yes_no, obj, views, named, found, most)
    if reply.false_claim and reply.correction:
        _check_statements(yes_no, reply, shown, found)
    elif not absent:
        found.doubt("the model did not say both what is wrong and what is right")
    return found


def claimed_absent(reply: Reply) -> tuple[str, ...]:
    """What a model says is not there, with all that the question says of it. Where it says how the thing is instead,
    that is the claim, and not that the thing is absent."""
    if reply.noise is not NoiseType.LATENT:
        return ()
    claimed = _LEAD.sub("", reply.false_claim.strip())
    return (
        (claimed,) if claimed and _LEAD.match(reply.false_claim) else reply.missing or ((claimed,) if claimed else ())
    )


def _check_there(obj: str, named: NamedObjects, found: Findings) -> None:
    if canonical(_LEAD.sub("", obj.lower())) in _ROOMS:
        return  # no perceiver names the room that it is in
    has = named.has(obj)
    if has:
        found.verified.append(f"the perceiver named '{obj}' too")
    elif named.has_kind(obj) is None:
        found.unverified.append(f"that there is '{obj}' (there are no detections to compare with)")
    elif has is None or named.has_kind(obj):
        found.unverified.append(f"that there is '{obj}' (the perceiver named such a thing, not how it looks)")
    else:
        found.doubt(f"that there is '{obj}' (the perceiver did not name it)")


def _check_absent(
    yes_no: YesNo, obj: str, views: Sequence[View], named: NamedObjects, found: Findings, most: int
) -> None:
    if named.has(obj) and not _PLACE.search(f" {obj} "):
        found.contradicted.append(f"the perceiver named '{obj}', which the model calls absent")
        return
    found.views, answered = yes_no.shown_in(PRESENCE_PROMPT, f"a {obj}", spread(views, _MOST_LOOKS), most)
    if found.views:
        found.contradicted.append(f"the model sees '{obj}' in another view, which it calls absent")
    elif answered:
        found.verified.append(f"none of {answered} views shows '{obj}'")
    else:
        found.doubt(f"that there is no '{obj}'")


def _check_statements(yes_no: YesNo, reply: Reply, shown: Sequence[View], found: Findings) -> None:
    """Ask which statement is truer, in both orders: one who always says yes, or always A, contradicts himself."""
    truer = yes_no.is_truer(STATEMENT_PROMPT, reply.correction, reply.false_claim, shown)
    if truer is None:
        found.doubt("the correction")
    elif truer:
        found.verified.append("asked both ways, the model finds the correction truer than the claim")
    else:
        found.contradicted.append("asked both ways, the model does not find the correction truer than the claim")


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
    evidence = _evidence(choice, reply, found)
    remarks = " ".join(filter(None, (*_remarks(choice), found.text(), *notes)))
    if trusting or not reply.objects:
        if not reply.answer:
            return _nothing(remarks)
        if not trusting and reply.cannot_tell:
            return undecided(f"The model cannot tell: {reply.answer}.", sure, notes, evidence)
        report = NoiseReport(explanation=remarks)
        return Assessment(reply.answer, Verdict.ANSWERED, sure, reply.answer, report, evidence)
    why = reply.explanation or reply.correction or reply.false_claim or "Something about the question is wrong"
    sure *= _CONTRADICTED if found.contradicted else 1.0
    report = NoiseReport(
        reply.noise,
        reply.false_claim,
        reply.correction,
        reply.corrected_question,
        sure,
        " ".join(filter(None, (finished(why, ""), remarks))),
    )
    corrects = reply.noise is not NoiseType.LATENT and bool(reply.correction and reply.answer)
    verdict = Verdict.CORRECTED if corrects else Verdict.UNANSWERABLE
    if not final and (is_open(reply) or (found.contradicted and claimed_absent(reply))):
        text = f"I have not seen enough to be sure. So far: {finished(why, reply.answer if corrects else '')}"
        report = replace(report, noise_type=NoiseType.UNKNOWN)
        return Assessment(text, Verdict.NEEDS_LOOK, sure, reply.answer if corrects else "", report, evidence, ANYWHERE)
    text = finished(why, reply.answer if corrects else "")
    return Assessment(text, verdict, sure, reply.answer if corrects else "", report, evidence)


def is_open(reply: Reply) -> bool:
    """Whether a reply calls something absent, or another thing than it is called, and has not seen all of the place
    where that should be."""
    return reply.noise in _ABSENT and reply.place_shown is not True


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


def _evidence(choice: Choice, reply: Reply, found: Findings) -> tuple[Evidence, ...]:
    best = [choice.views[reply.picture - 1]] if 0 < reply.picture <= len(choice.views) else []
    return evidence_of((*best, *choice.views, *found.views))


def evidence_of(views: Iterable[View]) -> tuple[Evidence, ...]:
    """Where views were taken, each once."""
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
