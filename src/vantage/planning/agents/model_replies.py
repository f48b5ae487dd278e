"""What a model says when it is to choose: one of several words, or an answer; read strictly first, then tolerantly."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vantage.answering.vlm import one_line
from vantage.bounded_json import bounded_json, check_json
from vantage.errors import EmptyReplyError, ModelError
from vantage.models import Model, prompt

_MOST_READ = 20_000  # characters of a reply
_MOST_BRACES = 32  # places where JSON may begin that are tried
_MOST_ANSWER, _MOST_REASON, _MOST_NAME = 300, 500, 60  # characters
_MOST_NAMED = 5  # names of actions that a complaint repeats
_FENCE = re.compile(r"^```\w*\s*(.*?)\s*```$", re.DOTALL)
_ANSWERS = re.compile(r"\banswer\s*:\s*(.+)", re.IGNORECASE)

_BEGUN = re.compile(r"""\{\s*(?:["']|$)""")  # JSON, and not a brace in a sentence
_BROKEN_FIELD = r"""["']?\b{name}\b["']?\s*:\s*(?:"([^"\n]*)"|'([^'\n]*)'|([\w+-]+)\s*[,}}\n])"""
_BROKEN_ACTION, _BROKEN_ANSWER = (re.compile(_BROKEN_FIELD.format(name=name)) for name in ("action", "answer"))

EMPTY, EXTRA, PROSE, CUT_OFF, BROKEN, NO_ACTION, SEVERAL, UNKNOWN, WITHOUT, SILENT = (
    "empty",
    "JSON among other text",
    "prose",
    "cut off",
    "broken JSON",
    "no action",
    "several actions",
    "unknown action",
    "no answer with the stop",
    "no reply",
)
_WRONG: Mapping[str, str] = {  # with such a reply, for the model that gave it
    EMPTY: "it was empty",
    PROSE: "it holds no JSON object",
    CUT_OFF: "it ended in the middle of the JSON object, so keep the reasoning shorter",
    BROKEN: "what should be a JSON object cannot be read as JSON",
    NO_ACTION: 'the field "action" is missing or empty',
    SEVERAL: "it names several actions ({named}) where one is asked for",
    UNKNOWN: "it names an action that cannot be chosen ({named})",
    WITHOUT: 'its action is "stop", and the field "answer" is missing or empty',
}
STOP = "stop"


@dataclass(frozen=True)
class Choice:
    """What was made of one reply.

    Attributes:
        action: one of those that could be chosen, ``stop`` for an answer; empty where none can be made out.
        answer: in words, with ``stop``.
        reasoning: for people to read.
        fault: in which way the reply was not as asked, one of the words above; empty where it was.
        usable: whether the action can be taken as it is: a fault of form alone does not forbid that.
        fields: all that the JSON held.
        named: the actions that it names, known or not.
        wrong: what was wrong with it, for the model, as the end of a sentence, where ``fault`` alone does not say.
    """

    action: str = ""
    answer: str = ""
    reasoning: str = ""
    fault: str = ""
    usable: bool = True
    fields: Mapping[str, Any] | None = None
    named: tuple[str, ...] = ()
    wrong: str = ""

    @property
    def complaint(self) -> str:
        """What was wrong with the reply, for the model that gave it, as the end of a sentence."""
        named = ", ".join(f'"{_line(name, _MOST_NAME)}"' for name in self.named[:_MOST_NAMED])
        return self.wrong or _WRONG.get(self.fault, self.fault).format(named=named)


def read_choice(text: str, actions: Sequence[str]) -> Choice:
    """The choice in a reply that should be one JSON object with ``action``, and ``answer`` where that is ``stop``.

    JSON in a code fence or between sentences counts, and so does prose that names one action alone, and JSON that is
    broken or cut off after its action. Two different actions, one that does not exist, none at all and a stop without
    an answer are no choice that can be taken; of several actions the first one is told all the same, for whoever has
    to take one.
    """
    text = text.strip()[:_MOST_READ]
    if not text:
        return Choice(fault=EMPTY, usable=False)
    whole, found = _objects(text)
    if not found:
        begun = _BEGUN.search(text)
        return _from_broken(text[begun.start() :], actions) if begun else _from_prose(text, actions)
    every = [_named(each.get("action"), actions) for each in found]
    named = list(dict.fromkeys(name for names in every for name in names))
    known = [name for name in named if name in (*actions, STOP)]
    first = next((each for each, names in zip(found, every, strict=True) if known and known[0] in names), found[0])
    reasoning, answer = _line(first.get("reasoning"), _MOST_REASON), _line(first.get("answer"), _MOST_ANSWER)
    if not named:
        return Choice(STOP if answer else "", answer, reasoning, NO_ACTION, False, first)
    if len(named) > 1:
        return Choice(known[0] if known else "", answer, reasoning, SEVERAL, False, first, tuple(named))
    if not known:
        return Choice("", answer, reasoning, UNKNOWN, False, first, tuple(named))
    if known[0] == STOP and not answer:
        return Choice(STOP, "", reasoning, WITHOUT, False, first)
    return Choice(known[0], answer, reasoning, "" if whole else EXTRA, True, first)


def _from_prose(text: str, actions: Sequence[str]) -> Choice:
    words = "|".join(re.escape(name) for name in sorted((*actions, STOP), key=len, reverse=True))
    named = list(dict.fromkeys(re.findall(rf"(?<!\w)(?:{words})(?![\w+-])", text)))
    told = _ANSWERS.search(text)
    answer, reasoning = _line(told[1] if told else "", _MOST_ANSWER), one_line(text, _MOST_REASON)
    if len(named) > 1:
        return Choice(named[0], answer, reasoning, SEVERAL, False, named=tuple(named))
    if not named:
        return Choice(STOP if answer else "", answer, reasoning, PROSE, bool(answer))
    if named[0] == STOP and not answer:
        return Choice(STOP, "", reasoning, WITHOUT, False)
    return Choice(named[0], answer, reasoning, PROSE)


def _from_broken(text: str, actions: Sequence[str]) -> Choice:
    """The choice in a reply that begins a JSON object and holds none that can be read.

    Args:
        text: from the first brace on.
    """
    fault = _why_broken(text)
    values, answers = (_broken_fields(field, text) for field in (_BROKEN_ACTION, _BROKEN_ANSWER))
    named = tuple(dict.fromkeys(name for value in values for name in _named(value, actions)))
    known = [name for name in named if name in (*actions, STOP)]
    answer = _line(answers[0], _MOST_ANSWER) if answers else ""
    if len(named) > 1:
        return Choice(known[0] if known else "", answer, "", SEVERAL, False, named=named)
    if not known or (known[0] == STOP and not answer):
        return Choice(fault=fault, usable=False)
    return Choice(known[0], answer, fault=fault)


def _broken_fields(field: re.Pattern[str], text: str) -> list[str]:
    return [value for found in field.finditer(text) for value in found.groups() if value]


def _why_broken(text: str) -> str:
    """``CUT_OFF`` where a JSON object has no end, ``BROKEN`` where it goes wrong before."""
    try:
        json.JSONDecoder().raw_decode(text)
    except json.JSONDecodeError as error:
        return CUT_OFF if error.pos >= len(text) or error.msg.startswith("Unterminated") else BROKEN
    except (ValueError, RecursionError):
        pass
    return BROKEN


def _objects(text: str) -> tuple[bool, list[Mapping[str, Any]]]:
    """Whether a reply is one JSON object and nothing else, a code fence apart; and all objects in it, outermost."""
    fenced = _FENCE.match(text)
    text = fenced[1] if fenced else text
    try:
        value = bounded_json(text)
    except ValueError:
        return False, list(_scattered(text))
    if isinstance(value, Mapping):
        return True, [value]
    return False, [each for each in value if isinstance(each, Mapping)] if isinstance(value, list) else []


def _scattered(text: str) -> Iterator[Mapping[str, Any]]:
    decoder, end = json.JSONDecoder(), 0
    for start in [match.start() for match in re.finditer(r"\{", text)][:_MOST_BRACES]:
        if start < end:
            continue
        try:
            value, end = decoder.raw_decode(text, start)
            check_json(text[start:end])
        except (ValueError, RecursionError):
            continue
        yield value


def _named(value: Any, actions: Sequence[str]) -> list[str]:
    """Names of actions as a value gives them: one, a list, or several in one text; as they are spelled where known."""
    spelled = {name.lower(): name for name in (*actions, STOP)}
    found: list[str] = []
    for item in value if isinstance(value, list) else [value]:
        word = item.strip(" .\"'`\n").lower() if isinstance(item, str) else ""
        joined = re.sub(r"[\s-]+", "_", word)
        parts = [spelled[part] for part in re.split(r"[,;\s]+", word) if part in spelled]
        if word in spelled or joined in spelled:
            parts = [spelled.get(word) or spelled[joined]]
        found += parts or ([word] if word else [])
    return found


def _line(value: Any, most: int) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return one_line(str(value), most).strip() if isinstance(value, (str, int, float)) else ""


class Asking:
    """One model asked for choices, again after replies that hold none; keeps count of what was wrong with them.

    Attributes:
        faults: how often each fault came.
        defaults: choices that were made for the model, because none could be made out.
    """

    def __init__(self, model: Model, retries: int) -> None:
        self._model, self._retries = model, retries
        self.faults: Counter[str] = Counter()
        self.defaults = 0

    def ask(
        self,
        text: str,
        images: Sequence[NDArray[np.uint8]],
        names: Sequence[str],
        system: str,
        read: Callable[[str], Choice],
        form: str,
    ) -> Choice:
        """The first choice that can be taken, or the last that was told; ``usable`` says which.

        Args:
            form: of the reply that is wanted, which a model is told again after one that cannot be used.

        Raises:
            ModelError: not one trial brought a reply.
        """
        told = text
        choice: Choice | None = None
        silence = ModelError("the model was not asked")
        for _ in range(self._retries + 1):
            try:
                reply = self._model.chat(told, images, system=system, image_names=names)
            except EmptyReplyError:
                reply = ""
            except ModelError as error:
                self.faults[SILENT] += 1
                silence = error
                continue
            choice = read(reply)
            if choice.fault:
                self.faults[choice.fault] += 1
            if choice.usable:
                return choice
            told = f"{text}\n\n{prompt('pilot_again').fill(fault=choice.complaint, form=form)}"
        if choice is None:
            raise silence
        self.defaults += 1
        return choice

    @property
    def remark(self) -> str:
        """What was wrong with the replies, a sentence; empty where nothing was."""
        if not self.faults:
            return ""
        counts = ", ".join(f"{fault} {count}" for fault, count in sorted(self.faults.items()))
        chosen = f"; chosen for the model {self.defaults} times" if self.defaults else ""
        return f"Replies of the model that were not as asked: {counts}{chosen}."
