"""``vantage bench search``, ``explore``, ``training`` and ``labels``: measurements over the episodes of a set."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import Any

from vantage.cli.main import Result, at_least, common_options, progress, settings_options

_SEED = 1


def add_search_parser(actions: Any) -> None:
    search = actions.add_parser(
        "search",
        parents=[common_options(), settings_options()],
        help="steps a second of the search agent in several processes, bags included, against a random walk and the "
        "bare world on the same ways; memory",
    )
    search.add_argument("--episodes", metavar="DIR", help="an episode set (default: one made for 512 x 512 pixels)")
    search.add_argument("--workers", type=at_least(1), default=2, help="processes (default %(default)s)")
    search.set_defaults(run=run_search)


def add_explore_parser(actions: Any) -> None:
    explore = actions.add_parser(
        "explore",
        parents=[common_options(), settings_options()],
        help="steps a second of the curious agent over the phases of episodes in houses, bags included, against "
        "coverage; memory and size of bags",
    )
    explore.add_argument("--episodes", metavar="DIR", required=True, help="a set of episodes of several phases")
    explore.add_argument("--steps", type=at_least(0), default=0, help="of a phase at most (default 0: as the set says)")
    explore.add_argument("--most", type=at_least(0), default=0, help="episodes at most (default 0: all)")
    explore.add_argument("--workers", type=at_least(1), default=2, help="processes (default %(default)s)")
    explore.add_argument("--perception", default="degraded", help="how things are seen (default %(default)s)")
    explore.set_defaults(run=run_explore)


def add_training_parser(actions: Any) -> None:
    training = actions.add_parser(
        "training",
        parents=[common_options(), settings_options()],
        help="steps a second of the environments that agents are trained in, against the bare world at the same size",
    )
    training.add_argument("--episodes", metavar="DIR", required=True, help="a set of episodes in which agents move")
    training.add_argument("--size", type=at_least(1), default=84, help="edge of pictures, px (default %(default)s)")
    training.add_argument("--steps", type=at_least(1), default=400, help="of a process (default %(default)s)")
    training.add_argument("--workers", type=at_least(1), default=2, help="processes (default %(default)s)")
    training.set_defaults(run=run_training)


def add_labels_parser(actions: Any) -> None:
    labels = actions.add_parser(
        "labels",
        parents=[common_options(), settings_options()],
        help="finding the oracles of a set's questions, against judging every viewpoint; are they the same?",
    )
    labels.add_argument("--episodes", metavar="DIR", help="an episode set (default: one made of a home of two rooms)")
    labels.add_argument("--questions", type=at_least(1), default=6, help="at most (default %(default)s)")
    labels.set_defaults(run=run_labels)


def add_calls_parser(actions: Any) -> None:
    calls = actions.add_parser(
        "calls",
        parents=[common_options(), settings_options()],
        help="calls to a model and seconds an episode, asked about news alone, against asked about every view; the "
        "model is a server that knows what looks show",
    )
    calls.add_argument("--episodes", metavar="DIR", required=True, help="a set of episodes with one question each")
    calls.add_argument("--sample", type=at_least(1), default=24, help="episodes (default %(default)s)")
    calls.add_argument("--latency", type=float, default=1.0, help="of a call, s (default %(default)s)")
    calls.add_argument("--error", type=float, default=0.1, help="share of replies that are wrong (default %(default)s)")
    calls.set_defaults(run=run_calls)


def run_calls(arguments: argparse.Namespace) -> Result:
    from vantage.bench import bench_calls
    from vantage.cli.settings import settings_from

    settings = settings_from(arguments)
    data = bench_calls(Path(arguments.episodes), settings, arguments.sample, arguments.latency, arguments.error)
    lines = [
        f"{name:6} calls: median {each['median']:.1f}, 95 % below {each['p95']:.1f}, mean {each['mean']:.1f}; "
        f"{each['seconds']:.1f} s, {each['steps']:.1f} steps; {each['right']} of {data['episodes']} right"
        for name, each in data["setups"].items()
    ]
    lines += [f"lost: {each['episode_id']}: {each['answer']}" for each in data["lost"]]
    bounds = data["bounds"]
    lines.append(
        f"{len(data['lost'])} verdicts lost, {data['won']} won; bounds: median {bounds['median']:g}, 95 % below "
        f"{bounds['p95']:g} calls, {bounds['lost']} lost: {'met' if data['met'] else 'NOT MET'}"
    )
    return Result("\n".join(lines), data)


def run_search(arguments: argparse.Namespace) -> Result:
    from dataclasses import replace

    from vantage.bench import bench_search
    from vantage.benchmarks import make_benchmark
    from vantage.benchmarks.sets import load_set
    from vantage.cli.settings import settings_from

    settings = settings_from(arguments)
    with tempfile.TemporaryDirectory(prefix="vantage-bench-") as temporary:
        episodes = Path(arguments.episodes) if arguments.episodes else Path(temporary) / "set"
        if arguments.episodes:
            labelled = load_set(episodes).info.settings
            settings = settings_from(arguments, *(f"{key}={value}" for key, value in labelled.items()))
        else:
            progress("making homes and questions")
            camera = replace(settings.camera, width=512, height=512)
            settings = replace(settings, camera=camera)
            make_benchmark("search").make(
                episodes, scenes=2, episodes=12, noisy=0, rooms=(2, 2), seed=_SEED, settings=settings
            )
        data = bench_search(episodes, settings, workers=arguments.workers)
    lines = [
        f"{name:12} {figures['steps_per_second']:8.1f} steps/s   "
        f"{figures['steps']:.0f} steps in {figures['seconds']:.1f} s"
        for name, figures in {**data["agents"], "bare world": data["world"]}.items()
    ]
    memory, bounds = data["memory"], data["bounds"]
    lines += [
        f"{ratio:.2f} x as fast as '{name}'" + (f" (at least {bounds[name]:g})" if name in bounds else "")
        for name, ratio in data["speedup"].items()
    ]
    lines.append(
        f"at most {memory['most_mb']:.0f} MB a worker (at most {bounds['most_mb']:.0f}), {memory['growth']:+.1%} in "
        f"the second half of {memory['episodes']} episodes (at most {bounds['growth']:.0%}): "
        f"{'met' if data['met'] else 'NOT MET'}"
    )
    return Result("\n".join(lines), data)


def run_explore(arguments: argparse.Namespace) -> Result:
    from vantage.bench import bench_explore
    from vantage.benchmarks.sets import load_set, own_values
    from vantage.cli.settings import settings_from

    episodes = Path(arguments.episodes)
    info = load_set(episodes).info
    own = [f"{key}={value}" for key, value in own_values(info).items()]
    settings = settings_from(arguments, *own, f"agent.perception={arguments.perception}")
    data = bench_explore(
        episodes, settings, workers=arguments.workers, world=info.world, steps=arguments.steps, most=arguments.most
    )
    bounds, lines = data["bounds"], []
    for name, each in data["agents"].items():
        lines.append(
            f"{name:10} {each['steps_per_second']:8.1f} steps/s   {each['steps']} steps in {each['seconds']:.1f} s, "
            f"at most {each['most_mb']:.0f} MB a worker, largest bag {each['bag_mb']:.1f} MB"
        )
        lines += [f"  failed: {reason}" for reason in each["failed"]]
    lines.append(
        f"{data['speedup']:.2f} x as fast as '{data['reference']}'; bounds: at least {bounds['steps_per_second']:g} "
        f"steps/s, at most {bounds['most_mb']:.0f} MB a worker and {bounds['bag_mb']:.0f} MB a bag: "
        f"{'met' if data['met'] else 'NOT MET'}"
    )
    return Result("\n".join(lines), data)


def run_training(arguments: argparse.Namespace) -> Result:
    from vantage.bench import bench_training
    from vantage.benchmarks.sets import load_set
    from vantage.cli.settings import settings_from
    from vantage.learning import require_gymnasium

    require_gymnasium()
    episodes, settings = Path(arguments.episodes), settings_from(arguments)
    world = load_set(episodes).info.world
    data = bench_training(episodes, settings, arguments.size, arguments.workers, arguments.steps, world)
    bare = data["world"]
    lines = [
        f"{data['steps']} steps in {data['seconds']:.1f} s by {data['workers']} processes at {arguments.size} x "
        f"{arguments.size} pixels",
        f"environment {data['steps_per_second']:8.1f} steps/s   {data['cpu_ms']:.2f} ms of a processor for a step",
        f"bare world  {bare['steps_per_second']:8.1f} steps/s   {bare['cpu_ms']:.2f} ms; the environment is "
        f"{data['speedup']:.2f} x as fast",
        f"a reset takes {data['reset_s']:.2f} s, a process {data['memory_mb']:.0f} MB; bound: at least "
        f"{data['bounds']['steps_per_second']:g} steps/s: {'met' if data['met'] else 'NOT MET'}",
    ]
    return Result("\n".join(lines), data)


def run_labels(arguments: argparse.Namespace) -> Result:
    from vantage.bench import bench_labels
    from vantage.benchmarks import make_benchmark
    from vantage.cli.settings import settings_from

    with tempfile.TemporaryDirectory(prefix="vantage-bench-") as temporary:
        episodes = Path(arguments.episodes) if arguments.episodes else Path(temporary) / "set"
        if not arguments.episodes:
            progress("making a home and questions")
            settings = settings_from(arguments)
            make_benchmark("search").make(
                episodes, scenes=1, episodes=arguments.questions, noisy=0, rooms=(2, 2), seed=_SEED, settings=settings
            )
        data = bench_labels(episodes, arguments.questions, progress)
    lines = [
        f"{item['episode_id']}: {item['actions']} actions, {item['answering']} of {item['viewpoints']} viewpoints "
        f"answer; {item['seconds']:.3f} s, all viewpoints {item['reference_seconds']:.1f} s"
        + ("" if item["same"] else "   NOT THE SAME")
        for item in data["questions"]
    ]
    lines.append(
        f"{data['speedup']:.1f} x as fast as judging every viewpoint (at least {data['bound']:g}), "
        f"{data['same']} of {len(data['questions'])} labels the same: {'met' if data['met'] else 'NOT MET'}"
    )
    return Result("\n".join(lines), data, done=data["same"] == len(data["questions"]))
