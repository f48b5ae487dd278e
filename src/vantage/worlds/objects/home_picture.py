"""The Gaussians of a home while its things move: rigidly by objects and parts, and with what was hidden before."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np

from vantage.scenes.geometry import Solid
from vantage.scenes.spec import Joint, ObjectSpec
from vantage.spatial import Matrix, invert, rigid, rotation_matrix
from vantage.splats import GaussianCloud, Move, MovingCloud, Region, Rows, moved_parts, what_is_missing
from vantage.splats.synthesis import cloud_of_objects, coarseness
from vantage.worlds.objects.home_state import HomeState, pose_of

_AROUND = 0.05  # m around what stood on a face, where the face may have been left out


@dataclass(frozen=True)
class _Layer:
    """Gaussians that were added to an object, those of the start that they replace, and how the object was then."""

    cloud: GaussianCloud
    cut: Rows
    obj: ObjectSpec


class HomePicture:
    """What a home looks like, whatever was done in it.

    Scenes lack what nobody sees: the insides of what is closed, and faces under what stands on them. When these come
    into sight they are painted as the whole home was (``splats.synthesis``), in the light that is there then.

    Args:
        state: of the home of which the cloud is, at its start.
        cloud: with exact ids.
    """

    def __init__(self, state: HomeState, cloud: GaussianCloud) -> None:
        self._moving = MovingCloud(cloud)
        self._start = dict(state.objects)
        self._hidden = {instance for instance in self._start if state.closed_around(instance) is not None}
        self._scale = coarseness(state.start)
        self._layers: dict[int, _Layer] = {}

    def reset(self) -> None:
        """All is as at the start."""
        self._layers.clear()

    def after(self, state: HomeState, touched: Collection[int]) -> GaussianCloud:
        """The cloud as a home is now.

        Args:
            touched: ids of what was opened, closed, taken or put since the last call, of what that was or is on or in,
                and of what is in it.
        """
        moves = self._moves(state)
        regions = {instance: self._regions(state, instance) for instance in sorted(touched)}
        for instance in regions:
            self._layers.pop(instance, None)
        wanted = [
            instance
            for instance, boxes in regions.items()
            if instance not in state.away and (boxes or self._is_uncovered(state, instance))
        ]
        if wanted:
            points = self._changed(state, moves).means.astype(np.float64)
            painted = MovingCloud(cloud_of_objects(state.home, wanted, points, self._scale))
            for instance in wanted:
                move, boxes = moves.get(instance, {}), regions[instance]
                cut = self._moving.rows_in(instance, move, boxes)
                known = moved_parts(self._moving.of(instance, cut), move)
                within = None if self._is_uncovered(state, instance) else boxes
                found = what_is_missing(painted.of(instance), known, within)
                self._layers[instance] = _Layer(found, cut, state.objects[instance])
        return self._changed(state, moves)

    def _changed(self, state: HomeState, moves: Mapping[int, Move]) -> GaussianCloud:
        layers = [(key, layer) for key, layer in sorted(self._layers.items()) if key not in state.away]
        added = [moved_parts(layer.cloud, _move(layer.obj, state.objects[key])) for key, layer in layers]
        return self._moving.changed(moves, state.away, added, [layer.cut for _, layer in layers])

    def _is_uncovered(self, state: HomeState, instance: int) -> bool:
        """Whether more of a thing can be seen than at the start, wherever on it."""
        opened = _opened(self._start[instance], state.objects[instance])
        return opened or (instance in self._hidden and state.closed_around(instance) is None)

    def _moves(self, state: HomeState) -> dict[int, Move]:
        changed = ((instance, now) for instance, now in state.objects.items() if now is not self._start[instance])
        moves = {instance: _move(self._start[instance], now) for instance, now in changed}
        return {instance: move for instance, move in moves.items() if move}

    def _regions(self, state: HomeState, instance: int) -> list[Region]:
        """Where things stood on an object, or on a floor, at the start and do not now, or the other way round: faces
        are left out under what stands on them."""
        regions = []
        for key, start in self._start.items():
            now = state.objects[key]
            if key not in state.away and (now.position, now.yaw) == (start.position, start.yaw):
                continue
            bearing = [start] if key in state.away else [start, now]
            for obj in bearing:
                if obj.parent == instance or instance in self.floors_under(obj):
                    low, high = Solid.of(obj).bounds
                    regions.append(Region(low - _AROUND, high + _AROUND))
        return regions

    def floors_under(self, obj: ObjectSpec) -> tuple[int, ...]:
        """Ids of the floors that a thing rests on."""
        if obj.parent or obj.is_structure:
            return ()
        x, y = Solid.of(obj).bounds.mean(axis=0)[:2].tolist()
        return tuple(
            each.instance_id
            for each in self._start.values()
            if each.label == "floor" and _covers(Solid.of(each).bounds, x, y)
        )


def _covers(bounds: Matrix, x: float, y: float) -> bool:
    return bool((bounds[0, :2] <= (x, y)).all() and (bounds[1, :2] >= (x, y)).all())


def _opened(before: ObjectSpec, now: ObjectSpec) -> bool:
    """Whether a joint stands wider open than at the start."""
    return any(new.position > old.position for old, new in zip(before.joints, now.joints, strict=True))


def _move(before: ObjectSpec, now: ObjectSpec) -> dict[int, Matrix]:
    """How an object and its parts went from one place to another; empty where they did not."""
    T_before, T_now = pose_of(before), pose_of(now)
    move = {} if np.array_equal(T_before, T_now) else {0: T_now @ invert(T_before)}
    numbers = {name: number for number, name in enumerate(now.part_names, start=1)}
    for old, new in zip(before.joints, now.joints, strict=True):
        if new.position != old.position:
            move[numbers[new.part]] = T_now @ _travel(old, new.position - old.position) @ invert(T_before)
    return move


def _travel(joint: Joint, travel: float) -> Matrix:
    """What a joint does to its part (4, 4) in the object frame."""
    axis, origin = np.asarray(joint.axis), np.asarray(joint.origin)
    if joint.kind == "slide":
        return rigid(np.eye(3), travel * axis)
    x, y, z = (travel * axis).tolist()
    turn = rotation_matrix((x, y, z))
    return rigid(turn, origin - turn @ origin)
