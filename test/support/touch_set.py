"""A set of episodes of four phases in the room of ``touch_home``, for the world ``house``."""

from __future__ import annotations

from pathlib import Path

from house_driver import ACTIONS, START
from touch_home import BLOCK, MUG, touch_home

from vantage.benchmarks.sets import EpisodeSet, SceneBounds, SetInfo, save_set
from vantage.benchmarks.sets.episodes_io import SCENES
from vantage.scenes.spec import save_spec
from vantage.types import Episode, EpisodePhase, Question, Truth, TruthQuestion

ASKED = {"q1": ("Is there a mug?", "yes"), "q2": ("Is the mug heavier than the block?", "no")}
SETTINGS = {"camera.width": 800, "camera.height": 600, "camera.horizontal_fov": 1.2}


def touch_set(folder: Path, explore: int = 6, again: int = 4) -> EpisodeSet:
    """Two episodes.

    Args:
        explore, again: steps of the phases that have any.
    """
    home = touch_home()
    (folder / SCENES / home.name).mkdir(parents=True)
    save_spec(home, folder / SCENES / home.name / "spec.json")
    bounds = {home.name: SceneBounds(home.bounds_min, home.bounds_max)}
    episodes = [_episode(f"touch-{k}", home.name, k, explore, again) for k in range(2)]
    truths = [Truth(each.episode_id, tuple(_gold(item) for item in each.questions)) for each in episodes]
    return save_set(folder, SetInfo("search", ACTIONS, bounds, settings=SETTINGS, world="house"), episodes, truths)


def _episode(name: str, scene: str, seed: int, explore: int, again: int) -> Episode:
    asked = {
        phase: tuple(Question(key, text, phase) for key, (text, _) in ASKED.items()) for phase in ("answer", "refine")
    }
    phases = (
        EpisodePhase("explore", explore),
        EpisodePhase("answer", 0, asked["answer"]),
        EpisodePhase("reenter", again, restored=True),
        EpisodePhase("refine", 0, asked["refine"]),
    )
    return Episode.of_phases(name, "search", scene, START, phases, seed)


def _gold(item: Question) -> TruthQuestion:
    return TruthQuestion(
        item.question_id, "yes/no", ASKED[item.question_id][1], target_instances=(BLOCK, MUG), phase=item.phase
    )
