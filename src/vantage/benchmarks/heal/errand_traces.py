"""The home of an errand as it was after each command: by actions on things, or by where physics left things."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from vantage.benchmarks.heal.errand_sets import ErrandTruth
from vantage.benchmarks.labelling import moved_home
from vantage.errors import RecordingError, SceneError
from vantage.goals import SceneFacts, changed
from vantage.recording import Hold, Recording, read_hold_poses
from vantage.scenes.geometry import supports
from vantage.scenes.spec import ObjectSpec, SceneSpec, points_inside
from vantage.types import ArmTarget, Changes, Poses, Status

_AJAR = 0.1  # share of its way from which on a part is open
_MOVED = 0.03  # m from its place at the start, from which on a thing is somewhere else


class Holds:
    """What the hand held at each look, as far as truth tells."""

    def __init__(self, holds: Iterable[Hold]) -> None:
        self._holds = tuple(holds)

    def at(self, stamp: int) -> int | None:
        """Instance that the hand held at a look (ns); None for nothing, 0 for what nothing tells."""
        return next((hold.key for hold in self._holds if stamp in hold.heights), None)


def facts_trace(
    truth: ErrandTruth, targets: Mapping[int, ArmTarget], recording: Recording
) -> tuple[dict[int, SceneFacts], Holds | None]:
    """The home at the start (0) and after commands that changed it, by their numbers, and what the hand held; None
    where actions on things tell that themselves.

    Raises:
        RecordingError: the bag cannot be read, or tells of things that the home lacks.
    """
    holds, poses = read_hold_poses(recording.path)
    if not any(each.changes is Changes.PHYSICS for each in poses.values()):
        return dict(_by_actions(truth, targets, recording)), None
    held = Holds(holds)
    try:
        return dict(_by_poses(truth, recording, poses, held)), held
    except SceneError as error:
        raise RecordingError(f"{recording.path}: what was moved is not of its home: {error}") from error


def _by_actions(
    truth: ErrandTruth, targets: Mapping[int, ArmTarget], recording: Recording
) -> Iterator[tuple[int, SceneFacts]]:
    scene = truth.facts
    yield 0, scene
    for number in sorted(targets):
        action = targets[number].object_action
        done = number <= len(recording.motions) and recording.motions[number - 1].status is Status.DONE
        if action is not None and done:
            thing, place = truth.names.get(action.thing, ""), truth.names.get(action.place, "")
            scene = changed(scene, action.verb, thing, place)
            yield number, scene


def _by_poses(
    truth: ErrandTruth, recording: Recording, poses: Mapping[int, Poses], holds: Holds
) -> Iterator[tuple[int, SceneFacts]]:
    if truth.home is None:
        raise RecordingError(f"{recording.path}: its gold data lack the home, by which things are where they are told")
    yield 0, truth.facts
    now, held = Poses(), None
    told = sorted(poses)
    for number, motion in enumerate(recording.motions, start=1):
        news = [stamp for stamp in told if stamp <= motion.observation_stamp]
        told = told[len(news) :]
        before, held = held, holds.at(motion.observation_stamp)
        if not news and held == before:
            continue
        for stamp in news:
            now = Poses({**now.things, **poses[stamp].things}, {**now.joints, **poses[stamp].joints})
        yield number, facts_after(truth, now, held)


def facts_after(truth: ErrandTruth, now: Poses, held: int | None = None) -> SceneFacts:
    """What a home is once things and joints are where poses say.

    A thing is in or on what bears it by the shapes of the home, as at the start, and in the room where its middle is;
    what is open has a part that went a tenth of its way.

    Args:
        held: instance in the hand.

    Raises:
        SceneError: the home has no such thing or joint.
    """
    assert truth.home is not None
    home = moved_home(truth.home, now)
    scene, start = truth.facts, {obj.instance_id: obj for obj in truth.home.objects}
    for key in sorted({key for key, _ in now.joints}):
        joints = next((obj.joints for obj in home.objects if obj.instance_id == key), ())
        is_open = any(joint.position - joint.low > _AJAR * (joint.high - joint.low) for joint in joints)
        scene = changed(scene, "open" if is_open else "close", truth.names.get(key, ""))
    there = {obj.instance_id: obj for obj in home.objects}
    gone = [key for key in sorted(now.things) if key in truth.names and _is_elsewhere(start[key], there[key])]
    carriers = supports(home) if gone else {}
    rooms = {room.room_id: truth.names.get(-room.room_id, "") for room in home.rooms}
    order = sorted(gone, key=lambda key: there[key].position[2])  # what carries before what is carried
    for key in order:
        name, (relation, parent) = truth.names[key], carriers[key]
        if key == held:
            scene = changed(scene, "take", name)
        elif parent in truth.names:
            scene = changed(scene, f"put_{relation}", name, truth.names[parent])
        else:
            scene = changed(scene, "put_in", name, rooms.get(_room_of(home, there[key]), ""))
    return scene


def _is_elsewhere(before: ObjectSpec, after: ObjectSpec) -> bool:
    return math.dist(before.position, after.position) > _MOVED


def _room_of(home: SceneSpec, obj: ObjectSpec) -> int:
    """0 for none."""
    x, y = (np.array([value]) for value in obj.position[:2])
    return next((room.room_id for room in home.rooms if points_inside(room.outline, x, y).any()), 0)
