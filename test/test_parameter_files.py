import math

import pytest

from vantage.config import Settings
from vantage.errors import ConfigError, UnknownNameError
from vantage.files import shared_folder
from vantage.parameter_files import assigned, load_settings, values_in_file
from vantage.planning import make_actions


def test_the_shipped_file_is_valid_and_sets_the_action_space():
    settings = load_settings(shared_folder("config") / "vantage.yaml")
    assert settings.actions.translation == 0.25
    assert settings.actions.rotation == pytest.approx(math.pi / 6)


def test_assignments_win_over_the_file_and_take_the_type_of_the_setting():
    settings = load_settings(None, ["camera.width=320", "run.rate_hz=2", "world.instances=false", "world.scenes=12"])
    assert settings.camera.width == 320
    assert settings.run.rate_hz == 2.0
    assert settings.world.instances is False
    assert settings.world.scenes == "12"
    assert Settings().camera.width == 640, "defaults are not touched"


@pytest.mark.parametrize(
    ("assignment", "error", "words"),
    [
        ("camera.widht=3", UnknownNameError, "did you mean 'camera.width'"),
        ("camera.width=0", ConfigError, r"outside \[1, 8192\]"),
        ("camera.width=wide", ConfigError, "must be of type int"),
        ("camera.width=1.5", ConfigError, "must be of type int"),
        ("run.rate_hz=nan", ConfigError, "outside"),
        ("world.instances=3", ConfigError, "must be of type bool"),
        ("camera.width", ConfigError, "expected key=value"),
    ],
)
def test_bad_assignments(assignment, error, words):
    with pytest.raises(error, match=words):
        load_settings(None, [assignment])


@pytest.mark.parametrize("text", ["", "[]", "a: [", "/**: {}", "/**: {ros__parameters: {camera: 3}}"])
def test_bad_files(tmp_path, text):
    path = tmp_path / "bad.yaml"
    path.write_text(text)
    with pytest.raises(ConfigError, match=r"bad\.yaml"):
        load_settings(path)


def test_the_settings_of_the_house_make_its_actions():
    settings = load_settings(shared_folder("config") / "house.yaml")
    actions = make_actions(settings.actions)
    assert (actions.name, actions.frame, round(math.degrees(actions.rotation))) == ("mobile", "heading", 15)
    assert (settings.camera.width, settings.camera.height) == (800, 600)


def test_what_files_and_assignments_say_is_told_as_it_is(tmp_path):
    path = tmp_path / "own.yaml"
    path.write_text("/**: {ros__parameters: {camera: {width: 320}, model: {url: 'http://127.0.0.1:1/v1'}}}\n")
    assert values_in_file(path) == {"camera.width": 320, "model.url": "http://127.0.0.1:1/v1"}
    assert assigned(["camera.width=1", " camera.width = 2 ", "agent.model=a=b"]) == {
        "camera.width": "2",
        "agent.model": "a=b",
    }
