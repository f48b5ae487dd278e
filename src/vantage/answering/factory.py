"""Makes the question answering that the settings name: the embedded reasoner or a model, calibrated where possible."""

from __future__ import annotations

from functools import partial
from typing import Any

from vantage.answering.calibration import CalibratedAnswering, Calibration, read_calibration
from vantage.answering.engine import QuestionAnswering
from vantage.answering.program_writing import written_program
from vantage.answering.protocol import Answering, mode_of
from vantage.answering.vlm import EVERY, ModelAnswering
from vantage.config import Settings
from vantage.errors import UsageError
from vantage.models import shared_model
from vantage.perception import Perceiver

SYMBOLIC = "symbolic"
_PATIENCE = 2.0  # calls that a question waits for others to end


def make_answering(settings: Settings, perceiver: Perceiver, **options: Any) -> Answering:
    """Question answering as groups ``agent``, ``model`` and ``relations`` say.

    Args:
        options: of ``QuestionAnswering`` besides the perceiver, mode, relations and confirmation.

    Raises:
        UnknownNameError: no such mode or model.
        FormatError: the calibration cannot be used.
        UsageError: the calibration is for another model, mode or perceiver.
        ModelError: the model cannot be made ready.
        MissingExtraError: the model needs packages that are not installed.
    """
    agent = settings.agent
    mode = mode_of(agent.mode).name
    options = {"relations": settings.relations, "hidden_contents": agent.hidden_contents, **options}
    if agent.program_model:
        options["write_program"] = partial(written_program, shared_model(agent.program_model, settings.model))
    answering: QuestionAnswering | ModelAnswering
    if agent.model == SYMBOLIC:
        answering = QuestionAnswering(perceiver, mode=mode, require_confirmation=agent.require_confirmation, **options)
        name = f"{SYMBOLIC}/{mode}"
    else:
        seen = QuestionAnswering(perceiver, mode=mode, **options)
        model = shared_model(agent.model, settings.model)
        patience = _PATIENCE * settings.model.timeout
        answering = ModelAnswering(
            model, seen, mode, agent.confidence, agent.require_confirmation, patience, agent.views_asked == EVERY
        )
        name = answering.model_name
    if not agent.calibration:
        return answering
    return CalibratedAnswering(answering, _calibration(agent.calibration, name, perceiver.name))


def _calibration(path: str, name: str, perception: str) -> Calibration:
    calibration = read_calibration(path)
    for kind, made_for, given in (
        ("answers of", calibration.model, name),
        ("perception", calibration.perception, perception),
    ):
        if made_for != given:
            raise UsageError(
                f"{path} calibrates {kind} '{made_for}', not '{given}'; make one for it with `vantage calibrate`"
            )
    return calibration
