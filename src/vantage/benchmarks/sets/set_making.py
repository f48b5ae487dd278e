"""What all generated episode sets share: homes, their labellers, and how a labelled set is written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vantage.benchmarks.labelling import (
    Label,
    SceneLabeller,
    SceneVisibility,
    SceneWorld,
    StartSettings,
    VisibilitySettings,
)
from vantage.benchmarks.sets.episodes_io import QUESTION_ID, SCENES, EpisodeSet, save_set
from vantage.benchmarks.sets.set_info import USUAL_WORLD, SceneBounds, SetInfo
from vantage.benchmarks.sets.step_budget import StepBudget
from vantage.config import Settings, of_key
from vantage.errors import SceneError, UsageError
from vantage.files import write_whole
from vantage.planning import further_sizes, make_actions
from vantage.questions.generation import GeneratedQuestion
from vantage.scenes.generator import USUAL_LAYOUT, HomeLayout
from vantage.scenes.graph import SceneGraph
from vantage.types import Episode, Question, Truth

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
    "relations.touch",
    "relations.beside",
    "relations.near",
    "relations.overlap",
    "relations.direction",
    "relations.reach",
    "relations.ratio",
)


def stored_values(settings: Settings) -> dict[str, Any]:
    """The settings that gold data depend on."""
    return {key: of_key(settings, key) for key in _STORED}


def own_values(info: SetInfo) -> dict[str, Any]:
    """The settings that a set is run with, whatever is configured: what it was labelled with, and its actions."""
    actions = info.actions
    sizes = {"translation": actions.translation, "rotation": actions.rotation, **further_sizes(actions)}
    named = {"space": actions.name, "frame": actions.frame, **sizes}
    return {**info.settings, **{f"actions.{key}": value for key, value in named.items()}}


def write_goal(path: Path, label: Label) -> None:
    """What the goal viewpoint shows, as PNG; see ``write_picture``."""
    write_picture(path, label.view.rgb)


def write_picture(path: Path, rgb: NDArray[np.uint8]) -> None:
    """Write a picture (H, W, 3) as PNG.

    Raises:
        SceneError: it cannot be encoded.
    """
    done, data = cv2.imencode(".png", cv2.cvtColor(rgb, cv2.COLOR_RGB2BGR))
    if not done:
        raise SceneError(f"the picture {path} cannot be encoded")
    write_whole(path, bytes(data.tobytes()))


@dataclass(frozen=True)
class SetPlan:
    """How the homes of a set are generated and how many actions its episodes allow.

    Attributes:
        states_budget: whether the set says its budget; sets of usual homes with the usual one do not.
    """

    layout: HomeLayout
    budget: StepBudget
    states_budget: bool

    @staticmethod
    def of(
        scenes: int | str | Path,
        room_area: tuple[float, float] | None,
        layout: str,
        budget: str | None,
        usual: StepBudget,
    ) -> SetPlan:
        """What a set is made by.

        Args:
            scenes: number of homes to generate, or where they are imported from.
            room_area, layout: as in ``HomeLayout``.
            budget: as ``StepBudget.read`` reads it; None for the usual one: a number in generated homes of usual sizes,
                in others by area.
            usual: budget of the benchmark, by area.

        Raises:
            UsageError: no such budget, or a layout of homes that are not generated.
            SceneError: no such layout.
        """
        wanted = HomeLayout(room_area, layout)
        if wanted != USUAL_LAYOUT and not isinstance(scenes, int):
            raise UsageError("--room-area and --layout are of generated homes; leave them out with --scenes PATH")
        if budget is not None:
            return SetPlan(wanted, StepBudget.read(budget, usual.at_least), True)
        if isinstance(scenes, int) and room_area is None:
            return SetPlan(wanted, StepBudget(usual.at_least), False)
        return SetPlan(wanted, usual, True)


@dataclass(frozen=True)
class LabelledHome:
    """A home whose questions can be labelled."""

    graph: SceneGraph
    bounds: SceneBounds
    labeller: SceneLabeller

    @staticmethod
    def of(
        world: SceneWorld,
        root: Path,
        name: str,
        settings: Settings,
        visibility: VisibilitySettings,
        starts: StartSettings,
        seed: int,
        centered: bool = False,
    ) -> LabelledHome:
        """The home ``name`` of the set in ``root``; ``seed`` and ``centered`` as in ``SceneLabeller``.

        Raises:
            SceneError: it has no graph.
        """
        place = world.place(name)
        graph = place.scene.graph
        if graph is None:
            raise SceneError(f"scene '{name}' has no graph to ask about")
        judge = SceneVisibility.of_scene(root / SCENES / name, graph, visibility)
        radius, actions = settings.world.body_radius, make_actions(settings.actions)
        labeller = SceneLabeller(world, name, judge, actions, radius, starts, seed=seed, centered=centered)
        return LabelledHome(graph, SceneBounds(place.scene.bounds_min, place.scene.bounds_max), labeller)


def labelled_episode(
    episode_id: str, benchmark: str, scene: str, question: GeneratedQuestion, label: Label, max_steps: int, seed: int
) -> tuple[Episode, Truth]:
    """An episode of one question and its gold data."""
    asked = (Question(QUESTION_ID, question.text),)
    episode = Episode(episode_id, benchmark, scene, label.start, asked, max_steps, seed)
    gold = (replace(question.truth, question_id=QUESTION_ID),)
    path = label.path
    return episode, Truth(episode_id, gold, path.goal, path.actions, path.length, oracle_is_bound=path.is_bound)


def save_labelled(
    root: Path,
    benchmark: str,
    made: Sequence[tuple[Episode, Truth]],
    bounds: Mapping[str, SceneBounds],
    seed: int,
    visibility: VisibilitySettings,
    settings: Settings,
    plan: SetPlan,
    protocol: Mapping[str, Any] | None = None,
    world: str = USUAL_WORLD,
) -> EpisodeSet:
    """Write the episodes of a set whose scenes and goal images lie there already.

    Args:
        protocol: further settings that a run takes from the set, by their names.
        world: in which it was labelled.
    """
    info = SetInfo(
        benchmark,
        make_actions(settings.actions),
        bounds,
        {"set": seed},
        visibility.thresholds,
        {**stored_values(settings), **(protocol or {})},
        homes=None if plan.layout == USUAL_LAYOUT else plan.layout,
        budget=plan.budget if plan.states_budget else None,
        world=world,
    )
    return save_set(root, info, [episode for episode, _ in made], [truth for _, truth in made])
