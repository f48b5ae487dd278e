"""Whether a set of EXCALIBUR is sound: its files, phases and budgets, and its gold data against the houses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from vantage.benchmarks.excalibur.evidence import gets_about
from vantage.benchmarks.excalibur.question_drafts import answer_words, relations_of
from vantage.benchmarks.excalibur.question_labels import COUNT, PHASES, TYPES
from vantage.benchmarks.sets import SCENES, EpisodeSet, check_files, load_set, load_truths
from vantage.config import Settings
from vantage.errors import FormatError
from vantage.questions import Executor, read_program
from vantage.scenes.graph import SceneGraph
from vantage.splats import load_graph
from vantage.types import Episode, Phase, Truth, TruthQuestion


def set_problems(folder: str | Path) -> list[str]:
    """Everything that is wrong with a set, one sentence each; empty for a sound one.

    Raises:
        FormatError: the set cannot be read at all.
    """
    episode_set = load_set(folder)
    truths = load_truths(episode_set.folder, episode_set.episodes)
    from vantage.worlds.house import HouseWorld

    problems = check_files(episode_set, truths)
    settings = Settings().with_values(episode_set.info.settings, str(episode_set.folder / "set.json"))
    here = replace(settings, world=replace(settings.world, scenes=str(episode_set.folder / SCENES)))
    with closing(HouseWorld(here)) as world:
        for episode in episode_set.episodes:
            found = [*phase_problems(episode)]
            if episode_set.scene_folder(episode.scene).is_dir():
                place = world.place(episode.scene)
                if not gets_about(place, episode.start.x, episode.start.y):
                    found.append("the robot cannot stand at its start and get about from there")
                found += _gold_problems(episode_set, episode, truths[episode.episode_id], settings)
            problems += [f"episode '{episode.episode_id}': {problem}" for problem in found]
    return problems


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


def _gold_problems(episode_set: EpisodeSet, episode: Episode, truth: Truth, settings: Settings) -> Iterator[str]:
    graph = load_graph(episode_set.scene_folder(episode.scene))
    run = Executor(graph, None, settings.relations, hidden=True)
    for gold in truth.questions:
        problem = gold_problem(gold, graph, run)
        if problem:
            yield f"question '{gold.question_id}' of phase '{gold.phase}': {problem}"
    keys = [question.key for question in episode.questions]
    if [(gold.phase, gold.question_id) for gold in truth.questions] != keys:
        yield "its gold data are not those of its questions, in their order"


def gold_problem(gold: TruthQuestion, graph: SceneGraph, run: Executor) -> str:
    """What contradicts a house in the gold data of one question, in words; empty for nothing."""
    try:
        program = read_program(gold.program)
    except FormatError as error:
        return str(error)
    outcome = run.run(program)
    known = {node.instance_id for node in graph.nodes}
    unknown = [key for key in (*gold.target_instances, *gold.to_weigh, *gold.to_open) if key not in known]
    if unknown:
        return f"its evidence names object {unknown[0]}, which the house does not have"
    if outcome.value is None:
        return f"the program '{gold.program}' finds {outcome.problem} of what it asks about"
    if answer_words(outcome.value) != gold.answer:
        return f"the answer is '{gold.answer}', the house gives '{answer_words(outcome.value)}'"
    if gold.kind not in TYPES or (gold.kind == COUNT) != isinstance(outcome.value, int) - isinstance(
        outcome.value, bool
    ):
        return f"its type '{gold.kind}' is not that of its answer"
    if ", ".join(sorted(relations_of(program))) != gold.category:
        return f"its relations are said to be '{gold.category}', and are not"
    return ""


def shares(truths: Iterable[Truth]) -> dict[str, float]:
    """Shares of types and relations among the questions of some episodes, as asked first."""
    gold: Sequence[TruthQuestion] = [
        each for truth in truths for each in truth.questions if each.phase == Phase.ANSWER.value
    ]
    counted: Counter[str] = Counter(each.kind for each in gold)
    counted.update(part for each in gold for part in each.category.split(", ") if part)
    return {key: counted[key] / max(len(gold), 1) for key in sorted(counted)}
