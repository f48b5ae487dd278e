"""How many actions an episode allows: a fixed number, or one that grows with the floor that the camera can reach."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

from vantage.benchmarks.sets.episode_json import MOST_STEPS
from vantage.errors import UsageError
from vantage.scenes.geometry import reachable_area
from vantage.scenes.spec import load_spec
from vantage.splats import SPEC_FILE

_MOST_PER_SQUARE_METRE = 1000.0


@dataclass(frozen=True)
class StepBudget:
    """Actions that the episodes of a set allow.

    Attributes:
        at_least: however small a home is.
        per_square_metre: of the floor that the camera reaches (``scenes.geometry.reachable_area``); 0 for a number that
            is the same in all homes.

    Raises:
        UsageError: no episode could have such a budget.
    """

    at_least: int
    per_square_metre: float = 0.0

    def __post_init__(self) -> None:
        if not (1 <= self.at_least <= MOST_STEPS and 0 <= self.per_square_metre <= _MOST_PER_SQUARE_METRE):
            raise UsageError(
                f"a budget cannot be {self.per_square_metre:g} actions per m2 and at least {self.at_least}; "
                f"give at least 1 action, and 0 to {_MOST_PER_SQUARE_METRE:g} per m2"
            )

    @staticmethod
    def read(text: str, at_least: int) -> StepBudget:
        """A budget as people type it: ``60``, or ``per_square_metre=1.5,at_least=60``.

        Args:
            at_least: where the text does not say it.

        Raises:
            UsageError: it says nothing of the kind.
        """
        values = {"at_least": str(at_least), "per_square_metre": "0"}
        for part in (f"at_least={text}" if "=" not in text else text).split(","):
            name, _, value = (piece.strip() for piece in part.partition("="))
            if name not in values:
                raise UsageError(f"a budget has no '{name}'; give a number, or per_square_metre=1.5,at_least=60")
            values[name] = value
        try:
            return StepBudget(int(values["at_least"]), float(values["per_square_metre"]))
        except ValueError:
            raise UsageError(
                f"the budget '{text}' is no number of actions; give a whole one, or per_square_metre=1.5,at_least=60"
            ) from None

    def steps_in(self, scene: Path) -> int:
        """Actions that an episode allows in the home of a scene folder.

        Raises:
            SceneError, FormatError: the folder has no specification that can be read.
        """
        if self.per_square_metre == 0:
            return self.at_least
        return max(self.at_least, math.ceil(self.per_square_metre * reachable_area(load_spec(scene / SPEC_FILE))))
