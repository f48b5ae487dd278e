"""How many steps a second the house world takes in several processes, against bare MuJoCo steps and renders of the same
motions in the same run.

``overhead`` is the share by which the world takes longer than the same physics steps and renders with the model as
MuJoCo compiles it; it is negative where the world saves MuJoCo work. ``overhead_same_model`` compares with steps of the
model as the world narrows it, in which what rests far away is not looked at for collisions: the cost of the code around
MuJoCo alone, and nothing that the world saves. ``steps_per_second`` is of the world, all processes together.
"""

from __future__ import annotations

import itertools
import os
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from vantage.bench.memory import resident_mb
from vantage.config import Settings
from vantage.errors import EpisodeError, SceneError
from vantage.planning import ActionSpace, make_actions
from vantage.runs import let_manipulate
from vantage.scenes.generator import generate_home
from vantage.scenes.spec import save_spec
from vantage.spatial import Viewpoint
from vantage.splats import SPEC_FILE
from vantage.types import Command, Done, Episode, Status
from vantage.workers import WorkerPool
from vantage.worlds import gl_library
from vantage.worlds.house import BareReplay, HouseWorld, Motion, MotionRecorder

CASES = {"rgb": "color", "perceived": "all", "unrendered": "none"}  # and what house.pictures is
ROOMS = (4, 10)
SIZE, SMALL = (800, 600), (400, 300)
BOUNDS = {
    "rooms_4": {"rgb": 60.0, "perceived": 35.0, "unrendered": 300.0},
    "rooms_10": {"rgb": 40.0},
    "overhead": 0.15,
    "load_s": 3.0,
    "memory_mb": 600.0,
}

# Back where it began, so that any number of rounds stays on the same floor.
_WALK = (
    "turn_left",
    "move_forward",
    "look_down",
    "hand_forward",
    "lift_up",
    "move_backward",
    "turn_right",
    "move_left",
    "look_up",
    "hand_backward",
    "lift_down",
    "move_right",
)
_SEED = 1
_SOURCE = "bench"
_ROUNDS = 3  # of world and bare MuJoCo in turn
_TRIED = 24  # headings and places at which the walk may be possible


@dataclass(frozen=True)
class _Share:
    """What one process found of one case: steps in s of the world, of bare MuJoCo and of MuJoCo with the world's model,
    and what it took."""

    steps: int
    seconds: float
    bare_seconds: float
    same_seconds: float
    load_seconds: float
    memory_mb: float


def bench_house_step(
    settings: Settings, steps: int = 200, workers: int = 2, rooms: Sequence[int] = ROOMS
) -> dict[str, Any]:
    """Steps a second by rooms and pictures, of all processes together, and the overhead as a share of bare MuJoCo.

    Raises:
        SceneError: nowhere in a home can the robot walk to and fro.
    """
    library = gl_library()
    if library is not None:  # MuJoCo's own renderer chooses it when MuJoCo is imported, which the workers do
        os.environ.setdefault("MUJOCO_GL", library)
    found: dict[str, dict[str, Any]] = {}
    load, memory = 0.0, 0.0
    with tempfile.TemporaryDirectory(prefix="vantage-bench-") as folder:
        for count in rooms:
            home = Path(folder) / f"rooms_{count}"
            home.mkdir()
            save_spec(generate_home(_SEED, count, home.name), home / SPEC_FILE)
            found[home.name] = {}
            with WorkerPool(1) as pool:
                pool.submit(_warmed, _settings(settings, Path(folder), "all"), home.name).result()
            for case, pictures in CASES.items():
                wanted = _settings(settings, Path(folder), pictures)
                with WorkerPool(workers) as pool:
                    shares = list(pool.map(_measured, [wanted] * workers, [home.name] * workers, [steps] * workers))
                found[home.name][case] = _figures(shares)
                load = max([load, *(share.load_seconds for share in shares)])
                memory = max([memory, *(share.memory_mb for share in shares)])
    figures = {**found, "load_s": round(load, 2), "memory_mb": round(memory, 1)}
    return {
        "size": list(SIZE),
        "depth_size": list(SMALL),
        "workers": workers,
        "reference": "MuJoCo steps and renders of the same motions",
        **figures,
        "bounds": BOUNDS,
        "met": _met(figures),
    }


def _settings(settings: Settings, scenes: Path, pictures: str) -> Settings:
    return settings.with_values(
        {
            "camera.width": SIZE[0],
            "camera.height": SIZE[1],
            "house.depth_width": SMALL[0],
            "house.depth_height": SMALL[1],
            "house.pictures": pictures,
            "world.scenes": str(scenes),
            "world.instances": True,
            "actions.space": "mobile",
            "actions.frame": "heading",
            "limits.max_translation": max(settings.limits.max_translation, settings.actions.translation),
        },
        "bench",
    )


def _figures(shares: Sequence[_Share]) -> dict[str, float]:
    steps = sum(share.steps for share in shares)
    seconds, bare = max(share.seconds for share in shares), max(share.bare_seconds for share in shares)
    spent = sum(share.seconds for share in shares)
    over = spent / sum(share.bare_seconds for share in shares) - 1.0
    over_same = spent / sum(share.same_seconds for share in shares) - 1.0
    return {
        "steps_per_second": round(steps / seconds, 1),
        "bare_steps_per_second": round(steps / bare, 1),
        "overhead": round(over, 3),
        "overhead_same_model": round(over_same, 3),
    }


def _met(figures: dict[str, Any]) -> bool:
    fast = all(
        figures[name][case]["steps_per_second"] >= least
        for name, cases in BOUNDS.items()
        if isinstance(cases, dict) and name in figures
        for case, least in cases.items()
    )
    lean = all(
        case["overhead"] <= BOUNDS["overhead"]
        for name, cases in figures.items()
        if name.startswith("rooms")
        for case in cases.values()
    )
    return fast and lean and all(figures[name] <= BOUNDS[name] for name in ("load_s", "memory_mb"))


def _measured(settings: Settings, home: str, steps: int) -> _Share:
    """One case in one process: the world and bare MuJoCo in turn."""
    actions = make_actions(settings.actions)
    begin = time.perf_counter()
    with closing(HouseWorld(settings)) as world:
        _loaded(world, home)
        load = time.perf_counter() - begin
        episode = Episode("bench", "", home, _walkable(world, home, actions), (), 2**31 - 1)
        _begun(world, episode)
        recorder = MotionRecorder(world.simulation)
        motions: list[Motion] = []
        _walk(world, episode, actions, len(_WALK), recorder, motions)
        recorder.close()
        each = max(1, steps // _ROUNDS)
        pictures = settings.house.pictures
        seconds, spent = 0.0, [0.0, 0.0]
        memory = 0.0
        camera, small = world.intrinsics, world.depth_intrinsics
        replays: list[BareReplay] = []
        for _ in range(_ROUNDS):
            _begun(world, episode)
            begin = time.perf_counter()
            _walk(world, episode, actions, each)
            seconds += time.perf_counter() - begin
            memory = memory or resident_mb()
            color = None if pictures == "none" else camera
            replays = replays or [BareReplay(recorder, color, small, narrow) for narrow in (False, True)]
            for number, replay in enumerate(replays):
                spent[number] += _replayed(replay, motions, each)
        for replay in replays:
            replay.close()
    return _Share(each * _ROUNDS, seconds, spent[0], spent[1], load, memory)


def _replayed(replay: BareReplay, motions: Sequence[Motion], steps: int) -> float:
    """s that so many steps take."""
    replay.restart()
    begin = time.perf_counter()
    for motion in itertools.islice(itertools.cycle(motions), steps):
        replay.step(motion)
    return time.perf_counter() - begin


def _loaded(world: HouseWorld, home: str) -> None:
    """Load a home, up to the first look."""
    world.reset(Episode("load", "", home, next(world.place(home).roomy_starts()), (), 1), 0)


def _begun(world: HouseWorld, episode: Episode) -> None:
    """Put a world at the start of an episode in which the arm may do anything."""
    let_manipulate(world, episode, world.reset(episode, 0), _SOURCE)


def _warmed(settings: Settings, home: str) -> None:
    """Have everything that is kept on disk for a home made."""
    with closing(HouseWorld(settings)) as world:
        _loaded(world, home)


def _walk(
    world: HouseWorld,
    episode: Episode,
    actions: ActionSpace,
    steps: int,
    recorder: MotionRecorder | None = None,
    motions: list[Motion] | None = None,
) -> None:
    """
    Raises:
        SceneError: a step did not succeed.
    """
    here = episode.start
    for number, action in enumerate(itertools.islice(itertools.cycle(_WALK), steps), start=1):
        decision = actions.decision(action, here)
        assert not isinstance(decision, Done)
        result = world.step(_numbered(decision, episode, number))
        if result.status is not Status.DONE:
            raise SceneError(f"the bench could not go on with '{action}': {result.reason}")
        here = result.reached if decision.target is None else decision.target
        if recorder is not None and motions is not None:
            motions.append(recorder.take())


def _numbered(command: Command, episode: Episode, number: int) -> Command:
    return replace(command, episode_id=episode.episode_id, source=_SOURCE, sequence=number)


def _walkable(world: HouseWorld, home: str, actions: ActionSpace) -> Viewpoint:
    """A start from where the robot can walk to and fro.

    Raises:
        SceneError: there is none.
    """
    place = world.place(home)
    for start in itertools.islice(place.roomy_starts(), _TRIED):
        try:
            episode = Episode("try", "", home, start, (), 100)
            _begun(world, episode)
            _walk(world, episode, actions, len(_WALK))
        except (EpisodeError, SceneError):
            continue
        return start
    raise SceneError(f"nowhere in home '{home}' can the robot walk to and fro; take a larger one")
