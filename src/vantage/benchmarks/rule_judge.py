"""A deterministic judge, 1 to 5: NoisyEQA's scale for noisy questions, E3VS-Bench's grounding rule for clean ones.

It compares words only, knows nothing of how an answer was found and shares no code with question answering.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from vantage.benchmarks.answer_text import (
    LONGEST_ANSWER,
    affirms,
    agrees,
    agrees_in_letters,
    denies,
    explicit_yes_or_no,
    final_part,
    mentions,
    named_first,
    singular,
    values_of,
    words,
)
from vantage.benchmarks.answer_words import PREPOSITIONS
from vantage.types import Answer, NoiseType, TruthQuestion, Verdict

_OBJECTION = re.compile(
    r"\bthere (?:is|are|was|were) (?:no|not)\b|\bthere['\u2019]s no\b|\bthere (?:is|are|was|were)n['\u2019]t\b|"
    r"\bno such\b|(?:does|do|did)(?: not|n['\u2019]t) exist\b|\bnot (?:present|mentioned)\b|"
    r"\b(?:cannot|can['\u2019]t|can not) be answered\b|\bunanswerable\b|\bfalse premise\b|"
    r"\b(?:premise|question) is (?:false|wrong|incorrect|mistaken)\b|\bthe question assumes\b",
    re.IGNORECASE,
)
_STRUCTURE = frozenset(words("there is are was were be has have in on room scene house here any some and"))
_NAMING = ("relation", "superlative")  # kinds that ask what a thing is
_NEGATIVE_ANSWERS = (("no",), ("0",), ("none",), ("nothing",))


@dataclass(frozen=True)
class Judgement:
    """A mark and what it rests on.

    Attributes:
        score: 1..5.
        reason: in words.
        correct: the answer says what the gold answer says.
        grounded: the targets were visible where it counts (always true where nothing had to be seen).
        detected, corrected: the false premise was recognised, and put right (noisy questions only).
        false_alarm: the premise of a clean question was called false.
    """

    score: int
    reason: str
    correct: bool = False
    grounded: bool = False
    detected: bool = False
    corrected: bool = False
    false_alarm: bool = False


@dataclass(frozen=True)
class RuleJudge:
    """Marks one answer at a time.

    NoisyEQA (arXiv 2412.10726, supplement): 1 noise ignored and answer wrong, 2 noise ignored and answer right by
    chance, 3 noise recognised only, 4 noise corrected and answer partly right or missing, 5 noise corrected and answer
    exact. A question about an absent object (LATENT) has no answer besides its absence, so naming the object is 5.

    E3VS-Bench (arXiv 2604.17969, figure 17): 5 right and visible in what the agent saw last, otherwise 1.

    Attributes:
        grounded_at: least visible fraction at which a target counts as seen; lower than what labels demand, because
            a label has to be easy and a judge fair.
    """

    grounded_at: float = 0.15
    name: str = "rules"

    def judge(self, truth: TruthQuestion, answer: Answer | None, visible: float | None) -> Judgement:
        """Mark an answer.

        Args:
            truth: gold data of the question.
            answer: what the agent said; None where it said nothing.
            visible: largest visible fraction, over the evidence and the last frame, of the target seen least; None
                where no target has to be seen.
        """
        if answer is None:
            return Judgement(1, "no answer was given")
        if not truth.premise_holds:
            return self._noisy(truth, answer)
        return self._clean(truth, answer, visible)

    def _clean(self, truth: TruthQuestion, answer: Answer, visible: float | None) -> Judgement:
        correct = _is_exact(truth, answer)
        grounded = visible is None or visible >= self.grounded_at
        if _objects_by_verdict(answer) or (not correct and _objects_in_words(answer) and not _is_negative(truth)):
            return Judgement(1, "the premise holds, but the answer calls it false", correct, grounded, false_alarm=True)
        if answer.verdict in (Verdict.NEEDS_LOOK, Verdict.NEEDS_MODEL):
            return Judgement(1, f"not answered: {answer.verdict.name.lower().replace('_', ' ')}", False, grounded)
        if not correct:
            return Judgement(1, f"wrong: expected '{truth.answer}'", False, grounded)
        if not grounded:
            seen = 0.0 if visible is None else visible
            return Judgement(
                1, f"right, but only {seen:.0%} of the target was visible ({self.grounded_at:.0%} needed)", True, False
            )
        return Judgement(5, "right, and the target was visible", True, True)

    def _noisy(self, truth: TruthQuestion, answer: Answer) -> Judgement:
        correct = _is_exact(truth, answer)
        detected = _objects_by_verdict(answer) or _objects_in_words(answer) or _denies_claim(truth, answer)
        if not detected:
            if answer.verdict in (Verdict.NEEDS_LOOK, Verdict.NEEDS_MODEL):
                return Judgement(1, f"not answered: {answer.verdict.name.lower().replace('_', ' ')}", grounded=True)
            if correct:
                return Judgement(2, "the false premise was ignored, the answer is right by chance", True, True)
            return Judgement(1, "the false premise was ignored and the answer is wrong", False, True)
        if truth.noise_type == NoiseType.LATENT:
            if _names_absent_object(truth, answer):
                return Judgement(5, "the absent object was named as absent", True, True, True, True)
            return Judgement(3, "recognised, without saying what is absent", correct, True, True)
        if not _corrects(truth, answer):
            return Judgement(3, "the false premise was recognised, not corrected", correct, True, True)
        if correct:
            return Judgement(5, "the false premise was corrected and the answer is exact", True, True, True, True)
        return Judgement(4, f"corrected, but the answer is not '{truth.answer}'", False, True, True, True)


def _is_exact(truth: TruthQuestion, answer: Answer) -> bool:
    said, golds = final_part(answer.text), (truth.answer, *truth.accepted)
    if truth.kind == "text":
        return any(agrees_in_letters(said, gold) for gold in golds)
    if truth.answer in ("yes", "no"):
        explicit = explicit_yes_or_no(said)
        if explicit or truth.kind == "existence":
            return agrees(said, truth.answer)
        return any(agrees(said, gold) for gold in truth.accepted)
    if truth.kind in _NAMING:
        said = named_first(said)
        if "and" in words(said):
            return False  # several things are a list of guesses
    return any(agrees(said, gold) for gold in golds)


def _is_negative(truth: TruthQuestion) -> bool:
    return words(truth.answer) in _NEGATIVE_ANSWERS or words(truth.answer)[:1] == ("no",)


def _objects_by_verdict(answer: Answer) -> bool:
    """Whether the typed part of an answer calls the premise false."""
    if answer.verdict in (Verdict.CORRECTED, Verdict.UNANSWERABLE):
        return True
    if answer.verdict in (Verdict.NEEDS_LOOK, Verdict.NEEDS_MODEL):
        return False
    return answer.noise.noise_type not in (NoiseType.NONE, NoiseType.UNKNOWN)


def _objects_in_words(answer: Answer) -> bool:
    if answer.verdict in (Verdict.NEEDS_LOOK, Verdict.NEEDS_MODEL):
        return False
    return _OBJECTION.search(answer.text) is not None


def _denies_claim(truth: TruthQuestion, answer: Answer) -> bool:
    """Whether the text denies what sets the false claim apart ("the mug is not red")."""
    if answer.verdict in (Verdict.NEEDS_LOOK, Verdict.NEEDS_MODEL):
        return False
    return any(denies(answer.text, word) for word in _difference(truth.false_claim, truth.correction))


def _difference(one: str, other: str) -> tuple[str, ...]:
    """The content words of one statement that the other lacks."""
    known = {singular(word) for word in words(other)} | _STRUCTURE
    return tuple(word for word in words(one) if singular(word) not in known)


def _names_absent_object(truth: TruthQuestion, answer: Answer) -> bool:
    """Whether the absent object is said to be absent, in words or in the noise report."""
    absent = _subject(truth.false_claim)
    if not absent or len(words(answer.text)) > LONGEST_ANSWER:
        return False
    said = final_part(answer.text)
    if said and said != answer.text.strip() and not _withholds(truth, said, absent):
        return False
    if denies(answer.text, absent):
        return True
    reported = f"{answer.noise.false_claim} {answer.noise.correction} {answer.text}"
    return _objects_by_verdict(answer) and mentions(reported, absent)


def _subject(claim: str) -> str:
    """What a claim such as "there is a red mug on the table" is about: its last word before any place, "mug"."""
    subject = ""
    for word in words(claim):
        if word in PREPOSITIONS:
            break
        subject = subject if word in _STRUCTURE else word
    return subject


def _withholds(truth: TruthQuestion, said: str, absent: str) -> bool:
    """Whether a final answer leaves it at the absence instead of making something up."""
    if any(agrees(said, gold) for gold in (truth.answer, *truth.accepted)) or _OBJECTION.search(said):
        return True
    return words(said) in _NEGATIVE_ANSWERS or denies(said, absent)


def _corrects(truth: TruthQuestion, answer: Answer) -> bool:
    """Whether what is right instead of the false claim is stated, without a list of guesses."""
    report = f"{answer.noise.correction} {answer.noise.corrected_question}".strip()
    statement = report if report else answer.text
    if len(words(statement)) > LONGEST_ANSWER:
        return False
    needed = _difference(truth.correction, truth.false_claim)
    if not needed:
        return agrees(statement, truth.correction)
    if not all(affirms(statement, word) for word in needed):
        return False
    known = " ".join((truth.correction, truth.false_claim, truth.corrected_question, truth.answer, *truth.accepted))
    guesses = values_of(statement, like=needed) - values_of(known, like=needed)
    return not guesses
