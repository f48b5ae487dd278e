"""A deterministic judge, 1 to 5: NoisyEQA's scale for noisy questions, E3VS-Bench's grounding rule for clean ones.

It compares words only, knows nothing of how an answer was found and shares no code with question answering.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from vantage.benchmarks.judging.exact_answers import is_exact
from vantage.benchmarks.judging.false_statements import says_falsely
from vantage.benchmarks.judging.judges import Case, Judgement
from vantage.benchmarks.judging.look_rules import GROUNDED_AT, Look, best_look, last_look
from vantage.benchmarks.judging.objections import alarms, detects, is_open, names_absence, tells_elsewhere
from vantage.benchmarks.judging.stated_corrections import corrects
from vantage.errors import RecordingError
from vantage.types import Answer, NoiseType, TruthQuestion

_LAST_LATIN = 0x24F  # code point


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
        end: a clean answer is grounded where the last look alone answers the question by the rule of the labels, and
            nowhere else.
    """

    grounded_at: float = GROUNDED_AT
    name: str = "rules"
    version: str = "3"
    end: bool = False

    def by_end(self) -> RuleJudge:
        """The judge that goes by the last look alone."""
        return replace(self, version=f"{RuleJudge.version}-end", end=True)

    def judge(self, case: Case) -> Judgement:
        """Mark an answer.

        Raises:
            RecordingError: the last look decides, and what it answers was not recorded.
        """
        truth, answer = case.truth, case.answer
        look = Look()  # the scale of noisy questions asks for no look
        if truth.premise_holds:
            look = last_look(case) if self.end else best_look(case, self.grounded_at)
        if answer is None:
            mark = Judgement(1, "no answer was given", right=False)
        elif truth.premise_holds:
            mark = self._clean(truth, answer, case, look)
        else:
            mark = self._noisy(truth, answer)
        return replace(mark, shown=look.shown, shortfall=look.why)

    def _clean(self, truth: TruthQuestion, answer: Answer, case: Case, look: Look) -> Judgement:
        if self.end and look.shown is None and truth.target_instances:
            raise RecordingError(
                "the recording does not tell whether its last look answers the question; record the episode anew"
            )
        question = case.question
        correct = is_exact(truth, answer, question)
        if alarms(truth, answer, correct, question):
            return _wrong("the premise holds, but the answer calls it false", correct, false_alarm=True)
        if is_open(answer):
            return _wrong(f"not answered: {answer.verdict.name.lower().replace('_', ' ')}")
        if not correct:
            return _wrong(f"wrong: expected '{truth.answer}'{_unread(answer.text)}")
        if tells_elsewhere(truth, answer.text, question):
            return _wrong("said of a thing elsewhere than the question has it")
        if says_falsely(truth, answer.text, question):
            return _wrong(f"'{truth.answer}', but beside it something that cannot be so")
        if look.shown is False:
            which = "the last look does not show it" if self.end else "neither the evidence nor the last look shows it"
            why = f": {look.why.words}" if look.why is not None else ""
            return Judgement(1, f"right, but {which}{why}", True, right=True)
        return Judgement(5, "right, and the target was visible", True, right=True)

    def _noisy(self, truth: TruthQuestion, answer: Answer) -> Judgement:
        correct = is_exact(truth, answer)
        if not detects(truth, answer):
            if is_open(answer):
                return _wrong(f"not answered: {answer.verdict.name.lower().replace('_', ' ')}")
            if correct:
                return replace(_wrong("the false premise was ignored, the answer is right by chance", True), score=2)
            return _wrong(f"the false premise was ignored and the answer is wrong{_unread(answer.text)}")
        if truth.noise_type == NoiseType.LATENT:
            if names_absence(truth, answer):
                return _detected(5, "the absent object was named as absent", True)
            return _detected(3, "recognised, without saying what is absent", correct)
        if not corrects(truth, answer):
            return _detected(3, "the false premise was recognised, not corrected", correct)
        if correct:
            return _detected(5, "the false premise was corrected and the answer is exact", True)
        return _detected(4, f"corrected, but the answer is not '{truth.answer}'", False)


def _unread(text: str) -> str:
    """What to add about an answer in another script than the rules read; empty of one in theirs."""
    letters = [letter for letter in text if letter.isalpha()]
    foreign = sum(ord(letter) > _LAST_LATIN for letter in letters)
    return "; these rules read English only" if 2 * foreign > len(letters) else ""


def _wrong(reason: str, correct: bool = False, false_alarm: bool = False) -> Judgement:
    return Judgement(1, reason, correct, false_alarm=false_alarm, right=False)


def _detected(score: int, reason: str, correct: bool) -> Judgement:
    """Of a noisy question whose false premise was recognised, and from mark 4 on corrected."""
    return Judgement(score, reason, correct, detected=True, corrected=score >= 4, right=score == 5)
