"""Settings can be read, changed and put back, and refuse what Grbl refuses."""

import pytest
from grbl_console import AXES

from vantage.worlds.rig.emulators.grbl.settings import GrblSettings, RefusalError


def test_defaults_come_from_the_axes():
    settings = GrblSettings(AXES)
    shown = dict(line[1:].split("=") for line in settings.lines())
    assert shown["102"] == "400.000"
    assert shown["110"] == "12000.000"
    assert shown["133"] == "360.000"
    assert shown["23"] == str(0b11011)
    assert [shown[n] for n in ("20", "21", "22")] == ["1", "1", "1"]
    assert settings.each("rates") == [200.0, 200.0, 100.0, 180.0, 180.0]


def test_changes_and_restoring():
    settings = GrblSettings(AXES)
    settings.change(110, 600.0)
    settings.change(10, 3.9)
    settings.change(21, 7)
    assert settings.each("rates")[0] == 10.0
    assert (settings[10], settings[21]) == (3, 1)
    settings.restore()
    assert settings.each("rates")[0] == 200.0


def test_soft_limits_need_homing():
    settings = GrblSettings(AXES)
    settings.change(22, 0)
    assert settings[20] == 0
    with pytest.raises(RefusalError, match="error:10;"):
        settings.change(20, 1)


@pytest.mark.parametrize(("number", "value", "code"), [(99, 1, 3), (105, 1, 3), (11, -1, 4), (0, 2, 6), (100, 0, 19)])
def test_values_that_are_refused(number, value, code):
    settings = GrblSettings(AXES)
    before = list(settings.lines())
    with pytest.raises(RefusalError, match=f"error:{code};"):
        settings.change(number, value)
    assert list(settings.lines()) == before
