"""What an emulated controller receives: a small buffer from which lines are read while it has time for them."""

from __future__ import annotations

from collections import deque

ROOM = 128  # bytes, as in Grbl; what comes beyond is lost
MOST_LINE = 80  # characters without blanks and comments
OVERFLOW = "\x00"  # stands for a line that was too long


class Input:
    """Bytes become lines in capitals, without blanks and comments."""

    def __init__(self) -> None:
        self._bytes: deque[int] = deque()
        self._line: list[str] = []
        self._comment = ""
        self._too_long = self._after_return = False

    @property
    def room(self) -> int:
        """Bytes that can come before some are lost."""
        return ROOM - len(self._bytes)

    def put(self, byte: int) -> None:
        if self.room:
            self._bytes.append(byte)

    def line(self) -> str | None:
        """The next whole line, if it has come; ``OVERFLOW`` for one that is too long."""
        while self._bytes:
            character = chr(self._bytes.popleft())
            if character == "\n" and self._after_return:
                self._after_return = False
                continue
            self._after_return = character == "\r"
            if character in "\r\n":
                line = OVERFLOW if self._too_long else "".join(self._line)
                self._line, self._comment, self._too_long = [], "", False
                return line
            self._add(character)
        return None

    def _add(self, character: str) -> None:
        if self._comment:
            if self._comment == "(" and character == ")":
                self._comment = ""
        elif character in "(;":
            self._comment = character
        elif character > " " and character != "/":
            if len(self._line) >= MOST_LINE - 1:
                self._too_long = True
            else:
                self._line.append(character.upper())
