import hashlib

import pytest

from vantage.errors import UnknownNameError, UsageError
from vantage.models.prompts import Prompt, prompt, prompt_names


def test_the_version_is_that_of_the_text():
    text = "Is there a {label}?"
    assert Prompt("seen", text).version == hashlib.sha256(text.encode()).hexdigest()[:8]
    assert Prompt("seen", text + " ").version != Prompt("seen", text).version


def test_fields_are_filled_once_and_other_braces_stay():
    shown = Prompt("shown", 'Say {"seen": true} or {} about {label} and {label}, {Not_a_field}.')
    assert shown.fields == ("label",)
    assert shown.fill(label="{label}") == 'Say {"seen": true} or {} about {label} and {label}, {Not_a_field}.'


def test_values_that_miss_or_have_no_field_are_named():
    with pytest.raises(UsageError, match=r"'asked' needs a value for 'question', 'view'"):
        Prompt("asked", "{question} {view}").fill()
    with pytest.raises(UsageError, match=r"'asked' has no field 'questoin'; did you mean 'question'\?"):
        Prompt("asked", "{question}").fill(question="Why?", questoin="Why?")


@pytest.mark.parametrize("name", ["", "no_such", "../prompts", "json_reply.txt", "a\0b"])
def test_unknown_names_are_refused(name):
    with pytest.raises(UnknownNameError, match="unknown prompt"):
        prompt(name)


def test_every_prompt_of_the_package_can_be_filled():
    assert {"json_again", "json_reply"} <= set(prompt_names())
    for name in prompt_names():
        found = prompt(name)
        filled = found.fill(**{field: f"<{field}>" for field in found.fields})
        assert filled
        assert all(f"<{field}>" in filled for field in found.fields)
        assert prompt(name) is found
