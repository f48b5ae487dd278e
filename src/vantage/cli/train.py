"""``vantage train``: agents that learn from the episodes of a set."""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vantage.cli.main import Result, at_least, common_options, progress, settings_options
from vantage.registry import BENCHMARKS

if TYPE_CHECKING:
    from vantage.learning import Comparison

_STEPS, _SMOKE_STEPS = 1_000_000, 10_000
_SMOKE_S = 24 * 60.0  # in which the rounds of a smoke training end, so that comparing fits into half an hour
_COMPARED = 12  # episodes of each set, at the end
_FEATURES = ("pixels", "clip", "detections")  # of vantage.learning.visual_features, which needs torch


def add_parser(subparsers: Any) -> None:
    parser = subparsers.add_parser(
        "train",
        parents=[common_options(), settings_options("that of the benchmark, such as config/excalibur.yaml")],
        help="train an agent on an episode set",
        description="Train an agent by PPO and the answers of a set. What is in --out is gone on with. At the end the "
        "trained policy is compared with the untrained one, and its answers with those to the question alone.",
    )
    parser.add_argument("benchmark", help=f"one of: {', '.join(BENCHMARKS.names())}, with questions and steps")
    parser.add_argument("--agent", required=True, metavar="WHICH", help="what is rewarded: novelty, qa or novelty+qa")
    parser.add_argument("--episodes", required=True, metavar="DIR", help="the episode set, of training houses")
    parser.add_argument("--held-out", metavar="DIR", help="a set of other houses, to compare on as well")
    parser.add_argument("--out", required=True, metavar="DIR", help="for checkpoint, log and language model")
    parser.add_argument("--world", help="registered world (default: the set's)")
    parser.add_argument(
        "--features", choices=_FEATURES, default=_FEATURES[0], help="what is seen (default %(default)s)"
    )
    parser.add_argument("--t5", default="", metavar="FOLDER", help="a T5 (default: a tiny one, trained on text)")
    parser.add_argument("--steps", type=at_least(1), help=f"actions in all (default {_STEPS}, smoke {_SMOKE_STEPS})")
    parser.add_argument("--workers", type=at_least(1), default=2, help="processes; the result is the same (default 2)")
    parser.add_argument("--seed", type=at_least(0), default=0)
    parser.add_argument(
        "--smoke", action="store_true", help="a short training, within half an hour; says what it was worth"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> Result:
    from vantage.learning import require_training

    require_training()
    from contextlib import ExitStack
    from functools import partial

    from vantage.benchmarks import make_benchmark
    from vantage.cli.episodes import load_set_of
    from vantage.cli.json_values import json_value
    from vantage.cli.settings import settings_from, tell_contradictions
    from vantage.learning import ALL, EpisodeEnv, Training, TrainingPlan, VisualFeatures, compare, surroundings_of
    from vantage.perception import BlindPerceiver
    from vantage.recording import FolderLock
    from vantage.signals import terminable
    from vantage.workers import WorkerPool

    begun = time.monotonic()
    found = load_set_of(arguments.benchmark, arguments.episodes)
    tell_contradictions(arguments, found, set_counts=True)
    settings = settings_from(arguments, usual=make_benchmark(arguments.benchmark).parameters)
    visual = VisualFeatures.create(arguments.features, settings, settings.training.size)
    made = partial(
        EpisodeEnv,
        world=arguments.world or found.info.world,
        size=visual.edge,
        settings=settings,
        phases=ALL,
        ids=visual.perception != BlindPerceiver.name,
    )
    sets = {"training": partial(made, str(found.folder.resolve()))}
    if arguments.held_out:
        sets["held out"] = partial(made, str(load_set_of(arguments.benchmark, arguments.held_out).folder.resolve()))
    plan = TrainingPlan(
        arguments.agent,
        sets["training"],
        Path(arguments.out),
        arguments.steps or (_SMOKE_STEPS if arguments.smoke else _STEPS),
        arguments.features,
        arguments.t5 or settings.learning.t5,
        arguments.seed,
        settings,
    )
    others = [surroundings_of(environment) for environment in list(sets.values())[1:]]
    with terminable(), FolderLock(plan.out), ExitStack() as stack:
        training = Training(plan, progress)
        for other in others:  # what is wrong with it is told before hours of training
            training.check_alike(other)
        pool = stack.enter_context(WorkerPool(arguments.workers))
        training.train(pool, begun + _SMOKE_S if arguments.smoke else float("inf"))
        progress("comparing with the untrained policy")
        compared = [compare(training, pool, name, environment, _COMPARED) for name, environment in sets.items()]
    seconds = time.monotonic() - begun
    met = goals_met(arguments.agent, compared)
    data = {
        "agent": arguments.agent,
        "rounds": training.round,
        "steps": training.steps,
        "seconds": round(seconds, 1),
        "comparisons": [{**json_value(each), "ratio": each.ratio} for each in compared],
        "goals": met,
        "out": arguments.out,
    }
    ended = f"{training.steps} steps in {training.round} rounds; {seconds / 60:.1f} min this time; {arguments.out}"
    return Result(
        "\n".join([ended, *_table(compared), *_told(met)]), data, done=not arguments.smoke or all(met.values())
    )


def goals_met(agent: str, compared: list[Comparison]) -> dict[str, bool]:
    """Which goals of a smoke training are met: that of the reward where novelty is rewarded, on all houses, and that of
    answers on those of the training."""
    from vantage.learning import GOAL_REWARD

    reward = {"reward": all(each.ratio >= GOAL_REWARD for each in compared)} if "novelty" in agent else {}
    return {**reward, "answers": compared[0].answer_loss < compared[0].language_loss}


def _told(met: dict[str, bool]) -> list[str]:
    words = {
        "reward": "r_novelty at least 1.5 times the untrained policy's",
        "answers": "answers' loss below that of the question alone, training houses",
    }
    return [f"{words[name]}: {'met' if done else 'NOT MET'}" for name, done in met.items()]


def _table(compared: list[Comparison]) -> list[str]:
    lines = ["houses    episodes  r_novelty untrained  trained  ratio   answers' loss, question alone  with belief"]
    for each in compared:
        lines.append(
            f"{each.houses:8}  {each.episodes:8}  {each.untrained:19.3f}  {each.trained:7.3f}  {each.ratio:5.2f}   "
            f"{each.language_loss:29.3f}  {each.answer_loss:11.3f}"
        )
    return lines
