"""Actions that episodes allow: fixed, or by the floor that the camera reaches, and what a set says of them."""

import json
import math

import pytest
from row_tables import each_row
from small_house import make_house, saved
from small_noisyeqa import small_noisyeqa
from small_search import SMALL, small_benchmark

from vantage.benchmarks.sets.episodes_io import load_set
from vantage.benchmarks.sets.set_making import SetPlan
from vantage.benchmarks.sets.step_budget import StepBudget
from vantage.errors import FormatError, UsageError
from vantage.scenes.generator.generator import generate_home
from vantage.scenes.generator.home_layout import HomeLayout
from vantage.scenes.geometry.reachability import reachable_area
from vantage.scenes.spec.spec_file import load_spec, save_spec

USUAL = StepBudget(60, 1.5)


@each_row(
    "text, budget",
    [
        ("80", StepBudget(80)),
        ("per_square_metre=2", StepBudget(60, 2.0)),
        (" at_least = 40 , per_square_metre=0.5", StepBudget(40, 0.5)),
    ],
)
def test_budgets_are_read_as_people_type_them(text, budget):
    assert StepBudget.read(text, 60) == budget


@each_row(
    "text, said",
    [
        ("many", "the budget 'many' is no number of actions"),
        ("", "the budget '' is no number of actions"),
        ("1.5", "the budget '1.5' is no number of actions"),
        ("per_metre=2", "a budget has no 'per_metre'"),
        ("0", "a budget cannot be 0 actions per m2 and at least 0"),
        ("per_square_metre=nan", "a budget cannot be nan actions per m2"),
        ("per_square_metre=-1", "a budget cannot be -1 actions per m2"),
        ("99999999999", "a budget cannot be 0 actions per m2 and at least 99999999999"),
    ],
)
def test_impossible_budgets_are_refused_in_one_sentence(text, said):
    with pytest.raises(UsageError) as error:
        StepBudget.read(text, 60)
    assert str(error.value).startswith(said)


def test_large_homes_allow_more_actions(tmp_path):
    small, large = (generate_home(8, 2, layout=HomeLayout(area)) for area in (None, (30.0, 60.0)))
    steps = []
    for name, home in (("small", small), ("large", large)):
        (tmp_path / name).mkdir()
        save_spec(home, tmp_path / name / "spec.json")
        steps.append(USUAL.steps_in(tmp_path / name))
        assert StepBudget(70).steps_in(tmp_path / name) == 70
    assert steps == [60, math.ceil(1.5 * reachable_area(large))]
    assert steps[1] > 60


def test_usual_homes_keep_their_number_and_others_scale(tmp_path):
    assert SetPlan.of(3, None, "closed", None, USUAL) == SetPlan(HomeLayout(), StepBudget(60), False)
    assert SetPlan.of(3, None, "open", None, USUAL).budget == StepBudget(60)
    assert SetPlan.of(3, (10.0, 60.0), "closed", None, USUAL).budget == USUAL
    assert SetPlan.of(tmp_path, None, "closed", None, USUAL) == SetPlan(HomeLayout(), USUAL, True)
    assert SetPlan.of(tmp_path, None, "closed", "90", USUAL).budget == StepBudget(90)
    with pytest.raises(UsageError, match="of generated homes; leave them out"):
        SetPlan.of(tmp_path, None, "open", None, USUAL)


def test_a_set_says_its_homes_and_budget_and_validate_knows_them(tmp_path):
    out = tmp_path / "set"
    sizes = {"scenes": 1, "rooms": (1, 1), "episodes": 1, "noisy": 0, "room_area": (50.0, 80.0), "layout": "l-shaped"}
    made = small_benchmark().make(out, seed=2, settings=SMALL, **sizes)
    said = json.loads((out / "set.json").read_text())
    assert said["homes"] == {"room_area": [50.0, 80.0], "layout": "l-shaped"}
    assert said["budget"] == {"at_least": 60, "per_square_metre": 1.5}
    (episode,) = made.episodes
    home = load_spec(made.scene_folder(episode.scene) / "spec.json")
    assert len(home.rooms[0].outline) == 6
    assert episode.max_steps == max(60, math.ceil(1.5 * reachable_area(home)))
    assert small_benchmark().validate(out) == []
    line = json.loads((out / "episodes.jsonl").read_text()) | {"max_steps": 7}
    (out / "episodes.jsonl").write_text(json.dumps(line))
    assert any(
        f"'{episode.episode_id}' allows 7 actions, while the budget of the set gives {episode.max_steps} in" in problem
        for problem in small_benchmark().validate(out)
    )
    for key, value, wrong in (
        ("homes", {"layout": "round"}, "homes: there is no layout 'round'"),
        ("homes", {"layout": "open", "room_area": [1]}, "homes.room_area: expected a list of 2 numbers"),
        ("homes", {"layout": "open", "prints": "tiny"}, "homes: there is no print 'tiny'"),
        ("homes", {"layout": "open", "height": 2}, "homes.height: unknown key"),
        ("budget", {"at_least": 0}, "budget: a budget cannot be 0 actions"),
        ("budget", 60, "budget"),
    ):
        (out / "set.json").write_text(json.dumps({**said, key: value}))
        with pytest.raises(FormatError, match=wrong):
            load_set(out)


def test_the_questions_of_a_pair_in_an_imported_house_share_their_budget(tmp_path, monkeypatch):
    monkeypatch.delenv("VANTAGE_DATA", raising=False)
    houses = saved(make_house(), tmp_path)
    made = small_noisyeqa().make(
        tmp_path / "set",
        scenes=houses,
        pairs=1,
        shares="latent=1",
        workers=1,
        budget="per_square_metre=9",
        settings=SMALL,
    )
    noisy, clean = made.episodes
    assert noisy.max_steps == clean.max_steps
    assert made.info.budget == StepBudget(150, 9.0)
    assert noisy.max_steps == made.info.budget.steps_in(made.scene_folder(noisy.scene))
