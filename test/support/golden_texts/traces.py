"""What agents command and answer in a small home, in process and over ROS, read from the bags of the run."""

from __future__ import annotations

import contextlib
import io
from dataclasses import replace
from pathlib import Path
from shutil import copytree
from typing import Any

from box_room import SIZE, BoxRoom, furnished_room

from golden_texts.arithmetic import fingerprint
from golden_texts.holding import held
from golden_texts.sets import SETS, SMALL, make
from vantage.benchmarks.sets.episodes_io import load_set, load_truths, save_set
from vantage.benchmarks.sets.set_info import SceneBounds, SetInfo
from vantage.cli.main import main
from vantage.config import Settings
from vantage.planning.actions import GantryActions
from vantage.recording.bags import read_bag
from vantage.recording.topics import ANSWER, COMMAND_RESULT, VIEWPOINT_COMMAND
from vantage.registry import WORLDS
from vantage.spatial import Viewpoint
from vantage.types import Episode, NoiseType, Observation, Question, Status, Truth, TruthQuestion, Verdict

AGENTS, BOXES = ("search", "coverage"), "boxes"
PLACES = ("splat", BOXES)
TOLERANCE = 2e-6  # m, rad and of confidences, which are given to six digits
TOLD = (("search", "mug"), ("coverage", "vase"))  # agents and episodes among boxes of which every message is held
_MOST_STEPS = {"splat": 16, BOXES: 40}
_AMONG_BOXES = {
    "mug": (Viewpoint(1.03, 0.61, 1.22, 3.09, 0.02), "What color is the mug on the table?"),
    "vase": (Viewpoint(3.37, 1.71, 1.13, -0.23, -0.11), "What is the green vase on the shelf made of?"),
    "radio": (Viewpoint(0.71, 1.93, 0.97, 1.37, 0.07), "Is there a radio on the table?"),
}
_SEES = ("--set", "agent.min_pixels=3", "--seed", "5")


class _Boxes(BoxRoom):
    """The furnished room of boxes as a world that can be named, with a clock of tenths of a second."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(furnished_room(), settings.camera.width, settings.camera.height)

    def observe(self) -> Observation:
        seen = super().observe()
        return replace(seen, stamp=10**9 + 10**8 * seen.stamp)


def make_sets(folder: Path, search: Path | None = None) -> dict[str, Path]:
    """The set of each place: three questions in a generated home of one room, and three among drawn boxes.

    Args:
        search: the first of these, where it is made already; it is copied.
    """
    if search is None:
        make("search", SETS["search"], folder / "splat")
    else:
        copytree(search, folder / "splat")
    made = load_set(folder / "splat")
    truths = load_truths(folder / "splat", made.episodes)
    shorter = [replace(episode, max_steps=_MOST_STEPS["splat"]) for episode in made.episodes]
    save_set(folder / "splat", made.info, shorter, [truths[episode.episode_id] for episode in shorter])
    asked = [
        Episode(name, "search", BOXES, start, (Question("q1", text),), _MOST_STEPS[BOXES])
        for name, (start, text) in _AMONG_BOXES.items()
    ]
    gold = [Truth(episode.episode_id, (TruthQuestion("q1", "color", "red"),)) for episode in asked]
    (folder / BOXES).mkdir()
    bounds = {BOXES: SceneBounds((0.0, 0.0, 0.0), SIZE)}
    save_set(folder / BOXES, SetInfo("search", GantryActions(0.25, 0.5), bounds), asked, gold)
    return {"splat": folder / "splat", BOXES: folder / BOXES}


def texts(agent: str, place: str, episodes: Path, out: Path, ros: bool = False) -> dict[str, str]:
    """The trace of every episode of a set. Over ROS the whole graph is brought up on the domain ``ROS_DOMAIN_ID``."""
    if BOXES not in WORLDS.names():
        WORLDS.register(BOXES, _Boxes)
    words = ["up"] if ros else ["run", "search"]
    _do(*words, "--world", place, "--episodes", episodes, "--agent", agent, *SMALL, *_SEES, "--out", out)
    return {f"{bag.name}.txt": trace(bag) for bag in sorted(out.iterdir()) if bag.is_dir()}


def with_kind(made: dict[str, str]) -> dict[str, str]:
    """The traces in a rendered home with the kind of machine that they hold on: last digits of pictures differ between
    kinds of processors, and decide where two views are worth the same."""
    return {**made, "arithmetic.txt": f"{fingerprint()}\n"}


def comparable(net: str, made: dict[str, str]) -> dict[str, str]:
    """What is to be compared with a net: where it was made on another kind of machine, the net itself."""
    before = held(net)
    if "arithmetic.txt" not in before:
        return made
    return with_kind(made) if before["arithmetic.txt"].strip() == fingerprint() else before


def trace(bag: Path) -> str:
    """A line for each command with what became of it, in the order of their numbers, then one for each answer."""
    sent: dict[int, str] = {}
    results: dict[int, str] = {}
    answers = []
    for topic, _, message in read_bag(bag, (VIEWPOINT_COMMAND, COMMAND_RESULT, ANSWER)):
        if topic is VIEWPOINT_COMMAND:
            unwind = " unwinding" if message.allow_unwind else ""
            sent[message.sequence] = f"{message.action or '-'} to {_place(message.target)}{unwind}"
        elif topic is COMMAND_RESULT:
            reached, said = _place(message.reached), f": {message.reason}" if message.reason else ""
            results[message.sequence] = f"{Status(message.status).name.lower()} at {reached}{said}"
        else:
            answers.append(_answer(message))
    lines = [f"{number} {sent[number]}; {results.get(number, 'nothing')}" for number in sorted(sent)]
    return "\n".join([*lines, *answers]) + "\n"


def _answer(message: Any) -> str:
    noise = message.noise
    said = f"{message.question_id} ({message.phase}) {Verdict(message.verdict).name.lower()} {message.confidence:.6f}"
    premise = f"{NoiseType(noise.noise_type).name.lower()} {noise.confidence:.6f} '{noise.false_claim}' "
    premise += f"-> '{noise.correction}' -> '{noise.corrected_question}': '{noise.explanation}'"
    seen = ", ".join(_place(viewpoint) for viewpoint in message.evidence_viewpoints)
    return f"{said}: '{message.text}'; noise {premise}; by {message.model}, {message.perception}; from {seen or '-'}"


def _place(viewpoint: Any) -> str:
    values = (viewpoint.x, viewpoint.y, viewpoint.z, viewpoint.yaw, viewpoint.pitch)
    return "(" + ", ".join(f"{round(value, 6) + 0.0:.6f}" for value in values) + ")"


def _do(*words: object) -> None:
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()) as told:
        status = main([str(word) for word in words])
    if status != 0:
        raise RuntimeError(f"'vantage {' '.join(map(str, words))}' failed: {told.getvalue()[-500:]}")
