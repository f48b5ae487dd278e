"""What benchmarks add to scores, their tables and reliability plots, as sections of a report."""

from __future__ import annotations

from vantage.benchmarks.sections import Section, Table
from vantage.reports.reliability_plot import reliability_plot
from vantage.reports.report_text import text


def section_html(section: Section) -> str:
    """HTML of everything; empty tables are not left out, so that what is missing is seen."""
    blocks = []
    for heading, members in section.tables:
        blocks.append(f"<h3>{text(heading)}</h3>" + "".join(_table(table) for table in members))
    plots = "".join(
        f"<figure>{reliability_plot(each.bins, each.title)}<figcaption>{text(each.caption)}</figcaption></figure>"
        for each in section.plots
    )
    if plots:
        heading = "Reliability: how often answers are right that the agent is so sure of"
        blocks.append(f'<h3>{heading}</h3><div class="plots">{plots}</div>')
    return (
        f'<section class="tables"><h2>{text(section.title)}</h2><p class="soft">{text(section.rules)}</p>'
        f"{''.join(blocks)}</section>"
    )


NUMBER = ' class="number"'


def _table(table: Table) -> str:
    head = "".join(f'<th scope="col"{NUMBER if k else ""}>{text(name)}</th>' for k, name in enumerate(table.head))
    rows = "".join(
        f'<tr><th scope="row">{text(row[0])}</th>' + "".join(map(_cell, row[1:])) + "</tr>" for row in table.rows
    )
    return (
        f'<div class="scroll"><table><caption>{text(table.title)}</caption><thead><tr>{head}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
    )


def _cell(cell: str) -> str:
    value, space, bounds = cell.partition(" [")
    small = f"<br><small>[{text(bounds)}</small>" if space else ""
    return f'<td class="number">{text(value)}{small}</td>'
