"""Whether a split is sound: its files, gold data, oracles, categories and pairs, and what limited cameras solve.

Nothing is taken from how it was made: answers come from the scene graphs, and the limited ways are searched anew.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import closing, nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path

from vantage.benchmarks.e3vs.e3vs_description import Described, episodes_of, limited, shares
from vantage.benchmarks.e3vs.e3vs_plan import CATEGORIES, CNT, SHARES
from vantage.benchmarks.labelling import (
    HEIGHT,
    LEVEL,
    PITCHED,
    LimitedWays,
    QuestionViews,
    SceneLabeller,
    SceneWorld,
    StartSettings,
    open_scene_world,
)
from vantage.benchmarks.sets import (
    SCENES,
    EpisodeSet,
    JudgedScene,
    budget_problems,
    check_files,
    load_set,
    replay_problems,
)
from vantage.config import Settings
from vantage.questions.generation import category_of
from vantage.spatial import Intrinsics, Viewpoint
from vantage.splats import GRAPH_FILE
from vantage.workers import WorkerPool

_ENOUGH = 200  # episodes from which on shares are held against bounds; fewer say little
_BESIDE = 1e-4  # m
_APART = 0.05  # from the published shares
_UNSOLVED = {LEVEL: 0.5, PITCHED: 0.25, HEIGHT: 0.02}  # least shares that a limited camera does not solve


def set_problems(folder: str | Path, workers: int = 1) -> list[str]:
    """Everything that is wrong with a split, one sentence each; empty for a sound one.

    Raises:
        FormatError: it cannot be read at all.
    """
    episode_set = load_set(folder)
    members = episodes_of(episode_set)
    truths = {each.episode.episode_id: each.truth for each in members}
    problems = [*check_files(episode_set, truths), *budget_problems(episode_set), *_pair_problems(members)]
    problems += _share_problems(members)
    homes = [name for name in episode_set.info.scenes if episode_set.scene_folder(name).is_dir()]
    with WorkerPool(workers) if workers > 1 else nullcontext() as pool:
        each = map if pool is None else pool.map
        for found in each(partial(home_problems, episode_set.folder), homes):
            problems += found
    return problems


def home_problems(folder: Path, name: str) -> list[str]:
    """What is wrong with the episodes in one home."""
    episode_set = load_set(folder)
    members = [each for each in episodes_of(episode_set) if each.episode.scene == name]
    settings = Settings().with_values(episode_set.info.settings, str(folder / "set.json"))
    camera = settings.camera
    intrinsics = Intrinsics.from_fov(camera.width, camera.height, camera.horizontal_fov)
    small = replace(settings, camera=replace(camera, width=32, height=24))
    known = (folder / SCENES / name / GRAPH_FILE).is_file()
    scene = JudgedScene.load(episode_set, name) if known else None
    problems: list[str] = []
    ways: _Ways | None = None
    with closing(open_scene_world(small, folder / SCENES)) as world:
        space = world.place(name).space
        for each in members:
            found = [
                *(scene.problems(each.episode, each.truth, settings, intrinsics) if scene is not None else ()),
                *replay_problems(world, each.episode, each.truth, episode_set.info.actions),
            ]
            if space.view_penetrates(each.episode.start, intrinsics):
                found.append("the camera starts in a surface, or pressed against one")
            if scene is not None and not found:  # else the start may be anywhere
                if ways is None:
                    ways = _Ways(world, scene, episode_set, settings, each)
                found += ways.problems(each)
            problems += [f"episode '{each.episode.episode_id}': {problem}" for problem in found]
    return problems


class _Ways:
    """Searches anew what the episodes of a home take; all of them start on one lattice, that of the first."""

    def __init__(
        self, world: SceneWorld, scene: JudgedScene, episode_set: EpisodeSet, settings: Settings, first: Described
    ) -> None:
        camera = settings.camera
        self._labeller = SceneLabeller(
            world,
            first.episode.scene,
            scene.judge,
            episode_set.info.actions,
            settings.world.body_radius,
            StartSettings(most_actions=first.episode.max_steps),
            anchor=(first.episode.start.x, first.episode.start.y, first.episode.start.z),
            intrinsics=Intrinsics.from_fov(camera.width, camera.height, camera.horizontal_fov),
        )
        self._ways = LimitedWays(self._labeller.lattice, first.episode.max_steps)
        self._views: dict[str, QuestionViews] = {}

    def problems(self, member: Described) -> Iterator[str]:
        """Whether the oracle takes the fewest actions, and the limited ways solve what the gold data say."""
        lattice, truth, start = self._labeller.lattice, member.truth, member.episode.start
        position, heading = lattice.nearest(start)
        if lattice.viewpoint(position, heading).distance(start) > _BESIDE:
            yield "the start does not lie on the lattice of the other starts in its home"
            return
        views = self._views.setdefault(truth.pair_id, self._labeller.views(truth.questions[0]))
        path = self._labeller.shortest_of(views, position, heading)
        steps = len(truth.oracle_actions or ())
        if path is None or len(path.actions) != steps:
            yield f"the oracle takes {steps} actions, the fewest are {'none' if path is None else len(path.actions)}"
        found = self._ways.solving(views, position, heading)
        if found != truth.solved_by:
            yield f"it is said to be solved by {_list(truth.solved_by)}, and is by {_list(found)}"


def _list(names: Sequence[str]) -> str:
    return "; ".join(names) or "nothing"


def _pair_problems(members: Sequence[Described]) -> Iterator[str]:
    """Episodes of one pair ask the same of the same home, from different starts; its category asks such questions."""
    pairs: dict[str, list[Described]] = defaultdict(list)
    for each in members:
        pairs[each.truth.pair_id].append(each)
        gold, name = each.truth.questions[0], each.episode.episode_id
        right = CATEGORIES[category_of(gold)] if gold.program else gold.category  # nobody but the model knows
        if not each.truth.pair_id:
            yield f"episode '{name}' belongs to no pair of a question and an answer"
        if gold.category not in SHARES:
            yield f"episode '{name}' is of no category: '{gold.category}'"
        elif gold.category != right:
            yield f"episode '{name}' is said to be of category {gold.category}, and is of {right}"
        if gold.category == CNT and not gold.answer.isdigit():
            yield f"episode '{name}' counts, and its answer is '{gold.answer}'"
    for pair, episodes in pairs.items():
        asked = {(each.episode.scene, each.episode.questions[0].text) for each in episodes}
        if len(asked) > 1:
            yield f"the episodes of pair '{pair}' do not ask the same"
        starts: set[Viewpoint] = {each.episode.start for each in episodes}
        if len(starts) < len(episodes):
            yield f"two episodes of pair '{pair}' have the same start"


def _share_problems(members: Sequence[Described]) -> Iterator[str]:
    """Of a split that is large enough: shares of the categories, and of what limited cameras do not solve."""
    if len(members) < _ENOUGH:
        return
    for category, share in shares(members).items():
        if abs(share - SHARES[category]) > _APART:
            yield f"{share:.1%} of the episodes are of category {category}, which should be {SHARES[category]:.1%}"
    unsolved = limited(members)
    for way, least in _UNSOLVED.items():
        if unsolved[way] < least:
            yield f"{unsolved[way]:.1%} of the episodes are not solved by {way} alone, which should be {least:.0%}"


def shared_homes(folders: Sequence[EpisodeSet]) -> Iterator[str]:
    """One sentence for each home that is in two splits."""
    seen: dict[str, str] = {}
    for one in folders:
        for name in one.info.scenes:
            if name in seen:
                yield f"home '{name}' is in the splits {seen[name]} and {one.folder.name}"
            seen[name] = one.folder.name
