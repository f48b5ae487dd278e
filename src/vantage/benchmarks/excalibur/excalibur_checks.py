"""Whether a set of EXCALIBUR is sound: its files, phases and budgets, its gold data against the houses, its balance.

Answers, and what has to be seen, lifted and opened for them, are worked out anew from the houses.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from vantage.benchmarks.excalibur.evidence import Evidence, evidence_of, gets_about, looking
from vantage.benchmarks.excalibur.label_quotas import RELATION_SHARES, TYPE_SHARES
from vantage.benchmarks.excalibur.needed_evidence import Needed, NeededEvidence, NotGatheredError
from vantage.benchmarks.excalibur.question_drafts import answer_words, relations_of
from vantage.benchmarks.excalibur.question_labels import COUNT, PHASES, TYPES, YES_NO
from vantage.benchmarks.labelling import VisibilitySettings
from vantage.benchmarks.sets import SCENES, TRAINING, check_files, load_set, load_truths
from vantage.config import RelationSettings, Settings
from vantage.errors import FormatError
from vantage.files import EPISODE_SET
from vantage.questions import Executor, Truths, read_program
from vantage.scenes.graph import SceneGraph
from vantage.splats import load_graph
from vantage.types import Episode, Phase, Truth, TruthQuestion

_LEAST_BALANCED = 40  # yes/no questions of which neither answer may have too many
_LOPSIDED = 0.25  # share of them that one answer may have more than the other
_LEAST_SHARED, _OFF = 200, 0.05  # questions of which types and relations have the published shares, to within that


def set_problems(folder: str | Path) -> list[str]:
    """Everything that is wrong with a set and its training set, one sentence each; empty for sound ones.

    Raises:
        FormatError: the set cannot be read at all.
    """
    episode_set = load_set(folder)
    truths = load_truths(episode_set.folder, episode_set.episodes)
    from vantage.worlds.house import HouseWorld, hand_reaches, load_robot

    problems = check_files(episode_set, truths)
    settings = Settings().with_values(episode_set.info.settings, str(episode_set.folder / EPISODE_SET))
    here = replace(settings, world=replace(settings.world, scenes=str(episode_set.folder / SCENES)))
    visibility = VisibilitySettings.of(
        episode_set.info.thresholds, f"{episode_set.folder / EPISODE_SET}: thresholds", episode_set.info.view_rule
    )
    reaches = hand_reaches(load_robot(settings.house.robot))
    with closing(HouseWorld(here)) as world:
        for episode in episode_set.episodes:
            found = [*phase_problems(episode)]
            if episode_set.scene_folder(episode.scene).is_dir():
                place = world.place(episode.scene)
                if not gets_about(place, episode.start.x, episode.start.y):
                    found.append("the robot cannot stand at its start and get about from there")
                evidence = evidence_of(place.home, place, reaches, looking(settings), visibility)
                check = GoldCheck(load_graph(episode_set.scene_folder(episode.scene)), evidence, settings.relations)
                found += _gold_problems(episode, truths[episode.episode_id], check)
            problems += [f"episode '{episode.episode_id}': {problem}" for problem in found]
    training = episode_set.folder / TRAINING
    told = [f"{TRAINING}: {problem}" for problem in set_problems(training)] if training.is_dir() else []
    return [*problems, *balance_problems(truths.values()), *told]


def phase_problems(episode: Episode) -> Iterator[str]:
    """What is wrong with the phases of an episode, in words."""
    names = tuple(phase.name for phase in episode.phases)
    if names != PHASES:
        yield f"its phases are {', '.join(names) or 'none'}, not {', '.join(PHASES)} in this order"
        return
    explore, answer, reenter, refine = episode.phases
    if explore.questions or reenter.questions:
        yield "it asks while the house is explored"
    if not reenter.restored or explore.restored or answer.restored or refine.restored:
        yield f"the house must be restored before phase '{reenter.name}', and before no other"
    asked, again = ([(item.question_id, item.text) for item in phase.questions] for phase in (answer, refine))
    if asked != again:
        yield "other questions are asked after the re-entry than before"
    for text, count in Counter(text for _, text in asked).items():
        if count > 1:
            yield f"'{text}' is asked {count} times"


def _gold_problems(episode: Episode, truth: Truth, check: GoldCheck) -> Iterator[str]:
    for gold in truth.questions:
        problem = check.problem(gold)
        if problem:
            yield f"question '{gold.question_id}' of phase '{gold.phase}': {problem}"
    keys = [question.key for question in episode.questions]
    if [(gold.phase, gold.question_id) for gold in truth.questions] != keys:
        yield "its gold data are not those of its questions, in their order"


class GoldCheck:
    """Holds gold data of questions against one house.

    Args:
        evidence: what can be found out in it.
    """

    def __init__(self, graph: SceneGraph, evidence: Evidence, relations: RelationSettings) -> None:
        self._known = {node.instance_id for node in graph.nodes}
        self._run = Executor(graph, None, relations, hidden=True)
        self._needed = NeededEvidence(Truths(graph, relations, hidden=True), self._run, evidence)

    def problem(self, gold: TruthQuestion) -> str:
        """What contradicts the house in the gold data of one question, in words; empty for nothing."""
        try:
            program = read_program(gold.program)
        except FormatError as error:
            return str(error)
        outcome = self._run.run(program)
        unknown = [key for key in (*gold.target_instances, *gold.to_weigh, *gold.to_open) if key not in self._known]
        if unknown:
            return f"its evidence names object {unknown[0]}, which the house does not have"
        if outcome.value is None:
            return f"the program '{gold.program}' finds {outcome.problem} of what it asks about"
        if answer_words(outcome.value) != gold.answer:
            return f"the answer is '{gold.answer}', the house gives '{answer_words(outcome.value)}'"
        if gold.kind not in TYPES or (gold.kind == COUNT) != (type(outcome.value) is int):
            return f"its type '{gold.kind}' is not that of its answer"
        if ", ".join(sorted(relations_of(program))) != gold.category:
            return f"its relations are said to be '{gold.category}', and are not"
        try:
            needed = self._needed.of(program, outcome.objects)
        except NotGatheredError as error:
            return f"its evidence cannot be gathered: {error}"
        return _difference(gold, needed)


def _difference(gold: TruthQuestion, needed: Needed) -> str:
    """Where the evidence that is told differs from what is needed, in words; empty for nowhere."""
    for what, told, right in (
        ("seen", gold.target_instances, needed.targets),
        ("lifted", gold.to_weigh, needed.to_weigh),
        ("opened", gold.to_open, needed.to_open),
    ):
        if set(told) != set(right):
            return f"what has to be {what} is said to be {_listed(told)}, the house gives {_listed(right)}"
    return ""


def _listed(keys: Sequence[int]) -> str:
    return f"objects {', '.join(map(str, sorted(keys)))}" if keys else "nothing"


def balance_problems(truths: Iterable[Truth]) -> Iterator[str]:
    """Where answers to yes/no questions, or shares of types and relations, are off what they should be, in words."""
    told = list(truths)
    gold = [each for truth in told for each in truth.questions if each.phase == Phase.ANSWER.value]
    answers = [each.answer for each in gold if each.kind == YES_NO]
    yes = answers.count("yes")
    if len(answers) >= _LEAST_BALANCED and abs(2 * yes - len(answers)) > _LOPSIDED * len(answers):
        yield f"{yes} of {len(answers)} yes/no questions are answered with yes, which is not balanced"
    if len(gold) >= _LEAST_SHARED:
        found = shares(told)
        for name, share in {**TYPE_SHARES, **RELATION_SHARES}.items():
            if abs(found.get(name, 0.0) - share) > _OFF:
                yield (
                    f"{100 * found.get(name, 0.0):.1f} % of its questions are of '{name}', "
                    f"not {100 * share:.1f} % to within {100 * _OFF:.0f} points"
                )


def shares(truths: Iterable[Truth]) -> dict[str, float]:
    """Shares of types and relations among the questions of some episodes, as asked first."""
    gold: Sequence[TruthQuestion] = [
        each for truth in truths for each in truth.questions if each.phase == Phase.ANSWER.value
    ]
    counted: Counter[str] = Counter(each.kind for each in gold)
    counted.update(part for each in gold for part in each.category.split(", ") if part)
    return {key: counted[key] / max(len(gold), 1) for key in sorted(counted)}
