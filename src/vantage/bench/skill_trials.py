"""Trials of skills in one generated home of the house world, each from the state in which the home begins.

What the robot knows comes from its own looks; this module alone looks at the truth: it chooses what to try, says what
is within reach, puts the robot where the thing can be seen, and judges what came of it.
"""

from __future__ import annotations

import math
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from vantage.bench.grasp_room import GraspRoom, is_narrow
from vantage.config import Settings
from vantage.errors import EpisodeError, WorldError
from vantage.planning.skills import (
    HouseBody,
    LookAround,
    NearlyFree,
    Open,
    Pick,
    PutBack,
    Situation,
    Skill,
    SkillDoor,
    SkillResult,
    Weigh,
    within_reach,
)
from vantage.registry import PERCEIVERS
from vantage.runs import let_manipulate
from vantage.scenes.generator import generate_home
from vantage.scenes.geometry import handle_of
from vantage.scenes.spec import ObjectSpec, SceneSpec, object_bounds, save_spec
from vantage.spatial import Viewpoint, rotation_matrix
from vantage.types import Command, Episode, Observation, Point, StepResult
from vantage.worlds.house import HouseWorld, MovingPart, build_house, carried_by, load_robot, run_part

HOME = "home"
DRAWERS, DOORS, LIDS = "drawers", "doors", "lids"
ASSISTED, FRICTION, PUT_BACK, WEIGH = "pick_assisted", "pick_friction", "put_back", "weigh"
KINDS = (DRAWERS, DOORS, LIDS, ASSISTED, FRICTION, PUT_BACK, WEIGH)
BARRED, TOO_WIDE, CROWDED = "blocked in the home", "too wide", "no room for the hand"
OUT_OF_REACH, UNSEEN = "out of reach", "not seen"
LEFT_OUT = (BARRED, TOO_WIDE, CROWDED, OUT_OF_REACH, UNSEEN)  # why something does not count, the first that holds
HEAVIEST = 3.0  # kg of what is to be picked
NEAR = 0.03  # m from where it was that counts as put back

_SHARE = 0.9  # of its range from which on a part counts as open
_CLOSED = 0.1  # of its range up to which it counts as closed at the start
_LEAST_PIXELS = 12  # of the id image, that a look from the start must show of a thing
_AWAY = (0.9, 1.2, 1.5, 1.9)  # m from a thing at which the robot may begin
_STEEP = math.radians(80.0)  # below level, from which on a hand points down
_SOURCE = "bench"
_MOST_COMMANDS = 200  # of one skill
_SEEDED = 0x5EED
_DRAWN = 3  # times as many drawers, doors and lids are drawn by lot as are tried: some do not count
_LOOKS = 0.02  # m between points of the line from the base to a thing, none of which is in a wall


@dataclass(frozen=True)
class HomeOrder:
    """What to try in one home.

    Attributes:
        per_home: trials of each kind at the most that count.
        kinds: of ``KINDS``.
    """

    seed: int
    rooms: int
    per_home: int
    kinds: tuple[str, ...]
    settings: Settings


@dataclass(frozen=True)
class Trial:
    """What came of one skill.

    Attributes:
        what: the thing or part in words.
        reachable: by the kinematics of the robot and the free floor of the home; of a drawer, door or lid also that it
            runs through its whole range in this home.
        barred: what is in the way of a drawer, door or lid in this home, in words; empty for nothing.
        seen: it could be seen from where the robot began.
        done: as the truth has it.
        failure: class of failure, empty where it was done.
        measured, true: kg, of weighed things.
        graspable: what fingers have to close around is narrow enough for them and rises 15 mm.
        roomy: there is a way to have them around it, with the hand where it meets nothing and the arm gets to.
    """

    home: int
    kind: str
    what: str
    reachable: bool
    seen: bool = False
    done: bool = False
    failure: str = ""
    reason: str = ""
    commands: int = 0
    seconds: float = 0.0
    measured: float = math.nan
    true: float = math.nan
    graspable: bool = True
    roomy: bool = True
    barred: str = ""

    @property
    def left_out(self) -> str:
        """Why it does not count, of ``LEFT_OUT``; empty where it does."""
        if self.barred:
            return BARRED
        if not self.graspable:
            return TOO_WIDE
        if not self.roomy:
            return CROWDED
        if not self.reachable:
            return OUT_OF_REACH
        return "" if self.seen else UNSEEN


def try_home(order: HomeOrder) -> list[Trial]:
    """All trials of one home."""
    with tempfile.TemporaryDirectory(prefix="vantage-skills-") as folder:
        home = generate_home(order.seed, order.rooms, HOME)
        place = Path(folder) / HOME
        place.mkdir()
        save_spec(home, place / "spec.json")
        found: list[Trial] = []
        by_grasp = {
            "assisted": [kind for kind in order.kinds if kind != FRICTION],
            "friction": [kind for kind in order.kinds if kind == FRICTION],
        }
        for grasp, kinds in by_grasp.items():
            if kinds:
                with closing(_Home(order, home, folder, grasp)) as trials:
                    found += [trial for kind in kinds for trial in trials.of(kind)]
        return found


class _Home:
    """One home in a world with one kind of grasp."""

    def __init__(self, order: HomeOrder, home: SceneSpec, folder: str, grasp: str) -> None:
        settings = order.settings
        self._settings = replace(
            settings,
            world=replace(settings.world, scenes=folder, instances=True),
            house=replace(settings.house, grasp=grasp, pictures="all"),
        )
        self._order, self._home, self._grasp = order, home, grasp
        self._objects = {obj.instance_id: obj for obj in home.objects}
        self._body = HouseBody(settings.house.robot)
        self._rng = np.random.default_rng([order.seed, _SEEDED])
        self._episodes = 0
        self._bodies = build_house(home, appearance=False)
        self._parts, self._movable = self._bodies.parts, tuple(self._bodies.movable)
        self._walls = [board for obj in home.objects if obj.label == "wall" for board in _boards(obj)]
        self._room = GraspRoom(home, load_robot(settings.house.robot))
        self._open()

    def _open(self) -> None:
        self._world = HouseWorld(self._settings)
        self._place = self._world.place(HOME)
        self._nearly = NearlyFree(self._place)

    def close(self) -> None:
        self._world.close()

    def of(self, kind: str) -> Iterator[Trial]:
        """The trials of a kind, by lot."""
        if kind in (DRAWERS, DOORS, LIDS):
            parts = [part for part in self._parts if self._kind_of(part) == kind and self._is_shut(part)]
            counted = 0
            for part in self._chosen(parts, _DRAWN * self._order.per_home):
                trial = self._try_part(kind, part)
                yield trial
                counted += not trial.left_out
                if counted == self._order.per_home:
                    break
            return
        things = [obj for obj in self._things() if obj.mass <= HEAVIEST]
        for obj in self._chosen(things, self._order.per_home):
            yield self._try_thing(kind, obj)

    def _chosen(self, candidates: Sequence[Any], most: int) -> list[Any]:
        return [candidates[int(k)] for k in self._rng.permutation(len(candidates))[:most]]

    def _kind_of(self, part: MovingPart) -> str:
        if part.kind == "slide":
            return DRAWERS
        joint = next(joint for joint in self._objects[part.instance].joints if joint.part == part.part)
        return DOORS if abs(joint.axis[2]) > 0.5 else LIDS

    def _is_shut(self, part: MovingPart) -> bool:
        joint = next(joint for joint in self._objects[part.instance].joints if joint.part == part.part)
        return joint.position - joint.low <= _CLOSED * (joint.high - joint.low)

    def _in_the_way(self, part: MovingPart) -> str:
        """What keeps a part from its whole range, in words: what stands on a lid, or what the part meets on its way
        through the home without a robot; empty for nothing."""
        if self._kind_of(part) == LIDS:
            load = [key for key in carried_by(self._bodies, part) if self._objects[key].relation == "on"]
            if load:
                return f"the {self._objects[load[0]].label} stands on it"
        run = run_part(self._bodies, part)
        met = run.cleared or (() if run.complete else run.met)
        if met:
            return f"it meets the {self._objects[met[0]].label if met[0] in self._objects else 'floor'}"
        return "" if run.complete else "it does not run through its range"

    def _things(self) -> list[ObjectSpec]:
        """What can be picked up and lies in nothing that is closed."""
        found = []
        for instance in self._movable:
            obj = self._objects[instance]
            parent = self._objects.get(obj.parent)
            if obj.relation != "in" or parent is None or "closed" not in parent.states:
                found.append(obj)
        return found

    # One trial ------------------------------------------------------------------------------------------------------

    def _try_part(self, kind: str, part: MovingPart) -> Trial:
        owner = self._objects[part.instance]
        point, outward = self._handle(owner, part.part)
        barred = self._in_the_way(part)
        trial = Trial(
            self._order.seed,
            kind,
            f"{owner.label} {part.instance} {part.part}",
            not barred and self._is_within_reach(point, outward),
            barred=barred,
        )
        if not trial.reachable:
            return trial

        def judged(result: SkillResult) -> bool:
            position = self._world.joint_positions()[part.instance, part.part]
            return position >= part.low + _SHARE * (part.high - part.low)

        return self._run(trial, point, part.handle_id, lambda: [Open(part.instance, part.handle_id)], judged)

    def _handle(self, owner: ObjectSpec, part: str) -> tuple[Point, Point]:
        """Where the hand goes before a handle (m), and the unit vector out of its front, world frame."""
        grip = handle_of(owner, next(joint for joint in owner.joints if joint.part == part))
        turn = rotation_matrix((0.0, 0.0, owner.yaw))
        out = turn @ np.array(grip.outward)
        x, y, z = (turn @ np.array(grip.center) + np.array(owner.position) + 0.05 * out).tolist()
        return (x, y, z), (float(out[0]), float(out[1]), float(out[2]))

    def _try_thing(self, kind: str, obj: ObjectSpec) -> Trial:
        low, high = object_bounds(obj)
        point = 0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1]), high[2] + 0.03
        trial = Trial(
            self._order.seed,
            kind,
            f"{obj.label} {obj.instance_id}",
            self._is_within_reach(point),
            true=obj.mass,
            graspable=self._grasp != "friction" or is_narrow(obj, self._body.opening),
        )
        if trial.reachable and trial.graspable and self._grasp == "friction":
            trial = replace(trial, roomy=self._room.has_grasp(obj, self._hand_reaches))
        if not (trial.reachable and trial.graspable and trial.roomy):
            return trial
        key = obj.instance_id
        if kind == WEIGH:
            return self._run(trial, point, key, lambda: [Weigh(key)], lambda result: math.isfinite(result.mass))
        if kind in (ASSISTED, FRICTION):
            return self._run(trial, point, key, lambda: [Pick(key)], lambda result: self._world.held == key)

        def judged(result: SkillResult) -> bool:
            now = self._world.poses()[key][:3, 3]
            return self._world.held is None and float(np.linalg.norm(now - self._before[key][:3, 3])) <= NEAR

        return self._run(trial, point, key, lambda: [Pick(key), PutBack()], judged)

    def _is_within_reach(self, point: Point, outward: Point | None = None) -> bool:
        return within_reach(self._body, self._place, point, outward, is_open=lambda at: self._is_open(at, point))

    def _hand_reaches(self, point: Point, yaw: float, pitch: float) -> bool:
        """Whether the hand gets to a point with a heading and a pitch; from above, with any heading of the base."""
        headings = [yaw] if pitch < _STEEP else None
        return within_reach(
            self._body, self._nearly, point, None, (pitch,), lambda at: self._is_open(at, point), headings
        )

    def _is_open(self, place: tuple[float, float], point: Point) -> bool:
        """Whether no wall is between a place of the base and a point, at its height."""
        count = max(2, math.ceil(math.dist(place, point[:2]) / _LOOKS))
        line = np.linspace((*place, point[2]), point, count)
        return not any(((line >= low) & (line <= high)).all(axis=1).any() for low, high in self._walls)

    def _run(self, trial: Trial, point: Point, key: int, skills: Any, judged: Any) -> Trial:
        start = self._start(point, key)
        if start is None:
            return replace(trial, failure="not seen")
        began = time.perf_counter()
        try:
            return replace(self._attempt(trial, start, skills(), judged), seconds=time.perf_counter() - began)
        except (EpisodeError, WorldError) as error:  # physics that broke down is a failure of its own
            self._world.close()
            self._open()
            reason = f"{type(error).__name__}: {error}"
            return replace(trial, seen=True, failure="physics", reason=reason, seconds=time.perf_counter() - began)

    def _attempt(self, trial: Trial, start: Viewpoint, skills: list[Skill], judged: Any) -> Trial:
        observation, last, commands = self._reset(start), None, 0
        self._before = self._world.poses()
        situation = Situation(
            PERCEIVERS.create("privileged", min_pixels=60), self._world.info, self._body, grasp=self._grasp
        )
        door = SkillDoor(situation, most_commands=_MOST_COMMANDS)
        result = SkillResult()
        for skill in (LookAround(), *skills):
            door.begin(skill)
            result, observation, last, commands = self._carry_out(door, observation, last, commands)
            if not result.done and not isinstance(skill, LookAround):
                break
        done = result.done and bool(judged(result))
        failure = "" if done else "wrong in truth" if result.failure is None else result.failure.value
        return replace(
            trial, seen=True, done=done, failure=failure, reason=result.reason, commands=commands, measured=result.mass
        )

    def _carry_out(
        self, door: SkillDoor, observation: Observation, last: StepResult | None, commands: int
    ) -> tuple[SkillResult, Observation, StepResult | None, int]:
        while True:
            told = door.next(observation, last)
            if isinstance(told, SkillResult):
                return told, observation, last, commands
            commands += 1
            last = self._world.step(self._numbered(told, commands))
            observation = last.observation

    def _numbered(self, command: Command, number: int) -> Command:
        return replace(command, episode_id=f"skills-{self._episodes}", source=_SOURCE, sequence=number)

    def _reset(self, start: Viewpoint) -> Observation:
        self._episodes += 1
        episode = Episode(f"skills-{self._episodes}", "skills", HOME, start, (), 10**6)
        seen = self._world.reset(episode, 0)
        let_manipulate(self._world, episode, seen, _SOURCE)
        return seen

    def _start(self, point: Point, key: int) -> Viewpoint | None:
        """A free place from which a look shows the thing, by lot among those near it; the one that shows most of it."""
        best, most = None, _LEAST_PIXELS - 1
        angles = self._rng.permutation(16) * (math.pi / 8)
        for away in _AWAY:
            for angle in angles:
                x, y = point[0] + away * math.cos(angle), point[1] + away * math.sin(angle)
                if not self._place.is_free(x, y):
                    continue
                pitch = math.atan2(point[2] - self._body.camera_height, away)
                limits = self._place.limits
                pitch = min(max(pitch, limits.pitch_min), limits.pitch_max)
                view = Viewpoint(x, y, self._body.camera_height, math.atan2(point[1] - y, point[0] - x), pitch)
                try:
                    observation = self._reset(view)
                except (EpisodeError, WorldError):
                    continue
                shown = 0 if observation.instances is None else int((observation.instances == key).sum())
                if shown > most:
                    best, most = view, shown
                if most > 20 * _LEAST_PIXELS:
                    return best
        return best


def _boards(obj: ObjectSpec) -> list[tuple[Point, Point]]:
    """The corners (m) of the boxes of a wall that stands along the axes of the home."""
    if abs(math.sin(2.0 * obj.yaw)) > 1e-3:
        return []
    return [
        object_bounds(replace(obj, parts=(part,)))
        for part in obj.parts
        if part.shape == "box" and not any(part.rotation)
    ]
