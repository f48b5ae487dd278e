"""What is put right in passing corrects a false premise, and is an objection to one that holds."""

from __future__ import annotations

from row_tables import each_row

from vantage.benchmarks.judging.judges import Case
from vantage.benchmarks.judging.rule_judge import RuleJudge
from vantage.types import Answer, NoiseType, TruthQuestion, Verdict


def _noisy(kind: str, answer: str, noise: NoiseType, false: str, true: str) -> TruthQuestion:
    return TruthQuestion(
        "q",
        kind,
        answer,
        premise_holds=False,
        noise_type=noise,
        false_claim=false,
        correction=true,
        target_instances=(1,),
    )


COUNT = _noisy("color", "green", NoiseType.COUNT, "there are four plates", "there are three plates")
COLOR = _noisy("existence", "yes", NoiseType.COLOR, "the cabinet is blue", "the cabinet is white")
PLACE = _noisy(
    "shape", "rectangular", NoiseType.POSITION, "the pillow is on the white bed", "the pillow is on the gray couch"
)


def _score(truth: TruthQuestion, text: str, question: str = "") -> int:
    return RuleJudge().judge(Case(truth, Answer("q", text, Verdict.ANSWERED, 0.9), 1.0, question=question)).score


@each_row(
    "truth, text, score",
    [
        (COUNT, "there are only three plates; they are green", 5),
        (COUNT, "Green. There are three plates.", 5),
        (COUNT, "Green, but there are just three.", 5),
        (COUNT, "The three plates are green", 2),
        (COUNT, "Three of the four plates are green", 2),
        (COUNT, "Only three plates are visible from here; green", 2),
        (COUNT, "There are four plates, green", 2),
        (COLOR, "yes, but the cabinet is white", 5),
        (COLOR, "Yes. It's white, though.", 5),
        (COLOR, "Actually the cabinet is white. Yes.", 5),
        (COLOR, "yes, the white cabinet", 2),
        (COLOR, "yes, but the lamp is white", 2),
        (COLOR, "yes, but the cabinet may be white", 2),
        (COLOR, "yes, but the cabinet is not white", 2),
        (COLOR, "yes, but it is blue", 2),
        (COLOR, "yes, but it stands beside a white lamp", 2),
        (COLOR, "yes, but it is next to the white lamp", 2),
        (COLOR, "yes, but it is actually white", 5),
        (PLACE, "rectangular, but it lies on the gray couch", 5),
        (PLACE, "rectangular, although the pillow is on the gray couch", 5),
        (PLACE, "rectangular, on the gray couch", 2),
        (PLACE, "rectangular, but the cat lies on the gray couch", 2),
    ],
)
def test_a_clause_that_sets_what_is_true_against_the_claim_corrects_it(
    truth: TruthQuestion, text: str, score: int
) -> None:
    assert _score(truth, text) == score


CLEAN = TruthQuestion("q", "existence", "yes", target_instances=(1,))
GREEN = TruthQuestion("q", "color", "green", target_instances=(1,))
ROUND = TruthQuestion("q", "shape", "rectangular", target_instances=(1,))


@each_row(
    "truth, question, text, alarm",
    [
        (CLEAN, "Is the white cabinet next to the bed?", "yes, but the cabinet is red", True),
        (CLEAN, "Is the white cabinet next to the bed?", "yes, it is white", False),
        (CLEAN, "Is the white cabinet next to the bed?", "yes, but it is also near the window", False),
        (CLEAN, "Is the white cabinet next to the bed?", "yes, but it may be red", False),
        (CLEAN, "Is the white cabinet next to the bed?", "Yes, but it is next to the red chair, too", False),
        (CLEAN, "Is the white cabinet next to the bed?", "Yes, but it stands under a red picture", False),
        (GREEN, "What color are the four plates?", "green, but there are only three plates", True),
        (GREEN, "What color are the four plates?", "green; there are four plates", False),
        (GREEN, "What color are the four plates?", "All four are green.", False),
        (ROUND, "What shape is the pillow on the white bed?", "rectangular, but it is gray", True),
        (ROUND, "What shape is the pillow on the white bed?", "rectangular", False),
    ],
)
def test_the_same_on_a_question_that_is_right_is_a_false_alarm(
    truth: TruthQuestion, question: str, text: str, alarm: bool
) -> None:
    case = Case(truth, Answer("q", text, Verdict.ANSWERED, 0.9), 1.0, question=question)
    assert RuleJudge().judge(case).false_alarm == alarm
