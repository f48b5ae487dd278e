"""Bags of prepared agents in the open field: one for each case that decides whether and how an episode is scored."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from gold_bags import CLEAN, NOISY, Telling, gold, record, said
from noisy_bags import record_run
from scripted_agent import ScriptedAgent

from vantage.recording.bags import BagWriter, read_bag
from vantage.recording.topics import COMMAND_RESULT, RECORDING_SUMMARY, Topic
from vantage.types import NoiseReport, NoiseType, TruthQuestion, Verdict

LATENT = TruthQuestion(
    "q1",
    "color",
    "",
    premise_holds=False,
    noise_type=NoiseType.LATENT,
    false_claim="there is a piano",
    correction="there is no piano",
    target_instances=(1,),
)
SECOND = TruthQuestion("q2", "material", "plastic", target_instances=(1,))
MENDED = NoiseReport(NoiseType.COLOR, NOISY.false_claim, NOISY.correction, NOISY.corrected_question, 0.9)
ALARM = NoiseReport(NoiseType.LATENT, "there is a ball", "there is no ball", "", 0.7)


def record_prepared(folder: Path, scratch: Path) -> None:
    """Right, wrong, corrected, refused and unanswered ones, with and without gold data, whole and broken."""
    way = ["x+", "yaw+", "z-"]
    record(folder, "right", Telling(way, said("red"), (0, 2)), gold())
    record(folder, "right_nearer", Telling(["x+", "yaw+"], said("It is red.")), gold(), lambda k: {1: 0.4, 2: 0.2 * k})
    record(folder, "wrong", Telling(way, said("blue")), gold())
    record(folder, "unsure", Telling(way, said("I have not seen a ball yet.", Verdict.NEEDS_LOOK)), gold())
    record(folder, "false_alarm", Telling(way, said("There is no ball.", Verdict.UNANSWERABLE, ALARM)), gold())
    answer = said("The ball is red, not green. Answer: on the table.", Verdict.CORRECTED, MENDED)
    record(folder, "corrected", Telling(way, answer), gold(NOISY))
    refused = said("The ball is red, not green.", Verdict.UNANSWERABLE, replace(MENDED, corrected_question=""))
    record(folder, "refused", Telling(way, refused), gold(NOISY))
    record(folder, "noise_missed", Telling(way, said("on the table")), gold(NOISY))
    absent = said("There is no piano.", Verdict.UNANSWERABLE, NoiseReport(NoiseType.LATENT, confidence=0.8))
    record(folder, "latent_refused", Telling(way, absent), gold(LATENT, None))
    record(folder, "collided", Telling(["x+"] * 9 + ["yaw+"], said("red")), gold())
    record(folder, "no_answer", ScriptedAgent(["yaw+"] * 9), gold(), max_steps=3)
    record(folder, "no_oracle", Telling([], said("red")), gold(CLEAN, None))
    two = replace(gold(), questions=(CLEAN, SECOND))
    record(folder, "two_questions", ScriptedAgent(way, "red"), two, questions=2)
    record(folder, "dropped", Telling(way, said("red")), gold(), dropped={"/tf": 3})
    record(folder, "no_gold", Telling(way, said("red")))
    record(folder, "failed", Telling(way, replace(said("red"), question_id="other")), gold())
    record(folder, "partial", Telling(way, said("red")), gold(), finish=False)
    cut, _ = record(folder, "cut", Telling(way, said("red")), gold())
    file = next(cut.glob("*.mcap"))
    file.write_bytes(file.read_bytes()[:3000])
    whole, _ = record(scratch / "whole", "disturbed", Telling(way, said("red")), gold())
    _again(whole, folder, _second_result, ("the world was reset while the episode ran",))


def record_pairs(folder: Path) -> None:
    """Pairs of questions under two modes, with a static agent beside."""
    for agent, mode in (("search", "nacot"), ("search", "plain"), ("static", "nacot")):
        record_run(folder / f"{agent}-{mode}", agent, mode)


def _second_result(topic: Topic, message: Any) -> list[Any]:
    return [message, replace(message, sequence=1)] if topic is COMMAND_RESULT and message.sequence == 2 else [message]


def _again(path: Path, folder: Path, change: Callable[[Topic, Any], list[Any]], interference: tuple[str, ...]) -> None:
    """A bag like another one, but for what others told of its episode."""
    with BagWriter(folder, path.name) as bag:
        for topic, stamp, message in read_bag(path):
            for item in change(topic, message) if topic is not RECORDING_SUMMARY else []:
                bag.write(topic, stamp, item)
        bag.finish(path.name, interference=interference)
