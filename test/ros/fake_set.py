"""Small episode sets with gold data: one in the fake world, one in a thin generated room."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import fake_world
import numpy as np

from vantage.benchmarks.sets.episodes_io import GOALS, SCENES, EpisodeSet, save_set
from vantage.benchmarks.sets.set_info import SceneBounds, SetInfo
from vantage.planning.actions import GantryActions
from vantage.scenes.generator.generator import generate_home
from vantage.scenes.geometry.first_views import first_view
from vantage.scenes.graph.graph import GraphNode, SceneGraph
from vantage.spatial import Viewpoint
from vantage.splats.synthesis.from_spec import make_scene
from vantage.types import Episode, Question, Truth, TruthQuestion

ACTIONS = GantryActions(0.25, 0.5)
CUP = 2


def fake_set(folder: Path, episodes: int = 2, max_steps: int = 12) -> EpisodeSet:
    """Episodes ``one``, ``two``, ... in the fake world, all with a cup that is there."""
    names = ("one", "two", "three", "four")[:episodes]
    graph = SceneGraph(
        fake_world.SCENE,
        1,
        (-2.0, -2.0, 0.0),
        (2.0, 2.0, 2.5),
        (
            GraphNode(1, "floor", "grey", "stone", (-2.0, -2.0, -0.1), (2.0, 2.0, 0.0)),
            GraphNode(CUP, "cup", "red", "ceramic", (0.9, -0.1, 0.9), (1.1, 0.1, 1.1)),
        ),
    )
    (folder / SCENES / fake_world.SCENE).mkdir(parents=True)
    graph.save(folder / SCENES / fake_world.SCENE / "graph.json")
    made = [fake_world.fake_episode(name, max_steps=max_steps) for name in names]
    truths = [
        Truth(
            name,
            (TruthQuestion(f"{name}-q", "existence", "yes", target_instances=(CUP,)),),
            Viewpoint(0.25, 0.0, 1.0, 0.0, 0.0),
            ("x+",),
            0.25,
        )
        for name in names
    ]
    _goals(folder, names)
    bounds = SceneBounds((-2.0, -2.0, 0.0), (2.0, 2.0, 2.5))
    return save_set(folder, SetInfo("search", ACTIONS, {fake_world.SCENE: bounds}), made, truths)


def room_set(folder: Path, episodes: int = 2) -> EpisodeSet:
    """Questions in a generated room of few Gaussians; the second asks for what is not there."""
    spec = generate_home(3, name="room")
    make_scene(3, folder / SCENES / "room", "room", density=0.15)
    start = first_view(spec)
    obj = next(item for item in spec.objects if item.relation == "on" and item.color)
    questions = {
        "color": f"What color is the {obj.label}?",
        "absent": "What color is the zebra?",
    }
    made = [
        Episode(name, "search", "room", start, (Question("q", text),), 6, seed=number)
        for number, (name, text) in enumerate(questions.items())
    ]
    truths = [
        Truth(
            "color",
            (TruthQuestion("q", "color", obj.color, target_instances=(obj.instance_id,)),),
            start,
            ("yaw+",),
            0.0,
        ),
        Truth("absent", (TruthQuestion("q", "color", "", premise_holds=False, false_claim="there is a zebra"),)),
    ]
    made, truths = made[:episodes], truths[:episodes]
    _goals(folder, [episode.episode_id for episode in made])
    bounds = SceneBounds(spec.bounds_min, spec.bounds_max)
    return save_set(folder, SetInfo("search", ACTIONS, {"room": bounds}), made, truths)


def _goals(folder: Path, names: object) -> None:
    (folder / GOALS).mkdir(parents=True)
    for name in names:  # type: ignore[attr-defined]
        cv2.imwrite(str(folder / GOALS / f"{name}.png"), np.zeros((4, 4, 3), np.uint8))


def phased_set(folder: Path, *episodes: Episode) -> EpisodeSet:
    """In the fake world, with gold data that say yes to everything."""
    made = fake_set(folder, episodes=1)
    truths = [
        Truth(
            item.episode_id,
            tuple(TruthQuestion(q.question_id, "existence", "yes", phase=q.phase) for q in item.questions),
        )
        for item in episodes
    ]
    return save_set(folder, replace(made.info, content_hash=""), episodes, truths)
