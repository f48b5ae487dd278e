"""Whether a set about false premises is sound: its pairs, its gold data, and that every premise can be judged from
where the camera can go.

The checks start anew from the scene graph and from geometry; nothing of how the questions were made enters.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path

from vantage.benchmarks.labelling.claimed_places import goal_truth, unseen_places
from vantage.benchmarks.labelling.oracle_views import SceneLabeller, StartSettings
from vantage.benchmarks.noisyeqa.premise_checks import pair_problems
from vantage.benchmarks.search.search_checks import JudgedScene, replay_problems, splat_world
from vantage.benchmarks.sets.episodes_io import EpisodeSet, check_files, load_set, load_truths
from vantage.benchmarks.sets.noisy_pairs import Half, Pair, pairs_of
from vantage.config import Settings
from vantage.errors import FormatError, SceneError
from vantage.spatial import Intrinsics
from vantage.types import Point
from vantage.workers import WorkerPool
from vantage.worlds.splat import SplatWorld


def set_problems(folder: str | Path, workers: int = 2) -> list[str]:
    """Everything that is wrong with a set, one sentence each; empty for a sound one.

    Raises:
        FormatError: the set cannot be read at all.
    """
    episode_set = load_set(folder)
    truths = load_truths(episode_set.folder, episode_set.episodes)
    problems = check_files(episode_set, truths)
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
    world = splat_world(small, episode_set.folder)
    try:
        judge = _SceneJudge(episode_set, name, pairs, world, settings)
        return [problem for key, pair in pairs.items() for problem in judge.problems(key, pair)]
    finally:
        world.close()


class _SceneJudge:
    """Judges the pairs of one scene; all its starts lie on one lattice, on which it looks for views."""

    def __init__(
        self,
        episode_set: EpisodeSet,
        name: str,
        pairs: Mapping[str, Pair],
        world: SplatWorld,
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
        for half in (Half(noisy.episode, looked_at), clean):
            for problem in self._half_problems(half):
                yield f"episode '{half.episode.episode_id}': {problem}"
        for problem in unseen_places(noisy.gold, clean.gold, graph, self._labeller, noisy.episode.start):
            yield f"episode '{noisy.episode.episode_id}': {problem}"

    def _half_problems(self, half: Half) -> Iterator[str]:
        yield from self._scene.view_problems(half.episode, half.truth, self._intrinsics)
        yield from replay_problems(self._world, half.episode, half.truth, self._actions)
        if half.truth.goal is None:
            yield "it has no goal viewpoint, so that nobody knows from where it can be judged"


def _point(half: Half) -> Point:
    start = half.episode.start
    return start.x, start.y, start.z
