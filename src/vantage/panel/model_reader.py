"""A model as the reader of a panel."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from vantage.errors import EmptyReplyError, UnusableReplyError, UsageError
from vantage.models import Model, prompt
from vantage.panel.panel_folder import AskedFrame, Panel
from vantage.panel.readers import MODEL, Reader, new_reader, read_reader, reader_path, write_reader


def ask_model(panel: Panel, model: Model, name: str, progress: Callable[[str], None] = lambda _: None) -> Reader:
    """Show a model every frame, each alone, and keep its replies beside the panel.

    What it replied is kept after every frame in a hidden file, with which the next call goes on; its own file is
    written once all frames were answered. A reply that cannot be used, when it was asked for again, counts as none.

    Raises:
        UsageError: the reader has answered before, or another model has begun to under its name.
        FormatError: what was kept, or a picture, cannot be used.
        ModelError: the model cannot be asked; what was answered is kept.
    """
    kept = reader_path(panel, name)
    partial = kept.with_name(f".{name}.partial.json")
    replies = _kept(partial, panel, model)
    for frame in panel.asked:
        if frame.number in replies:
            continue
        replies[frame.number] = _reply(panel, model, frame)
        write_reader(partial, new_reader(panel, name, MODEL, model.name, replies))
        progress(f"{frame.number} of {len(panel.asked)}: {replies[frame.number] or 'no usable reply'}")
    reader = new_reader(panel, name, MODEL, model.name, replies)
    write_reader(kept, reader)
    partial.unlink(missing_ok=True)
    return reader


def _kept(partial: Path, panel: Panel, model: Model) -> dict[int, str | None]:
    if not partial.is_file():
        return {}
    begun = read_reader(partial, panel)
    if begun.model != model.name:
        raise UsageError(
            f"model '{begun.model}' has begun to answer as reader '{begun.reader}', and model '{model.name}' cannot go "
            f"on; give another --reader, or remove {partial}"
        )
    return dict(begun.replies)


def _reply(panel: Panel, model: Model, frame: AskedFrame) -> str | None:
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {"reply": {"type": "string", "enum": list(frame.replies)}},
        "required": ["reply"],
        "additionalProperties": False,
    }
    offered = ", ".join(f'"{reply}"' for reply in frame.replies)
    asked = prompt("panel_reply").fill(question=frame.question, replies=offered)
    try:
        said = model.chat(asked, (panel.picture(frame),), schema)
    except (UnusableReplyError, EmptyReplyError):
        return None
    return str(json.loads(said)["reply"])
