"""What share of drawers, doors and lids skills open, of things they pick, put back and weigh in the right order; and
whether random actions ever break the physics."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

from vantage.bench.random_actions import RandomOrder, act_at_random
from vantage.bench.skill_trials import (
    ASSISTED,
    DOORS,
    DRAWERS,
    FRICTION,
    KINDS,
    LIDS,
    PUT_BACK,
    WEIGH,
    HomeOrder,
    Trial,
    try_home,
)
from vantage.config import Settings
from vantage.workers import WorkerPool

BOUNDS = {DRAWERS: 1.0, DOORS: 0.95, LIDS: 0.95, ASSISTED: 0.95, FRICTION: 0.8, PUT_BACK: 0.9, WEIGH: 0.95}

_WIDTH, _HEIGHT = 400, 300  # of the pictures: skills need depth and ids alone
_APART, _LEAST = 1.2, 0.1  # times as heavy, and kg heavier: a pair that has to be told apart


def bench_skills(
    settings: Settings,
    homes: int,
    seed: int,
    per_home: int,
    rooms: int = 4,
    workers: int = 2,
    kinds: Sequence[str] = KINDS,
    random_actions: int = 0,
    tell: Callable[[str], None] = lambda sentence: None,
) -> dict[str, Any]:
    """Try skills in homes of seeds from ``seed`` on, each home in one process.

    Args:
        per_home: trials of each kind in a home, at the most.
        random_actions: that are taken in each home beside the trials; 0 for none.
        tell: hears how far it is.
    """
    camera = replace(settings.camera, width=_WIDTH, height=_HEIGHT)
    house = replace(settings.house, depth_width=_WIDTH, depth_height=_HEIGHT)
    settings = replace(settings, camera=camera, house=house)
    orders = [HomeOrder(seed + k, rooms, per_home, tuple(kinds), settings) for k in range(homes)]
    data: dict[str, Any] = {"homes": homes, "seed": seed, "rooms": rooms, "per_home": per_home, "bounds": BOUNDS}
    trials: list[Trial] = []
    with WorkerPool(workers) as pool:
        for number, found in enumerate(pool.map(try_home, orders) if kinds else (), start=1):
            trials += found
            tell(f"{number} of {homes} homes: {sum(trial.done for trial in trials)} of {_tried(trials)} trials done")
        for kind in kinds:
            data[kind] = _weighed(trials) if kind == WEIGH else _figures([t for t in trials if t.kind == kind])
        if random_actions:
            walks = [RandomOrder(order.seed, rooms, random_actions, settings) for order in orders]
            data["random_actions"] = _walked(pool.map(act_at_random, walks), random_actions, tell)
    data["met"] = _is_met(data)
    data["trials"] = [_line(trial) for trial in trials]
    return data


def _is_met(data: dict[str, Any]) -> bool:
    """Whether each kind that was to be tried meets its bound, which one of which no trial counted does not, and random
    actions broke nothing."""
    rows = [(data[kind]["share"], BOUNDS[kind]) for kind in KINDS if kind in data]
    broken = data.get("random_actions", {}).get("broken", [])
    return not broken and all(share is not None and share >= bound for share, bound in rows)


def _tried(trials: Iterable[Trial]) -> int:
    return sum(trial.seen for trial in trials)


def _figures(trials: Sequence[Trial]) -> dict[str, Any]:
    """Of one kind: how many of those within reach that could be seen were done.

    ``left_out`` counts what was drawn by lot and does not count, by class: ``blocked in the home`` (in truth, without
    a robot, a drawer, door or lid meets something on its way, or something stands on it), ``too wide`` for the
    fingers, ``no room for the hand`` around it in any way that the arm gets to, ``out of reach`` of the hand from the
    free floor, and ``not seen`` from any place near it.
    """
    able = [trial for trial in trials if trial.graspable and trial.roomy]
    near = [trial for trial in able if trial.reachable]
    seen = [trial for trial in near if trial.seen]
    done = sum(trial.done for trial in seen)
    return {
        "share": round(done / len(seen), 4) if seen else None,
        "done": done,
        "tried": len(seen),
        "graspable": round(len(able) / len(trials), 4) if trials else None,
        "within_reach": round(len(near) / len(able), 4) if able else None,
        "unseen": len(near) - len(seen),
        "left_out": dict(sorted(Counter(trial.left_out for trial in trials if trial.left_out).items())),
        "failures": dict(sorted(Counter(trial.failure for trial in seen if not trial.done).items())),
        "seconds": round(sum(trial.seconds for trial in seen) / len(seen), 2) if seen else None,
        "commands": round(sum(trial.commands for trial in seen) / len(seen), 1) if seen else None,
    }


def _weighed(trials: Sequence[Trial]) -> dict[str, Any]:
    """Of pairs of weighed things that differ enough: how many are ordered right."""
    found = [trial for trial in trials if trial.kind == WEIGH]
    known = [trial for trial in found if math.isfinite(trial.measured)]
    right = pairs = 0
    for one, other in combinations(known, 2):
        light, heavy = sorted((one, other), key=lambda trial: trial.true)
        if heavy.true >= _APART * light.true and heavy.true >= light.true + _LEAST:
            pairs += 1
            right += heavy.measured > light.measured
    figures = _figures(found)
    figures["weighed"] = figures.pop("share")
    error = sum(abs(trial.measured - trial.true) for trial in known) / len(known) if known else None
    return {
        "share": round(right / pairs, 4) if pairs else None,
        "pairs": pairs,
        "mean_error_kg": None if error is None else round(error, 4),
        **figures,
    }


def _walked(walks: Iterable[str], count: int, tell: Callable[[str], None]) -> dict[str, Any]:
    broken = []
    number = 0
    for number, reason in enumerate(walks, start=1):
        if reason:
            broken.append(reason)
        tell(f"{number} homes with {count} random actions, {len(broken)} broken")
    return {"homes": number, "actions": count, "broken": broken}


def _line(trial: Trial) -> dict[str, Any]:
    """What a reader needs to try it again."""
    return {
        "home": trial.home,
        "kind": trial.kind,
        "what": trial.what,
        "reachable": trial.reachable and trial.graspable and trial.roomy,
        "seen": trial.seen,
        "left_out": f"{trial.left_out}: {trial.barred}" if trial.barred else trial.left_out,
        "done": trial.done,
        "failure": trial.failure,
        "reason": trial.reason,
        "commands": trial.commands,
    }


def skills_table(data: dict[str, Any]) -> list[str]:
    """Lines for people."""
    lines = []
    for kind in KINDS:
        row = data.get(kind)
        if row is None:
            continue
        share = "none" if row["share"] is None else f"{100 * row['share']:.1f} %"
        failures = ", ".join(f"{name} {count}" for name, count in row["failures"].items())
        left = ", ".join(f"{name} {count}" for name, count in row["left_out"].items())
        line = f"{kind:14} {share:>8} (goal {100 * BOUNDS[kind]:.0f} %)   {row['done']} of {row['tried']} done"
        lines.append(f"{line}   {failures}" + (f"   left out: {left}" if left else ""))
    walked = data.get("random_actions")
    if walked is not None:
        lines.append(
            f"{walked['actions']} random actions in each of {walked['homes']} homes: {len(walked['broken'])} broken"
        )
        lines += [f"  {reason}" for reason in walked["broken"]]
    return lines
