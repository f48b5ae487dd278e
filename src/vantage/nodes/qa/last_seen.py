"""Where things were seen last, by kind and color, so that people can be shown what is meant."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable

from vantage.questions.parsing.parser import parse
from vantage.types import Detection, Point

_MOST = 512  # kinds and colors of things


class Places:
    """Bounded: what was not seen for the longest time is forgotten. One caller at a time."""

    def __init__(self) -> None:
        self._centers: OrderedDict[tuple[str, str], Point] = OrderedDict()

    def note(self, detections: Iterable[Detection]) -> None:
        """Keep the places of what one view shows, world frame, m."""
        for item in detections:
            key = item.label, item.color
            self._centers[key] = item.center
            self._centers.move_to_end(key)
        while len(self._centers) > _MOST:
            self._centers.popitem(last=False)

    def clear(self) -> None:
        """Forget everything."""
        self._centers.clear()

    def meant_by(self, question: str) -> Point | None:
        """Where the thing is that a question is about, world frame, m; one of the color that it names comes first."""
        parsed = parse(question)
        if parsed is None:
            return None
        words = set(question.lower().rstrip("?").split())
        for label in parsed.labels:
            found = [(color in words, center) for (kind, color), center in self._centers.items() if kind == label]
            if found:
                return max(reversed(found), key=lambda item: item[0])[1]
        return None
