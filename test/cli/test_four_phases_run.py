"""``vantage run`` of episodes that explore, answer, look again and refine, in the smallest houses: killed in a phase
and resumed, with a physics that breaks down, with a set that was changed meanwhile, and with phases out of order."""

from __future__ import annotations

import json
import shutil
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from marked_processes import Marked, until

from vantage.benchmarks.excalibur.excalibur_sets import SetRequest, make_set
from vantage.benchmarks.excalibur.houses import VAL, House
from vantage.benchmarks.labelling import VisibilitySettings
from vantage.benchmarks.sets.episodes_io import EPISODE_SET, EPISODES, content_hash
from vantage.cli.main import main
from vantage.config import Settings
from vantage.planning.agents.exploration_agents import CoverageAgent
from vantage.reports.scoring import score_runs
from vantage.types import Episode
from vantage.worlds.house.physics.simulation import Simulation

pytestmark = pytest.mark.needs("house")

# Of one episode, the agent stands still at its first action in one phase, and says so by a file.
STALLED = """
import sys, time
from pathlib import Path
from vantage.cli.main import main
from vantage.planning.agents.exploration_agents import CoverageAgent
told, episode, phase, *words = sys.argv[1:]
act = CoverageAgent.act
def stalled(self, observation, last):
    if (self._episode.episode_id, self._episode.phase) == (episode, phase):
        Path(told).touch()
        time.sleep(600)
    return act(self, observation, last)
CoverageAgent.act = stalled
sys.exit(main(words))
"""


@pytest.fixture(scope="module")
def episodes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two houses of one room."""
    settings = Settings()
    settings = replace(settings, agent=replace(settings.agent, hidden_contents=True))
    request = SetRequest([House(VAL, 0, 1), House(VAL, 1, 1)], 2, 6, 4, 5, settings, VisibilitySettings(), 1)
    return make_set(tmp_path_factory.mktemp("excalibur") / "set", request, lambda line: None).folder


@pytest.fixture(scope="module")
def undisturbed(episodes: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("runs") / "bags"
    assert main(words(episodes, out)) == 0
    return out


def words(episodes: Path, out: Path, *more: str) -> list[str]:
    small = ("--set", "camera.width=160", "--set", "camera.height=120", "--perception", "privileged")
    command = ["run", "excalibur", "--world", "house", "--agent", "coverage", *small]
    return [*command, "--episodes", str(episodes), "--out", str(out), *more]


def names(episodes: Path) -> list[str]:
    return [json.loads(line)["episode_id"] for line in (episodes / EPISODES).read_text().splitlines()]


def refusal(capsys: pytest.CaptureFixture[str], *given: str) -> str:
    """The one sentence with which the command fails, after the one about pictures smaller than those of the set."""
    capsys.readouterr()
    assert main(given) == 1
    contradiction, told = capsys.readouterr().err.strip().splitlines()
    assert contradiction.startswith("--set counts, and not ")
    return told


def test_a_run_killed_while_it_explores_and_while_it_looks_again_is_resumed_to_the_same_scores(
    episodes: Path, undisturbed: Path, tmp_path: Path
) -> None:
    out, (first, second) = tmp_path / "bags", names(episodes)
    for episode, phase in ((first, "explore"), (second, "reenter")):
        told = tmp_path / phase
        given = (str(told), episode, phase, *words(episodes, out, "--resume"))
        with Marked([sys.executable, "-c", STALLED, *given]) as started:
            assert is_there(told, started)
            started.process.kill()
            assert started.is_gone()
    kept = (out / first / "metadata.yaml").stat().st_mtime_ns
    assert not (out / second).exists()
    assert main(words(episodes, out, "--resume")) == 0
    assert (out / first / "metadata.yaml").stat().st_mtime_ns == kept, "what was complete is not run again"
    assert score_runs(out).to_json() == score_runs(undisturbed).to_json()
    assert {item.name for item in out.iterdir()} == {item.name for item in undisturbed.iterdir()}


def test_a_physics_that_breaks_down_on_looking_again_leaves_the_first_answers_scored_and_the_run_going(
    episodes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = names(episodes)
    usual = CoverageAgent.begin_phase
    breaking: list[bool] = []

    def begin_phase(self: CoverageAgent, episode: Episode) -> None:
        usual(self, episode)
        breaking[:] = [True] if (episode.episode_id, episode.phase) == (first, "reenter") else []

    def fault(self: Simulation) -> str | None:
        return "a position or a speed is not a number" if breaking and breaking.pop() else None

    monkeypatch.setattr(CoverageAgent, "begin_phase", begin_phase)
    monkeypatch.setattr(Simulation, "_fault", fault)
    assert main(words(episodes, tmp_path / "bags")) == 1
    scores = {score.episode_id: score for score in score_runs(tmp_path / "bags").scores}
    assert all(score.complete for score in scores.values())
    assert "a position or a speed is not a number" in scores[first].incomplete_reason
    assert scores[first].incomplete_reason.startswith("scored until phase 'answer' (ended are: explore, answer): ")
    assert scores[second].incomplete_reason == ""


def test_a_set_that_was_changed_between_two_runs_is_not_gone_on_with(
    episodes: Path, undisturbed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, changed = shutil.copytree(undisturbed, tmp_path / "bags"), shutil.copytree(episodes, tmp_path / "set")
    lines = (changed / EPISODES).read_text()
    (changed / EPISODES).write_text(lines.replace('"max_steps": 6', '"max_steps": 7'))
    assert "was changed after it was made" in refusal(capsys, *words(changed, out, "--resume"))
    stamped(changed)
    told = refusal(capsys, *words(changed, out, "--resume"))
    assert "was recorded of another episode set, or of this one before it was changed; choose another --out" in told
    assert score_runs(out).to_json() == score_runs(undisturbed).to_json()


def test_phases_out_of_order_are_refused_before_anything_is_run(
    episodes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    turned = shutil.copytree(episodes, tmp_path / "set")
    lines = [json.loads(line) for line in (turned / EPISODES).read_text().splitlines()]
    for line in lines:
        explore, answer, *others = line["phases"]
        line["phases"] = [answer, explore, *others]
    (turned / EPISODES).write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    stamped(turned)
    told = refusal(capsys, *words(turned, tmp_path / "bags"))
    assert f"episode '{names(episodes)[0]}' goes through answer, explore, reenter, refine" in told
    assert "(and 1 more like it); make the set again" in told
    assert not (tmp_path / "bags").exists()


def is_there(path: Path, started: Marked) -> bool:
    """Waits for a file of a process that goes on; whether both are there."""
    until(lambda: path.exists() or started.process.poll() is not None)
    return started.process.poll() is None


def stamped(folder: Path) -> None:
    """As if the set had been made as it is now."""
    info = json.loads((folder / EPISODE_SET).read_text())
    info["content_hash"] = content_hash(folder)
    (folder / EPISODE_SET).write_text(json.dumps(info))
