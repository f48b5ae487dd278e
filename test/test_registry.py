import pytest

from vantage import registry
from vantage.errors import UnknownNameError, UsageError


def test_every_built_in_entry_resolves():
    for table in (registry.WORLDS, registry.AGENTS, registry.PERCEIVERS, registry.JUDGES, registry.BENCHMARKS):
        assert table.names(), table.kind
        for name in table.names():
            assert callable(table.get(name))


def test_unknown_names_get_a_proposal():
    with pytest.raises(UnknownNameError, match=r"unknown agent 'serach'; did you mean 'search'\?"):
        registry.AGENTS.get("serach")
    with pytest.raises(UnknownNameError, match="known: none"):
        registry.Registry("thing").get("x")


def test_of_very_many_names_only_the_closest_are_told():
    known = [f"group.name_{k}" for k in range(40)]
    assert registry.did_you_mean("group.name_7", known).count("group.") == 3
    assert "group.name_7'" in registry.did_you_mean("group.name_7", known)
    assert registry.did_you_mean("xyz", known) == " (40 are known, and none is like it)"


def test_names_are_taken_once():
    table = registry.Registry("thing")
    table.register("one", lambda value: value + 1)
    assert table.create("one", 1) == 2
    with pytest.raises(UsageError, match="registered already"):
        table.register("one", print)
