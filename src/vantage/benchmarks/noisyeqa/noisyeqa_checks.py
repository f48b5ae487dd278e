"""Whether a set about false premises is sound: its pairs, its gold data, and that every premise can be judged from
where the camera can go.

Nothing is taken from how the questions were made: the programs are run anew, and what is said to be false and right is
compared with the attributes of the objects in the scene graph.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path

from vantage.benchmarks.judging import mentions, words
from vantage.benchmarks.labelling import (
    SceneLabeller,
    SceneWorld,
    StartSettings,
    goal_truth,
    open_scene_world,
    unseen_places,
)
from vantage.benchmarks.protocol import Told
from vantage.benchmarks.sets import (
    LEAST_OF_TYPE,
    PAPER,
    SCENES,
    EpisodeSet,
    JudgedScene,
    Pair,
    PairMember,
    budget_problems,
    check_files,
    gold_problems,
    load_set,
    load_truths,
    pairs_of,
    quotas_of,
    replay_problems,
)
from vantage.config import RelationSettings, Settings
from vantage.errors import FormatError, SceneError
from vantage.questions import Filter, Query, Scene, Step, Truths, Unique, Verify, execute, read_program
from vantage.scenes.graph import GraphNode, SceneGraph
from vantage.spatial import Intrinsics
from vantage.types import NoiseType, Point, TruthQuestion
from vantage.workers import WorkerPool

_ATTRIBUTES = {NoiseType.COLOR: "color", NoiseType.MATERIAL: "material", NoiseType.SHAPE: "shape"}
_MISNAMED = (NoiseType.PERCEPTION, NoiseType.SEMANTIC)
_LARGE_SET = 200  # pairs, from which on a set can have the paper's shares


def pair_problems(
    noisy: TruthQuestion,
    clean: TruthQuestion,
    clean_text: str,
    graph: SceneGraph,
    asker: Point | None = None,
    settings: RelationSettings | None = None,
) -> Iterator[str]:
    """What is wrong with the gold data of a pair, one sentence each.

    Args:
        clean_text: the question of the clean half, in words.
        asker: where the questions are asked, m, world frame.
        settings: thresholds of relations, the usual ones when not given.
    """
    try:
        targets = [graph.node(target) for target in clean.target_instances]
        for target in noisy.target_instances:
            graph.node(target)
        truths = Truths(graph, settings or RelationSettings(), hidden=False)
        yield from _twin_problems(noisy, clean, clean_text)
        yield from _premise_problems(noisy, graph, asker, settings)
        yield from _claim_problems(noisy, targets, graph, truths)
        if clean.program:
            yield from (f"the clean half is wrong: {text}" for text in gold_problems(clean, graph, asker, settings))
        else:
            yield from _group_problems(clean, clean_text, targets, truths)
    except (SceneError, FormatError) as error:
        yield str(error)


def _twin_problems(noisy: TruthQuestion, clean: TruthQuestion, clean_text: str) -> Iterator[str]:
    if noisy.premise_holds or noisy.noise_type == NoiseType.NONE:
        yield "the noisy half is said to have a true premise"
    if not clean.premise_holds or clean.noise_type != NoiseType.NONE:
        yield "the clean half is said to have a false premise"
    if noisy.kind != clean.kind:
        yield f"the noisy half is of kind '{noisy.kind}', its twin of kind '{clean.kind}'"
    if noisy.noise_type == NoiseType.LATENT:
        if noisy.answer or noisy.corrected_question:
            yield "a question about what is not there has no answer and no corrected question"
        return
    if noisy.answer != clean.answer:
        yield f"the corrected question is answered by '{noisy.answer}', its twin by '{clean.answer}'"
    if noisy.corrected_question != clean_text:
        yield f"the corrected question '{noisy.corrected_question}' is not the twin '{clean_text}'"
    if not set(clean.target_instances) <= set(noisy.target_instances):
        yield "the halves are about different things"


def _premise_problems(
    noisy: TruthQuestion, graph: SceneGraph, asker: Point | None, settings: RelationSettings | None
) -> Iterator[str]:
    if not noisy.program:
        if noisy.noise_type != NoiseType.COUNT:
            yield "without a program nobody can tell whether the premise fails"
        return
    outcome = execute(read_program(noisy.program), graph, asker, settings)
    if outcome.problem not in ("none", "several"):
        yield f"the premise holds: the program '{noisy.program}' finds what it asks about"


def _claim_problems(
    noisy: TruthQuestion, targets: Sequence[GraphNode], graph: SceneGraph, truths: Truths
) -> Iterator[str]:
    """Whether claim and correction say of the objects what is false and what is right."""
    false, right, noise = noisy.false_claim, noisy.correction, noisy.noise_type
    if not false or not right or false == right:
        yield "a question with a false premise needs a false claim and another sentence that corrects it"
        return
    noun = _noun(noisy)
    if noise == NoiseType.LATENT or noise in _MISNAMED:
        present = sorted({node.label for node in graph.nodes if noun and node.label == noun})
        if not noun or not mentions(false, noun):
            yield f"the claim '{false}' does not name what the question asks about"
        if present:
            yield f"the scene does hold a {noun}"
    if noise == NoiseType.COUNT:
        number = str(len(targets))
        if number not in words(right):
            yield f"the correction '{right}' does not say {number}, which the scene says"
        if number in words(false):
            yield f"the claim '{false}' is true"
    for node in targets if noise != NoiseType.LATENT else ():
        if noise in _ATTRIBUTES:
            yield from _ending_problems(false, right, [truths.word(node, _ATTRIBUTES[noise])])
        elif noise == NoiseType.POSITION:
            room = truths.word(node, "room")
            yield from _ending_problems(false, right, [truths.word(node, "place"), f"in the {room}"])
        if not mentions(right, node.label):
            yield f"the correction '{right}' does not name the {node.label}"
        if noise in _MISNAMED and mentions(false, node.label):
            yield f"the claim '{false}' is true"


def _ending_problems(false: str, right: str, values: Sequence[str]) -> Iterator[str]:
    """Both sentences end with what they say: the right one with one of the values, the false one with none."""
    if not any(_ends(right, value) for value in values):
        yield f"the correction '{right}' does not say '{values[0]}', which the scene says"
    if any(_ends(false, value) for value in values):
        yield f"the claim '{false}' is true"


def _ends(claim: str, value: str) -> bool:
    wanted = words(value)
    return bool(wanted) and words(claim)[-len(wanted) :] == wanted


def _group_problems(
    clean: TruthQuestion, clean_text: str, targets: Sequence[GraphNode], truths: Truths
) -> Iterator[str]:
    """A question about several objects has no program: they must be all of their kind in one place, with one answer."""
    if len(targets) < 2 or len({node.label for node in targets}) != 1:
        yield "a question whose premise holds needs a program, or several targets of one kind"
        return
    chosen, label = {node.instance_id for node in targets}, targets[0].label
    parents, rooms = {node.parent for node in targets}, {node.room for node in targets}
    alike = [node for node in truths.objects if node.label == label]
    at_support = [node for node in alike if len(parents) == 1 and node.parent in parents]
    in_room = [node for node in alike if len(rooms) == 1 and node.room in rooms]
    if chosen not in ({node.instance_id for node in at_support}, {node.instance_id for node in in_room}):
        yield f"the targets are not all {label}s of one place"
    if str(len(targets)) not in words(clean_text):
        yield f"the question '{clean_text}' does not speak of {len(targets)}"
    values = {" ".join(node.states) if clean.kind == "state" else truths.word(node, _asked(clean)) for node in targets}
    if len(values) != 1:
        yield f"the targets differ in their {clean.kind}: {', '.join(sorted(values))}"
    elif clean.answer in ("yes", "no"):
        if clean.kind != "state" and mentions(clean_text, next(iter(values))) != (clean.answer == "yes"):
            yield f"the answer is '{clean.answer}', but the {clean.kind} is '{next(iter(values))}'"
    elif clean.answer != next(iter(values)):
        yield f"the answer is '{clean.answer}', the scene says '{next(iter(values))}'"


def _asked(truth: TruthQuestion) -> str:
    return {"location": "place"}.get(truth.kind, truth.kind)


def _noun(truth: TruthQuestion) -> str:
    """What kind of object a question takes to be there, from its program."""
    program = read_program(truth.program) if truth.program else None
    step: Step | None = program.one if isinstance(program, (Query, Verify)) else None
    step = step.objects if isinstance(step, Unique) else None
    while step is not None and not isinstance(step, Scene):
        if isinstance(step, Filter) and step.attribute == "label" and isinstance(step.objects, Scene):
            return step.value
        step = getattr(step, "objects", None)
    return ""


def paper_mix(numbers: Mapping[NoiseType, int]) -> Told | None:
    """How many pairs of each type a large set has beside the paper's shares, and one sentence for each type that is not
    near its share or of which there are too few; None for a small set.

    Args:
        numbers: pairs of each type.
    """
    pairs, findings = sum(numbers.values()), []
    if pairs < _LARGE_SET:
        return None
    quotas = quotas_of(pairs, PAPER)
    for noise, quota in quotas.items():
        number = numbers.get(noise, 0)
        if not quota.holds(number):
            near = f"{quota.least} to {quota.most}" if quota.least < quota.most else f"{quota.wanted}"
            findings.append(f"{number} of {pairs} pairs are {noise.name}; near the paper's shares are {near}")
        elif number < LEAST_OF_TYPE:
            findings.append(f"{number} pairs are {noise.name}, whose figures take {LEAST_OF_TYPE}; make a larger set")
    types = {noise.name: {"pairs": numbers.get(noise, 0), "paper": quota.wanted} for noise, quota in quotas.items()}
    told = ", ".join(f"{each['pairs']} {name} ({each['paper']})" for name, each in types.items())
    text = "\n".join((f"pairs of each type, and the paper's share: {told}", *findings))
    return Told(text, {"types": types, "findings": findings})


def set_problems(folder: str | Path, workers: int = 2) -> list[str]:
    """Everything that is wrong with a set, one sentence each; empty for a sound one.

    Raises:
        FormatError: the set cannot be read at all.
    """
    episode_set = load_set(folder)
    truths = load_truths(episode_set.folder, episode_set.episodes)
    problems = [*check_files(episode_set, truths), *budget_problems(episode_set)]
    pairs, unpaired = pairs_of(episode_set, truths)
    by_scene: dict[str, dict[str, Pair]] = {}
    for key, pair in pairs.items():
        if episode_set.scene_folder(pair.noisy.episode.scene).is_dir():
            by_scene.setdefault(pair.noisy.episode.scene, {})[key] = pair
    work = partial(_scene_problems, episode_set)
    workers = min(workers, len(by_scene))
    with WorkerPool(workers) if workers > 1 else nullcontext() as pool:
        each = map if pool is None else pool.map
        found = list(each(work, by_scene, by_scene.values()))
    return problems + unpaired + [problem for scene in found for problem in scene]


def _scene_problems(episode_set: EpisodeSet, name: str, pairs: Mapping[str, Pair]) -> list[str]:
    """What is wrong with the pairs in one scene."""
    settings = Settings().with_values(episode_set.info.settings, str(episode_set.folder / "set.json"))
    camera = settings.camera
    small = replace(settings, camera=replace(camera, width=32, height=24))
    with closing(open_scene_world(small, episode_set.folder / SCENES, episode_set.info.world)) as world:
        judge = _SceneJudge(episode_set, name, pairs, world, settings)
        return [problem for key, pair in pairs.items() for problem in judge.problems(key, pair)]


class _SceneJudge:
    """Judges the pairs of one scene; all its starts lie on one lattice, on which it looks for views."""

    def __init__(
        self,
        episode_set: EpisodeSet,
        name: str,
        pairs: Mapping[str, Pair],
        world: SceneWorld,
        settings: Settings,
    ) -> None:
        camera, actions = settings.camera, episode_set.info.actions
        self._intrinsics = Intrinsics.from_fov(camera.width, camera.height, camera.horizontal_fov)
        self._scene = JudgedScene.load(episode_set, name)
        self._world, self._settings, self._actions = world, settings, actions
        self._labeller = SceneLabeller(
            world,
            name,
            self._scene.judge,
            actions,
            settings.world.body_radius,
            StartSettings(),
            anchor=_point(next(iter(pairs.values())).noisy),
            intrinsics=self._intrinsics,
        )

    def problems(self, key: str, pair: Pair) -> list[str]:
        """What is wrong with a pair, one sentence each."""
        found: list[str] = []
        try:
            for problem in self._problems(key, pair):
                found.append(problem)
        except (FormatError, SceneError) as error:  # what cannot be read at all, or belongs to another scene
            found.append(f"pair '{key}': {error}")
        return list(dict.fromkeys(found))

    def _problems(self, key: str, pair: Pair) -> Iterator[str]:
        noisy, clean, relations = pair.noisy, pair.clean, self._settings.relations
        graph = self._scene.graph
        for problem in pair_problems(noisy.gold, clean.gold, clean.text, graph, _point(noisy), relations):
            yield f"pair '{key}': {problem}"
        looked_at = replace(noisy.truth, questions=(goal_truth(noisy.gold, clean.gold),))
        for half in (PairMember(noisy.episode, looked_at), clean):
            for problem in self._half_problems(half):
                yield f"episode '{half.episode.episode_id}': {problem}"
        for problem in unseen_places(noisy.gold, clean.gold, graph, self._labeller, noisy.episode.start):
            yield f"episode '{noisy.episode.episode_id}': {problem}"

    def _half_problems(self, half: PairMember) -> Iterator[str]:
        yield from self._scene.view_problems(half.episode, half.truth, self._intrinsics)
        yield from replay_problems(self._world, half.episode, half.truth, self._actions)
        if half.truth.goal is None:
            yield "it has no goal viewpoint, so that nobody knows from where it can be judged"


def _point(half: PairMember) -> Point:
    start = half.episode.start
    return start.x, start.y, start.z
