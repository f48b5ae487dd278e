"""How fast the pages of a scene, of a bag and of many runs are in real Chromium, each beside a bare reference."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from vantage.bench.stopwatch import Times, measure
from vantage.errors import VantageError
from vantage.spatial import Intrinsics
from vantage.splats.rendering import Renderer
from vantage.web import SPLAT, Orbit, Scenes, Viewer, Wish, chromium, places_at

FIRST_S, FPS, INPUT_MS = 3.0, 15.0, 150.0  # bounds: the first picture, orbit of one viewer, input to picture
FPS_EACH = 6.0  # of two viewers
DEADLINE = 60.0  # s that a page may take
_SIZE = Intrinsics.from_fov(640, 480, 1.2)
_DRAG = """
const [seconds, done] = arguments, image = document.querySelector('.canvas img');
let count = 0, x = 300, way = 3;
const send = (type) => image.dispatchEvent(new MouseEvent(type, {
  bubbles: true, buttons: 1, clientX: image.getBoundingClientRect().left + x,
  clientY: image.getBoundingClientRect().top + 200}));
const loaded = () => { count += 1; };
image.addEventListener('load', loaded); send('mousedown');
const timer = setInterval(() => { x += way; if (x > 500 || x < 100) way = -way; send('mousemove'); }, 15);
setTimeout(() => { clearInterval(timer); send('mouseup'); image.removeEventListener('load', loaded);
                   done(count / seconds); }, 1000 * seconds);
"""
_PRESS = """
const done = arguments[0], image = document.querySelector('.canvas img'), began = performance.now();
image.addEventListener('load', () => done(performance.now() - began), {once: true});
document.dispatchEvent(new KeyboardEvent('keydown', {key: 'd', code: 'KeyD', bubbles: true}));
"""


def bench_view(scene: Path, make_renderer: Callable[[], Renderer], seconds: float, presses: int) -> dict[str, Any]:
    """Figures of a page that orbits a scene at 640 x 480.

    Args:
        seconds: of each orbit.
        presses: of a key, each from rest.

    Raises:
        MissingExtraError: there is no Chromium, or the extra ``web`` is not installed.
        VantageError: a page shows nothing within its deadline.
    """
    bare, gaussians = _bare(scene, make_renderer)
    with Viewer(Wish(scene), make_renderer) as viewer, ExitStack() as browsers:
        drivers = [browsers.enter_context(chromium()) for _ in range(2)]
        first_s = shown(drivers[0], opened(viewer, drivers[0]))
        alone = float(_run(drivers[0], _DRAG, seconds))
        time.sleep(1.0)
        waits = []
        for _ in range(presses):
            waits.append(float(_run(drivers[0], _PRESS)))
            time.sleep(0.5)  # until the picture is at rest again
        shown(drivers[1], opened(viewer, drivers[1]))
        together = _together(drivers, seconds)
    pressed = Times("key to picture", tuple(waits))
    return {
        "scene": scene.name,
        "gaussians": gaussians,
        "first_picture_s": round(first_s, 3),
        "orbit_fps": round(alone, 1),
        "orbit_fps_each_of_two": [round(fps, 1) for fps in together],
        "input": pressed.data(bare),
        "bare_fps": round(1e3 / bare.median_ms, 1),
        "met": first_s <= FIRST_S and alone >= FPS and min(together) >= FPS_EACH and pressed.p95_ms <= INPUT_MS,
    }


def _bare(path: Path, make_renderer: Callable[[], Renderer]) -> tuple[Times, int]:
    """The renderer without server and browser, from the same poses, and how many Gaussians it is given."""
    scenes = Scenes(make_renderer)
    try:
        (place,) = places_at(path).values()
        shown = scenes.get(place, SPLAT)
        orbit = Orbit.around(*shown.bounds)
        times = measure("bare renderer", lambda: shown.seen(orbit.viewpoint, _SIZE, outside=True), 20)
        return times, shown.gaussians
    finally:
        scenes.close()


def opened(viewer: Viewer, driver: Any) -> float:
    """Open the first page; when that began, s of ``time.perf_counter``."""
    driver.set_script_timeout(DEADLINE)
    driver.get(viewer.server.address())
    began = time.perf_counter()
    driver.get(f"http://127.0.0.1:{viewer.server.port}{viewer.first[0]}")
    return began


def shown(driver: Any, began: float) -> float:
    """Seconds since ``began`` until the page shows all its pictures.

    Raises:
        VantageError: it does not within its deadline.
    """
    return answered(
        driver,
        "const i = [...document.querySelectorAll('.canvas img')];"
        "return i.length > 0 && i.every(each => each.complete && each.naturalWidth > 0)",
        began,
        "shows no picture",
    )


def answered(driver: Any, question: str, began: float, otherwise: str) -> float:
    """Seconds since ``began`` until a page answers a script with something true.

    Raises:
        VantageError: it does not within its deadline; ``otherwise`` says what the page does instead.
    """
    while not driver.execute_script(question):
        if time.perf_counter() - began > DEADLINE:
            raise VantageError(f"the page {otherwise} within {DEADLINE:.0f} s; try again on an idle machine")
        time.sleep(0.005)
    return time.perf_counter() - began


def _together(drivers: list[Any], seconds: float) -> list[float]:
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(len(drivers)) as pool:
        return [float(fps) for fps in pool.map(lambda driver: _run(driver, _DRAG, seconds), drivers)]


def _run(driver: Any, script: str, *arguments: Any) -> Any:
    return driver.execute_async_script(script, *arguments)
