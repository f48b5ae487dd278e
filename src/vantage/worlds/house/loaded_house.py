"""A home made ready for the robot: where it can be, its bodies, the robot's hand, its pictures and its legend."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace

import numpy as np

from vantage.config import HouseSettings
from vantage.errors import SceneError
from vantage.scenes.spec import SceneSpec
from vantage.spatial import Intrinsics, Viewpoint
from vantage.types import ArmTarget
from vantage.worlds.house.bodies import HouseModel, build_house
from vantage.worlds.house.floor_space import HomePlace
from vantage.worlds.house.house_legend import HouseLegend
from vantage.worlds.house.physics import Hand, Simulation, Stopped, nearest_part
from vantage.worlds.house.pictures import Pictures
from vantage.worlds.house.robot import BASE_LINK, PREFIX, RobotDescription
from vantage.worlds.limits import MotionLimits
from vantage.worlds.warrant_book import names_in

_MOVED = 0.005  # m or rad
_ENTERS = 0.002  # m: deeper contacts at a start are in the way


@dataclass(frozen=True, eq=False)
class LoadedHouse:
    """One home with the robot in it; ``pictures`` is None where nothing is drawn."""

    house: HouseModel
    place: HomePlace
    sim: Simulation
    hand: Hand
    pictures: Pictures | None
    legend: HouseLegend

    @staticmethod
    def of(
        place: HomePlace,
        robot: RobotDescription,
        settings: HouseSettings,
        color: Intrinsics,
        small: Intrinsics | None,
        light_seed: int | None = None,
        texture_seed: int | None = None,
    ) -> LoadedHouse:
        """Make the bodies of a home, and what goes with them.

        Raises:
            SceneError: the bodies cannot be made.
        """
        drawn = settings.pictures != "none"
        house = build_house(place.home, robot=robot, appearance=drawn, light_seed=light_seed, texture_seed=texture_seed)
        house.model.opt.timestep = settings.timestep
        sim = Simulation(house, robot, (settings.max_hand_translation, settings.max_hand_rotation))
        pictures = Pictures(house, color, small) if drawn else None
        return LoadedHouse(house, place, sim, Hand(house, sim, settings), pictures, HouseLegend(house, place.graph))

    def obstacle_at(self, start: Viewpoint) -> str | None:
        """In words, why the robot cannot stand at a start, and where it could; None where it can.

        The simulation stays as it is.
        """
        met = self._start_contacts(start)
        if self.place.is_inside(start.x, start.y) and not met:
            return None
        touched = f"touches the {self.label_of(met[0])}" if met else "is outside all rooms"
        nearest = self.place.nearest_free(start.x, start.y)
        advice = "" if nearest is None else f", for instance at ({nearest[0]:.3f}, {nearest[1]:.3f}) m"
        where = f"({start.x:.2f}, {start.y:.2f}) m"
        return f"a robot of radius {self.place.radius} m at {where} {touched}; choose another start{advice}"

    def would_move(self, start: Viewpoint) -> bool:
        """Whether a reset to a start moves anything: the robot, what it holds, or a thing or part in the home."""
        before, held = self.sim.snapshot(), self.sim.held
        now = self.sim.data.qpos.copy()
        self.sim.reset(start.x, start.y, start.yaw, start.pitch)
        moved = held is not None or bool(np.abs(self.sim.data.qpos - now).max() > _MOVED)
        self.sim.restore(before)
        return moved

    def _start_contacts(self, start: Viewpoint) -> tuple[int, ...]:
        """Instances that the robot would enter at a start, the deepest first."""
        before = self.sim.snapshot()
        self.sim.reset(start.x, start.y, start.yaw, start.pitch)
        data, model = self.sim.data, self.sim.model
        robot = model.body_rootid[model.geom_bodyid] == model.body(f"{PREFIX}{BASE_LINK}").id
        depths: dict[int, float] = {}
        for number in range(data.ncon):
            pair, depth = data.contact.geom[number], float(data.contact.dist[number])
            own = robot[pair]
            if own[0] != own[1] and depth < -_ENTERS:
                instance = int(self.house.instance_of_geom[pair[1 if own[0] else 0]])
                depths[instance] = min(depths.get(instance, 0.0), depth)
        self.sim.restore(before)
        return tuple(sorted(depths, key=lambda instance: depths[instance]))

    def touched(self, target: ArmTarget) -> list[frozenset[str]]:
        """The names of what a command of the arm touches, as far as that is known before anything moves: what is in the
        hand, the part whose handle is in reach, and what the hand would close around where grasps are assisted."""
        found = {self.hand.inside if target.gripper_width is None else self.hand.reachable()}
        if target.handle is not None:
            part = nearest_part(self.house, self.sim)
            found.add(None if part is None else part.instance)
        things = sorted(each for each in found if each is not None)
        legend = self.legend.now(self.sim) if things else {}
        return [names_in(legend, instance) for instance in things]

    def let_go_of_unnamed(
        self, before: int | None, refusal: Callable[[Collection[str]], str | None], stopped: Stopped
    ) -> str:
        """Open the hand where it took what nothing allows it to hold.

        Args:
            before: what was in it before the command.
            refusal: why the hand may not hold a thing of such names, or None.

        Returns:
            Why it opened, in words; empty where it did not.
        """
        inside = self.hand.inside
        reason = None
        if inside is not None and inside != before:
            reason = refusal(names_in(self.legend.now(self.sim), inside))
        if reason is None:
            return ""
        self.hand.drop(stopped)
        return f"{reason}; the hand opened again, have a warrant issued that names it"

    def label_of(self, instance: int | None) -> str:
        """The word for an instance."""
        return next((obj.label for obj in self.house.home.objects if obj.instance_id == instance), "thing")

    def close(self) -> None:
        """Give the OpenGL context back, and part simulation and hand, which hold each other: then all memory goes."""
        if self.pictures is not None:
            self.pictures.close()
        self.sim.watchers.clear()
        self.sim.keepers.clear()


def place_of(home: SceneSpec, robot: RobotDescription, unbounded: MotionLimits, body_radius: float) -> HomePlace:
    """Where a robot can be in a home.

    Args:
        unbounded: the limits without those of the home.
        body_radius: of the sphere around the camera that labellers ask for, m.

    Raises:
        SceneError: there is no room for it.
    """
    low, high = np.array(home.bounds_min[:2]) + robot.radius, np.array(home.bounds_max[:2]) - robot.radius
    if (low > high).any():
        raise SceneError(
            f"home '{home.name}' between {home.bounds_min} and {home.bounds_max} m has no room for a robot of radius "
            f"{robot.radius} m; give it a larger one"
        )
    limits = replace(
        unbounded,
        bounds_min=(float(low[0]), float(low[1]), unbounded.bounds_min[2]),
        bounds_max=(float(high[0]), float(high[1]), unbounded.bounds_max[2]),
    )
    return HomePlace(home, limits, robot.radius, body_radius)
