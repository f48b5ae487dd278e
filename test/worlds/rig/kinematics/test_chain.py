"""Forward kinematics: links, camera, velocities."""

from __future__ import annotations

import math

import numpy as np
import pytest
from chains import arms, gantry, moved, pan_tilts, positions
from hypothesis import given, settings, strategies as st
from sampling import examples

from vantage.spatial import Matrix
from vantage.worlds.rig.kinematics.chain import PRISMATIC, Chain, Joint, transform, turn
from vantage.worlds.rig.kinematics.inverse_analytic import screws_of


def test_gantry_with_pan_and_tilt_by_hand() -> None:
    seen = gantry().viewpoint(np.array([1.0, 0.8, 1.0, math.pi / 2, 0.0]))
    assert (seen.x, seen.y, seen.z) == pytest.approx((0.0, 0.04, 1.02))
    assert (seen.yaw, seen.pitch) == pytest.approx((math.pi / 2, 0.0))


def test_positive_tilt_looks_up_and_carries_the_camera_along() -> None:
    seen = gantry().viewpoint(np.array([1.0, 0.8, 1.0, 0.0, 0.5]))
    assert seen.pitch == pytest.approx(0.5)
    assert seen.x == pytest.approx(0.04 * math.cos(0.5) - 0.02 * math.sin(0.5))
    assert seen.z == pytest.approx(1.0 + 0.04 * math.sin(0.5) + 0.02 * math.cos(0.5))


def test_there_is_a_pose_for_the_base_and_for_each_link() -> None:
    chain = gantry()
    poses = chain.link_poses(np.array([0.5, 0.6, 0.7, 0.1, 0.2]))
    assert len(poses) == chain.size + 1
    assert poses[0] is chain.T_world_base
    assert poses[3][:3, 3] == pytest.approx([-0.5, -0.2, 0.7])
    assert poses[4][:3, :3] == pytest.approx(turn(np.array([0.0, 0.0, 1.0]), 0.1))


def test_a_joint_moves_along_its_own_axis_after_its_frame_is_placed() -> None:
    turned = moved(1.0, 0.0, 0.0, roll=math.pi / 2)  # its y axis is the world's z axis
    chain = Chain((Joint("lift", PRISMATIC, (0.0, 1.0, 0.0), turned),))
    assert chain.T_world_camera(np.array([0.3]))[:3, 3] == pytest.approx([1.0, 0.0, 0.3])


def test_too_few_positions_are_refused() -> None:
    with pytest.raises(ValueError, match="shorter"):
        gantry().link_poses(np.zeros(4))


def test_rotations_of_urdf_are_about_fixed_axes() -> None:
    T = transform((1.0, 2.0, 3.0), math.pi / 2, 0.0, math.pi / 2)
    assert T[:3, :3] @ [0.0, 1.0, 0.0] == pytest.approx([0.0, 0.0, 1.0])  # rolled up, which the yaw leaves there
    assert T[:3, :3] @ [1.0, 0.0, 0.0] == pytest.approx([0.0, 1.0, 0.0])
    assert T[:3, 3].tolist() == [1.0, 2.0, 3.0]


@settings(max_examples=examples(40), deadline=None)
@given(st.data(), st.one_of(pan_tilts(), arms(4), arms(7)))
def test_the_jacobian_is_the_slope_of_the_pose(data: st.DataObject, chain: Chain) -> None:
    q = data.draw(positions(chain))
    step = 1e-6
    jacobian, here = chain.jacobian(q), chain.T_world_camera(q)
    for i in range(chain.size):
        change = (_nudged(chain, q, i, step) - _nudged(chain, q, i, -step)) / (2 * step)
        spin = change[:3, :3] @ here[:3, :3].T
        assert change[:3, 3] == pytest.approx(jacobian[:3, i], abs=1e-7)
        assert [spin[2, 1], spin[0, 2], spin[1, 0]] == pytest.approx(jacobian[3:, i], abs=1e-7)


@settings(max_examples=examples(40), deadline=None)
@given(st.data(), st.one_of(pan_tilts(), arms(7)))
def test_the_product_of_exponentials_is_the_same_chain(data: st.DataObject, chain: Chain) -> None:
    q = data.draw(positions(chain))
    rotation, position, axes, velocities = screws_of(chain).poses(np.array([q, 0.5 * q]))
    for k, row in enumerate((q, 0.5 * q)):
        pose = chain.T_world_camera(row)
        assert np.abs(rotation[k] - pose[:3, :3]).max() < 1e-12
        assert np.abs(position[k] - pose[:3, 3]).max() < 1e-12
        assert np.abs(np.concatenate([velocities[k], axes[k]], axis=1).T - chain.jacobian(row)).max() < 1e-12


def _nudged(chain: Chain, q: Matrix, i: int, step: float) -> Matrix:
    moved_on = q.copy()
    moved_on[i] += step
    return chain.T_world_camera(moved_on)
