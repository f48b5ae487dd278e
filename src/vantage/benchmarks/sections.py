"""What a benchmark adds to the scores of a folder of bags: tables and plots of its own, as plain data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from vantage.benchmarks.statistics import Bin, aligned


@dataclass(frozen=True)
class Table:
    """Text cells; the first column names the row."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class ReliabilityPlot:
    """Bins of confidence of one setup."""

    title: str
    caption: str
    bins: tuple[Bin, ...]


@dataclass(frozen=True)
class Section:
    """One benchmark's part.

    Attributes:
        key: under which ``data`` stands in the JSON of scores; the benchmark's name.
        title: as people call the benchmark.
        rules: how the figures are computed, in words.
        tables: under a heading each.
        data: every figure as plain data; NaN stays NaN.
        published: tables under a heading each of published figures beside these; a terminal does not show them.
        notes: what of the published figures compares, in words.
    """

    key: str
    title: str
    rules: str
    tables: tuple[tuple[str, tuple[Table, ...]], ...]
    data: Mapping[str, Any]
    plots: tuple[ReliabilityPlot, ...] = ()
    published: tuple[tuple[str, tuple[Table, ...]], ...] = ()
    notes: str = ""

    def text(self) -> str:
        """For a terminal."""
        blocks = [self.title]
        for heading, members in self.tables:
            blocks.append(heading)
            for table in members:
                columns = range(1, len(table.head))
                blocks.append(f"{table.title}\n{aligned([table.head, *table.rows], columns)}")
        return "\n\n".join((*blocks, self.rules))

    def markdown(self) -> str:
        """For a page of documentation."""
        beside = (*_blocks(self.published), *filter(None, (self.notes,)))
        return "\n\n".join((*_blocks(self.tables), self.rules, *beside))


def _blocks(tables: Iterable[tuple[str, tuple[Table, ...]]]) -> Iterator[str]:
    """Tables in Markdown under their headings."""
    for heading, members in tables:
        yield f"### {heading[0].upper()}{heading[1:]}"
        for table in members:
            lines = ["| " + " | ".join(table.head) + " |", "| --- |" + " ---: |" * (len(table.head) - 1)]
            lines += ["| " + " | ".join(row) + " |" for row in table.rows]
            yield f"**{table.title}**\n\n" + "\n".join(lines)
