"""A trajectory seen from above, as SVG: what the bag says of the home, the way taken, where it looked and collided."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from types import MappingProxyType

from markupsafe import Markup, escape

from vantage.spatial import Viewpoint

Box = tuple[float, float, float, float]  # x min, y min, x max, y max, m

_WIDTH = 440.0  # px
_MARGIN = 22.0  # px
_SIGHT = 0.32  # m, length of a frustum as drawn
_STRUCTURE = ("floor", "wall", "ceiling")
_OVERHEAD = 1.9  # m: what hangs above it is left out
_LABELLED = 0.18  # m^2
_LETTERS = MappingProxyType({"label": (5.0, 10.0), "room-name": (8.0, 14.0)})  # px: width and height of one
_THICKEST = 0.4  # m: what was made out of a wall in a corner, or through an opening, is no outline of it


@dataclass
class Seen:
    """The footprint of what was made out.

    Attributes:
        bottom: height of its lowest point, m.
        room: kind of room, of a floor.
    """

    label: str
    box: Box
    bottom: float = 0.0
    room: str = ""


@dataclass
class Plan:
    """What a drawing shows; positions in the world frame, m.

    Attributes:
        ways: each from the start on; another one begins there where the world was put back.
        collided: viewpoints at which a motion was refused by an obstacle, with the action.
        objects: what was made out in this episode.
        scene: id of the element that ``draw_scene`` made for the scene; empty for none.
        fov: horizontal field of view, rad.
    """

    start: Viewpoint
    ways: Sequence[Sequence[Viewpoint]] = ()
    collided: list[tuple[Viewpoint, str]] = field(default_factory=list)
    goal: Viewpoint | None = None
    objects: Sequence[Seen] = ()
    scene: str = ""
    fov: float = 1.2


def merged(box: Box | None, other: Box) -> Box:
    """The smallest box around two."""
    if box is None:
        return other
    return min(box[0], other[0]), min(box[1], other[1]), max(box[2], other[2]), max(box[3], other[3])


def room_of(objects: Iterable[Seen], points: Iterable[Viewpoint]) -> Box:
    """The room as far as it is known: what structure spans, otherwise everything seen and every point."""
    room: Box | None = None
    everything: Box | None = None
    for obj in objects:
        everything = merged(everything, obj.box)
        if obj.label in _STRUCTURE:
            room = merged(room, obj.box)
    for point in points:
        spot = (point.x - 0.5, point.y - 0.5, point.x + 0.5, point.y + 0.5)
        everything = merged(everything, spot)
        room = None if room is None else merged(room, (point.x, point.y, point.x, point.y))
    return room or everything or (-1.0, -1.0, 1.0, 1.0)


def draw_scene(name: str, objects: Sequence[Seen], room: Box) -> Markup:
    """A hidden ``svg`` element with all that was made out in a scene in any episode, for plans to refer to."""
    paper = _Paper(room)
    marks = [paper.rectangle("floor", obj.box, obj.room or "floor") for obj in objects if obj.label == "floor"]
    marks += [paper.rectangle("context", obj.box, obj.label) for obj in _drawn(objects)]
    walls = [obj.box for obj in objects if obj.label == "wall"]
    marks += [paper.rectangle("wall", box) for box in walls if min(box[2] - box[0], box[3] - box[1]) < _THICKEST]
    called = [(obj.box, obj.room, "room-name") for obj in objects if obj.label == "floor"]
    large = sorted((obj for obj in objects if _is_large(obj)), key=lambda obj: -_area(obj.box))
    called += [(obj.box, obj.label, "label") for obj in large]
    names = paper.labels(called)
    return Markup(
        f'<svg class="store" aria-hidden="true"><defs><g id="{escape(name)}">{"".join(marks)}</g>'
        f'<g id="{escape(name)}-names">{"".join(names)}</g></defs></svg>'
    )


def draw(plan: Plan, room: Box, title: str) -> Markup:
    """An ``svg`` element; all texts are escaped."""
    paper = _Paper(room)
    marks = [paper.rectangle("room", room)]
    if plan.scene:
        marks.append(f'<use href="#{escape(plan.scene)}"/>')
    marks += [paper.rectangle("thing", obj.box, obj.label) for obj in _drawn(plan.objects)]
    ways = plan.ways or [[plan.start]]
    marks += [paper.frustum(viewpoint, plan.fov) for way in ways for viewpoint in way]
    for number, way in enumerate(ways):
        line = " ".join(f"{x:.0f},{y:.0f}" for x, y in (paper.at(spot.x, spot.y) for spot in way))
        marks.append(f'<polyline class="way{" again" if number else ""}" points="{line}"/>')
    marks += [paper.cross(viewpoint, action) for viewpoint, action in plan.collided]
    if plan.goal is not None:
        marks.append(paper.diamond(plan.goal))
    if plan.scene:
        marks.append(f'<use href="#{escape(plan.scene)}-names"/>')
    marks += [paper.dot("start", plan.start, 6.0, "start"), paper.square(ways[-1][-1])]
    return Markup(
        f'<svg class="plan" viewBox="0 0 {_WIDTH:.0f} {paper.height:.0f}" role="img" aria-label="{escape(title)}">'
        f"<title>{escape(title)}</title>{''.join(marks)}{paper.scale()}</svg>"
    )


def _drawn(objects: Sequence[Seen]) -> list[Seen]:
    """What is no structure and does not hang overhead, large objects first."""
    shown = [obj for obj in objects if obj.label not in _STRUCTURE and obj.bottom < _OVERHEAD]
    return sorted(shown, key=lambda item: -_area(item.box))


def described(plan: Plan) -> str:
    """What a drawing shows, in words."""
    length = sum(a.distance(b) for way in plan.ways for a, b in pairwise(way))
    motions = sum(len(way) - 1 for way in plan.ways)
    again = f", {len(plan.ways) - 1} times again from there" if len(plan.ways) > 2 else ", once again from there"
    return (
        f"Top view: {motions} motions over {length:.2f} m from ({plan.start.x:.2f}, {plan.start.y:.2f}) m"
        f"{again if len(plan.ways) > 1 else ''}, {len(plan.collided)} collisions"
    )


def _area(box: Box) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])


def _is_large(obj: Seen) -> bool:
    return obj.label not in _STRUCTURE and obj.bottom < _OVERHEAD and _area(obj.box) >= _LABELLED


class _Paper:
    """From metres, x right and y up, to pixels, y down."""

    def __init__(self, room: Box) -> None:
        self._left, self._bottom, right, self._top = room
        self._scale = (_WIDTH - 2 * _MARGIN) / max(right - self._left, 0.5)
        self.height = (self._top - self._bottom) * self._scale + 2 * _MARGIN + 14.0

    def at(self, x: float, y: float) -> tuple[float, float]:
        return _MARGIN + (x - self._left) * self._scale, _MARGIN + (self._top - y) * self._scale

    def rectangle(self, style: str, box: Box, title: str = "") -> str:
        x, y = self.at(box[0], box[3])
        width, height = (box[2] - box[0]) * self._scale, (box[3] - box[1]) * self._scale
        inner = f"<title>{escape(title)}</title>" if title else ""
        return f'<rect class="{style}" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}">{inner}</rect>'

    def label(self, box: Box, words: str, style: str) -> str:
        x, y = self.at(0.5 * (box[0] + box[2]), 0.5 * (box[1] + box[3]))
        return f'<text class="{style}" x="{x:.1f}" y="{y + 3:.1f}" text-anchor="middle">{escape(words)}</text>'

    def labels(self, called: Iterable[tuple[Box, str, str]]) -> list[str]:
        """Those of boxes with words in a style that keep clear of the ones before them."""
        taken: list[Box] = []
        found = []
        for box, words, style in called:
            x, y = self.at(0.5 * (box[0] + box[2]), 0.5 * (box[1] + box[3]))
            wide, high = _LETTERS[style]
            spot = (x - 0.5 * wide * len(words), y - 0.5 * high, x + 0.5 * wide * len(words), y + 0.5 * high)
            if words and all(spot[2] <= a or spot[0] >= c or spot[3] <= b or spot[1] >= d for a, b, c, d in taken):
                taken.append(spot)
                found.append(self.label(box, words, style))
        return found

    def frustum(self, viewpoint: Viewpoint, fov: float) -> str:
        """A triangle over the field of view, shorter the more the camera looks up or down."""
        reach = _SIGHT * max(0.35, math.cos(viewpoint.pitch))
        x, y = self.at(viewpoint.x, viewpoint.y)
        corners = []
        for side in (-0.5, 0.5):
            angle = viewpoint.yaw + side * fov
            tip_x, tip_y = self.at(viewpoint.x + reach * math.cos(angle), viewpoint.y + reach * math.sin(angle))
            corners.append(f"L{tip_x:.0f} {tip_y:.0f}")
        return f'<path class="look" d="M{x:.0f} {y:.0f}{"".join(corners)}z"/>'

    def dot(self, style: str, viewpoint: Viewpoint, radius: float, title: str = "") -> str:
        x, y = self.at(viewpoint.x, viewpoint.y)
        inner = f"<title>{escape(title)}</title>" if title else ""
        return f'<circle class="{style}" cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}">{inner}</circle>'

    def square(self, viewpoint: Viewpoint) -> str:
        x, y = self.at(viewpoint.x, viewpoint.y)
        return f'<rect class="end" x="{x - 3.5:.1f}" y="{y - 3.5:.1f}" width="7" height="7"><title>end</title></rect>'

    def diamond(self, goal: Viewpoint) -> str:
        x, y = self.at(goal.x, goal.y)
        reach = 2.0 * _SIGHT
        tip_x, tip_y = self.at(goal.x + reach * math.cos(goal.yaw), goal.y + reach * math.sin(goal.yaw))
        corners = f"{x:.1f},{y - 9:.1f} {x + 9:.1f},{y:.1f} {x:.1f},{y + 9:.1f} {x - 9:.1f},{y:.1f}"
        return (
            f'<line class="goal" x1="{x:.1f}" y1="{y:.1f}" x2="{tip_x:.1f}" y2="{tip_y:.1f}"/>'
            f'<polygon class="goal" points="{corners}"><title>labelled goal</title></polygon>'
        )

    def cross(self, viewpoint: Viewpoint, action: str) -> str:
        """A cross where the body would have gone."""
        step = {"x": (0.12, 0.0), "y": (0.0, 0.12)}.get(action[:1], (0.0, 0.0)) if len(action) == 2 else (0.0, 0.0)
        sign = -1.0 if action.endswith("-") else 1.0
        x, y = self.at(viewpoint.x + sign * step[0], viewpoint.y + sign * step[1])
        return (
            f'<path class="hit" d="M{x - 5:.1f} {y - 5:.1f}l10 10m-10 0l10 -10"><title>collision ({escape(action)})'
            "</title></path>"
        )

    def scale(self) -> str:
        """A bar of one metre."""
        x, y = _MARGIN, self.height - 9.0
        return (
            f'<path class="axis" d="M{x:.1f} {y - 3:.1f}v6m0 -3h{self._scale:.1f}m0 -3v6"/>'
            f'<text x="{x + self._scale + 6:.1f}" y="{y + 4:.1f}">1 m</text>'
        )
