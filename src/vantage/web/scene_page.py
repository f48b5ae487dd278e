"""The page of a scene: around it, through it, from above; what is under the mouse; depth, ids and free space."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any
from urllib.parse import quote

import numpy as np
from numpy.typing import NDArray

from vantage.errors import VantageError
from vantage.spatial import Intrinsics, Viewpoint
from vantage.splats.rendering import RenderedView
from vantage.types import InstanceLabel
from vantage.web.cameras import FLY, MODES, ORBIT, TOP, Orbit, address_of, fly_dragged, fly_pressed, viewpoint_in
from vantage.web.opened import Opened
from vantage.web.page import framed
from vantage.web.pictures import Canvas, Pictures
from vantage.web.places import Place
from vantage.web.scenes import Scenes, Shown, depth_picture, free_picture, ids_picture

COLORS, DEPTH, IDS, FREE = "colours", "depth", "ids", "free space"
_LAYERS = (COLORS, DEPTH, IDS, FREE)
_CAMERA = Intrinsics.from_fov(640, 480, 1.2)
_KEYS = (
    "Drag to turn, wheel or + and - to go nearer, w a s d q e and arrows to move; a click names the thing. "
    "While the camera moves, a large cloud is drawn with fewer Gaussians, and exactly once it rests."
)
_CLICK = 4.0  # pixels that the mouse may go between press and release of a click


class ScenePages:
    """Builds pages of the scenes that were opened."""

    def __init__(self, opened: Opened[Place], scenes: Scenes, pictures: Pictures, world: str = "") -> None:
        """
        Args:
            world: in which scenes are shown at first; where it is empty, each in its usual one.
        """
        self._opened, self._scenes, self._pictures, self._world = opened, scenes, pictures, world

    async def page(self, scene_id: str, mode: str = ORBIT, show: str = COLORS, at: str = "", world: str = "") -> Any:
        """``/scene/{scene_id}``; the query says how it is looked at, so that every view has an address."""
        from fastapi import Response

        place = self._opened.get(scene_id)
        if place is None:
            return Response("There is no such scene.", 404, media_type="text/plain")
        worlds = place.worlds
        begin = place.world(world if world in worlds else self._world)
        view = _SceneView(lambda world: self._scenes.get(place, world), worlds, begin, self._pictures, scene_id)
        await view.build(place.name, mode if mode in MODES else ORBIT, show if show in _LAYERS else COLORS, at)
        return None


class _SceneView:
    """One page: where its camera is, what it shows. Its methods run on the event loop, ``_draw`` on the painter's."""

    def __init__(
        self, scene: Callable[[str], Shown], worlds: Sequence[str], world: str, pictures: Pictures, scene_id: str
    ) -> None:
        self._scene, self._worlds, self._world = scene, worlds, world
        self._pictures, self._address = pictures, f"/scene/{scene_id}"
        self._mode, self._layer = ORBIT, COLORS
        self._orbit: Orbit | None = None
        self._fly: Viewpoint | None = None
        self._drawn: tuple[RenderedView, Mapping[int, InstanceLabel]] | None = None
        self._drag: tuple[float, float] | None = None
        self._moved = 0.0

    async def build(self, name: str, mode: str, layer: str, at: str) -> None:
        from nicegui import ui

        self._mode, self._layer, self._fly = mode, layer, viewpoint_in(at)
        if self._fly is not None:
            self._mode = FLY
        with framed(f"Scene {name}", _KEYS) as self._state:
            with ui.element("div").classes("bar"):
                self._modes = ui.toggle(list(MODES), value=self._mode, on_change=self._set_mode)
                self._modes.props('aria-label="How the camera moves"')
                layers = ui.toggle(list(_LAYERS), value=layer, on_change=self._set_layer)
                layers.props('aria-label="What the picture shows"')
                if len(self._worlds) > 1:
                    worlds = ui.toggle(list(self._worlds), value=self._world, on_change=self._set_world)
                    worlds.props('aria-label="In which world"')
            self._canvas = Canvas(
                self._pictures, f"Scene {name}", on_mouse=self._mouse, width=_CAMERA.width, height=_CAMERA.height
            )
            self._canvas.element.style("max-width: min(960px, 100vh)")
            self._canvas.element.on("wheel.prevent", self._wheel, args=["deltaY"], throttle=0.03)
            ui.keyboard(on_key=self._key)
            await self._show()

    async def _show(self, moving: bool = False) -> None:
        try:
            shown = await self._canvas.show(self._draw, moving, quickly=partial(self._draw, coarse=True))
        except VantageError as error:
            self._state.set_text(str(error))
            return
        if shown and not moving:
            self._tell()

    def _draw(self, coarse: bool = False) -> NDArray[np.uint8]:
        shown, mode, layer = self._scene(self._world), self._mode, self._layer
        if self._orbit is None:
            self._orbit = Orbit.around(*shown.bounds)
        if mode == TOP:
            view, viewpoint, camera = shown.from_above(_CAMERA)
        else:
            self._fly = self._fly or shown.start()
            viewpoint, camera = (self._orbit.viewpoint if mode == ORBIT else self._fly), _CAMERA
            outside = mode == ORBIT  # who flies through it begins where the robot would stand
            posture = shown.robot if outside else None
            view = shown.seen(viewpoint, camera, outside=outside, coarse=coarse, posture=posture)
        self._drawn = view, shown.legend
        if layer == DEPTH:
            return depth_picture(view)
        if layer == IDS:
            return ids_picture(view)
        return free_picture(shown, view, viewpoint, camera) if layer == FREE else view.rgb

    def _tell(self) -> None:
        """Put the address of what is seen into the browser's line; where there is none yet, nothing."""
        from nicegui import ui

        at = f"&at={address_of(self._fly)}" if self._mode == FLY and self._fly is not None else ""
        world = f"&world={self._world}" if len(self._worlds) > 1 else ""
        ui.navigate.history.replace(f"{self._address}?mode={self._mode}&show={quote(self._layer)}{at}{world}")

    async def _set_mode(self, event: Any) -> None:
        self._mode = event.value if event.value in MODES else ORBIT
        await self._show()

    async def _set_world(self, event: Any) -> None:
        self._world = event.value if event.value in self._worlds else self._worlds[0]
        await self._show()

    async def _set_layer(self, event: Any) -> None:
        self._layer = event.value if event.value in _LAYERS else COLORS
        await self._show()

    async def _mouse(self, event: Any) -> None:
        here = float(event.image_x), float(event.image_y)
        if event.type == "mousedown":
            self._drag, self._moved = here, 0.0
        elif event.type == "mouseup" and self._drag is not None:
            self._drag = None
            if self._moved <= _CLICK:
                self._name(*here)
            else:
                self._tell()
        elif event.type == "mousemove" and self._drag is not None and event.buttons:
            dx, dy = here[0] - self._drag[0], here[1] - self._drag[1]
            self._drag = here
            self._moved += abs(dx) + abs(dy)
            if self._mode == ORBIT and self._orbit is not None:
                self._orbit = self._orbit.dragged(dx, dy)
            elif self._mode == FLY and self._fly is not None:
                self._fly = fly_dragged(self._fly, dx, dy)
            await self._show(moving=True)

    async def _wheel(self, event: Any) -> None:
        delta = event.args.get("deltaY", 0) if isinstance(event.args, dict) else 0
        await self._press("+" if isinstance(delta, int | float) and delta < 0 else "-")

    async def _key(self, event: Any) -> None:
        if event.action.keydown and not event.modifiers.ctrl and not event.modifiers.alt:
            await self._press(str(event.key).lower())

    async def _press(self, key: str) -> None:
        before = self._orbit, self._fly
        if self._mode == ORBIT and self._orbit is not None:
            self._orbit = self._orbit.pressed(key)
        elif self._mode == FLY and self._fly is not None:
            self._fly = fly_pressed(self._fly, key)
        if (self._orbit, self._fly) != before:
            await self._show(moving=True)

    def _name(self, x: float, y: float) -> None:
        """Say what is seen at a pixel."""
        if self._drawn is None:
            return
        view, legend = self._drawn
        height, width = view.instances.shape
        if not (0 <= x < width and 0 <= y < height):
            return
        row, column = int(y), int(x)
        label = legend.get(int(view.instances[row, column]))
        depth = float(view.depth[row, column])
        what = "nothing that has a name" if label is None else _described(label)
        self._state.set_text(f"{what}, {depth:.2f} m away" if np.isfinite(depth) else what)


def _described(label: InstanceLabel) -> str:
    words = " ".join(filter(None, (label.color, label.material, label.shape, label.label)))
    states = f" ({', '.join(label.states)})" if label.states else ""
    return f"{words}{states}, id {label.instance_id}"
