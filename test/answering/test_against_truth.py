"""The reasoner against exact execution: equal where all was seen, never contradicting it where only part was."""

from collections import Counter

import numpy as np
import pytest
from known_scenes import ASKER, KnownScene, KnownSpace, random_home
from random_programs import PROGRAMS, Chance

from vantage.answering.symbolic.reasoner import SymbolicReasoner
from vantage.questions import programs as steps
from vantage.questions.execution import execute
from vantage.questions.parsed import ParsedQuestion
from vantage.questions.programs import program_text
from vantage.types import Verdict

SEEDS = range(120)


def said(value):
    return {True: "yes", False: "no"}.get(value, str(value)) if isinstance(value, bool) else str(value)


def agrees(program, answer, value):
    """Places on the floor are told with their room, which the exact answer leaves at the room."""
    place = isinstance(program, steps.Query) and program.attribute == "place"
    return answer == said(value) or (place and answer.startswith("on the floor") and answer.endswith(said(value)))


def assessed(program, scene, exhausted):
    return SymbolicReasoner().assess(ParsedQuestion("", program), scene, KnownSpace(scene), exhausted)


@pytest.mark.parametrize("kind", PROGRAMS)
def test_answers_are_exact_where_everything_was_seen(kind):
    answered = 0
    for seed in SEEDS:
        graph, program = random_home(np.random.default_rng(seed)), Chance(seed).program(kind)
        truth = execute(program, graph, ASKER)
        if truth.problem:
            continue
        found = assessed(program, KnownScene(graph), exhausted=True)
        shown = (seed, program_text(program), truth, found)
        assert found.verdict is Verdict.ANSWERED, shown
        assert agrees(program, found.answer, truth.value), shown
        assert 0.0 < found.confidence <= 1.0
        answered += 1
    assert answered >= 5


@pytest.mark.parametrize("kind", PROGRAMS)
def test_nothing_is_said_that_unseen_things_could_refute(kind):
    verdicts = Counter()
    for seed in SEEDS:
        rng = np.random.default_rng(seed)
        graph, program = random_home(rng), Chance(seed).program(kind)
        truth = execute(program, graph, ASKER)
        ids = [node.instance_id for node in graph.nodes]
        hidden, blurred = ({key for key in ids if rng.random() < share} for share in (0.25, 0.15))
        over = kind is steps.Alike and seed % 2 == 1  # of which all there are must have been seen
        if over:
            hidden, blurred = set(), set()
        found = assessed(program, KnownScene(graph, hidden, blurred), exhausted=over)
        verdicts[found.verdict] += 1
        if found.verdict is Verdict.NEEDS_LOOK:
            closed = "cannot look into" in found.text
            assert bool(found.look_for) is not closed, (seed, program_text(program), found)
        if found.verdict is Verdict.ANSWERED and not truth.problem:
            assert agrees(program, found.answer, truth.value), (seed, program_text(program), truth, found)
    assert verdicts[Verdict.ANSWERED] > 0
    assert verdicts[Verdict.NEEDS_LOOK] > 0


@pytest.mark.parametrize("seed", range(40))
def test_a_description_that_fits_nothing_or_several_things_is_noticed(seed):
    graph = random_home(np.random.default_rng(seed))
    program = Chance(seed).program(steps.Query)
    truth = execute(program, graph, ASKER)
    found = assessed(program, KnownScene(graph), exhausted=True)
    if truth.problem == "none" and not truth.objects:
        assert found.verdict in (Verdict.CORRECTED, Verdict.UNANSWERABLE, Verdict.NEEDS_CONFIRMATION), found
    if truth.problem == "several":
        options = found.verdict in (Verdict.NEEDS_CONFIRMATION, Verdict.UNANSWERABLE, Verdict.CORRECTED)
        assert options or found.verdict is Verdict.ANSWERED  # each of them leads to the same answer


@pytest.mark.parametrize("exhausted", [False, True])
def test_every_program_gets_a_typed_verdict_whatever_was_seen(exhausted):
    for seed in range(300):
        rng = np.random.default_rng(seed)
        graph, program = random_home(rng), Chance(seed).program(PROGRAMS[seed % len(PROGRAMS)])
        ids = [node.instance_id for node in graph.nodes]
        hidden, blurred = ({key for key in ids if rng.random() < 0.2} for _ in range(2))
        scene, number = KnownScene(graph, hidden, blurred), (None, 2, 0)[seed % 3]
        coverage = KnownSpace(scene) if seed % 2 else None
        found = SymbolicReasoner().assess(ParsedQuestion("", program, number), scene, coverage, exhausted)
        assert found.text
        assert 0.0 <= found.confidence <= 1.0
        if found.verdict is Verdict.CORRECTED:
            assert found.noise.correction
            assert found.noise.corrected_question.endswith("?")
