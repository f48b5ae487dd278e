"""A set of pairs that people review: with one text in it that means harm."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from vantage.benchmarks.sets.episode_json import to_line
from vantage.benchmarks.sets.episodes_io import EpisodeSet, load_set, load_truths, save_set

HARM = "<img src=x onerror=\"document.title='harmed'\"><script>document.title='harmed'</script>"


def with_harm(made: EpisodeSet, folder: Path) -> EpisodeSet:
    """A copy of a set whose first question is followed by HTML."""
    shutil.copytree(made.folder, folder)
    copy = load_set(folder)
    lines = [json.loads(to_line(episode)) for episode in copy.episodes]
    lines[0]["questions"][0]["text"] += HARM
    (folder / "episodes.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    changed = load_set(folder)
    truths = load_truths(copy.folder, copy.episodes)
    return save_set(folder, changed.info, changed.episodes, [truths[each.episode_id] for each in changed.episodes])
