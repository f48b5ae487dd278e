"""Opens every page in Chromium: errors, requests to anywhere else, and whether pictures are those of the renderer."""

from __future__ import annotations

import base64
import json
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import cv2
import numpy as np

from vantage.errors import MissingExtraError, VantageError
from vantage.web.viewer import Viewer

_DEADLINE = 60.0  # s for a page
_MOST_PAGES = 40
_SHOWN = """
const found = [];
for (const image of document.querySelectorAll('.canvas img')) {
  if (!image.complete || !image.naturalWidth) return null;
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
  canvas.getContext('2d').drawImage(image, 0, 0);
  const address = new URL(image.src).pathname, token = image.closest('[data-canvas]').dataset.canvas;
  found.push([token, address, canvas.toDataURL('image/png')]);
}
return found;
"""


@contextmanager
def chromium(width: int = 1280, height: int = 900) -> Iterator[Any]:
    """A driver of a headless Chromium that ends with the block; its logs of the console and of requests are on.

    Raises:
        MissingExtraError: there is no Chromium, no driver of it, or no selenium, or Chromium cannot be started here.
    """
    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    driver_path = shutil.which("chromedriver")
    try:
        from selenium import webdriver
        from selenium.common import WebDriverException
    except ImportError as error:
        raise MissingExtraError("pages are opened by selenium, which is missing; run 'make setup WITH=web'") from error
    if browser is None or driver_path is None:
        raise MissingExtraError("no Chromium with a driver was found; run 'apt-get install chromium chromium-driver'")
    options = webdriver.ChromeOptions()
    options.binary_location = browser
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", f"--window-size={width},{height}"):
        options.add_argument(argument)
    try:
        driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver_path))
    except (WebDriverException, OSError) as error:
        raise MissingExtraError(
            f"Chromium cannot be started here: {_first_line(error)}; see whether {browser} runs"
        ) from error
    try:
        driver.set_page_load_timeout(_DEADLINE)
        yield driver
    finally:
        driver.quit()


def check_pages(viewer: Viewer) -> dict[str, Any]:
    """Open the pages of a viewer that runs, at most 40 of them.

    Returns:
        ``pages`` opened, ``console_errors`` of them, ``requests_elsewhere``, ``pictures`` compared, and
        ``pictures_equal``: whether each is that of the renderer pixel for pixel.

    Raises:
        MissingExtraError: there is no Chromium to open them.
        VantageError: a page did not come to rest within its deadline.
    """
    with chromium() as driver:
        from selenium.common import WebDriverException

        try:
            return _found(viewer, driver)
        except WebDriverException as error:
            raise VantageError(f"Chromium did not open the pages: {_first_line(error)}; try again") from error


def _found(viewer: Viewer, driver: Any) -> dict[str, Any]:
    errors = elsewhere = pictures = 0
    equal = True
    pages = viewer.first[:_MOST_PAGES]
    driver.get(viewer.server.address())
    for path in pages:
        driver.get(f"http://127.0.0.1:{viewer.server.port}{path}")
        for token, shown in _at_rest(viewer, driver, path):
            exact = viewer.pictures.drawn_anew(token)
            pictures += 1
            equal = equal and exact is not None and shown.shape == exact.shape and bool((shown == exact).all())
        errors += sum(entry["level"] == "SEVERE" for entry in driver.get_log("browser"))
        elsewhere += sum(_is_elsewhere(entry, viewer.server.port) for entry in driver.get_log("performance"))
    return {
        "pages": len(pages),
        "console_errors": errors,
        "requests_elsewhere": elsewhere,
        "pictures": pictures,
        "pictures_equal": equal,
    }


def _first_line(error: Exception) -> str:
    """Selenium adds a stack trace to what it says."""
    return next(iter(str(error).strip().splitlines()), type(error).__name__)


def _at_rest(viewer: Viewer, driver: Any, path: str) -> list[tuple[str, Any]]:
    """The pictures that a page shows once they do not change any more, by canvas."""
    end = time.monotonic() + _DEADLINE
    before = None
    while time.monotonic() < end:
        found = driver.execute_script(_SHOWN)
        exact = found is not None and all(viewer.pictures.is_exact(address) for _, address, _ in found)
        if exact and found == before and (found or path == "/"):
            return [(token, _pixels(url)) for token, _, url in found]
        before = found
        time.sleep(0.4)
    raise VantageError(f"the page {path.split('/')[1]} did not come to rest within {_DEADLINE:.0f} s; try again")


def _pixels(url: str) -> Any:
    data = np.frombuffer(base64.b64decode(url.split(",", 1)[1]), np.uint8)
    pixels = cv2.imdecode(data, cv2.IMREAD_COLOR)
    if pixels is None:
        raise VantageError("a picture that Chromium shows cannot be decoded; run the check again")
    return np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2RGB))


def _is_elsewhere(entry: Any, port: int) -> bool:
    event = json.loads(entry["message"])["message"]
    if event["method"] not in ("Network.requestWillBeSent", "Network.webSocketCreated"):
        return False
    parts = urlsplit(event["params"].get("url") or event["params"]["request"]["url"])
    return parts.scheme in ("http", "https", "ws", "wss") and (parts.hostname, parts.port) != ("127.0.0.1", port)
