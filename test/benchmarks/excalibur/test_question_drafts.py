"""Drafts about generated homes are true, narrow, fair and can be found out."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from explored_home import asking, explored

from vantage.benchmarks.excalibur.evidence import Evidence
from vantage.benchmarks.excalibur.excalibur_sets import drawn_all
from vantage.benchmarks.excalibur.label_quotas import quotas
from vantage.benchmarks.excalibur.needed_evidence import steps_of
from vantage.benchmarks.excalibur.question_drafts import (
    FAMILIES,
    answer_words,
    has_uncounted,
    reads_badly,
    relations_of,
)
from vantage.benchmarks.excalibur.question_labels import (
    ADJACENT,
    COUNT,
    HEAVIER,
    LARGER,
    MATERIAL,
    QUERY,
    RELATIONS,
    YES_NO,
)
from vantage.config import RelationSettings
from vantage.questions import Executor, Truths, programs as steps, read_program
from vantage.questions.lexicon import UNCOUNTED, plural
from vantage.questions.programs import program_text

SEEDS = (3, 4)
WOODEN = steps.Filter(steps.Scene(), "material", "wood")


@cache
def drafts(seed: int):
    """Of one home, as many as a set would draw."""
    rng = np.random.default_rng(seed)
    wanted = quotas(20, rng)
    found = drawn_all(asking(seed), wanted, rng)
    return [(quota, draft) for quota, drafts in zip(wanted, found, strict=True) for draft in drafts]


@cache
def executor(seed: int, **changes: float) -> Executor:
    return Executor(explored(seed)[1], None, replace(RelationSettings(), **changes), hidden=True)


@cache
def truths(seed: int) -> Truths:
    return Truths(explored(seed)[1], RelationSettings(), hidden=True)


def all_drafts():
    return [(seed, draft) for seed in SEEDS for _, draft in drafts(seed)]


@pytest.mark.parametrize(
    ("family", "kind", "relations"),
    [
        ("exist", YES_NO, {MATERIAL}),
        ("exist_related", YES_NO, {MATERIAL, ADJACENT}),
        ("exist_compared", YES_NO, {MATERIAL, HEAVIER}),
        ("count", COUNT, {MATERIAL}),
        ("count_chained", COUNT, {ADJACENT}),
        ("query", QUERY, {MATERIAL}),
        ("query_each", QUERY, {MATERIAL}),
        ("verify", YES_NO, {MATERIAL}),
        ("compare_attribute", YES_NO, {MATERIAL}),
        ("compare_number", YES_NO, {MATERIAL}),
        ("compare_quantity", YES_NO, {HEAVIER}),
    ],
)
def test_every_family_is_drawn(family, kind, relations):
    found = asking(3).draw(kind, frozenset(relations), True, family, tries=1000)
    assert found.family == family in FAMILIES
    assert found.relations == relations


def test_every_draft_has_the_answer_that_its_program_gives_also_when_it_is_read_back():
    for seed, draft in all_drafts():
        again = read_program(program_text(draft.program))
        assert again == draft.program
        assert answer_words(executor(seed).run(again).value) == draft.answer, draft.text


def test_answers_stay_when_thresholds_are_drawn_otherwise():
    usual = RelationSettings()
    for seed, draft in all_drafts():
        for share in (0.75, 1.25):
            other = executor(seed, touch=share * usual.touch, beside=share * usual.beside)
            assert answer_words(other.run(draft.program).value) == draft.answer, draft.text


def test_every_condition_but_the_one_that_is_asked_about_narrows_what_it_is_put_to():
    for seed, draft in all_drafts():
        asked = draft.program.objects if isinstance(draft.program, steps.Exist) else None
        for step in steps_of(draft.program):
            if isinstance(step, (steps.Filter, steps.Relate, steps.Compared)) and step is not asked:
                before, after = (executor(seed).members(each) for each in (step.objects, step))
                assert len(after) < len(before), draft.text


def test_relations_are_the_wanted_ones_but_for_few_and_those_of_the_program():
    for seed in SEEDS:
        for quota, draft in drafts(seed):
            assert draft.kind == quota.kind
            assert draft.relations == relations_of(draft.program)
        wanted = Counter(each for quota, _ in drafts(seed) for each in quota.relations)
        drawn = Counter(each for _, draft in drafts(seed) for each in draft.relations)
        assert all(abs(drawn[each] - wanted[each]) <= 0.1 * len(drafts(seed)) for each in RELATIONS)


def test_what_is_asked_can_be_found_out():
    for seed, draft in all_drafts():
        evidence = explored(seed)[2]
        assert set(draft.needed.targets) <= evidence.seen, draft.text
        assert set(draft.needed.to_weigh) <= evidence.lifted, draft.text
        assert set(draft.needed.to_open) <= evidence.opened, draft.text
        inside = {evidence.holders[key] for key in draft.needed.targets if key in evidence.holders}
        assert inside <= set(draft.needed.to_open), draft.text
        assert bool(draft.needed.to_weigh) == (HEAVIER in draft.relations), draft.text


def compared(seed, draft, quantities):
    members = executor(seed).members
    nodes = {node.instance_id: node for node in explored(seed)[1].nodes}
    for step in steps_of(draft.program):
        if isinstance(step, steps.Compared) and step.quantity in quantities:
            other = members(step.one.objects)[0]
            yield from ((nodes[key], nodes[other]) for key in members(step.objects) if key != other)
        if isinstance(step, steps.CompareQuantity) and step.quantity in quantities:
            yield nodes[members(step.first.objects)[0]], nodes[members(step.second.objects)[0]]


def test_masses_that_are_compared_differ_by_a_fifth_and_a_tenth_of_a_kilogram():
    pairs = [pair for seed, draft in all_drafts() for pair in compared(seed, draft, ("mass",))]
    assert pairs
    for node, other in pairs:
        low, high = sorted((node.mass, other.mass))
        assert high >= 1.2 * low
        assert high - low >= 0.1 - 1e-9


def test_what_is_compared_is_neither_alike_nor_all_worlds_apart():
    asked = [(seed, draft) for seed, draft in all_drafts() if draft.relations & {HEAVIER, LARGER}]
    assert asked
    for seed, draft in asked:
        for quantity in ("mass", "size", "length"):
            pairs = list(compared(seed, draft, (quantity,)))
            amounts = [sorted(truths(seed).amount(each, quantity) for each in pair) for pair in pairs]
            assert all(high >= 1.15 * low for low, high in amounts), draft.text
            assert not amounts or any(high <= 2.5 * low for low, high in amounts), draft.text


def test_numbers_are_few_and_near_each_other():
    for seed, draft in all_drafts():
        if isinstance(draft.program, steps.CompareNumber):
            low, high = sorted(
                len(executor(seed).members(each)) for each in (draft.program.first, draft.program.second)
            )
            assert 1 <= low <= high <= min(5, low + 2), draft.text
        if draft.kind == COUNT:
            assert int(draft.answer) <= 8
        if isinstance(draft.program, steps.QueryEach):
            assert len(draft.answer.split(", ")) <= 4
            assert 2 <= len(executor(seed).members(draft.program.objects)) <= 8


def test_of_each_family_as_many_drafts_are_answered_with_yes_as_with_no():
    for seed in SEEDS:
        answers = Counter()
        for _, draft in drafts(seed):
            if draft.kind == YES_NO:
                answers[draft.family] += 1 if draft.answer == "yes" else -1
        assert not any(answers.values())
        texts = [draft.text for _, draft in drafts(seed)]
        assert len(texts) == len(set(texts))


def test_what_is_looked_at_is_as_much_whether_the_answer_is_yes_or_no():
    asked = [(seed, draft) for seed, draft in all_drafts() if isinstance(draft.program, steps.Exist)]
    assert {draft.answer for _, draft in asked} == {"yes", "no"}
    assert all(len(executor(seed).members(draft.program.objects.objects)) <= 8 for seed, draft in asked)


def test_counts_and_queries_of_one_place_have_different_answers():
    for seed in SEEDS:
        rng = np.random.default_rng(seed)
        for drawn in drawn_all(asking(seed), [each for each in quotas(20, rng) if each.kind != YES_NO], rng):
            answers = [draft.answer for draft in drawn]
            assert len(answers) == len(set(answers))


def test_what_nobody_counts_is_not_counted():
    for _, draft in all_drafts():
        assert not any(plural(word) in draft.text.split("?")[0] for word in ("bread", "shampoo")), draft.text
    for word in UNCOUNTED:
        some = steps.Filter(steps.Scene(), "label", word)
        assert has_uncounted(steps.Count(some))
        assert has_uncounted(steps.Exist(steps.Filter(some, "color", "white")))
        assert has_uncounted(steps.CompareNumber("more", WOODEN, some))
        assert not has_uncounted(steps.Verify(steps.Unique(some), "color", "white"))
    assert not has_uncounted(steps.Count(WOODEN))


def test_no_numbers_are_compared_of_which_one_counts_all_of_the_other():
    for seed, draft in all_drafts():
        if isinstance(draft.program, steps.CompareNumber):
            first, second = (set(executor(seed).members(each)) for each in (draft.program.first, draft.program.second))
            assert first - second, draft.text
            assert second - first, draft.text


def test_nobody_is_asked_about_a_doorway():
    doorways = {
        (seed, node.instance_id) for seed in SEEDS for node in explored(seed)[1].nodes if node.label == "doorway"
    }
    assert doorways
    assert all(doorways.isdisjoint((seed, key) for key in draft.needed.targets) for seed, draft in all_drafts())


@pytest.mark.parametrize(
    ("subject", "relation", "anchor", "twice"),
    [("kitchen", "next to", "", True), ("", "next to", "kitchen", False), ("kitchen", "in", "kitchen", True)],
)
def test_no_room_is_told_of_what_another_thing_tells_the_place_of(subject, relation, anchor, twice):
    things, box = WOODEN, steps.Filter(steps.Scene(), "label", "box")
    things = steps.Filter(things, "room", subject) if subject else things
    box = steps.Filter(box, "room", anchor) if anchor else box
    assert reads_badly(steps.Count(steps.Relate(things, relation, steps.Unique(box)))) is twice
    heavier = steps.Compared(things, "mass", steps.Unique(box))
    assert not reads_badly(steps.Count(heavier))


def test_what_tells_of_a_thing_is_told_by_its_room_or_by_another_one():
    box = steps.Unique(steps.Filter(steps.Scene(), "label", "box"))
    near = steps.Relate(WOODEN, "next to", box)
    assert not reads_badly(steps.Count(steps.Compared(WOODEN, "mass", steps.Unique(near))))
    both = steps.Compared(steps.Filter(WOODEN, "room", "kitchen"), "size", box)
    assert not reads_badly(steps.Count(both))
    assert reads_badly(steps.Count(steps.Compared(WOODEN, "mass", steps.Unique(both))))


def test_nothing_is_told_by_three_others():
    box = steps.Unique(steps.Filter(steps.Scene(), "label", "box"))
    two = steps.Compared(steps.Relate(WOODEN, "next to", box), "mass", box)
    assert not reads_badly(steps.Count(two))
    assert reads_badly(steps.Count(steps.Compared(two, "size", box)))


def test_a_house_of_which_nothing_can_be_found_out_gives_no_question():
    nothing = Evidence(frozenset(), frozenset(), {}, frozenset())
    assert asking(3, evidence=nothing).draw(YES_NO, frozenset({MATERIAL}), True, tries=5) is None


def test_without_anything_to_lift_there_is_no_question_about_weight():
    found = replace(explored(3)[2], lifted=frozenset())
    assert asking(3, evidence=found).draw(YES_NO, frozenset({HEAVIER}), True, tries=10) is None


@pytest.mark.parametrize("kind", [YES_NO, COUNT, QUERY])
def test_all_relations_at_once_are_drawn_or_given_up(kind):
    draft = asking(4).draw(kind, frozenset(RELATIONS), True, tries=5)
    assert draft is None or draft.relations == frozenset(RELATIONS)


@pytest.mark.parametrize(
    ("value", "words"), [(True, "yes"), (False, "no"), (3, "3"), (("red", "blue"), "blue, red"), ("wood", "wood")]
)
def test_answers_are_said_as_gold_data_say_them(value, words):
    assert answer_words(value) == words
