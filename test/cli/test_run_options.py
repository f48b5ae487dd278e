"""Who answers, as ``vantage run`` and ``vantage up`` are told."""

import argparse

import pytest

from vantage.answering.calibration import Judged, calibrate, write_calibration
from vantage.cli.main import main
from vantage.cli.run import add_run_options
from vantage.cli.settings import run_settings
from vantage.errors import ConfigError, UsageError


def run(capsys, *words):
    status = main(list(words))
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def settings(*words, sets=()):
    parser = argparse.ArgumentParser()
    add_run_options(parser)
    arguments = parser.parse_args(list(words))
    arguments.config, arguments.set = None, list(sets)
    return run_settings(arguments)


def test_options_become_settings():
    agent = settings("--model", "transformers:folder", "--mode", "nap", "--agent", "vlm").agent
    assert (agent.name, agent.model, agent.mode) == ("vlm", "transformers:folder", "nap")
    agent = settings().agent
    assert (agent.model, agent.mode, agent.calibration) == ("symbolic", "nacot", "")


def test_set_overrides_options():
    assert settings("--mode", "nap", sets=["agent.mode=plain"]).agent.mode == "plain"


def test_a_calibration_that_can_be_read_is_taken(tmp_path):
    path = tmp_path / "c.json"
    write_calibration(path, calibrate([Judged(k / 40, k > 20, str(k)) for k in range(40)], 0.1))
    assert settings("--calibration", str(path)).agent.calibration == str(path)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--model", "transformer:folder"], "did you mean 'transformers'"),
        (["--model", "transformers"], "expected symbolic, or NAME:WHICH"),
        (["--model", "transformers:"], "expected symbolic, or NAME:WHICH"),
        (["--model", "symbolic:x"], "expected symbolic, or NAME:WHICH"),
        (["--model", ""], "unknown model"),
        (["--mode", "nacott"], "did you mean 'nacot'"),
        (["--agent", "vlm"], "name one with --model NAME:WHICH"),
    ],
)
def test_who_cannot_answer_is_refused_before_anything_starts(words, sentence, capsys):
    with pytest.raises(UsageError, match=sentence):
        settings(*words)
    status, out, err = run(capsys, "up", *words)
    assert (status, out) == (2, "")
    assert sentence in err
    assert len(err.strip().splitlines()) == 1


def test_a_calibration_that_cannot_be_read_is_refused(tmp_path, capsys):
    bad = tmp_path / "bad.json"
    bad.write_text("{}")
    for path, sentence in ((bad, "is no calibration"), (tmp_path / "missing.json", "cannot read")):
        status, _, err = run(capsys, "up", "--calibration", str(path))
        assert status == 1
        assert sentence in err
        assert len(err.strip().splitlines()) == 1


def test_settings_that_no_group_has_stay_refused():
    with pytest.raises(UsageError, match="unknown setting"):
        settings(sets=["agent.modle=x"])
    with pytest.raises(ConfigError):
        settings(sets=["agent.confidence=2"])


def test_controls_become_settings():
    given = settings("--start", "start", "--frames", "3", "--dof", "x,y,yaw", "--thinking", "off")
    assert (given.control.start, given.control.frames, given.control.dof) == ("start", 3, "x,y,yaw")
    assert given.model.thinking == "off"
    assert settings("--dof", "planar").control.dof == "planar"
    assert settings("--start", "goal").control.start == "goal"
    assert settings("--mitigation", "scw").control.mitigation == "scw"
    assert settings("--input", "image").control.input == "image"
    with pytest.raises(ConfigError, match="text, image"):
        settings("--input", "picture")
    with pytest.raises(ConfigError, match="none, kaf"):
        settings("--mitigation", "kfa")
    with pytest.raises(ConfigError, match="outside"):
        settings("--frames", "99")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--agent", "static", "--start", "goal"], "--start goal is for `vantage run`"),
        (["--agent", "static", "--frames", "3"], "frames=3 means nothing to agent 'static'"),
        (["--agent", "static", "--dof", "x,roll"], "unknown axis 'roll'"),
        (["--agent", "static", "--dof", ""], "--dof names no axis"),
        (["--agent", "static", "--dof", "x,x"], "axis 'x' is named twice"),
    ],
)
def test_controls_that_a_graph_does_not_have_are_refused(words, sentence, capsys):
    status, _, err = run(capsys, "up", *words)
    assert status == 2
    assert sentence in err
    assert len(err.strip().splitlines()) == 1


@pytest.mark.parametrize("command", ["run", "up"])
def test_help_lists_what_there_is(command, capsys):
    with pytest.raises(SystemExit):
        run(capsys, command, "--help")
    words = capsys.readouterr().out
    for name in ("--model", "--mode", "--calibration", "openai, stand-in, transformers", "static", "vlm", "--dof"):
        assert name in " ".join(words.split())
