"""The homes of a set: generated, and imported from files and folders."""

import json
from dataclasses import replace

import pytest
from small_house import make_house, saved
from small_noisyeqa import small_noisyeqa
from small_search import SMALL, small_benchmark

from vantage.benchmarks.protocol import read_scenes
from vantage.benchmarks.sets.episodes_io import load_set
from vantage.benchmarks.sets.set_homes import GeneratedHome, homes_of
from vantage.errors import FormatError, SceneError, UsageError
from vantage.scenes.generator.generator import generate_home
from vantage.scenes.spec.spec_file import save_spec


@pytest.fixture(autouse=True)
def _no_real_data(monkeypatch):
    monkeypatch.delenv("VANTAGE_DATA", raising=False)


def imported(source, most=10, seed=3, **more):
    return homes_of(source, (1, 1), seed, most, **more)


def test_a_number_of_homes_is_generated():
    assert homes_of(3, (1, 2), 7, 5) == [GeneratedHome(7000, 1), GeneratedHome(7001, 2), GeneratedHome(7002, 1)]
    with pytest.raises(UsageError, match="cannot make homes of 3 to 1 rooms"):
        homes_of(2, (3, 1), 0, 5)


@pytest.mark.parametrize(("text", "kind"), [("12", int), ("-1", int), ("houses.jsonl", type(None)), ("1x", type(None))])
def test_a_number_or_a_path(text, kind):
    assert isinstance(read_scenes(text), int) is (kind is int)


def test_houses_of_a_file_and_the_first_of_many(tmp_path):
    path = tmp_path / "My houses.jsonl"
    path.write_text((json.dumps(make_house()) + "\n") * 3)
    found = imported(path)
    assert [(home.name, home.seed, home.index) for home in found] == [
        ("my_houses_0", 3000, 0),
        ("my_houses_1", 3001, 1),
        ("my_houses_2", 3002, 2),
    ]
    assert [home.name for home in imported(path, most=2)] == ["my_houses_0", "my_houses_1"]
    assert found[1].spec().name == "my_houses_1"


def test_a_folder_of_houses_and_scenes(tmp_path):
    saved(make_house(), tmp_path, "a.json")
    (tmp_path / "A.jsonl").write_text(json.dumps(make_house()) + "\n")
    (tmp_path / "flat").mkdir()
    save_spec(generate_home(1), tmp_path / "flat" / "spec.json")
    save_spec(generate_home(2), tmp_path / "other.json")
    (tmp_path / "set.json").write_text('{"schema": "something/else"}')
    (tmp_path / "README").write_text("no house")
    names = [home.name for home in imported(tmp_path)]
    assert names == ["a_0", "a_0_1", "flat", "other"]


def test_a_house_that_cannot_be_imported_is_left_out_and_told(tmp_path):
    broken = make_house() | {"walls": []}
    path = tmp_path / "houses.jsonl"
    path.write_text("\n".join(map(json.dumps, (broken, make_house()))))
    said = []
    (home,) = imported(path, progress=said.append)
    assert (home.name, len(said)) == ("houses_1", 1)
    assert "has no walls" in said[0]
    path.write_text(json.dumps(broken))
    with pytest.raises(SceneError, match="gives no home"):
        imported(path)


def test_a_file_that_cannot_be_read_does_not_hide_the_others_of_its_folder(tmp_path):
    saved(make_house(), tmp_path, "b.json")
    (tmp_path / "a.jsonl.gz").write_bytes(b"no gzip")
    (tmp_path / "c.json").write_bytes(b"{")
    told: list[str] = []
    assert [home.name for home in imported(tmp_path, progress=told.append)] == ["b_0"]
    assert [line.split(":")[0] for line in told] == ["left out", "left out"]
    assert "a.jsonl.gz" in told[0]
    assert "c.json" in told[1]


def test_what_is_no_source_of_homes(tmp_path):
    with pytest.raises(UsageError, match="there is no"):
        imported(tmp_path / "nowhere")
    with pytest.raises(SceneError, match="gives no home"):
        imported(tmp_path)
    (tmp_path / "x.json").write_text("{")
    with pytest.raises(FormatError, match="JSON"):
        imported(tmp_path / "x.json")


def test_a_set_in_imported_homes_is_as_sound_as_any(tmp_path):
    save_spec(replace(generate_home(5, 2), name="mine"), tmp_path / "mine.json")
    benchmark, out = small_benchmark(), tmp_path / "set"
    made = benchmark.make(out, scenes=tmp_path / "mine.json", episodes=2, noisy=1, seed=4, settings=SMALL)
    assert {episode.scene for episode in made.episodes} == {"mine"}
    assert list(load_set(out).info.scenes) == ["mine"]
    assert benchmark.validate(out) == []
    again = benchmark.make(tmp_path / "two", scenes=tmp_path / "mine.json", episodes=2, noisy=1, seed=4, settings=SMALL)
    assert again.info.content_hash == made.info.content_hash


@pytest.mark.needs("data")
def test_pairs_in_a_real_house(data_folder, tmp_path):
    houses = data_folder / "procthor-houses" / "dev.jsonl.gz"
    assets = data_folder / "ai2thor-assets" / "asset-database.json"
    benchmark, out = small_noisyeqa(), tmp_path / "set"
    made = benchmark.make(
        out, scenes=houses, pairs=1, shares="latent=1", assets=assets, workers=1, seed=1, settings=SMALL
    )
    assert [episode.scene for episode in made.episodes] == ["dev_0", "dev_0"]
    assert benchmark.validate(out, workers=1) == []
