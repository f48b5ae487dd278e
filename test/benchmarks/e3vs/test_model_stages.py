"""Two homes stripped of their graphs: with a model that sees what is there, views get the labels of geometry."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from small_e3vs import SMALL, small_e3vs

from vantage.benchmarks.e3vs.candidates import Candidate, Offer
from vantage.benchmarks.e3vs.e3vs_plan import HomePlan
from vantage.benchmarks.e3vs.graph_stages import ask
from vantage.benchmarks.e3vs.labelled_home import HomeLabels, opened_world
from vantage.benchmarks.e3vs.model_stages import ViewStages
from vantage.benchmarks.e3vs.stage_store import StageResult
from vantage.benchmarks.e3vs.viewed_home import ViewedHome
from vantage.benchmarks.sets.episodes_io import load_set
from vantage.benchmarks.sets.set_homes import GeneratedHome
from vantage.errors import ModelError, SceneError
from vantage.models.prompts import prompt
from vantage.types import TruthQuestion

HOMES = (GeneratedHome(9000, 1), GeneratedHome(14003, 1))
QUOTAS = {"OS": 2, "OA": 1, "CNT": 2}


class KnowingModel:
    """Sees in each picture which viewpoint took it, and knows from the graph which questions that answers."""

    name = "knowing"

    def __init__(self, exact: HomeLabels, viewed: ViewedHome) -> None:
        self.exact, self.views = exact, {}
        self.known = {c.text: c.question for c in (Candidate.of_json(i, "") for i in ask(exact).items)}
        self.guesses_right = False
        for view in viewed.candidates:
            self.views.setdefault(viewed.look(*view).tobytes(), view)

    def answers(self, question: TruthQuestion, image: np.ndarray) -> bool:
        return self.exact.views(question).answer(*self.views[image.tobytes()])

    def chat(self, text: str, images=(), schema=None, system="", image_names=()) -> str:
        return json.dumps(self.reply(text, images))

    def reply(self, text: str, images: Any) -> dict[str, Any]:
        about = next((words for words in self.known if words in text), "")
        if text.startswith("The pictures VIEW_1"):
            proposed = []
            for words, gold in self.known.items():
                shown = [k for k, image in enumerate(images, start=1) if self.answers(gold, image)]
                asked = {"question": words, "answer": gold.answer, "category": gold.category}
                proposed.append({**asked, "views": shown})
            return {"questions": proposed}
        if text.startswith("Does this picture alone"):
            return {"answers": self.answers(self.known[about], images[0])}
        if text.startswith("Answer in a few words"):
            right = self.guesses_right or (bool(images) and self.answers(self.known[about], images[0]))
            return {"answer": self.known[about].answer if right else "no idea"}
        if text.startswith("Question:"):
            return {"mark": 5 if f"Given answer: {self.known[about].answer}\n" in text else 1}
        if text.startswith("Rewrite"):
            return {"question": about}
        return {"valid": True, "answer": self.known[about].answer if about else ""}


@pytest.fixture(scope="module")
def plan(tmp_path_factory: pytest.TempPathFactory) -> HomePlan:
    labels = small_e3vs()._labels
    assert labels is not None
    return HomePlan(tmp_path_factory.mktemp("captures"), 0, SMALL, labels, QUOTAS)


@pytest.fixture(scope="module", params=HOMES, ids=lambda home: home.name)
def both(plan: HomePlan, request: pytest.FixtureRequest) -> Iterator[tuple[HomeLabels, ViewedHome]]:
    """A home with its graph, and the same one of which only the cloud is left."""
    home = request.param
    home.write(plan.stages / "scenes")
    bare = HomePlan(plan.root / "bare", 0, plan.settings, plan.labels, QUOTAS)
    left = bare.stages / "scenes" / home.name
    shutil.copytree(plan.stages / "scenes" / home.name, left)
    for name in ("graph.json", "spec.json"):
        (left / name).unlink()
    described = left / "scene.yaml"
    described.write_text("".join(x for x in described.read_text().splitlines(True) if not x.startswith("graph")))
    with opened_world(plan) as world, opened_world(bare) as other:
        assert other.place(home.name).scene.graph is None
        yield HomeLabels(plan, home, world), ViewedHome(bare, home, other)


def through(stages: ViewStages) -> dict[str, StageResult]:
    asked = stages.ask()
    valid = stages.drop_invalid([Candidate.of_json(item, "asked") for item in asked.items])
    views = stages.label_views([Candidate.of_json(item, "valid") for item in valid.items])
    starts = stages.offer_starts([Candidate.of_json(item, "views") for item in views.items])
    return {"questions": asked, "invalid": valid, "viewpoints": views, "answerability": starts}


def test_views_have_the_labels_that_geometry_gives_and_oracles_lead_to_answers(both) -> None:
    exact, viewed = both
    np.testing.assert_allclose(viewed.lattice.positions, exact.lattice.positions, atol=1e-9)
    model = KnowingModel(exact, viewed)
    found = through(ViewStages(viewed, model))
    labelled = [Candidate.of_json(item, "") for item in found["viewpoints"].items]
    assert labelled
    for candidate in labelled:
        right = exact.views(model.known[candidate.text])
        assert [view.answers for view in candidate.views] == [
            right.answer(view.position, view.heading) for view in candidate.views
        ]
    offers = [Offer.of_json(item, "", viewed.lattice.actions.names) for item in found["answerability"].items]
    assert offers
    for offer in offers:
        gold = model.known[offer.episode.questions[0].text]
        assert exact.judge.answers(gold, offer.truth.goal, exact.intrinsics)
        assert not exact.judge.answers(gold, offer.episode.start, exact.intrinsics)
        assert offer.truth.oracle_is_bound
        assert len(offer.truth.oracle_actions) <= 25
        assert "all" in offer.truth.solved_by


def test_what_is_answered_without_a_look_is_dropped(both) -> None:
    exact, viewed = both
    model = KnowingModel(exact, viewed)
    model.guesses_right = True
    found = through(ViewStages(viewed, model))
    assert len(found["viewpoints"].items) > 0
    assert found["answerability"].dropped == {"answered without a look": len(found["viewpoints"].items)}
    assert not found["answerability"].items


def test_a_reply_that_is_no_json_is_told(both) -> None:
    _, viewed = both

    class Chatty:
        name = "chatty"

        def chat(self, *arguments: Any, **named: Any) -> str:
            return "Sure, here is a question."

    with pytest.raises(ModelError, match="chatty did not reply with JSON"):
        ViewStages(viewed, Chatty()).ask()


def test_the_prompts_take_what_they_are_filled_with() -> None:
    assert prompt("views_ask").fields == ("number", "most")
    assert prompt("views_answers").fields == ("question", "answer")


class BrightModel:
    """Asks one question of each group of pictures; it is answered by those brighter than half of the first group."""

    name = "bright"

    def __init__(self) -> None:
        self.asked = 0
        self.middle = -1.0

    def chat(self, text: str, images=(), schema=None, system="", image_names=()) -> str:
        light = [float(image.mean()) for image in images]
        if self.middle < 0:
            self.middle = float(np.median(light))
        return json.dumps(self.reply(text, [value > self.middle for value in light]))

    def reply(self, text: str, bright: list[bool]) -> dict[str, Any]:
        if text.startswith("The pictures VIEW_1"):
            self.asked += 1
            shown = [k for k, yes in enumerate(bright, start=1) if yes]
            one = {"question": f"Where is thing {self.asked}?", "answer": "there", "category": "OS", "views": shown}
            return {"questions": [one]}
        if text.startswith("Does this picture alone"):
            return {"answers": bright[0]}
        return {"valid": True, "answer": "there", "mark": 1}


@pytest.fixture(scope="module")
def clouds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of two bare clouds."""
    root = tmp_path_factory.mktemp("clouds")
    for home in HOMES:
        home.write(root / "homes")
        shutil.copy(root / "homes" / home.name / "cloud.ply", root / f"{home.name}.ply")
    shutil.rmtree(root / "homes")
    return root


def test_a_set_is_made_of_bare_clouds(clouds: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = BrightModel()
    monkeypatch.setattr("vantage.benchmarks.e3vs.home_stages.shared_model", lambda which, settings: model)
    sizes = {"episodes": 4, "pairs": 2, "settings": SMALL, "workers": 1}
    benchmark = small_e3vs()
    told = benchmark.make(tmp_path / "set", scenes=clouds, judge_model="scripted:bright", **sizes)
    assert {name: split["homes"] for name, split in told.data["splits"].items()} == {"train": 1, "test": 1}
    for part in benchmark.sets_in(tmp_path / "set"):
        assert benchmark.validate(part, workers=1) == []
        described = benchmark.described([load_set(part)])
        assert described.data["shares"]["OS"] == 1.0
        assert described.data["limited"]["all"] == 0.0


def test_bare_clouds_take_a_model(clouds: Path, tmp_path: Path) -> None:
    with pytest.raises(SceneError, match="0 of 2 homes are fit to be asked about"):
        small_e3vs().make(tmp_path / "set", scenes=clouds, episodes=4, pairs=2, settings=SMALL, workers=1)
