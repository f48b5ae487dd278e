"""The search benchmark: clean and noisy questions about generated rooms, asked where they cannot be answered yet."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from vantage.benchmarks.episodes_io import (
    GOALS,
    SCENES,
    EpisodeSet,
    SceneBounds,
    SetInfo,
    check_files,
    load_set,
    load_truths,
    save_set,
)
from vantage.benchmarks.gold_checks import gold_problems
from vantage.benchmarks.labelling import Label, SceneLabeller, StartSettings
from vantage.benchmarks.visibility import SceneVisibility, VisibilitySettings
from vantage.config import Settings
from vantage.errors import EpisodeError, SceneError, UsageError
from vantage.files import write_whole
from vantage.planning.actions import ActionSpace
from vantage.planning.shortest import replay
from vantage.questions.generate import GeneratedQuestion, clean_question
from vantage.questions.kinds import QuestionKind
from vantage.questions.noise import noisy_question
from vantage.scenes.graph import SceneGraph
from vantage.spatial import Intrinsics
from vantage.splats.painting.from_spec import make_scene
from vantage.splats.scene_file import load_graph
from vantage.types import Command, Episode, NoiseType, Question, Status, Truth
from vantage.worlds.splat import SplatWorld

BENCHMARK = "search"
QUESTION_ID = "q1"
_ROOMS_PER_SEED = 1000
_TRIES = 40  # questions of one kind, before another kind takes its place
_KINDS: tuple[QuestionKind | NoiseType, ...] = (
    QuestionKind.COLOR,
    QuestionKind.LOCATION,
    QuestionKind.EXISTENCE,
    QuestionKind.COUNT,
    QuestionKind.MATERIAL,
)
_NOISES: tuple[QuestionKind | NoiseType, ...] = (
    NoiseType.LATENT,
    NoiseType.COLOR,
    NoiseType.POSITION,
    NoiseType.COUNT,
    NoiseType.MATERIAL,
)
# The settings that gold data depend on; a set is run with these values.
_STORED = (
    "camera.width",
    "camera.height",
    "camera.horizontal_fov",
    "world.body_radius",
    "world.voxel",
    "limits.pitch_min",
    "limits.pitch_max",
    "limits.max_translation",
    "limits.max_rotation",
)


@dataclass(frozen=True)
class _Slot:
    """One episode to make: in which scene, and what about."""

    scene: int
    number: int
    about: QuestionKind | NoiseType


class SearchBenchmark:
    """Makes and validates episode sets. The same seed and settings give the same bytes."""

    name = BENCHMARK

    def __init__(
        self, visibility: VisibilitySettings | None = None, starts: StartSettings | None = None, max_steps: int = 60
    ) -> None:
        self._visibility = visibility or VisibilitySettings()
        self._starts = starts or StartSettings()
        self._max_steps = max_steps

    def make(
        self,
        folder: str | Path,
        *,
        scenes: int = 2,
        episodes: int = 12,
        noisy: int = 4,
        seed: int = 0,
        settings: Settings | None = None,
    ) -> EpisodeSet:
        """Make a set of ``episodes`` questions, ``noisy`` of them with a false premise, spread over ``scenes`` rooms.

        Raises:
            UsageError: impossible numbers, or the folder is not empty.
            SceneError: the rooms do not give that many questions.
        """
        root, settings = Path(folder), settings or Settings()
        if scenes < 1 or episodes < scenes or not 0 <= noisy <= episodes or seed < 0:
            raise UsageError(
                f"cannot make {episodes} episodes ({noisy} noisy) in {scenes} scenes from seed {seed}; "
                "give at least one episode a scene, not more noisy ones than episodes, and a seed from 0"
            )
        if root.exists() and any(root.iterdir()):
            raise UsageError(f"{root} is not empty; choose another folder or remove it")
        try:
            return self._make(root, scenes, list(_slots(scenes, episodes, noisy)), seed, settings)
        except BaseException:
            shutil.rmtree(root, ignore_errors=True)
            raise

    def validate(self, folder: str | Path) -> list[str]:
        """Everything that is wrong with a set, one sentence each; empty for a sound one.

        Checks files and hash, gold data against the scene graph, that starts are free and not yet an answer, and
        replays every oracle in the world.

        Raises:
            FormatError: the set cannot be read at all.
        """
        episode_set = load_set(folder)
        truths = load_truths(episode_set.folder, episode_set.episodes)
        problems = check_files(episode_set, truths)
        settings = Settings().with_values(episode_set.info.settings, str(episode_set.folder / "set.json"))
        thresholds = dict(episode_set.info.thresholds)
        samples = int(thresholds.pop("samples", VisibilitySettings.samples))
        visibility_settings = VisibilitySettings(samples, **thresholds)
        camera = settings.camera
        intrinsics = Intrinsics.from_fov(camera.width, camera.height, camera.horizontal_fov)
        world = _world(replace(settings, camera=replace(camera, width=32, height=24)), episode_set.folder)
        judges: dict[str, SceneVisibility] = {}
        graphs: dict[str, SceneGraph] = {}
        try:
            for episode in episode_set.episodes:
                scene_folder = episode_set.scene_folder(episode.scene)
                if not scene_folder.is_dir():
                    continue
                if episode.scene not in judges:
                    graphs[episode.scene] = load_graph(scene_folder)
                    judges[episode.scene] = SceneVisibility.of_scene(
                        scene_folder, graphs[episode.scene], visibility_settings
                    )
                graph = graphs[episode.scene]
                truth = truths[episode.episode_id]
                found = [problem for question in truth.questions for problem in gold_problems(question, graph)]
                found += _replay_problems(world, episode, truth, episode_set.info.actions)
                found += _label_problems(judges[episode.scene], episode, truth, intrinsics)
                problems += [f"episode '{episode.episode_id}': {problem}" for problem in found]
        finally:
            world.close()
        return problems

    def _make(self, root: Path, scenes: int, slots: list[_Slot], seed: int, settings: Settings) -> EpisodeSet:
        names = [f"room_{_ROOMS_PER_SEED * seed + k}" for k in range(scenes)]
        for k, name in enumerate(names):
            make_scene(_ROOMS_PER_SEED * seed + k, root / SCENES / name, name)
        actions = ActionSpace(settings.actions.translation, settings.actions.rotation)
        world = _world(settings, root)
        made: list[tuple[Episode, Truth]] = []
        bounds: dict[str, SceneBounds] = {}
        try:
            for k, name in enumerate(names):
                place = world.place(name)
                bounds[name] = SceneBounds(place.scene.bounds_min, place.scene.bounds_max)
                graph = place.scene.graph
                if graph is None:
                    raise SceneError(f"scene '{name}' has no graph to ask about")
                judge = SceneVisibility.of_scene(root / SCENES / name, graph, self._visibility)
                labeller = SceneLabeller(world, name, judge, actions, settings.world.body_radius, self._starts)
                asked: set[str] = set()
                for slot in (slot for slot in slots if slot.scene == k):
                    rng = np.random.default_rng([seed, k, slot.number])
                    question, label = _find(slot, graph, labeller, asked, rng)
                    asked.add(question.text)
                    episode_id = f"{name}-{slot.number:02d}"
                    made.append(self._episode(episode_id, name, question, label, int(rng.integers(2**31))))
                    _write_goal(root / GOALS / f"{episode_id}.png", label)
        finally:
            world.close()
        values = {key: getattr(getattr(settings, key.split(".")[0]), key.split(".")[1]) for key in _STORED}
        thresholds = {key: float(value) for key, value in asdict(self._visibility).items()}
        info = SetInfo(BENCHMARK, actions, bounds, {"set": seed}, thresholds, values)
        return save_set(root, info, [episode for episode, _ in made], [truth for _, truth in made])

    def _episode(
        self, episode_id: str, scene: str, question: GeneratedQuestion, label: Label, seed: int
    ) -> tuple[Episode, Truth]:
        asked = (Question(QUESTION_ID, question.text),)
        episode = Episode(episode_id, BENCHMARK, scene, label.start, asked, self._max_steps, seed)
        gold = (replace(question.truth, question_id=QUESTION_ID),)
        return episode, Truth(episode_id, gold, label.path.goal, label.path.actions, label.path.length)


def _slots(scenes: int, episodes: int, noisy: int) -> Iterator[_Slot]:
    """Kinds and noise types in turn, dealt out so that every scene gets clean and noisy ones."""
    numbers = [0] * scenes
    for k in range(episodes):
        clean = k < episodes - noisy
        place = k if clean else k - (episodes - noisy)
        scene = place % scenes
        about = _KINDS[place % len(_KINDS)] if clean else _NOISES[place % len(_NOISES)]
        numbers[scene] += 1
        yield _Slot(scene, numbers[scene], about)


def _find(
    slot: _Slot, graph: SceneGraph, labeller: SceneLabeller, asked: set[str], rng: np.random.Generator
) -> tuple[GeneratedQuestion, Label]:
    """A new question of the wanted sort that has an oracle; of another kind or noise where the scene gives none."""
    group = _NOISES if isinstance(slot.about, NoiseType) else _KINDS
    first = group.index(slot.about)
    for about in group[first:] + group[:first]:
        refused = set(asked)
        for _ in range(_TRIES):
            question = (
                noisy_question(graph, about, rng) if isinstance(about, NoiseType) else clean_question(graph, about, rng)
            )
            if question is None or question.text in refused or not question.truth.target_instances:
                continue
            refused.add(question.text)
            label = labeller.label(question.truth, rng)
            if label is not None:
                return question, label
    raise SceneError(f"scene '{graph.name}' gives no further question that can be labelled; ask for fewer episodes")


def _world(settings: Settings, root: Path) -> SplatWorld:
    return SplatWorld(replace(settings, world=replace(settings.world, scenes=str(root / SCENES))))


def _write_goal(path: Path, label: Label) -> None:
    done, data = cv2.imencode(".png", cv2.cvtColor(label.view.rgb, cv2.COLOR_RGB2BGR))
    if not done:
        raise SceneError(f"the goal image {path} cannot be encoded")
    write_whole(path, bytes(data.tobytes()))


def _replay_problems(world: SplatWorld, episode: Episode, truth: Truth, actions: ActionSpace) -> list[str]:
    """What happens on the way when the oracle's actions are carried out."""
    try:
        observation = world.reset(episode, episode.seed)
    except EpisodeError as error:
        return [str(error)]
    if truth.oracle_actions is None or truth.goal is None:
        return []
    targets = replay(episode.start, actions, truth.oracle_actions)[1:]
    for number, (action, target) in enumerate(zip(truth.oracle_actions, targets, strict=True), start=1):
        command = Command(target, action, episode_id=episode.episode_id, source="validation", sequence=number)
        result = world.step(command)
        if result.status != Status.DONE:
            return [f"oracle action {number} ({action}) was {result.status.name.lower()}: {result.reason}"]
        observation = result.observation
    miss = observation.viewpoint.distance(truth.goal)
    return [f"the oracle ends {miss:.3f} m from its goal"] if miss > 1e-6 else []


def _label_problems(judge: SceneVisibility, episode: Episode, truth: Truth, intrinsics: Intrinsics) -> list[str]:
    problems = []
    for question in truth.questions:
        if truth.goal is not None and not judge.answers(question, truth.goal, intrinsics):
            problems.append("the goal viewpoint does not show what the question asks for")
        if judge.answers(question, episode.start, intrinsics):
            problems.append("the start shows the answer already")
    return problems
