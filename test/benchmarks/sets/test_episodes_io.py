"""Episode sets on disk: round trip, and one sentence for each object that can be wrong."""

from __future__ import annotations

import hashlib
import json
import math
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from vantage.benchmarks.sets.episode_json import episode_of, to_line, truth_of
from vantage.benchmarks.sets.episodes_io import (
    check_files,
    checked_hash,
    content_hash,
    is_unchanged,
    load_set,
    load_truths,
    save_set,
)
from vantage.benchmarks.sets.set_info import SceneBounds, SetInfo
from vantage.errors import FormatError
from vantage.planning.actions import GantryActions
from vantage.spatial import Viewpoint
from vantage.types import Episode, EpisodePhase, NoiseType, Question, Truth, TruthQuestion

INFO = SetInfo(
    "search",
    GantryActions(0.25, math.pi / 6),
    {"room_1": SceneBounds((-2.0, -2.0, 0.0), (2.0, 2.0, 2.5))},
    {"set": 3},
    {"fraction": 0.35},
    {"camera.width": 640},
)
EPISODES = (
    Episode("a", "search", "room_1", Viewpoint(0.1, 0.2, 1.2, 0.5, 0.0), (Question("q1", "Where is it?"),), 60, 7),
    Episode("b", "search", "room_1", Viewpoint(1.0, 0.2, 1.2, 0.5, 0.0), (Question("q1", "Is there \u00fc?"),), 60),
)
TRUTHS = (
    Truth(
        "a", (TruthQuestion("q1", "location", "on the table", target_instances=(4,)),), EPISODES[1].start, ("x+",), 0.25
    ),
    Truth("b", (TruthQuestion("q1", "color", "", (), False, NoiseType.LATENT, "there is a mug", "there is no mug"),)),
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "goals").mkdir()
    (tmp_path / "goals" / "a.png").write_bytes(b"picture")
    (tmp_path / "scenes" / "room_1").mkdir(parents=True)
    save_set(tmp_path, INFO, EPISODES, TRUTHS)
    return tmp_path


def same(one: Truth, other: Truth) -> bool:
    """Equality with NaN equal to NaN."""
    return repr(one) == repr(other)


def test_round_trip(folder: Path) -> None:
    loaded = load_set(folder)
    assert loaded.episodes == EPISODES
    assert replace(loaded.info, content_hash="") == INFO
    truths = load_truths(folder, loaded.episodes)
    assert all(same(truths[truth.episode_id], truth) for truth in TRUTHS)
    assert check_files(loaded, truths) == []
    assert load_set(folder / "episodes.jsonl").episodes == EPISODES


def test_public_episodes_are_read_without_gold_data(folder: Path) -> None:
    (folder / "truth.jsonl").unlink()
    assert load_set(folder).episodes == EPISODES


def test_the_hash_notices_every_change(folder: Path) -> None:
    before = content_hash(folder)
    (folder / "goals" / "a.png").write_bytes(b"Picture")
    assert content_hash(folder) != before
    loaded = load_set(folder)
    assert any("content hash" in problem for problem in check_files(loaded, load_truths(folder, loaded.episodes)))


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("thresholds", {"pixels": 1.0}),
        ("settings", {"camera.width": 32}),
        ("seeds", {"set": 99}),
        ("actions", {"translation": 0.5, "rotation": 0.5}),
        ("benchmark", "noisyeqa"),
    ],
)
def test_the_hash_covers_the_description(folder: Path, key: str, value: object) -> None:
    assert checked_hash(load_set(folder)) == load_set(folder).info.content_hash
    described = json.loads((folder / "set.json").read_text())
    (folder / "set.json").write_text(json.dumps(described))
    assert is_unchanged(load_set(folder)), "how it is laid out does not matter"
    (folder / "set.json").write_text(json.dumps({**described, key: value}))
    with pytest.raises(FormatError, match="was changed after it was made: its files do not match the content hash"):
        checked_hash(load_set(folder))


def test_sets_from_before_the_description_was_covered_are_taken_as_they_were(folder: Path) -> None:
    digest = hashlib.sha256()
    for item in sorted(item for item in folder.rglob("*") if item.is_file() and item.name != "set.json"):
        data = item.read_bytes()
        digest.update(f"{item.relative_to(folder).as_posix()}\0{len(data)}\0".encode() + data)
    described = json.loads((folder / "set.json").read_text())
    (folder / "set.json").write_text(json.dumps({**described, "content_hash": digest.hexdigest()}))
    loaded = load_set(folder)
    assert checked_hash(loaded) == digest.hexdigest()
    assert check_files(loaded, load_truths(folder, loaded.episodes)) == []
    (folder / "goals" / "a.png").write_bytes(b"Picture")
    with pytest.raises(FormatError, match="content hash"):
        checked_hash(loaded)


def test_a_set_that_names_no_hash_is_taken_as_it_is(folder: Path) -> None:
    described = json.loads((folder / "set.json").read_text())
    (folder / "set.json").write_text(json.dumps({**described, "content_hash": ""}))
    loaded = load_set(folder)
    assert checked_hash(loaded) == content_hash(folder)
    assert check_files(loaded, load_truths(folder, loaded.episodes)) != []


def test_missing_parts_are_named(folder: Path) -> None:
    (folder / "goals" / "a.png").unlink()
    (folder / "scenes" / "room_1").rmdir()
    loaded = load_set(folder)
    problems = check_files(loaded, load_truths(folder, loaded.episodes))
    assert any("goals/a.png" in problem for problem in problems)
    assert any("room_1" in problem for problem in problems)


@pytest.mark.parametrize("name", ["set.json", "episodes.jsonl", "truth.jsonl"])
def test_a_missing_file_is_named(folder: Path, name: str) -> None:
    (folder / name).unlink()
    with pytest.raises(FormatError, match=name):
        load_truths(folder, load_set(folder).episodes)


def test_a_set_without_episodes_is_refused(folder: Path) -> None:
    (folder / "episodes.jsonl").write_text("\n")
    with pytest.raises(FormatError, match="no episode"):
        load_set(folder)


def edited(folder: Path, name: str, line: int, **changes: object) -> None:
    lines = (folder / name).read_text().splitlines()
    record = json.loads(lines[line])
    record.update({key: value for key, value in changes.items() if value is not None})
    for key in [key for key, value in changes.items() if value is None]:
        record.pop(key)
    lines[line] = json.dumps(record)
    (folder / name).write_text("\n".join(lines))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"colour": "red"}, "line 2: colour: unknown key"),
        ({"start": None}, "line 2: start: is missing"),
        ({"start": {"x": 0, "y": 0, "z": 1, "yaw": 0}}, "line 2: start.pitch: is missing"),
        ({"start": {"x": "a", "y": 0, "z": 1, "yaw": 0, "pitch": 0}}, "x: expected a number"),
        ({"start": {"x": 9.0, "y": 0, "z": 1, "yaw": 0, "pitch": 0}}, "'b' starts outside scene 'room_1'"),
        ({"episode_id": "a"}, "two entries have the episode_id 'a'"),
        ({"episode_id": "../x"}, "episode_id: expected"),
        ({"scene": "room_2"}, "unknown scene 'room_2'"),
        ({"max_steps": -1}, "max_steps: expected a whole number"),
        ({"max_steps": True}, "max_steps: expected a whole number"),
        ({"max_steps": 2**32}, "max_steps: expected a whole number"),
        ({"seed": 2**64}, "seed: expected a whole number"),
        ({"questions": []}, "'questions' is empty"),
        ({"questions": [{"question_id": "q", "text": "a \ud800?"}]}, r"line 2: questions\[0\]\.text holds half of a"),
        ({"\udfff": 1}, "line 2: a key in it holds half of a character"),
        ({"questions": [{"question_id": "q", "text": "?", "phase": "rest"}]}, "phase: expected one of explore, answer"),
        ({"questions": [{"question_id": "q", "text": "?"}] * 2}, "same question_id"),
    ],
)
def test_wrong_episodes_are_refused_in_one_sentence(folder: Path, changes: dict[str, object], message: str) -> None:
    edited(folder, "episodes.jsonl", 1, **changes)
    with pytest.raises(FormatError, match=message) as caught:
        load_set(folder)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("line", ["{", "[1]", "null", '{"episode_id": NaN}', "[" * 100_000])
def test_a_line_that_is_no_object_is_refused_with_its_number(folder: Path, line: str) -> None:
    with (folder / "episodes.jsonl").open("a") as file:
        file.write("\n" + line + "\n")
    with pytest.raises(FormatError, match="line 4"):
        load_set(folder)


def test_bytes_that_are_no_text_are_refused(folder: Path) -> None:
    (folder / "episodes.jsonl").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(FormatError, match=r"episodes\.jsonl"):
        load_set(folder)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"episode_id": "c"}, "'c' belongs to no episode"),
        ({"episode_id": "b"}, "two entries have the episode_id 'b'"),
        ({"oracle_actions": ["fly"]}, "unknown oracle action 'fly'"),
        ({"oracle_actions": None}, "must both be given or both be null"),
        ({"questions": []}, "are not those of its episode"),
        ({"secret": 1}, "secret: unknown key"),
    ],
)
def test_wrong_gold_data_are_refused(folder: Path, changes: dict[str, object], message: str) -> None:
    edited(folder, "truth.jsonl", 0, **changes)
    with pytest.raises(FormatError, match=message):
        load_truths(folder, EPISODES)


def test_an_episode_without_gold_data_is_named(folder: Path) -> None:
    lines = (folder / "truth.jsonl").read_text().splitlines()
    (folder / "truth.jsonl").write_text(lines[0])
    with pytest.raises(FormatError, match="episode 'b' has no gold data"):
        load_truths(folder, EPISODES)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"schema_version": 99}, "schema_version is 99"),
        ({"shape": 1}, "shape: unknown key"),
        ({"actions": {"translation": 0, "rotation": 1}}, r"set\.json: actions\.translation = 0.* is outside"),
        ({"actions": {"translation": float("inf"), "rotation": 1}}, "translation: expected a number"),
        ({"actions": {}}, "actions.translation: is missing"),
        ({"actions": None}, "actions: expected keys with values"),
        ({"benchmark": "a \ud800 b"}, r"set\.json: benchmark holds half of a character \(.ud800\)"),
        ({"benchmark": 7}, "benchmark: expected text"),
        ({"seeds": {"set": -1}}, r"set\.json: seeds\.set: expected a whole number"),
        ({"thresholds": {"pixels": "many"}}, r"set\.json: thresholds\.pixels: expected a number"),
        ({"thresholds": {"pixels": float("nan")}}, r"thresholds\.pixels: expected a number"),
        ({"thresholds": [1]}, "thresholds: expected keys with values"),
        ({"settings": {"camera.width": "wide"}}, r"set\.json: camera\.width must be of type int"),
        ({"settings": {"camera.height": "[" * 9000}}, r"set\.json: camera\.height must be of type int"),
        ({"settings": {"camera.height": 0}}, r"set\.json: camera\.height = 0 is outside"),
        ({"settings": {"camera.depth": 1}}, r"set\.json: unknown setting 'camera\.depth'"),
        ({"settings": {"\udfff": 1}}, "a key in settings holds half of a character"),
        (
            {"scenes": {"r": {"bounds_min": [0, 0], "bounds_max": [1, 1, 1]}}},
            r"scenes\.r\.bounds_min: expected a list of 3",
        ),
        ({"scenes": {"r": {"bounds_min": [0, 0, 0], "bounds_max": [0, 1, 1]}}}, "not a box"),
        ({"scenes": {"../r": {"bounds_min": [0, 0, 0], "bounds_max": [1, 1, 1]}}}, "cannot name a folder"),
        ({"scenes": [1]}, "scenes: expected keys with values"),
    ],
)
def test_a_wrong_description_is_refused(folder: Path, changes: dict[str, object], message: str) -> None:
    values = json.loads((folder / "set.json").read_text()) | changes
    (folder / "set.json").write_text(json.dumps(values))
    with pytest.raises(FormatError, match=message):
        load_set(folder)


def test_contradictions_are_refused_before_anything_is_written(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="no gold data"):
        save_set(tmp_path, INFO, EPISODES, TRUTHS[:1])
    assert list(tmp_path.iterdir()) == []


numbers = st.floats(-100, 100)
viewpoints = st.builds(Viewpoint, numbers, numbers, numbers, numbers, numbers)
names = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._-]{0,20}", fullmatch=True)
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)


@given(names, viewpoints, st.lists(texts, min_size=1, max_size=3), st.integers(0, 10**6), st.integers(0, 2**63 - 1))
def test_any_episode_survives(name: str, start: Viewpoint, asked: list[str], steps: int, seed: int) -> None:
    questions = tuple(Question(f"q{k}", text) for k, text in enumerate(asked))
    episode = Episode(name, "search", "room", start, questions, steps, seed)
    assert episode_of(to_line(episode), "here") == episode


@given(
    names,
    texts,
    st.sampled_from(list(NoiseType)),
    st.lists(st.integers(1, 2**31 - 1), max_size=4),
    st.none() | st.tuples(viewpoints, st.lists(st.sampled_from(GantryActions.names)), st.floats(0, 100)),
)
def test_any_truth_survives(name: str, text: str, noise: NoiseType, targets: list[int], oracle: object) -> None:
    question = TruthQuestion(
        "q", "color", text, (text, "x"), noise == NoiseType.NONE, noise, text, text, text, tuple(targets)
    )
    truth = Truth(name, (question,))
    if isinstance(oracle, tuple):
        goal, actions, length = oracle
        truth = Truth(name, (question,), goal, tuple(actions), length)
    assert same(truth_of(to_line(truth), "here"), truth)


def test_what_few_benchmarks_say_of_an_episode_survives_and_is_left_out_of_others():
    plain = Truth("e", (TruthQuestion("q", "color", "red"),))
    assert not {"category", "pair_id", "split", "oracle_is_bound", "solved_by"} & set(json.loads(to_line(plain)))
    assert not {"category", "to_weigh", "to_open"} & set(json.loads(to_line(plain))["questions"][0])
    asked = replace(plain.questions[0], category="attribute", to_weigh=(3, 4), to_open=(7,))
    told = replace(
        plain, questions=(asked,), pair_id="p7", split="test", oracle_is_bound=True, solved_by=("x,y,yaw", "all")
    )
    assert same(truth_of(to_line(told), "here"), told)
    for key, value in (("solved_by", "all"), ("oracle_is_bound", "perhaps"), ("split", 3)):
        with pytest.raises(FormatError, match=f"here: .*{key}"):
            truth_of(json.dumps({**json.loads(to_line(told)), key: value}), "here")


# Phases -------------------------------------------------------------------------------------------------------------

PHASES = (
    EpisodePhase("explore", 5),
    EpisodePhase("first", 2, (Question("q1", "Is there a cup?", "first"),)),
    EpisodePhase("again", 0, (Question("q1", "Is there a mug?", "again"),)),
)
PHASED = Episode.of_phases("e1", "search", "room", Viewpoint(1.0, 1.0, 1.0, 0.0, 0.0), PHASES, 7)
GOLD = tuple(TruthQuestion("q1", "existence", "yes", phase=phase) for phase in ("first", "again"))


def test_an_episode_of_several_phases_survives_its_line():
    line = to_line(PHASED)
    assert episode_of(line, "here") == PHASED
    assert list(json.loads(line)) == ["episode_id", "benchmark", "scene", "start", "seed", "phases"]
    truth = Truth("e1", GOLD)
    assert truth_of(to_line(truth), "here") == truth


def test_a_line_says_before_which_phases_the_world_is_put_back():
    phases = (*PHASES[:2], EpisodePhase("reenter", 9, restored=True), PHASES[2])
    whole = Episode.of_phases("e1", "search", "room", PHASED.start, phases, 7)
    line = to_line(whole)
    assert episode_of(line, "here") == whole
    assert [item.get("restored") for item in json.loads(line)["phases"]] == [None, None, True, None]
    assert "restored" not in to_line(PHASED)
    assert "restored" not in to_line(whole.in_phase(2)), "only a whole episode says it"


def test_an_episode_of_one_phase_is_written_as_ever():
    line = to_line(PHASED.in_phase(1))
    assert list(json.loads(line)) == ["episode_id", "benchmark", "scene", "start", "questions", "max_steps", "seed"]
    assert '"phase"' not in to_line(Truth("e1", (replace(GOLD[0], phase=""),)))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"phases": []}, "here: episode 'e1' has no phase; give it at least one"),
        ({"phases": [{"name": "a", "max_steps": 1}] * 2}, "here: episode 'e1' has two phases 'a'; name each, and"),
        ({"phases": [{"name": "a", "max_steps": 1}]}, "here: no phase asks a question; an episode needs at least one"),
        ({"phases": [{"name": "a", "max_steps": 0}]}, "here: phase 'a' of episode 'e1' is empty; give it questions or"),
        ({"phases": [{"name": "a b", "max_steps": 1}]}, r"here: phases\[0\]\.name: expected"),
        ({"phases": [{"name": "a", "max_steps": 1, "restored": True}]}, "here: phase 'a' of episode 'e1' is the first"),
        ({"phases": [{"name": "a", "max_steps": 1, "restored": 1}]}, r"here: phases\[0\]\.restored: expected"),
        ({"restored": True}, "here: restored: unknown key"),
        ({"questions": []}, "here: questions: unknown key"),
        ({"max_steps": 3}, "here: max_steps: unknown key"),
    ],
)
def test_phases_that_cannot_be_are_refused_in_one_sentence(change, said):
    with pytest.raises(FormatError, match=said):
        episode_of(json.dumps({**json.loads(to_line(PHASED)), **change}), "here")


@pytest.mark.parametrize("gold", [GOLD[::-1], GOLD[:1], tuple(replace(item, phase="") for item in GOLD)])
def test_gold_data_name_the_phases_in_their_order(tmp_path, gold):
    bounds = {"room": SceneBounds((0.0, 0.0, 0.0), (4.0, 4.0, 2.0))}
    with pytest.raises(FormatError, match="give each with its 'phase', in the order in which they are asked"):
        save_set(tmp_path, SetInfo("search", INFO.actions, bounds), [PHASED], [Truth("e1", gold)])


def test_a_set_of_several_phases_is_read_as_it_was_saved(tmp_path):
    bounds = {"room": SceneBounds((0.0, 0.0, 0.0), (4.0, 4.0, 2.0))}
    save_set(tmp_path, SetInfo("search", INFO.actions, bounds), [PHASED], [Truth("e1", GOLD)])
    loaded = load_set(tmp_path)
    assert loaded.episodes == (PHASED,)
    assert load_truths(tmp_path, loaded.episodes)["e1"].questions == GOLD


def test_a_set_names_its_world_where_it_is_not_the_usual_one(tmp_path):
    assert "world" not in json.loads(
        (save_set(tmp_path / "usual", INFO, EPISODES, TRUTHS).folder / "set.json").read_text()
    )
    made = save_set(tmp_path / "house", replace(INFO, world="house"), EPISODES, TRUTHS)
    assert json.loads((made.folder / "set.json").read_text())["world"] == "house"
    assert (made.info.world, load_set(tmp_path / "usual").info.world) == ("house", "splat")
