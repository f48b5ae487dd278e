"""Figures and tables in plain text."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence

from vantage.benchmarks.statistics.metrics import Figure
from vantage.untrusted_text import visible

MOST_CELL = 300  # characters


def number(value: float, percent: bool = False) -> str:
    """A figure for people: a dash where there is none."""
    if not math.isfinite(value):
        return "-"
    return f"{100 * value:.1f} %" if percent else f"{value:.2f}"


def interval(figure: Figure) -> str:
    """``[12.3, 45.6]`` in the unit of the figure, or a dash."""
    if not (math.isfinite(figure.low) and math.isfinite(figure.high)):
        return "-"
    scale, digits = (100.0, 1) if figure.percent else (1.0, 2)
    return f"[{scale * figure.low:.{digits}f}, {scale * figure.high:.{digits}f}]"


def cells(figures: Iterable[Figure], n: int | None = None) -> tuple[str, ...]:
    """``87.5 [80.1, 92.4]`` for a table whose head tells the units; a dash where there is nothing to tell.

    Args:
        n: of the row; a share of fewer, and of at least one, says of how many.
    """
    return tuple(
        f"{number(figure.value, figure.percent).removesuffix(' %')} {interval(figure)}".removesuffix(" -")
        + (f" (n {figure.n})" if n is not None and figure.percent and 0 < figure.n < n else "")
        for figure in figures
    )


def aligned(rows: Sequence[Sequence[str]], right: Collection[int] = ()) -> str:
    """Rows, the head first, as columns; those of the numbers in ``right`` end at the same place.

    Cells may hold anything, and stay within their line and ``MOST_CELL`` characters.
    """
    rows = [[visible(cell, MOST_CELL) for cell in row] for row in rows]
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [
            cell.rjust(width) if k in right else cell.ljust(width)
            for k, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    lines.insert(1, "  ".join("-" * width for width in widths))
    return "\n".join(lines)
