"""Sets of EXCALIBUR: houses of a split, questions about each as it is found, and episodes of four phases.

The same split, number of houses, seed and settings give the same bytes.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from vantage.benchmarks.excalibur.evidence import RobotPlace, evidence_of, gets_about, looking
from vantage.benchmarks.excalibur.houses import SPLITS, House
from vantage.benchmarks.excalibur.label_quotas import Quota, quotas
from vantage.benchmarks.excalibur.question_choice import chosen
from vantage.benchmarks.excalibur.question_drafts import Draft, HouseQuestions
from vantage.benchmarks.excalibur.question_labels import CONTAINED, HEAVIER, LARGER, ON_TOP, RELATIONS, YES_NO
from vantage.benchmarks.labelling import VisibilitySettings
from vantage.benchmarks.protocol import Progress
from vantage.benchmarks.sets import (
    SCENES,
    TRAINING,
    EpisodeSet,
    SceneBounds,
    SetInfo,
    new_set_folder,
    save_set,
    stored_values,
)
from vantage.config import Settings, of_key
from vantage.errors import SceneError, UsageError
from vantage.planning import make_actions
from vantage.questions import program_text
from vantage.scenes.graph import SceneGraph
from vantage.shared_settings import may_say
from vantage.spatial import Viewpoint
from vantage.splats.synthesis import in_words, save_home
from vantage.types import Episode, EpisodePhase, Phase, Question, Truth, TruthQuestion
from vantage.workers import WorkerPool

BENCHMARK, WORLD = "excalibur", "house"
_FURTHER = (  # settings that a set is run with besides those that all sets store
    "house.depth_width",
    "house.depth_height",
    "house.max_hand_translation",
    "house.max_hand_rotation",
    "agent.perception",
    "agent.hidden_contents",
    "agent.step_discount",
)
_PLAIN = 3  # relations of a quota that is not asked for one more
_SELDOM = (CONTAINED, ON_TOP, HEAVIER, LARGER)  # relations of which few questions are found, given up last
_CHOICES = 3  # questions that are drawn for each place in a house, of which one is asked; of yes/no, with each answer
_TRIES, _MORE_TRIES = 2, 4  # for each of these: to find one with either answer, and one with another answer


@dataclass(frozen=True)
class SetRequest:
    """What set to make.

    Attributes:
        questions: about each house.
        explore_steps, reentry_steps: budgets of these phases; the second is a safety cap.
        workers: processes.
    """

    houses: Sequence[House]
    questions: int
    explore_steps: int
    reentry_steps: int
    seed: int
    settings: Settings
    visibility: VisibilitySettings
    workers: int = 2


@dataclass(frozen=True)
class _Drafted:
    """What was drawn for one house; ``problem`` says why it cannot be asked about."""

    name: str
    bounds: SceneBounds
    start: Viewpoint | None
    choices: tuple[tuple[Draft, ...], ...] = ()
    problem: str = ""


def make_set(
    folder: str | Path, request: SetRequest, progress: Progress, training: SetRequest | None = None
) -> EpisodeSet:
    """Make a set; see ``ExcaliburBenchmark.make``.

    Args:
        training: of a set in its folder ``train``, from whose questions agents learn who answer without looking.
    """
    if request.questions < 1 or request.explore_steps < 1 or request.reentry_steps < 1:
        raise UsageError("an episode needs at least one question, one step to explore and one to look again")
    with new_set_folder(folder) as root:
        if training is not None:
            make_set(root / TRAINING, training, lambda line: progress(f"{TRAINING}: {line}"))
        drafted: list[_Drafted] = []
        with WorkerPool(max(1, min(request.workers, len(request.houses)))) as pool:
            jobs = [pool.submit(_draft_house, request, number, root) for number in range(len(request.houses))]
            for number, job in enumerate(jobs, start=1):
                found: _Drafted = job.result()
                drafted.append(found)
                progress(f"house {number} of {len(jobs)}: {found.name}{found.problem and ': ' + found.problem}")
        refused = [found for found in drafted if found.problem]
        if refused:
            raise SceneError(f"{refused[0].name}: {refused[0].problem}")
        asked = chosen([found.choices for found in drafted])
        made = [
            _episode(found, questions, request, number)
            for number, (found, questions) in enumerate(zip(drafted, asked, strict=True))
        ]
        values = {**stored_values(request.settings), **_further(request.settings)}
        info = SetInfo(
            BENCHMARK,
            make_actions(request.settings.actions),
            {found.name: found.bounds for found in drafted},
            {"set": request.seed},
            request.visibility.thresholds,
            values,
            world=WORLD,
        )
        return save_set(root, info, [episode for episode, _ in made], [truth for _, truth in made])


def _further(settings: Settings) -> dict[str, object]:
    values = {key: of_key(settings, key) for key in _FURTHER}
    return {key: value for key, value in values.items() if may_say(key, value)}


def _draft_house(request: SetRequest, number: int, root: Path) -> _Drafted:
    """Write the scene of one house and draw questions for each of its places."""
    from vantage.worlds.house import HouseWorld, hand_reaches, load_robot

    settings, house = request.settings, request.houses[number]
    spec = house.spec()
    save_home(spec, root / SCENES / house.name, in_words(spec), cloud=False)
    graph = SceneGraph.from_spec(spec)
    bounds = SceneBounds(spec.bounds_min, spec.bounds_max)
    rng = np.random.default_rng([request.seed, house.seed])
    here = replace(settings, world=replace(settings.world, scenes=str(root / SCENES)))
    with closing(HouseWorld(here)) as world:
        place = world.place(house.name)
        start = _start(place, spec.bounds_min, spec.bounds_max, settings.actions.rotation, rng)
        if start is None:
            return _Drafted(
                house.name, bounds, None, problem="the robot finds no free floor to begin on; take another seed"
            )
        reaches = hand_reaches(load_robot(settings.house.robot))
        evidence = evidence_of(place.home, place, reaches, looking(settings), request.visibility)
    asking = HouseQuestions(graph, evidence, settings.relations, rng)
    found = tuple(each for each in drawn_all(asking, quotas(request.questions, rng, number, request.seed), rng) if each)
    if len(found) < request.questions:
        advice = "take another seed, or ask for fewer questions" if house.split in SPLITS else "ask for fewer questions"
        problem = f"it gives {len(found)} of {request.questions} questions; {advice}"
        return _Drafted(house.name, bounds, start, problem=problem)
    return _Drafted(house.name, bounds, start, found)


def drawn_all(asking: HouseQuestions, wanted: Sequence[Quota], rng: np.random.Generator) -> list[tuple[Draft, ...]]:
    """Drafts for each quota of a house. Relations that one has to give up are asked about by a plainer one instead."""
    found: list[tuple[Draft, ...]] = [()] * len(wanted)
    owed: Counter[str] = Counter()
    asked: set[str] = set()
    for place in sorted(range(len(wanted)), key=lambda place: -len(wanted[place].relations)):
        quota = wanted[place]
        further = [each for each in RELATIONS if owed[each] > 0 and each not in quota.relations]
        if further and len(quota.relations) < _PLAIN:
            most = max(further, key=owed.__getitem__)
            owed[most] -= 1
            quota = replace(quota, relations=quota.relations | {most})
        found[place] = drawn(asking, quota, asked, rng)
        if found[place]:
            owed.update(quota.relations - found[place][0].relations)
    return found


def drawn(asking: HouseQuestions, quota: Quota, asked: set[str], rng: np.random.Generator) -> tuple[Draft, ...]:
    """Different questions by a quota, those of yes/no with either answer; where there is none, by one with fewer
    relations.

    Args:
        asked: texts that were drawn; those of the new ones are added.
    """
    relations = sorted(quota.relations, key=RELATIONS.index)
    while True:
        told = frozenset(relations)
        found = _either(asking, told, asked) if quota.kind == YES_NO else _different(asking, quota.kind, told, asked)
        if found or not relations:
            return tuple(found)
        common = [each for each in relations if each not in _SELDOM] or relations
        relations.remove(common[int(rng.integers(len(common)))])


def _either(asking: HouseQuestions, relations: frozenset[str], asked: set[str]) -> list[Draft]:
    """Yes/no questions in pairs of one family, of which one is answered with yes and one with no."""
    found: list[Draft] = []
    for number in range(_TRIES * _CHOICES):
        first = asking.draw(YES_NO, relations, number % 2 == 0)
        second = first and asking.draw(YES_NO, relations, number % 2 != 0, first.family)
        if first is None:
            break
        if second is not None and first.text != second.text and asked.isdisjoint((first.text, second.text)):
            found += [first, second]
            asked.update((first.text, second.text))
        if len(found) == 2 * _CHOICES:
            break
    return found


def _different(asking: HouseQuestions, kind: str, relations: frozenset[str], asked: set[str]) -> list[Draft]:
    """Questions that are not of yes/no, with texts and answers of their own."""
    found: dict[str, Draft] = {}
    for _ in range(_MORE_TRIES * _CHOICES):
        draft = asking.draw(kind, relations, True)
        if draft is None or len(found) == _CHOICES:
            break
        if draft.text not in asked and draft.answer not in found:
            asked.add(draft.text)
            found[draft.answer] = draft
    return list(found.values())


def _start(
    place: RobotPlace,
    low: tuple[float, float, float],
    high: tuple[float, float, float],
    turn: float,
    rng: np.random.Generator,
) -> Viewpoint | None:
    """A viewpoint on free floor, by lot, with a heading that is a whole number of turns."""
    for _ in range(2000):
        x, y = float(rng.uniform(low[0], high[0])), float(rng.uniform(low[1], high[1]))
        x, y = round(x, 3), round(y, 3)
        yaw = turn * int(rng.integers(round(2.0 * math.pi / turn)))
        if gets_about(place, x, y):
            yaw = math.atan2(math.sin(yaw), math.cos(yaw))
            return Viewpoint(x, y, place.height, yaw, 0.0)
    return None


def _episode(found: _Drafted, drafts: Sequence[Draft], request: SetRequest, number: int) -> tuple[Episode, Truth]:
    assert found.start is not None
    texts = [draft.text for draft in drafts]
    phases = (
        EpisodePhase(Phase.EXPLORE.value, request.explore_steps),
        _asking(Phase.ANSWER.value, texts),
        EpisodePhase(Phase.REENTER.value, request.reentry_steps, restored=True),
        _asking(Phase.REFINE.value, texts),
    )
    house = request.houses[number]
    seed = int(np.random.default_rng([request.seed, house.seed, 1]).integers(2**31))
    episode = Episode.of_phases(house.name, BENCHMARK, house.name, found.start, phases, seed)
    gold = tuple(
        _gold(draft, f"q{place:02d}", phase.name)
        for phase in phases
        if phase.questions
        for place, draft in enumerate(drafts, start=1)
    )
    return episode, Truth(house.name, gold, split=house.split)


def _asking(phase: str, texts: Sequence[str]) -> EpisodePhase:
    asked = tuple(Question(f"q{place:02d}", text, phase) for place, text in enumerate(texts, start=1))
    return EpisodePhase(phase, 0, asked)


def _gold(draft: Draft, question_id: str, phase: str) -> TruthQuestion:
    return TruthQuestion(
        question_id,
        draft.kind,
        draft.answer,
        target_instances=draft.needed.targets,
        program=program_text(draft.program),
        phase=phase,
        category=", ".join(sorted(draft.relations)),
        to_weigh=draft.needed.to_weigh,
        to_open=draft.needed.to_open,
    )
