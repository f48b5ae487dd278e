"""The page of a bag: its way over a render of the scene, and step by step what was seen, meant, done and answered."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vantage.benchmarks.statistics import EpisodeScore
from vantage.errors import VantageError
from vantage.spatial import Intrinsics
from vantage.web.bag_story import Step, Story, read_story
from vantage.web.bag_words import facts, legend, of_house, told
from vantage.web.cameras import Orbit
from vantage.web.opened import Opened
from vantage.web.overlay import BUMPED, EVIDENCE, GOAL, NOW, PATH, Overlay, boxes_svg
from vantage.web.page import framed
from vantage.web.pictures import Canvas, Pictures
from vantage.web.places import HOUSE, Place, places_at
from vantage.web.scenes import Scenes

_CAMERA = Intrinsics.from_fov(640, 480, 1.2)
_KEPT_STORIES = 4
_EARLIER = 0.12  # m, of frustums of earlier looks
_LOOKS = 12  # of which there are so many
_PLAYED = 0.5  # s for each step
_MOST_PHASES = 20  # with a mark and a button
_MARK = 0.04  # share of the timeline that a mark takes
_KEYS = "Left and right arrow step, Home and End jump, space plays; drag the overview to turn it, wheel to go nearer."


@dataclass(frozen=True)
class BagSource:
    """Where a bag page takes things from.

    Attributes:
        scenes: folder of scenes to render in; None where there is none.
        score: of a bag, by its path; None where truth is not shown.
        world: in which all are rendered; where it is empty, each in that in which it was recorded.
    """

    scenes: Path | None
    score: Callable[[Path], EpisodeScore] | None
    world: str = ""


class BagPages:
    """Builds pages of the bags that were opened."""

    def __init__(self, opened: Opened[Path], scenes: Scenes, pictures: Pictures, source: BagSource) -> None:
        self._opened, self._scenes, self._pictures, self._source = opened, scenes, pictures, source
        self._stories: dict[Path, Story] = {}
        self._places: dict[str, Place] = {}

    async def page(self, bag_id: str, step: int = 0) -> Any:
        """``/bag/{bag_id}?step=3``."""
        from fastapi import Response
        from nicegui import ui

        path = self._opened.get(bag_id)
        if path is None:
            return Response("There is no such bag.", 404, media_type="text/plain")
        loop = asyncio.get_running_loop()
        story = await loop.run_in_executor(None, self.story, path)
        judged = await loop.run_in_executor(None, self.judged, path)
        with framed(f"Bag {path.name}", _KEYS) as state:
            view = self.view(story, f"/bag/{bag_id}", state)
            if story.problem:
                ui.label(story.problem).classes("wrong text")
            await view.build(step)
            facts(story, judged)
        return None

    def view(self, story: Story, address: str, state: Any) -> BagView:
        """What shows a story in a page; without an address the browser's line stays as it is."""
        return BagView(story, self._scene_of(story), self._scenes, self._pictures, address, state, self._source.world)

    def judged(self, path: Path) -> EpisodeScore | None:
        """The score of a bag; None where truth is not shown."""
        return None if self._source.score is None else self._source.score(path)

    def story(self, path: Path) -> Story:
        """What a bag tells, kept for the next page; from any thread."""
        story = self._stories.pop(path, None)
        if story is None or story.problem:  # a partial bag may have grown
            story = read_story(path, with_truth=self._source.score is not None)
        self._stories[path] = story
        while len(self._stories) > _KEPT_STORIES:
            self._stories.pop(next(iter(self._stories)), None)
        return story

    def _scene_of(self, story: Story) -> Place | None:
        if self._source.scenes is None or story.episode is None:
            return None
        try:
            if story.episode.scene not in self._places:
                self._places = places_at(self._source.scenes)
            return self._places.get(story.episode.scene)
        except VantageError:
            return None


class BagView:
    """Overview, recorded picture, render of the same pose, and the timeline; on the event loop."""

    def __init__(
        self,
        story: Story,
        scene: Place | None,
        scenes: Scenes,
        pictures: Pictures,
        address: str,
        state: Any,
        world: str = "",
    ) -> None:
        self._story, self._scene, self._scenes, self._pictures = story, scene, scenes, pictures
        self._world = "" if scene is None else scene.world(world or story.world)
        self._address, self._state = address, state
        self._step = 0
        self._orbit: Orbit | None = None
        self._drag: tuple[float, float] | None = None
        self._svg = ""

    async def build(self, step: int) -> None:
        """The whole of it, with a timeline of its own."""
        self.lay_out(step, with_timeline=True)
        await self.show()

    def lay_out(self, step: int, with_timeline: bool = False) -> None:
        """Make all parts in the page, without pictures so far."""
        from nicegui import ui

        steps = self._story.steps
        if not steps:
            ui.label("This bag holds no pictures.").classes("note")
            return
        self._step = min(max(0, step), len(steps) - 1)
        with ui.element("div").classes("split"):
            self._recorded = self._figure("Recorded, with what was made out")
            if self._scene is not None:
                self._rendered = self._figure("Rendered from the same pose")
                self._overview = self._figure("Overview", self._mouse)
                self._overview.element.on("wheel.prevent", self._wheel, args=["deltaY"], throttle=0.03)
        if self._scene is not None:
            legend(self._story)
        if self._scene is None:
            ui.label("The scene is not rendered: give its folder with --scenes DIR.").classes("note")
        elif self._world == HOUSE:
            ui.label(of_house(self._story)).classes("note")
        self._slider: Any = None
        if with_timeline:
            self._lay_out_timeline(len(steps))
        self._said = ui.label().classes("text")
        if any(step.known is not None for step in steps):
            ui.label("Share of the space that has been seen").classes("note")
        self._coverage = ui.linear_progress(value=0.0, show_value=False, size="10px")
        self._coverage.set_visibility(any(step.known is not None for step in steps))
        self._coverage.props('aria-label="Share of the space seen"')

    def _lay_out_timeline(self, count: int) -> None:
        from nicegui import ui

        with ui.element("div").classes("bar").style("flex-wrap: nowrap"):
            self._play = ui.button(icon="play_arrow", on_click=self._toggle).props('aria-label="Play or pause"')
            self._slider = ui.slider(min=0, max=max(1, count - 1), value=self._step, on_change=self._slid)
            self._slider.props('aria-label="Step" label')
        phases = self._story.phases[:_MOST_PHASES]
        if phases:
            self._slider.style("margin: 0 1rem")
            marks: dict[int, list[str]] = {}
            for number, phase in enumerate(phases, 1):  # numbers that would lie over one another are one mark
                near = next((step for step in marks if phase.step - step <= count * _MARK), phase.step)
                marks.setdefault(near, []).append(str(number))
            labels = [{"value": step, "label": ",".join(numbers)} for step, numbers in marks.items()]
            self._slider.props["marker-labels"] = labels
            with ui.element("div").classes("bar").props('role=group aria-label="Phases"'):
                for number, phase in enumerate(phases, 1):
                    button = ui.button(f"{number} {phase.name[:40]}", on_click=partial(self._to, phase.step))
                    button.props("flat dense no-caps")
        self._timer = ui.timer(_PLAYED, self._next, active=False)
        ui.keyboard(on_key=self._key)

    def _to(self, number: int) -> None:
        self._slider.set_value(number)

    def _figure(self, title: str, on_mouse: Any = None) -> Canvas:
        from nicegui import ui

        with ui.element("figure").style("margin: 0"):
            canvas = Canvas(self._pictures, title, on_mouse=on_mouse, width=_CAMERA.width, height=_CAMERA.height)
            ui.html(title, sanitize=True, tag="figcaption").classes("note")
        return canvas

    async def go(self, number: int) -> None:
        """Show a step, the nearest one where there is none of that number."""
        if not self._story.steps:  # of a partial bag, beside another one
            return
        number = min(max(0, number), len(self._story.steps) - 1)
        if number != self._step:
            self._step = number
            if self._slider is not None:
                self._slider.value = number
            await self.show()

    async def show(self) -> None:
        """Show the step where it is."""
        from nicegui import ui

        if not self._story.steps:
            return
        number = self._step
        step = self._story.steps[number]
        self._said.set_text(told(self._story, number))
        self._coverage.set_value(step.known or 0.0)
        if self._address:
            ui.navigate.history.replace(f"{self._address}?step={number}")
        boxes = [(box.label, box.x, box.y, box.width, box.height) for box in step.boxes]
        wanted = [self._draw_recorded(step, boxes)]
        if self._scene is not None:
            wanted += [self._draw_rendered(number), self._draw_overview()]
        await asyncio.gather(*wanted)

    async def _draw_recorded(self, step: Step, boxes: Sequence[tuple[str, int, int, int, int]]) -> None:
        await self._shown(self._recorded, step.picture, over=lambda: boxes_svg(boxes))

    async def _draw_rendered(self, number: int) -> None:
        step = self._story.steps[number]
        scene, pose, camera = self._scene, step.viewpoint, self._story.camera or _CAMERA
        if scene is None or pose is None:
            return
        svg = ""

        def draw(coarse: bool = False) -> NDArray[np.uint8]:
            nonlocal svg
            shown = self._scenes.get(scene, self._world)
            view = shown.seen(pose, camera, moved=step.moved, coarse=coarse, posture=step.posture)
            over = Overlay(view, pose, camera)
            self._mark(over, number, with_now=False)
            svg = over.svg
            return view.rgb

        await self._shown(self._rendered, draw, lambda: svg, partial(draw, coarse=True))

    async def _draw_overview(self) -> None:
        number = self._step
        draw = partial(self._draw_path, number)
        await self._shown(self._overview, draw, lambda: self._svg, partial(draw, coarse=True))

    async def _shown(
        self,
        canvas: Canvas,
        draw: Callable[[], NDArray[np.uint8]],
        over: Callable[[], str] = str,
        quickly: Callable[[], NDArray[np.uint8]] | None = None,
    ) -> None:
        """Quickly at first, and exact once nothing moves."""
        try:
            await canvas.show(draw, moving=True, over=over, quickly=quickly)
        except VantageError as error:
            self._state.set_text(str(error))

    def _draw_path(self, number: int, coarse: bool = False) -> NDArray[np.uint8]:
        """On the painter's thread: the scene from outside, and over it what has happened so far."""
        assert self._scene is not None
        shown = self._scenes.get(self._scene, self._world)
        if self._orbit is None:
            self._orbit = Orbit.around(*shown.bounds)
        viewpoint = self._orbit.viewpoint
        step = self._story.steps[number]
        view = shown.seen(viewpoint, _CAMERA, outside=True, moved=step.moved, coarse=coarse, posture=step.posture)
        over = Overlay(view, viewpoint, _CAMERA)
        self._mark(over, number)
        self._svg = over.svg
        return view.rgb

    def _mark(self, over: Overlay, number: int, with_now: bool = True) -> None:
        """What has happened until a step; with where one is and looked so far, as seen from elsewhere."""
        story = self._story
        camera = story.camera or _CAMERA
        fov = 2.0 * math.atan(0.5 * camera.width / camera.fx)
        begins = [0, *(phase.step for phase in story.phases if phase.restored and phase.step <= number), number + 1]
        ways = [
            [step.viewpoint for step in story.steps[first:following] if step.viewpoint is not None]
            for first, following in pairwise(begins)
        ]
        for way in ways:
            over.path(way)
        if with_now:
            for viewpoint in ways[-1][-_LOOKS - 1 : -1]:
                over.frustum(viewpoint, fov, PATH, "an earlier look", _EARLIER)
        for at in story.collisions:
            bumped = story.steps[at]
            if at <= number and bumped.viewpoint is not None:
                over.mark(bumped.viewpoint.position, BUMPED, f"collision at step {at}: {bumped.reason}")
        for answer in story.answers:
            for evidence in answer.evidence:
                if evidence.viewpoint.is_finite:
                    over.frustum(evidence.viewpoint, fov, EVIDENCE, "evidence of the answer")
        if story.truth is not None and story.truth.goal is not None and story.truth.goal.is_finite:
            over.frustum(story.truth.goal, fov, GOAL, "goal")
        now = story.steps[number].viewpoint
        if with_now and now is not None:
            over.frustum(now, fov, NOW, f"step {number}")
            over.mark(now.position, NOW, f"step {number}")

    async def _mouse(self, event: Any) -> None:
        here = float(event.image_x), float(event.image_y)
        if event.type == "mousedown":
            self._drag = here
        elif event.type == "mouseup":
            self._drag = None
        elif self._drag is not None and event.buttons and self._orbit is not None:
            self._orbit = self._orbit.dragged(here[0] - self._drag[0], here[1] - self._drag[1])
            self._drag = here
            await self._draw_overview()

    async def _wheel(self, event: Any) -> None:
        delta = event.args.get("deltaY", 0) if isinstance(event.args, dict) else 0
        if self._orbit is not None and isinstance(delta, int | float):
            self._orbit = self._orbit.nearer(1 if delta < 0 else -1)
            await self._draw_overview()

    async def _slid(self, event: Any) -> None:
        if isinstance(event.value, int | float) and math.isfinite(event.value):
            await self.go(int(event.value))

    async def _key(self, event: Any) -> None:
        if not event.action.keydown or event.modifiers.ctrl or event.modifiers.alt:
            return
        key, last = str(event.key), len(self._story.steps) - 1
        if key == " " and not event.action.repeat:
            self._toggle()
        elif key in ("ArrowLeft", "ArrowRight", "Home", "End"):
            await self.go({"ArrowLeft": self._step - 1, "ArrowRight": self._step + 1, "Home": 0, "End": last}[key])

    def _toggle(self) -> None:
        self._timer.active = not self._timer.active
        self._play.props(f"icon={'pause' if self._timer.active else 'play_arrow'}")
        if self._timer.active and self._step == len(self._story.steps) - 1:
            self._step = -1

    async def _next(self) -> None:
        if self._step >= len(self._story.steps) - 1:
            self._toggle()
        else:
            await self.go(self._step + 1)
