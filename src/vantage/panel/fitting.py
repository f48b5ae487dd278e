"""What a panel says of the view rule: thresholds of readers, how far both agree, and how far readers do."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from vantage.benchmarks.statistics import Figure, aligned, interval, number, proportion
from vantage.errors import UsageError
from vantage.panel.blindness import Sight, sight
from vantage.panel.kinds import KINDS
from vantage.panel.panel_folder import AskedFrame, KnownFrame
from vantage.panel.psychometric import Threshold, Trial, threshold_of
from vantage.panel.readers import MODEL, Reader


@dataclass(frozen=True)
class ReaderFit:
    """One reader.

    Attributes:
        who: name, and which model or that it is a person.
        answered, unusable: frames, and those of them without a usable reply.
        right: share of right replies to frames that are no foils.
    """

    reader: str
    kind: str
    model: str
    who: str
    answered: int
    unusable: int
    right: Figure
    sight: Sight


@dataclass(frozen=True)
class KindFit:
    """One kind of frames.

    Attributes:
        rule: threshold of the rule, in ``unit``; NaN for last looks, and where no frame has a value.
        threshold: of the readers, from the fit half; None for last looks.
        agreement: of rule and readers, on the test half.
    """

    kind: str
    title: str
    setting: str
    unit: str
    rule: float
    threshold: Threshold | None
    agreement: Figure


@dataclass(frozen=True)
class PanelFit:
    """All of it. Foils count for the sight of readers alone.

    Attributes:
        frames, foils: in the panel; the foils are among the frames.
        answered: frames that a reader who sees has answered.
        agreement: of rule and readers on the test half: at least half of the readers can tell where the rule passes a
            frame, and fewer where it does not.
        untold: share of what the rule passes that nobody could tell; test half.
        refused: share of what the rule fails that everybody could tell; test half.
        ceiling: how often two readers agree whether they can tell; None where that is unknown, for the reason in
            ``ceiling_note``.
    """

    frames: int
    foils: int
    answered: int
    readers: tuple[ReaderFit, ...]
    kinds: tuple[KindFit, ...]
    agreement: Figure
    untold: Figure
    refused: Figure
    ceiling: Figure | None
    ceiling_note: str

    def text(self) -> str:
        """For people."""
        lines = [f"{self.answered} of {self.frames} frames answered, {self.foils} of them foils"]
        lines += [_reader_line(reader) for reader in self.readers]
        rows = [("kind", "setting", "rule", "readers (90 %)", "95 %", "n fit", "agree", "95 %", "n test")]
        lines += ["", aligned([*rows, *map(_kind_row, self.kinds)], right=(2, 3, 5, 6, 8))]
        lines += [
            f"  {each.kind}: {each.threshold.note}" for each in self.kinds if each.threshold and each.threshold.note
        ]
        lines += ["", *map(_line, (self.agreement, self.untold, self.refused))]
        lines.append(self.ceiling_note if self.ceiling is None else _line(self.ceiling))
        return "\n".join(lines)


def fit_panel(known: Sequence[KnownFrame], asked: Sequence[AskedFrame], readers: Sequence[Reader]) -> PanelFit:
    """Fit thresholds on one half of the frames, and compare rule and readers on the other.

    Raises:
        UsageError: nobody has answered, or nobody who sees.
    """
    if not readers:
        raise UsageError("nobody has answered this panel; give it replies with `vantage panel answer`")
    guesses = {frame.number: 1.0 / len(frame.replies) for frame in asked}
    fits = [_reader_fit(reader, known, guesses) for reader in readers]
    seeing = [reader for reader, fit in zip(readers, fits, strict=True) if not fit.sight.blind]
    if not seeing:
        blind = "; ".join(f"{fit.reader}: {fit.sight.blind}" for fit in fits)
        raise UsageError(f"no reader of this panel sees ({blind}); have others answer it")
    told = {
        frame.number: [
            reader.replies[frame.number] == frame.right for reader in seeing if frame.number in reader.replies
        ]
        for frame in known
        if not frame.foil
    }
    shown = [frame for frame in known if told.get(frame.number)]
    test = [frame for frame in shown if frame.half == "test"]
    kinds = dict.fromkeys((*KINDS, *(frame.kind for frame in known)))
    passed, failed = ([frame for frame in test if frame.passes is passes] for passes in (True, False))
    ceiling, note = _ceiling(seeing, shown)
    return PanelFit(
        frames=len(known),
        foils=sum(frame.foil for frame in known),
        answered=sum(any(frame.number in reader.replies for reader in seeing) for frame in known),
        readers=tuple(fits),
        kinds=tuple(_kind_fit(kind, shown, told, guesses) for kind in kinds if any(f.kind == kind for f in shown)),
        agreement=_agreement("agreement", "Rule and readers agree", test, told),
        untold=proportion(
            "untold", "The rule passes, nobody could tell", (not any(told[frame.number]) for frame in passed)
        ),
        refused=proportion(
            "refused", "The rule fails, everybody could tell", (all(told[each.number]) for each in failed)
        ),
        ceiling=ceiling,
        ceiling_note=note,
    )


def _reader_fit(reader: Reader, known: Sequence[KnownFrame], guesses: Mapping[int, float]) -> ReaderFit:
    shown = [frame for frame in known if not frame.foil and frame.number in reader.replies]
    return ReaderFit(
        reader.reader,
        reader.kind,
        reader.model,
        reader.who,
        len(reader.replies),
        sum(reply is None for reply in reader.replies.values()),
        proportion("right", "Right", (reader.replies[frame.number] == frame.right for frame in shown)),
        sight(reader.replies, known, guesses),
    )


def _kind_fit(
    kind: str, shown: Sequence[KnownFrame], told: Mapping[int, list[bool]], guesses: Mapping[int, float]
) -> KindFit:
    frames = [frame for frame in shown if frame.kind == kind]
    agreement = _agreement(kind, kind, [frame for frame in frames if frame.half == "test"], told)
    about = KINDS.get(kind)
    if about is None:
        return KindFit(kind, "as episodes end", "", "", math.nan, None, agreement)
    trials = [
        Trial(frame.number, frame.value, guesses[frame.number], right)
        for frame in frames
        if frame.half == "fit" and frame.value is not None
        for right in told[frame.number]
    ]
    rule = next((frame.threshold for frame in frames if frame.value is not None), math.nan)
    return KindFit(kind, about.title, about.setting, about.unit, rule, threshold_of(trials), agreement)


def _agreement(key: str, title: str, frames: Sequence[KnownFrame], told: Mapping[int, list[bool]]) -> Figure:
    both = ((2 * sum(told[frame.number]) >= len(told[frame.number])) == frame.passes for frame in frames)
    return proportion(key, title, both)


def _ceiling(seeing: Sequence[Reader], shown: Sequence[KnownFrame]) -> tuple[Figure | None, str]:
    """How often two readers, who are not the same model, agree whether they can tell; all their frames and pairs."""
    if len(seeing) < 2:
        return None, f"the ceiling is unknown: {seeing[0].who} is the only reader"
    pairs = [
        (first, second)
        for first, second in combinations(seeing, 2)
        if not (first.kind == second.kind == MODEL and first.model == second.model)
    ]
    if not pairs:
        return None, f"the ceiling is unknown: all readers are the same model, {seeing[0].model}"
    same = [
        (first.replies[frame.number] == frame.right) == (second.replies[frame.number] == frame.right)
        for first, second in pairs
        for frame in shown
        if frame.number in first.replies and frame.number in second.replies
    ]
    if not same:
        return None, "the ceiling is unknown: no two readers have answered the same frame"
    return proportion("ceiling", "Reader and reader agree (ceiling)", same), ""


def _reader_line(reader: ReaderFit) -> str:
    seen = reader.sight
    told = f"{reader.who}: {reader.answered} answered, {reader.unusable} unusable"
    told += f", {number(reader.right.value, percent=True)} right, easy frames {seen.easy_right} of {seen.easy}"
    told += f", foils {seen.foils_told} of {seen.foils}"
    if seen.blind:
        return f"{told}; left out as blind: {seen.blind}"
    return f"{told}; sight not fully checked: {seen.unchecked}" if seen.unchecked else told


def _kind_row(fit: KindFit) -> tuple[str, ...]:
    found = fit.threshold
    fitted = found is not None and math.isfinite(found.value)
    return (
        fit.kind,
        fit.setting,
        f"{fit.rule:.3g} {fit.unit}" if math.isfinite(fit.rule) else "-",
        f"{found.value:.3g}" if found and fitted else "-",
        f"[{found.low:.3g}, {found.high:.3g}]" if found and fitted else "-",
        str(found.frames) if found else "-",
        number(fit.agreement.value, percent=True),
        interval(fit.agreement),
        str(fit.agreement.n),
    )


def _line(figure: Figure) -> str:
    return f"{figure.title}: {number(figure.value, figure.percent)} {interval(figure)} (n {figure.n})"
