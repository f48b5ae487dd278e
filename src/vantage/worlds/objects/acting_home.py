"""A home of Gaussians in which things are opened, taken, put and switched: its rules, state, picture and free space."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from vantage.scenes.geometry import Solid
from vantage.scenes.spec import SceneSpec, load_spec, points_inside
from vantage.splats import SPEC_FILE, SplatScene
from vantage.splats.space import FreeSpace, OccupancyGrid, filled_anew
from vantage.types import CLOSE, OPEN, PUTS, SWITCH_ON, TAKE, InstanceLabel, ObjectAction
from vantage.worlds.objects.home_picture import HomePicture
from vantage.worlds.objects.home_state import HomeState
from vantage.worlds.objects.rules import Deed, Fault, HandRules, judged


def home_of(scene: SplatScene) -> SceneSpec | None:
    """The specification of a scene whose cloud and graph have its ids and no others; None of other scenes.

    Raises:
        FormatError, SceneError: there is one, and it is wrong.
    """
    folder = scene.source if scene.source.is_dir() else scene.source.parent
    if scene.source == Path() or scene.graph is None or not (folder / SPEC_FILE).is_file():
        return None
    spec = load_spec(folder / SPEC_FILE)
    known = {obj.instance_id for obj in spec.objects}
    own = {node.instance_id for node in scene.graph.nodes} == known and set(np.unique(scene.cloud.instances)) - {
        0
    } <= known
    return spec if own and scene.cloud.instances.any() else None


class ActingHome:
    """What a home is like while things in it are changed; everything that is not changed stays the same object.

    Args:
        spec: of the scene; see ``home_of``.
        space: of the scene.
        legend: of the scene.
    """

    def __init__(
        self, scene: SplatScene, spec: SceneSpec, space: FreeSpace, legend: Mapping[int, InstanceLabel]
    ) -> None:
        self._start_scene, self._space, self._start_legend = scene, space, legend
        self.state = HomeState(spec)
        self._picture = HomePicture(self.state, scene.cloud)
        self._shut: NDArray[np.bool_] | None = None
        self.reset()

    def reset(self) -> None:
        """All is as at the start."""
        self.state.reset()
        self._picture.reset()
        self.scene = self._start_scene
        self.legend = self._start_legend
        self._occupancy: OccupancyGrid | None = None

    @property
    def changed(self) -> bool:
        """Whether anything is not as at the start."""
        return self.state.changed

    @property
    def occupancy(self) -> OccupancyGrid:
        """What the body must not meet now."""
        return self._space.grid if self._occupancy is None else self._occupancy

    def do(self, action: ObjectAction, eye: NDArray[np.float64], hand: HandRules) -> Fault | str:
        """Do something to a thing, or say why it is not done; nothing changes then.

        Args:
            eye: where the camera is (3,), m.

        Returns:
            Why not, or in words what was so already; empty where something changed.
        """
        deed = judged(self.state, action, eye, hand)
        if isinstance(deed, Fault) or deed.idle:
            return deed if isinstance(deed, Fault) else deed.idle
        before, away = dict(self.state.objects), self.state.away
        self._change(deed)
        now = self.state.objects
        moved = {key for key, obj in now.items() if obj is not before[key]} | (away ^ self.state.away)
        self._relabel(action.thing)
        if action.verb in (OPEN, CLOSE, TAKE, *PUTS):
            touched = {action.thing} | {spec[action.thing].parent for spec in (before, now)} - {0}
            touched |= self.state.carried(action.thing)
            touched |= {floor for spec in (before, now) for floor in self._picture.floors_under(spec[action.thing])}
            self.scene = replace(self._start_scene, cloud=self._picture.after(self.state, touched))
            boxes = [Solid.of(each[key]).bounds for each in (before, now) for key in sorted(moved)]
            self._fill_anew(boxes)
        return ""

    def _change(self, deed: Deed) -> None:
        verb, thing = deed.action.verb, deed.action.thing
        if verb in (OPEN, CLOSE):
            self.state.move_joints(thing, verb == OPEN)
        elif verb == TAKE:
            self.state.take(thing)
        elif deed.seat is not None:
            self.state.put(deed.seat, deed.relation, deed.parent, deed.room)
        else:
            self.state.switch(thing, verb == SWITCH_ON)

    def _relabel(self, instance: int) -> None:
        """Tell the states of a thing, where they changed."""
        label, states = self.legend[instance], self.state.objects[instance].states
        if states != label.states:
            self.legend = MappingProxyType({**self.legend, instance: replace(label, states=states)})

    def _fill_anew(self, boxes: list[NDArray[np.float64]]) -> None:
        """Find what is solid where something was or is.

        All inside of rooms is open to the camera then: it gets nowhere but on free ways.
        """
        grid = self._occupancy
        if grid is None:
            solid = self._space.solid
            grid = replace(solid, occupied=solid.occupied | (self._space.grid.occupied & ~self._in_rooms(solid)))
        for low, high in boxes:
            grid = filled_anew(grid, self.scene.cloud, low, high)
        self._occupancy = grid

    def _in_rooms(self, grid: OccupancyGrid) -> NDArray[np.bool_]:
        """Voxels (X, Y, Z) whose middles lie in a room or in an opening that one gets through."""
        if self._shut is None:
            axes = [grid.bounds_min[k] + (np.arange(grid.occupied.shape[k]) + 0.5) * grid.voxel for k in range(3)]
            x, y, z = (np.asarray(axis, np.float64) for axis in np.ix_(*axes))
            inside = np.zeros(grid.occupied.shape, np.bool_)
            spec = self.state.start
            for room in spec.rooms:
                inside |= points_inside(room.outline, x, y) & (z < room.height)
            for each in spec.openings:
                if each.kind != "window" and 0 not in each.rooms:
                    (x0, y0, z0), (x1, y1, z1) = each.low, each.high
                    inside |= (x > x0) & (x < x1) & (y > y0) & (y < y1) & (z > z0) & (z < z1)
            self._shut = inside if spec.rooms else np.ones_like(inside)
        return self._shut
