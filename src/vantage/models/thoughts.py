"""Tells what a model thought from what it said, whatever marks its chat template puts around its thoughts."""

from __future__ import annotations

import re

MOST_THOUGHTS = 50_000  # characters that are kept of them

_THINKING = r"(?:think(?:ing)?|thoughts?|reason(?:ing)?|analysis|reflection|scratchpad)"
_NAME = rf"(?:[\w-]+:)?{_THINKING}"
_MARK = re.compile(  # <think>, <seed:think>, <|thinking|>, ◁think▷, [THINK], <|START_THINKING|>, and their ends
    rf"<\|?\s*(?:(?P<end1>/|end_)|start_|begin_of_)?{_NAME}\s*\|?>"
    rf"|◁\s*(?P<end2>/)?{_NAME}\s*▷"
    r"|\[\s*(?P<end3>/)?think(?:ing)?\s*\]",
    re.IGNORECASE,
)
_CHANNEL = re.compile(  # <|channel|>final<|message|>, with or without a form between
    r"<\|?channel\|?>\s*(?P<name>\w+)(?:(?:(?!<\|).)*<\|constrain\|>\w+|[^<\n]*)<\|message\|>(?P<said>.*?)"
    r"(?=<\|(?:end|return|call|start|channel)\|>|\Z)",
    re.DOTALL,
)
_BARE_CHANNELS = re.compile(r"\A\s*analysis(?P<thoughts>.*?)assistantfinal(?P<said>.*)\Z", re.DOTALL)
_CHANNEL_BLOCK = re.compile(r"<\|channel>\s*thought(?P<thoughts>.*?)(?:<channel\|>|\Z)", re.DOTALL)
_BOXED = re.compile(r"\A[\s$]*\\boxed\{(?P<said>[^{}]*)\}[\s$.]*\Z")
_DRESS = re.compile(r"<\|?/?(?:(?:begin|end)_of_box|answer|(?:START|END)_RESPONSE)\|?>", re.IGNORECASE)
_LAST = (  # what ends a turn in chat templates
    *("<|im_end|>", "<|eot_id|>", "<|end_of_text|>", "<|endoftext|>", "<|end|>", "<|return|>", "<|eom_id|>"),
    *("<|user|>", "<|END_OF_TURN_TOKEN|>", "</s>", "<end_of_turn>", "<eos>", "[EOS]"),
)


def apart(text: str) -> tuple[str, str]:
    """The thoughts in a reply, at most the last ``MOST_THOUGHTS`` characters of them, and what is said.

    Thoughts without an end were cut: nothing is said then. Thoughts whose beginning is in the prompt have an end alone.
    Marks around the answer itself, and those that end a turn, are left out.
    """
    thoughts, said = _by_channels(text) or _by_marks(text)
    return thoughts.strip()[-MOST_THOUGHTS:], _undressed(said)


def _by_channels(text: str) -> tuple[str, str] | None:
    """Of a reply in channels: what the final one says, and what all others say."""
    bare = _BARE_CHANNELS.match(text)
    if bare is not None:  # the marks themselves were left out by whoever decoded it
        return bare["thoughts"], bare["said"]
    if _CHANNEL_BLOCK.search(text):
        return "\n".join(found["thoughts"] for found in _CHANNEL_BLOCK.finditer(text)), _CHANNEL_BLOCK.sub("", text)
    parts = list(_CHANNEL.finditer(text))
    if not parts:
        return None
    final = [part["said"] for part in parts if part["name"] == "final"]
    return "\n".join(part["said"] for part in parts if part["name"] != "final"), "\n".join(final)


def _by_marks(text: str) -> tuple[str, str]:
    """Of a reply with thoughts between marks: what is outside of them.

    The first beginning without an end, in the midst of what is said, is a part of that.
    """
    thoughts: list[str] = []
    said: list[str] = []
    inside, begun, at = False, 0, 0
    for mark in _MARK.finditer(text):
        piece = text[at : mark.start()]
        if any(mark[name] for name in ("end1", "end2", "end3")):
            thoughts += [piece] if inside else [*said, piece]
            said = said if inside else []
            inside = False
        elif inside:
            continue
        else:
            said.append(piece)
            inside, begun = True, mark.start()
        at = mark.end()
    if not inside:
        said.append(text[at:])
    elif not thoughts and "".join(said).strip():
        said.append(text[begun:])
    else:
        thoughts.append(text[at:])
    return "\n".join(thoughts), "".join(said)


def _undressed(said: str) -> str:
    bare = said.strip()
    while bare.endswith(_LAST):
        bare = bare[: -max(len(mark) for mark in _LAST if bare.endswith(mark))].rstrip()
    bare = _DRESS.sub("", bare).strip()
    boxed = _BOXED.match(bare)
    return boxed["said"].strip() if boxed else bare
