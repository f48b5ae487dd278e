"""In generated homes every question means to a reader what it means to the program."""

from __future__ import annotations

from functools import cache

import numpy as np
from row_tables import each_row

from vantage.questions.generation.clean_questions import GeneratedQuestion, answered_drafts
from vantage.questions.generation.drafts import QuestionScene
from vantage.questions.generation.facts import Facts
from vantage.questions.generation.giveaways import gives_away
from vantage.questions.generation.visible_colors import shows_its_color
from vantage.questions.kinds import QuestionKind
from vantage.questions.lexicon import could_be_called
from vantage.questions.program_parts import inner_steps
from vantage.questions.programs import (
    CompareAttribute,
    Count,
    Filter,
    ObjectSet,
    Query,
    Relate,
    Same,
    Scene,
    Unique,
    VerifyRelation,
)
from vantage.scenes.generator.generator import generate_home
from vantage.scenes.geometry.relations import SIDES, gap
from vantage.scenes.graph.graph import GraphNode, SceneGraph

FRONTLESS = ("table", "lamp", "bed", "stool", "plant", "rug", "bathtub", "coffee table")


@cache
def homes() -> tuple[Facts, ...]:
    return tuple(Facts(SceneGraph.from_spec(generate_home(seed, 2))) for seed in (1, 2, 4))


@cache
def made(kind: QuestionKind) -> list[tuple[Facts, GeneratedQuestion]]:
    return [
        (facts, question)
        for facts in homes()
        for seed in range(2)
        for question in answered_drafts(QuestionScene(facts, np.random.default_rng(seed), seed == 0), kind)
    ]


def one(facts: Facts, step: Unique) -> GraphNode:
    members = facts.executor.members(step.objects)
    assert members is not None
    assert len(members) == 1
    return facts.node(members[0])


def read(facts: Facts, step: ObjectSet) -> list[GraphNode]:
    """All that a reader could take a description for; without a container that it names, no contents of any."""
    if isinstance(step, Filter):
        return [node for node in read(facts, step.objects) if fits(facts, node, step)]
    if isinstance(step, Relate) and isinstance(step.anchor, Unique):
        relation = "at" if step.relation in ("on", "in") else step.relation
        anchor = one(facts, step.anchor)
        return [node for node in read(facts, step.objects) if facts.truths.stands(node, relation, anchor, None)]
    return list(facts.truths.objects)


def fits(facts: Facts, node: GraphNode, step: Filter) -> bool:
    if step.attribute == "label":
        return could_be_called(node.label, step.value)
    if step.attribute in ("size", "material"):  # of which other words may be right
        return facts.truths.has(node, step.attribute, step.value)
    unclear = step.attribute == "color" and not shows_its_color(node)
    return unclear or facts.truths.has(node, step.attribute, step.value)


def is_named(step: ObjectSet) -> bool:
    """Whether a description has a noun and no side in it."""
    while isinstance(step, (Filter, Relate)):
        if isinstance(step, Filter) and step.attribute == "label":
            return isinstance(step.objects, Scene)
        step = step.objects
    return False


@each_row("kind", list(QuestionKind))
def test_each_description_means_one_thing_to_a_reader(kind: QuestionKind) -> None:
    assert made(kind) or kind in (QuestionKind.SIZE, QuestionKind.MATERIAL)  # few homes have such
    for facts, question in made(kind):
        assert question.program is not None
        for step in inner_steps(question.program):
            if not (isinstance(step, Unique) and is_named(step.objects)):
                continue
            meant = one(facts, step)
            contained = facts.is_contained(meant)
            taken = [node for node in read(facts, step.objects) if contained or not facts.is_contained(node)]
            assert all(node is meant for node in taken), question.text
            if contained:
                parent = facts.node(meant.parent)
                assert f"{meant.relation} the " in question.text, question.text
                assert parent.label in question.text, question.text


def test_what_is_counted_has_no_name_of_anything_beside_it() -> None:
    for facts, question in made(QuestionKind.COUNT):
        group = [facts.node(key) for key in question.truth.target_instances]
        if isinstance(question.program, Count) and isinstance(question.program.objects, Relate):
            anchor = one(facts, question.program.objects.anchor)  # type: ignore[arg-type]
            counted = [node for node in group if node is not anchor]
            there = [node for node in facts.at(anchor) if could_be_called(node.label, counted[0].label)]
            assert {node.instance_id for node in there} <= {node.instance_id for node in counted}, question.text


def test_sides_are_told_of_near_things_from_what_has_a_front() -> None:
    sides = 0
    for facts, question in made(QuestionKind.RELATION):
        assert question.program is not None
        for step in inner_steps(question.program):
            if not isinstance(step, (Relate, VerifyRelation)) or step.relation not in SIDES:
                continue
            sides += 1
            assert isinstance(step.viewer, Unique)
            assert one(facts, step.viewer).label not in FRONTLESS, question.text
            first, second = (facts.node(key) for key in question.truth.target_instances[:2])
            assert gap(first, second) <= 1.5 or facts.support(first) is facts.support(second), question.text
    assert sides > 5


@each_row("kind", list(QuestionKind))
def test_colors_are_those_of_what_shows_one(kind: QuestionKind) -> None:
    for facts, question in made(kind):
        assert question.program is not None
        targets = [facts.node(key) for key in question.truth.target_instances]
        if isinstance(question.program, (Query, CompareAttribute)) and question.program.attribute == "color":
            assert all(map(shows_its_color, targets)), question.text
        for step in inner_steps(question.program):
            if isinstance(step, Same) and step.attribute == "color":
                assert all(map(shows_its_color, targets)), question.text
            if isinstance(step, Unique) and isinstance(step.objects, Filter) and step.objects.attribute == "color":
                assert shows_its_color(one(facts, step)), question.text


@each_row("kind", list(QuestionKind))
def test_no_question_gives_its_answer_away(kind: QuestionKind) -> None:
    for _, question in made(kind):
        assert question.program is not None
        assert not gives_away(question.text, question.program, question.truth.answer), question.text
