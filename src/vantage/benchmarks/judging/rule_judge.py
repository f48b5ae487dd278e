"""A deterministic judge, 1 to 5: NoisyEQA's scale for noisy questions, E3VS-Bench's grounding rule for clean ones.

It compares words only, knows nothing of how an answer was found and shares no code with question answering.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from vantage.benchmarks.judging.exact_answers import is_exact
from vantage.benchmarks.judging.false_statements import says_falsely
from vantage.benchmarks.judging.judges import Case, Judgement
from vantage.benchmarks.judging.objections import alarms, detects, is_open, names_absence, tells_elsewhere
from vantage.benchmarks.judging.stated_corrections import corrects
from vantage.errors import RecordingError
from vantage.types import Answer, NoiseType, TruthQuestion

GROUNDED_AT = 0.15  # least visible fraction at which a target counts as seen


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
    version: str = "2"
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
        if answer is None:
            return Judgement(1, "no answer was given")
        if not truth.premise_holds:
            return self._noisy(truth, answer)
        return self._clean(truth, answer, case)

    def _clean(self, truth: TruthQuestion, answer: Answer, case: Case) -> Judgement:
        question = case.question
        correct = is_exact(truth, answer, question)
        grounded = self._answered_by_end(case) if self.end else case.visible is None or case.visible >= self.grounded_at
        if alarms(truth, answer, correct, question):
            return Judgement(1, "the premise holds, but the answer calls it false", correct, grounded, false_alarm=True)
        if is_open(answer):
            return Judgement(1, f"not answered: {answer.verdict.name.lower().replace('_', ' ')}", False, grounded)
        if not correct:
            return Judgement(1, f"wrong: expected '{truth.answer}'", False, grounded)
        if tells_elsewhere(truth, answer.text, question):
            return Judgement(1, "said of a thing elsewhere than the question has it", False, grounded)
        if says_falsely(truth, answer.text, question):
            return Judgement(1, f"'{truth.answer}', but beside it something that cannot be so", False, grounded)
        if not grounded and self.end:
            return Judgement(1, "right, but the last look does not show it", True, False)
        if not grounded:
            seen = 0.0 if case.visible is None else case.visible
            return Judgement(
                1, f"right, but only {seen:.0%} of the target was visible ({self.grounded_at:.0%} needed)", True, False
            )
        return Judgement(5, "right, and the target was visible", True, True)

    def _answered_by_end(self, case: Case) -> bool:
        if case.end_answers is None and case.truth.target_instances:
            raise RecordingError(
                "the recording does not tell whether its last look answers the question; record the episode anew"
            )
        return case.end_answers is not False

    def _noisy(self, truth: TruthQuestion, answer: Answer) -> Judgement:
        correct = is_exact(truth, answer)
        if not detects(truth, answer):
            if is_open(answer):
                return Judgement(1, f"not answered: {answer.verdict.name.lower().replace('_', ' ')}", grounded=True)
            if correct:
                return Judgement(2, "the false premise was ignored, the answer is right by chance", True, True)
            return Judgement(1, "the false premise was ignored and the answer is wrong", False, True)
        if truth.noise_type == NoiseType.LATENT:
            if names_absence(truth, answer):
                return Judgement(5, "the absent object was named as absent", True, True, True, True)
            return Judgement(3, "recognised, without saying what is absent", correct, True, True)
        if not corrects(truth, answer):
            return Judgement(3, "the false premise was recognised, not corrected", correct, True, True)
        if correct:
            return Judgement(5, "the false premise was corrected and the answer is exact", True, True, True, True)
        return Judgement(4, f"corrected, but the answer is not '{truth.answer}'", False, True, True, True)
