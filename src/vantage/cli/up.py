"""``vantage up``: the whole ROS graph in one process; runs an episode set, flies through a scene, or just serves."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vantage.cli.main import Result, at_least, common_options, progress, settings_options
from vantage.cli.run import RESUME, add_run_options
from vantage.registry import AGENTS, JUDGES, PERCEIVERS, WORLDS

if TYPE_CHECKING:
    from vantage.runs import Unanswered
    from vantage.spatial import Viewpoint

_FLIGHT_STEPS = 40
_TASK_STEPS = 200
_HOUSE, _DOER = "house", "doer"


def add_parser(subparsers: Any) -> None:
    parser = subparsers.add_parser(
        "up", parents=[common_options(), settings_options()], help="bring up the ROS graph in one process"
    )
    add_run_options(parser)
    job = parser.add_mutually_exclusive_group()
    job.add_argument("--episodes", metavar="DIR", help="run this episode set, then end")
    job.add_argument(
        "--explore",
        metavar="SCENE",
        help="fly through one scene, by path or name, unscored",
    )
    job.add_argument("--task", metavar="WORDS", help="have one task carried out in --scene, then end")
    parser.add_argument("--scene", metavar="SCENE", help="by path or name, where --task is carried out")
    parser.add_argument("--join", action="store_true", help="use the graph that is up already, as under ros2 launch")
    parser.add_argument(
        "--steps", type=at_least(1), default=None, help=f"of the flight ({_FLIGHT_STEPS}), or the task ({_TASK_STEPS})"
    )
    parser.add_argument("--out", default="bags", metavar="DIR", help="folder for the bags (default %(default)s)")
    parser.add_argument("--resume", action="store_true", help=f"{RESUME}, in process or here")
    parser.add_argument(
        "--judge", default="rules", help="rules (default), or model:NAME:WHICH such as model:openai:llama"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> Result:
    from vantage.benchmarks.sets import USUAL_WORLD, load_set
    from vantage.cli.doctor import require_ros
    from vantage.cli.settings import run_settings, tell_contradictions
    from vantage.errors import UsageError
    from vantage.planning import START, check_controls

    if (arguments.task is None) != (arguments.scene is None):
        raise UsageError("--task and --scene go together; give both")
    if arguments.task is not None:
        arguments.agent = arguments.agent or _DOER
    episode_set = load_set(arguments.episodes) if arguments.episodes else None
    if episode_set is not None:
        tell_contradictions(arguments, episode_set)
    # A set says what it was labelled with.
    usual = "house.yaml" if episode_set is None and arguments.world == _HOUSE else "vantage.yaml"
    settings = run_settings(arguments, episode_set, usual)
    arguments.world = arguments.world or (USUAL_WORLD if episode_set is None else episode_set.info.world)
    for registry, name in (
        (WORLDS, arguments.world),
        (AGENTS, settings.agent.name),
        (PERCEIVERS, settings.agent.perception),
        (JUDGES, arguments.judge.partition(":")[0]),
    ):
        registry.get(name)
    if arguments.resume and (episode_set is None or arguments.join):
        raise UsageError("--resume goes on with a set in a graph of its own; give --episodes, and no --join")
    if settings.control.start != START:
        raise UsageError(
            f"--start {settings.control.start} is for `vantage run`, as a graph begins where episodes do; leave it "
            "out here"
        )
    if settings.agent.name in AGENTS.names():
        check_controls(AGENTS.get(settings.agent.name), settings.agent.name, settings)
    require_ros()
    if episode_set is not None:
        return _run_set(arguments, settings, episode_set)
    if arguments.explore:
        return _explore(arguments, settings)
    if arguments.task is not None:
        return _carry_out(arguments, settings)
    if arguments.join:
        raise UsageError("--join runs episodes in a graph that is up; give --episodes or --explore")
    return _serve(arguments, settings)


def _sweep() -> None:
    """Give back the memory that killed graphs hold, before another takes its own."""
    from vantage.nodes.runtime import remove_leftovers

    removed = remove_leftovers()
    if removed.files:
        progress(f"shared memory: removed {removed.text}")


def _run_set(arguments: argparse.Namespace, settings: Any, episode_set: Any) -> Result:
    from vantage.nodes import GraphPlan
    from vantage.runs import Job, prepared

    out = Path(arguments.out)
    job, flown = prepared(Job(episode_set.folder, out, arguments.world, settings.agent.name, settings, arguments.seed))
    _check(arguments, job.settings, episode_set.folder)
    plan = GraphPlan(job.settings, arguments.world, out, episode_set.folder, arguments.judge)
    return _fly(plan, flown.episodes, arguments, job.setup)


def _carry_out(arguments: argparse.Namespace, settings: Any) -> Result:
    """One task in one scene; what became of it decides the exit status."""
    from vantage.cli.task_told import TaskTold
    from vantage.nodes import GraphPlan
    from vantage.types import Episode, Phase, Question

    settings, name = _in_scene(arguments, settings, arguments.scene)
    start = _start(arguments.world, settings, name)
    _check(arguments, settings)
    question = Question("task", arguments.task, Phase.ANSWER.value)
    episode = Episode(f"task-{name}", "", name, start, (question,), arguments.steps or _TASK_STEPS)
    told = TaskTold(progress)
    result = _fly(
        GraphPlan(settings, arguments.world, Path(arguments.out), None, arguments.judge),
        (episode,),
        arguments,
        on_end=told.ended,
    )
    return told.result(result)


def _explore(arguments: argparse.Namespace, settings: Any) -> Result:
    from dataclasses import replace

    from vantage.nodes import GraphPlan
    from vantage.types import Episode, Phase, Question

    settings, name = _in_scene(arguments, settings, arguments.explore)
    settings = replace(settings, agent=replace(settings.agent, open_space=True))
    start = _start(arguments.world, settings, name)
    _check(arguments, settings)
    question = Question("q1", "Look around.", Phase.EXPLORE.value)
    episode = Episode(f"flight-{name}", "", name, start, (question,), arguments.steps or _FLIGHT_STEPS)
    plan = GraphPlan(settings, arguments.world, Path(arguments.out), None, arguments.judge)
    return _fly(plan, (episode,), arguments)


def _in_scene(arguments: argparse.Namespace, settings: Any, name: str) -> tuple[Any, str]:
    """The settings with the folder of a scene that is given by path or name, and its name there."""
    from dataclasses import replace

    from vantage.errors import UsageError
    from vantage.files import shared_folder
    from vantage.splats import list_scenes
    from vantage.worlds.house import list_homes

    scenes = settings.world.scenes or str(shared_folder("config") / "captures")
    if Path(name).exists():
        scenes, found = name, sorted(list_homes(name) if arguments.world == _HOUSE else list_scenes(name))
        if len(found) != 1:
            raise UsageError(f"{scenes} holds {len(found)} scenes ({', '.join(found)}); give the path of one")
        name = found[0]
    return replace(settings, world=replace(settings.world, scenes=scenes)), name


def _start(world: str, settings: Any, scene: str) -> Viewpoint:
    """Where a flight begins: in a house where the robot has the most room, elsewhere where the scene says."""
    from vantage.errors import UsageError
    from vantage.splats import find_scene, scene_start

    if world == _HOUSE:
        from vantage.worlds.house import HouseWorld, require_mujoco

        require_mujoco()
        start = next(HouseWorld(settings).place(scene).roomy_starts(), None)
        if start is None:
            raise UsageError(f"home '{scene}' has no floor on which the robot can stand; choose another")
        return start
    start = scene_start(find_scene(settings.world.scenes, scene))  # with a cloud or without
    if start is None:
        raise UsageError(f"scene '{scene}' names no start; add 'start' to its scene file")
    return start


def _check(arguments: argparse.Namespace, settings: Any, episodes: Path | None = None) -> None:
    """Say what is wrong with a setup before anything starts, as ``run`` does; a graph elsewhere has one of its own.

    Raises:
        VantageError: its agent, perceiver, model or place cannot be used.
    """
    from vantage.runs import check_place, make_agent, rehearse, unconfirmed

    if arguments.join:
        return
    settings = unconfirmed(settings)
    agent = make_agent(settings.agent.name, settings, episodes)
    check_place(
        arguments.world,
        agent,
        settings,
        episodes or Path(arguments.explore or arguments.scene or settings.world.scenes),
    )
    rehearse(agent, settings)


def _fly(
    plan: Any,
    episodes: Any,
    arguments: argparse.Namespace,
    setup: Any = None,
    on_end: Callable[[Any], None] = lambda flown: None,
) -> Result:
    from contextlib import ExitStack

    from vantage.errors import VantageError
    from vantage.nodes import bring_up, join
    from vantage.recording import FolderLock
    from vantage.runs import Unanswered, remaining, remove_bags
    from vantage.signals import noted
    from vantage.types import EpisodeState

    rows: list[dict[str, Any]] = []
    unanswered = Unanswered()
    with ExitStack() as stack:
        stop = stack.enter_context(noted())
        if not arguments.join:
            stack.enter_context(FolderLock(plan.out, setup))
            episodes, spoiled = remaining(plan.out, episodes, setup if arguments.resume else None)
            remove_bags(spoiled)
            _sweep()
        graph = join(plan.settings, judge=plan.judge) if arguments.join else bring_up(plan)
        try:
            if episodes:
                with graph as client:
                    progress("joined" if arguments.join else "up: world_node, planner_node, qa_node, evaluator_node")
                    _run_all(client, episodes, arguments.seed, stop, rows, unanswered, on_end)
        except VantageError as error:
            if not stop.is_set():
                raise
            progress(f"vantage: {error}")  # of an episode that was broken off
    stop.raise_if_set()
    scored = plan.episodes is not None
    ended = [row for row in rows if row["state"] == EpisodeState.FINISHED.name and (row["complete"] or not scored)]
    told = f"episodes finished{' and scored' if scored else ''}{unanswered.told(len(rows))}"
    data = {"episodes": rows, "out": str(plan.out), "needs_model": unanswered.count}
    place = "where evaluator_node writes them" if arguments.join else f"in {plan.out}"
    return Result(f"{len(ended)} of {len(episodes)} {told}; bags {place}", data, done=len(ended) == len(episodes))


def _run_all(
    client: Any,
    episodes: Any,
    seed: int,
    stop: Any,
    rows: list[dict[str, Any]],
    unanswered: Unanswered,
    on_end: Callable[[Any], None],
) -> None:
    """Run episodes one after another, telling each, adding its row and counting those that needed a model."""
    from vantage.models import PROCESS_LEDGER
    from vantage.runs import describe, require_server

    spent = PROCESS_LEDGER.usage
    for flown in client.run(episodes, seed, stop.is_set, _telling()):
        progress(
            f"[{len(rows) + 1}/{len(episodes)}] {flown.episode.episode_id}: {flown.episode.questions[0].text}",
            f"    {describe(flown.outcome)}  ({flown.outcome.steps} steps, {flown.remark})",
        )
        rows.append(
            {
                "episode_id": flown.episode.episode_id,
                "state": flown.outcome.state.name,
                "steps": flown.outcome.steps,
                "complete": flown.complete,
            }
        )
        on_end(flown)
        unanswered.add(flown.outcome)
        require_server(flown.episode.episode_id, spent)  # of a graph elsewhere nothing is known here
        spent = PROCESS_LEDGER.usage


def _telling() -> Callable[[Any, int, str], None]:
    """Says what the planner is up to, once each time that it changes its mind."""
    last = [("", "")]

    def tell(episode: Any, step: int, doing: str) -> None:
        if doing and last[0] != (episode.episode_id, doing):
            last[0] = (episode.episode_id, doing)
            progress(f"    step {step}: {doing}")

    return tell


def _serve(arguments: argparse.Namespace, settings: Any) -> Result:
    from vantage.nodes import GraphPlan, bring_up
    from vantage.recording import FolderLock
    from vantage.signals import noted

    _check(arguments, settings)
    plan = GraphPlan(settings, arguments.world, Path(arguments.out), None, arguments.judge)
    with FolderLock(plan.out), noted() as stop:
        _sweep()
        with bring_up(plan):
            progress("up: world_node, planner_node, qa_node, evaluator_node; Ctrl-C ends")
            while not stop.wait(0.2):
                pass
    return Result("down")
