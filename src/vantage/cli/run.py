"""``vantage run``: an episode set in process, one bag per episode."""

from __future__ import annotations

import argparse
import re
import time
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vantage.cli.main import Result, at_least, common_options, progress, settings_options
from vantage.registry import AGENTS, BENCHMARKS, MODELS, PERCEIVERS, WORLDS

_LONG_RUN, _ESTIMATED_FROM = 50, 5  # episodes: more than so many are estimated, from the first few
RESUME = "leave out episodes that a run of the same setup recorded to their end"

if TYPE_CHECKING:
    from vantage.benchmarks.sets import EpisodeSet
    from vantage.config import Settings
    from vantage.runs import Job, Sample


def add_run_options(parser: argparse.ArgumentParser) -> None:
    """Options that ``run`` and ``up`` share."""
    parser.add_argument("--world", help=f"one of: {', '.join(WORLDS.names())} (default: the set's, mostly splat)")
    parser.add_argument("--agent", help=f"one of: {', '.join(AGENTS.names())} (default: as configured, search)")
    parser.add_argument(
        "--perception", help=f"one of: {', '.join(PERCEIVERS.names())} (default: as configured, privileged)"
    )
    parser.add_argument(
        "--model",
        metavar="NAME:WHICH",
        help=f"who answers: symbolic, or one of {', '.join(MODELS.names())} with a folder or name after the colon, "
        "e.g. transformers:FOLDER (default: as configured, symbolic)",
    )
    parser.add_argument("--mode", help="how premises are treated: plain, nap or nacot (default: as configured, nacot)")
    parser.add_argument("--calibration", metavar="FILE", help="made by `vantage calibrate`: read confidence by it")
    parser.add_argument(
        "--start",
        help="control of `vantage run`: where episodes begin: start (default), goal, or bird, a look from above for "
        "agent vqa",
    )
    parser.add_argument("--frames", metavar="N", help="control: pictures that a pilot is shown at each step (1)")
    parser.add_argument(
        "--prompt",
        metavar="KIND",
        help="control: what a model that looks is told at each step: full (default), or paper, the fields of "
        "E3VS-Bench alone",
    )
    parser.add_argument("--thinking", metavar="on|off", help="control: whether a thinking model thinks before replies")
    add_dof_option(parser)
    parser.add_argument(
        "--mitigation",
        metavar="WHICH",
        help="control: what agent interpreter tells its model of a reply that contradicts the scene: none, kaf or scw; "
        "or schema, by which a reply can name nothing but what is there, or guard, which holds back what cannot be",
    )
    parser.add_argument(
        "--input",
        metavar="WHICH",
        help="control: how agent interpreter tells its model a scene: text (default), image or both; for sets with "
        "pictures of their tasks",
    )
    parser.add_argument("--seed", type=at_least(0), default=0, help="of the run")
    parser.add_argument("--rig", metavar="FILE", help="for world 'rig': its file, or the name of one in config/rigs")
    parser.add_argument("--emulate", action="store_true", help="for world 'rig': on an emulated controller")


def add_dof_option(parser: argparse.ArgumentParser) -> None:
    """``--dof``, which ``control_assignments`` reads."""
    parser.add_argument(
        "--dof",
        metavar="AXES",
        help="control: axes that move, such as x,y,yaw; or yaw, yaw_pitch, planar (x,y,yaw) or full; or 3 for planar, "
        "4 with z, 5 for full (default: as configured, full)",
    )


def add_parser(subparsers: Any) -> None:
    parser = subparsers.add_parser(
        "run",
        parents=[common_options(), settings_options()],
        help="run an episode set in process",
        description="Run an episode set in process. --agent, --model, --mode, --perception, --start, --frames, "
        "--prompt, --mitigation and --input take lists with commas between, such as --mode plain,nap,nacot: every "
        "combination is run, each into a folder of its own in that of --out. Controls that mean nothing to an agent, "
        "such as --frames to search, are left out.",
    )
    parser.add_argument("benchmark", help=f"one of: {', '.join(BENCHMARKS.names())}")
    add_run_options(parser)
    parser.add_argument("--episodes", required=True, metavar="DIR", help="the episode set")
    parser.add_argument("--out", required=True, metavar="DIR", help="folder for the bags")
    parser.add_argument("--workers", type=at_least(1), default=1, help="processes")
    parser.add_argument(
        "--sample",
        metavar="N[,M]",
        help="so many episodes by lot, with the seed of the run: every question once before one from a second start, "
        "spread over scenes and over what is asked for; N,M: N feasible ones and M others, of benchmarks that tell "
        "which are (default: all episodes)",
    )
    parser.add_argument("--pairs", type=at_least(1), metavar="N", help="so many whole pairs by lot, as --sample")
    parser.add_argument("--ids", metavar="A,B", help="these episodes alone, by their names")
    parser.add_argument("--resume", action="store_true", help=RESUME)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> Result:
    from contextlib import closing

    from vantage.cli.episodes import load_set_of
    from vantage.reports import estimate
    from vantage.runs import Unanswered, describe, run_sets
    from vantage.signals import terminable
    from vantage.types import EpisodeState

    episode_set = load_set_of(arguments.benchmark, arguments.episodes)
    jobs = _jobs(arguments, episode_set)
    _tell_unpictured(jobs, episode_set)
    started, rows, unanswered = time.monotonic(), [], Unanswered()
    whole, bags = len(jobs) * _number(jobs[0], episode_set), []
    unanswered_of = {job.out: Unanswered() for job in jobs}
    with terminable(), closing(run_sets(jobs, arguments.workers, arguments.resume)) as ended:
        for number, (job, episode, outcome) in enumerate(ended, start=1):
            row = {"episode_id": episode.episode_id, "state": outcome.state.name, "steps": outcome.steps}
            told = episode.episode_id
            if len(jobs) > 1:
                row["run"] = job.out.name
                told = f"{job.out.name}  {told}"
            progress(f"[{number}] {told}  {outcome.steps} steps  {describe(outcome)}")
            rows.append(row)
            bags.append(job.out / episode.episode_id)
            if whole > _LONG_RUN and number == _ESTIMATED_FROM:
                for sentence in estimate(bags, whole, time.monotonic() - started):
                    progress(sentence)
            for each in (unanswered, unanswered_of[job.out]):
                each.add(outcome)
    failed = [row for row in rows if row["state"] != EpisodeState.FINISHED.name]
    seconds = time.monotonic() - started
    ended_so = f"{len(rows)} episodes in {seconds:.1f} s, {len(failed)} failed{unanswered.told(len(rows))}"
    lines = [f"{ended_so}; bags in {arguments.out}"]
    if jobs[0].sample is not None and not jobs[0].sample.ids:
        lines.append(f"  drawn by lot, seed {arguments.seed}: {jobs[0].sample.words}")
    if len(jobs) > 1:
        for job in jobs:
            count, lacking = _count(rows, job), unanswered_of[job.out]
            lines.append(f"  {job.out.name}: {count} episodes, {_count(failed, job)} failed{lacking.told(count)}")
    data = {"episodes": rows, "seconds": seconds, "out": arguments.out, "needs_model": unanswered.count}
    data["sample"] = arguments.sample
    return Result("\n".join(lines), data, done=not failed)


def _number(job: Job, episode_set: EpisodeSet) -> int:
    """How many episodes a job runs, at most."""
    sample, held = job.sample, len(episode_set.episodes)
    return (
        held if sample is None else min(held, (2 if sample.pairs else 1) * (sample.number + (sample.infeasible or 0)))
    )


def _tell_unpictured(jobs: list[Job], episode_set: EpisodeSet) -> None:
    """Say how many episodes are left out because pictures do not show what their tasks name."""
    from vantage.runs import with_pictures

    told: dict[str, int] = {}
    for job in jobs:
        kept = with_pictures(episode_set, job.agent, job.settings)
        told[job.settings.control.input] = len(episode_set.episodes) - len(kept.episodes)
    for shown, left_out in told.items():
        if left_out:
            whole = len(episode_set.episodes)
            progress(f"left out of --input {shown}: {left_out} of {whole} episodes, which pictures do not show whole")


def _count(rows: list[dict[str, Any]], job: Job) -> int:
    return sum(row["run"] == job.out.name for row in rows)


def _jobs(arguments: argparse.Namespace, episode_set: EpisodeSet) -> list[Job]:
    """A job for each combination of agent, mode, perception and controls; what is wrong with one is said before any
    runs, and which are left out because a control means nothing to an agent.

    Raises:
        UsageError: a name is unknown, ``--set`` overrides a list, several would share a calibration, or ``--sample`` is
            no number.
    """
    from vantage.cli.settings import run_settings, tell_contradictions
    from vantage.errors import UsageError
    from vantage.runs import Job

    sample = _sample(arguments)
    tell_contradictions(arguments, episode_set)
    several = _meant([run_settings(one, episode_set) for one in _combinations(arguments)])
    names = _names(several)
    if len(set(names)) < len(names):
        raise UsageError("--set overrides what an option such as --agent or --mode lists; leave it out of --set")
    if len({(each.agent.mode, each.agent.perception) for each in several}) > 1 and several[0].agent.calibration:
        raise UsageError("a calibration is for one mode and one perception; give one of each with it")
    out = Path(arguments.out)
    return [
        Job(
            Path(arguments.episodes),
            out / name if len(several) > 1 else out,
            arguments.world or episode_set.info.world,
            settings.agent.name,
            settings,
            arguments.seed,
            sample=sample,
        )
        for name, settings in zip(names, several, strict=True)
    ]


def _sample(arguments: argparse.Namespace) -> Sample | None:
    """
    Raises:
        UsageError: more than one of --sample, --pairs and --ids is given, or one is none.
    """
    from vantage.errors import UsageError
    from vantage.runs import Sample

    given = [name for name in ("sample", "pairs", "ids") if getattr(arguments, name) is not None]
    if len(given) > 1:
        raise UsageError(f"--{given[0]} and --{given[1]} both choose episodes; give one of them")
    if arguments.ids is not None:
        ids = tuple(dict.fromkeys(filter(None, (name.strip() for name in arguments.ids.split(",")))))
        if not ids:
            raise UsageError("--ids names no episode; give names with commas between")
        return Sample(len(ids), ids=ids)
    if arguments.pairs is not None:
        return Sample(arguments.pairs, pairs=True)
    try:
        return Sample.read(arguments.sample) if arguments.sample is not None else None
    except ValueError as error:
        raise UsageError(f"--sample: {error}") from error


def _meant(several: list[Settings]) -> list[Settings]:
    """Those whose controls mean something to their agent; the others are told.

    Raises:
        UsageError: there is none.
    """
    from vantage.errors import UnknownNameError, UsageError
    from vantage.planning import check_controls

    found: list[Settings] = []
    left_out: dict[str, UsageError] = {}
    for settings in several:
        agent = AGENTS.get(settings.agent.name)
        PERCEIVERS.get(settings.agent.perception)
        try:
            check_controls(agent, settings.agent.name, settings)
            found.append(settings)
        except UnknownNameError:
            raise
        except UsageError as error:
            left_out[str(error)] = error
    if not found:
        raise next(iter(left_out.values()))
    for sentence in left_out:
        progress(f"left out: {sentence.partition(';')[0]}")
    return found


def _combinations(arguments: argparse.Namespace) -> list[argparse.Namespace]:
    """The same arguments with one agent, mode, perception and control each."""
    keys = ("agent", "model", "mode", "perception", "start", "frames", "prompt", "mitigation", "input")
    lists = [_models(arguments.model) if key == "model" else _listed(getattr(arguments, key)) for key in keys]
    return [
        argparse.Namespace(**{**vars(arguments), **dict(zip(keys, chosen, strict=True))}) for chosen in product(*lists)
    ]


def _listed(text: str | None) -> list[str | None]:
    return [None] if text is None else list(dict.fromkeys(word.strip() for word in text.split(",")))


def _models(text: str | None) -> list[str | None]:
    """As ``_listed``, but the folder of a model may have commas in its name: one begins what names a model."""
    if text is None:
        return [None]
    names = "|".join(map(re.escape, ("symbolic", *(f"{name}:" for name in MODELS.names()))))
    return list(dict.fromkeys(each.strip() for each in re.split(rf",\s*(?={names})", text)))


def _names(several: list[Settings]) -> list[str]:
    """AGENT-MODE, -MODEL and -PERCEPTION where there is more than one, and -CONTROL likewise, such as
    start-goal-frames-3."""
    from vantage.planning import control_text

    models = {settings.agent.model for settings in several}
    perceptions = {settings.agent.perception for settings in several}
    controls = {control_text(settings) for settings in several}
    names = []
    for each in several:
        parts = [each.agent.name, each.agent.mode]
        parts += [re.sub(r"[^\w.]+", "-", each.agent.model).strip("-")] if len(models) > 1 else []
        parts += [each.agent.perception] if len(perceptions) > 1 else []
        parts += [re.sub("[=,]", "-", control_text(each))] if len(controls) > 1 and control_text(each) else []
        names.append("-".join(parts))
    return names
