"""What became of a task, told line by line: what was understood, the ruling, each action and the end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from vantage.cli.main import Result

if TYPE_CHECKING:
    from vantage.goals import Errand
    from vantage.types import Answer


class TaskTold:
    """Takes in how the episode of one task ended.

    Args:
        tell: prints lines.
    """

    def __init__(self, tell: Callable[..., None]) -> None:
        self._tell = tell
        self._errand: Errand | None = None

    def ended(self, flown: Any) -> None:
        """Tell of it."""
        answer: Answer | None = next(iter(flown.outcome.answers), None)
        self._errand = None if answer is None else answer.errand
        if self._errand is not None and answer is not None:
            self._tell(*lines_of(self._errand, answer))

    def result(self, flight: Result) -> Result:
        """That of the command: done where the episode was, and the task."""
        from vantage.goals import End

        done = self._errand is not None and self._errand.end is End.DONE
        end = "nothing was told of it" if self._errand is None else self._errand.end.value
        data = {**flight.data, "task": end}
        return replace(flight, text=f"task: {end}; {flight.text}", data=data, done=flight.done and done)


def lines_of(errand: Errand, answer: Answer) -> list[str]:
    """What a robot tells of a task, in words."""
    from vantage.goals import reply_text

    understood = reply_text(tuple(answer.goal.literals), instances=True) if answer.goal.parts else "no goal"
    deeds = [
        f"    {deed.verb}({', '.join(deed.objects)}): {deed.failure or 'done'} (command {deed.command})"
        for deed in errand.deeds
    ]
    return [
        f"    understood: {understood}",
        f"    ruling: {'nobody ruled' if answer.ruling is None else answer.ruling.feasibility.value}",
        *([f"    looked for: {', '.join(errand.sought)}"] if errand.sought else []),
        *deeds,
        f"    end: {errand.end.value}: {answer.text}",
    ]
