"""Whether an episode set of the search benchmark is sound: its files, gold data, starts and oracles."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from vantage.benchmarks.labelling.visibility import SceneVisibility, VisibilitySettings
from vantage.benchmarks.sets.episodes_io import SCENES, EpisodeSet, check_files, load_set, load_truths
from vantage.benchmarks.sets.gold_checks import gold_problems
from vantage.config import Settings
from vantage.errors import EpisodeError
from vantage.files import EPISODE_SET
from vantage.planning.actions import ActionSpace
from vantage.scenes.graph.graph import SceneGraph
from vantage.spatial import Intrinsics
from vantage.splats.scene_file import load_graph
from vantage.types import Command, Episode, Status, Truth, TruthQuestion
from vantage.worlds.splat import SplatWorld


def set_problems(folder: str | Path) -> list[str]:
    """Everything that is wrong with a set, one sentence each; empty for a sound one.

    Checks files and hash, gold data against the scene graph, that starts are free and not yet an answer, and replays
    every oracle in the world.

    Raises:
        FormatError: the set cannot be read at all.
    """
    episode_set = load_set(folder)
    truths = load_truths(episode_set.folder, episode_set.episodes)
    problems = check_files(episode_set, truths)
    settings = Settings().with_values(episode_set.info.settings, str(episode_set.folder / "set.json"))
    camera = settings.camera
    intrinsics = Intrinsics.from_fov(camera.width, camera.height, camera.horizontal_fov)
    world = splat_world(replace(settings, camera=replace(camera, width=32, height=24)), episode_set.folder)
    scenes: dict[str, JudgedScene] = {}
    try:
        for episode in episode_set.episodes:
            if not episode_set.scene_folder(episode.scene).is_dir():
                continue
            if episode.scene not in scenes:
                scenes[episode.scene] = JudgedScene.load(episode_set, episode.scene)
            truth = truths[episode.episode_id]
            found = [
                *scenes[episode.scene].problems(episode, truth, settings, intrinsics),
                *replay_problems(world, episode, truth, episode_set.info.actions),
            ]
            problems += [f"episode '{episode.episode_id}': {problem}" for problem in found]
    finally:
        world.close()
    return problems


def splat_world(settings: Settings, folder: Path) -> SplatWorld:
    """A world over the scenes of a set."""
    return SplatWorld(replace(settings, world=replace(settings.world, scenes=str(folder / SCENES))))


@dataclass(frozen=True)
class JudgedScene:
    """A scene of a set, with what judges views of it."""

    graph: SceneGraph
    judge: SceneVisibility

    @staticmethod
    def load(episode_set: EpisodeSet, name: str) -> JudgedScene:
        """
        Raises:
            FormatError: the set's thresholds are none, or its scene cannot be read.
        """
        folder = episode_set.scene_folder(name)
        visibility = VisibilitySettings.of(
            episode_set.info.thresholds, f"{episode_set.folder / EPISODE_SET}: thresholds"
        )
        graph = load_graph(folder)
        return JudgedScene(graph, SceneVisibility.of_scene(folder, graph, visibility))

    def problems(self, episode: Episode, truth: Truth, settings: Settings, intrinsics: Intrinsics) -> Iterator[str]:
        """What is wrong with answers, targets, start and goal."""
        asker = (episode.start.x, episode.start.y, episode.start.z)
        for question in truth.questions:
            yield from gold_problems(question, self.graph, asker, settings.relations)
            yield from self._view_problems(question, episode, truth, intrinsics)

    def view_problems(self, episode: Episode, truth: Truth, intrinsics: Intrinsics) -> Iterator[str]:
        """What is wrong with start and goal alone."""
        for question in truth.questions:
            yield from self._view_problems(question, episode, truth, intrinsics)

    def _view_problems(
        self, question: TruthQuestion, episode: Episode, truth: Truth, intrinsics: Intrinsics
    ) -> Iterator[str]:
        if truth.goal is not None and not self.judge.answers(question, truth.goal, intrinsics):
            yield "the goal viewpoint does not show what the question asks for"
        if self.judge.answers(question, episode.start, intrinsics):
            yield "the start shows the answer already"


def replay_problems(world: SplatWorld, episode: Episode, truth: Truth, actions: ActionSpace) -> list[str]:
    """What happens on the way when the oracle's actions are carried out."""
    try:
        observation = world.reset(episode, episode.seed)
    except EpisodeError as error:
        return [str(error)]
    if truth.oracle_actions is None or truth.goal is None:
        return []
    targets = actions.replay(episode.start, truth.oracle_actions)[1:]
    for number, (action, target) in enumerate(zip(truth.oracle_actions, targets, strict=True), start=1):
        command = Command(target, action, episode_id=episode.episode_id, source="validation", sequence=number)
        result = world.step(command)
        if result.status != Status.DONE:
            return [f"oracle action {number} ({action}) was {result.status.name.lower()}: {result.reason}"]
        observation = result.observation
    miss = observation.viewpoint.distance(truth.goal)
    return [f"the oracle ends {miss:.3f} m from its goal"] if miss > 1e-6 else []
