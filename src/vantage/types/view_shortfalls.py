"""Why a view does not show what a question needs, as figures and in words."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from vantage.wording import shown

FIRST_VIEW_RULE = 1  # of sets and bags that name no version
VIEW_RULE = 2  # raise it with every change after which some view has another verdict

_MOST_DIGITS = 6


@dataclass(frozen=True)
class ViewShortfall:
    """The first test of the view rule that a view fails.

    Attributes:
        test: name of the test, a key of ``UNITS``.
        measured: what the view has, in the unit of the test.
        needed: the threshold: the least or greatest value with which the view would pass.
        target: instance id of what was looked at; 0 where no single thing is meant.
        distance: of the camera from a print, m; 0 for other tests.
        angle: between the way to the camera and the normal of a print, rad; 0 for other tests.
    """

    test: str
    measured: float
    needed: float
    target: int = 0
    distance: float = 0.0
    angle: float = 0.0

    @property
    def unit(self) -> str:
        """``px``, ``rad``, ``share`` (0..1) or ``targets``; empty for a test that this version does not know."""
        return UNITS.get(self.test, "")

    @property
    def words(self) -> str:
        """For people, such as ``574 px, 800 needed``; angles are in degrees, shares in percent."""
        scale, digits = _SCALES.get(self.unit, (1.0, 1))
        measured, needed = _told_apart(self.measured * scale, self.needed * scale, digits)
        wording = _WORDINGS.get(self.test)
        if wording is None:
            return f"{shown(self.test)}: {measured}, {needed} needed"
        return wording(self, measured, needed)


NOTHING_TO_SEE = ViewShortfall("targets", 0.0, 1.0)  # of a question that names nothing that a look could show
UNITS = {
    "targets": "targets",
    "off axis": "rad",
    "pixels": "px",
    "hidden": "share",
    "cut off": "share",
    "visible": "share",
    "top visible": "share",
    "letter height": "px",
    "print angle": "rad",
    "print visible": "share",
    "front angle": "rad",
    "elevation": "rad",
    "part visible": "share",
}
_SCALES = {"rad": (math.degrees(1.0), 1), "share": (100.0, 0), "px": (1.0, 0), "targets": (1.0, 0)}


def _letters(why: ViewShortfall, _: str, __: str) -> str:
    measured, needed = _told_apart(why.measured, why.needed, 1)
    where = f"print at {why.distance:.2f} m and {math.degrees(why.angle):.0f} degrees"
    return f"{where}: {measured} px a letter, {needed} needed"


_WORDINGS: dict[str, Callable[[ViewShortfall, str, str], str]] = {
    "targets": lambda _, has, needs: f"{has} things named that one look could show, {needs} needed",
    "off axis": lambda _, has, needs: f"{has} degrees off the middle of the picture, {needs} allowed",
    "pixels": lambda _, has, needs: f"{has} px, {needs} needed",
    "hidden": lambda _, has, needs: f"{has} % hidden, {needs} % allowed",
    "cut off": lambda _, has, needs: f"{has} % outside of the picture, {needs} % allowed",
    "visible": lambda _, has, needs: f"{has} % visible, {needs} % needed",
    "top visible": lambda _, has, needs: f"{has} % of its top visible, {needs} % needed",
    "letter height": _letters,
    "print angle": lambda why, has, needs: (
        f"print at {why.distance:.2f} m seen from {has} degrees aside, {needs} allowed"
    ),
    "print visible": lambda _, has, needs: f"{has} % of the print visible, {needs} % needed",
    "front angle": lambda _, has, needs: f"seen from {has} degrees off its front, {needs} allowed",
    "elevation": lambda _, has, needs: f"seen from {has} degrees above, {needs} needed",
    "part visible": lambda _, has, needs: f"{has} % of a part that moves visible, {needs} % needed",
}


def _told_apart(measured: float, needed: float, digits: int) -> tuple[str, str]:
    """Two values with as few digits as tell them apart, at least so many after the point; zeros there are left out."""
    for count in range(digits, _MOST_DIGITS + 1):
        texts = _plain(measured, count), _plain(needed, count)
        if texts[0] != texts[1]:
            break
    return texts


def _plain(value: float, digits: int) -> str:
    text = f"{value:.{digits}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
