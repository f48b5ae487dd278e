"""Files that would become far larger than they are, given to the real commands: nested, merged, packed, promised.

Each command runs in a process of its own, whose time, memory and words are measured.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from vantage.bench.packed_bombs import (
    PACKED_CHECKPOINTS,
    PACKED_HOUSES,
    PACKED_SOG,
    PACKED_SPZ,
    PROMISED_PLY,
    write_bag,
)
from vantage.benchmarks.sets import EpisodeSet
from vantage.files import CHECKPOINT, EPISODE_SET, read_json
from vantage.splats import CLOUD_FILE, SPEC_FILE

MOST_SECONDS = 20  # s of CPU that a command may take, the start of the program included
MOST_MEMORY = 1000.0  # MB that one may have in memory at most, the program and its libraries included
_ADDRESSES = 16 << 30  # bytes of address space, so that a bomb that goes off hurts nobody else
_SAID = 200  # characters of what a command says that are kept
_VANTAGE = (sys.executable, "-m", "vantage.cli.main")

JSON = {
    "a list in a list": "[" * 100_000 + "]" * 100_000,
    "objects without end": '{"a":' * 50_000,
    "objects as deep as Python goes": '{"a":' * 900 + "1" + "}" * 900,
    "millions of objects": "[" + "{}," * 6_000_000 + "{}]",
}
YAML = {
    "a list in a list": "a: " + "[" * 100_000,
    "aliases of aliases": "a0: &a0 [x, x, x, x, x, x, x, x, x]\n"
    + "".join(f"a{k}: &a{k} [{', '.join([f'*a{k - 1}'] * 9)}]\n" for k in range(1, 9)),
    "a chain of merges": "a0: &a0 {k0: 1}\n"
    + "".join(f"a{k}: &a{k} {{<<: *a{k - 1}, k{k}: 1}}\n" for k in range(1, 300)),
    "lists in one line": "- " * 100_000,
    "what holds itself": "a: &a [*a]\n",
    "too many values": "a: [" + "0, " * 300_000 + "]",
}


@dataclass(frozen=True)
class Reader:
    """A command that reads a file.

    Attributes:
        bombs: what is written, by what it is.
        words: of the command; called with a new folder and what to write, as text or bytes.
    """

    name: str
    bombs: Mapping[str, Any]
    words: Callable[[Path, Any], Sequence[str]]


def bench_sizes(made: EpisodeSet, folder: Path, count: int, seed: int, say: Callable[[str], None]) -> dict[str, Any]:
    """Give so many bombs to each reader, or all that there are for it.

    ``tracebacks`` counts commands that end with one or with another exit status than 1 and 2, ``hung`` those that take
    longer than ``MOST_SECONDS`` of CPU, ``memory`` those that take more than ``MOST_MEMORY``, ``accepted`` those that
    take the file for a sound one.

    Args:
        made: an episode set that is sound.
        seed: which of its bombs a reader gets first.
    """
    readers, found, runs = _readers(made), Counter[str](), []
    for number, reader in enumerate(readers):
        names = list(reader.bombs)
        for turn in range(min(count, len(names))):
            name = names[(seed + number + turn) % len(names)]
            with tempfile.TemporaryDirectory(dir=folder) as inner:
                run = _run(reader.words(Path(inner), reader.bombs[name]), Path(inner))
            found.update(fault for fault in ("tracebacks", "hung", "memory", "accepted") if run[fault])
            runs.append({"reader": reader.name, "bomb": name, **run})
            say(f"bounds: {reader.name}, {name}: {run['seconds']:.1f} s, {run['megabytes']:.0f} MB; {run['said']}")
    return {
        "bombs": len(runs),
        **{fault: found[fault] for fault in ("tracebacks", "hung", "memory", "accepted")},
        "most_seconds": max(run["seconds"] for run in runs),
        "most_megabytes": max(run["megabytes"] for run in runs),
        "runs": runs,
    }


def _run(words: Sequence[str], folder: Path) -> dict[str, Any]:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS))
        resource.setrlimit(resource.RLIMIT_AS, (_ADDRESSES, _ADDRESSES))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    with (folder / "said").open("w+b") as said:
        process = subprocess.Popen(
            [*_VANTAGE, *words], stdin=subprocess.DEVNULL, stdout=said, stderr=said, cwd=folder, preexec_fn=limit
        )
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        text = said.read().decode(errors="replace")
    ended, megabytes = process.returncode, used.ru_maxrss / 1024
    hung = ended in (-signal.SIGXCPU, -signal.SIGKILL)
    return {
        "tracebacks": "Traceback (most" in text or (ended not in (0, 1, 2) and not hung),
        "hung": hung,
        "memory": megabytes > MOST_MEMORY,
        "accepted": ended == 0,
        "seconds": round(used.ru_utime + used.ru_stime, 2),
        "megabytes": round(megabytes, 1),
        "said": (text.strip().splitlines() or [""])[-1][:_SAID].replace(str(folder), "FOLDER"),
    }


def _readers(made: EpisodeSet) -> list[Reader]:
    def at(name: str, *words: str) -> Callable[[Path, Any], Sequence[str]]:
        """A command about a file of this name, which words call FILE, in a folder of its own."""

        def write(folder: Path, bomb: Any) -> Sequence[str]:
            path = folder / name
            _put(path, bomb)
            return [word.replace("FILE", str(path)) for word in words]

        return write

    def in_set(name: str, *words: str) -> Callable[[Path, Any], Sequence[str]]:
        """A command about the sound set, but for this file of it; words call its folder FOLDER."""

        def write(folder: Path, bomb: Any) -> Sequence[str]:
            shutil.copytree(made.folder, folder / "set", ignore=shutil.ignore_patterns(CLOUD_FILE, ".*"))
            described = folder / "set" / EPISODE_SET
            described.write_text(json.dumps({**read_json(described), "content_hash": ""}))
            _put(folder / "set" / name, bomb)
            return [word.replace("FOLDER", str(folder / "set")).replace("OUT", str(folder / "out")) for word in words]

        return write

    scene = next(iter(made.info.scenes))
    run = ("run", "search", "--episodes", "FOLDER", "--out", "OUT", "--agent", "random")
    prior = (*run[:-1], "prior", "--set", "agent.prior=FOLDER/../prior.json")
    readers = [
        Reader("a scene's specification", JSON, at(SPEC_FILE, "scene", "check", "FILE")),
        Reader(
            "a scene's description",
            YAML,
            in_set(f"scenes/{scene}/scene.yaml", "scene", "info", f"FOLDER/scenes/{scene}"),
        ),
        Reader("a set's description", JSON, in_set(EPISODE_SET, "episodes", "show", "search", "FOLDER")),
        Reader("an episode", JSON, in_set("episodes.jsonl", *run)),
        Reader("gold data", JSON, in_set("truth.jsonl", "episodes", "show", "search", "FOLDER")),
        Reader("counted answers", JSON, in_set("../prior.json", *prior)),
        Reader("ratings", JSON, at("marks.json", "agree", "FILE")),
        Reader("a house", JSON, at("house.json", "scene", "check", "FILE")),
        Reader("settings", YAML, at("settings.yaml", "episodes", "make", "search", "--config", "FILE", "--out", "out")),
        Reader("a rig", YAML, at("rig.yaml", "rig", "check", "--emulate", "--rig", "FILE")),
        Reader("a cloud (PLY)", PROMISED_PLY, at("cloud.ply", "scene", "info", "FILE")),
        Reader("a cloud (SPZ)", PACKED_SPZ, at("cloud.spz", "scene", "info", "FILE")),
        Reader("a cloud (SOG)", PACKED_SOG, at("cloud.sog", "scene", "info", "FILE")),
        Reader("packed houses", PACKED_HOUSES, at("houses.jsonl.gz", "scene", "check", "FILE")),
        Reader("a bag's metadata", YAML, _in_bag),
        Reader("a bag's chunk", {"gigabytes of zeros": None}, _in_bag),
    ]
    if find_spec("torch") is not None and find_spec("transformers") is not None:
        learned = (*run[:-1], "learned", "--set", "agent.checkpoint=FOLDER/..")
        readers.append(Reader("a checkpoint", PACKED_CHECKPOINTS, in_set(f"../{CHECKPOINT}", *learned)))
    return readers


def _in_bag(folder: Path, bomb: Any) -> Sequence[str]:
    """A command about a bag with this metadata; one whose chunk is the bomb where that is None."""
    bag = write_bag(folder / "bag", packed=bomb is None)
    if bomb is not None:
        (bag / "metadata.yaml").write_text(bomb)
    return ["score", str(bag)]


def _put(path: Path, bomb: Any) -> None:
    data = bomb() if callable(bomb) else bomb
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    path.write_bytes(data.encode() if isinstance(data, str) else data)
