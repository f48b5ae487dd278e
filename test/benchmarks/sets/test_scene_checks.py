"""Gold data against a scene graph."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from vantage.benchmarks.sets.scene_checks import gold_problems
from vantage.questions.noise.false_premises import make_questions
from vantage.scenes.generator.generator import generate_home
from vantage.scenes.graph.graph import GraphNode, SceneGraph
from vantage.types import NoiseType, TruthQuestion


def node(
    instance_id: int, label: str, color: str = "", material: str = "", relation: str = "", parent: int = 0
) -> GraphNode:
    return GraphNode(instance_id, label, color, material, (0, 0, 0), (1, 1, 1), relation, parent)


GRAPH = SceneGraph(
    "room",
    1,
    (0, 0, 0),
    (4, 4, 3),
    (
        node(1, "floor"),
        node(2, "table", "brown", "wood"),
        node(3, "mug", "blue", "ceramic", "on", 2),
        node(4, "mug", "blue", "ceramic", "on", 2),
        node(5, "ball", "red", "plastic"),
    ),
)
BALL, MUGS = "filter(scene(), 'label', 'ball')", "filter(scene(), 'label', 'mug')"
TABLE = "unique(filter(scene(), 'label', 'table'))"
COLOR = TruthQuestion("q", "color", "red", target_instances=(5,), program=f"query(unique({BALL}), 'color')")
COUNT = TruthQuestion("q", "count", "2", target_instances=(3, 4), program=f"count(relate({MUGS}, 'on', {TABLE}))")
NONE = TruthQuestion("q", "existence", "no", target_instances=(2,), program=f"exist(relate({BALL}, 'on', {TABLE}))")
NOISY = TruthQuestion(
    "q", "material", "plastic", (), False, NoiseType.COLOR, "the ball is green", "the ball is red", "", (5,)
)


@pytest.mark.parametrize(
    "truth",
    [
        COLOR,
        COUNT,
        NONE,
        replace(COLOR, kind="location", answer="on the floor", program=f"query(unique({BALL}), 'place')"),
        replace(COLOR, kind="existence", answer="yes", program=f"exist({BALL})"),
        NOISY,
        replace(
            NOISY,
            noise_type=NoiseType.MATERIAL,
            kind="color",
            answer="red",
            false_claim="it is wood",
            correction="it is plastic",
        ),
        replace(
            NOISY,
            noise_type=NoiseType.COUNT,
            kind="color",
            answer="blue",
            false_claim="there are three mugs on the table",
            correction="there are two mugs on the table",
            target_instances=(3, 4),
        ),
        replace(
            NOISY,
            noise_type=NoiseType.POSITION,
            false_claim="the ball is on the table",
            correction="the ball is on the floor",
        ),
        replace(
            NOISY,
            noise_type=NoiseType.LATENT,
            answer="",
            false_claim="there is a piano on the table",
            correction="there is no piano on the table",
            target_instances=(2,),
            program="query(unique(filter(scene(), 'label', 'piano')), 'material')",
        ),
    ],
)
def test_sound_gold_data_pass(truth: TruthQuestion) -> None:
    assert gold_problems(truth, GRAPH) == []


@pytest.mark.parametrize(
    ("truth", "words"),
    [
        (replace(COLOR, answer="blue"), "the scene says 'red'"),
        (replace(COLOR, target_instances=(9,)), "no object 9"),
        (replace(COLOR, target_instances=()), "needs a target"),
        (replace(COLOR, premise_holds=False), "said to fail"),
        (replace(COLOR, program=""), "needs a program"),
        (replace(COLOR, program="query(ball, 'color')"), "which is no step"),
        (replace(COLOR, program=f"query(unique({MUGS}), 'color')"), "finds several"),
        (replace(COUNT, answer="3"), "the scene says '2'"),
        (replace(NONE, answer="yes"), "the scene says 'no'"),
        (replace(NOISY, kind="smell"), "kind 'smell'"),
        (replace(NOISY, answer="wood"), "the scene says 'plastic'"),
        (replace(NOISY, program=f"query(unique({BALL}), 'material')"), "the premise holds"),
        (replace(NOISY, false_claim="the ball is red"), "is true"),
        (replace(NOISY, correction="the ball is blue"), "does not say 'red'"),
        (replace(NOISY, correction=""), "needs a false claim and a correction"),
        (replace(NOISY, noise_type=NoiseType.LATENT, false_claim="there is a mug on the table"), "does hold a mug"),
    ],
)
def test_contradictions_are_found(truth: TruthQuestion, words: str) -> None:
    assert words in "; ".join(gold_problems(truth, GRAPH))


def test_generated_questions_are_sound() -> None:
    for seed in range(3):
        graph = SceneGraph.from_spec(generate_home(seed))
        for question in make_questions(graph, 10, 8, np.random.default_rng(seed)):
            assert gold_problems(question.truth, graph) == [], question.text
