"""An emulated controller of the small rig, and a homed driver on it that each test finds in order."""

import pytest
from grbl_rig import Notices, driver_threads
from small_rig import rig_values, write_rig

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


@pytest.fixture(scope="module")
def emulator(grbl_rig_file):
    emulator = make_grbl_emulator(load_rig(grbl_rig_file))
    emulator.start()
    yield emulator
    emulator.close()


@pytest.fixture(scope="module")
def kept_driver(grbl_rig_file, emulator):
    description = load_rig(grbl_rig_file)
    section = description.driver.with_values(**emulator.overrides)
    section.text("name")
    driver = make_grbl(section, description)
    yield driver
    driver.close()
    assert driver_threads() == []


@pytest.fixture
def driver(kept_driver, emulator):
    emulator.mend()
    kept_driver.connect()
    kept_driver.clear()
    if not kept_driver.state().homed:
        kept_driver.home(20.0)
    kept_driver.notify = Notices()
    return kept_driver
