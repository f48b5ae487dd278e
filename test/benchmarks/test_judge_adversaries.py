"""What the rule judge gives to honest answers to every type of noise, and to answers made to please any judge."""

from __future__ import annotations

from dataclasses import replace

import pytest
from row_tables import each_row

from vantage.benchmarks.judging.judges import Case
from vantage.benchmarks.judging.rule_judge import RuleJudge
from vantage.types import Answer, NoiseReport, NoiseType, TruthQuestion, Verdict

JUDGE = RuleJudge()
COLORS = ("red", "orange", "yellow", "green", "blue", "purple", "pink", "brown", "black", "white", "gray")
PLACES = ("on the table", "on the shelf", "in the box", "on the desk", "on the bed", "under the sofa", "on the floor")
OBJECTS = ("lamp", "vase", "mug", "ball", "orange", "book", "clock", "sofa", "plant")


def noisy(
    noise: NoiseType, kind: str, answer: str, claim: str, correction: str, corrected: str, *accepted: str
) -> TruthQuestion:
    return TruthQuestion("q", kind, answer, accepted, False, noise, claim, correction, corrected, (1,))


COLOR = noisy(
    *(NoiseType.COLOR, "location", "on the shelf", "the mug is red", "the mug is blue", "Where is the blue mug?")
)
MATERIAL = noisy(
    *(NoiseType.MATERIAL, "color", "brown", "the table is made of metal", "the table is made of wood"),
    "What color is the wooden table?",
)
SHAPE = noisy(
    *(NoiseType.SHAPE, "color", "white", "the clock is square", "the clock is round", "What color is the round clock?")
)
COUNT = noisy(
    *(NoiseType.COUNT, "color", "green", "there are four chairs in the kitchen", "there are two chairs in the kitchen"),
    "What color are the two chairs in the kitchen?",
)
POSITION = noisy(
    *(NoiseType.POSITION, "color", "blue", "the mug is on the table", "the mug is on the shelf"),
    "What color is the mug on the shelf?",
)
PERCEPTION = noisy(
    *(NoiseType.PERCEPTION, "material", "plastic", "there is an orange on the desk", "there is a ball on the desk"),
    "What is the ball on the desk made of?",
)
SEMANTIC = noisy(
    *(NoiseType.SEMANTIC, "color", "gray", "there is an armchair in the bedroom", "there is a sofa in the bedroom"),
    "What color is the sofa in the bedroom?",
)
YES_NO = noisy(
    *(NoiseType.COLOR, "material", "yes", "the mug is red", "the mug is blue", "Is the blue mug made of plastic?")
)
LATENT = TruthQuestion(
    *("q", "color", "", (), False, NoiseType.LATENT),
    *("there is a washing machine in the hall", "there is no washing machine in the hall"),
)
ACTIVE = (COLOR, MATERIAL, SHAPE, COUNT, POSITION, PERCEPTION, SEMANTIC, YES_NO)
EVERY = (*ACTIVE, LATENT)
QUESTIONS = {
    id(COLOR): "Where is the red mug?",
    id(MATERIAL): "What color is the metal table?",
    id(SHAPE): "What color is the square clock?",
    id(COUNT): "What color are the four chairs in the kitchen?",
    id(POSITION): "What color is the mug on the table?",
    id(PERCEPTION): "What is the orange on the desk made of?",
    id(SEMANTIC): "What color is the armchair in the bedroom?",
    id(YES_NO): "Is the red mug made of plastic?",
    id(LATENT): "What color is the washing machine in the hall?",
}


def said(text: str, verdict: Verdict = Verdict.ANSWERED, noise: NoiseReport | None = None) -> Answer:
    return Answer("q", text, verdict, 0.9, noise or NoiseReport())


def mark(truth: TruthQuestion, answer: Answer, question: str | None = None) -> int:
    return JUDGE.judge(Case(truth, answer, 1.0, QUESTIONS.get(id(truth), "") if question is None else question)).score


def twin(truth: TruthQuestion) -> tuple[TruthQuestion, str]:
    """The clean question about the same, and its words."""
    clean = replace(truth, premise_holds=True, noise_type=NoiseType.NONE, false_claim="", correction="")
    return replace(clean, corrected_question=""), truth.corrected_question


@pytest.mark.parametrize("truth", ACTIVE, ids=lambda truth: truth.noise_type.name)
def test_an_honest_report_is_five_without_its_answer_four_and_the_bare_objection_three(truth: TruthQuestion) -> None:
    explanation = f"{truth.correction}, not as asked."
    report = NoiseReport(truth.noise_type, truth.false_claim, truth.correction, truth.corrected_question, 0.9)
    assert mark(truth, said(f"{explanation} Answer: {truth.answer}.", Verdict.CORRECTED, report)) == 5
    assert mark(truth, said(explanation, Verdict.CORRECTED, report)) == 4
    assert mark(truth, said("The question cannot be answered.", Verdict.UNANSWERABLE)) == 3
    assert mark(truth, said(truth.answer)) == 2
    assert mark(truth, said("I do not know.")) == 1


@each_row(
    "truth, text",
    [
        (COLOR, "The question says the mug is red, but it is blue. Answer: on the shelf."),
        (COLOR, "There is no red mug; the mug is blue. It is on the shelf."),
        (COLOR, "The mug is blue instead of red. Answer: on the shelf, next to a red lamp"),
        (MATERIAL, "The table isn't metal, it is wooden. Answer: brown"),
        (SHAPE, "The clock is not square but circular. Answer: It is white."),
        (COUNT, "There are not four but 2 chairs in the kitchen. Answer: green"),
        (COUNT, "There are only two chairs, not four. They are green."),
        (POSITION, "The mug is not on the table but on the shelf. Answer: blue"),
        (POSITION, "The mug is on the shelf, not on the small brown kitchen table. Answer: blue"),
        (POSITION, "There is no mug on the table. The mug is on the shelf beside the table. Answer: blue"),
        (PERCEPTION, "There is no orange on the desk, it is a ball. Answer: plastic"),
        (PERCEPTION, "What looks like an orange is not one: it is a ball. Answer: plastic"),
        (SEMANTIC, "There is no armchair in the bedroom; there is a couch. Answer: gray"),
        (SEMANTIC, "There is no armchair in the bedroom but a settee. Answer: grey"),
        (YES_NO, "The mug is blue, not red. Answer: yes."),
        (LATENT, "There is no washing machine in the hall; I have seen all of it."),
        (LATENT, "The washing machine does not exist."),
        (LATENT, "I see no washer in the hall."),
        (LATENT, "No, there isn't a washing machine here. There is a cabinet."),
        (LATENT, "The washing machine is not here."),
    ],
)
def test_free_words_that_put_it_right_are_five(truth: TruthQuestion, text: str) -> None:
    assert mark(truth, said(text)) == 5


@each_row(
    "truth, text",
    [
        (COLOR, "The mug is red. The mug is blue. Answer: on the shelf"),
        (COLOR, "The mug is red, blue, green or white. Answer: on the shelf"),
        (COLOR, "The mug is blue or red. Answer: on the shelf"),
        (MATERIAL, "The table is metal. It is wooden. Answer: brown"),
        (SHAPE, "The clock is round, square, triangular and oval. Answer: white"),
        (COUNT, "There are one, two, three, four or five chairs. Answer: green"),
        (POSITION, "The mug is on the table. The mug is on the shelf. Answer: blue"),
        (POSITION, "The mug is on the shelf, on the desk, on the bed and on the sofa. Answer: blue"),
        (PERCEPTION, "It is an orange. It is a ball. Answer: plastic"),
        (PERCEPTION, "Ball, apple, lamp, vase. Answer: plastic"),
        (SEMANTIC, "There is an armchair and a sofa in the bedroom. Answer: gray"),
    ],
)
def test_stating_both_or_everything_corrects_nothing(truth: TruthQuestion, text: str) -> None:
    assert mark(truth, said(text)) <= 3
    assert mark(truth, said(text, Verdict.CORRECTED)) <= 3
    report = NoiseReport(truth.noise_type, truth.false_claim, text, "", 0.9)
    assert mark(truth, said(text, Verdict.CORRECTED, report)) <= 3


def test_a_print_in_the_claim_quotes_nobody() -> None:
    truth = replace(MATERIAL, false_claim="the box that says JUICE is made of wood")
    truth = replace(truth, correction="the box that says JUICE is made of plastic")
    both = "The box that says JUICE is made of wood. The box that says JUICE is made of plastic. Answer: brown"
    assert mark(truth, said(both, Verdict.CORRECTED)) == 3
    assert mark(truth, said("The box that says JUICE is plastic, not wood. Answer: brown", Verdict.CORRECTED)) == 5


def test_a_right_report_beside_a_text_that_repeats_the_false_claim_corrects_nothing() -> None:
    report = NoiseReport(NoiseType.COLOR, "the mug is red", "the mug is blue", "", 0.9)
    assert mark(COLOR, said("The mug is red. Answer: on the shelf", Verdict.CORRECTED, report)) == 3


@each_row(
    "text",
    [
        "I cannot tell what color the washing machine is.",
        "I do not know the color of the washing machine.",
        "The question about the washing machine cannot be answered.",
        "There is no sewing machine in the hall.",
        "There may be no washing machine. If there is one, it is white.",
        "There is no washing machine in the hall. It is white.",
        "There is no washing machine in the hall. Answer: white",
        "The washing machine in the hall is white, and there is no question about it.",
        "There is no mug, no table, no sofa, no washing machine, no lamp, no chair.",
        "Unanswerable.",
    ],
)
def test_of_a_object_that_is_not_there_only_its_absence_is_worth_five(text: str) -> None:
    assert mark(LATENT, said(text, Verdict.UNANSWERABLE)) == 3
    repeated = NoiseReport(NoiseType.UNKNOWN, QUESTIONS[id(LATENT)], "", "", 0.5)
    assert mark(LATENT, said(text, Verdict.UNANSWERABLE, repeated)) == 3


@each_row("truth", EVERY)
@each_row("verdict", [Verdict.ANSWERED, Verdict.CORRECTED])
def test_an_answer_that_lists_everything_never_reaches_four(truth: TruthQuestion, verdict: Verdict) -> None:
    for listed in (COLORS, PLACES, OBJECTS, ("yes", "no"), ("one", "two", "three", "four", "five")):
        for joint in (", ", ". ", " and ", " or ", "; ", "\n"):
            assert mark(truth, said(joint.join(listed), verdict)) <= 3
            assert mark(truth, said(f"It is {joint.join(listed)}", verdict)) <= 3
    everything = ", ".join(
        (*COLORS, *PLACES, *OBJECTS, "wood", "metal", "plastic", "round", "square", "yes", "no", "2")
    )
    assert mark(truth, said(everything, verdict)) <= 3
    report = NoiseReport(truth.noise_type, everything, everything, everything, 1.0)
    assert mark(truth, said(everything, verdict, report)) <= 3


CLEAN = (
    *(twin(truth) for truth in ACTIVE),
    (TruthQuestion("q", "relation", "lamp", (), target_instances=(1,)), "What is on the desk?"),
    (TruthQuestion("q", "location", "on the shelf", ("in the kitchen",)), "Where is the mug?"),
    (TruthQuestion("q", "color", "no", ("blue",)), "Is the mug on the shelf red?"),
    (TruthQuestion("q", "existence", "yes"), "Is there a mug on the shelf?"),
    (TruthQuestion("q", "count", "3"), "How many mugs are on the shelf?"),
    (TruthQuestion("q", "text", "BOOKS"), "What is written on the box?"),
    (TruthQuestion("q", "state", "open"), "Is the box open or closed?"),
)


@each_row("truth, question", CLEAN)
def test_a_clean_question_is_right_with_its_answer_and_not_with_a_list(truth: TruthQuestion, question: str) -> None:
    assert mark(truth, said(truth.answer), question) == 5
    assert mark(truth, said(f"I had a look. Answer: {truth.answer}."), question) == 5
    prints = ('"TOYS"', '"BOOKS"', '"FOOD"')
    states = ("open", "closed", "on", "off", "full", "empty")
    for listed in (COLORS, PLACES, OBJECTS, ("yes", "no"), ("1", "2", "3", "4"), prints, states):
        for joint in (", ", ". ", " and ", " or ", "; "):
            assert mark(truth, said(joint.join(listed)), question) == 1, joint.join(listed)
    for listed in (PLACES, OBJECTS, prints):
        assert mark(truth, said(". ".join(f"It says {each}" for each in listed)), question) == 1


@each_row("truth, question", CLEAN)
def test_objecting_to_a_clean_question_is_an_alarm_even_beside_the_right_answer(
    truth: TruthQuestion, question: str
) -> None:
    for text in (
        f"The premise is false. Answer: {truth.answer}",
        f"The question is wrong, there is no such thing. Answer: {truth.answer}",
        f"The question cannot be answered. Answer: {truth.answer}",
    ):
        judgement = JUDGE.judge(Case(truth, said(text), 1.0, question))
        assert (judgement.score, judgement.false_alarm) == (1, True)
    report = NoiseReport(NoiseType.COLOR, "a", "b", "c", 0.5)
    for verdict in (Verdict.CORRECTED, Verdict.UNANSWERABLE):
        assert JUDGE.judge(Case(truth, said(truth.answer, verdict, report), 1.0, question)).false_alarm


@pytest.mark.parametrize("truth", ACTIVE, ids=lambda truth: truth.noise_type.name)
def test_whoever_objects_to_everything_and_answers_beside_it_fails_one_twin(truth: TruthQuestion) -> None:
    """The same words on both twins: where they reach 4 on the noisy one, they are an alarm on the clean one."""
    clean, question = twin(truth)
    subject = truth.corrected_question.split(" the ")[1].split()[-1].rstrip("?")
    for text in (
        f"{truth.correction}, not the other. Answer: {truth.answer}",
        f"There is no such {subject}. Answer: {truth.answer}",
        f"There is no {subject} as asked. Answer: {truth.answer}",
        f"It is unanswerable. {truth.correction}. Answer: {truth.answer}",
    ):
        on_noisy = mark(truth, said(text, Verdict.CORRECTED))
        on_clean = JUDGE.judge(Case(clean, said(text, Verdict.CORRECTED), 1.0, question))
        assert not (on_noisy >= 3 and on_clean.score == 5)
        assert on_clean.false_alarm


@pytest.mark.parametrize(
    ("text", "alarm"),
    [
        ("The mug is not on the shelf. Answer: blue", True),
        ("There is no mug on the shelf. Answer: blue", True),
        ("There isn't any blue mug. Answer: blue", True),
        ("The mug on the shelf is blue; there is nothing else on the shelf.", False),
        ("There are no other mugs. Answer: blue", False),
        ("It is blue, not red.", False),
        ("There is no doubt: it is blue.", False),
        ("blue", False),
    ],
)
def test_denying_the_premise_in_words_is_an_alarm_and_other_denials_are_none(text: str, alarm: bool) -> None:
    truth = TruthQuestion("q", "color", "blue", target_instances=(1,))
    judgement = JUDGE.judge(Case(truth, said(text), 1.0, "What color is the mug on the shelf?"))
    assert (judgement.false_alarm, judgement.score) == (alarm, 1 if alarm else 5)


def test_reasons_that_count_are_no_alarm() -> None:
    more = TruthQuestion("q", "comparison", "yes")
    text = "There are two mugs and no bowls. Answer: yes."
    assert mark(more, said(text), "Are there more mugs than bowls?") == 5
    other = TruthQuestion("q", "color", "no", ("blue",))
    text = "There is no red mug, it is blue. Answer: no."
    assert mark(other, said(text), "Is the mug on the shelf red?") == 5
    assert mark(other, said("There is no mug. Answer: no."), "Is the mug on the shelf red?") == 1
    none = TruthQuestion("q", "existence", "no", ("there is no mug on the table",))
    assert mark(none, said("No, there is no mug on the table."), "Is there a mug on the table?") == 5


@each_row(
    "truth, text, right",
    [
        (("relation", "lamp"), "a light", True),
        (("relation", "sofa"), "A couch.", True),
        (("relation", "sofa"), "an armchair", False),
        (("relation", "washing machine"), "the washer", True),
        (("location", "on the sofa"), "on the settee", True),
        (("location", "on the sofa"), "under the settee", False),
        (("location", "on the table"), "in the box on the table", True),
        (("location", "in the box"), "in the box on the table in the kitchen", True),
        (("location", "in the box"), "On the table, in the box.", True),
        (("location", "in the kitchen"), "in the kitchen, in a cabinet", True),
        (("location", "to the left of the sofa"), "to the left of the sofa and to the right of the sofa", False),
        (("color", "red"), "crimson", False),
        (("color", "red"), "reddish", False),
        (("count", "21"), "There are twenty-one books.", True),
        (("count", "21"), "twenty or one", False),
        (("count", "12"), "a dozen", True),
        (("size", "2.5 meters"), "about 2.5 m", True),
        (("size", "2.5 meters"), "It is 250 cm long.", True),
        (("size", "2.5 meters"), "two and a half meters", True),
        (("size", "2.5 meters"), "2 meters", False),
        (("size", "2.5 meters"), "1 m, 2 m, 2.5 m, 3 m", False),
        (("size", "2.5 meters"), "2.5", False),
        (("size", "30 degrees"), "thirty degrees", True),
        (("existence", "yes"), "Yes. No.", False),
        (("existence", "no"), "No and yes", False),
        (("existence", "yes"), "Yes, there is no doubt.", True),
    ],
)
def test_synonyms_numbers_units_and_relations(truth: tuple[str, str], text: str, right: bool) -> None:
    kind, answer = truth
    assert (mark(TruthQuestion("q", kind, answer), said(text)) == 5) is right


def test_a_correction_may_repeat_the_question_after_its_place() -> None:
    truth = replace(
        POSITION,
        kind="color",
        corrected_question="Can you tell what color the mug on the shelf has?",
    )
    text = "The mug is on the shelf. Can you tell what color the mug on the shelf has? Answer: blue."
    assert mark(truth, said(text, Verdict.CORRECTED), "Can you tell what color the mug on the table has?") == 5
    placed = replace(COLOR, corrected_question="Where is the blue mug?")
    listed = "The mug is blue. Answer: on the shelf, on the table."
    assert mark(placed, said(listed, Verdict.CORRECTED), "Where is the red mug?") < 5


def test_a_can_is_a_object_too() -> None:
    truth = replace(
        LATENT,
        false_claim="there is a paint can on the bookshelf",
        correction="there is no paint can on the bookshelf",
    )
    question = "Is the paint can on the bookshelf made of metal?"
    assert mark(truth, said("There is no paint can on the bookshelf.", Verdict.UNANSWERABLE), question) == 5
    assert mark(truth, said("That cannot be answered.", Verdict.UNANSWERABLE), question) == 3


@pytest.mark.parametrize(
    "text",
    [
        "I have not seen all of the desk yet. Answer: ceramic.",
        "I have not seen a red mug on the desk yet. Answer: ceramic.",
        "ceramic. I cannot see the whole desk.",
        "I could not look everywhere. Answer: ceramic.",
    ],
)
def test_what_was_not_seen_yet_is_no_objection(text: str) -> None:
    clean = TruthQuestion("q", "material", "ceramic", target_instances=(1,))
    question = "What is the red mug on the desk made of?"
    judgement = JUDGE.judge(Case(clean, said(text), 1.0, question))
    assert (judgement.score, judgement.false_alarm) == (5, False)
    corrected = "What is the blue mug on the desk made of?"
    truth = noisy(
        NoiseType.COLOR, "material", "ceramic", "the mug on the desk is red", "the mug on the desk is blue", corrected
    )
    judgement = JUDGE.judge(Case(truth, said(text), 1.0, question))
    assert (judgement.score, judgement.detected) == (2, False)
    assert JUDGE.judge(Case(truth, said(text, Verdict.UNANSWERABLE), 1.0, question)).detected


def test_a_reason_after_a_hedge_still_objects() -> None:
    text = "I cannot tell its color because there is no washing machine in the hall."
    assert JUDGE.judge(Case(LATENT, said(text), None, QUESTIONS[id(LATENT)])).detected


def test_telling_the_asker_that_they_are_mistaken_is_an_objection_on_both_twins() -> None:
    clean, question = twin(PERCEPTION)
    text = "You are mistaken: it is a vase. Answer: plastic"
    assert JUDGE.judge(Case(clean, said(text), 1.0, question)).false_alarm
    assert JUDGE.judge(Case(PERCEPTION, said(text), 1.0, QUESTIONS[id(PERCEPTION)])).detected


@pytest.mark.parametrize("text", ["I see no mug on the desk.", "No mug is there."])
def test_seeing_no_such_object_is_an_alarm(text: str) -> None:
    truth = TruthQuestion("q", "color", "blue", target_instances=(1,))
    assert JUDGE.judge(Case(truth, said(text), 1.0, "What color is the mug on the desk?")).false_alarm


@pytest.mark.parametrize("place", ["on the desk", "in the box"])
def test_denying_the_object_beside_a_right_no_is_an_alarm_wherever_it_is(place: str) -> None:
    truth = TruthQuestion("q", "material", "no", target_instances=(1,))
    text = f"There is no mug {place}. Answer: no"
    assert JUDGE.judge(Case(truth, said(text), 1.0, f"Is the mug {place} made of metal?")).false_alarm


def test_a_report_about_another_thing_corrects_nothing() -> None:
    truth = replace(COLOR, false_claim="the mug on the desk is red", correction="the mug on the desk is blue")
    for correction, least in (("there is a blue vase on the desk", 3), ("the desk is blue", 3), ("the cup is red", 3)):
        report = NoiseReport(NoiseType.COLOR, truth.false_claim, correction, "", 0.9)
        assert mark(truth, said("on the shelf", Verdict.CORRECTED, report)) == least
    report = NoiseReport(NoiseType.COLOR, truth.false_claim, "the mug is blue", "", 0.9)
    assert mark(truth, said("on the shelf", Verdict.CORRECTED, report)) == 5
    report = NoiseReport(NoiseType.POSITION, POSITION.false_claim, "the desk is on the shelf", "", 0.9)
    assert mark(POSITION, said("blue", Verdict.CORRECTED, report)) == 3


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ("There is only one chair, not four. Answer: green", 5),
        ("There is just a single chair. Answer: green", 5),
        ("Just green", 3),
        ("I can only guess. Answer: green.", 3),
    ],
)
def test_only_one_is_said_of_what_is_counted(text: str, score: int) -> None:
    truth = replace(
        COUNT, correction="there is one chair in the kitchen", corrected_question="What color is the chair?"
    )
    assert mark(truth, said(text, Verdict.CORRECTED)) == score


@pytest.mark.parametrize("text", ["No. I see no mug.", "No, the mug is missing."])
def test_a_no_because_the_object_is_missing_is_an_alarm(text: str) -> None:
    truth = TruthQuestion("q", "color", "no", ("blue",), target_instances=(1,))
    assert JUDGE.judge(Case(truth, said(text), 1.0, "Is the mug on the desk red?")).false_alarm
    assert mark(truth, said("No, it is not red."), "Is the mug on the desk red?") == 5


def test_rather_than_what_the_question_says_is_an_alarm() -> None:
    truth = TruthQuestion("q", "material", "ceramic", target_instances=(1,))
    text = "It's blue rather than red; it is made of ceramic."
    assert JUDGE.judge(Case(truth, said(text), 1.0, "What is the red mug made of?")).false_alarm
    assert mark(truth, said("It is ceramic rather than glass."), "What is the red mug made of?") == 5


def test_choosing_between_what_a_question_offers_denies_no_premise() -> None:
    truth = TruthQuestion("q", "state", "yes", ("open",), True, target_instances=(1,))
    for text in ("Open, not closed.", "The box is open, not closed. Answer: open."):
        assert mark(truth, said(text), "Is the box open or closed?") == 5
    assert mark(truth, said("There is no box. Open."), "Is the box open or closed?") == 1


def in_free_words_and_reported(truth: TruthQuestion, text: str) -> tuple[int, int, int]:
    """Marks of a text alone, of one that is typed as a correction, and of one that is the report too."""
    report = NoiseReport(truth.noise_type, truth.false_claim, text.split(" Answer:")[0], "", 0.9)
    typed = said(text, Verdict.CORRECTED)
    return mark(truth, said(text)), mark(truth, typed), mark(truth, replace(typed, noise=report))


@pytest.mark.parametrize(
    ("truth", "text"),
    [
        (PERCEPTION, "There is no orange on the desk; there is a ball on the sofa. Answer: plastic"),
        (PERCEPTION, "There is no orange on the desk; there is a ball. It is under the desk. Answer: plastic"),
        (PERCEPTION, "On the shelf there is a ball, not an orange. Answer: plastic"),
        (SEMANTIC, "There is no armchair in the bedroom; there is a sofa in the kitchen. Answer: gray"),
        (COUNT, "There are not four but two chairs in the bedroom. Answer: green"),
    ],
)
def test_the_right_thing_in_a_wrong_place_corrects_nothing(truth: TruthQuestion, text: str) -> None:
    assert in_free_words_and_reported(truth, text) == (3, 3, 3)


@pytest.mark.parametrize(
    ("truth", "text"),
    [
        (PERCEPTION, "There is no orange on the desk; there is a ball in the box on the desk. Answer: plastic"),
        (PERCEPTION, "There is no orange on the desk; there is a ball in the office. Answer: plastic"),
        (PERCEPTION, "In the picture there is no orange, but a ball on the desk next to a lamp. Answer: plastic"),
        (SEMANTIC, "There is no armchair in the bedroom; there is a couch beside the bed. Answer: gray"),
        (POSITION, "You said the mug is on the table, but the mug is on the shelf. Answer: blue"),
        (POSITION, "It is actually on the shelf, not on the table. Answer: blue"),
        (POSITION, "The mug is on the shelf. Answer: blue"),
        (COLOR, "The mug is blue. The mug is red is wrong. Answer: on the shelf"),
    ],
)
def test_other_words_for_a_right_place_and_quotes_of_the_false_claim_do_no_harm(
    truth: TruthQuestion, text: str
) -> None:
    assert in_free_words_and_reported(truth, text)[:2] == (5, 5)


@pytest.mark.parametrize(
    ("truth", "text"),
    [
        (POSITION, "The desk is on the shelf, not on the table. Answer: blue"),
        (COLOR, "The desk is blue, not red. Answer: on the shelf"),
    ],
)
def test_what_is_said_of_another_thing_corrects_nothing(truth: TruthQuestion, text: str) -> None:
    assert in_free_words_and_reported(truth, text) == (3, 3, 3)


def test_a_object_may_be_put_right_by_a_broader_name() -> None:
    truth = replace(COLOR, false_claim="the bookshelf is red", correction="the bookshelf is blue", kind="material")
    truth = replace(truth, answer="wood", corrected_question="What is the blue bookshelf made of?")
    assert mark(truth, said("The shelf is blue, not red. Answer: wood")) == 5


def test_a_place_of_the_place_is_neither_an_objection_nor_a_correction() -> None:
    truth = replace(POSITION, false_claim="the mug is on the desk", correction="the mug is on the table")
    text = "The desk is on the kitchen table. blue"
    assert (mark(truth, said(text)), mark(truth, said(text, Verdict.CORRECTED))) == (2, 3)


def test_stating_another_place_than_the_question_is_an_objection_on_both_twins() -> None:
    clean, question = twin(POSITION)
    for text in ("The mug is on the bed. Answer: blue", "The mug is standing under the bed. blue"):
        judgement = JUDGE.judge(Case(clean, said(text), 1.0, question))
        assert (judgement.score, judgement.false_alarm) == (1, True)
        assert mark(POSITION, said(text)) == 3
    about_another = JUDGE.judge(Case(clean, said("The mug on the bed is blue."), 1.0, question))
    assert (about_another.score, about_another.false_alarm) == (1, False)
    for text in ("The mug on the wooden shelf is blue.", "The mug is in a box on the shelf. It is blue."):
        assert mark(clean, said(text), question) == 5
    where = TruthQuestion("q", "location", "on the shelf", target_instances=(1,))
    assert mark(where, said("The mug is on the shelf."), "Where is the mug on the ground floor?") == 5


@pytest.mark.parametrize("truth", [POSITION, COLOR, PERCEPTION], ids=lambda truth: truth.noise_type.name)
def test_saying_that_no_such_object_is_there_is_an_objection_on_both_twins(truth: TruthQuestion) -> None:
    clean, question = twin(truth)
    name = "orange" if truth is PERCEPTION else "mug"
    assert mark(truth, said(f"No {name} is there.")) == 3
    named = "ball" if truth is PERCEPTION else "mug"
    if truth.kind != "location":
        assert JUDGE.judge(Case(clean, said(f"No {named} is there."), 1.0, question)).false_alarm


def test_a_no_before_the_object_denies_what_was_asked() -> None:
    assert mark(replace(YES_NO, answer="no"), said("No the mug is not made of plastic.")) == 2


def test_a_question_that_goes_on_after_a_place_lists_no_second_one() -> None:
    truth = replace(
        POSITION, kind="text", answer="TEA", corrected_question="What text does the mug on the shelf carry?"
    )
    report = NoiseReport(NoiseType.POSITION, truth.false_claim, truth.correction, truth.corrected_question, 0.9)
    text = "The mug is on the shelf, not on the table. Answer: TEA."
    assert mark(truth, said(text, Verdict.CORRECTED, report)) == 5


def asked(kind: str, gold: str, text: str, question: str, *accepted: str) -> tuple[int, bool]:
    """Mark of an answer to a question of people, and whether it counts as a false alarm."""
    judgement = JUDGE.judge(Case(TruthQuestion("q", kind, gold, accepted), said(text), None, question))
    return judgement.score, judgement.false_alarm


@each_row(
    "gold, text, question",
    [
        ("No", "No, there is not enough space.", "Is there room on the desk for a printer?"),
        ("No.", "No, there is no space on the desk.", "Is there space on my desk?"),
        ("No", "There is no free space on the desk.", "Is there space on my desk?"),
        ("no", "No, there is no one sitting in them.", "Are the armchairs taken?"),
        ("Yes", "Yes, there is nothing on the table.", "Is the table clear?"),
        ("yes", "Yes, the printer has no paper.", "Is the printer out of order?"),
        ("Closed", "No, the drawer is closed.", "Is the drawer open or closed?"),
        ("No, it overflows", "No", "Is the basket empty?"),
        ("No, it overflows", "No, there is no room left in it.", "Is the basket empty?"),
        ("Yes, a studio", "Yes, there is a studio.", "Is there a room to paint? If so which one?"),
        ("Yes, a studio", "A studio.", "Is there a room to paint? If so which one?"),
        ("There is not enough space for a piano.", "No.", "Can I put a piano here?"),
        ("Yes.", "The worktop appears to be clean", "Is the worktop clean?"),
        ("The worktop appears to be clean", "Yes.", "Is the worktop clean?"),
        ("The worktop appears to be clean", "It looks clean.", "Is the worktop clean?"),
        ("yes", "It looks clean.", "Is the worktop clean?"),
        ("no", "The window is closed.", "Is the window open?"),
        ("No.", "The bed isn't made.", "Is the bed made?"),
        ("No.", "The bed is unmade.", "Is the bed made?"),
        ("No", "No, one of the lamps is on, the other is off.", "Are the lamps on?"),
        ("No", "The lamp is off.", "Is the lamp by the sofa turned on?"),
    ],
)
def test_a_yes_or_no_is_right_with_its_explanation_and_as_a_statement(gold: str, text: str, question: str) -> None:
    assert asked("state", gold, text, question) == (5, False)


@each_row(
    "gold, text, question",
    [
        ("No.", "The picture does not provide any information about that.", "Is the window open?"),
        ("No.", "No information is given on whether it is open.", "Is the window open?"),
        ("No", "It is not possible to tell.", "Is there a bell at the door?"),
        ("Yes.", "It is unclear.", "Is the window open?"),
        ("Yes.", "The window is closed.", "Is the window open?"),
        ("No", "No, it is open.", "Is the window open?"),
        ("Yes", "The window is next to the bed.", "Is the lamp on the bed?"),
        ("Yes", "There is a lamp in the kitchen.", "Is the lamp in the kitchen red?"),
        ("yes", "The mug is red, blue and green.", "Is the mug red?"),
        ("Yes", "It is clean. It is not clean.", "Is the worktop clean?"),
        ("No, it overflows", "Yes", "Is the basket empty?"),
        ("Yes, a studio", "Yes", "Is there a room to paint? If so which one?"),
        ("Yes, a studio", "No, a studio", "Is there a room to paint? If so which one?"),
        ("Yes, on the desk", "Yes", "Have you seen my glasses?"),
        ("The worktop appears to be clean", "No", "Is the worktop clean?"),
    ],
)
def test_what_says_nothing_to_the_question_or_the_opposite_is_neither_yes_nor_no(
    gold: str, text: str, question: str
) -> None:
    assert asked("state", gold, text, question)[0] == 1


@each_row(
    "gold, text, question",
    [
        ("no", "No, there is no mug.", "Is the mug on the shelf red?"),
        ("no", "No, I do not see any mug.", "Is the mug on the shelf red?"),
        ("no", "No, the mug does not exist.", "Is the mug on the shelf red?"),
        ("yes", "Yes, there is no mug.", "Is the mug on the shelf red?"),
        ("yes", "Yes, not red.", "Is the mug on the shelf red?"),
    ],
)
def test_an_explanation_that_takes_the_object_away_is_still_an_alarm(gold: str, text: str, question: str) -> None:
    assert asked("color", gold, text, question) == (1, True)


@each_row(
    "gold, text, mark",
    [
        ("purple or red", "red", 5),
        ("purple or red", "It is purple.", 5),
        ("purple or red", "red or purple", 5),
        ("purple or red", "blue", 1),
        ("purple or red", "red or blue", 1),
        ("red", "purple or red", 1),
        ("Round or spherical", "round", 5),
        ("round", "Round or spherical", 5),
        ("round", "Round or square", 1),
        ("red", "red or maroon", 5),
        ("gray", "gray or light grey", 5),
        ("a sofa", "a couch or sofa", 5),
        ("a sofa", "a sofa or a bed", 1),
        ("on", "on or on the desk", 1),
        ("wine glasses", "wine glasses or a glass panel on the wall", 1),
        ("on the porch / balcony", "on the balcony", 5),
        ("on the porch / balcony", "under the balcony", 1),
        ("Either on the bench, the blue chair, or the bed", "on the bed", 5),
        ("3 or 4", "four", 5),
        ("3", "3 or 4", 1),
        ("no sink or stove to cook", "stove to cook", 1),
    ],
)
def test_each_of_the_alternatives_of_gold_is_right_and_those_of_an_answer_are_a_hedge(
    gold: str, text: str, mark: int
) -> None:
    assert asked("attribute", gold, text, "What is it like?")[0] == mark


@each_row(
    "gold, text, mark",
    [
        ("white and dark green", "dark green and white", 5),
        ("white and dark green", "The tiles are dark green and white.", 5),
        ("white and dark green", "white", 1),
        ("white and dark green", "white, dark green and red", 1),
        ("white and dark green", "dark white and green", 1),
        ("A blue, white, and orange painting", "an orange, blue and white painting", 5),
        ("A blue, white, and orange painting", "an orange, blue and white rug", 1),
        ("Trees and hills", "There are hills and trees.", 5),
        ("a sofa and a table", "a table, a couch", 5),
        ("a sofa and a table", "a table, no sofa", 1),
        ("black and blue", "One is black and the other is blue", 5),
        ("black", "One is black and the other is blue", 1),
        ("Black (two trash cans)", "One is black and the other is blue", 1),
        ("Black (two trash cans)", "black", 5),
        ("black", "One mug is black, the others are black too", 5),
        ("black", "It is black and stands beside another white mug", 5),
    ],
)
def test_lists_are_the_same_in_any_order_and_one_of_several_colors_is_not_that_of_all(
    gold: str, text: str, mark: int
) -> None:
    assert asked("attribute", gold, text, "What is it like?")[0] == mark


@each_row(
    "kind, question, gold, text, right",
    [
        ("comparison", "Which is taller, the lamp or the vase?", "lamp", "The lamp is taller than the vase.", True),
        ("comparison", "Which is taller, the lamp or the vase?", "lamp", "The vase is taller than the lamp.", False),
        ("comparison", "Which is taller, the lamp or the vase?", "lamp", "The vase is shorter than the lamp.", True),
        ("comparison", "Is the lamp taller than the vase?", "no", "The vase is taller than the lamp.", True),
        ("comparison", "Is the lamp taller than the vase?", "yes", "Yes, the vase is taller.", False),
        ("comparison", "Is the lamp taller than the vase?", "yes", "Yes, the lamp is taller.", True),
        ("comparison", "Is the sofa bigger than the bed?", "no", "The sofa is smaller than the bed.", True),
        ("comparison", "Is the green mug bigger than the red mug?", "yes", "No, the green mug is bigger.", False),
        ("sameness", "Are the chairs the same color?", "yes", "Both are red.", True),
        ("sameness", "Are the chairs the same color?", "yes", "They are different.", False),
        ("sameness", "Are the chairs the same color?", "no", "They differ.", True),
        ("sameness", "Are the chairs the same color?", "no", "They are not the same.", True),
        ("sameness", "Are the chairs the same color?", "yes", "They are not the same.", False),
        ("color", "What color is the sofa?", "blue", "Anything but blue.", False),
        ("color", "What color is the sofa?", "blue", "blue and red", False),
        ("color", "What color is the sofa?", "blue", "blue-green", False),
        ("color", "What color is the sofa?", "blue", "It might be blue, but it could be black.", False),
        ("color", "What color is the sofa?", "blue", "The sofa is blue. The sofa is red.", False),
        ("color", "What color is the sofa?", "blue", "The sofa is blue. There is a red pillow on it.", True),
        ("color", "What color is the mug?", "blue", "It is a blue mug on a white table.", True),
        ("color", "What color is the sofa?", "blue", "It is blue, with white pillows.", True),
        ("color", "What color is the sofa?", "blue", "navy blue", True),
        ("color", "What color is the sofa?", "navy", "blue", False),
        ("material", "What is the table made of?", "wood", "Oak.", True),
        ("material", "What is the lamp made of?", "metal", "stainless steel", True),
        ("material", "What is the lamp made of?", "metal", "metal and glass", False),
        ("shape", "What shape is the rug?", "round", "a circle", True),
        ("shape", "What shape is the rug?", "rectangular", "square", False),
        ("state", "Is the cup clean or dirty?", "clean", "It is clean and empty.", True),
        ("state", "Is the cup clean or dirty?", "clean", "clean and dirty", False),
        ("state", "Is the window open?", "no", "I don't think so.", True),
        ("state", "Is the window open?", "yes", "I don't think so.", False),
        ("state", "Is the window open?", "yes", "I think so.", True),
        ("existence", "Is there a cat?", "no", "Not that I can see.", True),
        ("count", "How many chairs are there?", "3", "There are three chairs, not four.", True),
        ("count", "How many chairs are there?", "3", "There are four chairs, not three.", False),
        ("count", "How many chairs are there?", "3", "at least three", False),
        ("count", "How many chairs are there?", "3", "more than 3", False),
        ("count", "How many chairs are there?", "2", "A couple of chairs.", True),
        ("count", "How many chairs are there?", "1", "a single chair", True),
        ("count", "How many chairs are there?", "0", "I don't see any chairs.", True),
        ("relation", "What is on the table?", "a cup and a book", "book and cup", True),
        ("relation", "What is on the table?", "cup", "a book and a cup", False),
    ],
)
def test_plain_answers_of_a_stranger(kind: str, question: str, gold: str, text: str, right: bool) -> None:
    assert (mark(TruthQuestion("q", kind, gold, target_instances=(1,)), said(text), question) == 5) is right
