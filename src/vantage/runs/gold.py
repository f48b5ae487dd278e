"""Gold data as the evaluator uses it: truth, goal image and what each frame really showed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from vantage.benchmarks import benchmark_of
from vantage.benchmarks.labelling import PlaceSight, SceneVisibility, VisibilitySettings
from vantage.benchmarks.sets import load_set
from vantage.errors import EpisodeError
from vantage.files import EPISODE_SET
from vantage.recording import (
    TRUTH,
    TRUTH_EVIDENCE,
    TRUTH_GOAL_IMAGE,
    TRUTH_POSES,
    TRUTH_VISIBILITY,
    Codec,
    EpisodeListener,
    NamedAgent,
    Publish,
)
from vantage.registry import did_you_mean
from vantage.runs.gathering import Gathering
from vantage.runs.moved_things import MovedThings
from vantage.scenes.spec import load_spec
from vantage.spatial import Intrinsics, Viewpoint
from vantage.splats import load_graph
from vantage.types import (
    NOTHING_TO_SEE,
    VIEW_RULE,
    Episode,
    Observation,
    Poses,
    Truth,
    TruthQuestion,
    ViewShortfall,
)
from vantage.worlds import Changing, World, poses_of

_KEPT_SCENES = 2  # whose lines of sight are remembered; episodes come scene by scene


@dataclass(frozen=True)
class Shown:
    """What a frame really shows.

    Attributes:
        fractions: visible fraction (0..1) of each target of the episode's questions, by instance id.
        shortfalls: why the frame alone does not answer each question of the episode's gold data, in their order; None
            where it does.
        view_rule: version of the view rule by which that was judged, which is the one that labelled the set.
    """

    fractions: dict[int, float]
    shortfalls: tuple[ViewShortfall | None, ...]
    view_rule: int = VIEW_RULE

    @property
    def answers(self) -> tuple[bool, ...]:
        """Whether the frame alone answers each question."""
        return tuple(each is None for each in self.shortfalls)

    def message(self, codec: Codec, stamp: int, episode_id: str) -> Any:
        """TruthVisibility.msg of the frame of a stamp, ns."""
        return codec.visibility(stamp, episode_id, self.fractions, self.shortfalls, self.view_rule)


class GoldData:
    """The gold side of an episode set.

    Raises:
        FormatError: the set cannot be read, or its thresholds are none.
    """

    def __init__(self, folder: str | Path, tasks: bool = False) -> None:
        """
        Args:
            tasks: of the tasks of the set, for an agent that carries them out.
        """
        self._set = load_set(folder)
        self._settings = VisibilitySettings.of(
            self._set.info.thresholds, f"{self._set.folder / EPISODE_SET}: thresholds", self._set.info.view_rule
        )
        benchmark = benchmark_of(self._set.info.benchmark)
        self._truths = benchmark.truths(self._set)
        if tasks:
            self._set, self._truths = benchmark.tasks(self._set, self._truths)
        self._scenes = {episode.episode_id: episode.scene for episode in self._set.episodes}
        self._visibility: dict[str, SceneVisibility] = {}
        self._sights: dict[str, PlaceSight] = {}
        self._exploring = {
            episode.episode_id
            for episode in self._set.episodes
            if episode.phases and not all(phase.questions for phase in episode.phases)
        }
        self._moved: tuple[str, Poses, SceneVisibility] | None = None  # the scene that was moved last

    @property
    def view_rule(self) -> int:
        """Version of the view rule by which the set was labelled."""
        return self._set.info.view_rule

    def truth(self, episode_id: str) -> Truth:
        """
        Raises:
            EpisodeError: the set has no such episode.
        """
        found = self._truths.get(episode_id)
        if found is None:
            hint = did_you_mean(episode_id, sorted(self._truths))
            raise EpisodeError(f"{self._set.folder} has no episode '{episode_id}'{hint}")
        return found

    def goal_image(self, episode_id: str) -> bytes | None:
        """PNG bytes of what the goal viewpoint shows."""
        path = self._set.goal_image(episode_id)
        return path.read_bytes() if path.is_file() else None

    def shown(
        self,
        episode_id: str,
        viewpoint: Viewpoint,
        intrinsics: Intrinsics,
        depth: NDArray[Any] | None,
        moved: Poses | None = None,
    ) -> Shown:
        """What a frame shows of the targets of the episode's questions, and which questions it answers.

        Args:
            moved: where things and joints are that were moved since the episode began; all others are where the scene
                has them. The same object as before stands for the same places.

        Raises:
            EpisodeError: the set has no such episode.
            FormatError, SceneError: the gold data are not those of the scene, or the poses.
        """
        questions = self.truth(episode_id).questions
        targets = [target for question in questions for target in question.target_instances]
        if not targets:
            return Shown({}, (NOTHING_TO_SEE,) * len(questions), self.view_rule)
        judge = self._moved_judge(self._scenes[episode_id], moved)
        fractions = judge.fractions(viewpoint, intrinsics, depth, targets)

        def lacking(question: TruthQuestion) -> ViewShortfall | None:
            unseen = next((target for target in question.target_instances if not fractions[target] > 0.0), None)
            found = judge.shortfall(question, viewpoint, intrinsics, depth)
            if found is not None or unseen is None:
                return found
            return ViewShortfall("visible", 0.0, judge.settings.fraction, unseen)  # thresholds of 0 ask for nothing

        return Shown(fractions, tuple(lacking(question) for question in questions), self.view_rule)

    def gathering(self, episode_id: str) -> Gathering | None:
        """What an agent comes to know of the place in an episode that explores before it asks; it takes the place of
        ``shown`` there, as thousands of looks have to be judged. None for other episodes, and where only boxes are
        known of the scene.

        Raises:
            EpisodeError: the set has no such episode.
            FormatError, SceneError: the files of the scene are wrong.
        """
        questions = self.truth(episode_id).questions
        if episode_id not in self._exploring:
            return None
        scene = self._scenes[episode_id]
        if scene not in self._sights:
            path = self._set.scene_folder(scene) / "spec.json"
            if not path.is_file():
                return None
            while len(self._sights) >= _KEPT_SCENES:
                del self._sights[next(iter(self._sights))]
            self._sights[scene] = PlaceSight(load_spec(path), self._settings)
        return Gathering(self._sights[scene], [target for each in questions for target in each.target_instances])

    def needs_depth(self, episode_id: str) -> bool:
        """Whether ``shown`` reads the depth image; not where the shapes in the scene are known exactly.

        Raises:
            EpisodeError: the set has no such episode.
        """
        if not any(question.target_instances for question in self.truth(episode_id).questions):
            return False
        return not self._judge_of(self._scenes[episode_id]).exact

    def _moved_judge(self, scene: str, moved: Poses | None) -> SceneVisibility:
        """The judge of a scene in which things were moved; that of the last poses is kept."""
        if not moved:
            return self._judge_of(scene)
        if self._moved is None or self._moved[0] != scene or self._moved[1] is not moved:
            self._moved = scene, moved, self._judge_of(scene).moved(moved)
        return self._moved[2]

    def _judge_of(self, scene: str) -> SceneVisibility:
        if scene not in self._visibility:
            while len(self._visibility) >= _KEPT_SCENES:
                del self._visibility[next(iter(self._visibility))]
            folder = self._set.scene_folder(scene)
            self._visibility[scene] = SceneVisibility.of_scene(folder, load_graph(folder), self._settings)
        return self._visibility[scene]


class GoldPublisher(EpisodeListener):
    """What ``evaluator_node`` publishes under ``truth/`` while an episode runs.

    Args:
        world: in which it runs; where things can be moved in it, what was moved is told, and judged where it is then.
    """

    def __init__(self, codec: Codec, publish: Publish, gold: GoldData, world: World | None = None) -> None:
        self._codec, self._publish, self._gold = codec, publish, gold
        self._episode_id = ""
        self._changing: Changing | None = world if isinstance(world, Changing) else None
        self._changes = MovedThings()
        self._gathering: Gathering | None = None

    def started(self, episode: Episode, agent: NamedAgent, stamp: int) -> None:
        self._episode_id = episode.episode_id
        truth = self._codec.truth(stamp, self._gold.truth(episode.episode_id), self._gold.view_rule)
        self._publish(TRUTH, stamp, truth)
        image = self._gold.goal_image(episode.episode_id)
        if image is not None:
            self._publish(TRUTH_GOAL_IMAGE, stamp, self._codec.compressed_image(stamp, image, "png"))
        self._changes.begin()
        self._gathering = self._gold.gathering(episode.episode_id)

    def observed(self, observation: Observation) -> None:
        moved = None
        if self._changing is not None:
            news, moved = self._changes.look(poses_of(self._changing)), self._changes.moved
            if news:
                message = self._codec.poses(observation.stamp, self._episode_id, news)
                self._publish(TRUTH_POSES, observation.stamp, message)
        if self._gathering is not None:
            self._gather(self._gathering, observation, moved)
            return
        seen = observation.viewpoint, observation.intrinsics, observation.color_depth
        shown = self._gold.shown(self._episode_id, *seen, moved)
        message = shown.message(self._codec, observation.stamp, self._episode_id)
        self._publish(TRUTH_VISIBILITY, observation.stamp, message)

    def _gather(self, gathering: Gathering, observation: Observation, moved: Poses | None) -> None:
        name, stamp = self._episode_id, observation.stamp
        fractions, news = gathering.look(observation.viewpoint, observation.intrinsics, moved)
        self._publish(TRUTH_VISIBILITY, stamp, self._codec.visibility(stamp, name, fractions))
        if news is not None:
            self._publish(TRUTH_EVIDENCE, stamp, self._codec.gathered(stamp, name, news))
