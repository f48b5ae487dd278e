"""The belief: its shapes, resets within sequences, and steps one by one."""

from __future__ import annotations

import pytest
import torch

from vantage.learning.belief_network import BeliefNetwork

pytestmark = pytest.mark.needs("learning")

COUNT, STEPS = 2, 7


@pytest.fixture
def network() -> BeliefNetwork:
    torch.manual_seed(0)
    return BeliefNetwork(8, 5, 4, 6, prefix_length=3, prefix_size=10, belief_size=16, hidden_size=12)


@pytest.fixture
def given() -> dict[str, torch.Tensor]:
    torch.manual_seed(1)
    actions = torch.eye(5)[torch.randint(5, (COUNT, STEPS))]
    body, question = torch.randn(COUNT, STEPS, 4), torch.randn(COUNT, STEPS, 6)
    return {"visual": torch.randn(COUNT, STEPS, 8), "last_action": actions, "body": body, "question": question}


def going_on() -> torch.Tensor:
    return torch.zeros(COUNT, STEPS, 1, dtype=torch.bool)


def part(given: dict[str, torch.Tensor], rows: slice, steps: slice) -> dict[str, torch.Tensor]:
    return {key: value[rows, steps] for key, value in given.items()}


def test_shapes(network: BeliefNetwork, given: dict[str, torch.Tensor]) -> None:
    belief = network.unroll(**given, hidden=network.first_hidden(COUNT), is_init=going_on())
    assert belief.shape == (COUNT, STEPS, 16)
    assert network.actor(belief).shape == (COUNT, STEPS, 5)
    assert network.critic(belief).shape == (COUNT, STEPS, 1)
    assert network.prefix(belief).shape == (COUNT, STEPS, 3, 10)
    assert network.prefix(belief[0, 0]).shape == (3, 10)
    again = BeliefNetwork(**network.sizes)
    again.load_state_dict(network.state_dict())
    assert torch.equal(again.unroll(**given, hidden=network.first_hidden(COUNT), is_init=going_on()), belief)


def test_hidden_layers_are_one_of_actor_and_critic_and_two_of_the_prefix(network: BeliefNetwork) -> None:
    layers = [
        sum(isinstance(layer, torch.nn.Linear) for layer in head)
        for head in (network.actor, network.critic, network.prefix_generator)
    ]
    assert layers == [2, 2, 3]


def test_a_reset_within_a_sequence_is_as_separate_sequences(
    network: BeliefNetwork, given: dict[str, torch.Tensor]
) -> None:
    hidden, starts = torch.randn(COUNT, 16), going_on()
    starts[0, 3] = starts[1, 0] = True
    together = network.unroll(**given, hidden=hidden, is_init=starts)
    first, new = going_on()[:1], network.first_hidden(1)
    before = network.unroll(**part(given, slice(0, 1), slice(0, 3)), hidden=hidden[:1], is_init=first[:, :3])
    after = network.unroll(**part(given, slice(0, 1), slice(3, None)), hidden=new, is_init=first[:, 3:])
    other = network.unroll(**part(given, slice(1, 2), slice(None)), hidden=new, is_init=first)
    torch.testing.assert_close(together, torch.cat([torch.cat([before, after], 1), other]))


def test_steps_one_by_one_are_as_a_sequence(network: BeliefNetwork, given: dict[str, torch.Tensor]) -> None:
    hidden = torch.randn(COUNT, 16)
    together = network.unroll(**given, hidden=hidden, is_init=going_on())
    found = []
    for step in range(STEPS):
        belief, hidden = network.step(**{key: value[:, step] for key, value in given.items()}, hidden=hidden)
        found.append(belief)
    torch.testing.assert_close(together, torch.stack(found, 1))


def test_a_belief_knows_what_was_before_and_not_what_comes(
    network: BeliefNetwork, given: dict[str, torch.Tensor]
) -> None:
    def unrolled() -> torch.Tensor:
        return network.unroll(**given, hidden=network.first_hidden(COUNT), is_init=going_on())

    usual = unrolled()
    given["question"][:, 3] = 0.0
    changed = unrolled()
    assert torch.equal(usual[:, :3], changed[:, :3])
    assert not torch.isclose(usual[:, 3:], changed[:, 3:]).all(-1).any()
