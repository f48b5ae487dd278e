"""Finding the oracles of questions, against judging every viewpoint of the home by the same rules."""

from __future__ import annotations

import itertools
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np

from vantage.benchmarks import benchmark_of
from vantage.benchmarks.labelling import (
    SceneLabeller,
    SceneVisibility,
    StartSettings,
    VisibilitySettings,
    is_goal_view,
    open_scene_world,
)
from vantage.benchmarks.sets import SCENES, load_set
from vantage.config import Settings
from vantage.errors import UsageError
from vantage.runs import Tell, quiet
from vantage.spatial import Intrinsics, Viewpoint, wrap_angle
from vantage.splats import load_graph
from vantage.types import TruthQuestion

BOUND = 20.0  # times as fast
_WARM_UP = 200  # viewpoints that are judged before anything counts, so that compiling does not
_OFF = 1e-3  # rad by which the heading of a start may miss those of the lattice


def bench_labels(episodes: Path, questions: int, tell: Tell = quiet) -> dict[str, Any]:
    """Seconds to find the oracles of the first questions of a set, and to judge all viewpoints of their homes instead.

    A label is the same where both give the same actions to the same goal and the same viewpoints answer. Making the
    lattice of viewpoints and compiling count for neither, and each question is judged by judges that know nothing yet.

    Args:
        questions: at most so many; episodes without an oracle are left out.

    Raises:
        UsageError: the set has no oracles, or a start is not on the lattice of viewpoints.
        FormatError: the set cannot be read.
    """
    episode_set = load_set(episodes)
    info, where = episode_set.info, str(episode_set.folder / "set.json")
    truths = benchmark_of(info.benchmark).truths(episode_set)
    oracles = {key: truth.oracle_actions for key, truth in truths.items() if truth.oracle_actions is not None}
    asked = [episode for episode in episode_set.episodes if episode.episode_id in oracles][:questions]
    if not asked:
        raise UsageError(f"{episodes} holds no question with an oracle; give a set of homes with a graph")
    settings = Settings().with_values(dict(info.settings), where)
    visibility = VisibilitySettings.of(info.thresholds, f"{where}: thresholds", info.view_rule)
    starts = StartSettings(most_actions=max(len(oracles[episode.episode_id]) for episode in asked))
    found = []
    with closing(open_scene_world(settings, episode_set.folder / SCENES, episode_set.info.world)) as world:
        for number, episode in enumerate(asked, start=1):
            folder, question = episode_set.scene_folder(episode.scene), truths[episode.episode_id].questions[0]
            graph, start = load_graph(folder), episode.start
            judge, reference, warm = (SceneVisibility.of_scene(folder, graph, visibility) for _ in range(3))
            labeller = SceneLabeller(
                world,
                episode.scene,
                judge,
                info.actions,
                settings.world.body_radius,
                starts,
                anchor=(start.x, start.y, start.z),
            )
            _judged(warm, question, labeller, world.intrinsics, _WARM_UP)
            measured = _measure(labeller, reference, question, start, world.intrinsics)
            found.append({"episode_id": episode.episode_id, **measured})
            tell(f"{number} of {len(asked)} questions")
    fast, views, slow = (sum(item[key] for item in found) for key in ("seconds", "views_seconds", "reference_seconds"))
    same, speedup = sum(item["same"] for item in found), round(slow / fast, 2)
    return {
        "reference": "judging every viewpoint",
        "speedup": speedup,
        "views_speedup": round(slow / views, 2),
        "same": same,
        "bound": BOUND,
        "met": speedup >= BOUND and same == len(found),
        "questions": found,
    }


def _measure(
    labeller: SceneLabeller,
    reference: SceneVisibility,
    question: TruthQuestion,
    start: Viewpoint,
    intrinsics: Intrinsics,
) -> dict[str, Any]:
    """Seconds of the oracle, of all viewpoints as the labeller tells them, and of all as they are judged one by one."""
    position, heading = _on_lattice(labeller, start)
    begin = time.perf_counter()
    oracle = labeller.shortest(question, position, heading)
    seconds = time.perf_counter() - begin
    answering = labeller.answering(question)
    views_seconds = time.perf_counter() - begin
    begin = time.perf_counter()
    judged = _judged(reference, question, labeller, intrinsics)
    expected = labeller.shortest_among(_framed(reference, question, labeller, judged, intrinsics), position, heading)
    return {
        "actions": len(oracle.actions) if oracle is not None else None,
        "viewpoints": judged.size,
        "answering": int(judged.sum()),
        "seconds": round(seconds, 6),
        "views_seconds": round(views_seconds, 6),
        "reference_seconds": round(time.perf_counter() - begin, 6),
        "same": oracle == expected and bool((answering == judged).all()),
    }


def _judged(
    judge: SceneVisibility,
    question: TruthQuestion,
    labeller: SceneLabeller,
    intrinsics: Intrinsics,
    most: int | None = None,
) -> Any:
    """Which viewpoints (P, H) answer, each judged for itself; with ``most`` only the first so many."""
    lattice = labeller.lattice
    found = np.zeros((len(lattice.positions), len(lattice.yaws)), dtype=np.bool_)
    for position, heading in itertools.islice(np.ndindex(*found.shape), most):
        found[position, heading] = judge.answers(question, lattice.viewpoint(position, heading), intrinsics)
    return found


def _on_lattice(labeller: SceneLabeller, start: Viewpoint) -> tuple[int, int]:
    """Position and heading of a start.

    Raises:
        UsageError: its heading is none of the lattice.
    """
    lattice = labeller.lattice
    position = int(np.linalg.norm(lattice.positions - start.position, axis=1).argmin())
    turned = [abs(wrap_angle(float(yaw) - start.yaw)) for yaw in lattice.yaws]
    off = np.maximum(turned, np.abs(lattice.pitches - start.pitch))
    heading = int(off.argmin())
    if off[heading] > _OFF:
        raise UsageError("a start of the set has a heading that is no whole number of rotations; give another set")
    return position, heading


def _framed(
    judge: SceneVisibility, question: TruthQuestion, labeller: SceneLabeller, answering: Any, intrinsics: Intrinsics
) -> Any:
    """Which of the viewpoints (P, H) that answer may be goals."""
    found = answering.copy()
    for position, heading in np.argwhere(answering):
        viewpoint = labeller.lattice.viewpoint(int(position), int(heading))
        found[position, heading] = is_goal_view(judge, question, viewpoint, intrinsics)
    return found
