"""How fast a bag is stepped through and a table of many bags is there in real Chromium, beside bare references."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from vantage.bench.stopwatch import Times, measure
from vantage.bench.view import answered, opened, shown
from vantage.benchmarks import make_benchmark
from vantage.config import Settings
from vantage.errors import VantageError
from vantage.recording import find_bags
from vantage.runs import Job, run_set
from vantage.splats.rendering import Renderer
from vantage.types import EpisodeState
from vantage.web import SPLAT, Scenes, Viewer, Wish, bags_of, chromium, places_at, read_story

STEP_MS, USABLE_S, AGAIN_S = 150.0, 5.0, 2.0  # bounds: a step's pictures, a table that fills, one that is known
_FILLED = 1800.0  # s for all bags to be scored
_STEP = """
const [key, done] = arguments, images = [...document.querySelectorAll('.canvas img')], began = performance.now();
let left = images.length;
images.forEach(image => image.addEventListener(
  'load', () => { left -= 1; if (!left) done(performance.now() - began); }, {once: true}));
document.dispatchEvent(new KeyboardEvent('keydown', {key, code: key, bubbles: true}));
"""
_TYPE = """
const input = document.querySelector('input');
input.value = arguments[0]; input.dispatchEvent(new Event('input', {bubbles: true}));
"""
_ROWS = "return document.querySelectorAll('tbody a').length > 0"


def record_one(scene: Path, settings: Settings, folder: Path) -> Path:
    """A bag of the agent ``search`` that answers a question in a home with a graph.

    Args:
        folder: an empty one, for the episode set (``set``) and the bag.

    Raises:
        VantageError: nothing can be asked in that home, or the episode failed.
    """
    make_benchmark("search").make(folder / "set", scenes=scene, episodes=1, noisy=0, settings=settings)
    job = Job(folder / "set", folder / "bag", "splat", "search", settings)
    for _, outcome in run_set(job):
        if outcome.state is not EpisodeState.FINISHED:
            raise VantageError(f"the episode to be looked at did not end well: {outcome.reason}; give another home")
    [bag] = find_bags(folder / "bag")[0]
    return bag


def bench_timeline(bag: Path, scenes: Path, make_renderer: Callable[[], Renderer], presses: int) -> dict[str, Any]:
    """Key to pictures on the page of a bag: the recorded one, the render of its pose, and the overview.

    Args:
        scenes: folder of the scene that the bag is of.
        presses: of the arrow keys, each from rest.
    """
    bare = _bare_steps(bag, scenes, make_renderer)
    with Viewer(Wish(bag, scenes=scenes), make_renderer) as viewer, chromium() as driver:
        shown(driver, opened(viewer, driver))
        waits = []
        for key in _there_and_back(len(read_story(bag).steps) - 1, presses + 1):
            time.sleep(0.5)
            waits.append(float(driver.execute_async_script(_STEP, key)))
    steps = Times("key to the three pictures of a step", tuple(waits[1:]))
    return {**steps.data(bare), "bound_ms": STEP_MS, "met": steps.p95_ms <= STEP_MS}


def _there_and_back(last: int, presses: int) -> list[str]:
    """Keys that step from the first step to the last and back, and so on.

    Raises:
        VantageError: there is one step only.
    """
    if last < 1:
        raise VantageError("the episode to be looked at has one step only; give another home")
    return ["ArrowRight" if (number // last) % 2 == 0 else "ArrowLeft" for number in range(presses)]


def _bare_steps(bag: Path, scenes: Path, make_renderer: Callable[[], Renderer]) -> Times:
    """The renderer alone, from the poses of a bag."""
    story = read_story(bag)
    camera = story.camera
    if camera is None:
        raise VantageError(f"{bag} does not say with which camera it was recorded; give another home")
    poses = [step.viewpoint for step in story.steps if step.viewpoint is not None]
    kept = Scenes(make_renderer)
    try:
        scene = kept.get(next(iter(places_at(scenes).values())), SPLAT)
        turn = iter(range(1 << 30))

        def render() -> None:
            scene.seen(poses[next(turn) % len(poses)], camera)

        return measure("bare renderer, one picture", render, 20)
    finally:
        kept.close()


def bench_table(bag: Path, count: int, make_renderer: Callable[[], Renderer], folder: Path) -> dict[str, Any]:
    """The table of so many bags: until it lists and filters while it fills, until it is full, and once it is known.

    Args:
        bag: of which there are copies under so many names, which share its bytes on the disk.
        folder: an empty one, for them and for the scores that are kept.
    """
    many_bags(bag, count, folder / "runs")
    bare = measure("all metadata read", lambda: _read_metadata(folder / "runs"), 3, 1)
    wish = replace(Wish(folder / "runs"), cache=folder / "cache")
    with chromium() as driver:
        began = time.perf_counter()
        with Viewer(wish, make_renderer) as viewer:
            usable = _usable(viewer, driver, began)
            filling = _listed(driver) < count
            filled = _full(driver, began, count)
        began = time.perf_counter()
        with Viewer(wish, make_renderer) as viewer:
            _usable(viewer, driver, began)
            again = _full(driver, began, count)
    return {
        "bags": count,
        "usable_s": round(usable, 2),
        "usable_while_filling": filling,
        "filled_s": round(filled, 1),
        "again_s": round(again, 2),
        "reference": bare.name,
        "reference_s": round(bare.median_ms / 1e3, 3),
        "met": usable <= USABLE_S and again <= AGAIN_S,
    }


def many_bags(bag: Path, count: int, folder: Path) -> None:
    """Copies of a bag under so many names; their files are links to its own."""
    for number in range(count):
        copy = folder / f"{bag.name}-{number:04d}"
        copy.mkdir(parents=True)
        for file in bag.iterdir():
            os.link(file, copy / file.name)


def _read_metadata(folder: Path) -> int:
    return sum(len((bag / "metadata.yaml").read_bytes()) for bag in bags_of(folder))


def _usable(viewer: Viewer, driver: Any, began: float) -> float:
    """Seconds since ``began`` until the table has rows, and what is typed filters them."""
    driver.get(viewer.address())
    answered(driver, _ROWS, began, "lists no bag")
    driver.execute_script(_TYPE, "no bag is called so")
    answered(driver, _ROWS.replace("> 0", "== 0"), began, "does not filter")
    driver.execute_script(_TYPE, "")
    return answered(driver, _ROWS, began, "does not filter")


def _listed(driver: Any) -> int:
    """How many bags the page says that it has read."""
    told = driver.execute_script("return document.querySelector('[role=status]').textContent")
    return int(told.split()[0]) if told.split()[:1] else 0


def _full(driver: Any, began: float, count: int) -> float:
    """Seconds since ``began`` until all bags are listed."""
    while _listed(driver) < count or not driver.execute_script(_ROWS):
        if time.perf_counter() - began > _FILLED:
            raise VantageError(f"the table of {count} bags was not full within {_FILLED:.0f} s; give fewer with --bags")
        time.sleep(0.05)
    return time.perf_counter() - began
