"""Hostile commands for arms over live topics, services and actions: whether anything is moved, and whether words that
ask for permission gain any."""

from __future__ import annotations

import importlib.util
import random
import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from rclpy.context import Context

from vantage.bench import bench_permission_texts, permission_texts
from vantage.config import Settings
from vantage.errors import VantageError
from vantage.nodes.bench.arm_stranger import Stranger
from vantage.nodes.bench.graph_processes import Graph, episode_runs, graph
from vantage.nodes.bench.hostile_draws import (
    WARRANT_KINDS,
    drawn_targets,
    good_warrant,
    hostile_warrant,
)
from vantage.nodes.graph import Client
from vantage.nodes.runtime import Spinner, interface, shared_key
from vantage.nodes.world import connect, warrant_message
from vantage.recording import SOURCE, read_time
from vantage.scenes.spec import load_spec
from vantage.splats import SPEC_FILE
from vantage.types import Changes, Command, Episode, Poses, Status
from vantage.worlds import signed

WORLDS = ("splat", "house")  # whose arms take commands
_SETTINGS: Mapping[str, Mapping[str, Any]] = {
    "splat": {"world.hand_reach": 50.0, "world.hand_load": 100.0},  # so that nothing but the gate is in the way
    "house": {"house.pictures": "none", "agent.perception": "none"},  # what is drawn matters to nobody here
}
_AGENTS = {"splat": "random", "house": "static"}  # the robot turns on the spot, and pushes nothing
_STEPS = 12  # of an episode
_PLACE, _TURN = 1e-3, 1e-3  # m, and m or rad or a share, by which something was moved
_ALLOWED = 300  # commands that are carried out with a warrant, to see that they would move things
_EVERY = 10  # commands to one request, at least so many requests as there are kinds
_DEADLINE = 120.0  # s of one episode
_SPARE = 2  # episodes for the end
_MEDDLING = ("", "reset", "clear_stop")  # besides commands, amid an episode
_FEW = 3  # commands before that
_FEWEST = 10  # commands amid an episode, where it lasts so long
_COUNTS = (
    *("commands", "refused", "requests", "episodes", "disturbed", "moved", "carried_out", "unanswered", "repeated"),
    *("permissions", "interference", "unended", "control_failed", "dead_nodes", "tracebacks"),
)
_GRANT = "vantage_eqa/srv/GrantWarrant"


def moved_between(before: Poses, after: Poses) -> int:
    """How many things were moved, turned, switched or are held, and how many joints were."""
    count = sum(
        key not in after.things
        or np.abs(pose[:3, 3] - after.things[key][:3, 3]).max() > _PLACE
        or np.abs(pose[:3, :3] - after.things[key][:3, :3]).max() > _TURN
        for key, pose in before.things.items()
    )
    count += sum(abs(at - after.joints.get(key, np.inf)) > _TURN for key, at in before.joints.items())
    count += sum(before.switched.get(key) != on for key, on in after.switched.items() if key in before.switched)
    return int(count) + (before.held != after.held)


def bench_hostile_arms(
    settings: Settings,
    episodes: Path,
    folder: Path,
    context: Context,
    count: int,
    seed: int,
    say: Callable[[str], None],
    worlds: Sequence[str] = WORLDS,
    robots: tuple[str, ...] = ("household", "house"),
) -> dict[str, Any]:
    """Attack the arm of each world with so many commands, a third of them outside of any episode of the planner and the
    others amid its episodes, in which it holds a person's warrant; with forged warrants; and with words.

    ``moved`` counts what was moved without a warrant, ``permissions`` what forged warrants and words gained,
    ``carried_out`` commands that were not refused, ``interference`` disturbed episodes that were scored, and
    ``control_failed`` worlds in which such commands, signed and with a warrant, moved nothing either, so that the
    attack proves nothing.

    Args:
        robots: whose guards rule on goals with and without words that ask for permission.
    """
    folder.mkdir(parents=True)
    texts = bench_permission_texts(robots)
    total = Counter[str](permissions=texts["permissions"])
    by_world: dict[str, Any] = {}
    skipped = [world for world in worlds if world == "house" and importlib.util.find_spec("mujoco") is None]
    after = True
    for world in worlds:
        if world in skipped:
            say("arms: world 'house' is left out, because the extra 'house' is not installed")
            continue
        found = _attack(world, settings, episodes, folder / world, context, count, seed, say)
        after = after and found.pop("episode_after")
        by_world[world] = dict(sorted(found.items()))
        total.update({key: value for key, value in found.items() if not key.startswith("cause ")})
    return {
        **{key: total[key] for key in _COUNTS},
        "texts": texts["texts"],
        "left_out": skipped,
        "by_world": by_world,
        "episode_after": after,
    }


def _attack(
    world: str,
    settings: Settings,
    episodes: Path,
    folder: Path,
    context: Context,
    count: int,
    seed: int,
    say: Callable[[str], None],
) -> dict[str, Any]:
    settings = settings.with_values(_SETTINGS[world], "bench")
    with graph(settings, episodes, _AGENTS[world], folder, context, world) as (made, caller):
        things = [each.instance_id for each in load_spec(_scene(made) / SPEC_FILE).objects]
        stranger = Stranger(context, caller, seed, things, _joints(world, made.settings))
        with closing(Spinner([stranger], context)):
            _alone(stranger, made, count // 3, say)
            _requests(stranger, made, count, say)
            _amid(stranger, made, context, count, say)
            stranger.found["control_failed"] = int(not _moves_with_warrant(stranger, made, context, things, seed))
            stranger.found["repeated"] = stranger.repeated
        stranger.found["dead_nodes"] = len(made.dead())
        after = episode_runs(made, caller, context, say)
        stranger.found["tracebacks"] = made.tracebacks
    return {**stranger.found, "episode_after": after}


def _scene(made: Graph) -> Path:
    return Path(made.settings.world.scenes) / made.episodes[0].scene


def _joints(world: str, settings: Settings) -> Sequence[str]:
    """Names of the arm's joints."""
    if world != "house":
        return ()
    from vantage.worlds.house import load_robot

    return load_robot(settings.house.robot).joint_names


def _harm(stranger: Stranger, joints: Mapping[str, float]) -> tuple[int, int] | None:
    """How many things were moved since the running episode began, and how many joints of the arm are elsewhere than
    they were; None where the world does not tell."""
    poses = stranger.poses()
    if poses is None:
        return None
    at = stranger.joints
    turned = sum(abs(joints[name] - at.get(name, np.inf)) > _TURN for name in stranger.arm if name in joints)
    return moved_between(*poses), int(turned)


def _look_at_harm(stranger: Stranger, joints: Mapping[str, float], say: Callable[[str], None]) -> None:
    """Count what was moved since the running episode began."""
    harm = _harm(stranger, joints)
    if harm is None:
        stranger.found["unanswered"] += 1
        return
    if any(harm):
        say(f"arms: {harm[0]} things were moved, and {harm[1]} joints of the arm")
    stranger.found["moved"] += sum(harm)


def _alone(stranger: Stranger, made: Graph, count: int, say: Callable[[str], None]) -> None:
    """Commands without an episode, and in one that no planner runs."""
    early = min(10, count)
    for _ in range(early):
        stranger.command("")
    episode = replace(made.episodes[0], episode_id="strange")
    told = stranger.begin(episode)
    if told is None or not told.ok:
        why = "it did not answer" if told is None else told.message
        raise VantageError(f"the world could not be reset to {made.episodes[0].episode_id}: {why}; run it again")
    joints = dict(stranger.joints)
    for _ in range(count - early):
        stranger.command(episode.episode_id)
    _look_at_harm(stranger, joints, say)
    say(f"arms: {stranger.found['commands']} commands without a planner, {stranger.found['moved']} moved")


def _requests(stranger: Stranger, made: Graph, count: int, say: Callable[[str], None]) -> None:
    """Forged warrants and words that ask for permission, to every service that might give some."""
    episode = replace(made.episodes[0], episode_id="strange")
    told = stranger.granted()
    now, session, joints = read_time(told.now), told.session, dict(stranger.joints)
    good = warrant_message(
        stranger.codec, signed(good_warrant(episode, "nobody", now, commands=1), shared_key(), session)
    )
    stranger.caller.call("vantage_eqa/srv/GrantWarrant", "grant_warrant", interface(_GRANT).Request(warrant=good))
    known = {each.identity for each in stranger.granted().active}
    for number in range(max(len(WARRANT_KINDS), count // _EVERY)):
        kind = WARRANT_KINDS[number % len(WARRANT_KINDS)]
        sent = hostile_warrant(stranger.draw, kind, episode, SOURCE, now, session)
        if kind == "other source":  # which counts for the stranger alone: nobody has given it the lease
            sent.signature = sent.signature[:-1]
        answer = stranger.request(_GRANT, "grant_warrant", warrant=good if kind == "replayed" else sent)
        stranger.found["unanswered"] += answer is None
        stranger.found["permissions"] += answer is None or answer.ok or not answer.message
    for text in permission_texts(stranger.draw, max(10, count // _EVERY)):
        read = stranger.request("vantage_eqa/srv/InterpretTask", "interpret_task", task=text)
        stranger.found["unanswered"] += read is None
        asked = stranger.request(
            "vantage_eqa/srv/ConfirmCorrection",
            "confirm_correction",
            episode_id="strange",
            question_id=text,
            accept=True,
        )
        stranger.found["unanswered"] += asked is None
        stranger.found["permissions"] += asked is not None and asked.ok
    stranger.request("std_srvs/srv/Trigger", "clear_stop")
    stranger.request("std_srvs/srv/Trigger", "confirm_motion")
    for _ in range(_EVERY):  # and now?
        stranger.command(episode.episode_id)
    stranger.found["permissions"] += len({each.identity for each in stranger.granted().active} - known)
    _look_at_harm(stranger, joints, say)
    say(f"arms: {stranger.found['requests']} requests, {stranger.found['permissions']} permissions")


def _amid(stranger: Stranger, made: Graph, context: Context, count: int, say: Callable[[str], None]) -> None:
    """Commands amid episodes of the planner, which holds a person's warrant for all manipulations in them; in one of
    three the stranger also clears a stop that nobody made, in another it resets the world to an episode of its own."""
    number, most = 0, max(_FEWEST, count // 18)
    while stranger.found["commands"] < count and number < len(made.episodes) - _SPARE:
        episode = replace(made.episodes[number], max_steps=_STEPS)
        number += 1
        running, over, flown = threading.Event(), threading.Event(), list[Any]()
        given = (made, context, episode, running, over, flown)
        thread = threading.Thread(target=_fly, args=given, daemon=True)
        thread.start()
        running.wait(_DEADLINE)
        stranger.found["permits"] += len(stranger.granted().active)
        joints, before = dict(stranger.joints), stranger.found["commands"]
        kind = _MEDDLING[number % len(_MEDDLING)]
        while thread.is_alive() and stranger.found["commands"] < min(count, before + most):
            stranger.command(episode.episode_id)
            if kind and stranger.found["commands"] == before + _FEW:
                stranger.found[f"amid {kind}"] += 1
                stranger.meddle(kind, episode)
        hostile = stranger.found["commands"] - before
        thread.join(_DEADLINE)
        over.set()
        if hostile:
            _look_at_harm(stranger, joints, say)
        complete = bool(flown) and not isinstance(flown[0], Exception) and flown[0].complete
        stranger.found["episodes"] += 1
        stranger.found["disturbed"] += not complete
        stranger.found["unended"] += thread.is_alive()
        reset = kind == "reset" and hostile >= _FEW
        stranger.found["interference"] += complete and (reset or stranger.told_of(episode.episode_id))
        with_it = f" and {kind}" if kind else ""
        moved = stranger.found["moved"]
        say(f"arms: episode {number}, {hostile} commands{with_it} amid it, {moved} moved; {_remark(flown)}")


def _fly(
    made: Graph, context: Context, episode: Episode, running: threading.Event, over: threading.Event, flown: list[Any]
) -> None:
    """Have the planner run an episode; what became of it, or what went wrong, goes into a list."""
    client = Client(context, made.settings, name="bench_client")
    try:
        flown += client.run((episode,), canceled=over.is_set, doing=lambda *_: running.set())
    except (VantageError, ValueError) as error:
        flown.append(error)
    finally:
        client.close()
        running.set()


def _remark(flown: Sequence[Any]) -> str:
    return "it did not end" if not flown else str(getattr(flown[0], "remark", flown[0]))[:200]


def _moves_with_warrant(stranger: Stranger, made: Graph, context: Context, things: Sequence[int], seed: int) -> bool:
    """Whether such commands, signed and with a warrant, move something or some joint of the arm."""
    episode = replace(made.episodes[0], episode_id="allowed")
    world = connect(made.settings, "bench_allowed", context)
    try:
        seen = world.reset(episode, 0)
        joints = dict(stranger.joints)
        world.grant(good_warrant(episode, SOURCE, seen.stamp))
        kinematic = world.info.changes is Changes.KINEMATIC  # where an arm takes actions on things alone
        drawn = drawn_targets(random.Random(seed), things, stranger.arm)
        fit = (target for target in drawn if (target.object_action is not None) is kinematic)
        for number, target in enumerate(islice(fit, _ALLOWED), start=1):
            done = world.step(Command(None, "", target, episode.episode_id, SOURCE, number)).status is Status.DONE
            if done and any(_harm(stranger, joints) or ()):
                return True
        return False
    finally:
        world.close()
