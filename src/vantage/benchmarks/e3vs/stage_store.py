"""What each stage made of each home, kept in files, so that an interrupted run goes on where it was."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from vantage.errors import FormatError, UsageError
from vantage.files import read_json, write_whole

STAGES = ("curation", "questions", "invalid", "viewpoints", "answerability")
_REQUEST = "request.json"


@dataclass(frozen=True)
class StageResult:
    """What one stage made of one home.

    Attributes:
        items: what goes on to the next stage, as plain data.
        dropped: how many did not, by the reason.
        noted: further numbers that the stage tells, by what they are of.
    """

    items: Sequence[Mapping[str, Any]] = ()
    dropped: Mapping[str, int] = field(default_factory=dict)
    noted: Mapping[str, int] = field(default_factory=dict)
    seconds: float = 0.0


class StageStore:
    """Results in a folder: ``STAGE/HOME.json``, each written whole or not at all."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def begin(self, request: Mapping[str, Any]) -> None:
        """Keep what is to be made, or go on with it.

        Raises:
            UsageError: something else was begun here.
        """
        path = self._folder / _REQUEST
        if not path.is_file():
            self._folder.mkdir(parents=True, exist_ok=True)
            write_whole(path, json.dumps(request, indent=2, sort_keys=True) + "\n")
        elif read_json(path) != json.loads(json.dumps(request)):
            raise UsageError(
                f"{self._folder.parent} holds a set that was begun with other options; repeat these, choose another "
                "folder or remove it"
            )

    def get(self, stage: str, home: str) -> StageResult | None:
        """What was made before, if it was.

        Raises:
            FormatError: the file holds something else.
        """
        path = self._folder / stage / f"{home}.json"
        if not path.is_file():
            return None
        values = read_json(path)
        try:
            return StageResult(values["items"], values["dropped"], values["noted"], float(values["seconds"]))
        except (KeyError, TypeError, ValueError) as error:
            raise FormatError(f"{path} is no result of a stage; remove it, and it is made again") from error

    def put(self, stage: str, home: str, result: StageResult) -> None:
        path = self._folder / stage / f"{home}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        values = {
            "items": list(result.items),
            "dropped": dict(result.dropped),
            "noted": dict(result.noted),
            "seconds": round(result.seconds, 3),
        }
        write_whole(path, json.dumps(values, allow_nan=False) + "\n")

    def told(self, homes: Iterable[str]) -> dict[str, Any]:
        """For each stage what it kept and dropped in some homes, and the seconds that it took."""
        names = list(homes)
        found: dict[str, Any] = {}
        for stage in STAGES:
            results = [result for result in (self.get(stage, name) for name in names) if result is not None]
            if not results:
                continue
            dropped: Counter[str] = Counter()
            noted: Counter[str] = Counter()
            for result in results:
                dropped.update(result.dropped)
                noted.update(result.noted)
            found[stage] = {
                "homes": len(results),
                "kept": sum(len(result.items) for result in results),
                "dropped": dict(sorted(dropped.items())),
                "noted": dict(sorted(noted.items())),
                "seconds": round(sum(result.seconds for result in results), 1),
            }
        return found
