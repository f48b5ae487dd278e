"""Makes the pictures of docs/view.md anew: a home, an episode and two runs of it as ``vantage view`` shows them.

Takes a minute or two, and needs the extras ``web`` and ``house`` and a Chromium with its driver::

    python tools/make_view_pictures.py
"""

from __future__ import annotations

import argparse
import base64
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vantage.bench import record_one
from vantage.config import Settings
from vantage.errors import VantageError
from vantage.runs import Job, run_set
from vantage.splats.rendering import Renderer, make_renderer
from vantage.splats.synthesis import make_scene
from vantage.web import HOUSE, Viewer, Wish, chromium

IMAGES = Path(__file__).resolve().parents[1] / "docs" / "images"
HOME, ROOMS = 1907, 4
HEIGHT = 2200  # pixels of a window in which every page fits; what is left below is cut off
DEADLINE, REST = 120.0, 1.5  # s


def main(arguments: Sequence[str] | None = None) -> int:
    """Make the pictures; 1 where one cannot be made."""
    parser = argparse.ArgumentParser(description="Make the pictures of docs/view.md anew.")
    parser.add_argument("--out", metavar="DIR", type=Path, default=IMAGES, help="default: docs/images")
    out = parser.parse_args(arguments).out
    try:
        with tempfile.TemporaryDirectory(prefix="vantage-pictures-") as folder:
            make(Path(folder), out)
    except VantageError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def make(folder: Path, out: Path) -> None:
    """Record in an empty folder, and photograph the pages."""
    home = folder / f"home_{HOME}"
    make_scene(HOME, home, home.name, rooms=ROOMS)
    bag = record_one(home, Settings(), folder / "search")
    episodes = folder / "search" / "set"
    other = folder / "coverage"
    for _ in run_set(Job(episodes, other, "splat", "coverage", Settings())):
        pass
    runs, scenes = bag.parent, episodes / "scenes"
    pages = (
        ("view-scene", Wish(home), "?mode=orbit", 1280),
        ("view-house", Wish(home, world=HOUSE), "?mode=top", 1280),
        ("view-bag", Wish(bag, scenes=scenes), "?step=4", 1280),
        ("view-pair", Wish(runs, compare=other, scenes=scenes), "?step=14", 900),
    )
    for name, wish, query, width in pages:
        with Viewer(wish, renderer) as viewer, chromium(width, HEIGHT) as driver:
            photograph(viewer, driver, viewer.first[-1] + query, out / f"{name}.jpg")


def renderer() -> Renderer:
    return make_renderer("cpu", 2)


def photograph(viewer: Viewer, driver: Any, path: str, file: Path) -> None:
    """Write what a page shows at rest as JPEG.

    Raises:
        VantageError: its pictures are not there in time.
    """
    driver.get(viewer.server.address())
    driver.get(f"http://127.0.0.1:{viewer.server.port}{path}")
    there = "const i = [...document.querySelectorAll('.canvas img')]; return i.length && i.every(e => e.naturalWidth)"
    ends = time.monotonic() + DEADLINE
    while not driver.execute_script(there):
        if time.monotonic() > ends:
            raise VantageError(f"the page of {file.name} shows no picture within {DEADLINE:.0f} s; try again")
        time.sleep(0.1)
    time.sleep(REST)  # until pictures are exact
    shot = driver.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})["data"]
    pixels = cv2.imdecode(np.frombuffer(base64.b64decode(shot), np.uint8), cv2.IMREAD_COLOR)
    if pixels is None:
        raise VantageError(f"the screenshot for {file.name} cannot be decoded; try again")
    rows = np.flatnonzero((pixels != pixels[-1, -1]).any(axis=(1, 2)))
    pixels = pixels[: rows[-1] + 16]
    cv2.imwrite(str(file), pixels, [cv2.IMWRITE_JPEG_QUALITY, 82])
    print(f"{file.name}: {pixels.shape[1]} x {pixels.shape[0]}, {file.stat().st_size >> 10} KiB")


if __name__ == "__main__":
    sys.exit(main())
