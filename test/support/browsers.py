"""Chromium for tests, headless and with nothing kept."""

from __future__ import annotations

import json
import time
from contextlib import ExitStack, contextmanager

import pytest

from vantage.errors import MissingExtraError
from vantage.web import chromium

DEADLINE = 60.0  # s: machines are busy


@contextmanager
def chromium_session(width=1280, height=900):
    """A driver of a Chromium that ends with the block; the test is skipped where no Chromium can be started."""
    with ExitStack() as stack:
        try:
            driver = stack.enter_context(chromium(width, height))
        except MissingExtraError as error:
            pytest.skip(str(error))
        yield driver


@contextmanager
def narrow(driver, width=400, height=800):
    """A screen of so many pixels within the block; windows of Chromium itself cannot be that narrow."""
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        yield
    finally:
        driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def sideways(driver):
    """How many pixels a page can be scrolled sideways, and the elements that stand out on the right."""
    return driver.execute_script("""
    const wide = document.documentElement.clientWidth;
    const over = document.documentElement.scrollWidth - wide;
    const out = [...document.querySelectorAll('body *')].filter(each => each.getBoundingClientRect().right > wide + 1);
    return [over, over > 0 ? out.slice(0, 5).map(each => each.tagName + '.' + each.className) : []];
    """)


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


def go_by_tab(driver, css):
    """Move the focus to an element as who has no mouse does, by the tabulator key; fails where it is never reached."""
    from selenium.webdriver.common.keys import Keys

    until(lambda: [each for each in driver.find_elements("css selector", css) if each.is_displayed()], css)
    for _ in range(120):
        if driver.execute_script("return document.activeElement.matches(arguments[0])", css):
            return driver.switch_to.active_element
        driver.switch_to.active_element.send_keys(Keys.TAB)
    raise AssertionError(f"the tabulator key never reaches {css}")
