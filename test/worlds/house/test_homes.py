"""Homes by name, and what is said of those that are not there."""

import json

import pytest
from touch_home import touch_home

from vantage.errors import ConfigError, FormatError, UnknownNameError
from vantage.scenes.spec import save_spec
from vantage.worlds.house.homes import list_homes, load_home

pytestmark = pytest.mark.needs("house")


@pytest.fixture
def scenes(tmp_path):
    (tmp_path / "first").mkdir()
    save_spec(touch_home(), tmp_path / "first" / "spec.json")
    (tmp_path / "nothing").mkdir()
    (tmp_path / ".hidden").mkdir()
    return tmp_path


def test_scene_folders_need_no_cloud(scenes):
    assert list(list_homes(scenes)) == ["first"]
    home = load_home(scenes, "first")
    assert home.name == "first"
    assert len(home.objects) == len(touch_home().objects)


def test_one_home_may_be_named_alone(scenes):
    for place in (scenes / "first", scenes / "first" / "spec.json"):
        assert load_home(place, "first").name == "first"


def test_real_houses_are_homes_too(data_folder):
    houses = list_homes(data_folder / "procthor-houses")
    assert len(houses) >= 5
    name = next(iter(houses))
    assert load_home(data_folder / "procthor-houses", name).name == name


def test_what_is_not_there_is_said(scenes, tmp_path):
    with pytest.raises(UnknownNameError, match=r"unknown home 'frist'.*did you mean 'first'"):
        load_home(scenes, "frist")
    for place in ("", tmp_path / "absent"):
        with pytest.raises(ConfigError, match=r"no homes at .*world\.scenes"):
            load_home(place, "first")
    (scenes / "first" / "spec.json").write_text(json.dumps({"schema": "none"}))
    with pytest.raises(FormatError):
        load_home(scenes, "first")
