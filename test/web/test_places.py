"""What lies at a path to be shown, and in which worlds."""

import pytest
from small_room import small_room
from touch_home import touch_home

from vantage.errors import ConfigError, UsageError
from vantage.scenes.spec import save_spec
from vantage.splats import save_scene
from vantage.web import HOUSE, SPLAT, places_at
from vantage.web.places import require_world


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A scene with a cloud alone, a home alone, and both of one name; and a file that is neither."""
    scenes = tmp_path_factory.mktemp("scenes")
    cloud, graph = small_room()
    save_scene(scenes / "cloud", None, graph, cloud)
    save_scene(scenes / "both", None, graph, cloud)
    for name in ("home", "both"):
        (scenes / name).mkdir(exist_ok=True)
        save_spec(touch_home(), scenes / name / "spec.json")
    (scenes / "notes.json").write_text("{}", encoding="utf-8")
    return scenes


def test_scenes_and_homes_are_found_by_name(folder):
    found = places_at(folder)
    worlds = {name: place.worlds for name, place in found.items()}
    assert worlds == {"both": (SPLAT, HOUSE), "cloud": (SPLAT,), "home": (HOUSE,)}
    assert found["both"].world("") == found["cloud"].world(HOUSE) == SPLAT
    assert found["both"].world(HOUSE) == found["home"].world(SPLAT) == HOUSE


@pytest.mark.parametrize("path", ["both", "both/scene.yaml"])
def test_one_scene_is_known_by_its_folder_or_file(folder, path):
    assert [(name, place.worlds) for name, place in places_at(folder / path).items()] == [("both", (SPLAT, HOUSE))]


def test_a_home_is_known_by_its_specification(folder):
    assert [(name, place.worlds) for name, place in places_at(folder / "home" / "spec.json").items()] == [
        ("home", (HOUSE,))
    ]


def test_a_world_that_a_scene_has_not_is_refused(folder):
    found = places_at(folder)
    for world, name in ((HOUSE, "cloud"), (SPLAT, "home")):
        with pytest.raises(UsageError, match=f"{name} at .* cannot be shown as {world}"):
            require_world(found, world, folder)


def test_where_nothing_is_that_is_said(tmp_path):
    with pytest.raises(ConfigError, match="no homes at"):
        places_at(tmp_path / "no")
