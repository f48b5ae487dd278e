"""An agent states what it needs, and one of another package is treated by that like those that are built in."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from imported_questions import unseen_set

from vantage.config import AgentSettings, PixelSettings, Settings
from vantage.errors import RecordingError, UsageError
from vantage.perception.protocol import asked_model
from vantage.planning.needs import Need, check_named_model, needs_of
from vantage.recording.recordings import read_recording
from vantage.registry import AGENTS, PERCEIVERS
from vantage.runs.batch import make_agent

SEES = {Need.VIEWS, Need.PERCEPTION, Need.MODEL}
STATED = {
    "blind": {Need.MODEL},
    "coverage": SEES,
    "oracle": {Need.GOLD},
    "random": SEES,
    "search": SEES,
    "static": SEES,
    "vlm": SEES | {Need.NAMED_MODEL},
}

PACKAGE = """
from vantage.planning.agents.single_view_agents import BlindAgent
from vantage.planning.needs import Need
from vantage.types import Answer, Verdict


class Told(BlindAgent):
    name = "told"
    needs = frozenset({Need.GOLD})

    def __init__(self, settings, truths=None, **_):
        super().__init__(settings)
        self._truths = truths

    def begin(self, episode, info, seed):
        super().begin(episode, info, seed)
        self._gold = {gold.question_id: gold.answer for gold in self._truths[episode.episode_id].questions}

    def act(self, observation, last):
        question = self._open.pop(0)
        return Answer(question.question_id, self._gold[question.question_id], Verdict.ANSWERED, 1.0)


class Looker(BlindAgent):
    name = "looker"
    needs = frozenset({Need.VIEWS})


class Guesser(BlindAgent):
    name = "guesser"
    needs = frozenset({Need.NAMED_MODEL})
"""
POINTS = """
[vantage.agents]
told = told_agents:Told
looker = told_agents:Looker
guesser = told_agents:Guesser
"""
RUNS = """
import sys
from vantage.cli.main import main
episodes, out = sys.argv[1:]
for agent in ("told", "looker", "guesser"):
    words = ["--episodes", episodes, "--out", f"{out}/{agent}", "--world", "none", "--agent", agent]
    print(agent, main(["run", "open-eqa", *words]), flush=True)
"""


def test_what_the_built_in_agents_need() -> None:
    for name, needs in STATED.items():
        assert needs_of(AGENTS.get(name)) == needs, name
    assert needs_of(object()) == frozenset()


def test_a_model_that_must_be_named() -> None:
    named = Settings(agent=AgentSettings(model="openai:x"))
    check_named_model("vlm", AGENTS.get("vlm"), named)
    check_named_model("blind", AGENTS.get("blind"), Settings())
    with pytest.raises(UsageError, match="agent 'vlm' asks a model, and none is set"):
        check_named_model("vlm", AGENTS.get("vlm"), Settings())


def test_gold_data_need_an_episode_set() -> None:
    with pytest.raises(RecordingError, match="agent 'oracle' needs gold data; give it an episode set"):
        make_agent("oracle", Settings())


def test_a_perceiver_says_which_model_it_asks() -> None:
    settings = Settings(agent=AgentSettings(model="openai:thinks"))
    assert asked_model(PERCEIVERS.get("vlm"), settings) == "openai:thinks"
    sees = Settings(agent=settings.agent, pixels=PixelSettings(model="openai:sees"))
    assert asked_model(PERCEIVERS.get("vlm"), sees) == "openai:sees"
    others = [name for name in PERCEIVERS.names() if name != "vlm"]
    assert [asked_model(PERCEIVERS.get(name), sees) for name in others] == [""] * len(others)


def test_agents_of_another_package_are_treated_by_their_needs(tmp_path: Path) -> None:
    (tmp_path / "told_agents.py").write_text(PACKAGE)
    described = tmp_path / "told_agents-1.0.dist-info"
    described.mkdir()
    (described / "METADATA").write_text("Metadata-Version: 2.1\nName: told-agents\nVersion: 1.0\n")
    (described / "entry_points.txt").write_text(POINTS)
    path = os.pathsep.join(filter(None, (str(tmp_path), os.environ.get("PYTHONPATH"))))
    done = subprocess.run(
        [sys.executable, "-c", RUNS, str(unseen_set(tmp_path, 2)), str(tmp_path / "bags")],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "looker 2" in done.stdout
    assert "agent 'looker' looks round, and world 'none' shows nothing" in done.stderr
    assert "guesser 2" in done.stdout
    assert "agent 'guesser' asks a model, and none is set" in done.stderr
    assert "told 0" in done.stdout
    bags = sorted((tmp_path / "bags" / "told").iterdir())
    assert [answer.text for bag in bags for answer in read_recording(bag).answers] == ["Glass", "Glass"]
