"""Questions of an imported benchmark, which bring no scenes along."""

from __future__ import annotations

import json
from pathlib import Path

from vantage.benchmarks.imported.open_eqa import OpenEqaBenchmark


def unseen_set(folder: Path, questions: int, text: str = "What is the mug made of?") -> Path:
    """The folder of a set of some questions without scenes."""
    common = {"category": "object recognition", "episode_history": "hm3d-v0/000-home", "answer": "Glass"}
    records = [{"question": text, "question_id": f"q-{k}", **common} for k in range(questions)]
    (folder / "questions.json").write_text(json.dumps(records))
    return OpenEqaBenchmark().make(folder / "set", source=folder / "questions.json").folder
