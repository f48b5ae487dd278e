"""Messages, services and actions are of the types that they were, under every distribution of ROS."""

from __future__ import annotations

import pytest
from golden_texts import interfaces
from golden_texts.comparing import line_differences
from golden_texts.holding import check, held


def test_interfaces_are_those_that_they_were() -> None:
    check("interfaces", {**held("interfaces"), **interfaces.texts()})


@pytest.mark.needs("ros")
def test_generated_types_are_those_that_they_were() -> None:
    check("interfaces", {**held("interfaces"), "generated.txt": interfaces.generated(interfaces.built())})


def test_what_bags_hold_is_what_is_generated() -> None:
    texts = held("interfaces")
    types = dict(line.split() for line in texts["generated.txt"].splitlines())
    messages = "".join(f"{name} {types.get(name)}\n" for name in sorted(types) if "/msg/" in name)
    assert not list(line_differences(texts["messages.txt"], messages))
