"""Records the golden bags: small sets run by the command line, in process and over ROS, and prepared episodes.

They are recorded once and then only scored; recorded anew, over ROS or on another machine, they hold other times.
"""

from __future__ import annotations

import csv
import importlib
import io
import json
import lzma
import os
import re
import tarfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from golden_texts.prepared_bags import record_pairs, record_prepared
from vantage.benchmarks.sets.episodes_io import load_set, load_truths, save_set
from vantage.cli.main import main
from vantage.files import write_whole
from vantage.models.protocol import Call, Deadline, Reply
from vantage.registry import MODELS

SMALL = ("--set", "camera.width=64", "--set", "camera.height=48")
SEES = (*SMALL, "--set", "agent.min_pixels=3")
_REPLIES = {
    "What is the mug made of?": "Glass",
    "Where is the red sofa?": "in the kitchen",
    "Is the door open?": "Yes, it is open.",
    "What can I sit on?": "the armchair",
    "What is on the table?": "a vase",
    "How many chairs are there?": "B) Six",
    "Where is the lamp?": "In the hall",
}
_OPEN_EQA = (
    ("What is the mug made of?", "Glass", "attribute recognition", []),
    ("Where is the red sofa?", "in the living room", "object localization", []),
    ("Is the door open?", "yes", "object state recognition", []),
    ("What can I sit on?", "the sofa", "functional reasoning", ["the armchair", "the chair"]),
    ("What is on the table?", "a bowl", "object recognition", []),
)
_HM_EQA = (
    ("scene", "floor", "question", "choices", "answer"),
    ("00062-home", "0", "How many chairs are there?", "['Four', 'Six', 'Eight', 'Ten']", "B"),
    ("00062-home", "0", "Where is the lamp?", "['On the desk', 'In the hall', 'Nowhere', 'Outside']", "A"),
)
_STATEMENT = re.compile(r"^A: (.*)$", re.MULTILINE)  # the first of two, of which the truer one is asked for
_VERDICT = {
    "noise": "color",
    "false_claim": "the table is purple",
    "correction": "the table is brown",
    "corrected_question": "",
    "explanation": "The table is brown.",
    "answer": "rectangular",
    "objects": [],
    "attributes": "",
    "function": "",
}


class PreparedModel:
    """A back end whose replies are written down here."""

    identity: Mapping[str, object] = {"prepared": 1}

    def __init__(self, which: str) -> None:
        self.name = f"prepared:{which}"

    def reply(self, call: Call, deadline: Deadline) -> Reply:
        if call.choice:
            told = _STATEMENT.search(call.prompt)
            return Reply("", 0.9 if told is None or "brown" in told[1] else 0.1)
        if call.schema is not None:
            wanted = call.schema.get("properties", _VERDICT)
            return Reply(json.dumps({key: value for key, value in _VERDICT.items() if key in wanted}))
        said = next((said for question, said in _REPLIES.items() if question in call.prompt), "rectangular")
        return Reply(said)


def record_bags(scratch: Path, golden: Path) -> None:
    """Record every group of bags into ``golden``, one archive each. Needs ROS, and ``test/ros`` to import from."""
    if "prepared" not in MODELS.names():
        MODELS.register("prepared", lambda which, settings: PreparedModel(which))
    os.environ["ROS_DOMAIN_ID"] = str(importlib.import_module("ros_fixtures").new_domain())
    sets, bags = scratch / "sets", scratch / "bags"
    _make_sets(sets)
    search, pairs = str(sets / "search"), str(sets / "noisyeqa")

    _do("run", "search", "--episodes", search, "--agent", "oracle,random,static", "--out", bags / "search", *SEES)
    seeing = ("--agent", "search", "--perception", "privileged,degraded")
    _do("run", "search", "--episodes", search, *seeing, "--out", bags / "search", *SEES)
    _do("run", "search", "--episodes", search, "--agent", "coverage", "--out", bags / "coverage", *SEES)
    for agent in ("search", "static"):
        ros = bags / "search-ros" / agent
        _do("up", "--episodes", search, "--agent", agent, "--out", ros, *SEES)
    _do("up", "--episodes", search, "--agent", "static", "--world", "rig", "--rig", "room", "--emulate",
        "--out", bags / "rig" / "emulated", *SEES)  # fmt: skip
    _do("run", "search", "--episodes", search, "--agent", "random", "--world", "rig", "--rig", "room",
        "--out", bags / "rig" / "simulated", *SEES, "--set", "rig.mode=simulated")  # fmt: skip
    modes = ("--agent", "search,static", "--mode", "plain,nap,nacot")
    _do("run", "noisyeqa", "--episodes", pairs, *modes, "--out", bags / "noisyeqa", *SEES)
    _do("up", "--episodes", pairs, "--agent", "search", "--perception", "degraded", "--out",
        bags / "noisyeqa-ros" / "degraded", *SEES)  # fmt: skip
    _do("run", "noisyeqa", "--episodes", pairs, "--agent", "vlm", "--model", "prepared:seeing", "--perception", "none",
        "--out", bags / "noisyeqa-model" / "vlm", *SEES)  # fmt: skip
    for benchmark in ("open-eqa", "hm-eqa"):
        blind = ("--world", "none", "--agent", "blind", "--episodes", sets / benchmark)
        for model in ("symbolic", "prepared:blind"):
            _do("run", benchmark, *blind, "--model", model, "--out", bags / benchmark / model.split(":")[0], *SMALL)
    record_prepared(bags / "prepared", scratch)
    record_pairs(bags / "pairs")
    for group in sorted(item for item in bags.iterdir() if item.is_dir()):
        write_whole(golden / f"{group.name}.tar.xz", _archive(group))


def _make_sets(sets: Path) -> None:
    search = ("--scenes", "1", "--episodes", "3", "--noisy", "1", "--rooms", "1-1", "--seed", "3")
    _do("episodes", "make", "search", *search, "--out", sets / "search", *SMALL)
    pairs = ("--scenes", "1", "--pairs", "2", "--rooms", "1-1", "--seed", "4", "--shares", "latent=1,color=1")
    _do("episodes", "make", "noisyeqa", *pairs, "--workers", "1", "--out", sets / "noisyeqa", *SMALL)
    _shorten(sets / "search", 14)
    _shorten(sets / "noisyeqa", 26)
    records = [
        {"question": text, "answer": answer, "category": kind, "question_id": f"q-{k}", "extra_answers": more,
         "episode_history": "hm3d-v0/000-home"}
        for k, (text, answer, kind, more) in enumerate(_OPEN_EQA)
    ]  # fmt: skip
    write_whole(sets / "open-eqa.json", json.dumps(records))
    table = io.StringIO()
    csv.writer(table).writerows(_HM_EQA)
    write_whole(sets / "hm-eqa.csv", table.getvalue())
    _do("episodes", "make", "open-eqa", "--from", sets / "open-eqa.json", "--out", sets / "open-eqa")
    _do("episodes", "make", "hm-eqa", "--from", sets / "hm-eqa.csv", "--out", sets / "hm-eqa")


def _shorten(folder: Path, most: int) -> None:
    """Allow every episode fewer steps, which keeps bags small."""
    made = load_set(folder)
    truths = load_truths(folder, made.episodes)
    episodes = [replace(episode, max_steps=most) for episode in made.episodes]
    save_set(folder, made.info, episodes, [truths[episode.episode_id] for episode in episodes])


def _do(*words: object) -> None:
    """
    Raises:
        RuntimeError: the command failed.
    """
    said = [str(word) for word in words]
    if main(said) != 0:
        raise RuntimeError(f"'vantage {' '.join(said)}' failed; its message above says why")


def _archive(folder: Path) -> bytes:
    """A folder's files without owners and times."""
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for item in sorted(folder.rglob("*")):
            if item.is_file() and not item.name.startswith("."):
                entry = tarfile.TarInfo(item.relative_to(folder).as_posix())
                entry.size = item.stat().st_size
                with item.open("rb") as file:
                    archive.addfile(entry, file)
    return lzma.compress(data.getvalue(), preset=9 | lzma.PRESET_EXTREME)
