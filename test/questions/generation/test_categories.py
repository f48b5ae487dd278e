"""Categories of questions, told from their programs; answers that vary."""

from __future__ import annotations

from collections import Counter
from functools import cache

import numpy as np
import pytest
from hand_made import hand_made
from row_tables import each_row

from vantage.errors import FormatError
from vantage.questions.generation import CATEGORIES, Facts, category_of, category_question
from vantage.scenes.generator import generate_home
from vantage.scenes.graph import SceneGraph
from vantage.types import TruthQuestion

MUG = "unique(filter(scene(), 'label', 'mug'))"
TABLE = "unique(filter(scene(), 'label', 'table'))"


@each_row(
    "program, category",
    [
        (f"query({MUG}, 'place')", "object"),
        (f"query({MUG}, 'room')", "object"),
        (f"exist(relate(filter(scene(), 'label', 'mug'), 'on', {TABLE}))", "object"),
        (f"exist(relate(filter(scene(), 'label', 'mug'), 'next to', {TABLE}))", "relation"),
        (f"verify({MUG}, 'state', 'dirty')", "state"),
        (f"query({MUG}, 'state')", "state"),
        (f"query({MUG}, 'color')", "attribute"),
        (f"query({MUG}, 'text')", "attribute"),
        (f"compare_attribute('color', {MUG}, {TABLE})", "attribute"),
        ("query(unique(filter(scene(), 'use', 'cut bread')), 'label')", "use"),
        ("query(unique(filter(scene(), 'use', 'cut bread')), 'color')", "use"),
        ("count(filter(scene(), 'use', 'sit down'))", "use"),
        (f"query(unique(relate(scene(), 'under', {TABLE})), 'label')", "relation"),
        (f"verify_relation({MUG}, 'left of', {TABLE}, {MUG})", "relation"),
        (f"compare_quantity('size', {MUG}, {TABLE})", "relation"),
        (f"count(relate(filter(scene(), 'label', 'mug'), 'on', {TABLE}))", "count"),
        ("query_each(filter(scene(), 'label', 'mug'), 'room')", "object"),
        ("query_each(filter(scene(), 'label', 'mug'), 'color')", "attribute"),
        (f"query_each(relate(scene(), 'next to', {TABLE}), 'label')", "relation"),
        (f"exist(compared(scene(), 'mass', {TABLE}))", "relation"),
        (f"verify({MUG}, 'weight', 'heavy')", "attribute"),
        ("compare_number('more', filter(scene(), 'label', 'mug'), filter(scene(), 'label', 'cup'))", "count"),
    ],
)
def test_a_category_is_told_from_the_program(program: str, category: str) -> None:
    assert category_of(TruthQuestion("q", "color", "red", program=program)) == category


@each_row("kind, category", [("color", "attribute"), ("location", "object"), ("use", "use"), ("count", "count")])
def test_without_a_program_what_is_asked_for_tells(kind: str, category: str) -> None:
    assert category_of(TruthQuestion("q", kind, "red")) == category


def test_a_damaged_program_is_refused() -> None:
    with pytest.raises(FormatError, match="cannot be read"):
        category_of(TruthQuestion("q", "color", "red", program="query("))


@cache
def homes() -> tuple[SceneGraph, ...]:
    return tuple(SceneGraph.from_spec(generate_home(seed, 2)) for seed in range(1, 9))


@pytest.mark.parametrize("category", CATEGORIES)
def test_questions_of_a_category_have_answers_that_vary(category: str) -> None:
    given: Counter[str] = Counter()
    for seed, home in enumerate(homes(), start=1):
        facts, rng = Facts(home), np.random.default_rng(seed)
        for _ in range(3):
            made = category_question(facts, category, rng, given)
            if made is not None:
                assert category_of(made.truth) == category
                given[made.truth.answer.lower()] += 1
    assert given.total() >= 20
    assert max(given.values()) <= 0.35 * given.total()


def test_the_rarest_answer_is_taken() -> None:
    facts = Facts(hand_made())
    for seed in range(5):
        first = category_question(facts, "attribute", np.random.default_rng(seed))
        assert first is not None
        other = category_question(facts, "attribute", np.random.default_rng(seed), {first.truth.answer.lower(): 1})
        assert other is not None
        assert other.truth.answer != first.truth.answer


def test_questions_are_the_same_from_one_seed() -> None:
    facts = Facts(hand_made())
    first, second = (category_question(facts, "object", np.random.default_rng(5)) for _ in range(2))
    assert first is not None
    assert first == second
