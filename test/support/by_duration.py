"""Hands the units of ``shared_out`` to the processes of a run; read only where pytest-xdist is installed."""

from __future__ import annotations

from typing import Any

from shared_out import unit_of, waits
from xdist.scheduler import LoadScopeScheduling


class ByDuration(LoadScopeScheduling):
    """Gives each process that has nearly done its work the first unit of the kind at which too few processes work.

    Half of the processes, but one to four, take what waits; the others take what computes, as long as there is any.
    """

    def __init__(self, config: Any, log: Any) -> None:
        config.option.loadscopereorder = False  # would put units of many tests first, however short those are
        super().__init__(config, log)

    def _split_scope(self, nodeid: str) -> str:
        return unit_of(nodeid)

    def _assign_work_unit(self, node: Any) -> None:
        wanted = self._waiting_besides(node) < min(4, max(1, len(self.nodes) // 2))
        of_kind = (unit for unit in self.workqueue if waits(unit) is wanted)
        first = next(of_kind, None) or next(iter(self.workqueue))
        self.workqueue.move_to_end(first, last=False)
        super()._assign_work_unit(node)

    def _waiting_besides(self, node: Any) -> int:
        """How many other processes have tests to run that wait: one whose work waits goes on with that."""
        return sum(
            any(waits(unit) and not all(tests.values()) for unit, tests in work.items())
            for other, work in self.assigned_work.items()
            if other is not node
        )
