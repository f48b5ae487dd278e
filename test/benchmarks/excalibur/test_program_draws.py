"""What is drawn: families that can turn on the wanted relations, and values that such things may have."""

from __future__ import annotations

import numpy as np
import pytest
from explored_home import explored

from vantage.benchmarks.excalibur.program_draws import NothingDrawnError, ProgramDraws, families_of, usual_values
from vantage.benchmarks.excalibur.question_labels import COLOR, HEAVIER, MATERIAL, ON_TOP
from vantage.config import RelationSettings
from vantage.questions import Executor, Truths, programs as steps


def draws(seed: int = 3, things: bool = True) -> tuple[ProgramDraws, Truths]:
    _, graph, evidence = explored(seed)
    truths = Truths(graph, RelationSettings(), hidden=True)
    run = Executor(graph, None, RelationSettings(), hidden=True)
    seen = [node for node in truths.objects if things and node.instance_id in evidence.seen]
    lifted = [node for node in seen if node.instance_id in evidence.lifted]
    return ProgramDraws(truths, run, seen, lifted, np.random.default_rng(0)), truths


@pytest.mark.parametrize(
    ("kind", "relations", "families"),
    [
        ("yes/no", {MATERIAL}, {"exist", "compare_number", "verify", "compare_attribute"}),
        ("yes/no", {HEAVIER}, {"exist_compared", "compare_number", "compare_quantity"}),
        ("yes/no", {ON_TOP}, {"exist_related", "compare_number"}),
        ("yes/no", set(), {"exist", "compare_number"}),
        ("count", {COLOR}, {"count"}),
        ("count", {COLOR, ON_TOP}, {"count_chained"}),
        ("query", {MATERIAL}, {"query", "query_each"}),
    ],
)
def test_families_are_those_that_can_turn_on_the_relations(kind, relations, families):
    assert set(families_of(kind, frozenset(relations))) == families


def test_usual_values_are_those_of_the_catalogue():
    assert usual_values("sofa", MATERIAL) == ("fabric", "leather")
    assert len(usual_values("mug", MATERIAL)) == 1 < len(usual_values("mug", COLOR))
    assert usual_values("unicorn", COLOR) == ()


def test_what_is_verified_is_something_that_such_things_come_in():
    drawn, found = draws()[0], []
    while len(found) < 20:
        try:
            found.append(drawn.draw("verify", frozenset({MATERIAL}), False, "equal"))
        except NothingDrawnError:
            continue
    for program in found:
        objects = program.one.objects
        while not isinstance(objects, steps.Scene):
            if isinstance(objects, steps.Filter) and objects.attribute == "label":
                assert program.value in usual_values(objects.value, MATERIAL)
            objects = objects.objects


def test_of_nothing_nothing_is_drawn():
    for family in ("exist", "verify", "count", "query", "compare_number", "compare_quantity"):
        with pytest.raises(NothingDrawnError):
            draws(things=False)[0].draw(family, frozenset({MATERIAL, HEAVIER}), True, "more")
