"""Clean questions: true by the graph, unambiguous, balanced, reproducible."""

from collections import Counter

import numpy as np
import pytest
from question_scenes import hand_made, node, small

from vantage.errors import SceneError
from vantage.questions.facts import Facts
from vantage.questions.generate import clean_question
from vantage.questions.kinds import COLORS, MATERIALS, QuestionKind
from vantage.questions.noise import make_questions
from vantage.scenes.graph import SceneGraph
from vantage.types import NoiseType

GRAPH = hand_made()
BY_ID = {n.instance_id: n for n in GRAPH.nodes}


def many(kind, count=60, graph=GRAPH):
    rng = np.random.default_rng(3)
    return [clean_question(graph, kind, rng) for _ in range(count)]


def target(question):
    return BY_ID[question.truth.target_instances[0]]


@pytest.mark.parametrize("kind", list(QuestionKind))
def test_clean_questions_have_true_premises(kind):
    for question in many(kind):
        assert question.truth.kind == kind.value
        assert question.truth.premise_holds
        assert question.truth.noise_type is NoiseType.NONE
        assert question.truth.answer
        assert question.truth.target_instances
        assert question.text.endswith("?")
        assert "  " not in question.text


@pytest.mark.parametrize("kind", list(QuestionKind))
def test_each_kind_comes_in_several_wordings(kind):
    assert len({question.text.split()[0:3][-1] + question.text.split()[0] for question in many(kind)}) >= 3


def test_colors_and_materials_are_those_of_the_target():
    for question in many(QuestionKind.COLOR):
        assert question.truth.answer == target(question).color
        assert question.truth.answer in COLORS
    for question in many(QuestionKind.MATERIAL):
        assert question.truth.answer == target(question).material
        assert question.truth.answer in MATERIALS


def test_the_asked_value_is_not_given_away():
    for question in many(QuestionKind.COLOR):
        assert question.truth.answer not in question.text.split()


def test_ambiguous_things_are_not_asked_about():
    labels = {target(q).label for kind in (QuestionKind.COLOR, QuestionKind.MATERIAL) for q in many(kind, 100)}
    assert "vase" in labels
    on_table = [q for q in many(QuestionKind.COLOR, 100) if "mug on the table" in q.text]
    assert not on_table  # there are two


def test_counts_are_those_of_the_named_support():
    texts = {}
    for question in many(QuestionKind.COUNT, 100):
        assert int(question.truth.answer) == len(question.truth.target_instances)
        texts[question.text] = question.truth
    mugs = [truth for text, truth in texts.items() if "mugs" in text and "table" in text]
    assert mugs
    assert {truth.answer for truth in mugs} == {"2"}
    assert {truth.accepted for truth in mugs} == {("two",)}


def test_existence_is_balanced_and_right():
    questions = many(QuestionKind.EXISTENCE, 200)
    answers = Counter(question.truth.answer for question in questions)
    assert set(answers) == {"yes", "no"}
    assert 0.35 < answers["yes"] / 200 < 0.65
    facts = Facts(GRAPH)
    for question in questions:
        where = target(question)
        if question.truth.answer == "yes":
            assert where.label in question.text
        else:
            assert where.label in question.text.split("the ")[-1]
            said = question.text.rstrip("?").replace("Is the", "Is a").split(" the ")[0].split()
            color = next((word for word in said if word in COLORS and word != said[-2]), "")
            clashes = [n for n in facts.at(where) if n.label in said and color in ("", n.color)]
            assert not clashes, question.text


def test_locations_name_the_place():
    answers = {}
    for question in many(QuestionKind.LOCATION, 150):
        answers[target(question).label] = question.truth.answer
    assert answers["apple"] == "in the bowl"
    assert answers["ball"] == "in the basket"
    assert answers["radio"] == "on the desk"
    assert answers["suitcase"] == "on the floor"
    assert "robot" not in answers  # behind a closed door


def test_nothing_hidden_and_no_structure_is_ever_a_target():
    for kind in QuestionKind:
        for question in many(kind):
            assert not {1, 2, 29} & set(question.truth.target_instances)


def test_two_tables_make_no_named_support():
    nodes = (*GRAPH.nodes, node(40, "table", (0.5, -1, 0), (1.2, -0.5, 0.75), "black", "wood"))
    twice = SceneGraph("twice", 1, GRAPH.bounds_min, GRAPH.bounds_max, nodes)
    assert "table" not in {support.label for support in Facts(twice).supports}
    for question in many(QuestionKind.COUNT, 60, twice):
        assert "table" not in question.text


def test_a_bare_room_gives_no_questions():
    bare = SceneGraph("bare", 1, GRAPH.bounds_min, GRAPH.bounds_max, GRAPH.nodes[:2])
    assert all(question is None for kind in QuestionKind for question in many(kind, 5, bare))
    with pytest.raises(SceneError, match="gives fewer than 3"):
        make_questions(bare, 3, 0, np.random.default_rng(0))


def test_the_same_seed_gives_the_same_questions():
    first, again, other = (make_questions(GRAPH, 10, 10, np.random.default_rng(seed)) for seed in (5, 5, 6))
    assert first == again
    assert first != other


def test_sets_are_even_numbered_and_without_repetition():
    questions = make_questions(GRAPH, 10, 10, np.random.default_rng(1))
    assert [q.truth.question_id for q in questions] == [f"q{k}" for k in range(1, 21)]
    assert len({q.text for q in questions}) == 20
    assert [q.truth.premise_holds for q in questions] == [True] * 10 + [False] * 10
    assert set(Counter(q.truth.kind for q in questions[:10]).values()) == {2}
    assert set(Counter(q.truth.noise_type for q in questions[10:]).values()) == {2}


def test_an_object_nested_in_another_is_counted_once():
    nodes = (*GRAPH.nodes, small(41, "apple", -0.4, -0.6, 0.75, "green", "", 10))
    nested = SceneGraph("nested", 1, GRAPH.bounds_min, GRAPH.bounds_max, nodes)
    for question in many(QuestionKind.COUNT, 100, nested):
        assert not ("apples" in question.text and "table" in question.text)  # one on it, one in a bowl on it
