"""What the parser makes of a question: plain data for whoever answers it, plans a search or explains it."""

from __future__ import annotations

from dataclasses import dataclass

from vantage.questions.kinds import NUMBERS, QuestionKind


@dataclass(frozen=True)
class Subject:
    """The thing asked about.

    Attributes:
        label: canonical and singular; any noun, known or not.
        color, material: claimed of it, empty when not.
        number: claimed of it ("the three mugs"), None when not.
        plural: several are meant.
        definite: it is taken for granted ("the mug"), not asked for ("a mug").
    """

    label: str
    color: str = ""
    material: str = ""
    number: int | None = None
    plural: bool = False
    definite: bool = True


@dataclass(frozen=True)
class Place:
    """``on`` or ``in`` a thing with a label."""

    relation: str
    label: str
    color: str = ""
    material: str = ""

    def __str__(self) -> str:
        words = (self.relation, "the", self.color, adjective(self.material), self.label)
        return " ".join(word for word in words if word)


@dataclass(frozen=True)
class Claim:
    """A premise: what the question takes for granted. ``aspect`` is existence, color, material, count or position."""

    aspect: str
    text: str


@dataclass(frozen=True)
class ParsedQuestion:
    """A question that was understood.

    Attributes:
        text: as it was asked.
        kind: what is asked for.
        place: named in the question, or None for the whole room.
        proposed: the value that a yes/no question asks about ("Is the mug red?"), otherwise empty.
    """

    text: str
    kind: QuestionKind
    subject: Subject
    place: Place | None = None
    proposed: str = ""

    @property
    def claims(self) -> tuple[Claim, ...]:
        """Its premises; existence and "how many" questions take nothing for granted but their place."""
        if self.kind in (QuestionKind.EXISTENCE, QuestionKind.COUNT):
            return ()
        subject, found = self.subject, []
        name = subject.label
        found.append(Claim("existence", f"there is a {name}"))
        if subject.color:
            found.append(Claim("color", f"the {name} is {subject.color}"))
        if subject.material:
            found.append(Claim("material", f"the {name} is made of {subject.material}"))
        if subject.number is not None:
            found.append(Claim("count", f"there are {number_word(subject.number)} of the kind '{name}'"))
        if self.place is not None:
            found.append(Claim("position", f"the {name} is {self.place}"))
        return tuple(found)

    @property
    def labels(self) -> tuple[str, ...]:
        """What is worth looking for: the thing and the place."""
        return (self.subject.label,) if self.place is None else (self.subject.label, self.place.label)


def adjective(material: str) -> str:
    """``wooden`` for wood."""
    return "wooden" if material == "wood" else material


def number_word(number: int) -> str:
    """``three``."""
    return NUMBERS[number] if number < len(NUMBERS) else str(number)
