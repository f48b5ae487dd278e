"""Who is given which episode, and what a study keeps on disk."""

from __future__ import annotations

import json
import shutil

import pytest
from gold_bags import Telling, gold, record, said

from vantage.errors import FormatError, UsageError
from vantage.web.play import Study, StudyEpisode


def episodes(pairs=10):
    return [
        StudyEpisode(f"e{n}-{half}", f"home{n % 3}", f"kind{n % 2}", f"e{n}")
        for n in range(pairs)
        for half in ("noisy", "clean")
    ]


def completed(study, trial):
    bag = study.bag(trial)
    bag.mkdir(parents=True)
    (bag / "metadata.yaml").write_text("")


def played(study, name, most=99):
    done = []
    while len(done) < most and (trial := study.next(name)) is not None:
        completed(study, trial)
        study.finished(name)
        done.append(trial)
    return done


def test_nobody_gets_both_twins_and_everything_is_given_as_often_as_asked(tmp_path):
    study = Study(tmp_path, episodes(), "d", per_episode=2)
    people = [study.join(f"seat-{n}", "00") for n in range(4)]
    given = {name: played(study, name) for name in people}
    for trials in given.values():
        assert len({trial.episode_id.split("-")[0] for trial in trials}) == len(trials) == 10
    assert study.remaining() == study.lost() == study.doubled() == 0
    assert len({trial for trials in given.values() for trial in trials}) == 40


def test_kinds_and_homes_are_balanced_whatever_the_seed(tmp_path):
    for seed in range(5):
        study = Study(tmp_path / str(seed), episodes(12), "d", seed)
        first = played(study, study.join("seat", "00"), 6)
        numbers = [int(trial.episode_id[1:].split("-")[0]) for trial in first]
        for modulus in (2, 3):
            counts = [sum(number % modulus == part for number in numbers) for part in range(modulus)]
            assert max(counts) - min(counts) <= 1


def test_a_study_goes_on_where_it_was_ended(tmp_path):
    study = Study(tmp_path, episodes(), "d")
    name = study.join("seat", "00")
    played(study, name, 2)
    doing = study.next(name)
    again = Study(tmp_path, episodes(), "d")
    assert again.sitting("seat") == name
    assert again.next(name) == doing
    record(again.bag(doing).parent, doing.episode_id, Telling(("x+",), said("red")), gold())  # and was ended then
    third = Study(tmp_path, episodes(), "d")
    assert third.people[name].done[-1] == doing
    assert third.next(name) != doing


def test_a_study_goes_on_under_the_same_control_alone(tmp_path):
    name = Study(tmp_path, episodes(), "d", control="dof=x+y+yaw").join("seat", "00")
    before = (tmp_path / "study.json").read_bytes()
    for control in ("", "dof=yaw", "dof=x+y+yaw,frames=3"):
        with pytest.raises(UsageError, match="was begun with control = 'dof=x\\+y\\+yaw', not"):
            Study(tmp_path, episodes(), "d", control=control)
    assert (tmp_path / "study.json").read_bytes() == before
    for control in ("dof=x+y+yaw", None):
        taken_up = Study(tmp_path, episodes(), "d", control=control)
        taken_up.practised(name)
        assert json.loads((tmp_path / "study.json").read_text())["control"] == "dof=x+y+yaw"


def test_a_study_from_before_controls_were_written_down_goes_on(tmp_path):
    Study(tmp_path, episodes(), "d").join("seat", "00")
    state = json.loads((tmp_path / "study.json").read_text())
    assert state.pop("control") == ""
    (tmp_path / "study.json").write_text(json.dumps(state))
    assert Study(tmp_path, episodes(), "d", control="frames=3").sitting("seat") is not None


def test_what_is_given_back_goes_to_others_and_what_is_finished_stays(tmp_path):
    study = Study(tmp_path, episodes(1), "d")
    first, second = study.join("a", "00"), study.join("b", "00")
    mine = study.next(first)
    assert study.next(second) != mine
    study.give_back(first)
    study.leave(second)
    assert study.sitting("b") is None
    assert study.sitting("a") == first
    played(study, first)
    assert (study.remaining(), study.lost(), study.doubled()) == (1, 0, 0)


def test_a_bag_that_was_broken_off_is_not_finished_and_one_that_could_not_be_noted_is(tmp_path, monkeypatch):
    study = Study(tmp_path, episodes(), "d")
    name = study.join("seat", "00")
    doing = study.next(name)
    completed(study, doing)  # of nothing: what is there is no recording of a finished episode
    assert Study(tmp_path, episodes(), "d").people[name].now == doing
    shutil.rmtree(study.bag(doing))
    record(study.bag(doing).parent, doing.episode_id, Telling(("x+",), said("red")), gold())
    with monkeypatch.context() as patch:
        patch.setattr("vantage.web.play.study.write_whole", full)
        for change in (study.finished, study.give_back, study.leave, study.next):
            with pytest.raises(OSError, match="No space"):
                change(name)
        with pytest.raises(OSError, match="No space"):
            study.join("other", "00")
    assert (study.people[name].now, study.sitting("other")) == (doing, None), "memory says what the disk says"
    study.give_back(name)
    assert study.people[name].done == [doing]
    assert study.lost() == 0


def full(*_, **__):
    raise OSError(28, "No space left on device")


def test_a_participant_is_deleted_with_her_bags(tmp_path):
    study = Study(tmp_path, episodes(), "d")
    name, other = study.join("a", "00"), study.join("b", "00")
    done, kept = played(study, name, 3), played(study, other, 2)
    assert study.delete(name) == 3
    assert not any(study.bag(trial).exists() for trial in done)
    assert all(study.bag(trial).exists() for trial in kept)
    assert name not in (tmp_path / "study.json").read_text()
    with pytest.raises(UsageError, match="no participant"):
        study.delete(name)


def test_a_state_that_is_damaged_or_of_another_study_is_refused(tmp_path):
    Study(tmp_path, episodes(), "d", mode="plain").join("a", "00")
    state = tmp_path / "study.json"
    for digest, seed, count in (("x", 0, 1), ("d", 1, 1), ("d", 0, 2)):
        with pytest.raises(UsageError, match="choose another --out"):
            Study(tmp_path, episodes(), digest, seed, count)
    with pytest.raises(UsageError, match=r"begun with mode = 'plain', not 'replay'; choose another --out"):
        Study(tmp_path, episodes(), "d", mode="replay")
    whole = state.read_text()
    deep = "[" * 100_000 + "]" * 100_000
    for text in (whole[: len(whole) // 2], "[]", "{}", deep, json.dumps({**json.loads(whole), "people": {"p": 3}})):
        state.write_text(text)
        with pytest.raises(FormatError, match="no state of a study"):
            Study(tmp_path, episodes(), "d")
    state.write_text(json.dumps({**json.loads(whole), "model.url": "http://127.0.0.1:1/v1"}))
    with pytest.raises(FormatError, match=r"it says 'model\.url', which is not for a study to say; move it away"):
        Study(tmp_path, episodes(), "d")


def test_a_study_leads_nobody_out_of_its_folder(tmp_path):
    """``delete`` removes bags, so a folder of them behind a link would be somebody's own."""
    study = Study(tmp_path / "study", episodes(), "d")
    completed(study, study.next(study.join("a", "00")))
    (tmp_path / "study" / "1").rename(tmp_path / "runs")
    (tmp_path / "study" / "1").symlink_to(tmp_path / "runs")
    with pytest.raises(FormatError, match=r"study/1 is a link that leads out of"):
        Study(tmp_path / "study", episodes(), "d")


def test_a_study_that_does_not_say_its_mode_is_gone_on_with_and_says_it_then(tmp_path):
    Study(tmp_path, episodes(), "d", mode="nap").join("a", "00")
    state = tmp_path / "study.json"
    older = json.loads(state.read_text())
    del older["mode"]
    state.write_text(json.dumps(older))
    Study(tmp_path, episodes(), "d", mode="nacot").join("b", "00")
    assert json.loads(state.read_text())["mode"] == "nacot"
    name = next(iter(Study(tmp_path, episodes(), "d").people))
    Study(tmp_path, episodes(), "d").delete(name)  # whoever deletes need not know it
    assert json.loads(state.read_text())["mode"] == "nacot"


@pytest.mark.parametrize(
    "trial",
    [
        {"episode_id": "../../other", "repeat": 1},
        {"episode_id": "e0-noisy", "repeat": 2},
        {"episode_id": "e0-noisy", "repeat": "../.."},
        {"episode_id": ["e0-noisy"], "repeat": 1},
    ],
)
def test_a_state_never_leads_out_of_the_study(tmp_path, trial):
    name = Study(tmp_path, episodes(), "d").join("a", "00")
    state = tmp_path / "study.json"
    whole = json.loads(state.read_text())
    for where in ({"now": trial}, {"done": [trial]}):
        state.write_text(json.dumps({**whole, "people": {name: {**whole["people"][name], **where}}}))
        with pytest.raises(FormatError, match=r"no state of a study|which this study does not have"):
            Study(tmp_path, episodes(), "d")
