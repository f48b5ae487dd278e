"""Three ways to ask a model: plain, NAP (it is told that questions may be mistaken) and NACoT (it checks step by step).

NoisyEQA, section 4: arXiv 2412.10726. The prompts are this project's own words.
"""

from __future__ import annotations

from functools import cache

from vantage.answering.modes import PLAIN
from vantage.answering.vlm.model_checks import PRESENCE_PROMPT, STATEMENT_PROMPT
from vantage.answering.vlm.model_text import SCHEMAS, Reply, bare_reply, read_reply
from vantage.answering.vlm.view_choice import CONFIDENCE_PROMPT
from vantage.answering.vlm.view_memory import View
from vantage.errors import ModelError
from vantage.models.prompts import Prompt, prompt
from vantage.models.protocol import Model

LINES_PROMPT = "reply_lines"
_CHECKS = (LINES_PROMPT, STATEMENT_PROMPT, PRESENCE_PROMPT)


@cache
def prompt_version(mode: str) -> str:
    """One version of all prompts that a mode uses, 8 hexadecimal digits: another word in one of them changes it."""
    names = (CONFIDENCE_PROMPT, mode, *(_CHECKS if mode != PLAIN.name else ()))
    return Prompt(mode, "\n".join(prompt(name).text for name in names)).version


def ask_in_mode(model: Model, mode: str, question: str, view: View) -> Reply:
    """The model's reply about one view. Where it does not keep to the schema, it is asked once more in words.

    Raises:
        ModelError: the model cannot be asked.
    """
    images = (view.image,)
    if mode == PLAIN.name:
        return bare_reply(model.chat(prompt(mode).fill(question=question), images))
    try:
        return read_reply(model.chat(prompt(mode).fill(question=question, form=""), images, SCHEMAS[mode]))
    except ModelError:
        in_lines = prompt(mode).fill(question=question, form=prompt(LINES_PROMPT).text)
        return read_reply(model.chat(in_lines, images))
