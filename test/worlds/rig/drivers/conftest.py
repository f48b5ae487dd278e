"""An emulated controller of the small rig, and a homed driver on it that each test finds in order.

Their time leaps; ``real_emulator`` and ``real_driver`` are others, in real time.
"""

import pytest
from grbl_rig import Notices, driver_threads
from skipping_clock import SkippingClock
from small_rig import rig_values, write_rig

from vantage.worlds.rig.clock import SystemClock
from vantage.worlds.rig.description import load_rig
from vantage.worlds.rig.drivers.grbl_driver import make_grbl
from vantage.worlds.rig.emulators.grbl.emulator import make_grbl_emulator


@pytest.fixture(scope="module")
def grbl_rig_file(tmp_path_factory):
    """Travels so short that homing is quick."""
    chain = rig_values()["rig"]["chain"]
    limits = ([0.0, 0.5], [0.0, 0.4], [0.4, 0.8], [-1.2, 1.2], [-0.8, 0.8])
    for joint, pair in zip(chain["joints"], limits, strict=True):
        joint["limits"] = pair
    axes = {"x": "X", "y": "Y", "z": "Z", "pan": "A", "tilt": "B"}
    driver = {"name": "grbl", "port": "", "axes": axes}
    return write_rig(tmp_path_factory.mktemp("rig"), driver=driver, chain=chain)


def plugged_in(file, clock):
    """An emulated controller, and a driver on it that is not connected yet."""
    description = load_rig(file)
    emulator = make_grbl_emulator(description, clock)
    emulator.start()
    section = description.driver.with_values(**emulator.overrides)
    section.text("name")
    return emulator, make_grbl(section, description, clock)


def in_order(driver, emulator):
    """Connected, homed, and without a fault."""
    emulator.mend()
    driver.connect()
    driver.clear()
    if not driver.state().homed:
        driver.home(20.0)
    driver.notify = Notices()
    return driver


@pytest.fixture(scope="module")
def kept(grbl_rig_file):
    """Time leaps for both."""
    with SkippingClock() as clock:
        emulator, driver = plugged_in(grbl_rig_file, clock)
        yield emulator, driver
        driver.close()
        assert driver_threads() == []
        emulator.close()


@pytest.fixture
def emulator(kept):
    return kept[0]


@pytest.fixture
def driver(kept):
    return in_order(kept[1], kept[0])


@pytest.fixture
def clock(driver):
    return driver.clock


@pytest.fixture(scope="module")
def kept_in_real_time(grbl_rig_file):
    emulator, driver = plugged_in(grbl_rig_file, SystemClock())
    yield emulator, driver
    driver.close()
    emulator.close()


@pytest.fixture
def real_emulator(kept_in_real_time):
    return kept_in_real_time[0]


@pytest.fixture
def real_driver(kept_in_real_time):
    return in_order(kept_in_real_time[1], kept_in_real_time[0])
