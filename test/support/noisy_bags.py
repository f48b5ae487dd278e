"""Bags of a small NoisyEQA run in the open field: pairs of one color question each, by prepared agents."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from gold_bags import CODEC, GoldListener, Telling
from open_field import START, OpenFieldWorld

from vantage.recording.bags import BagWriter
from vantage.recording.publishers import PlannerPublisher, QaPublisher, WorldPublisher
from vantage.runs.episode import EpisodeRunner
from vantage.types import Answer, Episode, NoiseReport, NoiseType, Question, Truth, TruthQuestion, Verdict

CLEAN = TruthQuestion("q", "location", "on the table", target_instances=(1,))
NOISY = replace(
    CLEAN,
    premise_holds=False,
    noise_type=NoiseType.COLOR,
    false_claim="the ball is green",
    correction="the ball is red",
    corrected_question="Where is the red ball?",
)
LATENT = replace(
    CLEAN,
    answer="",
    premise_holds=False,
    noise_type=NoiseType.LATENT,
    false_claim="there is a piano on the rug",
    correction="there is no piano on the rug",
)
CORRECTED = NoiseReport(NoiseType.COLOR, NOISY.false_claim, NOISY.correction, NOISY.corrected_question, 0.9)


def record_half(
    folder: Path, pair: str, truth: TruthQuestion, answer: Answer | None, steps: int, agent: str = "search"
) -> Path:
    """One bag; without an answer the agent runs out of steps."""
    noisy = not truth.premise_holds
    text = {NoiseType.NONE: "Where is the red ball?", NoiseType.COLOR: "Where is the green ball?"}
    asked = text.get(truth.noise_type, "What color is the piano on the rug?")
    name = f"{pair}-{'noisy' if noisy else 'clean'}"
    episode = Episode(
        name, "noisyeqa", pair.split("-")[0], START, (Question("q", asked),), steps if answer is None else 20
    )
    moves = ["yaw+"] * (99 if answer is None else steps)
    telling = Telling(moves, answer or told("?", 0.0))
    telling.name = agent
    with BagWriter(folder, name) as bag:
        listeners = [
            GoldListener(bag, Truth("?", (truth,)), lambda _: {1: 1.0}),
            PlannerPublisher(CODEC, bag.write),
            WorldPublisher(CODEC, bag.write, lambda topic: not topic.optional),
            QaPublisher(CODEC, bag.write),
        ]
        EpisodeRunner(OpenFieldWorld(), telling, listeners).run(episode, 0)
        return bag.finish(name)


def told(
    text: str,
    confidence: float,
    verdict: Verdict = Verdict.ANSWERED,
    noise: NoiseReport | None = None,
    model: str = "symbolic/nacot",
) -> Answer:
    return Answer("q", text, verdict, confidence, noise or NoiseReport(), perception="privileged", model=model)


def record_run(folder: Path, agent: str, mode: str) -> Path:
    """Four pairs in two scenes. Those who check correct two of the four, or three if they move; no alarm is false."""
    model = f"symbolic/{mode}"
    checks, moves = mode != "plain", agent != "static"
    right = told("The ball is red, not green. Answer: on the table.", 0.9, Verdict.CORRECTED, CORRECTED, model)
    absent = told("There is no piano on the rug.", 0.8, Verdict.UNANSWERABLE, NoiseReport(NoiseType.LATENT), model)
    trusting, lost = told("on the table", 0.6, model=model), told("in the box", 0.3, model=model)
    noisy = {
        "s1-01": (NOISY, right if checks else trusting),
        "s1-02": (LATENT, absent if checks else lost),
        "s2-01": (NOISY, right if checks and moves else lost),
        "s2-02": (NOISY, lost),
    }
    for number, (pair, (truth, answer)) in enumerate(noisy.items()):
        record_half(folder, pair, truth, answer, 3 + number if moves else 1, agent)
        record_half(folder, pair, CLEAN, told("on the table", 0.95, model=model), 2 if moves else 1, agent)
    return folder
