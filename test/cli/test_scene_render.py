"""``vantage scene render`` of a house."""

import cv2
import pytest
from touch_home import touch_home

from vantage.cli.main import main
from vantage.scenes.spec import save_spec

SIZE = ["--set", "camera.width=64", "--set", "camera.height=48"]


@pytest.fixture(scope="module")
def scene(tmp_path_factory):
    folder = tmp_path_factory.mktemp("homes") / "room"
    folder.mkdir()
    save_spec(touch_home(), folder / "spec.json")
    return folder


def rendered(scene, out, *options):
    assert main(["scene", "render", str(scene), "--world", "house", "--out", str(out), *SIZE, *options]) == 0
    picture = cv2.imread(str(out))
    assert picture.shape == (48, 64, 3)
    return picture


@pytest.mark.needs("house")
@pytest.mark.needs("gl")
def test_a_home_without_a_cloud_is_drawn_as_a_house(scene, tmp_path):
    shut = rendered(scene, tmp_path / "shut.png", "--viewpoint=0,0,1.3,1.5,-0.3", "--opened", "0")
    wide = rendered(scene, tmp_path / "wide.png", "--viewpoint=0,0,1.3,1.5,-0.3", "--opened", "1")
    assert shut.std() > 10
    assert (shut != wide).any()
    rendered(scene, tmp_path / "first.png")


@pytest.mark.needs("house")
@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--world", "house", "--home", "attic"], "unknown home 'attic'"),
        (["--opened", "0.5"], "are for --world house"),
        (["--world", "house", "--viewpoint=1,2"], "five numbers"),
    ],
)
def test_wrong_options_are_one_sentence(scene, tmp_path, capsys, options, said):
    assert main(["scene", "render", str(scene), "--out", str(tmp_path / "x.png"), *options]) != 0
    assert said in capsys.readouterr().err


@pytest.mark.needs("house")
def test_of_several_homes_one_is_named(scene, tmp_path, capsys):
    other = scene.parent / "hall"
    other.mkdir()
    save_spec(touch_home(), other / "spec.json")
    assert main(["scene", "render", str(scene.parent), "--world", "house", "--out", str(tmp_path / "x.png")]) == 2
    assert "holds 2 homes, such as hall, room; name one with --home" in capsys.readouterr().err
