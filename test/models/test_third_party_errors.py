import pickle

import pytest

from vantage.errors import ConfigError, ModelError
from vantage.models.third_party_errors import told


def sentence(error):
    with pytest.raises(ModelError) as caught, told("the model failed", "try another"):
        raise error
    assert caught.value.__cause__ is error
    return str(caught.value)


@pytest.mark.parametrize(
    "kind",
    [
        Exception,
        ImportError,
        OSError,
        ValueError,
        RuntimeError,
        IndexError,
        KeyError,
        TypeError,
        AttributeError,
        OverflowError,
        AssertionError,
        RecursionError,
        pickle.UnpicklingError,
    ],
)
def test_every_failure_becomes_one_sentence(kind):
    assert sentence(kind("no such thing")).replace("'", "") == "the model failed: no such thing; try another"


@pytest.mark.needs("models")
def test_failures_of_parts_of_the_library_are_known():
    import jinja2
    import safetensors

    assert "cut" in sentence(safetensors.SafetensorError("cut"))
    assert "no template" in sentence(jinja2.TemplateError("no template"))


def test_long_and_silent_failures_are_told_shortly():
    assert sentence(ValueError("\n first\nsecond")) == "the model failed: first; try another"
    assert sentence(ValueError("x" * 5000)) == f"the model failed: {'x' * 300}; try another"
    assert sentence(ValueError()) == "the model failed: ValueError; try another"


@pytest.mark.parametrize("error", [ConfigError("known"), Warning("other"), KeyboardInterrupt()])
def test_what_is_told_already_or_of_another_kind_passes(error):
    with pytest.raises(type(error)) as caught, told("the model failed", "try another"):
        raise error
    assert caught.value is error
