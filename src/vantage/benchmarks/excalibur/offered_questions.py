"""What one house may be asked: made in any process, from the seeds alone."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import numpy as np

from vantage.benchmarks.excalibur.evidence import Evidence, RobotPlace, evidence_of, gets_about
from vantage.benchmarks.excalibur.houses import House
from vantage.benchmarks.excalibur.label_quotas import Quota, quotas
from vantage.benchmarks.excalibur.question_drafts import ADJACENT, COLOR, MATERIAL, Draft, HouseQuestions
from vantage.benchmarks.labelling import VisibilitySettings, open_scene_world
from vantage.benchmarks.sets import SCENES, SceneBounds
from vantage.config import Settings
from vantage.errors import SceneError
from vantage.questions import program_text
from vantage.scenes.graph import SceneGraph
from vantage.scenes.spec import SceneSpec
from vantage.spatial import Intrinsics, Viewpoint
from vantage.splats.synthesis import in_words, save_home
from vantage.worlds.house import hand_reaches, load_robot

WORLD = "house"
OFFERED = 5  # times as many as are wanted
_DRAWS = 150  # programs tried for one question
_HEADINGS = 24
_STARTS = 2000  # places tried


@dataclass(frozen=True)
class Offer:
    """A house that is made, and what may be asked of it.

    Attributes:
        drafts: no two of the same words or the same program.
        start: where episodes begin.
    """

    house: House
    bounds: SceneBounds
    start: Viewpoint
    drafts: tuple[Draft, ...]


def offer_of(root: Path, seed: int, settings: Settings, visibility: VisibilitySettings, house: House) -> Offer | str:
    """Make a house in the folder of a set, with many questions about it; or say why it cannot be used.

    Raises:
        ConfigError: a setting, or the file of a designed home, is wrong.
    """
    try:
        home = house.spec()
        save_home(home, root / SCENES / house.name, in_words(home), cloud=False)
    except SceneError as error:
        return f"house '{house.name}' is left out: {error}"
    rng = np.random.default_rng([seed, house.seed])
    with closing(open_scene_world(unpictured(settings), root / SCENES, WORLD)) as world:
        place = cast(RobotPlace, world.place(house.name))
        start = spawned(home, place, rng)
        if start is None:
            return f"house '{house.name}' is left out: nowhere on its floor is there room for the robot"
        evidence = house_evidence(home, place, settings, visibility)
    drawn = HouseQuestions(SceneGraph.from_spec(home), evidence, settings.relations, rng, settings.excalibur)
    drafts = tuple(_different(_drawn(drawn, OFFERED * settings.excalibur.questions, rng)))
    return Offer(house, SceneBounds(home.bounds_min, home.bounds_max), start, drafts)


def unpictured(settings: Settings) -> Settings:
    """For worlds in which nothing is looked at."""
    return settings.with_values({"house.pictures": "none"}, WORLD)


def house_evidence(home: SceneSpec, place: RobotPlace, settings: Settings, visibility: VisibilitySettings) -> Evidence:
    """What can be found out in a house by the robot of the settings, by the size of its pictures of depth and ids."""
    own, camera = settings.house, settings.camera
    small = Intrinsics.from_fov(own.depth_width, own.depth_height, camera.horizontal_fov)
    pixels = visibility.pixels * (small.width * small.height) / (camera.width * camera.height)
    scaled = VisibilitySettings(**{**vars(visibility), "pixels": pixels})
    return evidence_of(home, place, hand_reaches(load_robot(own.robot)), small, scaled)


def spawned(home: SceneSpec, place: RobotPlace, rng: np.random.Generator) -> Viewpoint | None:
    """A start drawn from the floor on which the robot gets about; None where there is none."""
    low, high = np.array(home.bounds_min[:2]), np.array(home.bounds_max[:2])
    for _ in range(_STARTS):
        x, y = (round(value, 3) for value in rng.uniform(low, high).tolist())
        if gets_about(place, x, y):
            turn = int(rng.integers(_HEADINGS))
            return Viewpoint(x, y, place.height, round(2.0 * np.pi * turn / _HEADINGS - np.pi, 6), 0.0)
    return None


def _drawn(drawn: HouseQuestions, count: int, rng: np.random.Generator) -> Iterator[Draft]:
    """About so many drafts; where a quota cannot be met, one that turns on less takes its place."""
    for wanted in quotas(count, rng):
        for quota in _loosened(wanted):
            draft = drawn.draw(quota.kind, quota.relations, quota.yes, _DRAWS)
            if draft is not None:
                yield draft
                break


def _loosened(quota: Quota) -> Iterator[Quota]:
    yield quota
    relations = quota.relations
    for each in (ADJACENT, COLOR, MATERIAL):
        if each in relations and len(relations) > 1:
            relations = relations - {each}
            yield Quota(quota.kind, relations, quota.yes)


def _different(drafts: Iterator[Draft]) -> Iterator[Draft]:
    known: set[str] = set()
    for draft in drafts:
        keys = {draft.text.lower(), program_text(draft.program)}
        if not keys & known:
            known |= keys
            yield draft
