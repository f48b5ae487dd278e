"""Programs in plain English: sound sentences that the parser, which knows none of the templates, reads back."""

from __future__ import annotations

import numpy as np
import pytest
from chained_programs import FAMILIES, ChainedPrograms, plainest
from row_tables import each_row

from vantage.questions.generation.program_phrases import told_clearly
from vantage.questions.generation.program_wording import worded_program
from vantage.questions.parsing.parser import parse
from vantage.questions.programs import program_text, read_program
from vantage.scenes.generator.generator import generate_home
from vantage.scenes.graph.graph import SceneGraph

MUG, BED = "unique(filter(scene(), 'label', 'mug'))", "unique(filter(scene(), 'label', 'bed'))"
SCISSORS = "unique(filter(scene(), 'label', 'scissors'))"
TABLE = "unique(filter(filter(scene(), 'label', 'table'), 'room', 'hall'))"


@pytest.fixture(scope="module", params=[3, 4])
def home(request) -> ChainedPrograms:
    return ChainedPrograms(SceneGraph.from_spec(generate_home(request.param, 4)), request.param)


@pytest.mark.parametrize("family", FAMILIES)
def test_the_parser_reads_back_every_wording(home, family):
    for number in range(4):
        program = home.draw(family)
        assert program is not None
        for seed in (2 * number, 2 * number + 1):
            text = worded_program(program, seed)
            parsed = parse(text)
            assert parsed is not None, f"{text} ({program_text(program)})"
            assert plainest(parsed.program) == plainest(program), text
            assert home.executor.run(parsed.program).value == home.executor.run(program).value


@each_row(
    "program, wordings",
    [
        (
            f"exist(compared(filter(scene(), 'color', 'gray'), 'mass', {MUG}))",
            {"Is there a gray thing heavier than the mug?", "Are any gray objects heavier than the mug?"},
        ),
        (f"count(relate(scene(), 'on', {TABLE}))", {"How many things are on top of the table in the hall?"}),
        (
            f"exist(same({MUG}, 'material'))",
            {"Is there another thing made of the same material as the mug?"},
        ),
        (
            f"count(compared(relate(filter(scene(), 'room', 'hall'), 'next to', {BED}), 'size', {MUG}, True))",
            {"How many things in the hall are next to the bed and smaller than the mug?"},
        ),
        (
            f"query(unique(compared(filter(scene(), 'label', 'box'), 'mass', {MUG})), 'color')",
            {"What color is the box that is heavier than the mug?"},
        ),
        (
            f"query_each(relate(scene(), 'on', {TABLE}), 'material')",
            {"What are the materials of the things on the table in the hall?"},
        ),
        (f"query_each(relate(scene(), 'in', {BED}), 'label')", {"What things are inside the bed?"}),
        ("query_each(filter(scene(), 'label', 'plant'), 'room')", {"Which rooms have a plant?"}),
        (f"verify({MUG}, 'material', 'wood')", {"Is the mug made of wood?", "Is the mug wooden?"}),
        (f"compare_attribute('material', {MUG}, {BED})", {"Are the mug and the bed made of the same material?"}),
        (
            f"compare_number('more', relate(scene(), 'on', {BED}), filter(scene(), 'label', 'mug'))",
            {"Is the number of mugs less than the number of things on the bed?"},
        ),
        (f"compare_quantity('mass', {MUG}, {BED}, True)", {"Does the mug weigh less than the bed?"}),
        (f"compare_quantity('length', {MUG}, {BED}, True)", {"Is the mug shorter in length than the bed?"}),
        (f"compare_quantity('mass', {SCISSORS}, {MUG})", {"Do the scissors weigh more than the mug?"}),
        (f"verify({SCISSORS}, 'color', 'red')", {"Are the scissors red?"}),
        ("exist(filter(scene(), 'label', 'scissors'))", {"Are there any scissors?"}),
        (
            "exist(filter(filter(filter(scene(), 'label', 'box'), 'color', 'red'), 'weight', 'light'))",
            {"Is there a lightweight red box?"},
        ),
    ],
)
def test_wordings(program, wordings):
    found = {worded_program(read_program(program), seed) for seed in range(300)}
    assert wordings <= found


def test_a_seed_and_a_generator_decide_the_wording():
    program = read_program(f"count(relate(scene(), 'on', {TABLE}))")
    assert worded_program(program, 5) == worded_program(program, np.random.default_rng(5))


@each_row(
    "program, clear",
    [
        (f"exist(relate(scene(), 'next to', unique(relate(filter(scene(), 'label', 'bed'), 'near', {MUG}))))", False),
        (f"exist(relate(scene(), 'next to', unique(relate(filter(scene(), 'label', 'mug'), 'near', {BED}))))", True),
        (f"exist(relate(filter(scene(), 'label', 'bed'), 'near', {MUG}))", True),
        (f"query(unique(compared(filter(scene(), 'label', 'bed'), 'mass', {MUG})), 'color')", False),
        (f"compare_quantity('size', {MUG}, unique(relate(filter(scene(), 'label', 'bed'), 'near', {MUG})))", False),
    ],
)
def test_chains_that_listeners_may_take_otherwise(program, clear):
    assert told_clearly(read_program(program)) is clear
