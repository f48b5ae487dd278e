"""The rule judge's scale."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st
from row_tables import each_row

from vantage.benchmarks.judging.judges import Case, Judgement
from vantage.benchmarks.judging.rule_judge import RuleJudge
from vantage.types import Answer, NoiseReport, NoiseType, TruthQuestion, Verdict

CLEAN = TruthQuestion("q", "color", "blue", target_instances=(7,))
ABSENT = TruthQuestion("q", "existence", "no", ("there is no mug on the table",), target_instances=(3,))
COLOR = TruthQuestion(
    "q",
    "location",
    "on the shelf",
    premise_holds=False,
    noise_type=NoiseType.COLOR,
    false_claim="the mug is red",
    correction="the mug is blue",
    corrected_question="Where is the blue mug?",
    target_instances=(7,),
)
LATENT = TruthQuestion(
    "q",
    "color",
    "",
    premise_holds=False,
    noise_type=NoiseType.LATENT,
    false_claim="there is a piano on the rug",
    correction="there is no piano on the rug",
)
JUDGE = RuleJudge()


def said(
    text: str,
    verdict: Verdict = Verdict.ANSWERED,
    correction: str = "",
    noise: NoiseType = NoiseType.NONE,
    claim: str = "",
) -> Answer:
    return Answer("q", text, verdict, 0.9, NoiseReport(noise, claim, correction))


def judge(truth: TruthQuestion, answer: Answer | None, visible: float | None = 1.0) -> Judgement:
    return JUDGE.judge(Case(truth, answer, visible))


def test_clean_and_right_and_visible_is_five() -> None:
    verdict = judge(CLEAN, said("It is blue."), 0.6)
    assert (verdict.score, verdict.correct, verdict.shown, verdict.false_alarm) == (5, True, True, False)


def test_clean_and_right_but_not_visible_is_one() -> None:
    verdict = judge(CLEAN, said("It is blue."), 0.02)
    assert (verdict.score, verdict.correct, verdict.shown) == (1, True, False)
    assert verdict.reason == "right, but neither the evidence nor the last look shows it: 2 % visible, 15 % needed"


@each_row(
    "answer, visible, right, shown",
    [
        ("blue", 0.6, True, True),
        ("blue", 0.02, True, False),
        ("red", 0.6, False, True),
        ("red", 0.02, False, False),
        ("blue", None, True, None),
        (None, 0.02, False, False),
    ],
)
def test_words_and_look_are_told_apart(
    answer: str | None, visible: float | None, right: bool, shown: bool | None
) -> None:
    mark = judge(CLEAN, None if answer is None else said(answer), visible)
    assert (mark.right, mark.shown, mark.shortfall is None) == (right, shown, shown is not False)
    assert (mark.score == 5) == (right and shown is not False)


def test_no_look_counts_where_the_premise_is_false() -> None:
    chance, absent = judge(COLOR, said("on the shelf"), 0.0), judge(LATENT, said("There is no piano."), 0.0)
    assert (chance.score, chance.right, chance.shown) == (2, False, None)
    assert (absent.score, absent.right, absent.shown) == (5, True, None)


def test_without_targets_there_is_nothing_to_be_seen() -> None:
    assert judge(CLEAN, said("blue"), None).score == 5


@pytest.mark.parametrize("text", ["red", "", "I do not know", "red or blue", "x" * 100_000, "\u0000\ud7ff\U0001f600"])
def test_clean_and_wrong_is_one(text: str) -> None:
    verdict = judge(CLEAN, said(text))
    assert (verdict.score, verdict.correct, verdict.false_alarm) == (1, False, False)


@pytest.mark.parametrize(
    "answer",
    [
        said("blue", Verdict.UNANSWERABLE),
        said("The mug is green. Answer: blue", Verdict.CORRECTED, "the mug is green", NoiseType.COLOR),
        said("confirm?", Verdict.NEEDS_CONFIRMATION, noise=NoiseType.COLOR),
        said("There is no mug here."),
        said("The question cannot be answered."),
    ],
)
def test_objecting_to_a_true_premise_is_a_false_alarm(answer: Answer) -> None:
    verdict = judge(CLEAN, answer)
    assert (verdict.score, verdict.false_alarm) == (1, True)


def test_saying_no_to_an_existence_question_is_no_alarm() -> None:
    assert judge(ABSENT, said("No, there is no mug on the table.")).score == 5
    wrong = judge(TruthQuestion("q", "existence", "yes", target_instances=(1,)), said("No."))
    assert (wrong.score, wrong.false_alarm) == (1, False)


@pytest.mark.parametrize("verdict", [Verdict.NEEDS_LOOK, Verdict.NEEDS_MODEL])
def test_not_answering_is_one_and_no_alarm(verdict: Verdict) -> None:
    for truth in (CLEAN, COLOR, LATENT):
        found = judge(truth, said("There is no mug seen yet", verdict))
        assert (found.score, found.false_alarm, found.detected) == (1, False, False)


def test_no_answer_is_one() -> None:
    assert judge(CLEAN, None).score == 1
    assert judge(LATENT, None).score == 1


@each_row(
    "answer, score",
    [
        (said("in the box"), 1),
        (said("on the shelf"), 2),
        (said("It is on the shelf, not on the table."), 2),
        (said("The question cannot be answered.", Verdict.UNANSWERABLE), 3),
        (said("The mug is not red."), 3),
        (
            said(
                "The mug is green, not red. Answer: on the shelf",
                Verdict.CORRECTED,
                "the mug is green",
                NoiseType.COLOR,
            ),
            3,
        ),
        (said("The mug is red, blue, green, white.", Verdict.CORRECTED, noise=NoiseType.COLOR), 3),
        (said("The mug is blue, not red.", Verdict.CORRECTED, "the mug is blue", NoiseType.COLOR), 4),
        (said("in the box", Verdict.CORRECTED, "the mug is blue", NoiseType.COLOR), 4),
        (said("The mug is blue. Answer: on the shelf", Verdict.CORRECTED, "the mug is blue", NoiseType.COLOR), 5),
        (said("on the shelf", Verdict.NEEDS_CONFIRMATION, "the mug is blue", NoiseType.COLOR), 5),
        (said("The mug is not red but blue. Answer: on the shelf"), 5),
    ],
)
def test_the_scale_for_a_wrong_attribute(answer: Answer, score: int) -> None:
    verdict = judge(COLOR, answer)
    assert verdict.score == score, verdict.reason
    assert (verdict.detected, verdict.corrected) == (score >= 3, score >= 4)


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        (said("brown"), 1),
        (said("brown", Verdict.UNANSWERABLE), 3),
        (said("I cannot say", Verdict.UNANSWERABLE, noise=NoiseType.LATENT), 3),
        (said("There is no piano."), 5),
        (said("There isn't any piano in the room.", Verdict.UNANSWERABLE, noise=NoiseType.LATENT), 5),
        (said("", Verdict.UNANSWERABLE, noise=NoiseType.LATENT, claim="there is a piano"), 5),
        (said("There is no piano. Answer: brown", Verdict.CORRECTED, noise=NoiseType.LATENT), 3),
        (said("There is no sofa.", Verdict.CORRECTED, noise=NoiseType.LATENT), 3),
    ],
)
def test_the_scale_for_an_absent_object(answer: Answer, score: int) -> None:
    verdict = judge(LATENT, answer)
    assert verdict.score == score, verdict.reason


@given(
    st.text(max_size=200),
    st.sampled_from(list(Verdict)),
    st.sampled_from(list(NoiseType)),
    st.text(max_size=50),
    st.sampled_from([CLEAN, ABSENT, COLOR, LATENT]),
    st.none() | st.floats(0, 1),
)
def test_any_answer_gets_the_same_mark_twice(
    text: str, verdict: Verdict, noise: NoiseType, correction: str, truth: TruthQuestion, visible: float | None
) -> None:
    answer = said(text, verdict, correction, noise)
    first = judge(truth, answer, visible)
    assert 1 <= first.score <= 5
    assert first.reason
    assert first == judge(truth, answer, visible)
    assert not (first.corrected and not first.detected)


def asked(kind: str, answer: str, *accepted: str) -> TruthQuestion:
    return TruthQuestion("q", kind, answer, accepted, target_instances=(1,))


@each_row(
    "truth, text, right",
    [
        (asked("text", "TEA BAGS"), "tea-bags", True),
        (asked("text", "TEA BAGS"), "It says tea bags.", True),
        (asked("text", "TEA BAGS"), "tea", False),
        (asked("state", "no", "closed"), "No.", True),
        (asked("state", "no", "closed"), "It is closed.", True),
        (asked("state", "no", "closed"), "It is open.", False),
        (asked("state", "no", "closed"), "Yes, it is closed.", False),
        (asked("state", "closed"), "The fridge is shut.", True),
        (asked("room", "no", "kitchen"), "It is in the kitchen.", True),
        (asked("room", "bedroom"), "in the bedroom", True),
        (asked("comparison", "yes"), "Yes, it is larger.", True),
        (asked("comparison", "yes"), "It is larger.", False),
        (asked("existence", "yes"), "There is one.", True),
        (asked("relation", "lamp"), "a lamp on the table", True),
        (asked("relation", "table"), "a lamp on the table", False),
        (asked("relation", "lamp"), "a lamp and a table", False),
        (asked("relation", "yes"), "Yes, the lamp and the table touch.", True),
        (asked("superlative", "vase"), "The vase is the tallest.", True),
        (asked("count", "3", "three"), "three mugs", True),
        (asked("sameness", "3", "three"), "four", False),
        (asked("shape", "round"), "It is circular.", True),
        (asked("size", "large"), "the big one", True),
        (asked("use", "bin"), "in the trash can", True),
        (asked("use", "knife"), "a knife on the counter", True),
        (asked("use", "knife"), "a spoon and a knife", False),
        (asked("use", "counter"), "a knife on the counter", False),
        (asked("use", "on the desk"), "It is on the desk.", True),
        (asked("use", "blue"), "The mug is blue.", True),
    ],
)
def test_each_kind_of_answer_is_compared_in_its_own_way(truth: TruthQuestion, text: str, right: bool) -> None:
    assert (judge(truth, said(text), 1.0).score == 5) is right


@each_row(
    "kind, gold, text, score, reason",
    [
        ("count", "4", "4.0", 5, "right"),
        ("count", "4", "4.5", 1, "expected '4'"),
        ("text", "10:30", "10:30", 5, "right"),
        ("state", "10:30", "half past ten", 5, "right"),
        ("color", "blue", "\u84dd\u8272", 1, "these rules read English only"),
        ("color", "blue", "bleu", 1, "expected 'blue'"),
    ],
)
def test_numbers_times_and_other_scripts(kind: str, gold: str, text: str, score: int, reason: str) -> None:
    verdict = judge(TruthQuestion("q", kind, gold, target_instances=(7,)), said(text))
    assert verdict.score == score
    assert reason in verdict.reason
