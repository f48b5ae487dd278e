"""A set is made in five stages: what they tell, how an interrupted run goes on, and that the splits are sound."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from small_e3vs import make_small, small_e3vs

from vantage.benchmarks.e3vs import home_stages
from vantage.benchmarks.e3vs.stage_store import STAGES
from vantage.benchmarks.labelling.limited_ways import ALL, START
from vantage.benchmarks.protocol import Told
from vantage.benchmarks.sets.episodes_io import EpisodeSet, load_set, load_truths
from vantage.cli.main import main
from vantage.errors import SceneError, UsageError


def sets_of(folder: Path) -> list[EpisodeSet]:
    return [load_set(part) for part in small_e3vs().sets_in(folder)]


def test_the_splits_are_ordinary_sets_of_the_sizes_that_were_asked_for(made: Told, whole: Path) -> None:
    train, test = sets_of(whole)
    assert (train.folder.name, test.folder.name) == ("train", "test")
    assert made.data["homes"] == 2
    for one in (train, test):
        told = made.data["splits"][one.folder.name]
        assert len(one.episodes) == told["episodes"] == 6
        assert told["pairs"] == 4
        assert one.info.actions.name == "egocentric"
        assert one.info.actions.frame == "heading"
        assert one.info.settings["agent.last_look"] is True
        assert {episode.max_steps for episode in one.episodes} == {25}


def test_every_stage_tells_what_it_kept_and_how_long_it_took(made: Told) -> None:
    assert tuple(made.data["stages"]) == STAGES
    assert all(told["kept"] > 0 and told["seconds"] > 0 for told in made.data["stages"].values())
    asked, valid = made.data["stages"]["questions"], made.data["stages"]["invalid"]
    assert asked["kept"] - valid["kept"] == sum(valid["dropped"].values())
    noted = made.data["stages"]["answerability"]["noted"]
    refused = ("starts that penetrate", "starts that answer", "starts too far", "starts too near", "starts that serve")
    assert noted["starts tried"] == sum(noted.get(each, 0) for each in refused)


def test_a_whole_set_is_valid(whole: Path) -> None:
    benchmark = small_e3vs()
    for part in benchmark.sets_in(whole):
        assert benchmark.validate(part, workers=1) == []
    assert benchmark.problems_between(sets_of(whole)) == []


def test_each_episode_says_who_solves_it(whole: Path) -> None:
    for one in sets_of(whole):
        for truth in load_truths(one.folder, one.episodes).values():
            assert ALL in truth.solved_by
            assert START not in truth.solved_by
            assert truth.split == one.folder.name
            assert truth.pair_id
            assert truth.questions[0].category


def test_nothing_is_done_twice_and_the_same_command_goes_on(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Like a run that was killed in the last stage of the second home, before any split was written."""
    copy = tmp_path / "set"
    shutil.copytree(whole, copy)
    for part in ("train", "test"):
        shutil.rmtree(copy / part)
    (copy / ".stages" / "answerability" / "home_14001.json").unlink()
    done: list[str] = []
    stages_of = home_stages._stages_of

    def counted(stage, step):
        def run():
            done.append(stage)
            return step()

        return run

    def counting(plan, home, world):
        steps = stages_of(plan, home, world)
        return lambda items: {stage: counted(stage, step) for stage, step in steps(items).items()}

    monkeypatch.setattr(home_stages, "_stages_of", counting)
    make_small(copy)
    assert done == ["answerability"]
    for part in ("train", "test"):
        for name in ("episodes.jsonl", "truth.jsonl", "set.json"):
            assert (copy / part / name).read_bytes() == (whole / part / name).read_bytes(), name


def test_another_request_is_no_continuation(whole: Path) -> None:
    with pytest.raises(UsageError, match="begun with other options"):
        make_small(whole, seed=10)


def test_a_folder_with_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(UsageError, match="is not empty"):
        make_small(tmp_path)
    assert (tmp_path / "notes.txt").read_text() == "mine"


def test_a_stage_can_be_the_last_one(tmp_path: Path) -> None:
    told = make_small(tmp_path / "set", scenes=1, episodes=4, pairs=3, stage="questions")
    assert tuple(told.data["stages"]) == ("curation", "questions")
    assert "splits" not in told.data
    assert not (tmp_path / "set" / "test").exists()


def test_homes_that_do_not_give_enough_are_told_in_numbers(whole: Path, tmp_path: Path) -> None:
    shutil.copytree(whole / ".stages", tmp_path / "set" / ".stages")
    path = tmp_path / "set" / ".stages" / "answerability" / "home_14000.json"
    values = json.loads(path.read_text())
    path.write_text(json.dumps({**values, "items": values["items"][:2]}))
    with pytest.raises(SceneError, match="split 'train' give 2 episodes of 1 question-answer pairs, not 6 of 4"):
        make_small(tmp_path / "set")


@pytest.mark.parametrize(
    "options", [{"scenes": 0}, {"seed": -1}, {"pairs": 20}, {"scenes": 3, "pairs": 2, "episodes": 2}]
)
def test_impossible_numbers_are_refused(tmp_path: Path, options: dict[str, int]) -> None:
    with pytest.raises(UsageError, match="cannot make"):
        make_small(tmp_path / "set", **options)


@pytest.fixture
def copied(whole: Path, tmp_path: Path) -> Path:
    shutil.copytree(whole / "test", tmp_path / "test")
    return tmp_path / "test"


def edit(path: Path, change) -> None:
    lines = path.read_text().splitlines()
    value = json.loads(lines[0])
    change(value)
    path.write_text("\n".join([json.dumps(value), *lines[1:]]) + "\n")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda truth: truth.update(solved_by=["start", "all"]), "it is said to be solved by start; all"),
        (lambda truth: truth["questions"][0].update(category="XX"), "is of no category: 'XX'"),
        (lambda truth: truth.update(pair_id=""), "belongs to no pair"),
        (lambda truth: truth["questions"][0].update(answer="mauve"), "mauve"),
    ],
)
def test_damaged_gold_data_are_noticed(copied: Path, change, said: str) -> None:
    edit(copied / "truth.jsonl", change)
    assert said in "\n".join(small_e3vs().validate(copied, workers=1))


def test_a_home_in_two_splits_is_noticed(whole: Path) -> None:
    one = load_set(whole / "test")
    assert "is in the splits test and test" in small_e3vs().problems_between([one, one])[0]


def test_shares_rooms_actions_and_words_are_described(whole: Path) -> None:
    told = small_e3vs().described(sets_of(whole))
    assert sum(told.data["shares"].values()) == pytest.approx(1.0)
    assert told.data["limited"]["all"] == 0.0
    assert told.data["limited"]["start"] == 1.0
    assert set(told.data["splits"]) == {"train", "test"}
    assert sum(told.data["rooms"].values()) == 2
    assert 3 <= told.data["oracle_steps"]["least"] <= told.data["oracle_steps"]["most"] <= 25
    assert "categories: " in told.text


def test_all_splits_of_a_folder_are_shown_together(
    whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = str(whole)
    assert main(["episodes", "show", "e3vs", folder, "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["folder"] == folder
    assert set(shown["e3vs"]["splits"]) == {"train", "test"}
    assert len(shown["episodes"]) == shown["e3vs"]["episodes"]
    assert main(["episodes", "show", "e3vs", str(tmp_path / "none")]) == 1
    assert "is missing" in capsys.readouterr().err
