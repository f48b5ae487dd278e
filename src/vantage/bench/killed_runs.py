"""``vantage run`` killed at random moments and resumed, as processes: what is lost, doubled or left behind.

The episode sets have few scenes of small pictures, and as many episodes as a campaign needs.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from vantage.benchmarks import make_benchmark
from vantage.benchmarks.sets import GOALS, SCENES, EpisodeSet, load_set, load_truths, save_set
from vantage.config import Settings
from vantage.errors import VantageError
from vantage.recording import PARTIAL

SIZE = (96, 72)  # pixels
SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)
WORKERS = 2
_DEADLINE = 900.0  # s of a run that nobody disturbs
_END = 30.0  # s for a run to end after a signal
_GRACE = 5.0  # s for its workers to follow
_SAID = 120  # characters of an error that are kept


def small_pictures(settings: Settings) -> Settings:
    """The settings with pictures that are rendered and recorded in no time."""
    return replace(settings, camera=replace(settings.camera, width=SIZE[0], height=SIZE[1]))


def make_fault_set(folder: Path, settings: Settings, episodes: int, seed: int) -> EpisodeSet:
    """A set of so many different episodes in one generated home."""
    make_benchmark("search").make(
        folder, scenes=1, episodes=episodes, noisy=0, rooms=(2, 2), seed=seed, settings=settings
    )
    return load_set(folder)


def repeated(made: EpisodeSet, folder: Path, episodes: int) -> EpisodeSet:
    """The same episodes in turn under so many names, with their gold data, so that each leaves a bag of its own."""
    truths = load_truths(made.folder, made.episodes)
    shutil.copytree(made.folder / SCENES, folder / SCENES)
    (folder / GOALS).mkdir()
    copies, copied_truths = [], []
    for number in range(episodes):
        episode = made.episodes[number % len(made.episodes)]
        name = f"{episode.episode_id}-{number}"
        shutil.copyfile(made.goal_image(episode.episode_id), folder / GOALS / f"{name}.png")
        copies.append(replace(episode, episode_id=name))
        copied_truths.append(replace(truths[episode.episode_id], episode_id=name))
    return save_set(folder, made.info, copies, copied_truths)


@dataclass(frozen=True)
class KillCampaign:
    """What is run.

    Attributes:
        episodes: folder of an episode set of the benchmark ``search``.
        out: folder in which each trial gets one of its own.
        options: further words for ``vantage run``.
    """

    episodes: Path
    out: Path
    options: tuple[str, ...] = ()

    def command(self, out: Path, *more: str) -> list[str]:
        words = ["run", "search", "--agent", "random", "--episodes", str(self.episodes), "--out", str(out)]
        return [*_vantage(*words), "--workers", str(WORKERS), *self.options, *more]


def bench_kills(job: KillCampaign, count: int, seed: int, say: Callable[[str], None]) -> dict[str, Any]:
    """Kill so many runs, by one signal after another, each at a random moment, and resume them.

    ``lost`` counts episodes whose complete bag was changed or is gone after the resume, or that have none, ``doubled``
    those with more than one, ``orphans`` processes that outlive the run, ``left_partial`` unfinished bags that the
    resume leaves, ``other_tables`` resumed runs with other scores than the run that nobody disturbed.

    Raises:
        VantageError: the run that nobody disturbs fails.
    """
    draw, found = random.Random(seed), Counter[str]()
    reference = job.out / "undisturbed"
    begun = time.monotonic()
    run = subprocess.run(job.command(reference), capture_output=True, text=True, timeout=_DEADLINE, check=False)
    if run.returncode != 0:
        raise VantageError(f"the run that nobody disturbs ended with {run.returncode}: {_last(run.stderr)}")
    lasts, table, names = time.monotonic() - begun, _table(reference), set(_bags(reference))
    trials = []
    for number in range(count):
        number_of_signal = SIGNALS[number % len(SIGNALS)]
        trial = _trial(job, job.out / f"trial-{number}", number_of_signal, draw.uniform(0.0, lasts), names, table)
        trials.append(trial)
        found.update({key: value for key, value in trial.items() if isinstance(value, int)})
        say(f"kills {number + 1}/{count}: {trial['signal']} after {trial['after_s']:.1f} s, {_told(trial)}")
    keys = ("resumes", "refused_resumes", "lost", "doubled", "orphans", "left_partial", "other_tables", "tracebacks")
    return {
        "kills": count,
        **{key: found[key] for key in (*keys, "ended_before", "hung")},
        "seconds_undisturbed": round(lasts, 1),
        "trials": trials,
    }


def _trial(
    job: KillCampaign, out: Path, sign: signal.Signals, after: float, names: set[str], table: Any
) -> dict[str, Any]:
    errors = out.with_suffix(".log")
    with errors.open("wb") as log:
        process = subprocess.Popen(job.command(out), stdout=log, stderr=log, start_new_session=True)
        time.sleep(after)  # the random moment; nothing is waited for
        ended_before = process.poll() is not None
        if not ended_before:
            process.send_signal(sign)
        hung = _ended(process) is None
        orphans = _outliving(process.pid)
    complete = _bags(out) if out.is_dir() else {}
    resumed = subprocess.run(
        job.command(out, "--resume"), capture_output=True, text=True, timeout=_DEADLINE, check=False
    )
    after_resume = _bags(out) if out.is_dir() else {}
    changed = {name for name, digest in complete.items() if after_resume.get(name) != digest}
    scores = _table(out) if resumed.returncode == 0 else None
    trial = {
        "signal": sign.name,
        "after_s": round(after, 2),
        "complete_when_killed": sorted(complete),
        "ended_before": int(ended_before),
        "hung": int(hung),
        "orphans": orphans,
        "resumes": 1,
        "refused_resumes": int(resumed.returncode != 0),
        "lost": len(changed | (names - set(after_resume))),
        "doubled": _doubled(out),
        "left_partial": sum(1 for _ in out.glob(f"*{PARTIAL}*")),
        "other_tables": int(scores is not None and scores != table),
        "tracebacks": int(b"Traceback" in errors.read_bytes() and sign is not signal.SIGKILL),
    }
    if resumed.returncode != 0:
        trial["resume_said"] = _last(resumed.stderr)
    shutil.rmtree(out, ignore_errors=True)
    return trial


def _told(trial: dict[str, Any]) -> str:
    keys = ("orphans", "lost", "doubled", "left_partial", "refused_resumes", "other_tables", "tracebacks", "hung")
    return ", ".join(f"{trial[key]} {key}" for key in keys if trial[key]) or "nothing amiss"


def _ended(process: subprocess.Popen[bytes]) -> int | None:
    """The status of a run that was told to end; one that does not is killed, and has none."""
    try:
        return process.wait(_END)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait(_END)
        return None


def _outliving(session: int) -> int:
    """How many processes of a session outlive its first one for longer than they may; they are killed."""
    ends = time.monotonic() + _GRACE
    while (left := _of_session(session)) and time.monotonic() < ends:
        time.sleep(0.1)
    for pid in left:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            continue
    ends = time.monotonic() + _GRACE
    while _of_session(session) and time.monotonic() < ends:
        time.sleep(0.1)
    return len(left)


def _of_session(session: int) -> list[int]:
    """Living processes of a session; those that only wait to be reaped are not."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text(errors="replace").rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[3]) == session and fields[0] not in "ZX":
                found.append(int(entry.name))
    return found


def _bags(out: Path) -> dict[str, str]:
    """Complete bags by name, with what is in their files."""
    found = {}
    for folder in sorted(item for item in out.iterdir() if item.is_dir() and PARTIAL not in item.name):
        files = sorted(folder.glob("*.mcap"))
        if files:
            found[folder.name] = hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()
    return found


def _doubled(out: Path) -> int:
    """Episodes that more than one bag of a folder holds, by what the bags say themselves."""
    from vantage.reports import score_bag

    counts = Counter(score_bag(out / name).episode_id for name in (_bags(out) if out.is_dir() else {}))
    return sum(1 for number in counts.values() if number > 1)


def _table(out: Path) -> Any:
    """The figures of a folder as ``vantage score`` tells them."""
    words = _vantage("score", str(out), "--json")
    scored = subprocess.run(words, capture_output=True, text=True, timeout=_DEADLINE, check=False)
    try:
        return json.loads(scored.stdout)["groups"]
    except (ValueError, KeyError):
        return _last(scored.stderr)


def _vantage(*words: str) -> Sequence[str]:
    return [sys.executable, "-m", "vantage.cli.main", *words]


def _last(text: str) -> str:
    return (text.strip().splitlines() or ["it said nothing"])[-1][:_SAID]
