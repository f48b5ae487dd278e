"""The hand: what it grasps, how firmly, what slips from it and what it feels.

``assisted``, as the arm of EXCALIBUR and ManipulaTHOR has it: what comes nearest to a ball of 6 cm around the tool is
held, whatever its shape, as long as the force suffices: at rest the force of the grasp must be that which holds the
thing, its weight if it hangs free; 1.3 times as much pulls it out of the hand while it moves. ``friction``: two pads
press with that force, and what is wider than the hand, or too heavy for its friction, is not held.

The hand of an assisted grasp does not press on what it holds, so that the force is felt at one place alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import mujoco
import numpy as np
from numpy.typing import NDArray

from vantage.config import HouseSettings
from vantage.spatial import Matrix
from vantage.types import Status, Touch
from vantage.worlds.house.bodies import (
    HELD_BIT,
    REACH,
    REACH_RADIUS,
    TOUCH_GROUP,
    WELD,
    HouseModel,
    tension,
    tie,
    untie,
)
from vantage.worlds.house.physics.motions import Outcome, never
from vantage.worlds.house.physics.simulation import ARM, Simulation
from vantage.worlds.house.robot import FINGER_LINKS, FORCE, GRIPPER, HAND_LINK, PREFIX, TORQUE, WRIST_SITE

Stopped = Callable[[], bool]
ASSISTED, FRICTION = "assisted", "friction"

_GENTLE = 3.0  # N with which fingers close until they meet something
_CLOSING, _RAMP, _SETTLING, _OPENING, _FALLING = 0.5, 0.15, 0.06, 0.4, 0.4  # s
_FINGERS, _FINGER_GAIN, _MET = 0.7, 120.0, 0.004  # s, N/m and m: fingers that are brought to a width
_CARRYING = 1.3  # times the force of the grasp that pull a thing out of the hand while it moves
_AT_REST = 1.01  # the same at rest, but for rounding
_RESTING, _READINGS = 0.08, 4  # s until it hangs still, and looks that are averaged then
_MEMORY = 0.15  # s over which the pull on what is held is averaged
_PAD_FRICTION = 0.5  # of two pads, so that a force in kgf holds about as many kg
_TOUCHED = np.array([group == TOUCH_GROUP for group in range(mujoco.mjNGROUP)], np.uint8)
_BESIDE, _PAST = 0.004, 1e-4  # m: so near to where it is touched nothing is between, and past what a ray has met
# Times slower, and with less acceleration, with something between the pads. The damping of servos is integrated
# implicitly, after contacts were solved: the hand speeds up less than these reckon with, and what the pads hold drifts
# by the difference, of which little is left then.
_GENTLY = 2.0, 100.0
_OPEN = 0.3  # N that keep open fingers open, which would drift as the hand moves
_PAD_HARDNESS = 0.99, 0.999  # solimp of the pads: the softer, the faster what is tapered creeps out of them
_STOP = "stopped; clear the stop first"


class Hand:
    """The hand of a simulation, for one thread at a time.

    Attributes:
        force: N of the grasp that holds, or was tried last.
        slipped: instance that slipped since ``forget``, or None.
    """

    def __init__(self, house: HouseModel, sim: Simulation, settings: HouseSettings) -> None:
        self._house, self._sim, self._settings = house, sim, settings
        self._model, self._data = sim.model, sim.data
        self._instances = {self._model.body(name).id: instance for instance, name in house.movable.items()}
        self._geoms = {
            body: np.flatnonzero((self._model.body_rootid[self._model.geom_bodyid] == body) & _solid(self._model))
            for body in self._instances
        }
        self._bits = self._model.geom_contype.copy()
        self._without_contacts: int | None = None
        self._reach, self._weld = self._model.geom(REACH).id, self._model.equality(WELD).id
        self._motor = self._model.actuator(GRIPPER).id
        self._fingers = [self._model.body(f"{PREFIX}{link}").id for link in FINGER_LINKS]
        self._finger_speeds = self._model.body_dofadr[self._fingers]
        self._hand = self._model.body(f"{PREFIX}{HAND_LINK}").id
        self._robot = int(self._model.body_rootid[self._hand])
        self._wrist = self._model.site(WRIST_SITE).id
        if settings.grasp == FRICTION:
            pads = np.isin(self._model.geom_bodyid, self._fingers)
            self._model.geom_friction[pads, 0] = _PAD_FRICTION
            self._model.geom_solimp[pads, :2] = _PAD_HARDNESS
            sim.laden = _GENTLY
        sim.watchers.append(self._watch)
        sim.keepers.append(self)
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Nothing is held; noise is that of ``seed``. To be called after a reset of the simulation."""
        self.force = 0.0
        self._seed = seed
        self.begin()

    def begin(self) -> None:
        """See ``Keeper``."""
        self.slipped: int | None = None
        self._pull, self._seen = 0.0, 0.0
        self._data.ctrl[self._motor] = _OPEN
        self._match_contacts()

    def kept(self) -> tuple[float, int | None, float, float]:
        """See ``Keeper``."""
        return self.force, self.slipped, self._pull, self._seen

    def keep(self, state: tuple[float, int | None, float, float]) -> None:
        """See ``Keeper``."""
        self.force, self.slipped, self._pull, self._seen = state
        self._match_contacts()

    @property
    def held(self) -> int | None:
        """Instance that the hand holds."""
        return self._sim.held

    @property
    def inside(self) -> int | None:
        """Instance that moves with the hand: what it holds, or what its fingers press on since a stop ended a grasp."""
        if self.held is not None or self._settings.grasp != FRICTION or self._data.ctrl[self._motor] >= 0.0:
            return self.held
        return self._pinched()

    def forget(self) -> None:
        """Count what slips from now on."""
        self.slipped = None

    # Grasp and release ----------------------------------------------------------------------------------------------

    def grasp(self, force: float, stopped: Stopped) -> Outcome:
        """Close the hand with a force in N; what is held already is held with the new one.

        DONE where something is held, COLLIDED where nothing was in the hand, so that it opens again.
        """
        self.force = force
        if self.held is not None:
            if self._settings.grasp == FRICTION and self._squeeze(force, stopped):
                return self._stopped()
            return Outcome(Status.DONE, "")
        nearest = self._nearest() if self._settings.grasp == ASSISTED else None
        if self._settings.grasp == ASSISTED and nearest is None:
            return Outcome(
                Status.COLLIDED, f"nothing that can be picked up is within {REACH_RADIUS:g} m of the tool; nothing held"
            )
        self._close(min(_GENTLE, force))
        if self._pass(_CLOSING, stopped):
            return self._stopped()
        if nearest is not None:
            self._data.ctrl[self._motor] = 0.0
            self._sim.refresh()
            tie(self._model, self._data, nearest)
            self._relax()
            self._sim.held = self._instances[nearest]
            self._pull, self._seen = 0.0, self._sim.time
            self._match_contacts()
            return self._stopped() if self._pass(_SETTLING, stopped) else Outcome(Status.DONE, "")
        if self._squeeze(force, stopped):
            return self._stopped()
        pinched = self._sim.held = self._pinched()
        if pinched is not None:
            return Outcome(Status.DONE, "")
        if self._open(stopped):
            return self._stopped()
        return Outcome(Status.COLLIDED, "nothing that can be picked up is between the fingers; the hand opened again")

    def reachable(self) -> int | None:
        """What is in the hand, or the instance that a grasp would take; without assistance nobody knows that
        beforehand."""
        inside = self.inside
        if inside is not None:
            return inside
        nearest = self._nearest() if self._settings.grasp == ASSISTED else None
        return None if nearest is None else self._instances[nearest]

    def set_width(self, width: float, stopped: Stopped) -> Outcome:
        """Bring the fingers so far apart, m; what is held is let go, what they meet on their way is grasped."""
        if stopped():
            return self._stopped()
        self._let_go()
        ticks = max(1, round(_FINGERS / self._sim.tick))
        for _ in range(ticks):
            gap = self._sim.gripper_width() - width
            self._data.ctrl[self._motor] = -min(max(_FINGER_GAIN * gap, -_GENTLE), _GENTLE)
            if self._pass(self._sim.tick, stopped):
                return self._stopped()
        self._data.ctrl[self._motor] = 0.0
        if self._sim.gripper_width() - width > _MET and self._pinched() is not None:
            return self.grasp(self._sim.robot.hand.force, stopped)
        return Outcome(Status.DONE, "")

    def release(self, stopped: Stopped) -> Outcome:
        """Let go of what is held, and open the hand."""
        if stopped():
            return self._stopped()
        self._let_go()
        return self._stopped() if self._open(stopped) else Outcome(Status.DONE, "")

    def drop(self, stopped: Stopped) -> None:
        """Let go of what is in the hand, even under a stop, under which the fingers open once time passes again."""
        self._let_go()
        self._open(stopped)

    def settle(self, stopped: Stopped = never) -> None:
        """After a motion, at rest: let slip what the grasp cannot hold. A stop ends it, and nothing slips."""
        if self.held is None:
            if self._settings.weighing == "wrist":  # or it would feel how the motion ended
                self._pass(_RESTING, stopped)
            return
        if self._pass(_RESTING, stopped):
            return
        if self._settings.grasp == FRICTION:
            slips = self._pinched() != self.held
        else:
            pull = self._pull_at_rest(stopped)
            slips = pull is not None and pull > _AT_REST * self.force
        if slips and self.held is not None:
            self._slip()
            self._pass(_FALLING, stopped)

    def _pull_at_rest(self, stopped: Stopped) -> float | None:
        """N that the thing in the hand, which hangs still, pulls with; None once it was stopped. Time passes."""
        pulls = []
        for _ in range(_READINGS):
            if self._pass(self._sim.tick, stopped):
                return None
            pulls.append(tension(self._model, self._data, self._weld) or 0.0)
        return float(np.mean(pulls))

    def _relax(self) -> None:
        """Let the arm be where it is: what it pressed with is not felt as a pull of what it holds."""
        self._sim.goals[ARM] = self._sim.positions()[ARM]
        self._sim.hold()

    def _watch(self) -> None:
        """Every few steps of time: what pulls too hard slips while it moves, too."""
        self._match_contacts()
        pull = tension(self._model, self._data, self._weld) if self.held is not None else None
        if pull is None:
            return
        now = self._sim.time
        share = 1.0 - math.exp(-max(now - self._seen, 0.0) / _MEMORY)
        self._pull, self._seen = self._pull + share * (pull - self._pull), now
        if self._pull > _CARRYING * self.force:
            self._slip()

    def _slip(self) -> None:
        self.slipped = self.held
        self._let_go()

    def _let_go(self) -> None:
        untie(self._model, self._data)
        self._sim.held = None
        self._pull = 0.0
        self._match_contacts()

    def _match_contacts(self) -> None:
        """What an assisted grasp holds does not meet the hand."""
        tied = bool(self._data.eq_active[self._weld])
        body = int(self._model.eq_obj2id[self._weld]) if tied else None
        if body == self._without_contacts:
            return
        self._model.geom_contype[:] = self._bits
        if body is not None:
            self._model.geom_contype[self._geoms[body]] = HELD_BIT
        self._without_contacts = body

    # The fingers ----------------------------------------------------------------------------------------------------

    def _close(self, force: float) -> None:
        self._data.ctrl[self._motor] = -force

    def _squeeze(self, force: float, stopped: Stopped) -> bool:
        """Press harder little by little; whether it was stopped."""
        steps = max(1, round(_RAMP / self._sim.tick))
        begin = min(_GENTLE, force)
        for k in range(1, steps + 1):
            self._close(begin + (force - begin) * k / steps)
            if self._pass(self._sim.tick, stopped):
                return True
        return self._pass(_SETTLING, stopped)

    def _open(self, stopped: Stopped) -> bool:
        self._data.ctrl[self._motor] = _GENTLE
        halted = self._pass(_OPENING, stopped)
        self._data.ctrl[self._motor] = _OPEN
        return halted

    def _pass(self, seconds: float, stopped: Stopped) -> bool:
        """Let time pass; true once it was stopped."""
        for _ in range(max(1, round(seconds / self._sim.tick))):
            if stopped():
                return True
            self._sim.advance(self._sim.tick)
        return stopped()

    def _stopped(self) -> Outcome:
        """The fingers stand still where they are; what is held stays held."""
        if self.held is None or self._settings.grasp != FRICTION:
            self._data.ctrl[self._motor] = 0.0
        self._data.qvel[self._finger_speeds] = 0.0
        self._sim.refresh()
        return Outcome(Status.STOPPED, _STOP)

    def _nearest(self) -> int | None:
        """The body that can be picked up and comes nearest to the middle of the ball around the tool, with nothing
        between."""
        self._sim.refresh()
        best, least = None, 0.0
        middle, line = self._data.geom_xpos[self._reach].copy(), np.zeros(6)
        for body, geoms in self._geoms.items():
            away = np.linalg.norm(self._data.geom_xpos[geoms] - middle, axis=1) - self._model.geom_rbound[geoms]
            for geom in geoms[away < REACH_RADIUS]:
                gap = mujoco.mj_geomDistance(self._model, self._data, self._reach, int(geom), REACH_RADIUS, line)
                if gap < least and not self._is_hidden(middle, line[3:], body):
                    best, least = body, gap
        return best

    def _is_hidden(self, tool: Matrix, point: Matrix, body: int) -> bool:
        """Whether something is between the tool and a point (both (3,), m) of a body; neither body nor robot count."""
        way = point - tool
        left = float(np.linalg.norm(way))
        if left < _BESIDE:
            return False
        way, at, met = way / left, tool.copy(), np.zeros(1, np.int32)
        while left > _BESIDE:
            far = mujoco.mj_ray(self._model, self._data, at, way, _TOUCHED, 1, -1, met, None)
            if far < 0.0 or far > left - _BESIDE:
                return False
            root = int(self._model.body_rootid[self._model.geom_bodyid[met[0]]])
            if root not in (body, self._robot):
                return True
            at, left = at + (far + _PAST) * way, left - far - _PAST
        return False

    def _pinched(self) -> int | None:
        """The instance that can be picked up and that both fingers touch."""
        count = self._data.ncon
        bodies = self._model.geom_bodyid[self._data.contact.geom[:count]]
        touched: list[set[int]] = [set(), set()]
        for first, second in bodies.tolist():
            for a, b in ((first, second), (second, first)):
                if a in self._fingers:
                    touched[self._fingers.index(a)].add(int(self._model.body_rootid[b]))
        both = sorted(self._instances[body] for body in touched[0] & touched[1] if body in self._instances)
        return both[0] if both else None

    # Feeling --------------------------------------------------------------------------------------------------------

    def touch(self) -> Touch:
        """What the hand feels now; forces only where weight is felt at the wrist."""
        self._sim.refresh()
        force, torque = np.full(3, np.nan), np.full(3, np.nan)
        if self._settings.weighing == "wrist":
            force, torque = self._felt()
        return Touch(
            self._sim.T_world_tool(), force, torque, max(self._sim.gripper_width(), 0.0), self.held is not None
        )

    def _felt(self) -> tuple[Matrix, Matrix]:
        """Force (3,) and torque (3,) at the wrist without those of the hand itself, in its axes, with noise.

        However often one looks, the same is felt until something has moved; so more looks change no run.
        """
        data, settings = self._data, self._settings
        rng = np.random.default_rng([self._seed, 0x77657967, round(self._sim.time * 1e9)])
        force, torque = (np.array(data.sensor(name).data) for name in (FORCE, TORQUE))
        turned = data.site_xmat[self._wrist].reshape(3, 3)
        weight = -float(self._model.body_subtreemass[self._hand]) * self._model.opt.gravity
        own = turned.T @ weight
        arm = turned.T @ (data.subtree_com[self._hand] - data.site_xpos[self._wrist])
        force, torque = own - force, np.cross(arm, own) - torque
        scale = 1.0 + settings.wrist_noise * rng.standard_normal()
        offset = settings.wrist_offset * np.linalg.norm(self._model.opt.gravity) * rng.standard_normal(3)
        return scale * force + offset, scale * torque


def _solid(model: mujoco.MjModel) -> NDArray[np.bool_]:
    """Geoms that can be touched, (ngeom,)."""
    return np.asarray((model.geom_contype != 0) | (model.geom_conaffinity != 0))
