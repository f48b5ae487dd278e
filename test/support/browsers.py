"""Chromium for tests, headless and with nothing kept."""

from __future__ import annotations

import json
import shutil
import time
from contextlib import contextmanager

from needs import chromium

DEADLINE = 60.0  # s: machines are busy


@contextmanager
def chromium_session(width=1280, height=900):
    """A driver of a Chromium that ends with the block; its logs of the console and of requests are on."""
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = chromium()
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", f"--window-size={width},{height}"):
        options.add_argument(argument)
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))
    driver.set_page_load_timeout(DEADLINE)
    try:
        yield driver
    finally:
        driver.quit()


def until(question, what="it"):
    """The first answer that is true; fails after the deadline."""
    end = time.monotonic() + DEADLINE
    while True:
        answer = question()
        if answer:
            return answer
        assert time.monotonic() < end, f"{what} did not happen within {DEADLINE:.0f} s"
        time.sleep(0.05)


def first(driver, selector):
    """The first element that a CSS selector finds, once there is one."""
    return until(lambda: driver.find_elements("css selector", selector), selector)[0]


def picture(driver, selector=".canvas img"):
    """The first picture, once the browser has loaded it."""
    image = first(driver, selector)
    until(
        lambda: driver.execute_script("return arguments[0].complete && arguments[0].naturalWidth > 0", image), selector
    )
    return image


def requested(driver):
    """Addresses asked for since the last call."""
    events = [json.loads(entry["message"])["message"] for entry in driver.get_log("performance")]
    return [event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"]


def console_errors(driver):
    return [entry["message"] for entry in driver.get_log("browser") if entry["level"] == "SEVERE"]
