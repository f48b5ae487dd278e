"""``vantage play``: people as agents, in the browser."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vantage.cli.main import Result, at_least, common_options, settings_options
from vantage.cli.run import add_dof_option
from vantage.errors import UsageError
from vantage.registry import BENCHMARKS

if TYPE_CHECKING:
    from vantage.benchmarks.sets import EpisodeSet
    from vantage.runs import Job
    from vantage.web import WebServer
    from vantage.web.play import Seat, Study

_MOST_SEATS = 32
_WORDS = ("plain", "nap", "nacot")


def add_parser(subparsers: Any) -> None:
    parser = subparsers.add_parser(
        "play",
        parents=[common_options(), settings_options()],
        help="people search and answer in the browser",
        description="Serve an episode set to people, who search and answer as agents do: same actions, budget, limits "
        "and pictures, same bags. Each seat has an address of its own.",
    )
    parser.add_argument("benchmark", help=f"one of: {', '.join(BENCHMARKS.names())}")
    parser.add_argument("--episodes", metavar="DIR", help="the episode set")
    parser.add_argument("--out", required=True, metavar="DIR", help="folder of the study, for its state and bags")
    parser.add_argument("--seats", type=at_least(1), default=1, help="people at a time")
    parser.add_argument(
        "--mode",
        default="plain",
        help="whose words are shown: plain (default), nap or nacot; or replay: those of plain, while one's own "
        "exploration can be seen again when questions are asked",
    )
    parser.add_argument("--frames", metavar="N", help="pictures that are shown: the current one and those before (1)")
    add_dof_option(parser)
    parser.add_argument("--consent", metavar="FILE", help="text to agree to (default: one that comes with the program)")
    parser.add_argument("--per-episode", type=at_least(1), default=1, metavar="K", help="people an episode (1)")
    parser.add_argument("--idle", type=at_least(1), default=900, metavar="S", help="s until an idle seat gives back")
    parser.add_argument("--seed", type=at_least(0), default=0, help="of the order of episodes, and of the run")
    parser.add_argument("--world", help="simulated: splat or house (default: the set's)")
    parser.add_argument(
        "--host", default="127.0.0.1", help="address to serve at; others than loopback are not encrypted"
    )
    parser.add_argument("--port", type=at_least(0), default=0, help="0 (default) for one that is free")
    parser.add_argument("--delete", metavar="PSEUDONYM", help="remove a participant and her bags, then end")
    parser.add_argument("--check", action="store_true", help="have people by rote play all of it, then end")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> Result:
    from vantage.cli.episodes import load_set_of
    from vantage.recording import FolderLock
    from vantage.signals import terminable

    if not arguments.episodes:
        raise UsageError("play needs an episode set; name its folder with --episodes")
    episode_set = load_set_of(arguments.benchmark, arguments.episodes)
    if arguments.seats > _MOST_SEATS:
        raise UsageError(f"--seats {arguments.seats}: there are {_MOST_SEATS} seats at most; start several studies")
    with ExitStack() as stack:
        stack.enter_context(terminable())
        stack.enter_context(FolderLock(Path(arguments.out)))
        if arguments.delete:
            study = _study(arguments, episode_set)
            removed = study.delete(arguments.delete)
            told = f"{arguments.delete} is deleted, with {removed} bags"
            return Result(told, {"deleted": arguments.delete, "bags": removed})
        from vantage.planning import control_text
        from vantage.planning.agents import REPLAY

        job, playable = _job(arguments)
        study = _study(arguments, episode_set, control_text(job.settings))
        from vantage.web.play import make_seats

        names = [f"seat-{number}" for number in range(1, arguments.seats + 1)]
        seats = make_seats(names, job, playable, study, float(arguments.idle), arguments.mode == REPLAY)
        for seat in seats.values():
            stack.callback(seat.close)
        from vantage.web.play import CONSENT, play_server

        consent, mode = _consent(arguments.consent) if arguments.consent else CONSENT, job.settings.agent.mode
        server = stack.enter_context(play_server(seats, consent, mode, arguments.host, arguments.port))
        if arguments.check:
            return _check(study, seats, (job, playable), server)
        return _serve(study, seats, server, stack)


def _study(arguments: argparse.Namespace, episode_set: EpisodeSet, control: str | None = None) -> Study:
    from vantage.benchmarks import benchmark_of
    from vantage.benchmarks.sets import checked_hash
    from vantage.web.play import Study, study_episodes

    if arguments.delete and not (Path(arguments.out) / "study.json").is_file():
        raise UsageError(f"{arguments.out} holds no study; give the folder that --out named when it was run")
    episodes = study_episodes(episode_set, benchmark_of(episode_set.info.benchmark).truths(episode_set))
    digest = checked_hash(episode_set)
    mode = "" if arguments.delete else arguments.mode
    return Study(Path(arguments.out), episodes, digest, arguments.seed, arguments.per_episode, mode, control)


def _job(arguments: argparse.Namespace) -> tuple[Job, EpisodeSet]:
    """What the seats run.

    Raises:
        UsageError: the settings do not fit people.
    """
    from vantage.benchmarks.sets import load_set
    from vantage.cli.settings import control_assignments, set_assignments, settings_from, tell_contradictions
    from vantage.models import prompt
    from vantage.planning.agents import REPLAY
    from vantage.runs import Job, prepared, shared_out

    episode_set = load_set(arguments.episodes)
    if any(item.strip().startswith("actions.") for item in arguments.set):
        raise UsageError(f"{episode_set.folder} fixes the action space; leave actions.* out of --set")
    if arguments.mode not in (*_WORDS, REPLAY):
        raise UsageError(f"--mode {arguments.mode}: people are shown the words of plain, nap or nacot; or take replay")
    words = "plain" if arguments.mode == REPLAY else arguments.mode
    prompt(words)
    tell_contradictions(arguments, episode_set)
    extra = set_assignments(arguments, episode_set)
    extra += ["agent.name=human", "agent.perception=none", f"agent.mode={words}"]
    extra += control_assignments(arguments, "frames", "dof")
    settings = settings_from(arguments, *extra)
    world = arguments.world or episode_set.info.world
    job = Job(Path(arguments.episodes), Path(arguments.out), world, "human", settings, arguments.seed)
    job, episode_set = prepared(job)
    return shared_out(job, arguments.seats), episode_set


def _check(study: Study, seats: dict[str, Seat], prepared: tuple[Job, EpisodeSet], server: WebServer) -> Result:
    import resource

    from vantage.planning import axes_named
    from vantage.web.play import bare_steps, try_out

    job, episode_set = prepared
    found = try_out(study, seats, episode_set, server, job.settings.agent.mode)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    wait, bare = _times(found.waits), _times(bare_steps(job, episode_set))
    data = {
        "episodes": found.episodes,
        "successes": found.successes,
        "people": found.people,
        "remaining": study.remaining(),
        "lost": found.lost,
        "doubled": found.doubled,
        "gold_sent": len(found.gold_sent),
        "gold_found": [{"gold": gold, "in": text[:200]} for gold, text in found.gold_sent[:20]],
        "received_bytes": found.received,
        "actions": found.actions,
        "kinds": sorted(found.kinds),
        "seconds": found.seconds,
        **{f"{key}_ms": value for key, value in wait.items()},
        **{f"bare_{key}_ms": value for key, value in bare.items()},
        "peak_bytes": peak,
    }
    restricted = axes_named(job.settings.control.dof) is not None  # then some answers are out of sight
    right = found.episodes and (restricted or found.successes == found.episodes) and not study.remaining()
    done = bool(right) and not (found.lost or found.doubled or found.gold_sent)
    text = (
        f"{found.successes} of {found.episodes} episodes succeeded, by {found.people} people by rote at {len(seats)} "
        f"seats in {found.seconds:.1f} s, with {found.actions} actions of {len(found.kinds)} kinds; "
        f"{study.remaining()} remain, {found.lost} lost, {found.doubled} doubled, "
        f"{len(found.gold_sent)} texts of gold data in {found.received / 1e6:.0f} MB sent; action to "
        f"picture median {wait['median']} ms, p95 {wait['p95']} ms; a step of the bare world median {bare['median']} "
        f"ms, p95 {bare['p95']} ms; {peak / 1e6:.0f} MB of memory at most"
    )
    return Result(text, data, done=done)


def _times(seconds: Sequence[float]) -> dict[str, float | None]:
    """Median and 95th percentile, ms; None where nothing was timed."""
    import numpy as np

    values = np.percentile(seconds, (50, 95)) if seconds else (None, None)
    return {
        name: None if value is None else round(1e3 * float(value), 1)
        for name, value in zip(("median", "p95"), values, strict=True)
    }


def _serve(study: Study, seats: dict[str, Seat], server: WebServer, stack: ExitStack) -> Result:
    from vantage.cli.serving import serving

    addresses = {name: server.address(name) for name in seats}

    def counts() -> dict[str, int]:
        done = sum(len(who.done) for who in study.people.values())
        return {"people": len(study.people), "episodes": done, "remaining": study.remaining()}

    def ended() -> str:
        now = counts()
        return (
            f"{now['people']} people, {now['episodes']} episodes finished, {now['remaining']} remain; bags in "
            f"{study.folder}"
        )

    told = [f"{name}: {address}" for name, address in addresses.items()]
    data = {"addresses": addresses, **counts(), "out": str(study.folder)}
    return serving(stack.pop_all(), server, told, data, ended)


def _consent(path: str) -> str:
    try:
        text = Path(path).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"--consent {path} cannot be read: {error}; give a text file in UTF-8") from error
    if not 0 < len(text) <= 20_000:
        raise UsageError(f"--consent {path} has {len(text)} characters; give a text of 1 to 20,000")
    return text
